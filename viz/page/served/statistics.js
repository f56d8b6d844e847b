/* Statistics: totals as a table, by the options of the program, with a bar for each share; a click
 * on a column's head sorts by it. */

/* The program's word for a column, its head, and what its JSON calls it. */
const COLUMNS = [
    ['name', 'value', 'name'], ['time', 'time', 'innermost'], ['share', 'share', 'share'],
    ['inclusive', 'with nested', 'inclusive'], ['begun', 'begun', 'begun'],
    ['ended', 'ended', 'ended'], ['mean', 'mean', 'mean'], ['min', 'least', 'min'],
    ['median', 'median', 'median'], ['p90', '90 %', 'p90'], ['p99', '99 %', 'p99'],
    ['max', 'most', 'max']
];
const SHARES_OF = [
    ['', 'the time that resources live'], ['leaves', 'the window of each resource'],
    ['active', 'the time in any state']
];
const QUANTILES = ['median', 'p90', 'p99'];

/* Options of its own, '' or false where they are not given. */
const totals = {of: '', at: '', type: '', sort: '', quantiles: false, extremes: false};

function optionsOfTotals() {
    return givenOptions(Object.entries(totals).map(([name, value]) => ['stats.' + name, value]));
}

/* Types of events, of a category or of all. */
function typesOfEvents(category = '') {
    return server.trace.events.filter(([, of]) => category === '' || of === category)
        .map(([name]) => [name, name]);
}

/* By what resources are put together. */
function groupings() {
    return [
        ['', 'all together'], ['resource', 'each resource'],
        ...server.trace.types.map(type => [type, 'each ' + type])
    ];
}

function rowsOfTotals(answer, columns) {
    const counts = ['begun', 'ended'];
    const times = {state: 'innermost', link: 'ended_time'};
    const cell = (value, type, word) => value === null || value === undefined ? ''
        : word === 'share'                                                    ? shareCell(value)
        : type.category === 'variable' || counts.includes(word)               ? value
                                                                              : timeCell(value);
    const time = type => times[type.category] || 'inclusive';
    const row = (type, of, name) => [name, type.name + (type.group ? ', ' + type.group : ''),
        ...columns.slice(1).map(
            ([word, , member]) => cell(of[word === 'time' ? time(type) : member], type, word)),
        name === 'all' ? '' : makeTrack(of.share, colourNamed(name))];
    return answer.types.flatMap(
        type => [...type.values.map(value => row(type, value, value.name || '(no value)')),
            row(type, type, 'all')]);
}

function makeTotals(answer, sort) {
    const known = answer.types.some(type => QUANTILES.some(name => type[name] !== null));
    const columns = COLUMNS.filter(([word]) => known || !QUANTILES.includes(word));
    const heads = columns.map(([word, title]) => {
        const shown = word === 'time' && answer.innermost_of === 'shown';
        const button = makeButton(shown ? 'time of shown (s)' : title, () => sort(word));
        button.dataset.sort = word;
        button.title = 'sort by it, within each type';
        return button;
    });
    const box = makeScrolled(
        'Totals', [heads[0], 'type', ...heads.slice(1), ''], rowsOfTotals(answer, columns));
    const sorted = box.querySelector('[data-sort="' + (totals.sort || 'time') + '"]');
    if (sorted !== null)
        sorted.parentElement.setAttribute(
            'aria-sort', sorted.dataset.sort === 'name' ? 'ascending' : 'descending');
    return box;
}

async function fillTotals(rows, options, change) {
    const asked = [...options, ...optionsOfTotals()];
    const whole =
        await lastFor(rows, ask('totals', asked).then(response => response.json()));
    if (whole !== null)
        rows.replaceChildren(makeTotals(whole.answer, word => {
            change('sort')(word === 'time' ? '' : word)
                .then(() => rows.querySelector('[data-sort="' + word + '"]').focus());
        }), makeCommand(whole.command));
}

addChoosingPanel({
    name: 'stats',
    title: 'Statistics',
    help: 'the totals of what is chosen',
    follows: true,
    values: totals,
    fields: change => [
        makeChoice('of', [['', 'all events'], ...typesOfEvents()], totals.type, change('type')),
        makeChoice('shares of', SHARES_OF, totals.of, change('of')),
        makeChoice('groups', groupings(), totals.at, change('at')),
        makeTick('quantiles', totals.quantiles, change('quantiles')),
        makeTick('least and most', totals.extremes, change('extremes'))
    ],
    draw: fillTotals
});

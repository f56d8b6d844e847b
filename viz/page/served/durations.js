/* Durations: how long what is chosen lasts, as histograms by group and beside another window, and
 * over time. A number opens the question in SQL that gives its events. */

const MOST_COLUMNS = 8, TIME_SLICES = 60;

/* Options of its own, '' or false where they are not given. */
const lasting = {name: '*', at: '', overTime: false, from: '', to: ''};

function optionsOfDurations() {
    return givenOptions([
        ['durations', spell(lasting.name)], ['at', lasting.at],
        ['over-time', lasting.overTime ? String(TIME_SLICES) : ''], ['from2', lasting.from],
        ['to2', lasting.to]
    ]);
}

/* The question for the events of a column that last so long. */
function askForEvents(column, begin, end) {
    question.text = column.sql.replace(/ AND duration >= 0$/,
                        end > 0 ? ' AND duration >= ' + begin + ' AND duration < ' + end
                                : ' AND duration = 0') +
        ' ORDER BY duration DESC';
    openPanel('sql', 'push');
}

function titleOfColumn(answer, column) {
    const group = column.group === undefined ? '' : column.group || '(whole)';
    const windows = answer.columns.some(one => one.window > 0);
    return [group, windows ? column.from + ' \u2013 ' + column.to + ' s' : '']
               .filter(text => text !== '')
               .join(', ') ||
        'events';
}

function makeBins(answer) {
    const columns = answer.columns.slice(0, MOST_COLUMNS), alone = answer.columns.length === 1;
    const find = (column, begin, end) =>
        column.bins.find(bin => bin.begin === begin && bin.end === end) || {count: 0, sum: 0};
    const most = Math.max(1, ...columns.flatMap(column => column.bins.map(bin => bin.count)));
    const aloneIn = bin =>
        [timeCell(bin.sum), makeTrack(bin.count / most, colourNamed(lasting.name))];
    const counted = (column, begin, end) => {
        const {count} = find(column, begin, end);
        return count === 0 || column.sql === null
            ? count
            : makeButton(String(count), () => askForEvents(column, begin, end));
    };
    const rows = answer.borders.map(([begin, end]) => [timeCell(begin), timeCell(end),
        ...columns.map(column => counted(column, begin, end)),
        ...(alone ? aloneIn(find(columns[0], begin, end)) : [])]);
    const sum = list => list.reduce((all, one) => all + one, 0);
    return makeScrolled(count(sum(answer.columns.map(one => one.count)), 'event', 'events') + ', ' +
            shortTime(sum(answer.columns.map(one => one.sum))) + ' in all' +
            (columns.length < answer.columns.length
                    ? '; ' + columns.length + ' of ' + answer.columns.length + ' groups'
                    : ''),
        [
            'from', 'to', ...columns.map(one => titleOfColumn(answer, one)),
            ...(alone ? ['sum', ''] : [])
        ],
        rows);
}

async function fillDurations(rows, options) {
    const answer = await lastFor(rows, ask('histogram', [...options, ...optionsOfDurations()],
        looksOfPanel()).then(response => response.json()));
    if (answer === null)
        return;
    rows.replaceChildren(
        makeFigure(answer.picture), makeBins(answer.answer), makeCommand(answer.command));
}

function namesThatLast() {
    const names = data.types.filter(type => !type[2]).map(([name]) => name);
    return names.includes(lasting.name) || lasting.name === '*' ? names : [lasting.name, ...names];
}

addChoosingPanel({
    name: 'durations',
    title: 'Durations',
    help: 'how long a value lasts, how often',
    follows: true,
    values: lasting,
    fields: change => [
        makeChoice('of', [['*', 'all'], ...namesThatLast().map(name => [name, name])],
            lasting.name, change('name')),
        makeChoice('groups', groupings(), lasting.at, change('at')),
        makeTick('over time', lasting.overTime, change('overTime')),
        makeText('beside the window from', lasting.from, change('from'), 'e.g. 1.5s'),
        makeText('to', lasting.to, change('to'), 'e.g. 60%')
    ],
    draw: fillDurations
});

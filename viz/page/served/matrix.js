/* Messages: the matrix as a picture, and a list of pairs; a pair opens its Gantt chart. */

const MEASURES = {
    count: 'links',
    bytes: 'bytes',
    mean: 'mean duration',
    least: 'least duration',
    bandwidth: 'bandwidth',
    'in-flight': 'links under way',
    violations: 'end before they begin'
};
const FILTERS = [
    'only', 'except', 'only-resources', 'except-resources', 'min-duration', 'max-duration', 'where'
];

const exchange = {at: '', columns: '', cell: 'count', type: '', linear: false};

/* The events of both ends of a pair, in the window of the matrix. Groups that are no resource
 * choose none. */
async function drawPair(figure, options, answer, pair) {
    const ends = [...new Set(pair)].filter(path => path !== 'all' && !path.startsWith('('));
    const place = [
        ...options.filter(([name]) => FILTERS.includes(name)), ['from', '@' + answer.from],
        ['to', '@' + answer.to], ...ends.map(path => ['resource', path])
    ];
    const window = [answer.from, answer.to].map(time => sliceAt(parseFloat(time)));
    if (await drawEvents(figure, place, window, 60) === null)
        return;
    figure.prepend(make('h2', '', pair.join(' \u2192 ')));
    figure.scrollIntoView({block: 'nearest'});
}

/* The groups that the tooltip of a cell names: "sender \u2192 receiver" is its first line. */
function pairOfTooltip(answer, text) {
    const line = text.split('\n')[0];
    const row = answer.rows.find(one => line.startsWith(one.group + ' \u2192 ') &&
        answer.columns.some(other => line === one.group + ' \u2192 ' + other.group));
    const parts = line.split(' \u2192 ');
    return row !== undefined ? [row.group, line.slice(row.group.length + 3)]
        : parts.length === 2 ? parts
                             : null;
}

/* Pairs with the largest values first, as the program lists them. */
function largestPairs(answer) {
    const value = one => one[exchange.cell.replace('-', '_')];
    return [...answer.cells].sort(
        (a, b) => (value(b) === null ? -1 : value(b)) - (value(a) === null ? -1 : value(a)));
}

function makePairs(answer, open) {
    const pairs = largestPairs(answer);
    const text = value => value === null ? '' : value;
    return makeScrolled(count(pairs.length, 'pair', 'pairs'),
        ['from \u2192 to', 'links', 'bytes', 'mean', 'least', 'B/s', 'under way', 'wrong'],
        pairs.map(one => {
            const pair = [answer.rows[one.row].group, answer.columns[one.column].group];
            return [
                makeButton(pair.join(' \u2192 '), () => open(pair)), one.count, text(one.bytes),
                timeCell(text(one.mean)), timeCell(text(one.least)), text(one.bandwidth),
                one.in_flight, one.violations
            ];
        }));
}

async function fillMatrix(rows, options) {
    const more = givenOptions([
        ['at', exchange.at], ['matrix.receivers', exchange.columns],
        ['cell', exchange.cell === 'count' ? '' : exchange.cell], ['matrix.type', exchange.type],
        ['linear', exchange.linear]
    ]);
    const asked = ask('matrix', [...options, ...more], looksOfPanel(LEAST_SIZE));
    const whole = await lastFor(rows, asked.then(response => response.json()));
    if (whole === null)
        return;
    const answer = whole.answer;
    if (answer.cells.length === 0) {
        rows.replaceChildren(make('p', 'note', 'No link begins or ends in what is chosen.'),
            makeCommand(whole.command));
        return;
    }
    const figure = makeFigure(whole.picture), detail = make('div', 'pair');
    const open = pair =>
        drawPair(detail, options, answer, pair).then(() => showProblem(null), showProblem);
    figure.addEventListener('click', event => {
        const title = event.target.querySelector('title');
        const pair = title === null ? null : pairOfTooltip(answer, title.textContent);
        if (pair !== null)
            open(pair);
    });
    rows.replaceChildren(figure, makePairs(answer, open), detail, makeCommand(whole.command));
}

addChoosingPanel({
    name: 'matrix',
    title: 'Messages',
    help: 'who sends to whom',
    follows: true,
    values: exchange,
    fields: change => {
        const types = [...server.trace.types.map(type => [type, type]), ['all', 'all']];
        const links = typesOfEvents('link');
        return [
            ...(links.length < 2
                    ? []
                    : [makeChoice('of', [['', 'all links'], ...links], exchange.type,
                          change('type'))]),
            makeChoice('rows', [['', 'senders and receivers'], ...types], exchange.at,
                change('at')),
            makeChoice('columns', [['', 'as rows'], ...types], exchange.columns,
                change('columns')),
            makeChoice('cells', Object.entries(MEASURES), exchange.cell, change('cell')),
            makeTick('linear colours', exchange.linear, change('linear'))
        ];
    },
    draw: fillMatrix
});

/* Compare: the second trace, or another window of this one; side by side, or what is more and what
 * is less. */

const second = {from: '', to: '', difference: false};

function makeText(name, value, change) {
    const label = make('label');
    const field = make('input');
    field.type = 'text';
    field.size = 12;
    fillField(field, value);
    field.addEventListener('change', () => change(field.value.trim()));
    label.append(name + ' ', field);
    return label;
}

async function fillComparison(rows, options) {
    const more = [
        ...(second.from === '' ? [] : [['from2', second.from]]),
        ...(second.to === '' ? [] : [['to2', second.to]]),
        ...(second.difference ? [['view', 'difference']] : [])
    ];
    if (server.trace.second === '' && more.length === (second.difference ? 1 : 0)) {
        rows.replaceChildren(make('p', 'note',
            'Say another window of the same trace, or serve two traces: ocelotl-cli serve a.db b.db'));
        return;
    }
    const kept = options.filter(([name]) => !second.difference || name !== 'view');
    const answer = await lastFor(
        rows, ask('compare', [...kept, ...more], looks()).then(response => response.json()));
    if (answer === null)
        return;
    const figure = make('div');
    place(figure, answer.picture, 'image/svg+xml');
    rows.replaceChildren(figure,
        makeScrolled(count(answer.answer.named, 'change', 'changes') + ' in ' + answer.answer.unit,
            ['node', 'type', 'first', 'second', 'leaves', 'change'],
            answer.answer.changes.map(one => [one.node || '(whole)', one.type, one.first,
                                          one.second, one.leaves, one.change])),
        makeCommand(answer.command));
}

addPanel({
    name: 'compare',
    title: 'Compare',
    key: 'c',
    help: 'with another trace or window',
    async fill(body, options) {
        const rows = make('div');
        const again = () =>
            fillComparison(rows, options).then(() => showProblem(null), showProblem);
        const row = make('div', 'actions');
        row.append(makeText('second from', second.from, value => {
            second.from = value;
            again();
        }), makeText('to', second.to, value => {
            second.to = value;
            again();
        }), makeTick('what differs', second.difference, value => {
            second.difference = value;
            again();
        }));
        body.append(row, rows);
        await fillComparison(rows, options);
    }
});

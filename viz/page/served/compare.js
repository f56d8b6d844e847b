/* Compare: the second trace, or another window of this one; side by side, or what is more and what
 * is less. */

const second = {from: '', to: '', difference: false, stretch: false};

async function fillComparison(rows, options) {
    const more = givenOptions([
        ['from2', second.from], ['to2', second.to], ['stretch', second.stretch],
        ['view', second.difference ? 'difference' : '']
    ]);
    if (server.trace.second === '' && second.from === '' && second.to === '') {
        rows.replaceChildren(make('p', 'note',
            'Say another window of the same trace, or serve two traces: ocelotl-cli serve a.db b.db'));
        return;
    }
    const kept = options.filter(([name]) => !second.difference || name !== 'view');
    const answer = await lastFor(
        rows, ask('compare', [...kept, ...more], looksOfPanel()).then(response => response.json()));
    if (answer === null)
        return;
    rows.replaceChildren(makeFigure(answer.picture),
        makeScrolled(count(answer.answer.named, 'change', 'changes') + ' in ' + answer.answer.unit,
            ['node', 'type', 'first', 'second', 'leaves', 'change'],
            answer.answer.changes.map(one => [one.node || '(whole)', one.type, one.first,
                                          one.second, one.leaves, one.change])),
        makeCommand(answer.command));
}

addChoosingPanel({
    name: 'compare',
    title: 'Compare',
    help: 'with another trace or window',
    values: second,
    fields: change => [
        makeText('second window from', second.from, change('from'), 'e.g. 1.5s'),
        makeText('to', second.to, change('to'), 'e.g. 60%'),
        makeTick('what differs', second.difference, change('difference')),
        makeTick('equally wide', second.stretch, change('stretch'))
    ],
    draw: fillComparison
});

/* Compare: what is pinned with what is selected; or all with the second trace, or with another
 * window of this one: side by side, or what is more and what is less. */

const second = {from: '', to: '', difference: false, stretch: false};

/* Shares of values of states, in all of the time of a place. */
async function sharesOfPlace(place) {
    const options = optionsOfSlices(slicesOfPlace(place), place.paths);
    const whole = await (await ask('totals', options, [['stats.of', 'leaves']])).json();
    const values = whole.answer.types.filter(type => type.category === 'state')
        .flatMap(type => type.values);
    return {values: new Map(values.map(one => [one.name, one.share])), command: whole.command};
}

/* Percents that are more or less. */
function signed(share) {
    return (share > 0 ? '+' : share < 0 ? '\u2212' : '') + percent(Math.abs(share));
}

function makeBoth(a, b) {
    const names = [...new Set([...a.values.keys(), ...b.values.keys()])];
    const rows = names.map(name => [name, a.values.get(name) || 0, b.values.get(name) || 0])
        .filter(([, one, other]) => one > 0 || other > 0)
        .sort((one, other) => Math.abs(other[2] - other[1]) - Math.abs(one[2] - one[1]));
    return makeScrolled('Shares of the time of all resources',
        ['state', 'A', '', 'B', '', 'B \u2212 A'],
        rows.map(([name, one, other]) => [name, shareCell(one), makeTrack(one, colourNamed(name)),
            shareCell(other), makeTrack(other, colourNamed(name)),
            {number: other - one, text: signed(other - one)}]));
}

/* A and B by their shares, and as pictures where they are two windows. */
async function fillPins(rows, more) {
    const b = placeOfChosen();
    const found = await lastFor(rows, Promise.all([pinned, b].map(sharesOfPlace)));
    if (found === null)
        return;
    const names = make('p', 'facts');
    for (const [letter, place] of [['A', pinned], ['B', b]])
        names.append(make('b', '', letter), ' ' + nameOfPlace(place) + '\u2003');
    rows.replaceChildren(names, makeBoth(...found),
        ...found.map(({command}) => makeCommand(command)));
    if (String(pinned.window) === String(b.window))
        return;
    const same = String(pinned.paths) === String(b.paths);
    const [from, to] = slicesOfPlace(b);
    await appendPair(rows, optionsOfSlices(slicesOfPlace(pinned), same ? b.paths : ''),
        [['from2', instantAt(from)], ['to2', instantAt(to, true)], ...more]);
}

/* Two windows or two traces, as the program draws them. */
async function appendPair(rows, options, more) {
    const kept = options.filter(([name]) => !second.difference || name !== 'view');
    const found = await lastFor(rows,
        ask('compare', [...kept, ...more], looksOfPanel()).then(response => response.json()));
    if (found === null)
        return;
    const {answer} = found;
    rows.append(makeFigure(found.picture),
        makeScrolled(count(answer.named, 'change', 'changes') + ' in ' + answer.unit,
            ['node', 'type', 'first', 'second', 'leaves', 'change'],
            answer.changes.map(one => [one.node || '(whole)', one.type, one.first, one.second,
                                   one.leaves, one.change])),
        makeCommand(found.command));
}

async function fillComparison(rows) {
    const more = givenOptions(
        [['stretch', second.stretch], ['view', second.difference ? 'difference' : '']]);
    if (pinned !== null && hasChosen())
        return fillPins(rows, more);
    rows.replaceChildren();
    if (pinned !== null || (server.trace.second === '' && second.from === '' && second.to === ''))
        return rows.append(make('p', 'note', pinned !== null
                ? 'A is pinned: select B.'
                : 'Select A and press M, or select B with Ctrl pressed. Or say another window of ' +
                    'the same trace, or serve two traces: ocelotl-cli serve a.db b.db'));
    return appendPair(
        rows, shown, [...givenOptions([['from2', second.from], ['to2', second.to]]), ...more]);
}

addChoosingPanel({
    name: 'compare',
    title: 'Compare',
    help: 'two selections, with another window or with another trace',
    follows: true,
    values: second,
    fields: change => [
        makeText('second window from', second.from, change('from'), 'e.g. 1.5s'),
        makeText('to', second.to, change('to'), 'e.g. 60%'),
        makeTick('what differs', second.difference, change('difference')),
        makeTick('equally wide', second.stretch, change('stretch'))
    ],
    draw: fillComparison
});

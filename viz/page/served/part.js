/* Why what is chosen is as it is: what cuts it, what its types cost, its siblings. Of a region it
 * has the shares, too. */

const CUTS = {inside: 'What cuts it', parent: 'What cuts it from its siblings',
    earlier: 'What cuts it from what is before it', later: 'What cuts it from what is after it',
    time: 'What a cut in time would be worth',
    resources: 'What cuts of its children would be worth'};

function nameTerm(row) {
    if (row.by !== 'piece')
        return row.name + (row.taken_out ? ' (makes the cut)' : '');
    return (row.part === null ? '' : 'part ' + row.part + ', ') + row.name +
        (row.first === null ? '' : ', ' + when(row.first, row.last));
}

function makeCosts(part) {
    return makeTable('What its types gain and lose',
        ['type', data.shares ? 'share' : 'mean', 'gain (bits)', 'gain %', 'loss (bits)', 'loss %'],
        part.types.map(row => [row.type, data.shares ? shareCell(row.value) : row.value, row.gain,
                           row.gain_percent, row.loss, row.loss_percent]));
}

function makeSiblings({siblings, sibling_count: all}) {
    return makeTable('Its siblings meanwhile' +
            (all > siblings.length ? ', ' + siblings.length + ' of ' + all : ''),
        ['node', 'leaves', 'mostly'],
        siblings.map(row => [row.node + (row.own ? ' (this one)' : ''), row.leaves,
            row.shares.map(([name, value]) => name + ' ' +
                (data.shares ? percent(value) : shortDigits(value))).join(', ')]));
}

function fillWhy(box, part) {
    box.append(...part.cuts.slice(0, 1).map(cut => make('p', '', cut.sentence)),
        makeDisclosure('Why: gain, loss, cuts and siblings', makeCosts(part),
            ...part.cuts.flatMap((cut, at) => [
                ...(at > 0 ? [make('p', '', cut.sentence)] : []),
                makeTable(CUTS[cut.cut], ['by', 'what', 'gain (bits)', 'loss (bits)', 'worth'],
                    part.terms.filter(row => row.cut === cut.cut).map(
                        row => [row.by, nameTerm(row), row.gain, row.loss, row.difference]))
            ]),
            ...(part.siblings.length > 1 ? [makeSiblings(part)] : [])));
}

/* What was found of nodes in slices, and whose turn it is. */
const reasons = new Map(), MOST_REASONS = 60, WHY_AFTER = 120; /* milliseconds */

function findReason(node, first, last) {
    const more = [['node', node], ['p', currentP()], ['first', String(first)],
        ['last', String(last)]];
    return remembered(reasons, MOST_REASONS, JSON.stringify([placeOf(shown), more]),
        async () => (await (await ask('part', placeOf(shown), more)).json()).part);
}

/* Looked for once it stays, while it can be read. */
async function lookForReason(box, node, first, last) {
    do
        await pause(WHY_AFTER);
    while (data.coarse && box.isConnected);
    if (!box.isConnected || opened !== 'selection')
        return;
    try {
        const part = await findReason(node, first, last);
        fillWhy(box, part);
        if (subject() >= 0 || chosen.range === null)
            return;
        const types = data.types.map(([name]) => name);
        const values = part.types.filter(row => types.includes(row.type))
            .map(row => [types.indexOf(row.type), row.value]);
        panel.querySelector('.shares')?.replaceWith(makeShares(sorted(values), nameOfSums()));
    } catch (error) {
        if (error.late)
            lookForReason(box, node, first, last);
        else
            box.append(make('p', 'note', error.message));
    }
}

page.why = (node, first, last) => {
    const box = make('div', 'why');
    lookForReason(box, node < 0 ? '' : data.nodes[node][PATH], first, last);
    return [box];
};

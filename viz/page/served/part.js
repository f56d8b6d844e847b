/* Details of the part that is chosen, or of the whole: what each type costs, why it is cut and not
 * cut further, its siblings. */

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

function fillCut(body, cut, terms) {
    body.append(make('p', '', cut.sentence),
        makeScrolled(CUTS[cut.cut], ['by', 'what', 'gain (bits)', 'loss (bits)', 'worth'],
            terms.map(row => [row.by, nameTerm(row), row.gain, row.loss, row.difference])));
}

function fillPart(body, part, commands) {
    const percents = row => [row.gain, row.gain_percent, row.loss, row.loss_percent];
    const costs = ['gain (bits)', 'gain %', 'loss (bits)', 'loss %'];
    body.append(make('p', 'facts', (part.node || '(whole)') + ', ' + when(part.first, part.last)),
        makeScrolled('What its types gain and lose',
            ['type', data.shares ? 'share' : 'mean', ...costs],
            part.types.map(row => [row.type, data.shares ? percent(row.value) : row.value,
                               ...percents(row)])));
    for (const cut of part.cuts)
        fillCut(body, cut, part.terms.filter(row => row.cut === cut.cut));
    if (part.siblings.length > 1)
        body.append(makeScrolled('Its siblings meanwhile' +
                (part.sibling_count > part.siblings.length
                        ? ', ' + part.siblings.length + ' of ' + part.sibling_count
                        : ''),
            ['node', 'leaves', 'mostly'],
            part.siblings.map(row => [row.node + (row.own ? ' (this one)' : ''), row.leaves,
                                  row.shares
                                      .map(([name, value]) => name + ' ' +
                                              (data.shares ? percent(value) : short(value)))
                                      .join(', ')])));
    for (const [what, line] of commands)
        body.append(make('p', '', what), makeCommand(line));
}

addPanel({name: 'part', title: 'Details', help: 'why the part is as it is', follows: true,
    async fill(body) {
        const one = subject() >= 0 ? data.levels[0].shown[subject()] : null;
        const more = [['node', one === null ? '' : data.nodes[one[NODE]][PATH]], ['p', currentP()],
            ['first', String(one === null ? data.first : one[FIRST])],
            ['last', String(one === null ? data.first + data.count - 1 : one[LAST])]];
        if (one !== null && one[PARTS] === 1)
            more.push(['number', String(one[NUMBER])]);
        const answer = await (await ask('part', placeOf(shown), more)).json();
        fillPart(body, answer.part, answer.commands);
    }});

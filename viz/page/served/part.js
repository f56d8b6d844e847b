/* Details of the part that is chosen, or of the whole: what each type costs, what else it could be,
 * its siblings. */

const CHOICES = {part: 'as it is', time: 'cut in time', resources: 'its children apart',
    parent: 'joined with its siblings', siblings: 'each of these apart'};

/* What the part is compared with, in words. */
function whyNot(choices) {
    const part = choices.find(one => one.choice === 'part');
    const above = choices.find(one => one.choice === 'parent'),
          apart = choices.find(one => one.choice === 'siblings');
    const other = choices.filter(one => ['time', 'resources'].includes(one.choice))
                      .sort((a, b) => b.pic - a.pic)[0];
    const words = [];
    if (other !== undefined)
        words.push(other.pic <= part.pic
                ? 'It is not cut: no single cut gains as much for what it shows.'
                : 'It is cut where it can be: ' + CHOICES[other.choice] +
                    ' is worth more at this p.');
    if (above !== undefined)
        words.push(above.pic < apart.pic
                ? 'It is cut from its siblings: together they lose too much at this p.'
                : 'Alone with its siblings it could be joined; other slices or deeper cuts decide.');
    return words.join(' ');
}

function fillPart(body, part, commands) {
    const percents = row => [row.gain, row.gain_percent, row.loss, row.loss_percent];
    const costs = ['gain (bits)', 'gain %', 'loss (bits)', 'loss %'];
    body.append(make('p', 'facts', (part.node || '(whole)') + ', ' + when(part.first, part.last)),
        makeScrolled('What its types gain and lose',
            ['type', data.shares ? 'share' : 'mean', ...costs],
            part.types.map(
                row => [row.type, data.shares ? percent(row.value) : row.value, ...percents(row)])),
        make('p', '', whyNot(part.choices)),
        makeScrolled('What else it could be', ['choice', 'parts', ...costs, 'worth'],
            part.choices.map(row => [CHOICES[row.choice] +
                                     (row.cut === undefined ? '' : ' before slice ' + row.cut),
                                 row.pieces, ...percents(row), row.pic])));
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

addPanel({name: 'part', title: 'Details', key: 'd', help: 'why the part is as it is', follows: true,
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

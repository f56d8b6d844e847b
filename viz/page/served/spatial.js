/* Resources alone, all of the time together: nested rectangles, or a part in each row, at a p, a
 * type or a depth. */

const SPATIAL = ['kind', 'view', 'type', 'texture', 'expand'];

/* Options of its own, '' where they are not given. */
const spatial = {look: 'treemap', level: '', area: ''};

/* Those of the page with these in place of its own. Its level of detail is that of the picture, or
 * one that a word says. */
function optionsOfSpatial(options) {
    const nested = spatial.look === 'treemap', [word, value] = spatial.level.split(':');
    const kept = options.filter(
        ([name]) => !SPATIAL.includes(name) && (spatial.level === '' || !DETAILS.includes(name)));
    if (value !== undefined && nested)
        kept.push([word, value]);
    else if (word !== 'auto' && !kept.some(([name]) => DETAILS.includes(name)))
        kept.push(['p', currentP()]);
    if (!nested)
        return [['kind', 'spatial'], ['view', spatial.look], ...kept];
    return spatial.area === '' ? kept : [['area', spatial.area], ...kept];
}

async function fillSpatial(rows, options) {
    const path = spatial.look === 'treemap' ? 'treemap' : 'spatial';
    const asked = ask(path, optionsOfSpatial(options), looksOfPanel(LEAST_SIZE));
    const answer = await lastFor(rows, asked.then(response => response.json()));
    if (answer === null)
        return;
    rows.replaceChildren(makeFigure(answer.picture),
        makeScrolled('What it shows', ['node', 'leaves', 'mostly', 'share'],
            answer.answer.parts.map(
                part => [part.node || '(whole)', part.leaves, part.state || '',
                    data.shares ? shareCell(part.share) : part.share])),
        makeCommand(answer.command));
}

addChoosingPanel({
    name: 'treemap',
    title: 'Treemap',
    help: 'resources alone, all of the time together',
    follows: true,
    values: spatial,
    fields: change => {
        const names = data.types.filter(type => !type[2]).map(([name]) => name);
        return [
            makeChoice('drawn as',
                [['treemap', 'nested rectangles'], ['mode', 'a row for each part']],
                spatial.look, change('look')),
            makeChoice('parts',
                [
                    ['', 'at the p of the picture'], ['auto', 'at a p of its own'],
                    ...server.trace.types.map(type => ['at:' + type, 'each ' + type]),
                    ...[0, 1, 2, 3].map(depth => ['depth:' + depth, 'depth ' + depth])
                ],
                spatial.level, change('level')),
            makeChoice('areas',
                [
                    ['', 'leaves'], ['traced', 'time in any state'],
                    ...names.map(name => [name, name])
                ],
                spatial.area, change('area'))
        ];
    },
    draw: fillSpatial
});

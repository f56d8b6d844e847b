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
    const answer = await lastFor(rows,
        ask(spatial.look === 'treemap' ? 'treemap' : 'spatial', optionsOfSpatial(options), looks())
            .then(response => response.json()));
    if (answer === null)
        return;
    const figure = make('div');
    place(figure, answer.picture, 'image/svg+xml');
    rows.replaceChildren(figure,
        makeScrolled('What it shows', ['node', 'leaves', 'mostly', 'share'],
            answer.answer.parts.map(
                part => [part.node || '(whole)', part.leaves, part.state || '', part.share])),
        makeCommand(answer.command));
}

addPanel({
    name: 'treemap',
    title: 'Treemap',
    help: 'resources alone, all of the time together',
    follows: true,
    async fill(body, options) {
        const rows = make('div');
        const bar = make('div', 'actions');
        const again = () => fillSpatial(rows, options).then(() => showProblem(null), error => {
            rows.replaceChildren(make('p', 'note', error.message));
        });
        const change = name => value => { spatial[name] = value; again(); };
        const names = data.types.filter(type => !type[2]).map(([name]) => name);
        bar.append(makeChoice('drawn as',
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
                spatial.area, change('area')));
        body.append(bar, rows);
        await again();
    }
});

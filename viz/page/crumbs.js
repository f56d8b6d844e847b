/* Where one is in the trace: the whole, each resource around what is shown, the time. */

/* The time that is shown. */
function describeTime() {
    if (data.edges.length === 0)
        return when(data.first, data.first + data.count - 1);
    return data.edges[data.first] + ' – ' + endOf(data.first + data.count, 1);
}

function showCrumbs() {
    const crumbs = [], {resources, parts, timed} = page.where();
    const add = (text, act, title) => {
        const item = make('span');
        const button = makeButton(text, act);
        button.title = title;
        item.append(button);
        crumbs.push(item);
    };
    add('whole', () => page.whole(), 'the whole trace (Home)');
    if (resources.length === 1)
        resources[0].split('/').forEach((name, depth, names) => {
            const path = names.slice(0, depth + 1).join('/');
            add(name, () => page.below(path), path);
        });
    else if (resources.length > 1)
        add(count(resources.length, 'resource', 'resources'), () => {}, resources.join('\n'));
    for (const part of parts)
        add('part ' + part, () => {}, 'part ' + part);
    if (timed)
        add(describeTime(), () => {}, 'the time that is shown');
    document.getElementById('crumbs').replaceChildren(...crumbs);
}

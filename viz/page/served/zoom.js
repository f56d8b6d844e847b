/* Zoom: parts, ranges of time, and what is chosen as options. */

/* A part by its number, of the p that is shown. */
function zoomInto(part) {
    const one = data.levels[0].shown[part];
    if (one[PARTS] > 1)
        return zoomTo(data.nodes[one[NODE]][0], one[FIRST], one[LAST]);
    return show([...placeOf(shown), ['p', currentP()], ['zoom', String(one[NUMBER])]], 'push');
}

/* Resources below a node, and slices. */
function zoomTo(path, first, last) {
    const options = withoutPlace();
    if (data.instants.length > 0)
        options.push(['from', '@' + data.instants[first] + 's'], ['to', '@' + data.instants[last + 1] + 's']);
    if (path !== '')
        options.push(['resource', path]);
    return show(options, 'push');
}

/* The node of all that is shown. */
function rootPath() {
    const paths = data.levels[0].shown.map(part => data.nodes[part[NODE]][0].split('/'));
    const least = paths.reduce((common, path) => {
        let same = 0;
        while (same < common.length && same < path.length && common[same] === path[same])
            same++;
        return common.slice(0, same);
    });
    return least.join('/');
}

function zoomIntoChosen() {
    if (subject() >= 0)
        zoomInto(subject());
    else if (chosen.range !== null)
        zoomTo(rootPath(), ...chosen.range);
}

/* The options that say the same place. */
function chosenPlace() {
    const part = subject();
    if (part >= 0 && data.levels[0].shown[part][PARTS] === 1)
        return [...placeOf(shown), ['p', currentP()], ['zoom', String(data.levels[0].shown[part][NUMBER])]];
    const range = part >= 0 ? [data.levels[0].shown[part][FIRST], data.levels[0].shown[part][LAST]] : chosen.range;
    const path = part >= 0 ? data.nodes[data.levels[0].shown[part][NODE]][0] : rootPath();
    if (range === null || data.instants.length === 0)
        return placeOf(shown);
    return [...withoutPlace(), ['from', '@' + data.instants[range[0]] + 's'], ['to', '@' + data.instants[range[1] + 1] + 's'],
        ...(path === '' ? [] : [['resource', path]])];
}

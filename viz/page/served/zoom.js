/* Zoom: parts, regions, and what is chosen as options. */

/* A part by its number, of the p that is shown. */
function zoomInto(part) {
    const one = data.levels[0].shown[part];
    if (one[PARTS] > 1 || data.coarse)
        return show(placeOptions([one[FIRST], one[LAST] + 1], data.nodes[one[NODE]][PATH]), 'push');
    return show([...placeOf(shown), ['p', currentP()], ['part', String(one[NUMBER])]], 'push');
}

/* The time of a slice, which may be a fraction of one, or before or behind all. */
function secondsAt(slice) {
    const before = Math.max(0, Math.min(data.instants.length - 1, Math.floor(slice)));
    return Number(data.instants[before]) + (slice - before) * (endOf(1, 2) - data.instants[0]);
}

/* The slice of a time, which may be a fraction of one, or before or behind all. */
function sliceAt(seconds) {
    return (seconds - data.instants[0]) / (endOf(1, 2) - data.instants[0]);
}

/* The instant at which a slice begins, or at which what is before it `ends`; it may be a fraction
 * of one. */
function instantAt(slice, ends = false) {
    const seconds = !(slice in data.instants) ? secondsAt(slice)
        : ends                                ? Number(endOf(slice, 2))
                                              : Number(data.instants[slice]);
    return '@' + Number(Number(seconds.toFixed(12)).toPrecision(14)) + 's';
}

/* Options of another place: slices from one to the begin of another, null for the time that is
 * shown, and the resources below a path or several, '' for those that are shown. */
function placeOptions(slices, path) {
    const zoomed = shown.some(([name]) => name === 'part');
    const kept = shown.filter(([name]) => !PLACES.includes(name) && !DETAILS.includes(name));
    const [first, end] = slices === null ? [data.first, data.first + data.count] : slices;
    const all = first <= data.first && end >= data.first + data.count;
    if (all && !zoomed)
        kept.push(...shown.filter(([name]) => name === 'from' || name === 'to'));
    else if (data.instants.length > 0)
        kept.push(['from', instantAt(first)], ['to', instantAt(end, true)]);
    const below = path !== '' ? path : zoomed ? rootPath() : '';
    if (path === '' && !zoomed)
        kept.push(...shown.filter(([name]) => name === 'resource'));
    return below === '' ? kept : [...kept, ...[below].flat().map(one => ['resource', spell(one)])];
}

/* The node of all that is shown. */
function rootPath() {
    const paths = data.levels[0].shown.map(part => data.nodes[part[NODE]][PATH].split('/'));
    const least = paths.reduce((common, path) => {
        let same = 0;
        while (same < common.length && same < path.length && common[same] === path[same])
            same++;
        return common.slice(0, same);
    });
    return least.join('/');
}

/* The options that say the same place. */
function chosenPlace() {
    const part = subject();
    if (part < 0)
        return chosen.range === null ? placeOf(shown) : placeOptions(regionSlices(), chosen.node);
    const one = data.levels[0].shown[part];
    if (one[PARTS] === 1 && !data.coarse)
        return [...placeOf(shown), ['p', currentP()], ['part', String(one[NUMBER])]];
    return placeOptions([one[FIRST], one[LAST] + 1], pathsOfChosen());
}

/* The same as a window and resources, for what knows no parts. */
function windowOfChosen() {
    const options = chosenPlace();
    return options.some(([name]) => name === 'part') ? placeOptions(chosenSlices(), pathsOfChosen())
                                                     : options;
}

/* The rows of what is chosen, from the first to the last. */
function rowsOfChosen() {
    const part = subject() < 0 ? undefined : data.levels[0].shown[subject()];
    return part === undefined      ? rowsOf(chosen.node)
        : part.row === undefined ? rowsOf(data.nodes[part[NODE]][PATH])
                                 : [part.row, part.row + part[LEAVES] - 1];
}

function pathsOfChosen() {
    return pathsOfRows(rowsOfChosen());
}

/* The largest resources whose rows are all among these, '' for all that are shown: like siblings
 * that are drawn together have no path of their own. */
function pathsOfRows([top, bottom]) {
    if (top <= data.row && bottom >= data.row + data.leaves - 1)
        return '';
    const inside = nodesToChoose().filter(
        node => node[ROW] >= top && node[ROW] + node[ROWS] <= bottom + 1);
    inside.sort((a, b) => a[ROW] - b[ROW] || b[ROWS] - a[ROWS] || a[PATH].length - b[PATH].length);
    let next = -1;
    return inside.filter(node => {
        const largest = node[ROW] >= next;
        next = largest ? node[ROW] + node[ROWS] : next;
        return largest;
    }).map(node => node[PATH]);
}

/* A window beyond what is shown; what is beyond the trace is cut off by the program. */
function widerOptions(first, end) {
    const kept = placeOptions(null, '').filter(([name]) => name !== 'from' && name !== 'to');
    if (extent !== null && secondsAt(first) <= extent[0] && secondsAt(end) >= extent[1])
        return kept;
    return [...kept, ['from', instantAt(first)], ['to', instantAt(end, true)]];
}

/* From when to when the trace goes, once it was seen without a window. */
let extent = null;

function noteExtent() {
    if (data.instants.length > 0 &&
        !shown.some(([name]) => ['from', 'to', 'part'].includes(name)))
        extent = [data.instants[0], data.instants.at(-1)].map(Number);
}

/* How far a window can go, in slices; without end where the whole trace was not seen yet. */
page.room = () => {
    return extent === null
        ? [-Infinity, Infinity]
        : extent.map((instant, i) => i * (data.instants.length - 1) + (instant -
            data.instants.at(-i)) / (endOf(1, 2) - data.instants[0]));
};

/* The innermost resource that has all that is shown below it. */
page.root = () => nodesToChoose()
    .filter(node => node[ROW] <= data.row && node[ROW] + node[ROWS] >= data.row + data.leaves)
    .reduce((found, node) => node[PATH].length > found.length ? node[PATH] : found, '');
page.zoom = (slices, path) => show(placeOptions(slices, path), 'push');
page.whole = () => show(withoutPlace(), 'push');
page.below = path => {
    const kept = placeOptions(null, '').filter(([name]) => name !== 'resource');
    show(path === '' ? kept : [...kept, ['resource', spell(path)]], 'push');
};

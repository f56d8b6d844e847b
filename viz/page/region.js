/* What is selected of the plot: whole slices, and the resources below one node. Rows are leaves in
 * the order of drawing; a node has those from its first one on. */

const PATH = 0, ROWS = 1, ROW = 2, ALIKE = 3; /* of a node */

/* Groups of like siblings have no path of their own. */
function nodesToChoose() {
    return data.nodes.filter(node => !node[ALIKE]);
}

function rowAt(y) {
    const [, top, , height] = data.levels[chosen.level].frame;
    return data.row +
        Math.max(0, Math.min(data.leaves - 1, Math.floor((y - top) / height * data.leaves)));
}

function yOf(row) {
    const [, top, , height] = data.levels[chosen.level].frame;
    return top + Math.max(0, Math.min(1, (row - data.row) / data.leaves)) * height;
}

/* The path of the least node that has both rows, '' for all that is shown. */
function leastNode(one, other) {
    const first = Math.min(one, other), last = Math.max(one, other);
    let least = null;
    for (const node of nodesToChoose())
        if (node[ROW] <= first && last < node[ROW] + node[ROWS] && node[ROWS] < data.leaves &&
            (least === null || node[ROWS] < least[ROWS]))
            least = node;
    return least === null ? '' : least[PATH];
}

function nodeOf(path) {
    return nodesToChoose().find(node => node[PATH] === path);
}

/* The first and the last row below a path, all that are shown for ''. */
function rowsOf(path) {
    const node = path === '' ? undefined : nodeOf(path);
    if (node === undefined)
        return [data.row, data.row + data.leaves - 1];
    return [node[ROW], node[ROW] + node[ROWS] - 1];
}

/* The selection in the picture's own pixels. */
function regionBox() {
    const [first, last] =
        chosen.free !== null ? [chosen.free[0], chosen.free[1] - 1] : chosen.range;
    const [top, bottom] = rowsOf(chosen.node);
    const x = xOf(first), y = yOf(top);
    return {x, y, width: xOf(last + 1) - x, height: yOf(bottom + 1) - y};
}

/* What is outside of the selection stands back. */
function showRange(overlay) {
    const [left, top, width, height] = data.levels[chosen.level].frame;
    const box = regionBox();
    const right = box.x + box.width, bottom = box.y + box.height;
    for (const one of [{x: left, y: top, width: box.x - left, height},
        {x: right, y: top, width: left + width - right, height},
        {x: box.x, y: top, width: box.width, height: box.y - top},
        {x: box.x, y: bottom, width: box.width, height: top + height - bottom}])
        if (one.width > 0.5 && one.height > 0.5)
            addBox(overlay, 'outside', one);
    addBox(overlay, 'under', box);
    addBox(overlay, 'range', box);
}

/* Shares of types in the selection: of all resources by the sums of slices, else by the parts that
 * it touches, each of which is taken for the same all over. */
function sharesOfRegion() {
    const [first, last] =
        chosen.range === null ? [data.first, data.first + data.count - 1] : chosen.range;
    if (chosen.node === '' && !data.below)
        return sharesBetween(first, last);
    const [top, bottom] = rowsOf(chosen.node);
    const sums = data.types.map((type, index) => [index, 0]);
    boxes().forEach((box, index) => {
        const part = data.levels[chosen.level].shown[index];
        if (box === undefined || part === undefined || part[LAST] < first || part[FIRST] > last)
            return;
        const rows = Math.min(yOf(bottom + 1), box.y + box.height) - Math.max(yOf(top), box.y);
        const cells =
            Math.max(0, rows) * (Math.min(last, part[LAST]) - Math.max(first, part[FIRST]) + 1);
        for (let i = 0; i < part[SHARES].length; i += 2)
            sums[part[SHARES][i]][1] += cells * part[SHARES][i + 1];
    });
    const whole = (yOf(bottom + 1) - yOf(top)) * (last - first + 1);
    return sorted(sums.map(([type, sum]) => [type, data.shares ? sum / whole : sum]));
}

/* The edge of the selection below a place: its name, '' for none. */
function edgeAt(place) {
    if (chosen.range === null)
        return '';
    const box = regionBox();
    const near = (one, other) => Math.abs(one - other) <= EDGE;
    const inside = (value, from, length) => value >= from - EDGE && value <= from + length + EDGE;
    if (inside(place.y, box.y, box.height)) {
        if (near(place.x, box.x))
            return 'left';
        if (near(place.x, box.x + box.width))
            return 'right';
    }
    if (inside(place.x, box.x, box.width)) {
        if (near(place.y, box.y))
            return 'top';
        if (near(place.y, box.y + box.height))
            return 'bottom';
    }
    return '';
}

const EDGE = 5; /* of the picture's pixels around an edge, that take it */

function isInRegion(place) {
    if (chosen.range === null)
        return false;
    const box = regionBox();
    return place.x >= box.x && place.x <= box.x + box.width && place.y >= box.y &&
        place.y <= box.y + box.height;
}

function describeRegion() {
    return (chosen.node === '' ? nameOfAll() : chosen.node) + ', ' + when(...chosen.range);
}

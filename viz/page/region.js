/* What is selected of the plot: whole slices, and the resources below one node. Rows are leaves in
 * the order of drawing; a node has those from its first one on. */

const PATH = 0, ROWS = 1, ROW = 2, ALIKE = 3; /* of a node */

/* Groups of like siblings have no path of their own. */
function nodesToChoose() {
    return data.nodes.filter(node => !node[ALIKE]);
}

/* The least number from one on that something holds for; of none the number after the last. */
function leastOf(low, high, holds) {
    while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (holds(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The folds of rows from one on, as oc_row_nodes_place_folds places them: the first row, their
 * number, and where it begins and how high it is, in plain rows. */
function placeFolds(row, leaves) {
    const folds = data.folds.filter(([first]) => first >= row && first < row + leaves);
    const most = Math.min(1 / 40, 1 / 4 / folds.length);
    const shares = folds.map(([, rows]) => Math.min(most, rows / leaves));
    const left = shares.reduce((rest, share) => rest - share, 1);
    const kept = folds.reduce((rest, [, rows]) => rest - rows, leaves);
    let less = 0;
    return kept <= 0 ? [] : folds.map(([first, rows], at) => {
        const height = shares[at] / left * kept, place = first - less;
        less += rows - height;
        return [first, rows, place, height];
    });
}

function foldsOf({row, leaves}) {
    const key = row + ' ' + leaves;
    data.placed = data.placed || new Map();
    if (!data.placed.has(key))
        data.placed.set(key, placeFolds(row, leaves));
    return data.placed.get(key);
}

/* The edge above a row in a view, in plain rows; and the row, or how far in it, at such a place. */
function edgeAbove(row, view) {
    const folds = foldsOf(view), before = leastOf(0, folds.length, at => folds[at][0] >= row);
    if (before === 0)
        return row;
    const [first, rows, place, height] = folds[before - 1];
    const inside = Math.min(row - first, rows);
    return place + height * inside / rows + (row - first - inside);
}

function rowBelow(edge, view) {
    const folds = foldsOf(view), before = leastOf(0, folds.length, at => folds[at][2] >= edge);
    if (before === 0)
        return edge;
    const [first, rows, place, height] = folds[before - 1];
    const inside = Math.min(edge - place, height);
    return first + rows * inside / height + (edge - place - inside);
}

/* Whether one thin row stands for all of these rows. */
function isInFold(row, count) {
    const folds = foldsOf(data), before = leastOf(0, folds.length, at => folds[at][0] > row);
    return before > 0 && row + count <= folds[before - 1][0] + folds[before - 1][1];
}

/* The height of a view in plain rows. */
function heightOf(view) {
    return edgeAbove(view.row + view.leaves, view) - view.row;
}

/* How far down the plot the edge above a row is, from 0 to 1. */
function downTo(row) {
    return Math.max(0, Math.min(1, (edgeAbove(row, data) - data.row) / heightOf(data)));
}

function rowAt(y) {
    const [, top, , height] = data.levels[chosen.level].frame;
    const first = data.row, last = first + data.leaves - 1;
    return leastOf(first, last, row => downTo(row + 1) * height > y - top);
}

function yOf(row) {
    const [, top, , height] = data.levels[chosen.level].frame;
    return top + downTo(row) * height;
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
    const cells = data.shares ? whole : data.rate ? last - first + 1 : 1;
    return sorted(sums.map(([type, sum]) => [type, sum / cells]));
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

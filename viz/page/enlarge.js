/* A part of time and resources of a report, enlarged: the same parts of the same level, cut off at
 * its edges. Time is of whole slices, as nothing finer was prepared. */

/* What all pictures of the report show, with the least node that has it, and these pictures. */
const whole = {first: 0, count: 0, row: 0, leaves: 0, root: '', levels: []};

/* What the report holds of a part, behind what data.js names. */
const PART_ROW = 9, PART_CUT = 10, PART_DENSITY = 11;

function beginEnlarging() {
    const {first, count, row, leaves} = data;
    Object.assign(whole, {first, count, row, leaves, levels: [...levels]});
    data.below = '';
    whole.root = nodesToChoose()
        .map(node => node[ROWS] >= leaves ? node[PATH] : '')
        .reduce((longest, path) => path.length > longest.length ? path : longest, '');
    data.levels.forEach((level, index) => {
        const paper = levels[index].svg.querySelector('rect[width="100%"]').getAttribute('fill');
        Object.assign(level, {row, rows: leaves});
        level.shown.forEach((part, at) => takePart(part, levels[index].elements[at], paper));
    });
}

function takePart(part, element, paper) {
    const of = name => element === undefined
        ? null
        : element.getAttribute(name) || element.parentNode.getAttribute(name);
    part.row = part[PART_ROW];
    part.cut = part[PART_CUT] > 0;
    part.density = part[PART_DENSITY] || 0;
    part.look = [of('fill'), of('fill') === paper ? 0 : Number(of('fill-opacity') || 1)];
}

function isWhole() {
    return data.first === whole.first && data.count === whole.count && data.leaves === whole.leaves;
}

/* Sets which slices are shown, from one to before another, and of what below a path. */
function setView(first, end, path) {
    const node = path === '' ? undefined : data.nodes.find(one => one[PATH] === path);
    const all = node === undefined || node[ROWS] >= whole.leaves;
    const last = whole.first + whole.count - 1;
    data.first = Math.max(whole.first, Math.min(last, Math.floor(first + 1e-9)));
    data.count = Math.max(data.first, Math.min(last, Math.ceil(end - 1e-9) - 1)) - data.first + 1;
    [data.row, data.leaves] = all ? [whole.row, whole.leaves] : [node[ROW], node[ROWS]];
    data.below = all ? '' : path;
}

/* Shows the picture of a level as far as it is in view. */
function placePicture(index) {
    const {plot, lists, svg: original} = whole.levels[index];
    const view = [data.first, data.count, data.row, data.leaves].join(' ');
    if ((levels[index].view || '') === (isWhole() ? '' : view))
        return;
    const svg = isWhole() ? original : original.cloneNode(true);
    releaseLetters(svg);
    plot.replaceChildren(svg);
    plot.classList.remove('drawn');
    if (isWhole()) {
        levels[index] = whole.levels[index];
        return;
    }
    svg.querySelectorAll('.overlay, [tabindex="0"]')
        .forEach(
            one => one.matches('.overlay') ? one.remove() : one.setAttribute('tabindex', '-1'));
    const found = enlarge(data.levels[index], plot, svg);
    levels[index] = takePicture(Object.assign(found, {view}), plot, lists, svg);
    attachPicture(levels[index]);
}

function enlarge(level, plot, svg) {
    enlargeAxis(svg, level);
    moveWindow(svg);
    if (data.below !== '')
        enlargeHierarchy(svg, level);
    for (const group of svg.querySelectorAll(
             ':scope > :is(.columns, .marks, .merged, .lifetimes, .notes)'))
        enlargeBoxes(group, level);
    for (const group of svg.querySelectorAll(':scope > .steps'))
        enlargeBoxes(group, level, false);
    for (const group of svg.querySelectorAll(':scope > .breaks'))
        moveBreaks(group, level);
    if (svg.querySelector(':scope > .columns') !== null)
        return findElements(svg);
    for (const group of svg.querySelectorAll(':scope > .parts, :scope > .borders, :scope > .edges'))
        group.remove();
    return drawnPicture(level, plot, svg);
}

/* --- What else is in the plot: boxes and lines, by their pixels */

/* Where in what is shown a slice or a row is that was at a place of the whole, both 0 to 1. */
function moveAcross(place) {
    return (whole.first + place * whole.count - data.first) / data.count;
}

function moveDown(place) {
    const row = rowBelow(whole.row + place * heightOf(whole), whole);
    return (edgeAbove(row, data) - data.row) / heightOf(data);
}

/* From and to which pixel something is seen that went from one to another; null where it is not. A
 * line of one pixel is at the end of what it belongs to. */
function enlargeSpan(from, to, begin, size, move) {
    const place = pixel => Math.max(begin,
        Math.min(begin + size, Math.round(begin + move((pixel - begin) / size) * size)));
    const end = place(to), start = to - from === 1 ? end - 1 : place(from);
    return end > start && end > begin ? [start, end - start] : null;
}

/* Boxes above the plot move across alone. */
function enlargeBoxes(group, {frame: [left, top, width, height]}, moves = true) {
    for (const box of group.querySelectorAll('rect')) {
        const of = name => Number(box.getAttribute(name));
        const across = enlargeSpan(of('x'), of('x') + of('width'), left, width, moveAcross);
        const down = moves
            ? enlargeSpan(of('y'), of('y') + of('height'), top, height, moveDown)
            : [of('y'), of('height')];
        if (across === null || down === null) {
            box.remove();
            continue;
        }
        const places = {x: across[0], width: across[1], y: down[0], height: down[1]};
        for (const name of ['x', 'width', 'y', 'height'])
            box.setAttribute(name, places[name]);
    }
    for (const sign of group.querySelectorAll('line, path, polygon, text'))
        moveSign(sign, [left, top, width, height], moves);
}

/* A gap and the two strokes below it are together. */
function moveBreaks(group, {frame: [left, , width]}) {
    let moved = null;
    group.querySelectorAll('line').forEach((line, at) => {
        const x = Number(line.getAttribute('x1'));
        if (at % 3 === 0) {
            const across = enlargeSpan(x - 1, x + 1, left, width, moveAcross);
            moved = across === null ? null : across[0] + across[1] / 2 - x;
        }
        if (moved === null)
            line.remove();
        else
            line.setAttribute('transform', 'translate(' + moved + ' 0)');
    });
}

/* Signs keep their size. */
function moveSign(sign, [left, top, width, height], moves) {
    const box = sign.getBBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const across = enlargeSpan(x - 1, x + 1, left, width, moveAcross),
          down = moves ? enlargeSpan(y - 1, y + 1, top, height, moveDown) : [y, 0];
    if (across === null || down === null)
        sign.remove();
    else
        sign.setAttribute('transform',
            'translate(' + (across[0] + across[1] / 2 - x) + ' ' + (down[0] + down[1] / 2 - y) +
                ')');
}

/* --- The axis: at edges of slices, whose times the report has */

function enlargeAxis(svg, {frame: [left, , width]}) {
    const axis = svg.querySelector(':scope > .axis');
    const [, tick] = axis.querySelectorAll('line'), [label] = axis.querySelectorAll('text');
    if (tick === undefined || label === undefined)
        return;
    const names = [...Array(data.count + 1).keys()].map(
        at => data.edges[data.first + at] || String(data.first + at));
    const apart = (Math.max(...names.map(widthOf)) + 18) / stretchOf(svg)[0];
    const step =
        [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(one => one * width / data.count >= apart) ||
        data.count;
    [...axis.children].slice(1).forEach(one => one.remove());
    for (let at = 0; at <= data.count; at += step) {
        const x = Math.floor(left + at / data.count * width) - (at === data.count ? 1 : 0) + 0.5;
        const mark = tick.cloneNode(), text = label.cloneNode();
        mark.setAttribute('x1', x);
        mark.setAttribute('x2', x);
        text.setAttribute('x', x);
        text.textContent = names[at];
        axis.append(mark);
        if (x + widthOf(names[at]) / 2 <= svg.viewBox.baseVal.width)
            axis.append(text);
    }
}

const lettering = make('canvas').getContext('2d');

function widthOf(text) {
    lettering.font = '11px Helvetica, Arial, "DejaVu Sans", sans-serif';
    return lettering.measureText(text).width;
}

/* The window in the strip of the whole trace becomes what is shown of it. */
function moveWindow(svg) {
    const group = svg.querySelector(':scope > .whole > .window');
    if (group === null)
        return;
    const {x, y, width, height} = group.querySelector('polygon').getBBox(),
                        slice = width / whole.count;
    const left = x + (data.first - whole.first) * slice, across = Math.max(2, data.count * slice);
    const corners =
        [[left, y], [left + across, y], [left + across, y + height], [left, y + height]];
    for (const frame of group.querySelectorAll('polygon'))
        frame.setAttribute('points', corners.join(' '));
    group.querySelectorAll('line').forEach(
        (line, at) => line.setAttribute('x1', left + at * across));
}

/* --- The hierarchy: the same columns, from below what is shown on */

function enlargeHierarchy(svg, {frame: [, top, , height]}) {
    const group = svg.querySelector(':scope > .hierarchy'), box = group?.querySelector('rect'),
          label = group?.querySelector('text');
    if (!box || !label)
        return;
    const columns = [
        ...new Map([...group.querySelectorAll('rect')].map(
            one => [Number(one.getAttribute('x')), Number(one.getAttribute('width'))]))
    ].sort((a, b) => a[0] - b[0]);
    const depth = path => path.split('/').length, least = depth(data.below) + 1;
    const place = row => top + Math.round(downTo(row) * height);
    group.replaceChildren();
    for (const node of nodesToChoose()) {
        const column = columns[depth(node[PATH]) - least];
        const y = place(node[ROW]), high = place(node[ROW] + node[ROWS]) - y - 1;
        if (node[PATH] !== '' && column !== undefined && node[ROW] < data.row + data.leaves &&
            node[ROW] + node[ROWS] > data.row && high > 1)
            addNode(group, node[PATH], box.cloneNode(), label.cloneNode(),
                {x: column[0], width: column[1], y, height: high});
    }
}

function addNode(group, path, box, label, place) {
    const title = document.createElementNS(group.namespaceURI, 'title');
    for (const side of ['x', 'y', 'width', 'height'])
        box.setAttribute(side, place[side]);
    title.textContent = path;
    box.append(title);
    label.textContent = label.dataset.full = path.slice(path.lastIndexOf('/') + 1);
    group.append(box, label);
}

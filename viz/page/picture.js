/* The pictures: where their parts are, and what marks a choice in them. */

function makeOverlay(svg) {
    const overlay = document.createElementNS(svg.namespaceURI, 'g');
    overlay.setAttribute('class', 'overlay');
    overlay.setAttribute('pointer-events', 'none');
    svg.appendChild(overlay);
    return overlay;
}

function addBox(overlay, className, box) {
    const rectangle = document.createElementNS(overlay.namespaceURI, 'rect');
    rectangle.setAttribute('class', className);
    rectangle.setAttribute('x', box.x);
    rectangle.setAttribute('y', box.y);
    rectangle.setAttribute('width', Math.max(1, box.width));
    rectangle.setAttribute('height', Math.max(1, box.height));
    overlay.appendChild(rectangle);
}

/* Each level: its picture, what else is of it, and an element for each of its parts, or, where the
 * page draws them, for the one that is looked for: elementOf(part) makes it that of a part,
 * peek(part) gives it only if it is. */
let levels = [];

function findElements(svg) {
    const elements = [];
    for (const element of svg.querySelectorAll('[data-part]')) {
        const part = Number(element.dataset.part) - 1;
        if (elements[part] === undefined)
            elements[part] = element;
    }
    return {elements, boxes: null, elementOf: part => elements[part], peek: part => elements[part]};
}

function findPictures() {
    levels = data.levels.map((level, index) => {
        const [plot, ...lists] = document.querySelectorAll('[data-level="' + index + '"]');
        const svg = plot.querySelector('svg');
        return takePicture(page.draw(level, plot, svg) || findElements(svg), plot, lists, svg);
    });
}

function takePicture(found, plot, lists, svg) {
    Object.assign(found, {plot, lists, svg, overlay: makeOverlay(svg)});
    if (found.redraw !== undefined)
        found.redraw();
    return found;
}

/* The curves of all levels: their picture, and what marks a level in it. */
const curves = {svg: null, overlay: null, frame: null};

function findCurves(frame) {
    curves.svg = document.querySelector('#curves svg');
    curves.overlay = makeOverlay(curves.svg);
    curves.frame = frame;
}

function current() {
    return levels[chosen.level];
}

/* Places of parts, known once the picture is seen. */
function boxes() {
    const level = current();
    if (level.boxes === null)
        level.boxes = level.elements.map(element => element.getBBox());
    return level.boxes;
}

/* While the window moves, what is beyond the plot is at its edge. */
function xOf(slice) {
    const [left, , width] = data.levels[chosen.level].frame, [first, end] = page.window();
    return left + Math.max(0, Math.min(1, (slice - first) / (end - first))) * width;
}

/* The outline lies within a part, as far as the part is large enough. */
function outline(box) {
    const across = Math.min(1, box.width / 8), down = Math.min(1, box.height / 8);
    return {
        x: box.x + across,
        y: box.y + down,
        width: box.width - 2 * across,
        height: box.height - 2 * down
    };
}

function showMarks() {
    const overlay = current().overlay;
    overlay.replaceChildren();
    if (chosen.range !== null)
        showRange(overlay);
    for (const mark of page.marks)
        mark(overlay);
    for (const [part, className] of [[chosen.part, 'selected'], [chosen.focused, 'focused']]) {
        if (boxes()[part] === undefined)
            continue;
        addBox(overlay, 'under', outline(boxes()[part]));
        addBox(overlay, className, outline(boxes()[part]));
    }
}

function showCurvesMark() {
    const level = data.levels[chosen.level];
    if (curves.svg === null)
        return;
    const [left, top, width, height] = curves.frame;
    curves.overlay.replaceChildren();
    addBox(curves.overlay, 'plateau', {x: left + level.from * width, y: top,
        width: (level.to - level.from) * width, height});
    const line = document.createElementNS(curves.overlay.namespaceURI, 'line');
    line.setAttribute('class', 'mark');
    for (const [name, value] of [['x1', left + level.p * width], ['x2', left + level.p * width],
             ['y1', top], ['y2', top + height]])
        line.setAttribute(name, value);
    curves.overlay.appendChild(line);
}

/* The part at a place of the current picture, -1 for none. */
function partAt(x, y) {
    return boxes().findIndex(box => box !== undefined && x >= box.x && x <= box.x + box.width &&
            y >= box.y && y <= box.y + box.height);
}

/* The part below a pointer, -1 for none. */
function partUnder(event) {
    const element = event.target.closest('[data-part]');
    if (current().canvas === undefined)
        return element === null ? -1 : Number(element.dataset.part) - 1;
    const place = placeIn(current().svg, event);
    return partAt(place.x, place.y);
}

/* The nearest part at one side: beside, rather than askew. */
function neighbour(part, across, down) {
    const from = boxes()[part];
    let best = -1;
    let least = Infinity;
    boxes().forEach((box, index) => {
        if (box === undefined)
            return;
        const right = box.x - (from.x + from.width), left = from.x - (box.x + box.width);
        const below = box.y - (from.y + from.height), above = from.y - (box.y + box.height);
        const ahead = across > 0 ? right : across < 0 ? left : down > 0 ? below : above;
        const aside = Math.max(0, across !== 0 ? Math.max(below, above) : Math.max(left, right));
        const askew = Math.abs(across !== 0 ? box.y - from.y : box.x - from.x);
        const distance = Math.max(0, ahead) + 4 * aside + askew / 1000;
        if (index !== part && ahead >= -2 && distance < least) {
            least = distance;
            best = index;
        }
    });
    return best;
}

/* The place of a pointer in the picture's own pixels. */
function placeIn(svg, event) {
    const seen = svg.getBoundingClientRect(), {width, height} = svg.viewBox.baseVal;
    return {x: (event.clientX - seen.left) * width / seen.width,
        y: (event.clientY - seen.top) * height / seen.height};
}

function isInPlot(place) {
    const [left, top, width, height] = data.levels[chosen.level].frame;
    return place.x >= left && place.x <= left + width && place.y >= top && place.y <= top + height;
}

/* What a reader does: choices of parts and of regions by pointer and keyboard. */

const slider = document.getElementById('level');

const DRAG = 4; /* pixels that a pointer moves before it is dragging */
const ALONG = 8; /* and beside the way that it is dragged, before that counts */

/* Selects slices, and what is below a node; nothing without them. */
function setRange(first, last, node = '') {
    chosen.range = first === undefined ? null : [Math.min(first, last), Math.max(first, last)];
    chosen.node = chosen.range === null ? '' : node;
    chosen.free = null;
    showRegion();
}

/* What was selected is told, and kept. */
function showRegion() {
    if (chosen.range !== null && page.alone)
        dropPart();
    chosen.ranged = true;
    refresh();
    page.remember();
    announce(chosen.range === null ? 'whole time' : 'selected ' + describeRegion());
}

function dropPart() {
    const before = current().peek(chosen.part);
    if (before !== undefined && before.hasAttribute('aria-pressed'))
        before.setAttribute('aria-pressed', 'false');
    chosen.part = -1;
}

function selectPart(part) {
    dropPart();
    chosen.part = part;
    chosen.ranged = false;
    if (part >= 0 && page.alone) {
        chosen.range = chosen.free = null;
        chosen.node = '';
    }
    if (part >= 0)
        makeReachable(part);
    refresh();
    page.remember();
    announce(part >= 0 ? 'selected ' + describePart(part) : 'nothing selected');
}

function clear() {
    chosen.range = chosen.free = null;
    chosen.node = '';
    chosen.focused = -1;
    selectPart(-1);
}

function makeReachable(part) {
    const svg = current().svg;
    const element = current().elementOf(part);
    for (const other of svg.querySelectorAll('[tabindex="0"]'))
        other.setAttribute('tabindex', '-1');
    if (element === undefined)
        return;
    element.setAttribute('tabindex', '0');
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', describePart(part));
    element.setAttribute('aria-pressed', part === chosen.part ? 'true' : 'false');
}

function focusPart(part) {
    const element = current().elementOf(part);
    if (element === undefined)
        return;
    makeReachable(part);
    if (element === document.activeElement) { /* it moved */
        chosen.focused = part;
        refresh();
        announce(describePart(part));
    }
    element.focus({preventScroll: false});
}

/* The part of the picture that has the focus, -1 if none has. */
function focusedPart() {
    const element = document.activeElement?.closest('#plots [data-part]') ?? null;
    return element === null ? -1 : Number(element.dataset.part) - 1;
}

let anchor = -1; /* the part from which a region is selected by keys */

/* Selects all from that part to another one. */
function selectTo(part) {
    const ends = [anchor, part], {shown: parts} = data.levels[chosen.level];
    const rows = ends.map(end => boxes()[end]).flatMap(
        box => [rowAt(box.y + 1), rowAt(box.y + box.height - 1)]);
    setRange(Math.min(...ends.map(end => parts[end][FIRST])),
        Math.max(...ends.map(end => parts[end][LAST])),
        leastNode(Math.min(...rows), Math.max(...rows)));
}

function onPartKey(part, key, extend) {
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (steps[key] !== undefined) {
        const next = neighbour(part, ...steps[key]);
        anchor = extend && boxes()[anchor] !== undefined ? anchor : part;
        if (extend && next >= 0)
            selectTo(next);
        focusPart(next);
        anchor = extend ? anchor : -1;
        return true;
    }
    if (key === 'Enter' && part === chosen.part)
        page.enter(part);
    else if (key === 'Enter' || key === ' ')
        selectPart(part);
    return key === 'Enter' || key === ' ';
}

function onPageKey(key) {
    if (key === 'Escape')
        escape();
    return key === 'Escape';
}

/* Ends what is being done: a drag, then a selection, then what is shown. */
function escape() {
    if (drag !== null) {
        [chosen.range, chosen.free, chosen.node] = drag.before;
        drag = null;
        refresh();
    } else if (chosen.part >= 0 || chosen.range !== null) {
        clear();
    } else {
        page.back();
    }
}

function isTyped(field) {
    return field.matches('textarea, input:not([type=checkbox], [type=radio], [type=range])');
}

/* What is typed into a field is for the field. */
function isInField(event) {
    return event.target instanceof Element &&
        event.target.closest('input:not([type=range]), textarea, select') !== null;
}

document.addEventListener('keydown', event => {
    const arrow = event.key.startsWith('Arrow');
    const part = event.target instanceof Element ? event.target.closest('[data-part]') : null;
    const elsewhere = event.defaultPrevented ||
        (event.target instanceof Element && event.target.closest('dialog') !== null) ||
        (event.key === 'Escape' && document.querySelector(':popover-open') !== null);
    if (isInField(event) || elsewhere || event.ctrlKey || event.metaKey || event.altKey ||
        (arrow && (event.target === slider || (event.shiftKey && part === null))))
        return;
    const done = (part !== null &&
        onPartKey(Number(part.dataset.part) - 1, event.key, event.shiftKey)) ||
        onPageKey(event.key);
    if (done)
        event.preventDefault();
});

/* --- Dragging: over the plot a region, along a row or over the axis a range of time, down a column
 * or over the labels what is below a node */

let drag = null;

function onDown(event) {
    const place = placeIn(current().svg, event);
    const [left, top, width, height] = data.levels[chosen.level].frame;
    const beside = place.x < left && place.y >= top && place.y <= top + height;
    const beyond = place.x >= left && place.x <= left + width && !isInPlot(place) &&
        place.y < top + height + AXIS && place.y > top - AXIS;
    const edge = edgeAt(place);
    if (event.button !== 0 || !(isInPlot(place) || beside || beyond || edge !== ''))
        return;
    if (event.ctrlKey || event.metaKey)
        page.pin();
    drag = {
        x: event.clientX,
        y: event.clientY,
        place,
        edge,
        beside,
        beyond,
        moved: false,
        part: partUnder(event),
        before: [chosen.range, chosen.free, chosen.node]
    };
}

const AXIS = 30; /* of the picture's pixels above and below the plot, over which time is dragged */

/* Slices between two places: whole ones, or with `free` as they are. */
function takeTime(one, other, free) {
    const [left, , width] = data.levels[chosen.level].frame;
    const exact = [one,
        other].map(x => data.first + Math.max(0, Math.min(1, (x - left) / width)) * data.count)
                      .sort((a, b) => a - b);
    const last = data.first + data.count - 1;
    chosen.range = [
        Math.min(last, Math.floor(exact[0])),
        Math.min(last, Math.max(Math.ceil(exact[1] - 1e-9) - 1, Math.floor(exact[0])))
    ];
    chosen.free = free && exact[1] - exact[0] > 0.01 && data.instants !== undefined &&
            data.instants.length > 0
        ? exact
        : null;
}

/* What a drag selects when the pointer is at a place. */
function dragTo(place, free) {
    if (drag.edge !== '') {
        dragEdge(place, free);
        return;
    }
    const along = Math.abs(place.y - drag.place.y) < ALONG,
          down = Math.abs(place.x - drag.place.x) < ALONG;
    takeTime(drag.place.x, place.x, free);
    if (drag.beside || (down && !along))
        takeAllTime();
    chosen.node = drag.beyond || (along && !drag.beside)
        ? ''
        : leastNode(rowAt(drag.place.y), rowAt(place.y));
}

function takeAllTime() {
    chosen.range = [data.first, data.first + data.count - 1];
    chosen.free = null;
}

function dragEdge(place, free) {
    const [range, exact, node] = drag.before;
    const [first, end] = exact !== null ? exact : [range[0], range[1] + 1];
    const [top, bottom] = rowsOf(node);
    const inside = 1e-6; /* an edge between two slices belongs to those that are selected */
    if (drag.edge === 'left')
        takeTime(place.x, xOf(end) - inside, free);
    else if (drag.edge === 'right')
        takeTime(xOf(first) + inside, place.x, free);
    else
        chosen.node = drag.edge === 'top' ? leastNode(rowAt(place.y), bottom)
                                          : leastNode(top, rowAt(place.y));
}

const CURSORS = {
    left: 'ew-resize',
    right: 'ew-resize',
    top: 'ns-resize',
    bottom: 'ns-resize',
    '': ''
};

window.addEventListener('pointermove', event => {
    if (drag === null) {
        const level = levels[chosen.level];
        if (level !== undefined && level.svg.contains(event.target))
            level.svg.style.cursor = CURSORS[edgeAt(placeIn(level.svg, event))];
        return;
    }
    if (!drag.moved && Math.abs(event.clientX - drag.x) < DRAG &&
        Math.abs(event.clientY - drag.y) < DRAG)
        return;
    drag.moved = true;
    dragTo(placeIn(current().svg, event), event.altKey);
    refresh();
});

window.addEventListener('pointerup', event => {
    if (drag === null)
        return;
    const {moved, part, beside, place} = drag;
    if (moved)
        dragTo(placeIn(current().svg, event), event.altKey);
    drag = null;
    if (moved)
        showRegion();
    else if (beside)
        setRange(data.first, data.first + data.count - 1, labelAt(place));
    else
        pressPart(part, place);
});

/* The path of the label at a place, whose box has it as its title. */
function labelAt(place) {
    const boxes = [...current().svg.querySelectorAll('rect > title')]
                      .map(title => title.parentNode)
                      .filter(box => {
                          const {x, y, width, height} = box.getBBox();
                          return place.x >= x && place.x <= x + width && place.y >= y &&
                              place.y <= y + height;
                      });
    const path = boxes.length > 0 ? boxes[0].textContent : '';
    return nodeOf(path) !== undefined ? path : leastNode(rowAt(place.y), rowAt(place.y));
}

/* A press within a region selects a part; pressed twice it is the region that is meant. */
let pressed = null;

function pressPart(part, place) {
    if (isInRegion(place))
        pressed = [chosen.range, chosen.free, chosen.node];
    selectPart(part);
}

window.addEventListener('mousedown', event => {
    if (event.detail === 1)
        pressed = null;
}, {capture: true});

/* Selects the region again that the first of two presses gave up; false: it was none. */
function takeRegionBack() {
    if (pressed === null)
        return false;
    dropPart();
    [chosen.range, chosen.free, chosen.node] = pressed;
    pressed = null;
    return true;
}

window.addEventListener('pointercancel', () => { drag = null; });

/* Lets a picture be used, once it is there. */
function attachPicture({svg}) {
    svg.addEventListener('pointerdown', onDown);
    svg.addEventListener('focusin', event => {
        const part = event.target.closest('[data-part]');
        if (part === null || !part.matches(':focus-visible'))
            return;
        chosen.focused = Number(part.dataset.part) - 1;
        refresh();
    });
    svg.addEventListener('focusout', () => {
        chosen.focused = -1;
        refresh();
    });
}

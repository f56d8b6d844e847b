/* What a reader does: choices of parts and ranges by pointer and keyboard. */

const slider = document.getElementById('level');

const DRAG = 4; /* pixels that a pointer moves before it is dragging */

function setRange(first, last) {
    chosen.range = first === undefined ? null : [Math.min(first, last), Math.max(first, last)];
    refresh();
    page.remember();
    announce(chosen.range === null ? 'whole time' : 'range of time ' + when(...chosen.range));
}

function selectPart(part) {
    const before = current().elements[chosen.part];
    if (before !== undefined && before.hasAttribute('aria-pressed'))
        before.setAttribute('aria-pressed', 'false');
    chosen.part = part;
    if (part >= 0)
        makeReachable(part);
    refresh();
    page.remember();
    announce(part >= 0 ? 'selected ' + describePart(part) : 'nothing selected');
}

function clear() {
    chosen.range = null;
    chosen.focused = -1;
    selectPart(-1);
}

function makeReachable(part) {
    const svg = current().svg;
    const element = current().elements[part];
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
    if (current().elements[part] === undefined)
        return;
    makeReachable(part);
    current().elements[part].focus({preventScroll: false});
}

function onPartKey(part, key) {
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (steps[key] !== undefined) {
        focusPart(neighbour(part, ...steps[key]));
        return true;
    }
    if (key === 'Enter' || key === ' ')
        selectPart(part);
    return key === 'Enter' || key === ' ';
}

function onPageKey(key) {
    const steps = {ArrowLeft: -1, ArrowRight: 1, '+': -1, '=': -1, '-': 1, '−': 1};
    if (steps[key] !== undefined)
        page.step(steps[key]);
    else if (key === 'Escape')
        clear();
    return steps[key] !== undefined || key === 'Escape';
}

/* What is typed into a field is for the field. */
function isInField(event) {
    return event.target instanceof Element && event.target.closest('input:not([type=range]), textarea, select') !== null;
}

document.addEventListener('keydown', event => {
    const arrow = event.key.startsWith('Arrow');
    const part = event.target instanceof Element ? event.target.closest('[data-part]') : null;
    if (isInField(event) || event.ctrlKey || event.metaKey || event.altKey || (event.target === slider && arrow))
        return;
    const done = (part !== null && onPartKey(Number(part.dataset.part) - 1, event.key)) || onPageKey(event.key);
    if (done)
        event.preventDefault();
});

let drag = null;

function onDown(event) {
    const place = placeIn(current().svg, event);
    if (event.button !== 0 || !isInPlot(place))
        return;
    const part = event.target.closest('[data-part]');
    drag = {x: event.clientX, slice: sliceAt(place.x), moved: false, part: part ? Number(part.dataset.part) - 1 : -1};
}

window.addEventListener('pointermove', event => {
    if (drag === null || (!drag.moved && Math.abs(event.clientX - drag.x) < DRAG))
        return;
    drag.moved = true;
    const slice = sliceAt(placeIn(current().svg, event).x);
    chosen.range = [Math.min(drag.slice, slice), Math.max(drag.slice, slice)];
    refresh();
});

window.addEventListener('pointerup', event => {
    if (drag === null)
        return;
    const {moved, slice, part} = drag;
    drag = null;
    if (moved)
        setRange(slice, sliceAt(placeIn(current().svg, event).x));
    else
        selectPart(part);
});

window.addEventListener('pointercancel', () => { drag = null; });

/* Lets the pictures be used, once they are found. */
function attachPictures() {
    for (const level of levels) {
        level.svg.addEventListener('pointerdown', onDown);
        level.svg.addEventListener('focusin', event => {
            const part = event.target.closest('[data-part]');
            if (part === null || !part.matches(':focus-visible'))
                return;
            chosen.focused = Number(part.dataset.part) - 1;
            refresh();
        });
        level.svg.addEventListener('focusout', () => {
            chosen.focused = -1;
            refresh();
        });
    }
}

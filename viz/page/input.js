/* What a reader does: choices by pointer, keyboard, slider and address. */

const slider = document.getElementById('level');

const DRAG = 4; /* pixels that a pointer moves before it is dragging */

function setLevel(index) {
    index = Math.max(0, Math.min(levels.length - 1, index));
    if (index === chosen.level)
        return;
    const before = chosen.level >= 0 ? data.levels[chosen.level].shown[chosen.part] : undefined;
    const place = chosen.focused >= 0 ? boxes()[chosen.focused] : null;
    chosen.focused = -1;
    chosen.part = samePart(before, index);
    chosen.level = index;
    levels.forEach((level, at) => { level.plot.hidden = level.list.hidden = at !== index; });
    slider.value = index;
    slider.setAttribute('aria-valuetext', describeLevel(index));
    document.getElementById('which').textContent = describeLevel(index);
    document.getElementById('finer').disabled = index === 0;
    document.getElementById('coarser').disabled = index === levels.length - 1;
    makeReachable(Math.max(0, chosen.part));
    showCurvesMark();
    refresh();
    remember();
    if (place !== null)
        focusPart(Math.max(0, partAt(place.x + place.width / 2, place.y + place.height / 2)));
}

function setRange(first, last) {
    chosen.range = first === undefined ? null : [Math.min(first, last), Math.max(first, last)];
    refresh();
    remember();
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
    remember();
    announce(part >= 0 ? 'selected ' + describePart(part) : 'nothing selected');
}

function clear() {
    chosen.range = null;
    chosen.focused = -1;
    selectPart(-1);
}

const address = {silent: true, sliding: false};

function hashOf() {
    const level = data.levels[chosen.level];
    const words = ['p=' + level.p];
    if (chosen.part >= 0)
        words.push('part=' + level.shown[chosen.part][NUMBER]);
    if (chosen.range !== null)
        words.push('slices=' + chosen.range.join('-'));
    return '#' + words.join('&');
}

/* What is shown becomes the address; while the slider moves, only the last of it goes into the history. */
function remember() {
    const hash = hashOf();
    document.getElementById('link').href = hash;
    if (address.silent || hash === location.hash)
        return;
    if (address.sliding)
        history.replaceState(null, '', hash);
    else
        history.pushState(null, '', hash);
}

/* Shows what an address says; what it does not say, and what there is not, is as at the beginning. */
function follow(hash) {
    const words = new URLSearchParams(hash.replace(/^#/, ''));
    const p = words.has('p') ? Number(words.get('p')) : NaN;
    const slices = /^(\d+)-(\d+)$/.exec(words.get('slices') || '');
    const part = /^\d+$/.test(words.get('part') || '') ? Number(words.get('part')) : -1;
    const last = data.first + data.count - 1;
    address.silent = true;
    setLevel(p >= 0 && p <= 1 ? levelAt(p) : data.start);
    chosen.range = slices === null || Number(slices[1]) < data.first || Number(slices[2]) > last ||
        Number(slices[1]) > Number(slices[2]) ? null : [Number(slices[1]), Number(slices[2])];
    chosen.focused = -1;
    selectPart(data.levels[chosen.level].shown.findIndex(one => one[NUMBER] === part));
    if (chosen.part >= 0)
        current().elements[chosen.part].scrollIntoView({block: 'nearest', inline: 'nearest'});
    address.silent = false;
}

window.addEventListener('popstate', () => follow(location.hash));

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
        setLevel(chosen.level + steps[key]);
    else if (key === 'Escape')
        clear();
    return steps[key] !== undefined || key === 'Escape';
}

document.addEventListener('keydown', event => {
    const arrow = event.key.startsWith('Arrow');
    const part = event.target instanceof Element ? event.target.closest('[data-part]') : null;
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target === slider && arrow))
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

curves.addEventListener('click', event => {
    const [left, , width] = data.curves;
    const p = (placeIn(curves, event).x - left) / width;
    if (p >= 0 && p <= 1)
        setLevel(levelAt(p));
});

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

slider.addEventListener('input', () => {
    setLevel(Number(slider.value));
    address.sliding = true;
});
slider.addEventListener('change', () => { address.sliding = false; });
document.getElementById('finer').addEventListener('click', () => setLevel(chosen.level - 1));
document.getElementById('coarser').addEventListener('click', () => setLevel(chosen.level + 1));
document.querySelector('.controls').hidden = levels.length < 2;
follow(location.hash);

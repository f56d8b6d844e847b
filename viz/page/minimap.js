/* The whole trace above the picture: what its resources do at each moment, and which window of it
 * is shown, which can be dragged. */

const minimap = {
    box: document.getElementById('minimap'),
    brush: document.getElementById('brush'),
    frame: null,
    place: '',
    drag: null
};

const BRUSH_EDGE = 6; /* pixels */

/* Columns of types, one upon the other, as high as their shares of all. */
function drawMinimap() {
    const canvas = minimap.box.querySelector('canvas'), frame = minimap.frame;
    const context = canvas.getContext('2d');
    canvas.width = Math.round(minimap.box.clientWidth * devicePixelRatio);
    canvas.height = Math.round(minimap.box.clientHeight * devicePixelRatio);
    if (frame === null || frame.sums === undefined)
        return;
    const {width, height} = canvas, wide = width / frame.sums.length;
    const totals = frame.sums.map(sums => sums.reduce((all, one) => all + one, 0));
    const most = Math.max(...totals) || 1;
    const colours = frame.types.map(([, colour]) => colourOf(canvas, colour));
    frame.sums.forEach((sums, slice) => {
        let bottom = height;
        sums.forEach((sum, type) => {
            const high = sum / most * height;
            context.fillStyle = colours[type];
            context.fillRect(Math.floor(slice * wide), bottom - high, Math.ceil(wide), high + 1);
            bottom -= high;
        });
    });
}

/* Where a time in seconds is in the whole, from 0 to 1; and back. */
function wholeAt(seconds) {
    const instants = minimap.frame.instants, last = instants.length - 1;
    let slice = leastOf(0, last, at => Number(instants[at + 1]) > seconds);
    slice = Math.min(slice, last - 1);
    const begin = Number(instants[slice]);
    return Math.max(0, Math.min(1,
        (slice + (seconds - begin) / (Number(instants[slice + 1]) - begin)) / last));
}

function secondsOfWhole(place) {
    const instants = minimap.frame.instants, last = instants.length - 1;
    const at = Math.max(0, Math.min(last, place * last));
    const slice = Math.min(Math.floor(at), last - 1);
    return Number(instants[slice]) +
        (at - slice) * (Number(instants[slice + 1]) - Number(instants[slice]));
}

function isWindowed() {
    return minimap.frame !== null && minimap.frame.instants.length > 1 && data !== null;
}

/* The window that is shown, or is moved to, as places of the whole. */
function windowOfWhole() {
    return page.window().map(slice => wholeAt(secondsAt(slice)));
}

function placeBrush() {
    minimap.brush.hidden = !isWindowed();
    if (!isWindowed())
        return;
    const [from, to] = windowOfWhole();
    minimap.brush.style.left = from * 100 + '%';
    minimap.brush.style.width = (to - from) * 100 + '%';
    minimap.brush.setAttribute('aria-valuenow', String(Math.round(50 * (from + to))));
    minimap.brush.setAttribute('aria-valuetext', describeTime());
}

/* Slices of the picture for places of the whole. */
function sliceOf(place) {
    return sliceAt(secondsOfWhole(place));
}

function moveWhole(from, to) {
    const [one, other] = from < to ? [from, to] : [to, from];
    page.move(sliceOf(Math.max(0, one)), sliceOf(Math.min(1, other)));
}

minimap.box.addEventListener('pointerdown', event => {
    if (!isWindowed() || event.button !== 0)
        return;
    const box = minimap.box.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width, edge = BRUSH_EDGE / box.width;
    const [from, to] = windowOfWhole(), all = to - from > 0.999;
    const near = (one, other) => Math.abs(one - other) < edge;
    const how = near(at, from) ? [1, 0] : near(at, to) ? [0, 1]
        : at > from && at < to && !all ? [1, 1] : null;
    minimap.drag = {at, how, window: how === null ? [at, at] : [from, to]};
    minimap.box.setPointerCapture(event.pointerId);
    event.preventDefault();
});

minimap.box.addEventListener('pointermove', event => {
    if (minimap.drag === null)
        return;
    const box = minimap.box.getBoundingClientRect();
    const {at, how, window: [from, to]} = minimap.drag;
    const [one, other] = how || [0, 1];
    let by = (event.clientX - box.left) / box.width - at;
    if (one === 1 && other === 1)
        by = Math.max(-from, Math.min(1 - to, by));
    if (Math.abs(by) > 0.002)
        moveWhole(from + one * by, to + other * by);
});

minimap.box.addEventListener('lostpointercapture', () => { minimap.drag = null; });
minimap.box.addEventListener('dblclick', () => page.whole());

minimap.brush.addEventListener('keydown', event => {
    const by = {ArrowLeft: -0.1, ArrowRight: 0.1, PageUp: -1, PageDown: 1}[event.key];
    if (by === undefined)
        return;
    panTime(by);
    event.preventDefault();
    event.stopPropagation();
});

new ResizeObserver(drawMinimap).observe(minimap.box);

/* Charts of the dock that go over time: their plot has the edges of the picture's, their axis stays
 * above them, and one cursor goes through both. */

const AXIS_APART = 110; /* pixels from one label of an axis to the next, at least */

/* The chart that is shown, null for none; `window` is in slices of the picture. */
let timed = null;

/* The edges of the picture's plot, in whole pixels from the left of the dock. */
function plotEdges() {
    const svg = current().svg, seen = svg.getBoundingClientRect();
    const [left, , width] = data.levels[0].frame, scale = seen.width / svg.viewBox.baseVal.width;
    const from = seen.left + left * scale - panelBox.region.getBoundingClientRect().left;
    return [Math.round(from), Math.round(from + width * scale)];
}

/* A chart over slices; lanes are put into its `lanes`, below each other, and may be more than there
 * is room for. */
function makeTimed(window) {
    const chart = {element: make('div', 'timed'), axis: make('div', 'axis'), window,
        lanes: make('div', 'lanes'), cursor: make('div', 'cursor'), edges: plotEdges()};
    chart.cursor.hidden = true;
    chart.cursor.append(make('span'));
    chart.element.append(chart.axis, chart.lanes, chart.cursor);
    for (const [name, value] of [['--left', chart.edges[0]],
             ['--plot', chart.edges[1] - chart.edges[0]]])
        chart.element.style.setProperty(name, value + 'px');
    chart.element.addEventListener('pointermove', event => {
        const x = event.clientX - panelBox.region.getBoundingClientRect().left;
        const [left, right] = chart.edges, [first, end] = chart.window;
        pointAt(x < left || x > right ? null
                                      : first + (x - left) / (right - left) * (end - first));
    });
    chart.element.addEventListener('pointerleave', () => pointAt(null));
    drawAxis(chart);
    timed = chart;
    return chart;
}

/* A time with as many digits as tell it from others of so long a window (oc_short_end). */
function instantIn(seconds, length) {
    const more = Math.floor(Math.log10(Math.abs(seconds) || length)) -
        Math.floor(Math.log10(length));
    return shortTime(seconds, 3 + Math.max(0, Math.min(12, more)));
}

function drawAxis(chart) {
    const [from, to] = chart.window.map(secondsAt), [left, right] = chart.edges;
    const least = (to - from) / Math.max(1, (right - left) / AXIS_APART);
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].find(one => one * power >= least) * power;
    const [unit, parts] = unitOf(Math.max(Math.abs(from), Math.abs(to)));
    const digits = Math.max(0, -Math.floor(Math.log10(step * parts) + 1e-9));
    const ticks = [];
    for (let at = Math.ceil(from / step); at * step <= to; at++) {
        const tick = make('span', '',
            Number((at * step * parts).toFixed(Math.min(12, digits))) + ' ' + unit);
        tick.style.left = left + (at * step - from) / (to - from) * (right - left) + 'px';
        ticks.push(tick);
    }
    chart.axis.replaceChildren(...ticks);
}

/* --- The cursor: a line at one time in the picture and in the chart */

const cursor = make('div', 'cursor');
cursor.hidden = true;
stage.append(cursor);

function placeCursor(line, x, [left, right]) {
    line.hidden = !(x >= left && x <= right);
    line.style.transform = 'translateX(' + Math.round(x) + 'px)';
}

/* The slice with its fraction that is pointed at, null for none. */
function pointAt(slice) {
    const none = slice === null || data === null || data.instants.length < 2;
    if (timed !== null && timed.element.isConnected) {
        const [first, end] = timed.window, [left, right] = timed.edges;
        placeCursor(timed.cursor,
            none ? NaN : left + (slice - first) / (end - first) * (right - left), timed.edges);
        timed.cursor.firstChild.textContent =
            none ? '' : instantIn(secondsAt(slice), secondsAt(end) - secondsAt(first));
    }
    if (none) {
        cursor.hidden = true;
        return;
    }
    const {svg} = current(), {width, height} = svg.viewBox.baseVal, [first, end] = page.window();
    const [left, top, wide, high] = data.levels[0].frame;
    const across = plots.clientWidth / width, down = plots.clientHeight / height;
    const edges = [left, left + wide].map(edge => plots.offsetLeft + edge * across);
    cursor.style.top = plots.offsetTop + top * down + 'px';
    cursor.style.height = high * down + 'px';
    placeCursor(cursor, edges[0] + (slice - first) / (end - first) * (edges[1] - edges[0]), edges);
}

plots.addEventListener('pointermove', event => {
    if (data === null || current() === undefined)
        return;
    const place = placeIn(current().svg, event), [left, , width] = data.levels[0].frame;
    const [first, end] = page.window();
    pointAt(isInPlot(place) ? first + (place.x - left) / width * (end - first) : null);
});
plots.addEventListener('pointerleave', () => pointAt(null));

/* --- A chart by hand: the wheel zooms, a drag moves, both at once; what stays is asked for */

const SETTLES = 150; /* milliseconds */

/* `show` draws the window that is wanted at once, `settle` asks for it. */
function handleTimed(chart, show, settle) {
    let later = 0, dragged = null;
    const move = (first, end) => {
        const [least, most] = page.room();
        const length = Math.min(Math.max(0.001, end - first), most - least);
        const begin = Math.max(least, Math.min(most - length, (first + end - length) / 2));
        chart.window = [begin, begin + length];
        drawAxis(chart);
        show();
        clearTimeout(later);
        later = setTimeout(settle, SETTLES);
    };
    const scale = (factor, place) => {
        const [first, end] = chart.window, at = first + place * (end - first);
        move(at - (at - first) * factor, at + (end - at) * factor);
    };
    const pan = share => {
        const [first, end] = chart.window, by = share * (end - first);
        move(first + by, end + by);
    };
    chart.lanes.tabIndex = 0;
    chart.lanes.addEventListener('wheel', event => {
        const [left, right] = chart.edges, turned = event.deltaY || event.deltaX;
        if (event.ctrlKey || event.metaKey || turned === 0)
            return;
        event.preventDefault();
        const x = event.clientX - panelBox.region.getBoundingClientRect().left;
        if (event.shiftKey || x < left)
            chart.lanes.scrollTop += turned;
        else
            scale(Math.exp(Math.max(-120, Math.min(120, turned)) / 400),
                Math.min(1, (x - left) / (right - left)));
    }, {passive: false});
    chart.lanes.addEventListener('pointerdown', event => {
        if (event.button === 0)
            dragged = {x: event.clientX, y: event.clientY, window: chart.window,
                top: chart.lanes.scrollTop};
    });
    chart.lanes.addEventListener('pointermove', event => {
        if (dragged === null || event.buttons === 0) {
            dragged = null;
            return;
        }
        const by = dragged.x - event.clientX, [left, right] = chart.edges;
        const [first, end] = dragged.window, slices = by / (right - left) * (end - first);
        if (!chart.lanes.hasPointerCapture(event.pointerId) && Math.abs(by) < DRAG &&
            Math.abs(event.clientY - dragged.y) < DRAG)
            return;
        chart.lanes.setPointerCapture(event.pointerId);
        chart.lanes.scrollTop = dragged.top + dragged.y - event.clientY;
        if (by !== 0)
            move(first + slices, end + slices);
    });
    chart.lanes.addEventListener('keydown', event => {
        const act = {ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25), a: () => pan(-0.25),
            d: () => pan(0.25), '+': () => scale(0.7, 0.5), w: () => scale(0.7, 0.5),
            '-': () => scale(1 / 0.7, 0.5), s: () => scale(1 / 0.7, 0.5)}[event.key];
        if (act === undefined || event.ctrlKey || event.metaKey || event.altKey)
            return;
        event.preventDefault();
        event.stopPropagation();
        act();
    });
}

/* --- The room of the dock changes: what was made for another is asked for again */

let fitting = 0;

function fitDock() {
    clearTimeout(fitting);
    fitting = setTimeout(() => {
        if (opened === '' || data === null || panelBox.body.querySelector('svg') === null ||
            roomOfPanel() === panelBox.room)
            return;
        panelBox.content = '';
        fillPanel();
    }, SETTLES);
}

page.filled = () => { panelBox.room = roomOfPanel(); };

/* What pictures in a panel are made for, whether it scrolls or not. */
function roomOfPanel() {
    return JSON.stringify([panelBox.region.offsetWidth, panelBox.region.offsetHeight, plotEdges()]);
}

new ResizeObserver(fitDock).observe(panelBox.region);

/* The picture follows the hand: what is there is transformed in the next frame, a coarse answer
 * follows, then the full one. What moves is a box of the picture: slices, and rows as edgeAbove
 * counts them, from one to another. */

const SETTLES_AFTER = 160, FLIGHT = 200, LEAST_SLICES = 0.02; /* milliseconds; slices */

const motion = {
    box: null, /* what is to be seen; null: what is shown */
    seen: null, /* what is seen while it flies there */
    frame: 0,
    later: 0,
    chasing: false
};

function wholeBox() {
    return [data.first, data.first + data.count, 0, heightOf(data)];
}

/* From which slice to which one the window goes that is seen, or soon will be. */
page.window = () => (motion.box || wholeBox()).slice(0, 2);

/* --- Frames */

/* What is below the parts: the last picture of a wider window, where the rows are the same. */
const backdrop = {canvas: null, time: null, rows: ''};

function rowsKey() {
    return JSON.stringify([data.row, data.leaves, namesOf('resource'), namesOf('fold')]);
}

function timeOfData() {
    return [data.first, data.first + data.count].map(secondsAt);
}

/* Keeps what is drawn, before something else is, for what comes to be seen beside that. */
function keepBackdrop() {
    const canvas = levels[0]?.canvas;
    if (canvas === undefined || data.instants.length === 0 || data.coarse && backdrop.canvas)
        return;
    const time = timeOfData(), known = backdrop.time;
    if (known !== null && backdrop.rows === rowsKey() && known[0] <= time[0] &&
        known[1] >= time[1])
        return;
    Object.assign(backdrop, {canvas: copyCanvas(canvas), time, rows: rowsKey()});
}

/* Moves a canvas that shows one box of the plot to where it is while another is seen. */
function moveCanvas(canvas, [first, end, top, bottom], seen) {
    const across = (end - first) / (seen[1] - seen[0]),
          down = (bottom - top) / (seen[3] - seen[2]);
    const x = (first - seen[0]) / (end - first) * across,
          y = (top - seen[2]) / (bottom - top) * down;
    canvas.style.transform =
        'translate(' + 100 * x + '%, ' + 100 * y + '%) scale(' + across + ', ' + down + ')';
}

/* Ticks and their labels go with time. */
function moveAxis(svg, [first, end]) {
    const [left, , width] = data.levels[0].frame;
    for (const mark of svg.querySelectorAll(':scope > .axis > text, :scope > .axis > line')) {
        const x = Number(mark.getAttribute('x') ?? mark.getAttribute('x1'));
        if (mark.hasAttribute('x2') && mark.getAttribute('x2') !== mark.getAttribute('x1'))
            continue;
        const slice = data.first + (x - left) / width * data.count;
        const to = left + (slice - first) / (end - first) * width;
        mark.setAttribute('transform', 'translate(' + (to - x) + ' 0)');
        mark.setAttribute(
            'visibility', to < left - 1 || to > left + width + 1 ? 'hidden' : 'visible');
    }
}

function drawMotion() {
    const {canvas, svg, plot} = current(), seen = motion.seen || motion.box;
    plot.classList.toggle('moving', seen !== null);
    placeBrush();
    if (canvas === undefined)
        return;
    if (seen === null) {
        canvas.style.transform = '';
        backdrop.canvas?.remove();
        for (const mark of svg.querySelectorAll(':scope > .axis > [transform]')) {
            mark.removeAttribute('transform');
            mark.removeAttribute('visibility');
        }
        showMarks();
        return;
    }
    if (backdrop.canvas !== null && backdrop.rows === rowsKey()) {
        if (backdrop.canvas.parentNode !== canvas.parentNode)
            canvas.before(backdrop.canvas);
        moveCanvas(backdrop.canvas, [...backdrop.time.map(sliceAt), 0, heightOf(data)], seen);
    }
    moveCanvas(canvas, wholeBox(), seen);
    moveAxis(svg, seen);
    showMarks();
    performance.mark('ocelotl transformed');
}

function askFrame() {
    if (motion.frame === 0)
        motion.frame = requestAnimationFrame(() => {
            motion.frame = 0;
            drawMotion();
        });
}

/* Goes there by and by, so that the eye keeps its place. */
function flyTo(box) {
    const from = motion.seen || motion.box || wholeBox(), begun = performance.now();
    motion.box = box;
    if (stillness.matches || box === null) {
        askFrame();
        return;
    }
    const step = now => {
        if (motion.box !== box)
            return;
        const share = Math.min(1, Math.max(0, (now - begun) / FLIGHT));
        const eased = share * (2 - share);
        motion.seen =
            share < 1 ? from.map((edge, at) => edge + eased * (box[at] - edge)) : null;
        drawMotion();
        if (share < 1)
            requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
}

/* Where other options look, as a box of what is shown; null where that is here, or not known. */
function boxOfOptions(options) {
    const last = name => options.findLast(([given]) => given === name)?.[1];
    const paths = options.filter(([name]) => name === 'resource');
    const at = text =>
        /^@[-+0-9.e]+s$/.test(text || '') ? sliceAt(Number(text.slice(1, -1))) : null;
    if (data.instants.length === 0 || last('part') !== undefined || paths.length > 1 ||
        levels[0]?.canvas === undefined)
        return null;
    const first = last('from') === undefined ? extent && sliceAt(extent[0]) : at(last('from')),
          end = last('to') === undefined ? extent && sliceAt(extent[1]) : at(last('to'));
    const path = paths.length > 0 ? paths[0][1].replace(/^@@/, '@') : '';
    const same = JSON.stringify(paths) ===
        JSON.stringify(shown.filter(([name]) => name === 'resource'));
    const node = same ? null : nodeOf(path);
    if (first === null || end === null || !(end > first) || node === undefined)
        return null;
    const rows = node === null
        ? [0, heightOf(data)]
        : [node[ROW], node[ROW] + node[ROWS]].map(row => edgeAbove(row, data) - data.row);
    const box = [first, end, ...rows], here = wholeBox();
    return box.every((edge, at) => Math.abs(edge - here[at]) < 1e-6) ? null : box;
}

/* --- The hand: a window that moves before it is asked for */

/* Another window of time, in slices of what is shown. */
page.move = (first, end) => {
    if (data.instants.length === 0)
        return;
    const middle = (first + end) / 2, half = Math.max(end - first, LEAST_SLICES) / 2;
    motion.seen = null;
    motion.box = [middle - half, middle + half, 0, heightOf(data)];
    askFrame();
    chase();
    clearTimeout(motion.later);
    motion.later = setTimeout(settle, SETTLES_AFTER);
};

function optionsOfWindow() {
    const [first, end] = page.window();
    const inside = first >= data.first && end <= data.first + data.count;
    return inside ? placeOptions([first, end], '') : widerOptions(first, end);
}

/* Something coarse of where the window is now, again and again while it moves. */
async function chase() {
    if (motion.chasing)
        return;
    motion.chasing = true;
    for (let asked = ''; motion.box !== null;) {
        const options = optionsOfWindow(), wanted = coarser(options);
        const turn = ++server.turn;
        if (wanted === null || JSON.stringify(wanted) === asked)
            break;
        asked = JSON.stringify(wanted);
        const view = await getView(wanted, turn).catch(() => null);
        if (view === null || turn !== server.turn || motion.box === null)
            break;
        const box = motion.box.slice(0, 2).map(secondsAt);
        shown = options;
        showView({...view, coarse: true});
        motion.box = [...box.map(sliceAt), 0, heightOf(data)];
        motion.later = setTimeout(settle, SETTLES_AFTER); /* what was shown ended that */
        askFrame();
    }
    motion.chasing = false;
}

function settle() {
    if (motion.box !== null)
        show(optionsOfWindow(), 'push');
}

/* What is shown stands where it belongs. */
function rest() {
    clearTimeout(motion.later);
    motion.box = motion.seen = null;
    if (levels.length > 0)
        drawMotion();
}

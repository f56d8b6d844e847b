/* Zoom by pointer and by keys, and keys in general. Arrows and Enter on parts are in input.js. */

/* How many views of this page come before, so that going back does not leave it. */
function depthOfHistory() {
    return history.state === null ? 0 : history.state.depth;
}

function showDepth() {
    document.getElementById('back').disabled = depthOfHistory() === 0;
}

/* Whether a step back was asked for and is not done yet: a second one might leave the page. */
let backing = false;

function goBack() {
    if (depthOfHistory() === 0 || backing)
        return;
    backing = true;
    history.back();
}

window.addEventListener('popstate', () => { backing = false; });
page.back = goBack;

/* --- Zoom */

/* The slices of the region, from the first to the begin of the one behind the last. */
function regionSlices() {
    return chosen.free !== null ? chosen.free : [chosen.range[0], chosen.range[1] + 1];
}

/* What is looked at, else what was chosen last. */
function zoomIntoChosen() {
    const part = partOfInterest();
    if (part >= 0)
        page.enter(part);
    else if (chosen.range !== null)
        page.zoom(regionSlices(), chosen.node);
}

/* Zooms time by a factor around a place from 0 to 1 of what is shown. */
function scaleTime(factor, place) {
    const [first, end] = page.window(), [least, most] = page.room();
    const at = data.first + place * data.count, slack = 1e-9 * (end - first);
    if (factor < 1 || first > least + slack || end < most - slack)
        page.move(at - (at - first) * factor, at + (end - at) * factor);
}

/* Moves the window by a share of its length, within the trace. */
function panTime(share) {
    const [first, end] = page.window(), [least, most] = page.room();
    const by = Math.max(
        Math.min(0, least - first), Math.min(Math.max(0, most - end), share * (end - first)));
    if (Math.abs(by) > 1e-9 * (end - first))
        page.move(first + by, end + by);
}

/* The resources around those that are shown, or the child that has a row. */
function scaleSpace(inwards, row) {
    const here = page.root();
    const path = inwards ? childAt(here, row) : here.split('/').slice(0, -1).join('/');
    if (path !== here || !inwards)
        page.below(path);
}

function childAt(here, row) {
    const within =
        nodesToChoose().filter(node => node[ROW] <= row && row < node[ROW] + node[ROWS] &&
                node[PATH] !== here && (here === '' || node[PATH].startsWith(here + '/')));
    within.sort((a, b) => b[ROWS] - a[ROWS] || a[PATH].length - b[PATH].length);
    return within.length > 0 ? within[0][PATH] : here;
}

const wheel = {turned: -Infinity};

document.getElementById('plots').addEventListener('wheel', event => {
    if (data === null || event.ctrlKey || event.metaKey)
        return;
    const place = placeIn(current().svg, event);
    const [left, , width] = data.levels[chosen.level].frame;
    const turned = event.deltaY !== 0 ? event.deltaY : event.deltaX;
    if (!isInPlot(place) || turned === 0)
        return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.shiftKey)
        panTime(event.deltaX / width);
    else if (!event.shiftKey)
        scaleTime(Math.exp(Math.max(-120, Math.min(120, turned)) / 400), (place.x - left) / width);
    else if (event.timeStamp - wheel.turned > 400)
        scaleSpace(turned < 0, rowAt(place.y));
    wheel.turned = event.shiftKey ? event.timeStamp : wheel.turned;
}, {passive: false});

/* Shift, or the middle button, drags the window along. */
document.getElementById('plots').addEventListener('pointerdown', event => {
    const pans = event.button === 1 || (event.button === 0 && event.shiftKey);
    if (data === null || !pans || !isInPlot(placeIn(current().svg, event)))
        return;
    const plots = event.currentTarget;
    let at = event.clientX;
    const move = moved => {
        const [, , width] = data.levels[chosen.level].frame;
        panTime((at - moved.clientX) / width);
        at = moved.clientX;
    };
    plots.setPointerCapture(event.pointerId);
    plots.addEventListener('pointermove', move);
    plots.addEventListener(
        'lostpointercapture', () => plots.removeEventListener('pointermove', move), {once: true});
    event.preventDefault();
    event.stopPropagation();
}, {capture: true});

document.getElementById('plots').addEventListener('dblclick', event => {
    const part = partUnder(event);
    if (takeRegionBack())
        page.zoom(regionSlices(), chosen.node);
    else if (part >= 0)
        page.enter(part);
});

document.getElementById('back').addEventListener('click', goBack);

/* --- Actions: one entry for each thing that can be done, which keys, the help, and the palette of
 * a served page share. `names` are its keys, none of some; those of one `row` of the help share
 * it. */

const keys = [];

function addKey(names, what, act, row = what) {
    keys.push({names, what, act, row});
}

addKey(['f', 'z', 'Enter'], 'fits the part or the region that is selected into the picture',
    zoomIntoChosen);
addKey(['Backspace'], 'goes back to what was shown before', goBack);
addKey(['Home'], 'shows the whole trace', () => page.whole());
addKey(['['], 'the next finer level', () => page.step(-1), 'the next finer, coarser level');
addKey([']'], 'the next coarser level', () => page.step(1), 'the next finer, coarser level');
addKey(['w', '+', '=', 'ArrowUp'], 'zooms time in', () => scaleTime(0.7, 0.5));
addKey(['s', '-', '−', 'ArrowDown'], 'zooms time out', () => scaleTime(1 / 0.7, 0.5));
addKey(['a', 'ArrowLeft', ','], 'moves to earlier time', () => panTime(-0.25));
addKey(['d', 'ArrowRight', '.'], 'moves to later time', () => panTime(0.25));
addKey(['<'], 'the window of time before this one', () => panTime(-1),
    'the window before, behind this one');
addKey(['>'], 'the window of time behind this one', () => panTime(1),
    'the window before, behind this one');
addKey(['u'], 'shows the resources around these', () => scaleSpace(false, 0));

/* Keys by which whatever has the focus is moved or scrolled. */
function isForFocus(element, key) {
    return element.closest('dialog') !== null ||
        (key === 'Enter' && element.closest('button, a, summary, [data-part]') !== null) ||
        (/^(Arrow|Home$)/.test(key) &&
            element.closest('input, pre, code, .below, [popover], [role=treeitem]') !== null);
}

document.addEventListener('keydown', event => {
    const entry = keys.find(one => one.names.includes(event.key)) ||
        keys.find(one => one.names.includes(event.key.toLowerCase()));
    const on = event.target instanceof Element ? event.target : document.body;
    if (isInField(event) || event.ctrlKey || event.metaKey || event.altKey || entry === undefined ||
        event.defaultPrevented || isForFocus(on, event.key) || data === null)
        return;
    event.preventDefault();
    entry.act();
});

const NAMES = {ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→'};

/* Keys as they are written: those that are another's place on a keyboard go without saying. */
function writeKeys(names) {
    const written = names.filter(name => name !== '=' && name !== '−')
                        .map(name => make('kbd', '', NAMES[name] || name));
    return written.length > 5 ? [written[0], ' – ', written.at(-1)]
                              : written.flatMap(key => [key, ' ']);
}

/* The list of keys, before those that the page has as it comes. */
function listKeys() {
    const rows = new Map();
    for (const {names, row} of keys.filter(one => one.names.length > 0))
        rows.set(row, [...(rows.get(row) || []), ...names]);
    document.getElementById('keys').prepend(...[...rows].flatMap(([row, names]) => {
        const term = make('dt');
        term.append(...writeKeys(names));
        return [term, make('dd', '', row)];
    }));
}

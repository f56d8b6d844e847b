/* The page of a report, which holds all levels that it shows: slider, zoom, address and details. */

data = JSON.parse(document.getElementById('data').textContent);
findPictures();
findCurves(data.curves);
levels.forEach(attachPicture);
beginEnlarging();
Object.assign(known, {list: data.levels, listed: data.listed, more: false});

function setLevel(index) {
    index = Math.max(0, Math.min(levels.length - 1, index));
    if (index === chosen.level)
        return;
    const before = chosen.level >= 0 ? data.levels[chosen.level].shown[chosen.part] : undefined;
    const place = chosen.focused >= 0 ? boxes()[chosen.focused] : undefined;
    chosen.focused = -1;
    chosen.part = samePart(before, index);
    chosen.level = index;
    for (const [at, {plot, lists}] of levels.entries())
        [plot, ...lists].forEach(one => { one.hidden = at !== index; });
    numberLevel();
    showPicture();
    remember();
    if (place !== undefined)
        focusPart(
            Math.max(firstPart(), partAt(place.x + place.width / 2, place.y + place.height / 2)));
}

/* The first part that is in view. */
function firstPart() {
    return boxes().findIndex(box => box !== undefined);
}

function showPicture() {
    placePicture(chosen.level);
    stretchPicture(current().svg);
    makeReachable(chosen.part >= 0 ? chosen.part : firstPart());
    showLit();
    showCrumbs();
    placeBrush();
    shown = [chosen.level, ...page.window(), data.below];
    refresh();
    fillPanel();
}

/* The same in a room of another size. */
function fitPicture() {
    levels.forEach(level => { level.view = 'of another size'; });
    placePicture(chosen.level);
    stretchPicture(current().svg);
    refresh();
}

window.addEventListener('beforeprint', () => {
    const {svg} = current(), {width, height} = svg.viewBox.baseVal;
    stretchPicture(svg, [PAPER[0] / width, PAPER[1] / height]);
});
window.addEventListener('afterprint', fitPicture);

const PAPER = [1000, 600]; /* pixels of a picture; shell.css has their ratio */

/* --- Zoom */

function describeView() {
    return isWhole() ? '' : nameOfAll() + ', ' + when(data.first, data.first + data.count - 1);
}

/* What is chosen goes, as it may be out of view. */
function enlargeTo(first, end, path) {
    const focused = focusedPart() >= 0;
    setView(first, end, path);
    Object.assign(rest, {first: 0, end: 0});
    chosen.part = chosen.focused = -1;
    chosen.range = chosen.free = null;
    chosen.node = '';
    delete panel.dataset.content;
    showPicture();
    if (focused)
        focusPart(firstPart());
    announce(isWhole() ? 'whole time' : describeView());
    remember();
}

function endOfView() {
    return data.first + data.count;
}

page.back = () => isWhole() || goBack();
page.root = () => data.below;
page.room = () => [whole.first, whole.first + whole.count];
page.zoom = (slices, path) => enlargeTo(...slices, path !== '' ? path : data.below);
page.below = path => enlargeTo(data.first, endOfView(), path);
page.whole = () => enlargeTo(whole.first, whole.first + whole.count, '');
page.where = () => ({
    resources: [data.below || whole.root].filter(path => path !== ''),
    parts: [],
    timed: data.count < whole.count
});
page.enter = part => {
    const one = data.levels[chosen.level].shown[part];
    page.zoom([one[FIRST], one[LAST] + 1], data.nodes[one[NODE]][PATH]);
};
page.actions = part => part !== null || chosen.range !== null ? [makeButton('zoom', () =>
    part !== null ? page.enter(part) : page.zoom(regionSlices(), chosen.node))] : [];

/* What was asked for beyond the whole slices that are shown, for what is asked for next. */
const rest = {first: 0, end: 0};

page.move = (first, end) => {
    const begin = first + rest.first, length = end + rest.end - begin;
    const size = Math.max(1, Math.min(whole.count, length));
    const most = whole.first + whole.count - size;
    const wanted = Math.max(whole.first, Math.min(most, begin + (length - size) / 2));
    const from = Math.round(wanted), to = from + Math.round(size);
    if (from !== data.first || to !== endOfView())
        enlargeTo(from, to, data.below);
    Object.assign(rest, {first: wanted - from, end: wanted + size - to});
};

/* --- Address */

const address = {silent: true, sliding: false};

function hashOf() {
    const level = data.levels[chosen.level];
    const words = ['p=' + level.p];
    if (!isWhole())
        words.push('view=' + data.first + '-' + (endOfView() - 1));
    if (data.below !== '')
        words.push('below=' + encodeURIComponent(data.below));
    if (chosen.part >= 0)
        words.push('part=' + level.shown[chosen.part][NUMBER]);
    if (chosen.range !== null)
        words.push('slices=' + chosen.range.join('-'));
    if (chosen.node !== '')
        words.push('node=' + encodeURIComponent(chosen.node));
    return '#' + words.join('&');
}

/* What is shown becomes the address; while the slider moves, only the last of it goes into the
 * history. */
function remember() {
    const hash = hashOf();
    document.getElementById('link').href = hash;
    if (address.silent)
        return;
    openForChoice();
    if (hash === location.hash)
        return;
    if (address.sliding)
        history.replaceState({depth: depthOfHistory()}, '', hash);
    else
        history.pushState({depth: depthOfHistory() + 1}, '', hash);
    showDepth();
}

/* Slices that an address says, null where not all of them are shown. */
function slicesIn(text) {
    const slices = (/^(\d+)-(\d+)$/.exec(text || '') || []).slice(1).map(Number);
    const last = endOfView() - 1;
    return slices.length < 2 || slices[0] < data.first || slices[1] > last || slices[0] > slices[1]
        ? null
        : slices;
}

/* Shows what an address says; what it leaves out, and what the report lacks, is as at the
 * beginning. */
function follow(hash) {
    const words = new URLSearchParams(hash.replace(/^#/, ''));
    const p = words.has('p') ? Number(words.get('p')) : NaN;
    const part = /^\d+$/.test(words.get('part') || '') ? Number(words.get('part')) : -1;
    address.silent = true;
    setLevel(p >= 0 && p <= 1 ? levelAt(p) : data.start);
    setView(...page.room(), '');
    const view = slicesIn(words.get('view')) || [whole.first, whole.first + whole.count - 1];
    enlargeTo(view[0], view[1] + 1, words.get('below') || '');
    chosen.range = slicesIn(words.get('slices'));
    chosen.node = chosen.range !== null && nodeOf(words.get('node') || '') !== undefined
        ? words.get('node')
        : '';
    selectPart(data.levels[chosen.level].shown.findIndex(
        (one, index) => one[NUMBER] === part && boxes()[index] !== undefined));
    showDepth();
    address.silent = false;
}

window.addEventListener('popstate', () => follow(location.hash));

page.step = count => setLevel(chosen.level + count);
page.go = setLevel;
page.remember = remember;
page.repaint = () => {
    current().redraw?.();
    drawMinimap();
};

slider.addEventListener('input', () => {
    setLevel(levelOfSlider());
    address.sliding = true;
});
slider.addEventListener('change', () => { address.sliding = false; });

/* --- The legend: what is pointed at stands out, and what was clicked stays so */

let keptLit = '';

for (const button of document.querySelectorAll('#legend button')) {
    const name = button.querySelector('bdi').textContent;
    button.addEventListener('pointerenter', () => light(name));
    button.addEventListener('pointerleave', () => light(keptLit));
    button.addEventListener('click', () => {
        keptLit = keptLit === name ? '' : name;
        light(keptLit);
        for (const one of document.querySelectorAll('#legend button'))
            one.setAttribute('aria-pressed',
                String(keptLit !== '' && one.querySelector('bdi').textContent === keptLit));
    });
}

/* --- Details, of which the address says no more than what is selected */

let opened = '', shown = [];

function rememberAddress() {}

addPanel({name: 'parts', title: 'Parts', help: 'the parts that are shown as a list', fill(body) {
    const most = 2000, level = data.levels[chosen.level];
    const seen = level.shown.filter((part, index) => boxes()[index] !== undefined);
    body.append(makeScrolled(count(seen.length, 'rectangle', 'rectangles') +
            (seen.length > most ? ', the first ' + most : ''),
        ['part', 'node', 'time', 'leaves', 'parts', 'mostly', 'gain (bits)', 'loss (bits)'],
        seen.slice(0, most).map(part => [String(part[NUMBER]), pathOf(part[NODE]),
            when(part[FIRST], part[LAST]), part[LEAVES], part[PARTS],
            sharesOf(part).slice(0, 1).map(one => data.types[one.type][0] + ' ' +
                percent(one.share)).join(''), part[GAIN], part[LOSS]])));
}});

/* --- The whole above the picture, by slices */

function secondsAt(slice) {
    return slice;
}

function sliceAt(slice) {
    return slice;
}

minimap.frame = {
    types: data.types,
    sums: data.sums.slice(whole.first, whole.first + whole.count),
    instants: Array.from({length: whole.count + 1}, (_, at) => whole.first + at)
};

const sentence = document.getElementById('explained');
sentence.title = sentence.textContent;
document.getElementById('said').hidden = sentence.textContent === '';
document.querySelector('.detail').hidden = levels.length < 2;
makePanelBar();
addPanelKeys();
listKeys();
drawMinimap();
follow(location.hash);
openPanel(innerWidth > 760 ? 'selection' : '', 'keep');

/* The page of a report, which holds all levels that it shows: slider, zoom, address and curves. */

data = JSON.parse(document.getElementById('data').textContent);
findPictures();
findCurves(data.curves);
levels.forEach(attachPicture);
beginEnlarging();

function setLevel(index) {
    index = Math.max(0, Math.min(levels.length - 1, index));
    if (index === chosen.level)
        return;
    const before = chosen.level >= 0 ? data.levels[chosen.level].shown[chosen.part] : undefined;
    const place = chosen.focused >= 0 ? boxes()[chosen.focused] : undefined;
    chosen.focused = -1;
    chosen.part = samePart(before, index);
    chosen.level = index;
    levels.forEach((level, at) => { level.plot.hidden = level.list.hidden = at !== index; });
    slider.value = index;
    slider.setAttribute('aria-valuetext', describeLevel(index));
    document.getElementById('which').textContent = describeLevel(index);
    document.getElementById('finer').disabled = index === 0;
    document.getElementById('coarser').disabled = index === levels.length - 1;
    showPicture();
    showCurvesMark();
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
    makeReachable(chosen.part >= 0 ? chosen.part : firstPart());
    refresh();
}

/* --- Zoom */

function describeView() {
    return isWhole() ? '' : nameOfAll() + ', ' + when(data.first, data.first + data.count - 1);
}

/* What is chosen goes, as it may be out of view. */
function enlargeTo(first, end, path) {
    const focused = document.activeElement instanceof Element &&
        document.activeElement.closest('#plots') !== null;
    setView(first, end, path);
    chosen.part = chosen.focused = -1;
    chosen.range = chosen.free = null;
    chosen.node = '';
    delete panel.dataset.content;
    document.getElementById('view').textContent = describeView();
    document.getElementById('whole').disabled = isWhole();
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
page.enter = part => {
    const one = data.levels[chosen.level].shown[part];
    page.zoom([one[FIRST], one[LAST] + 1], data.nodes[one[NODE]][PATH]);
};
page.actions = part => part !== null || chosen.range !== null ? [makeButton('zoom', () =>
    part !== null ? page.enter(part) : page.zoom(regionSlices(), chosen.node))] : [];

/* Whole slices: at least one fewer, one more, or one on. */
page.move = (first, end) => {
    const length = Math.round(end - first), {count} = data;
    const other = length !== count   ? length
        : end - first < count - 1e-9 ? count - 1
        : end - first > count + 1e-9 ? count + 1
                                     : count;
    const size = Math.max(1, Math.min(whole.count, other));
    const middle = (first + end) / 2, on = Math.sign(Math.round((first - data.first) * 1e6));
    let begin = Math.round(middle - size / 2);
    if (size === count && begin === data.first)
        begin += on;
    begin = Math.max(whole.first, Math.min(whole.first + whole.count - size, begin));
    if (size !== count || begin !== data.first)
        enlargeTo(begin, begin + size, data.below);
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
    if (address.silent || hash === location.hash)
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
    if (chosen.part >= 0)
        current().elementOf(chosen.part).scrollIntoView({block: 'nearest', inline: 'nearest'});
    showDepth();
    address.silent = false;
}

window.addEventListener('popstate', () => follow(location.hash));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => current().redraw?.());

page.step = count => setLevel(chosen.level + count);
page.remember = remember;

curves.svg.addEventListener('click', event => {
    const [left, , width] = data.curves;
    const p = (placeIn(curves.svg, event).x - left) / width;
    if (p >= 0 && p <= 1)
        setLevel(levelAt(p));
});

slider.addEventListener('input', () => {
    setLevel(Number(slider.value));
    address.sliding = true;
});
slider.addEventListener('change', () => { address.sliding = false; });
document.getElementById('finer').addEventListener('click', () => setLevel(chosen.level - 1));
document.getElementById('coarser').addEventListener('click', () => setLevel(chosen.level + 1));
document.querySelector('.controls').hidden = levels.length < 2;
document.getElementById('where').hidden = false;
listKeys();
follow(location.hash);

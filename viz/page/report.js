/* The page of a report, which holds all levels that it shows: slider, address and curves. */

data = JSON.parse(document.getElementById('data').textContent);
findPictures();
findCurves(data.curves);
attachPictures();

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

const address = {silent: true, sliding: false};

function hashOf() {
    const level = data.levels[chosen.level];
    const words = ['p=' + level.p];
    if (chosen.part >= 0)
        words.push('part=' + level.shown[chosen.part][NUMBER]);
    if (chosen.range !== null)
        words.push('slices=' + chosen.range.join('-'));
    if (chosen.node !== '')
        words.push('node=' + encodeURIComponent(chosen.node));
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

/* Shows what an address says; what it leaves out, and what the report lacks, is as at the beginning. */
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
    chosen.node = chosen.range !== null && nodeOf(words.get('node') || '') !== undefined ? words.get('node') : '';
    chosen.free = null;
    chosen.focused = -1;
    selectPart(data.levels[chosen.level].shown.findIndex(one => one[NUMBER] === part));
    if (chosen.part >= 0)
        current().elements[chosen.part].scrollIntoView({block: 'nearest', inline: 'nearest'});
    address.silent = false;
}

window.addEventListener('popstate', () => follow(location.hash));

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
follow(location.hash);

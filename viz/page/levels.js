/* The level that is shown, among those that are known. */

const known = {place: '', list: [], listed: 0, more: true};

function numberLevel() {
    const level = data.levels[chosen.level];
    const index = indexOfLevel();
    const one = index < 0 ? undefined : known.list[index];
    if (one !== undefined && one.parts === level.parts) {
        level.number = one.number;
        level.auto = one.auto;
        level.from = one.from;
        level.to = one.to;
        data.listed = known.listed;
    }
    slider.disabled = index < 0;
    slider.ariaBusy = String(known.more === true);
    placeSlider(index);
    slider.setAttribute('aria-valuetext', describeLevel(chosen.level));
    document.getElementById('level-open').textContent = count(level.parts, 'part', 'parts') +
        ', ' + shortDigits(100 * level.loss, 2) + ' % lost';
    document.getElementById('finer').disabled = index <= 0;
    document.getElementById('coarser').disabled = index < 0 || index === known.list.length - 1;
    const which = document.getElementById('which');
    which.textContent = describeLevel(chosen.level);
    which.title = level.bits === undefined
        ? ''
        : 'gain ' + level.bits[0] + ' bits, loss ' + level.bits[1] + ' bits';
    showCurvesMark();
}

/* --- The scale of the slider: levels one after the other, or by their p, or by their parts */

const STEPS = 1000; /* of a slider by p or by parts */

/* Where a level is on the slider. */
function placeOfLevel(level, index) {
    const scale = document.getElementById('scale').value;
    const most = Math.log(Math.max(2, ...known.list.map(one => one.parts)));
    return scale === 'levels'
        ? index
        : Math.round(STEPS * (scale === 'p' ? level.p : 1 - Math.log(level.parts) / most));
}

function placeSlider(index) {
    slider.max = String(document.getElementById('scale').value === 'levels'
            ? Math.max(1, known.list.length - 1)
            : STEPS);
    slider.value = String(index < 0 ? 0 : placeOfLevel(known.list[index], index));
    document.getElementById('marks').replaceChildren(...known.list.map((level, at) => {
        const mark = make('option');
        mark.value = String(placeOfLevel(level, at));
        return mark;
    }));
}

/* The level that the slider is nearest to. */
function levelOfSlider() {
    const distances =
        known.list.map((level, at) => Math.abs(placeOfLevel(level, at) - Number(slider.value)));
    return distances.indexOf(Math.min(...distances));
}

/* The level that stands for the p that is shown, -1 where none is known. */
function indexOfLevel() {
    return levelAt(data.levels[chosen.level].p, known.list);
}

/* The next level at one side whose plateau is wider than those of half of the levels. */
function stepPlateau(side) {
    const widths = known.list.map(level => level.to - level.from).sort((a, b) => a - b);
    const wide = widths[Math.floor(widths.length / 2)];
    let index = indexOfLevel() + side;
    while (known.list[index] !== undefined && known.list[index].to - known.list[index].from < wide)
        index += side;
    page.go(index);
}

document.getElementById('scale').addEventListener('change', () => placeSlider(indexOfLevel()));
document.getElementById('finer').addEventListener('click', () => page.step(-1));
document.getElementById('coarser').addEventListener('click', () => page.step(1));
document.getElementById('curve').addEventListener('click', event => {
    if (curves.svg === null || !curves.svg.contains(event.target))
        return;
    const [left, , width] = curves.frame;
    const p = (placeIn(curves.svg, event).x - left) / width;
    if (p >= 0 && p <= 1)
        page.go(levelAt(p, known.list));
});

/* Levels: looked for once what is seen is there, and again where something else came between. */

const known = {place: '', list: [], listed: 0, more: true};

function numberLevel() {
    const level = data.levels[0];
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
    placeSlider(index);
    slider.setAttribute('aria-valuetext', describeLevel(0));
    document.getElementById('level-open').textContent = count(level.parts, 'part', 'parts') +
        ', ' + shortDigits(100 * level.loss, 2) + ' % lost';
    document.getElementById('finer').disabled = index <= 0;
    document.getElementById('coarser').disabled = index < 0 || index === known.list.length - 1;
    const which = document.getElementById('which');
    which.textContent = describeLevel(0);
    which.title = level.bits === undefined
        ? ''
        : 'gain ' + level.bits[0] + ' bits, loss ' + level.bits[1] + ' bits';
    fillField(document.getElementById('parts'), String(level.parts));
    fillField(document.getElementById('rule'), currentRule());
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
    return levelAt(data.levels[0].p, known.list);
}

function forgetLevels() {
    Object.assign(known, {list: [], listed: 0, more: true});
    curves.svg = null;
    document.getElementById('curve').replaceChildren(
        make('p', 'note', 'The levels are being looked for.'));
    numberLevel();
}

function looksOfCurves() {
    const width = 560;
    return looks([width, Math.round(width * 9 / 20)]);
}

/* Asks again and again: each answer has the levels that were found meanwhile. */
async function findLevels() {
    const wanted = JSON.stringify(placeOf(shown));
    if (known.place === wanted && known.list.length > 0 && !known.more)
        return;
    known.place = wanted;
    forgetLevels();
    do {
        try {
            const answer = await (await ask('found', placeOf(shown), looksOfCurves())).json();
            if (known.place !== wanted)
                return;
            known.more = answer.more;
            if (answer.found !== null)
                takeLevels(wanted, answer.found);
        } catch (error) {
            if (!error.late) {
                document.getElementById('curve').replaceChildren(make('p', 'note', error.message));
                return;
            }
            await new Promise(done => setTimeout(done, 100));
        }
    } while (known.place === wanted && known.more);
}

function takeLevels(wanted, answer) {
    if (known.place !== wanted ||
        (known.more && (answer.listed === known.listed || slider.matches(':active'))))
        return;
    known.list = answer.levels;
    known.listed = answer.listed;
    place(document.getElementById('curve'), answer.curves, 'image/svg+xml');
    findCurves(answer.frame);
    curves.svg.addEventListener('click', event => {
        const [left, , width] = curves.frame;
        const p = (placeIn(curves.svg, event).x - left) / width;
        if (p >= 0 && p <= 1)
            goTo(levelAt(p, known.list), 'push');
    });
    numberLevel();
    if (!known.more)
        prefetch();
}

/* Asks ahead for one thing after the other, until something else is shown. */
async function askAhead(list) {
    const turn = server.turn;
    for (let at = 0, tries = 0; at < list.length && turn === server.turn && tries < 50;) {
        try {
            await list[at]();
            at++;
        } catch (error) {
            if (!error.late)
                return;
            tries++;
            await new Promise(done => setTimeout(done, 100));
        }
    }
}

/* The insides of the parts that lose most, where a reader is likely to zoom next. */
async function prepareInsides() {
    const here = [...placeOf(shown), ['p', currentP()]];
    let numbers = [];
    await askAhead([async () => { numbers = await (await ask('likely', here)).json(); }]);
    await askAhead(numbers.map(number => () => getView([...here, ['part', String(number)]], 0)));
}

/* All levels, the nearest first, so that they answer at once then; and then what is likely next. */
async function prefetch() {
    const turn = server.turn;
    const index = indexOfLevel();
    const places = [...known.list.keys()].sort((a, b) => Math.abs(a - index) - Math.abs(b - index));
    const nearest = isDrawnHere(shown) ? places : places.slice(0, 3);
    await askAhead(
        nearest.slice(1).map(at => () => getView(withLevel('p', String(known.list[at].p)), 0)));
    if (turn === server.turn && isDrawnHere(shown) && !data.coarse)
        await prepareInsides();
}

function goTo(index, how) {
    if (known.list[index] !== undefined)
        show(withLevel('p', String(known.list[index].p)), how);
}

/* The next level at one side whose plateau is wider than those of half of the levels. */
function stepPlateau(side) {
    const widths = known.list.map(level => level.to - level.from).sort((a, b) => a - b);
    const wide = widths[Math.floor(widths.length / 2)];
    let index = indexOfLevel() + side;
    while (known.list[index] !== undefined && known.list[index].to - known.list[index].from < wide)
        index += side;
    goTo(index, 'push');
}

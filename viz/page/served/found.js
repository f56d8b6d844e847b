/* Levels, and the whole trace: looked for once what is seen is there, and again where something
 * else came between. */

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

/* Asks for what is beside the picture, again where the server left that for something else; null
 * where another place is shown by then. Waits while a picture is asked for, or moves. */
async function askBeside(path, place, more = []) {
    const wanted = JSON.stringify(place);
    while (JSON.stringify(placeOf(shown)) === wanted)
        try {
            if (!plots.classList.contains('waiting') && motion.box === null)
                return await (await ask(path, place, more)).json();
            await pause();
        } catch (error) {
            if (!error.late)
                throw error;
            await pause();
        }
    return null;
}

/* Asks again and again: each answer has the levels that were found meanwhile. */
async function findLevels() {
    const place = placeOf(shown), wanted = JSON.stringify(place);
    if (known.place === wanted && known.list.length > 0 && !known.more)
        return;
    known.place = wanted;
    forgetLevels();
    try {
        do {
            const answer = await askBeside('found', place, looksOfCurves());
            if (answer === null || known.place !== wanted)
                return;
            known.more = answer.more;
            if (answer.found !== null)
                takeLevels(wanted, answer.found);
        } while (known.more);
    } catch (error) {
        if (known.place === wanted)
            known.more = false; /* who waits for levels goes on without */
        document.getElementById('curve').replaceChildren(make('p', 'note', error.message));
    }
}

function takeLevels(wanted, answer) {
    if (known.place !== wanted ||
        (known.more && (answer.listed === known.listed || slider.matches(':active'))))
        return;
    known.list = answer.levels;
    known.listed = answer.listed;
    place(document.getElementById('curve'), answer.curves, 'image/svg+xml');
    findCurves(answer.frame);
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
            await pause();
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

page.go = index => goTo(index, 'push');

/* --- The whole trace, for the minimap */

const MINIMAP_SLICES = 160;

/* Finds it again where options change what it shows. */
async function findMinimap() {
    const options = withoutPlace();
    const wanted = JSON.stringify([options, isDark()]);
    if (minimap.place === wanted) {
        placeBrush();
        return;
    }
    minimap.place = wanted;
    const whole = JSON.stringify(options) === JSON.stringify(placeOf(shown)) && !data.coarse ? data
        : await getFrame([...options.filter(([name]) => name !== 'slices'),
              ['slices', String(MINIMAP_SLICES)]], [['ahead', '1']], false).catch(() => null);
    if (minimap.place !== wanted)
        return;
    minimap.frame = whole;
    if (whole === null)
        minimap.place = '';
    drawMinimap();
    placeBrush();
}

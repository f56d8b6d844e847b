/* Views that were asked for, the last ones; their pictures are those of a size and a theme. */

const MOST_VIEWS = 60, MOST_FRAMES = 8, COARSE = 40, QUICK = 2e6, LEAST_SIZE = 320;
const views = new Map(), frames = new Map();

/* As wide as there is room for it, in steps, so that letters are as large as meant. */
function sizeIn(element, least) {
    const room = element.clientWidth - 2 * parseFloat(getComputedStyle(element).paddingLeft);
    return Math.max(least, Math.floor(room / 20) * 20);
}

/* All the room that bars and details leave. */
function sizeOfPicture() {
    return [plots.clientWidth, plots.clientHeight];
}

function looks(size = sizeOfPicture()) {
    const [width, height] = size.map(one => String(Math.max(LEAST_SIZE, one)));
    return [
        ['theme', isDark() ? 'dark' : 'light'], ['width', width], ['height', height]
    ].filter(([name]) => !shown.some(([given]) => given === name))
        .map(([name, value]) => ['look.' + name, value]);
}

/* A map that forgets what was not asked for the longest. */
async function remembered(map, most, key, make) {
    const found = map.has(key) ? map.get(key) : make();
    map.delete(key);
    map.set(key, found);
    if (map.size > most)
        map.delete(map.keys().next().value);
    try {
        return await found;
    } catch (error) {
        map.delete(key);
        throw error;
    }
}

/* Whether the parts are drawn here: those of the view that fills rectangles. */
function isDrawnHere(options) {
    const last = name =>
        options.filter(([given]) => given === name).map(([, value]) => value).pop();
    return (last('view') || 'mode') === 'mode' &&
        (last('kind') || 'spatiotemporal') === 'spatiotemporal';
}

/* What no p changes: the picture around the parts, and the nodes. */
async function getFrame(options, more, named = true) {
    const around = [...placeOf(options), ...looks()];
    const answer = await (await ask('frame', around, more)).json();
    if (named)
        answer.nodes = await getNodes(placeOf(options), [['run', server.trace.run]]);
    answer.around = JSON.stringify(around);
    return answer;
}

/* The rectangles are for the plot of that picture, which may be smaller than any picture. */
async function getRecords(frame, options, more) {
    const [, , width, height] = frame.levels[0].frame;
    const size = [
        ['look.width', String(Math.max(LEAST_SIZE, width))],
        ['look.height', String(Math.max(LEAST_SIZE, height))]
    ];
    const response = await ask('records', options, [...size, ...more]);
    const level = readRecords(frame, await response.arrayBuffer());
    return {
        ...frame,
        levels: [level],
        command: decodeURIComponent(response.headers.get('Ocelotl-Command'))
    };
}

/* A turn is given for what is to be seen; what is asked ahead gives way to it. */
async function getView(options, turn) {
    const more = turn > 0 ? [['client', server.client], ['turn', String(turn)]] : [['ahead', '1']];
    const key = JSON.stringify([options, looks()]);
    if (!isDrawnHere(options))
        return remembered(views, MOST_VIEWS, key, async () => (await ask('view', options, [
            ...looks(), ...more.filter(([name]) => name !== 'ahead')
        ])).json());
    more.push(['run', server.trace.run]);
    return remembered(views, MOST_VIEWS, key, async () => {
        const place = JSON.stringify([placeOf(options), looks()]);
        const frame = await remembered(frames, MOST_FRAMES, place, () => getFrame(options, more));
        return getRecords(frame, options, more);
    });
}

/* The same at fewer slices, which takes a tenth of the time; null where it is no use, as of few
 * resources, where each of the cells of a triangle of slices takes some 50 ns. Another
 * metric is shown on the trace's tree at first: to choose one takes longer than the picture. */
function coarser(options) {
    const last = name => options.findLast(([given]) => given === name)?.[1];
    const slices = Number(last('slices'));
    const tree = data !== null && last('hierarchy') === undefined &&
            last('metric') !== data.options.findLast(([given]) => given === 'metric')?.[1]
        ? [['hierarchy', 'trace']]
        : [];
    const known = views.has(JSON.stringify([options, looks()])) ||
        frames.has(JSON.stringify([placeOf(options), looks()]));
    const parts = options.some(
        ([name]) => name === 'part' || name === 'snap' || name === 'level');
    const quick = data !== null && data.leaves * slices * slices < QUICK;
    return known || parts || slices <= COARSE || !isDrawnHere(options) || quick ? null :
        [...placeOf(options).filter(([name]) => name !== 'slices'), ...tree,
            ['slices', String(COARSE)],
            ...(options.length > placeOf(options).length || data === null
                    ? options.slice(placeOf(options).length)
                    : [['p', currentP()]])];
}

/* Pictures come as SVG, parameters as a list in HTML, both from the library. */
function place(parent, text, type) {
    const parsed = new DOMParser().parseFromString(text, type);
    const element =
        type === 'text/html' ? make('dl') : document.importNode(parsed.documentElement, true);
    if (type === 'text/html')
        element.append(...document.importNode(parsed.body, true).childNodes);
    parent.replaceChildren(element);
    return element;
}

/* The picture anew, if it is another one. */
function placeView(view) {
    const level = make('div', 'level');
    level.dataset.level = '0';
    place(level, view.picture, 'image/svg+xml').setAttribute('preserveAspectRatio', 'none');
    plots.replaceChildren(level);
    place(document.getElementById('parameters'), view.parameters, 'text/html').dataset.level = '0';
    document.getElementById('title').textContent = view.title + ' ▾';
    document.title = view.title + ' · Ocelotl';
    findPictures();
    levels.forEach(attachPicture);
}

function showView(view) {
    const parts = data === null || chosen.level < 0 ? [] : data.levels[0].shown;
    const [before, reached] = [chosen.part, focusedPart()].map(part => parts[part] === undefined
        ? undefined
        : {...parts[part], path: data.nodes[parts[part][NODE]][PATH]});
    const edges = data === null ? '' : String(data.edges), focused = focusedPart() >= 0;
    const {range, free, node} = chosen, marked = chosen.focused >= 0;
    const same = data !== null && view.around !== undefined && data.around === view.around &&
        levels.length > 0;
    const shownBefore = same ? data.levels[0].shown : [];
    const old = same && current().canvas !== undefined ? copyCanvas(current().canvas) : null;
    if (data !== null && !same)
        keepBackdrop();
    /* Nothing is chosen in what is not there yet, while elements go and lose the focus. */
    chosen.part = chosen.focused = -1;
    chosen.range = chosen.free = null;
    chosen.node = '';
    data = {...view, options: shown};
    delete panel.dataset.content;
    chosen.level = 0;
    if (same) {
        current().redraw();
        showChanges(shownBefore, old);
    } else {
        placeView(view);
    }
    if (!data.coarse) {
        document.getElementById('command').textContent = data.command;
        finished = shown;
    }
    fillField(document.getElementById('p'), currentP());
    fillField(document.getElementById('parts'), String(data.levels[0].parts));
    fillField(document.getElementById('rule'), currentRule());
    const again = old => old === undefined || String(data.edges) !== edges
        ? -1
        : data.levels[0].shown.findIndex(part => data.nodes[part[NODE]][PATH] === old.path &&
                  part[FIRST] === old[FIRST] && part[LAST] === old[LAST]);
    chosen.part = again(before);
    chosen.focused = marked ? again(reached) : -1;
    if (String(data.edges) === edges && (node === '' || nodeOf(node) !== undefined))
        Object.assign(chosen, {range, free, node});
    data.size = JSON.stringify(sizeOfPicture());
    noteExtent();
    numberLevel();
    makeReachable(Math.max(0, chosen.part));
    if (!same)
        showLit();
    refresh();
    if (focused)
        focusPart([again(reached), chosen.part, 0].find(part => part >= 0));
    fitDock();
    rest();
    pointAgain();
    performance.mark(data.coarse ? 'ocelotl coarse' : 'ocelotl full');
}

/* What was asked ahead may be given up for something else, and is asked for again then. */
async function insist(options, turn) {
    for (let tries = 0; ; tries++) {
        try {
            return await getView(options, turn);
        } catch (error) {
            if (!error.late || turn !== server.turn || tries === 20)
                throw error;
        }
        await pause(10);
    }
}

/* Something to see before what takes longer, if that is worth it; false: something else was asked
 * for since. */
async function showCoarse(options, turn) {
    const wanted = coarser(options);
    if (wanted === null)
        return true;
    const view = await getView(wanted, turn).catch(() => null);
    if (view !== null && turn === server.turn)
        showView({...view, coarse: true});
    return turn === server.turn;
}

/* The same in a room of another size; where it moves, what comes then has that size. */
async function fitPicture() {
    const [width, height] = sizeOfPicture(), turn = server.turn;
    if (data === null || motion.box !== null || width < 1 || height < 1 ||
        data.size === JSON.stringify([width, height]))
        return;
    const view = await insist(shown, turn).catch(error => {
        error.late || showProblem(error);
        return null;
    });
    if (view !== null && turn === server.turn && motion.box === null)
        showView(view);
}

/* Says what is awaited for longer than a moment, with a button that ends it. */
const BUSY_AFTER = 300; /* milliseconds */

async function showBusy(turn) {
    const box = document.getElementById('busy');
    const waits = () => turn === server.turn && plots.classList.contains('waiting');
    await pause(BUSY_AFTER);
    if (!waits())
        return;
    const words = make('span', '', 'waiting'), bar = make('progress');
    bar.setAttribute('aria-label', 'how far it has come');
    box.replaceChildren(words, ' ', bar, ' ', makeButton('stop', stop));
    box.hidden = false;
    while (waits()) {
        const now = await askProgress(turn).catch(() => ({}));
        words.textContent = now.step && now.own ? now.step +
                (now.round > 1 ? ', ' + now.round : '') + ', ' + Math.round(now.seconds) + ' s'
                                                : 'waiting';
        if (typeof now.done === 'number')
            bar.value = now.done;
        else
            bar.removeAttribute('value');
        await pause(BUSY_AFTER);
    }
    if (!plots.classList.contains('waiting'))
        box.hidden = true;
}

async function askProgress(turn) {
    const mine = [['client', server.client], ['turn', String(turn)]];
    return (await ask('progress', [], mine)).json();
}

/* What is shown stays, and what was asked for is given up; something coarse of it gives way to what
 * was there before, which is known. */
let finished = null;

function stop() {
    if (data === null)
        return;
    askProgress(++server.turn).catch(showProblem);
    shown = data.options;
    plots.classList.remove('waiting');
    document.getElementById('busy').hidden = true;
    if (data.coarse && finished !== null) {
        rest();
        show(finished, 'replace');
        return;
    }
    rest();
    rememberAddress(shown === placed ? 'keep' : 'push', shown);
    showCrumbs();
    fillControls();
    lookBeside();
}

/* What is looked for once the picture is there. */
function lookBeside() {
    showExplained();
    findLevels();
    findTree();
    findMinimap();
}

/* Shows options, and keeps them in the history as `how` says (rememberAddress). */
async function show(options, how) {
    const turn = ++server.turn;
    const before = shown;
    const same =
        data !== null && !data.coarse &&
        JSON.stringify(placeOf(options)) === JSON.stringify(placeOf(before));
    const target = data === null || same ? null : boxOfOptions(options);
    if (target !== null && motion.box === null)
        flyTo(target);
    shown = options;
    plots.classList.add('waiting');
    showBusy(turn);
    try {
        if (!await showCoarse(options, turn))
            return;
        const view = await insist(options, turn);
        if (turn !== server.turn)
            return;
        showProblem(null);
        if (!same && how === 'push')
            gantt.window = '';
        rememberAddress(how, options);
        showView(view);
        showCrumbs();
        fillPanel();
        announce(describeLevel(0));
        if (!same) {
            lookBeside();
        } else {
            prefetch();
        }
        fillControls();
    } catch (error) {
        if (turn !== server.turn || error.late)
            return;
        shown = before;
        showProblem(error);
        rest();
        if (data !== null)
            restoreControls();
    } finally {
        if (turn === server.turn)
            plots.classList.remove('waiting');
    }
}

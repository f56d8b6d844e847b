/* Views that were asked for, the last ones; their pictures are those of a size and a theme. */

const MOST_VIEWS = 60;
const views = new Map();

function looks() {
    return [['theme', isDark() ? 'dark' : 'light'], ['width', '1040'], ['height', '720']]
        .filter(([name]) => !shown.some(([given]) => given === name)).map(([name, value]) => ['look.' + name, value]);
}

async function getView(options, turn) {
    const more = [...looks(), ['client', server.client], ['turn', String(turn)]];
    const key = JSON.stringify([options, looks()]);
    let view = views.get(key);
    if (view === undefined)
        view = await (await ask('view', options, more)).json();
    views.delete(key);
    views.set(key, view);
    if (views.size > MOST_VIEWS)
        views.delete(views.keys().next().value);
    return view;
}

/* Pictures come as SVG, parameters as a list in HTML, both from the library. */
function place(parent, text, type) {
    const parsed = new DOMParser().parseFromString(text, type);
    const element = type === 'text/html' ? make('dl') : document.importNode(parsed.documentElement, true);
    if (type === 'text/html')
        element.append(...document.importNode(parsed.body, true).childNodes);
    parent.replaceChildren(element);
    return element;
}

function showView(view) {
    const before = data === null || chosen.level < 0 ? undefined : data.levels[0].shown[chosen.part];
    const level = make('div', 'level');
    data = view;
    level.dataset.level = '0';
    place(level, data.picture, 'image/svg+xml');
    document.getElementById('plots').replaceChildren(level);
    place(document.getElementById('parameters'), data.parameters, 'text/html').dataset.level = '0';
    document.getElementById('title').textContent = data.title;
    document.title = data.title + ' · Ocelotl';
    document.getElementById('command').textContent = data.command;
    document.getElementById('p').value = currentP();
    findPictures();
    attachPictures();
    chosen.level = 0;
    chosen.part = samePart(before, 0);
    chosen.focused = -1;
    chosen.range = chosen.free = null;
    chosen.node = '';
    noteExtent();
    numberLevel();
    makeReachable(Math.max(0, chosen.part));
    showLit();
    refresh();
}

/* Shows options, and keeps them in the history as `how` says (rememberAddress). */
async function show(options, how) {
    const turn = ++server.turn;
    const before = shown;
    const same = JSON.stringify(placeOf(options)) === JSON.stringify(placeOf(before)) && data !== null;
    const plots = document.getElementById('plots');
    const focused = document.activeElement instanceof Element && document.activeElement.closest('#plots') !== null;
    shown = options;
    plots.classList.add('waiting');
    try {
        const view = await getView(options, turn);
        if (turn !== server.turn)
            return;
        showProblem(null);
        rememberAddress(how);
        showView(view);
        fillPanel();
        announce(describeLevel(0));
        if (focused)
            focusPart(Math.max(0, chosen.part));
        if (!same) {
            findLevels();
            findNodes();
            findTree();
        } else {
            prefetch();
        }
        fillControls();
    } catch (error) {
        if (turn !== server.turn || error.late)
            return;
        shown = before;
        showProblem(error);
    } finally {
        if (turn === server.turn)
            plots.classList.remove('waiting');
    }
}

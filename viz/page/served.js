/* The page of a server: what is shown is a list of options, as of the command line, which is the address, too. */

/* The key of the server comes with the address, once, and is not kept there. */
function takeKey() {
    const words = new URLSearchParams(location.hash.replace(/^#/, ''));
    const kept = 'ocelotl ' + location.host;
    if (words.has('k')) {
        sessionStorage.setItem(kept, words.get('k'));
        words.delete('k');
        history.replaceState(null, '', '#' + words);
    }
    return sessionStorage.getItem(kept) || '';
}

const server = {key: takeKey(), client: String(Math.floor(Math.random() * 1e12)), turn: 0, trace: null};

function showProblem(error) {
    const box = document.getElementById('problem');
    box.textContent = error === null ? '' : error.message;
    box.hidden = error === null;
}

async function ask(path, options, more = []) {
    const query = new URLSearchParams([...options, ...more]).toString();
    let response;
    try {
        response = await fetch('/api/v1/' + path + (query === '' ? '' : '?' + query),
            {headers: {'X-Ocelotl-Key': server.key}, cache: 'no-store'});
    } catch (error) {
        throw new Error('The server does not answer: ocelotl-cli serve has ended, or cannot be reached.');
    }
    if (response.status === 204) {
        const late = new Error('Something else was asked for since.');
        late.late = true;
        throw late;
    }
    if (response.ok)
        return response;
    const problem = await response.json().catch(() => ({error: 'The server answers ' + response.status + '.'}));
    throw new Error(problem.error + (problem.hint ? '\n' + problem.hint : ''));
}

/* --- What is shown: options in their order. What says the level comes last, so that another replaces it. */

const DETAILS = ['p', 'p-raw', 'level', 'parts'];
const PLACES = ['from', 'to', 'resource', 'zoom', 'part', 'snap'];

let shown = [];

function placeOf(options) {
    let last = options.length;
    while (last > 0 && DETAILS.includes(options[last - 1][0]))
        last--;
    return options.slice(0, last);
}

function withLevel(name, value) {
    const place = placeOf(shown);
    return value === 'auto' ? place : [...place, [name, value]];
}

/* The same without a place, and without the levels that parts belonged to. */
function withoutPlace() {
    return shown.filter(([name]) => !PLACES.includes(name) && !DETAILS.includes(name));
}

function currentP() {
    return String(data.levels[0].p);
}

/* --- Views that were asked for, the last ones; their pictures are those of a size and a theme */

const MOST_VIEWS = 60;
const views = new Map();
const dark = matchMedia('(prefers-color-scheme: dark)');

function looks() {
    return [['theme', dark.matches ? 'dark' : 'light'], ['width', '1040'], ['height', '720']]
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
    chosen.range = null;
    numberLevel();
    makeReachable(Math.max(0, chosen.part));
    refresh();
}

/* how: 'push' what is shown onto the history, 'replace' what is there, or 'keep' it as it is. */
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
        const address = '#' + new URLSearchParams(options);
        if (how === 'push' && address !== location.hash)
            history.pushState(null, '', address);
        else if (how === 'replace')
            history.replaceState(null, '', address);
        showView(view);
        announce(describeLevel(0));
        if (focused)
            focusPart(Math.max(0, chosen.part));
        if (!same)
            findLevels();
        else
            prefetch();
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

/* --- Levels: looked for once what is seen is there, and again where something else came between */

const known = {place: '', list: []};

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
    slider.max = String(Math.max(1, known.list.length - 1));
    slider.value = String(Math.max(0, index));
    slider.setAttribute('aria-valuetext', describeLevel(0));
    document.getElementById('finer').disabled = index <= 0;
    document.getElementById('coarser').disabled = index < 0 || index === known.list.length - 1;
    document.getElementById('which').textContent = describeLevel(0);
    showCurvesMark();
}

/* The level that stands for the p that is shown, -1 where none is known. */
function indexOfLevel() {
    const distances = known.list.map(level => Math.max(0, level.from - data.levels[0].p, data.levels[0].p - level.to));
    return distances.indexOf(Math.min(...distances));
}

function forgetLevels() {
    known.list = [];
    curves.svg = null;
    document.getElementById('curve').replaceChildren(make('p', 'note', 'The levels are being looked for.'));
    numberLevel();
}

async function findLevels() {
    const wanted = JSON.stringify(placeOf(shown));
    if (known.place === wanted && known.list.length > 0)
        return;
    known.place = wanted;
    forgetLevels();
    for (let tries = 0; tries < 20 && known.place === wanted; tries++) {
        try {
            takeLevels(wanted, await (await ask('levels', placeOf(shown), looks())).json());
            return;
        } catch (error) {
            if (!error.late) {
                document.getElementById('curve').replaceChildren(make('p', 'note', error.message));
                return;
            }
        }
        await new Promise(done => setTimeout(done, 200));
    }
}

function takeLevels(wanted, answer) {
    if (known.place !== wanted)
        return;
    known.list = answer.levels;
    known.listed = answer.listed;
    place(document.getElementById('curve'), answer.curves, 'image/svg+xml');
    findCurves(answer.frame);
    curves.svg.addEventListener('click', event => {
        const [left, , width] = curves.frame;
        const p = (placeIn(curves.svg, event).x - left) / width;
        const distances = known.list.map(level => Math.max(0, level.from - p, p - level.to));
        if (p >= 0 && p <= 1)
            goTo(distances.indexOf(Math.min(...distances)), 'push');
    });
    numberLevel();
    prefetch();
}

/* The levels beside the one that is shown answer at once then. */
async function prefetch() {
    const turn = server.turn;
    const index = indexOfLevel();
    for (const next of [index - 1, index + 1]) {
        if (index < 0 || known.list[next] === undefined || turn !== server.turn)
            continue;
        await getView(withLevel('p', String(known.list[next].p)), turn).catch(() => {});
    }
}

function goTo(index, how) {
    if (known.list[index] !== undefined)
        show(withLevel('p', String(known.list[index].p)), how);
}

/* --- Zoom */

/* A part by its number, of the p that is shown. */
function zoomInto(part) {
    const one = data.levels[0].shown[part];
    if (one[PARTS] > 1)
        return zoomTo(data.nodes[one[NODE]][0], one[FIRST], one[LAST]);
    return show([...placeOf(shown), ['p', currentP()], ['zoom', String(one[NUMBER])]], 'push');
}

/* Resources below a node, and slices. */
function zoomTo(path, first, last) {
    const options = withoutPlace();
    if (data.instants.length > 0)
        options.push(['from', '@' + data.instants[first] + 's'], ['to', '@' + data.instants[last + 1] + 's']);
    if (path !== '')
        options.push(['resource', path]);
    return show(options, 'push');
}

/* The node of all that is shown. */
function rootPath() {
    const paths = data.levels[0].shown.map(part => data.nodes[part[NODE]][0].split('/'));
    const least = paths.reduce((common, path) => {
        let same = 0;
        while (same < common.length && same < path.length && common[same] === path[same])
            same++;
        return common.slice(0, same);
    });
    return least.join('/');
}

function zoomIntoChosen() {
    if (subject() >= 0)
        zoomInto(subject());
    else if (chosen.range !== null)
        zoomTo(rootPath(), ...chosen.range);
}

/* --- Details: other pictures and tables of a part, or of a range of time */

/* The options that say the same place. */
function chosenPlace() {
    const part = subject();
    if (part >= 0 && data.levels[0].shown[part][PARTS] === 1)
        return [...placeOf(shown), ['p', currentP()], ['zoom', String(data.levels[0].shown[part][NUMBER])]];
    const range = part >= 0 ? [data.levels[0].shown[part][FIRST], data.levels[0].shown[part][LAST]] : chosen.range;
    const path = part >= 0 ? data.nodes[data.levels[0].shown[part][NODE]][0] : rootPath();
    if (range === null || data.instants.length === 0)
        return placeOf(shown);
    return [...withoutPlace(), ['from', '@' + data.instants[range[0]] + 's'], ['to', '@' + data.instants[range[1] + 1] + 's'],
        ...(path === '' ? [] : [['resource', path]])];
}

async function showDetails(what, heading) {
    const details = document.getElementById('details');
    const options = chosenPlace();
    try {
        const answer = await (await ask(what, options, looks().filter(([name]) => name === 'look.theme'))).json();
        const figure = make('div');
        showProblem(null);
        const title = make('h2', '', heading);
        title.append(makeButton('close', () => { details.hidden = true; }));
        details.replaceChildren(title, figure, make('h3', '', 'Command'), make('pre', '', answer.command));
        if (answer.picture !== undefined)
            place(figure, answer.picture, 'image/svg+xml');
        details.hidden = false;
        details.focus();
        details.scrollIntoView({block: 'nearest'});
    } catch (error) {
        showProblem(error);
    }
}

page.actions = part => {
    const row = make('div', 'actions');
    if (part !== null || chosen.range !== null)
        row.append(makeButton(part !== null ? 'zoom' : 'zoom into this time', zoomIntoChosen));
    if (part !== null || subject() < 0)
        row.append(makeButton('Gantt chart', () => showDetails('gantt', 'Gantt chart')),
            makeButton('statistics', () => showDetails('stats', 'Statistics')));
    return [row];
};

/* --- Saving what is seen, as the command line does */

async function save(suffix) {
    try {
        const response = await ask('picture.' + suffix, shown);
        const name = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') || '');
        const link = make('a');
        link.href = URL.createObjectURL(await response.blob());
        link.download = name === null ? 'overview.' + suffix : name[1];
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    } catch (error) {
        showProblem(error);
    }
}

/* --- Options: a field for each row of the program's own table */

function valuesOf(name) {
    return shown.filter(([given]) => given === name).map(([, value]) => value);
}

function setOption(name, values) {
    const others = placeOf(shown).filter(([given]) => given !== name);
    const first = others.findIndex(([given]) => PLACES.includes(given) || DETAILS.includes(given));
    const at = first < 0 ? others.length : first;
    show([...others.slice(0, at), ...values.map(value => [name, value]), ...others.slice(at)], 'push');
}

function makeSelect(words) {
    const field = make('select');
    for (const word of ['', ...words])
        field.append(new Option(word === '' ? '(default)' : word, word));
    return field;
}

function makeField(row) {
    if (row.value === '') {
        const field = make('input');
        field.type = 'checkbox';
        field.addEventListener('change', () => setOption(row.name, field.checked ? [''] : []));
        return field;
    }
    const field = row.words.length > 0 ? makeSelect(row.words) : make(row.repeatable ? 'textarea' : 'input');
    if (row.repeatable)
        field.rows = 1;
    else if (row.words.length === 0)
        field.type = 'text';
    field.placeholder = row.value;
    field.addEventListener('change', () => setOption(row.name, field.value.split('\n').filter(line => line !== '')));
    return field;
}

function makeOptions() {
    const form = document.getElementById('form');
    const groups = new Map();
    for (const row of server.trace.parameters) {
        const label = make('label');
        const field = makeField(row);
        field.dataset.option = row.name;
        label.title = row.help;
        label.append(make('span', '', row.name), field);
        if (!groups.has(row.group)) {
            const group = make('fieldset');
            group.append(make('legend', '', row.group));
            groups.set(row.group, group);
        }
        groups.get(row.group).append(label);
    }
    form.replaceChildren(...groups.values());
}

function fillOptions() {
    for (const field of document.querySelectorAll('[data-option]')) {
        const values = valuesOf(field.dataset.option);
        if (field.type === 'checkbox')
            field.checked = values.length > 0;
        else
            field.value = values.join('\n');
    }
}

/* --- What a reader does */

page.step = count => goTo(indexOfLevel() + count, 'push');

document.addEventListener('keydown', event => {
    const actions = {z: zoomIntoChosen, Backspace: () => history.back(), Home: () => show(withoutPlace(), 'push'),
        g: () => showDetails('gantt', 'Gantt chart'), s: () => showDetails('stats', 'Statistics')};
    if (isInField(event) || event.ctrlKey || event.metaKey || event.altKey || actions[event.key] === undefined)
        return;
    event.preventDefault();
    actions[event.key]();
});

document.getElementById('plots').addEventListener('dblclick', event => {
    const part = event.target.closest('[data-part]');
    if (part !== null)
        zoomInto(Number(part.dataset.part) - 1);
});

slider.addEventListener('input', () => goTo(Number(slider.value), 'replace'));
slider.addEventListener('change', () => goTo(Number(slider.value), 'push'));
document.getElementById('finer').addEventListener('click', () => page.step(-1));
document.getElementById('coarser').addEventListener('click', () => page.step(1));
document.getElementById('p').addEventListener('change', event => show(withLevel('p', event.target.value.trim()), 'push'));
document.getElementById('back').addEventListener('click', () => history.back());
document.getElementById('whole').addEventListener('click', () => show(withoutPlace(), 'push'));
document.getElementById('form').addEventListener('submit', event => event.preventDefault());
document.getElementById('options').addEventListener('toggle', fillOptions);
for (const button of document.querySelectorAll('[data-save]'))
    button.addEventListener('click', () => save(button.dataset.save));
dark.addEventListener('change', () => show(shown, 'keep'));
window.addEventListener('popstate', () => show(optionsOf(location.hash), 'keep'));

function optionsOf(hash) {
    const options = [...new URLSearchParams(hash.replace(/^#/, ''))];
    return options.length > 0 ? options : server.trace.initial;
}

async function begin() {
    try {
        server.trace = await (await ask('trace', [])).json();
        makeOptions();
        await show(optionsOf(location.hash), 'replace');
    } catch (error) {
        showProblem(error);
    }
}

begin();

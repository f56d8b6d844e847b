/* What is shown: a list of options, as of the command line, and the panel that is open. Both are
 * the address. */

/* What says the level comes last, so that another replaces it. */
const DETAILS = ['p', 'p-raw', 'level', 'parts'];
const PLACES = ['from', 'to', 'resource', 'part', 'snap'];

let shown = [];

/* The name of the panel that is open, '' for none. */
let opened = '';

/* Words of the address that are the page's own, and no option. Those of a panel begin with its
 * name. */
const OWN = 'page.';

function isOwn(word) {
    return word.includes('.');
}

/* What panels let a reader choose, by their names, and what they begin with. */
const choices = new Map(), firstChoices = new Map();

function keepChoices(name, values) {
    choices.set(name, values);
    firstChoices.set(name, {...values});
    return values;
}

/* What was chosen in a panel, as words of the address. */
function wordsOfPanel(name) {
    return Object.entries(choices.get(name) || {})
        .filter(([key, value]) => value !== firstChoices.get(name)[key])
        .map(([key, value]) => [name + '.' + key, String(value)]);
}

/* Takes what an address says of its panel; what it does not say is as at first. */
function takeChoices(hash) {
    const words = new URLSearchParams(hash.replace(/^#/, ''));
    const name = panelOf(hash);
    for (const [key, first] of Object.entries(firstChoices.get(name) || {})) {
        const given = words.get(name + '.' + key);
        choices.get(name)[key] =
            given === null ? first : typeof first === 'boolean' ? given === 'true' : given;
    }
}

function addressOf(options, panel) {
    const own = panel === '' ? [] : [[OWN + 'panel', panel], ...wordsOfPanel(panel)];
    if (pinned !== null)
        own.push([OWN + 'pin', wordOfPin()]);
    if (data !== null && chosen.part >= 0)
        own.push([OWN + 'part', String(data.levels[0].shown[chosen.part][NUMBER])]);
    else if (data !== null && chosen.range !== null && chosen.free === null)
        own.push([OWN + 'slices', chosen.range.join('-')], [OWN + 'node', chosen.node]);
    return '#' + new URLSearchParams([...options, ...own]);
}

/* Selects what an address says, as far as that is there. */
function chooseFrom(hash) {
    const words = new URLSearchParams(hash.replace(/^#/, ''));
    takePin(words.get(OWN + 'pin') || '');
    const slices = /^(\d+)-(\d+)$/.exec(words.get(OWN + 'slices') || '');
    const part =
        data.levels[0].shown.findIndex(one => String(one[NUMBER]) === words.get(OWN + 'part'));
    const node = words.get(OWN + 'node') || '';
    chosen.part = part;
    if (slices !== null && Number(slices[1]) >= data.first &&
        Number(slices[2]) < data.first + data.count) {
        chosen.range = [Number(slices[1]), Number(slices[2])];
        chosen.node = node === '' || nodeOf(node) !== undefined ? node : '';
    }
    if (part >= 0)
        makeReachable(part);
    refresh();
}

/* Whether options are of resources alone, which a panel draws, beside a picture of time. */
function isSpatial(options) {
    return options.some(([name, value]) => name === 'kind' && value === 'spatial');
}

function besideSpatial(options) {
    return isSpatial(options) ? options.filter(([name]) => name !== 'kind' && name !== 'view')
                              : options;
}

function optionsOf(hash) {
    const options =
        [...new URLSearchParams(hash.replace(/^#/, ''))].filter(([name]) => !isOwn(name));
    const first = server.entered;
    server.entered = false;
    return besideSpatial(options.length === 0 && first ? server.trace.initial : options);
}

function panelOf(hash) {
    const words = new URLSearchParams(hash.replace(/^#/, ''));
    return words.get(OWN + 'panel') || (isSpatial([...words]) ? 'treemap' : '');
}

/* The options of the address; what is asked for may be others already. */
let placed = [];

/* how: 'push' options onto the history, 'replace' what is there, or 'keep' it as it is. */
function rememberAddress(how, options = placed) {
    placed = options;
    const address = addressOf(options, opened);
    const depth = depthOfHistory();
    if (how === 'push' && address !== location.hash)
        history.pushState({depth: depth + 1}, '', address);
    else if (how === 'replace')
        history.replaceState({depth}, '', address);
    showDepth();
}

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

/* The rule that chose p, '' where something else did. */
function currentRule() {
    const [name, value] = shown.filter(([given]) => DETAILS.includes(given)).pop() || ['p', 'auto'];
    return name === 'p' && value.startsWith('auto') ? value : '';
}

function currentP() {
    return String(data.levels[0].p);
}

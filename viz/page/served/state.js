/* What is shown: a list of options, as of the command line, and the panel that is open. Both are the address. */

/* What says the level comes last, so that another replaces it. */
const DETAILS = ['p', 'p-raw', 'level', 'parts'];
const PLACES = ['from', 'to', 'resource', 'zoom', 'part', 'snap'];

let shown = [];

/* The name of the panel that is open, '' for none. */
let opened = '';

/* Words of the address that are the page's own, and no option. */
const OWN = 'page.';

function addressOf(options, panel) {
    return '#' + new URLSearchParams(panel === '' ? options : [...options, [OWN + 'panel', panel]]);
}

function optionsOf(hash) {
    const options = [...new URLSearchParams(hash.replace(/^#/, ''))].filter(([name]) => !name.startsWith(OWN));
    return options.length > 0 ? options : server.trace.initial;
}

function panelOf(hash) {
    return new URLSearchParams(hash.replace(/^#/, '')).get(OWN + 'panel') || '';
}

/* how: 'push' what is shown onto the history, 'replace' what is there, or 'keep' it as it is. */
function rememberAddress(how) {
    const address = addressOf(shown, opened);
    if (how === 'push' && address !== location.hash)
        history.pushState(null, '', address);
    else if (how === 'replace')
        history.replaceState(null, '', address);
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

function currentP() {
    return String(data.levels[0].p);
}

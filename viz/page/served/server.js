/* Requests to the program that serves the page. */

/* The key of the server comes with the address, once, and is not kept there; other pages of the
 * same server are told it, as it may have begun again. */
const keyPlace = 'ocelotl ' + location.host, others = new BroadcastChannel('ocelotl');

function takeKey() {
    const words = new URLSearchParams(location.hash.replace(/^#/, ''));
    if (words.has('k')) {
        sessionStorage.setItem(keyPlace, words.get('k'));
        others.postMessage(words.get('k'));
        words.delete('k');
        history.replaceState(null, '', '#' + words);
    }
    return sessionStorage.getItem(keyPlace) || '';
}

/* Goes on with another key: with what is shown, where the address says nothing else. */
function goOn(key) {
    sessionStorage.setItem(keyPlace, key);
    if (location.hash.length < 2)
        history.replaceState(null, '', addressOf(shown, opened));
    location.reload();
}

others.addEventListener('message', event => {
    if (event.data !== server.key)
        goOn(event.data);
});

/* Whether this is the address that the program printed: then what its command line says is shown
 * first. Any other address shows what it says, and the bare trace where it says nothing. */
const entered = new URLSearchParams(location.hash.replace(/^#/, '')).has('k');
const server = {
    entered,
    key: takeKey(),
    client: String(Math.floor(Math.random() * 1e12)),
    turn: 0,
    trace: null
};

function pause(milliseconds = 100) {
    return new Promise(done => setTimeout(done, milliseconds));
}

function showProblem(error) {
    const box = document.getElementById('problem');
    box.textContent = error === null ? '' : error.message;
    box.hidden = error === null;
}

/* `sent` is what goes with it: a method, a body and headers of its own. */
async function ask(path, options, more = [], sent = {}) {
    const query = new URLSearchParams([...options, ...more]).toString();
    let response;
    try {
        response = await fetch('/api/v1/' + path + (query === '' ? '' : '?' + query),
            {cache: 'no-store', ...sent, headers: {'X-Ocelotl-Key': server.key, ...sent.headers}});
    } catch (error) {
        throw new Error(
            'The server does not answer: ocelotl-cli serve has ended, or cannot be reached. ' +
            'Start it again with --port ' + location.port + ', and open the address it prints.');
    }
    if (response.status === 204) {
        const late = new Error('Something else was asked for since.');
        late.late = true;
        throw late;
    }
    if (response.ok)
        return response;
    const problem =
        await response.json().catch(() => ({error: 'The server answers ' + response.status + '.'}));
    const failure = new Error(problem.error + (problem.hint ? '\n' + problem.hint : ''));
    failure.status = response.status;
    throw failure;
}

/* Panels below the overview: one is open at a time. A panel is one entry, made by a module of its
 * own:
 *
 *     addPanel({name: 'gantt', title: 'Gantt chart', key: 'g', help: 'its events', follows: true,
 * fill});
 *
 * `name` is its word in the address, `key` opens it from anywhere. `fill(body, options)` puts its
 * content into an element; `options` say what is chosen, as of the command line (chosenPlace). It
 * is called again when something else is chosen where the panel `follows` that, else when something
 * else is shown, but not where the panel has no `place`. What it throws is told in its place. */

const panels = [];

function addPanel(entry) {
    panels.push(entry);
}

/* A panel with a row of fields for choices of its own, which its address holds: `values` are their
 * first ones, `fields(change)` makes them, where change(key) gives what takes a value, and
 * `draw(rows, options, change)` fills what is below. */
function addChoosingPanel({values, fields, draw, ...entry}) {
    const now = keepChoices(entry.name, values);
    addPanel({
        ...entry,
        async fill(body, options) {
            const bar = make('div', 'actions'), rows = make('div');
            const again = () => draw(rows, options, change).then(() => showProblem(null), error => {
                rows.replaceChildren(make('p', 'note', error.message));
            });
            const change = key => value => {
                now[key] = value;
                rememberAddress('push');
                return again();
            };
            bar.append(...fields(change));
            body.append(bar, rows);
            await again();
        }
    });
}

/* Choices as options, without those that are not given. */
function givenOptions(pairs) {
    return pairs.filter(([, value]) => value !== '' && value !== false)
        .map(([name, value]) => [name, value === true ? '' : value]);
}

/* What was awaited last, of an element. */
const awaited = new WeakMap();

/* What a promise gives for an element; null where another one was awaited for it since. */
async function lastFor(element, promise) {
    awaited.set(element, promise);
    const found = await promise;
    return awaited.get(element) === promise ? found : null;
}

const panelBox = {
    region: document.getElementById('details'),
    body: document.getElementById('panel-body'),
    bar: document.getElementById('panel-bar'),
    content: '',
    turn: 0
};

function makePanelBar() {
    for (const entry of panels) {
        const button = makeButton(entry.title, () => togglePanel(entry.name, 'push'));
        button.dataset.panel = entry.name;
        button.title = entry.help + (entry.key ? ' (' + entry.key + ')' : '');
        button.setAttribute('aria-expanded', 'false');
        button.setAttribute('aria-controls', panelBox.region.id);
        panelBox.bar.append(button);
    }
}

function togglePanel(name, how) {
    openPanel(opened === name ? '' : name, how);
}

/* Opens a panel by its name, or closes the open one for ''. */
function openPanel(name, how) {
    const entry = panels.find(one => one.name === name);
    opened = entry === undefined ? '' : name;
    rememberAddress(how);
    panelBox.region.hidden = entry === undefined;
    for (const button of panelBox.bar.children)
        button.setAttribute('aria-expanded', String(button.dataset.panel === opened));
    panelBox.content = '';
    if (entry === undefined)
        return;
    panelBox.region.setAttribute('aria-label', entry.title);
    document.getElementById('panel-title').textContent = entry.title;
    panelBox.body.replaceChildren();
    fillPanel();
    if (how === 'push') {
        panelBox.region.focus({preventScroll: true});
        panelBox.region.scrollIntoView({block: 'nearest'});
    }
}

/* Fills the open panel, where what it shows is no longer what is chosen. */
async function fillPanel() {
    const entry = panels.find(one => one.name === opened);
    if (entry === undefined || data === null || isPanelTyped())
        return;
    const options = entry.follows ? chosenPlace() : shown;
    const content = JSON.stringify([opened, entry.place === false ? [] : options]);
    if (content === panelBox.content)
        return;
    panelBox.content = content;
    const turn = ++panelBox.turn;
    const body = make('div');
    panelBox.region.setAttribute('aria-busy', 'true');
    try {
        await entry.fill(body, options);
    } catch (error) {
        if (error.late)
            panelBox.content = '';
        body.replaceChildren(make('p', 'note', error.message));
    }
    if (turn !== panelBox.turn)
        return;
    if (isPanelTyped())
        panelBox.content = '';
    else
        panelBox.body.replaceChildren(body);
    panelBox.region.setAttribute('aria-busy', 'false');
}

/* Whether a field of the open panel is typed into: then the panel is filled again once that is
 * left. */
function isPanelTyped() {
    const field = document.activeElement;
    return panelBox.body.contains(field) && isTyped(field);
}

panelBox.body.addEventListener('focusout', event => {
    if (!panelBox.body.contains(event.relatedTarget))
        setTimeout(fillPanel);
});

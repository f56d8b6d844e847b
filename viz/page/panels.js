/* Panels below the overview: one is open at a time. A panel is one entry, made by a module of its
 * own:
 *
 *     addPanel({name: 'gantt', title: 'Gantt chart', help: 'its events', follows: true,
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
            const bar = make('div', 'actions'), rows = make('div', 'rows');
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
    close: document.getElementById('panel-close'),
    content: '',
    turn: 0
};

/* What is selected has a place of its own, which panel.js fills. */
addPanel({
    name: 'selection',
    title: 'Selection',
    help: 'what is selected, in numbers, and why it is as it is',
    place: false,
    own: panel,
    fill() {
        delete panel.dataset.content;
        showPanel();
    }
});

function makePanelBar() {
    panels.forEach((entry, index) => {
        const button = makeButton(entry.title, () => togglePanel(entry.name, 'push'));
        button.dataset.panel = entry.name;
        button.id = 'tab-' + entry.name;
        button.title = entry.help + (index < 9 ? ' (' + (index + 1) + ')' : '');
        button.setAttribute('role', 'tab');
        button.setAttribute('aria-selected', 'false');
        button.setAttribute('aria-controls', panelBox.region.id);
        button.tabIndex = index === 0 ? 0 : -1;
        panelBox.bar.append(button);
    });
}

/* Tabs are one stop of the keyboard; arrows go from one to the next. */
panelBox.bar.addEventListener('keydown', event => {
    const tabs = [...panelBox.bar.children], at = tabs.indexOf(event.target);
    const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1}[event.key];
    if (at < 0 || to === undefined)
        return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs[(to + tabs.length) % tabs.length];
    tab.focus();
    if (opened !== '')
        openPanel(tab.dataset.panel, 'replace');
});

function togglePanel(name, how) {
    openPanel(opened === name ? '' : name, how);
}

/* Opens a panel by its name, or closes the open one for ''. */
function openPanel(name, how) {
    const entry = panels.find(one => one.name === name);
    opened = entry === undefined ? '' : name;
    rememberAddress(how);
    panelBox.region.hidden = panelBox.close.hidden = entry === undefined;
    for (const button of panelBox.bar.children) {
        const selected = button.dataset.panel === opened;
        button.setAttribute('aria-selected', String(selected));
        const first = opened === '' && button === panelBox.bar.firstChild;
        button.tabIndex = selected || first ? 0 : -1;
    }
    panelBox.content = '';
    if (entry === undefined)
        return;
    keepLayout({panel: name});
    panelBox.region.setAttribute('aria-labelledby', 'tab-' + name);
    panelBox.region.scrollTop = 0;
    panel.hidden = entry.own !== panel;
    panelBox.body.hidden = entry.own !== undefined;
    panelBox.body.replaceChildren();
    fillPanel();
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
    page.filled();
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

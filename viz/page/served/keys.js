/* Keys: one entry for each thing they do, which the help shows. Arrows and Enter on parts are in input.js. */

const keys = [];

function addKey(names, what, act) {
    keys.push({names, what, act});
}

addKey(['z', 'Enter'], 'zooms into the part or the region that is chosen', zoomIntoChosen);
addKey(['f'], 'folds the node of the part into a leaf, or unfolds it', foldChosen);
addKey(['Backspace'], 'what was shown before, as Esc where nothing is selected', () => page.back());
addKey(['Home'], 'the whole trace', () => show(withoutPlace(), 'push'));
addKey(['[', ']'], 'the next finer, the next coarser level', key => page.step(key === '[' ? -1 : 1));
addKey(['{', '}'], 'the next finer, the next coarser level with a wide plateau', key => stepPlateau(key === '{' ? -1 : 1));
addKey(['w', 'x'], 'zooms time in, out', key => scaleTime(key === 'w' ? 0.5 : 2, 0.5));
addKey([',', '.'], 'moves to earlier, to later time', key => panTime(key === ',' ? -0.25 : 0.25));
addKey(['<', '>'], 'the window before, behind this one', key => panTime(key === '<' ? -1 : 1));
addKey(['u'], 'the resources around those that are shown', () => scaleSpace(false, 0));
addKey(['r'], 'a ruler on, off', toggleRuler);
addKey(['?'], 'these keys', toggleHelp);
for (const entry of panels.filter(one => one.key))
    addKey([entry.key], entry.title + ': ' + entry.help, () => togglePanel(entry.name, 'push'));

document.addEventListener('keydown', event => {
    const entry = keys.find(one => one.names.includes(event.key));
    const on = event.target instanceof Element ? event.target : document.body;
    const taken = event.defaultPrevented || on.closest('dialog') !== null || (event.key === 'Enter' && on.closest('button, a, summary, [data-part]') !== null);
    if (isInField(event) || event.ctrlKey || event.metaKey || event.altKey || entry === undefined || taken || data === null)
        return;
    event.preventDefault();
    entry.act(event.key);
});

const help = document.getElementById('help');

function toggleHelp() {
    if (help.open)
        help.close();
    else
        help.showModal();
}

/* The list of keys, before those that the page has as it comes. */
function listKeys() {
    document.getElementById('keys').prepend(...keys.flatMap(({names, what}) => {
        const term = make('dt');
        for (const name of names)
            term.append(make('kbd', '', name), ' ');
        return [term, make('dd', '', what)];
    }));
}

document.getElementById('help-open').addEventListener('click', toggleHelp);
document.getElementById('help-close').addEventListener('click', toggleHelp);
help.addEventListener('click', event => {
    if (event.target === help)
        help.close();
});
help.addEventListener('keydown', event => {
    if (event.key === '?')
        help.close();
});

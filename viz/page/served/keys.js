/* Keys: one entry for each, which the help shows. Arrows and Enter on parts are in input.js. */

const keys = [];

function addKey(key, what, act) {
    keys.push({key, what, act});
}

addKey('z', 'zooms into the part, or the range of time, that is chosen', zoomIntoChosen);
addKey('Backspace', 'what was shown before', () => history.back());
addKey('Home', 'the whole trace', () => show(withoutPlace(), 'push'));
for (const entry of panels.filter(one => one.key))
    addKey(entry.key, entry.title + ': ' + entry.help, () => togglePanel(entry.name, 'push'));

document.addEventListener('keydown', event => {
    const entry = keys.find(one => one.key === event.key);
    if (isInField(event) || event.ctrlKey || event.metaKey || event.altKey || entry === undefined)
        return;
    event.preventDefault();
    entry.act();
});

/* The list of keys, before those that the page has as it comes. */
function listKeys() {
    const list = document.getElementById('keys');
    const lines = keys.flatMap(({key, what}) => {
        const term = make('dt');
        term.append(make('kbd', '', key));
        return [term, make('dd', '', what)];
    });
    list.prepend(...lines);
}

/* Two selections: A is pinned, B is what is selected. */

/* What is pinned, null for nothing: from when to when, in seconds, the name of a node, and the
 * paths of its resources, '' for all. */
let pinned = null;

function hasChosen() {
    return subject() >= 0 || chosen.range !== null;
}

function placeOfChosen() {
    const part = subject() < 0 ? undefined : data.levels[0].shown[subject()];
    return {window: chosenSlices().map(secondsAt), paths: pathsOfChosen(),
        node: part === undefined ? chosen.node : data.nodes[part[NODE]][PATH]};
}

/* Its slices, whole ones where they are nearly that. */
function slicesOfPlace({window}) {
    return window.map(sliceAt).map(
        slice => Math.abs(slice - Math.round(slice)) < 1e-6 ? Math.round(slice) : slice);
}

function setPin(place) {
    pinned = place;
    rememberAddress('replace');
    showMarks();
    if (opened === 'compare') {
        panelBox.content = '';
        fillPanel();
    }
    announce(place === null ? 'nothing is pinned' : 'A is pinned: ' + nameOfPlace(place));
}

/* Pins what is selected, or gives up what is pinned where that is selected, or nothing. */
function pinChosen() {
    const place = hasChosen() && data.instants.length > 0 ? placeOfChosen() : null;
    setPin(JSON.stringify(place) === JSON.stringify(pinned) ? null : place);
}

/* Before a second one is selected the first is pinned. */
page.pin = () => {
    if (pinned !== null || !hasChosen() || data.instants.length === 0)
        return;
    setPin(placeOfChosen());
    openPanel('compare', 'replace');
};

function nameOfPlace({window, node}) {
    const length = window[1] - window[0];
    return (node || nameOfAll()) + ', ' +
        window.map(time => instantIn(time, length)).join(' \u2013 ');
}

/* In an address: its times, and its node. */
function wordOfPin() {
    return pinned === null ? '' : pinned.window.join(' ') + ' ' + pinned.node;
}

function takePin(word) {
    const [, from, to, name] = /^(\S+) (\S+) (.*)$/.exec(word) || [];
    const window = [Number(from), Number(to)], node = data.nodes.find(one => one[PATH] === name);
    if (word === wordOfPin())
        return;
    pinned = !(window[0] < window[1]) ? null : {window, node: name,
        paths: node === undefined ? '' : pathsOfRows([node[ROW], node[ROW] + node[ROWS] - 1])};
}

page.marks.push(overlay => {
    if (opened === 'gantt' && gantt.window !== '')
        markPlace(overlay, windowOfGantt(), rowsOfPaths(pathsOfChosen()), 'Gantt');
    if (pinned === null || data.instants.length < 2)
        return;
    markPlace(overlay, slicesOfPlace(pinned), rowsOfPaths(pinned.paths), 'A');
    if (hasChosen())
        markPlace(overlay, chosenSlices(), rowsOfPaths(pathsOfChosen()), 'B');
});

addKey(['m'], 'pins what is selected as A, to compare it with what is selected next, B', pinChosen);

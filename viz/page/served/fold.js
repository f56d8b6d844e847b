/* Folding: a node becomes a leaf, as --fold says it on the command line. */

function isFolded(path) {
    return namesOf('fold').includes(path);
}

/* Numbers of parts change with it: a part that was zoomed into becomes its time and resources. */
function toggleFold(path) {
    const zoomed = shown.some(([name]) => name === 'part');
    const kept = (zoomed ? placeOptions(null, '') : placeOf(shown))
        .filter(([name]) => name !== 'fold');
    const values = namesOf('fold').filter(one => one !== path);
    const folds = isFolded(path) ? values : [...values, path];
    show(
        [...folds.map(one => ['fold', spell(one)]), ...kept, ...shown.slice(placeOf(shown).length)],
        'push');
}

/* Folds or unfolds what is chosen; without a choice all that is folded can be unfolded, idle rows
 * by the word none. */
function makeFolds(part) {
    const idle = data.folds.length > 0 ? ['none'] : [];
    if (part === null)
        return [...namesOf('fold'), ...idle].map(path => makeButton(
            path !== 'none' ? 'unfold ' + path
                            : isFolded(path) ? 'fold idle rows' : 'unfold idle rows',
            () => toggleFold(path)));
    const path = data.nodes[part[NODE]][PATH];
    return path === '' ? []
                       : [makeButton(isFolded(path) ? 'unfold' : 'fold', () => toggleFold(path))];
}

function foldChosen() {
    const path = subject() < 0 ? '' : data.nodes[data.levels[0].shown[subject()][NODE]][PATH];
    if (path !== '')
        toggleFold(path);
}

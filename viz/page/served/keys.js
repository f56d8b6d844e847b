/* Keys of a served page, and what its palette can do besides. */

addKey(['o'], 'folds the node of the part into a leaf, or unfolds it', foldChosen);
addKey(['t'], 'strews dots, as dense as what is lost inside of each part, or none', () =>
    setOption('texture', valuesOf('texture').includes('loss') ? [] : ['loss']));
addKey(['r'], 'a ruler on, off', toggleRuler);
addKey(['e'], 'the tree of resources, or none', () => showSide(!layout.tree, true));
addKey(['/', 'Ctrl-K'], '', openPalette, 'looks for commands, options, resources, types and parts');

/* Without a key. */
const press = id => () => document.getElementById(id).click();
addKey([], 'goes forward again', () => history.forward());
addKey([], 'shows what the sentence above the picture says',
    () => said.box.querySelector('button')?.click());
for (const {value, text} of document.getElementById('rule').options)
    if (value !== '')
        addKey([], 'level: ' + text, () => show(withLevel('p', value), 'push'));
addKey([], 'levels, p, curves of gain and loss', press('level-open'));
addKey([], 'this trace: what it is, and the theme', press('title'));
addKey([], 'all options', press('options-open'));
addKey([], 'closes the details', () => openPanel('', 'push'));
addKey([], 'layout: as at first', () => {
    sizeDock(0);
    showSide(false);
});
for (const [theme, text] of [['reader', 'of the system'], ['light', 'light'], ['dark', 'dark']])
    addKey([], 'theme: ' + text, () => chooseTheme(theme));
for (const button of document.querySelectorAll('[data-save]'))
    addKey([], 'saves as ' + button.textContent, () => save(button.dataset.save));
addKey([], 'copies the command', copyCommand);

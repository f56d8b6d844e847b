/* Keys of a served page. */

addKey(['o'], 'folds the node of the part into a leaf, or unfolds it', foldChosen);
addKey(['{', '}'], 'the next finer, the next coarser level with a wide plateau',
    key => stepPlateau(key === '{' ? -1 : 1));
addKey(['t'], 'strews dots, as dense as what is lost inside of each part, or none', () =>
    setOption('texture', valuesOf('texture').includes('loss') ? [] : ['loss']));
addKey(['r'], 'a ruler on, off', toggleRuler);
addKey(['?'], 'these keys', toggleHelp);
addKey([...'123456789'], 'opens or closes the details of that place below',
    key => togglePanel(panels[key - 1].name, 'push'));
addKey(['/'], 'search', () => togglePanel('search', 'push'));

const help = document.getElementById('help');

function toggleHelp() {
    if (help.open)
        help.close();
    else
        help.showModal();
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

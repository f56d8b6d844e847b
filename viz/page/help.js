/* Keys of the page around the picture, and the dialog that shows all keys. */

const help = document.getElementById('help');

addKey(['{'], 'the next finer level with a wide plateau', () => stepPlateau(-1),
    'the next finer, coarser level with a wide plateau');
addKey(['}'], 'the next coarser level with a wide plateau', () => stepPlateau(1),
    'the next finer, coarser level with a wide plateau');
addKey(['?'], 'shows these keys', () => help.showModal());

/* Those of the details have the places of their tabs. */
function addPanelKeys() {
    panels.forEach(({name, title, help: text}, index) => addKey(
        index < 9 ? [String(index + 1)] : [], title + ': ' + text, () => togglePanel(name, 'push'),
        'opens or closes the details of that place'));
}

document.getElementById('help-open').addEventListener('click', () => help.showModal());
document.getElementById('help-close').addEventListener('click', () => help.close());
help.addEventListener('click', event => event.target === help && help.close());
help.addEventListener('keydown', event => event.key === '?' && help.close());

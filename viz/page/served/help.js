/* Keys of the page around the picture, and the dialog that shows all keys. */

addKey(['{', '}'], 'the next finer, the next coarser level with a wide plateau',
    key => stepPlateau(key === '{' ? -1 : 1));
addKey(['?'], 'these keys', toggleHelp);
addKey([...'123456789'], 'opens or closes the details of that place below',
    key => panels[key - 1] && togglePanel(panels[key - 1].name, 'push'));

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

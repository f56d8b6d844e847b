/* What a reader does with the controls, and the beginning. */

page.step = count => goTo(indexOfLevel() + count, 'push');
page.remember = () => { fillPanel(); };

page.actions = part => {
    const row = make('div', 'actions');
    if (part !== null || chosen.range !== null)
        row.append(makeButton(part !== null ? 'zoom' : 'zoom into this time', zoomIntoChosen));
    return row.childElementCount > 0 ? [row] : [];
};

document.getElementById('plots').addEventListener('dblclick', event => {
    const part = event.target.closest('[data-part]');
    if (part !== null)
        zoomInto(Number(part.dataset.part) - 1);
});

slider.addEventListener('input', () => goTo(Number(slider.value), 'replace'));
slider.addEventListener('change', () => goTo(Number(slider.value), 'push'));
document.getElementById('finer').addEventListener('click', () => page.step(-1));
document.getElementById('coarser').addEventListener('click', () => page.step(1));
document.getElementById('p').addEventListener('change', event => show(withLevel('p', event.target.value.trim()), 'push'));
document.getElementById('back').addEventListener('click', () => history.back());
document.getElementById('whole').addEventListener('click', () => show(withoutPlace(), 'push'));
document.getElementById('form').addEventListener('submit', event => event.preventDefault());
document.getElementById('options').addEventListener('toggle', fillOptions);
for (const button of document.querySelectorAll('[data-save]'))
    button.addEventListener('click', () => save(button.dataset.save));
dark.addEventListener('change', () => show(shown, 'keep'));
window.addEventListener('popstate', async () => {
    const hash = location.hash;
    await show(optionsOf(hash), 'keep');
    if (hash === location.hash && panelOf(hash) !== opened)
        openPanel(panelOf(hash), 'keep');
});
document.getElementById('panel-close').addEventListener('click', () => openPanel('', 'push'));

async function begin() {
    const panel = panelOf(location.hash);
    try {
        server.trace = await (await ask('trace', [])).json();
        makePanelBar();
        listKeys();
        makeOptions();
        await show(optionsOf(location.hash), 'replace');
        openPanel(panel, 'replace');
    } catch (error) {
        showProblem(error);
    }
}

begin();

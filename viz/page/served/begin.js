/* What a reader does with the controls, and the beginning. */

page.step = count => goTo(indexOfLevel() + count, 'push');
page.alone = true;
page.back = () => pinned !== null ? setPin(null)
    : opened !== ''               ? openPanel('', 'replace') /* else the next step opens it */
    : isSheet()                   ? showSide(false)
                                  : goBack();
page.enter = zoomInto;
page.remember = () => {
    gantt.window = '';
    rememberAddress('replace');
    fillPanel();
    openForChoice();
};
page.repaint = async () => {
    panelBox.content = known.place = '';
    await show(shown, 'keep');
    findLevels();
    findMinimap();
};
page.where = () => ({resources: namesOf('resource'), parts: valuesOf('part'),
    timed: data.instants.length > 0 &&
        shown.some(([name]) => ['from', 'to', 'part'].includes(name))});

page.actions = part => {
    const row = make('div', 'actions');
    if (part !== null || chosen.range !== null)
        row.append(makeButton(part !== null ? 'zoom' : 'zoom into this time', zoomIntoChosen));
    row.append(...makeFolds(part));
    return row.childElementCount > 0 ? [row] : [];
};

/* While the slider moves, only the last of it goes into the history. */
let sliding = false;
slider.addEventListener('input', () => {
    goTo(levelOfSlider(), sliding ? 'replace' : 'push');
    sliding = true;
});
slider.addEventListener('change', () => { sliding = false; });
for (const name of ['p', 'parts'])
    document.getElementById(name).addEventListener('change', event => {
        const value = event.target.value.trim();
        if (value !== '')
            show(withLevel(name, value), 'push');
    });
document.getElementById('rule').addEventListener('change', event => {
    if (event.target.value !== '')
        show(withLevel('p', event.target.value), 'push');
});
for (const button of document.querySelectorAll('[data-save]'))
    button.addEventListener('click', () => save(button.dataset.save));
window.addEventListener('popstate', async () => {
    const hash = location.hash;
    if (new URLSearchParams(hash.slice(1)).has('k'))
        return goOn(takeKey());
    if (server.trace === null) /* the beginning takes the address that is there then */
        return;
    showDepth();
    await show(optionsOf(hash), 'keep');
    if (hash !== location.hash)
        return;
    if (data === null)
        await showInitial().catch(showProblem);
    if (data === null)
        return;
    chooseFrom(hash);
    const before = String(wordsOfPanel(opened));
    takeChoices(hash);
    if (panelOf(hash) !== opened || String(wordsOfPanel(opened)) !== before)
        openPanel(panelOf(hash), 'keep');
});
document.getElementById('panel-close').addEventListener('click', () => openPanel('', 'push'));

/* An address of another trace: what is wrong with it stays to be read, beside what is shown at
 * first. */
async function showInitial() {
    const box = document.getElementById('problem');
    const problem = box.textContent;
    await show(besideSpatial(server.trace.initial), 'replace');
    if (data === null)
        throw new Error(problem);
    showProblem(new Error('This address does not fit the trace: ' + problem));
}

async function begin() {
    try {
        server.trace = await (await ask('trace', [])).json();
        const hash = location.hash;
        const panel = panelOf(hash) ||
            (server.entered && hash.length < 2 && isSpatial(server.trace.initial) ? 'treemap' : '');
        makePanelBar();
        addPanelKeys();
        readNotes().then(() => data !== null && showMarks()).catch(() => {});
        listKeys();
        makeOptions();
        const turn = server.turn + 1;
        await show(optionsOf(hash), 'replace');
        if (server.turn !== turn) /* another address was gone to meanwhile */
            return;
        if (data === null)
            await showInitial();
        chooseFrom(hash);
        takeChoices(hash);
        openPanel(panel, 'replace');
    } catch (error) {
        showProblem(error);
    }
}

begin();

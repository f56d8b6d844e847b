/* The page around the picture: bars, the tree, the dock and what opens above them. What a reader
 * made of the layout is kept by the browser. */

const stage = document.getElementById('stage'), plots = document.getElementById('plots');

const layout = {tree: false, dock: 0, panel: 'selection',
    ...JSON.parse(localStorage.getItem('ocelotl layout') || '{}')};

function keepLayout(change) {
    Object.assign(layout, change);
    localStorage.setItem('ocelotl layout', JSON.stringify(layout));
}

/* --- The tree */

function showSide(open) {
    const button = document.getElementById('tree-open');
    keepLayout({tree: open});
    document.getElementById('tree').hidden = !open;
    button.setAttribute('aria-expanded', String(open));
}

document.getElementById('tree-open').addEventListener('click', () => showSide(!layout.tree));

/* --- The dock: its height leaves nearly half of the window to the plot, unless it is dragged */

const grip = document.getElementById('grip');

function placeDock() {
    const most = Math.max(80, innerHeight - 260),
          usual = Math.max(120, Math.round(innerHeight * 0.21));
    const height = Math.min(most, layout.dock || usual);
    document.documentElement.style.setProperty('--dock', height + 'px');
    grip.setAttribute('aria-valuenow', String(Math.round(100 * height / innerHeight)));
    return height;
}

function sizeDock(height) {
    keepLayout({dock: Math.max(60, Math.round(height))});
    placeDock();
}

grip.addEventListener('pointerdown', event => {
    const from = event.clientY, height = placeDock();
    const move = moved => {
        if (opened === '')
            openPanel(layout.panel, 'replace');
        sizeDock(height + from - moved.clientY);
    };
    grip.setPointerCapture(event.pointerId);
    grip.addEventListener('pointermove', move);
    grip.addEventListener(
        'lostpointercapture', () => grip.removeEventListener('pointermove', move), {once: true});
});

grip.addEventListener('keydown', event => {
    const by = {ArrowUp: 20, ArrowDown: -20}[event.key];
    if (by === undefined)
        return;
    sizeDock(placeDock() + by);
    event.preventDefault();
    event.stopPropagation();
});

window.addEventListener('resize', placeDock);

/* --- The picture follows its room: stretched at once, drawn anew once that stays */

let resized = 0;
new ResizeObserver(() => {
    clearTimeout(resized);
    resized = setTimeout(fitPicture, 120);
}).observe(plots);

/* --- What opens above the page, and the command */

document.getElementById('copy').addEventListener('click', async event => {
    await navigator.clipboard.writeText(document.getElementById('command').textContent);
    announce('the command is copied');
    event.target.textContent = 'copied';
    setTimeout(() => { event.target.textContent = 'copy'; }, 1500);
});

document.getElementById('options').addEventListener('toggle', event => {
    document.getElementById('options-open').setAttribute(
        'aria-expanded', String(event.newState === 'open'));
    if (event.newState === 'open')
        fillOptions();
});

document.getElementById('options-find').addEventListener('input', event => {
    const sought = event.target.value.trim().toLowerCase();
    for (const label of document.querySelectorAll('#options label'))
        label.hidden = !(label.textContent + ' ' + label.title).toLowerCase().includes(sought);
    for (const group of document.querySelectorAll('#options fieldset'))
        group.hidden = group.querySelector('label:not([hidden])') === null;
});

document.getElementById('forward').addEventListener('click', () => history.forward());

showSide(layout.tree);
placeDock();

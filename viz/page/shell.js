/* The page around the picture: bars and the dock. What a reader made of the layout is kept by the
 * browser, if it keeps anything of a file. */

const stage = document.getElementById('stage'), plots = document.getElementById('plots');

function kept(name) {
    try {
        return localStorage.getItem('ocelotl ' + name);
    } catch {
        return null;
    }
}

function keep(name, text) {
    try {
        localStorage.setItem('ocelotl ' + name, text);
    } catch { /* it is as at first the next time */
    }
}

const layout = {tree: false, dock: 0, panel: 'selection', ...JSON.parse(kept('layout') || '{}')};

function keepLayout(change) {
    Object.assign(layout, change);
    keep('layout', JSON.stringify(layout));
}

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

/* Details open when something is selected, unless it is pressed a second time. */
const OPENS_AFTER = 350; /* milliseconds */
let opening = 0;

function openForChoice() {
    const waits = () => opened === '' && (chosen.part >= 0 || chosen.range !== null);
    clearTimeout(opening);
    if (waits())
        opening = setTimeout(() => waits() && openPanel(layout.panel, 'replace'), OPENS_AFTER);
}

/* --- The command */

async function copyCommand() {
    const button = document.getElementById('copy');
    await navigator.clipboard.writeText(document.getElementById('command').textContent);
    announce('the command is copied');
    button.textContent = 'copied';
    setTimeout(() => { button.textContent = 'copy'; }, 1500);
}

document.getElementById('forward').addEventListener('click', () => history.forward());
document.getElementById('copy').addEventListener('click', copyCommand);

placeDock();

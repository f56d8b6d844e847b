/* What differs between two levels: the one before fades, and parts that were split or joined are
 * outlined for a moment, unless the reader wants nothing to move. */

const CHANGE_SHOWN = 300, MOST_OUTLINED = 1000; /* milliseconds; parts */

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/* What tells a rectangle from others of the same frame. */
function boxOf(part) {
    return [part[NODE], part[FIRST], part[LAST], part.row, part[LEAVES]].join(' ');
}

/* What was drawn before fades, and parts that are new are outlined meanwhile. */
function showChanges(before, old) {
    const {canvas} = current(), level = data.levels[0];
    const known = new Set(before.map(boxOf));
    const changed = level.shown.filter(part => !known.has(boxOf(part)));
    if (canvas === undefined || old === null || stillness.matches || changed.length === 0)
        return;
    const context = old.getContext('2d');
    context.globalAlpha = 1;
    context.strokeStyle = getComputedStyle(canvas).getPropertyValue('--ink');
    context.lineWidth = 2 * Math.max(1, devicePixelRatio);
    for (const part of changed.slice(0, MOST_OUTLINED)) {
        const edges = edgesOf(level, part, canvas.width, canvas.height);
        if (edges !== null)
            context.strokeRect(...edges);
    }
    old.dataset.changed = String(changed.length);
    for (const other of canvas.parentNode.querySelectorAll('canvas[data-changed]'))
        other.remove();
    canvas.after(old);
    requestAnimationFrame(() => old.classList.add('fading'));
    setTimeout(() => old.remove(), CHANGE_SHOWN);
}

/* A picture of what is drawn. */
function copyCanvas(canvas) {
    const copy = make('canvas');
    copy.width = canvas.width;
    copy.height = canvas.height;
    copy.getContext('2d').drawImage(canvas, 0, 0);
    return copy;
}

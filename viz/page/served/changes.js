/* What differs between two levels: parts that were split or joined are outlined for a moment,
 * unless the reader wants nothing to move. */

const CHANGE_SHOWN = 300; /* milliseconds */

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/* What tells a rectangle from others of the same frame. */
function boxOf(part) {
    return [part[NODE], part[FIRST], part[LAST], part.row, part[LEAVES]].join(' ');
}

/* Outlines what is shown now and was not among these parts, on a canvas of its own. */
function showChanges(before) {
    const {canvas} = current(), level = data.levels[0];
    const known = new Set(before.map(boxOf));
    const changed = level.shown.filter(part => !known.has(boxOf(part)));
    if (canvas === undefined || stillness.matches || changed.length === 0)
        return;
    const marks = canvas.cloneNode();
    const context = marks.getContext('2d');
    context.strokeStyle = getComputedStyle(canvas).getPropertyValue('--ink');
    context.lineWidth = 2 * Math.max(1, devicePixelRatio);
    for (const part of changed) {
        const [x, y, width, height] = edgesOf(level, part, canvas.width, canvas.height);
        context.strokeRect(x, y, width, height);
    }
    marks.dataset.changed = String(changed.length);
    for (const other of canvas.parentNode.querySelectorAll('canvas[data-changed]'))
        other.remove();
    canvas.after(marks);
    setTimeout(() => marks.remove(), CHANGE_SHOWN);
}

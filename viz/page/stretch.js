/* Pictures of a fixed size fill their room: they are stretched, and letters keep their shape. */

/* How much wider and higher the current picture is seen than it was drawn. */
function stretchOf(svg) {
    const seen = svg.getBoundingClientRect(), {width, height} = svg.viewBox.baseVal;
    return seen.width > 0 ? [seen.width / width, seen.height / height] : [1, 1];
}

function keepShape(text, [across, down]) {
    const base = text.dataset.base ??= text.getAttribute('transform') || '';
    text.setAttribute('transform', base);
    const matrix = base === '' ? new DOMMatrix() : text.transform.baseVal.consolidate().matrix;
    const place = new DOMPoint(Number(text.getAttribute('x')), Number(text.getAttribute('y')));
    const {x, y} = place.matrixTransform(DOMMatrix.fromMatrix(matrix));
    text.setAttribute('transform', 'translate(' + x + ' ' + y + ') scale(' + 1 / across + ' ' +
        1 / down + ') translate(' + -x + ' ' + -y + ') ' + base);
}

/* Letters as they came, of a picture that is to be changed. */
function releaseLetters(svg) {
    for (const text of svg.querySelectorAll('text[data-base]')) {
        text.setAttribute('transform', text.dataset.base);
        text.textContent = text.dataset.full ?? text.textContent;
        text.removeAttribute('visibility');
        delete text.dataset.base;
        delete text.dataset.full;
    }
}

/* As much of a name as there is room for. */
function shorten(name, room) {
    const most = Math.floor(name.length * room / widthOf(name)) - 1;
    return widthOf(name) <= room ? name : most < 2 ? '' : name.slice(0, most) + '…';
}

/* A name of the hierarchy stands upright in the box before it, or along what is higher than wide;
 * as much of it as there is room for. */
function placeName(text, [across, down]) {
    const box = text.previousElementSibling, of = name => Number(box.getAttribute(name));
    const wide = of('width') * across, high = of('height') * down;
    const full = text.dataset.full ??= text.textContent;
    const upright = wide >= high || widthOf(full) + 8 <= wide;
    const x = of('x') + (upright ? 5 / across : of('width') / 2 + 3.5 / across),
          y = of('y') + of('height') / 2 + (upright ? 4 / down : 0);
    text.setAttribute('x', x);
    text.setAttribute('y', y);
    text.setAttribute('text-anchor', upright ? 'start' : 'middle');
    text.dataset.base = upright ? '' : 'rotate(-90 ' + x + ' ' + y + ')';
    text.textContent =
        (upright ? high : wide) < 10 ? '' : shorten(full, (upright ? wide : high) - 6);
}

/* Labels of the axis that would touch the one before are not seen. */
function thinLabels(svg, [across]) {
    let end = -Infinity;
    for (const text of svg.querySelectorAll(':scope > .axis > text')) {
        const half = widthOf(text.textContent) / 2, x = Number(text.getAttribute('x')) * across;
        text.setAttribute('visibility', x - half < end ? 'hidden' : 'visible');
        end = x - half < end ? end : x + half + 6;
    }
}

/* In its room, or in one of a size. */
function stretchPicture(svg, by = stretchOf(svg)) {
    svg.setAttribute('preserveAspectRatio', 'none');
    for (const text of svg.querySelectorAll(':scope > .hierarchy > rect + text'))
        placeName(text, by);
    for (const text of svg.querySelectorAll('text'))
        keepShape(text, by);
    thinLabels(svg, by);
}

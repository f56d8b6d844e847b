/* Parts drawn here, as viz/overview/views/block_views.c draws them, on a canvas below the picture
 * around them. A part that is drawn has, beside what data.js says, its first row, whether it is
 * cut, and how dense its texture is. */

const BORDERED_FROM = 3, PALE = 0.4; /* as there */

/* The edges of a part in a plot of a size, whole pixels as the library rounds them; null outside of
 * what is shown. */
function edgesOf(level, part, width, height) {
    const across = slice => Math.round((slice - data.first) / data.count * width);
    const down = row => Math.round(downTo(row) * height);
    const row = Math.max(part.row, level.row);
    const first = Math.max(part[FIRST], data.first),
          end = Math.min(part[LAST] + 1, data.first + data.count);
    const top = Math.max(row, data.row),
          bottom = Math.min(row + part[LEAVES], data.row + data.leaves);
    if (first >= end || top >= bottom)
        return null;
    const x = Math.min(across(first), width - 1), y = Math.min(down(top), height - 1);
    return [x, y, Math.max(1, across(end) - x), Math.max(1, down(bottom) - y)];
}

/* --- Drawing */

/* A colour of a picture or of a type, which may be a variable of the style. */
function colourOf(canvas, colour) {
    const name = /^var\((--[^)]+)\)$/.exec(colour);
    return name === null ? colour : getComputedStyle(canvas).getPropertyValue(name[1]);
}

/* The colour of a part and its opacity: those of its picture, else of its first type. */
function lookOf(part) {
    if (part.look !== undefined)
        return part.look;
    return part[SHARES].length > 0 ? [data.types[part[SHARES][0]][1], part.opacity] : ['', 0];
}

function drawMarks(context, marks, ink) {
    context.strokeStyle = ink;
    context.globalAlpha = 0.5;
    context.beginPath();
    for (const [x, y, width, height, cross] of marks) {
        context.moveTo(x, y + height);
        context.lineTo(x + width, y);
        if (cross) {
            context.moveTo(x, y);
            context.lineTo(x + width, y + height);
        }
    }
    context.stroke();
}

/* --- Texture: the dots of oc_dots (viz/scene/scene.c), in the pixels of the picture */

const CELL = 5, DOT = 2;

function thresholdOf(column, row) {
    const value = column * 0.7548776662466927 + row * 0.5698402909980532 + 0.5;
    return value - Math.floor(value);
}

function dotIn(column, row) {
    let hash = (Math.imul(column, 0x9E3779B1) ^ Math.imul(row, 0x85EBCA77)) >>> 0;
    hash = Math.imul(hash ^ hash >>> 15, 0x2C1B3C6D) >>> 0;
    hash = (hash ^ hash >>> 13) >>> 0;
    return [column * CELL + hash % (CELL - DOT), row * CELL + (hash >>> 8) % (CELL - DOT)];
}

/* Of what is seen, black or white, whichever stands out. */
function inkOn(colour, share, paper) {
    const channels = text => [1, 3, 5].map(at => parseInt(text.trim().slice(at, at + 2), 16) / 255);
    const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const [over, under] = [channels(colour), channels(paper)];
    const [red, green, blue] =
        over.map((value, i) => linear(share * value + (1 - share) * under[i]));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

/* `place` is where the part is, in pixels of the canvas. */
function drawDots(context, level, density, [x, y, across, down], ink) {
    const [left, top, width] = level.frame, scale = context.canvas.width / width;
    const from = [left + x / scale, top + y / scale],
          to = [from[0] + across / scale, from[1] + down / scale];
    context.globalAlpha = 0.6;
    context.fillStyle = ink;
    for (let row = Math.floor(from[1] / CELL); row * CELL < to[1]; row++)
        for (let column = Math.floor(from[0] / CELL); column * CELL < to[0]; column++) {
            const [dotX, dotY] = dotIn(column, row);
            if (thresholdOf(column, row) < density && dotX >= from[0] && dotY >= from[1] &&
                dotX + DOT <= to[0] && dotY + DOT <= to[1])
                context.fillRect(
                    (dotX - left) * scale, (dotY - top) * scale, DOT * scale, DOT * scale);
        }
}

function drawParts(canvas, level) {
    const context = canvas.getContext('2d');
    const {width, height} = canvas;
    const colours = new Map();
    const style = getComputedStyle(canvas);
    const wide = width / data.count, marks = [];
    const high = height / heightOf(data);
    context.clearRect(0, 0, width, height);
    for (const part of level.shown) {
        const edges = edgesOf(level, part, width, height);
        if (edges === null)
            continue;
        let [x, y, across, down] = edges;
        const [name, share] = lookOf(part);
        if (!colours.has(name))
            colours.set(name, colourOf(canvas, name));
        const colour = colours.get(name);
        const line = wide * (part[LAST] - part[FIRST] + 1) >= BORDERED_FROM,
              rows = edgeAbove(part.row + part[LEAVES], data) - edgeAbove(part.row, data),
              below = high * rows >= BORDERED_FROM;
        if (share < PALE && (line || below)) {
            context.globalAlpha = 1;
            context.fillStyle = style.getPropertyValue('--rule');
            if (line)
                context.fillRect(x + across - 1, y, 1, down);
            if (below)
                context.fillRect(x, y + down - 1, across, 1);
        }
        across -= line && across > 1 ? 1 : 0;
        down -= below && down > 1 ? 1 : 0;
        if (share > 0) {
            context.globalAlpha = share * page.strength(part);
            context.fillStyle = colour;
            context.fillRect(x, y, across, down);
        }
        if (part.density > 0)
            drawDots(context, level, part.density, [x, y, across, down],
                inkOn(share > 0 ? colour : '#ffffff', share, style.getPropertyValue('--paper')));
        if (part[PARTS] > 1 && !isInFold(part.row, part[LEAVES]))
            marks.push([x, y, across, down, part.cut]);
    }
    drawMarks(context, marks, style.getPropertyValue('--ink'));
}

/* --- The canvas is below the picture, and holds as many pixels as the screen shows of it */

/* Makes what is as white as the paper clear. */
function clearPaper(svg) {
    const paper = svg.querySelector('rect[width="100%"]').getAttribute('fill');
    for (const one of svg.querySelectorAll(
             'rect[fill="' + paper + '"], path[fill="' + paper + '"]'))
        one.setAttribute('fill', 'none');
}

function placeCanvas(plot, svg, level) {
    const [left, top, width, height] = level.frame;
    const {width: wide, height: high} = svg.viewBox.baseVal;
    const canvas = make('canvas');
    const scale = Math.min(
        4, Math.max(1, (svg.getBoundingClientRect().width || wide) / wide * devicePixelRatio));
    canvas.setAttribute('aria-hidden', 'true');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const clip = make('div', 'clip');
    for (const [side, share] of [['left', left / wide], ['top', top / high],
             ['width', width / wide], ['height', height / high]])
        clip.style[side] = share * 100 + '%';
    clip.append(canvas);
    plot.classList.add('drawn');
    plot.prepend(clip);
    clearPaper(svg);
    return canvas;
}

/* The one part that the keyboard reaches; it moves. */
function makeReach(svg) {
    const reach = document.createElementNS(svg.namespaceURI, 'rect');
    reach.setAttribute('class', 'reach');
    reach.setAttribute('fill', 'none');
    reach.setAttribute('pointer-events', 'none');
    return reach;
}

function moveReach(picture, part) {
    const box = picture.boxes[part];
    if (box === undefined)
        return undefined;
    if (picture.reach.parentNode === null)
        picture.svg.insertBefore(picture.reach, picture.overlay);
    for (const side of ['x', 'y', 'width', 'height'])
        picture.reach.setAttribute(side, box[side]);
    picture.reach.dataset.part = part + 1;
    return picture.reach;
}

function boxesOf(level) {
    const [left, top, width, height] = level.frame;
    return level.shown.map(part => {
        const edges = edgesOf(level, part, width, height);
        return edges === null
            ? undefined
            : {x: left + edges[0], y: top + edges[1], width: edges[2], height: edges[3]};
    });
}

/* A picture whose parts are drawn here. */
function drawnPicture(level, plot, svg) {
    const picture = {canvas: placeCanvas(plot, svg, level), reach: makeReach(svg)};
    picture.peek = part =>
        picture.reach.dataset.part === String(part + 1) ? picture.reach : undefined;
    picture.elementOf = part => moveReach(picture, part);
    picture.redraw = () => {
        picture.boxes = boxesOf(data.levels[chosen.level]);
        drawParts(picture.canvas, data.levels[chosen.level]);
    };
    return picture;
}

/* --- Hover asks nobody */

const hover = make('div', 'hover');
hover.hidden = true;
document.body.append(hover);

/* One line at the pointer; none for ''. */
function showHover(event, text) {
    hover.hidden = text === '';
    hover.textContent = text;
    moveHover(event);
}

/* Where the pointer is in the picture, null elsewhere. */
let pointer = null;

document.getElementById('plots').addEventListener('pointermove', event => {
    pointer = [event.clientX, event.clientY];
    const picture = current();
    const part = picture === undefined || picture.canvas === undefined || event.buttons !== 0 ? -1
        : partAt(...Object.values(placeIn(picture.svg, event)));
    showHover(event, part < 0 ? '' : factsOfPart(part).join(' · '));
});

document.getElementById('plots').addEventListener('pointerleave', () => {
    pointer = null;
    hover.hidden = true;
});

/* Another picture is below a pointer that rests: what is said there is said anew. */
function pointAgain() {
    if (pointer === null || drag !== null)
        return;
    const [clientX, clientY] = pointer, plots = document.getElementById('plots');
    const on = document.elementFromPoint(clientX, clientY), inside = plots.contains(on);
    (inside ? on : plots).dispatchEvent(new PointerEvent(
        inside ? 'pointermove' : 'pointerleave', {bubbles: inside, clientX, clientY}));
}

function moveHover(event) {
    const left = Math.min(event.clientX + 14, innerWidth - hover.offsetWidth - 8);
    hover.style.left = Math.max(0, left) + 'px';
    hover.style.top = Math.max(0, event.clientY - hover.offsetHeight - 10) + 'px';
}

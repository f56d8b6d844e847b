/* Parts drawn here, from rectangles that come as bytes (include/ocelotl/records.h): the picture around them is the
 * library's, and no p changes it. */

const HEADER = 64, RECORD = 16, MERGED = 1, CUT = 2, SIBLINGS = 4, NO_TYPE = 255, PARENT = 4;
const BORDERED_FROM = 3, PALE = 0.4; /* as in viz/overview/views/block_views.c */

/* --- Nodes: columns, a page at a time */

function readNodes(nodes, bytes) {
    const view = new DataView(bytes);
    const word = at => view.getUint32(at, true);
    const first = word(0), count = word(4), letters = new TextDecoder();
    let at = HEADER / 2 + 14 * count;
    for (let kinds = word(16); kinds > 0; at++)
        kinds -= view.getUint8(at) === 0 ? 1 : 0;
    let path = new Uint8Array(0);
    for (let i = 0; i < count; i++) {
        const same = view.getUint16(at, true), rest = view.getUint16(at + 2, true);
        const next = new Uint8Array(same + rest);
        next.set(path.subarray(0, same));
        next.set(new Uint8Array(bytes, at + 4, rest), same);
        path = next;
        at += 4 + rest;
        const column = which => word(HEADER / 2 + 4 * (which * count + i));
        nodes[first + i] = [letters.decode(path), column(2), column(1),
            view.getUint16(HEADER / 2 + 12 * count + 2 * i, true) >> 15, column(0)];
    }
    return word(8);
}

/* Of each node what region.js knows, and its parent. */
async function getNodes(options, more) {
    const nodes = [];
    let next = 0;
    do
        next = readNodes(nodes, await (await ask('nodes', options, [...more, ['next', String(next)]])).arrayBuffer());
    while (next > 0);
    return nodes;
}

/* --- Rectangles */

/* A rectangle as the parts of data.js; gain, loss and all types are asked for once it is chosen. */
function readPart(view, at, number, frame, typeOf) {
    const flags = view.getUint16(at + 14, true), type = view.getUint8(at + 12), top = view.getUint32(at, true);
    const part = [(flags & SIBLINGS) > 0 ? frame.nodes[top][PARENT] : top, view.getUint16(at + 4, true),
        view.getUint16(at + 6, true), view.getUint32(at + 8, true), flags >> 3, NaN, NaN,
        type === NO_TYPE ? [] : [typeOf[type], view.getUint8(at + 13) / 255], number];
    part.row = frame.nodes[top][ROW];
    part.cut = (flags & CUT) > 0;
    part.density = 0;
    return part;
}

/* A level as data.js has it, of a frame whose nodes are known. */
function readRecords(frame, bytes) {
    const view = new DataView(bytes);
    const drawn = view.getUint32(8, true), typeOf = [];
    const [wholeGain, wholeLoss] = frame.whole;
    const bits = [view.getFloat64(40, true), view.getFloat64(48, true)];
    const level = {number: 0, p: view.getFloat64(16, true), from: view.getFloat64(24, true), to: view.getFloat64(32, true),
        parts: view.getUint32(4, true), auto: false, frame: frame.levels[0].frame, shown: [], bits,
        gain: wholeGain > 0 ? bits[0] / wholeGain : 0, loss: wholeLoss > 0 ? bits[1] / wholeLoss : 0,
        row: view.getUint32(56, true), rows: view.getUint32(60, true)};
    for (let type = 0; type < NO_TYPE; type++)
        typeOf.push(frame.order.length);
    frame.order.forEach((type, index) => { typeOf[type] = index; });
    for (let i = 0; i < drawn; i++)
        level.shown.push(readPart(view, HEADER + RECORD * i, view.getUint32(HEADER + RECORD * drawn + 4 * i, true), frame,
            typeOf));
    const densities = HEADER + (RECORD + 4) * drawn;
    for (let i = 0; i < drawn && bytes.byteLength > densities; i++)
        level.shown[i].density = view.getUint8(densities + i) / 255;
    return level;
}

/* The edges of a part in a plot of a size, whole pixels as the library rounds them. */
function edgesOf(level, part, width, height) {
    const across = slice => Math.round((slice - data.first) / data.count * width);
    const row = Math.max(part.row, level.row);
    const down = rows => Math.round((row + rows - level.row) / level.rows * height);
    const x = Math.min(across(part[FIRST]), width - 1), y = Math.min(down(0), height - 1);
    return [x, y, Math.max(1, across(part[LAST] + 1) - x), Math.max(1, down(part[LEAVES]) - y)];
}

/* --- Drawing */

function colourOf(canvas, type) {
    const colour = data.types[type][1];
    const name = /^var\((--[^)]+)\)$/.exec(colour);
    return name === null ? colour : getComputedStyle(canvas).getPropertyValue(name[1]);
}

/* Of a type that is lit the share, of others nothing; see light.js. */
function strengthOf(part, type) {
    const [first, share] = part[SHARES];
    return type < 0 ? 1 : 0.1 + 0.9 * (first === type ? share : 0);
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
    const [red, green, blue] = over.map((value, i) => linear(share * value + (1 - share) * under[i]));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

/* `place` is where the part is, in pixels of the canvas. */
function drawDots(context, level, density, [x, y, across, down], ink) {
    const [left, top, width] = level.frame, scale = context.canvas.width / width;
    const from = [left + x / scale, top + y / scale], to = [from[0] + across / scale, from[1] + down / scale];
    context.globalAlpha = 0.6;
    context.fillStyle = ink;
    for (let row = Math.floor(from[1] / CELL); row * CELL < to[1]; row++)
        for (let column = Math.floor(from[0] / CELL); column * CELL < to[0]; column++) {
            const [dotX, dotY] = dotIn(column, row);
            if (thresholdOf(column, row) < density && dotX >= from[0] && dotY >= from[1] && dotX + DOT <= to[0] &&
                dotY + DOT <= to[1])
                context.fillRect((dotX - left) * scale, (dotY - top) * scale, DOT * scale, DOT * scale);
        }
}

function drawParts(canvas, level) {
    const context = canvas.getContext('2d');
    const {width, height} = canvas;
    const colours = data.types.map((type, index) => colourOf(canvas, index));
    const style = getComputedStyle(canvas);
    const wide = width / data.count, high = height / level.rows, marks = [];
    const type = lit === '' ? -1 : data.types.findIndex(([name]) => name === lit);
    context.clearRect(0, 0, width, height);
    for (const part of level.shown) {
        let [x, y, across, down] = edgesOf(level, part, width, height);
        const strength = strengthOf(part, type), share = part[SHARES].length > 0 ? part[SHARES][1] : 0;
        const line = wide * (part[LAST] - part[FIRST] + 1) >= BORDERED_FROM, below = high * part[LEAVES] >= BORDERED_FROM;
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
            context.globalAlpha = share * strength;
            context.fillStyle = colours[part[SHARES][0]];
            context.fillRect(x, y, across, down);
        }
        if (part.density > 0)
            drawDots(context, level, part.density, [x, y, across, down],
                inkOn(share > 0 ? colours[part[SHARES][0]] : '#ffffff', share, style.getPropertyValue('--paper')));
        if (part[PARTS] > 1)
            marks.push([x, y, across, down, part.cut]);
    }
    drawMarks(context, marks, style.getPropertyValue('--ink'));
}

/* --- The canvas is below the picture, and holds as many pixels as the screen shows of it */

/* Makes what is as white as the paper clear. */
function clearPaper(svg) {
    const paper = svg.querySelector('rect[width="100%"]').getAttribute('fill');
    for (const one of svg.querySelectorAll('rect[fill="' + paper + '"], path[fill="' + paper + '"]'))
        one.setAttribute('fill', 'none');
}

function placeCanvas(plot, svg, level) {
    const [left, top, width, height] = level.frame;
    const {width: wide, height: high} = svg.viewBox.baseVal;
    const canvas = make('canvas');
    const scale = Math.min(4, Math.max(1, (svg.getBoundingClientRect().width || wide) / wide * devicePixelRatio));
    canvas.setAttribute('aria-hidden', 'true');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    for (const [side, share] of [['left', left / wide], ['top', top / high], ['width', width / wide],
        ['height', height / high]])
        canvas.style[side] = share * 100 + '%';
    plot.classList.add('drawn');
    plot.prepend(canvas);
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
        const [x, y, across, down] = edgesOf(level, part, width, height);
        return {x: left + x, y: top + y, width: across, height: down};
    });
}

page.draw = (level, plot, svg) => {
    if (data.around === undefined)
        return null;
    const picture = {canvas: placeCanvas(plot, svg, level), reach: makeReach(svg)};
    picture.peek = part => picture.reach.dataset.part === String(part + 1) ? picture.reach : undefined;
    picture.elementOf = part => moveReach(picture, part);
    picture.redraw = () => {
        picture.boxes = boxesOf(data.levels[0]);
        drawParts(picture.canvas, data.levels[0]);
    };
    return picture;
};

/* --- What a part holds, asked for once it is chosen */

async function getBox(part) {
    const more = [['row', String(part.row)], ['rows', String(part[LEAVES])], ['first', String(part[FIRST])],
        ['last', String(part[LAST])], ['run', server.trace.run]];
    const {order} = data;
    const answer = await (await ask('box', [...placeOf(shown), ['p', currentP()]], more)).json();
    const shares = new Map();
    for (const [type, share] of answer.shares) {
        const index = order.indexOf(type);
        const known = index < 0 ? order.length : index;
        shares.set(known, (shares.get(known) || 0) + share);
    }
    [part[GAIN], part[LOSS]] = [answer.gain, answer.loss];
    part[SHARES] = [...shares].sort((a, b) => b[1] - a[1]).flat();
    delete panel.dataset.content;
}

let asked = null;

page.complete = () => {
    const part = subject() < 0 ? undefined : data.levels[0].shown[subject()];
    if (part === undefined || data.coarse || !Number.isNaN(part[GAIN]) || asked === part)
        return;
    asked = part;
    getBox(part).then(refresh, error => { asked = null; error.late || showProblem(error); });
};

/* --- Hover asks nobody */

const hover = make('div', 'hover');
let hovered = null; /* the part that it describes */
hover.hidden = true;
document.body.append(hover);

document.getElementById('plots').addEventListener('pointermove', event => {
    const picture = current();
    const part = picture === undefined || picture.canvas === undefined || event.buttons !== 0 ? -1
        : partAt(...Object.values(placeIn(picture.svg, event)));
    hover.hidden = part < 0;
    if (part < 0 || hovered === data.levels[0].shown[part])
        return moveHover(event);
    hovered = data.levels[0].shown[part];
    hover.textContent = factsOfPart(part).join('\n');
    return moveHover(event);
});

document.getElementById('plots').addEventListener('pointerleave', () => { hover.hidden = true; });

function moveHover(event) {
    const left = Math.min(event.clientX + 14, innerWidth - hover.offsetWidth - 8);
    hover.style.left = Math.max(0, left) + 'px';
    hover.style.top = Math.max(0, event.clientY - hover.offsetHeight - 10) + 'px';
}

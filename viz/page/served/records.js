/* Parts that come as bytes (include/ocelotl/records.h): the picture around them is the library's,
 * and no p changes it. */

const HEADER = 64, NODES = 32, RECORD = 16, NO_TYPE = 255, PARENT = 4;
const MERGED = 1, CUT = 2, SIBLINGS = 4;

/* --- Nodes: columns, a page at a time */

function readNodes(nodes, bytes) {
    const view = new DataView(bytes);
    const word = at => view.getUint32(at, true);
    const first = word(0), count = word(4), letters = new TextDecoder();
    let at = NODES + 14 * count;
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
        const column = which => word(NODES + 4 * (which * count + i));
        nodes[first + i] = [letters.decode(path), column(2), column(1),
            view.getUint16(NODES + 12 * count + 2 * i, true) >> 15, column(0)];
    }
    return word(8);
}

/* Of each node what region.js knows, and its parent. */
async function getNodes(options, more) {
    const nodes = [];
    let next = 0;
    do
        next = readNodes(nodes,
            await (await ask('nodes', options, [...more, ['next', String(next)]])).arrayBuffer());
    while (next > 0);
    return nodes;
}

/* --- Rectangles */

/* A share of whole percents and hundredths; some is never none, and less than all never all. */
function shareOf(percents, hundredths) {
    return hundredths === 100 ? 0.999999 : (100 * percents + hundredths) / 10000 || 0.000001;
}

/* A rectangle as the parts of data.js; gain, loss and all types are asked for once it is chosen. */
function readPart(view, at, number, [rest, opacity], frame, typeOf) {
    const flags = view.getUint16(at + 14, true), type = view.getUint8(at + 12),
          top = view.getUint32(at, true);
    const part = [
        (flags & SIBLINGS) > 0 ? frame.nodes[top][PARENT] : top, view.getUint16(at + 4, true),
        view.getUint16(at + 6, true), view.getUint32(at + 8, true), flags >> 3, NaN, NaN,
        type === NO_TYPE ? [] : [typeOf[type], shareOf(view.getUint8(at + 13), rest)], number
    ];
    part.row = frame.nodes[top][ROW];
    part.cut = (flags & CUT) > 0;
    part.density = 0;
    part.opacity = opacity / 255;
    return part;
}

/* A level as data.js has it, of a frame whose nodes are known. */
function readRecords(frame, bytes) {
    const view = new DataView(bytes);
    const drawn = view.getUint32(8, true), typeOf = [];
    const [wholeGain, wholeLoss] = frame.whole;
    const bits = [view.getFloat64(40, true), view.getFloat64(48, true)];
    const level = {
        number: 0,
        p: view.getFloat64(16, true),
        from: view.getFloat64(24, true),
        to: view.getFloat64(32, true),
        parts: view.getUint32(4, true),
        auto: false,
        frame: frame.levels[0].frame,
        shown: [],
        bits,
        gain: wholeGain > 0 ? bits[0] / wholeGain : 0,
        loss: wholeLoss > 0 ? bits[1] / wholeLoss : 0,
        row: view.getUint32(56, true),
        rows: view.getUint32(60, true)
    };
    for (let type = 0; type < NO_TYPE; type++)
        typeOf.push(frame.order.length);
    frame.order.forEach((type, index) => { typeOf[type] = index; });
    for (let i = 0; i < drawn; i++)
        level.shown.push(readPart(view, HEADER + RECORD * i,
            view.getUint32(HEADER + RECORD * drawn + 4 * i, true),
            [4, 5].map(behind => view.getUint8(HEADER + (RECORD + behind) * drawn + i)), frame,
            typeOf));
    const words = HEADER + (RECORD + 6) * drawn;
    const densities = words + 2 + view.getUint16(words, true);
    level.shades = new TextDecoder().decode(bytes.slice(words + 2, densities));
    for (let i = 0; i < drawn && bytes.byteLength > densities; i++)
        level.shown[i].density = view.getUint8(densities + i) / 255;
    return level;
}

page.draw = (level, plot, svg) => data.around === undefined ? null : drawnPicture(level, plot, svg);

/* --- What a part holds, asked for once it is chosen */

async function getBox(part) {
    const more = [
        ['row', String(part.row)], ['rows', String(part[LEAVES])], ['first', String(part[FIRST])],
        ['last', String(part[LAST])], ['run', server.trace.run]
    ];
    const {order} = data;
    const answer = await (await ask('box', [...placeOf(shown), ['p', currentP()]], more)).json();
    const shares = new Map();
    for (const [type, share] of answer.shares) {
        const index = order.indexOf(type);
        const known = index < 0 ? order.length : index;
        shares.set(known, (shares.get(known) || 0) + share);
    }
    [part[GAIN], part[LOSS]] = [answer.gain, answer.loss];
    const drawn = part[SHARES][0]; /* stays the first: its colour is that of the part */
    part[SHARES] = [...shares].sort(
        (a, b) => (b[0] === drawn) - (a[0] === drawn) || b[1] - a[1]).flat();
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

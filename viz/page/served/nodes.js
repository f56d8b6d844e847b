/* Nodes of a hierarchy, as the server has them: columns of bytes, a page at a time (ocelotl/records.h). */

/* Nodes as [path, rows, first row, alike, parent], in the order of drawing. */
async function getNodes(options) {
    const nodes = [];
    let next = 0;
    do {
        const response = await ask('nodes', options, [['next', String(next)]]);
        next = readNodes(nodes, new DataView(await response.arrayBuffer()));
    } while (next > 0);
    return nodes;
}

/* Adds a page of nodes to a list, and gives the node to ask for next, 0 where there are no more. */
function readNodes(nodes, bytes) {
    const HEADER = 32;
    const word = at => bytes.getUint32(at, true);
    const count = word(4), kinds = word(16), rows = HEADER + 4 * count;
    const texts = new TextDecoder();
    let at = HEADER + 14 * count;
    for (let kind = 0; kind < kinds; at++)
        kind += bytes.getUint8(at) === 0 ? 1 : 0;
    let before = new Uint8Array(0);
    for (let i = 0; i < count; i++) {
        const same = bytes.getUint16(at, true), more = bytes.getUint16(at + 2, true);
        const path = new Uint8Array(same + more);
        path.set(before.subarray(0, same));
        path.set(new Uint8Array(bytes.buffer, bytes.byteOffset + at + 4, more), same);
        const alike = (bytes.getUint16(HEADER + 12 * count + 2 * i, true) & 0x8000) !== 0;
        nodes.push([texts.decode(path), word(rows + 4 * count + 4 * i), word(rows + 4 * i), alike,
            word(HEADER + 4 * i)]);
        before = path;
        at += 4 + more;
    }
    return word(8);
}

/* The nodes of what is shown can be chosen once they are there; until then those of its parts. */
async function findNodes() {
    const wanted = JSON.stringify(placeOf(shown));
    known_nodes.all = null;
    const nodes = await getNodes(placeOf(shown)).catch(() => null);
    if (nodes !== null && wanted === JSON.stringify(placeOf(shown)))
        known_nodes.all = nodes.filter(node => !node[ALIKE]);
}

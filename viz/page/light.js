/* A type that is lit: parts stand back as far as they have nothing of it. */

let lit = '';

/* Of a type that is lit the share, of others nothing. */
page.strength = part => {
    const [first, share] = part[SHARES];
    const type = lit === '' ? -1 : data.types.findIndex(([name]) => name === lit);
    return type < 0 ? 1 : 0.1 + 0.9 * (first === type ? share : 0);
};

function showLit() {
    if (current().redraw !== undefined)
        return current().redraw();
    const type = data.types.findIndex(([name]) => name === lit);
    for (const element of current().svg.querySelectorAll('[data-part]')) {
        const part = data.levels[chosen.level].shown[Number(element.dataset.part) - 1];
        const found = type < 0 || part === undefined
            ? undefined
            : sharesOf(part).find(one => one.type === type);
        element.style.opacity =
            type < 0 ? '' : String(0.1 + 0.9 * (found === undefined ? 0 : found.share));
    }
    return undefined;
}

/* Lights a type by its name, or none for ''. */
function light(name) {
    if (lit === name)
        return;
    lit = name;
    if (data !== null)
        showLit();
}

/* The palette: whatever can be done or looked at, found by some letters of it. An entry has a
 * `text` and a `kind`; `more` is read as well where something is sought; `act` is what Enter does,
 * and `other` what it does with Alt; `words` are to choose from next. */

const palette = {
    box: document.getElementById('palette'),
    field: document.getElementById('palette-field'),
    list: document.getElementById('palette-list'),
    says: document.getElementById('palette-says'),
    step: null, /* entries of a second step, null in the first one */
    found: [], /* what the server found for this text */
    items: [],
    at: 0,
    turn: 0,
    asked: Promise.resolve()
};

const MOST_ENTRIES = 60, NO_RANK = 99;

/* --- What there is */

/* Options; with `each` their words as well. */
function entriesOfOptions(each) {
    return server.trace.parameters.flatMap(row => {
        const title = titleOf(row);
        const words = wordsOf(row).map(([word, text]) => ({text, kind: title, more: word,
            act: () => chooseOption(row.name, word === '' ? [] : [word])}));
        const some = row.words.length > 0;
        return [{text: title, kind: 'option', more: row.name + ' ' + helpOf(row),
            words: some ? words : undefined, act: () => openOption(row.name)},
            ...(each && some ? words : [])];
    });
}

function entriesOfTypes() {
    return namesOfTypes().map(name => ({text: name, kind: 'type', act: () => lightFound(name),
        other: () => keepAlone(namesOfBox(name))}));
}

function lightFound(name) {
    light(lit === name ? '' : name);
    announce(lit === '' ? 'no type is lit'
            : data.types.some(([type]) => type === lit) ? lit + ' is lit'
                                                        : lit + ' is not in this picture');
}

/* Resources, and types and values that the picture may not have. */
function entryOfFound({kind, name, path, of}) {
    if (kind !== 'resource')
        return {text: name, kind: kind + (of && of !== name ? ' of ' + of : ''),
            act: () => lightFound(name), other: () => setOption('only', [spell(name)])};
    const select = () => setRange(data.first, data.first + data.count - 1, path);
    return {text: path, kind, act: () => goToResource(path),
        other: () => nodeOf(path) === undefined ? goToResource(path) : select()};
}

/* A part by its number. */
function entriesOfParts(sought) {
    const number = /^(?:part )?\s*(\d+)$/.exec(sought);
    const part = number === null ? -1
        : data.levels[0].shown.findIndex(one => one[NUMBER] === Number(number[1]));
    return part < 0 ? [] : [{text: describePart(part), kind: 'part', act: () => zoomInto(part),
        other: () => selectPart(part)}];
}

/* --- What answers to a text */

/* How well it does, 0 at best. Each word of it has to be in the text: as a word, as the begin of
 * one, within one, or as letters of one in their order. */
function rankOf(text, sought, scattered) {
    const own = text.toLowerCase().split(/[\s/:,()]+/);
    const ranks = sought.map(word => Math.min(...own.map(one => one === word ? 0
        : one.startsWith(word)                       ? 1
        : one.includes(word) || text.toLowerCase().includes(word) ? 2
        : scattered && isScattered(word, one)        ? 3
                                                     : NO_RANK)));
    return Math.max(0, ...ranks) === NO_RANK ? NO_RANK
                                             : ranks.reduce((sum, rank) => sum + rank, 0);
}

function isScattered(letters, word) {
    let at = 0;
    for (const letter of word)
        at += letter === letters[at] ? 1 : 0;
    return letters.length > 1 && at === letters.length;
}

function rankOfEntry({text, kind, more = ''}, sought) {
    const own = rankOf(text, sought, true);
    return Math.min(own, rankOf(kind + ' ' + text, sought, false) + 1,
        rankOf(text + ' ' + more, sought, false) + 4);
}

function findEntries() {
    const text = palette.field.value.trim().toLowerCase();
    const words = text.split(/\s+/).filter(word => word !== '');
    const types = palette.step === null && text !== '' ? entriesOfTypes() : [];
    const known = palette.step || [
        ...keys.filter(entry => entry.what !== '').map(
            ({names, what, act}) => ({text: what, kind: '', names, act})),
        ...entriesOfOptions(words.length > 1), ...types];
    const ranked = known.map(entry => ({entry, rank: rankOfEntry(entry, words)}));
    if (palette.step === null)
        for (const entry of [...entriesOfParts(text), ...palette.found.map(entryOfFound)])
            if (!types.some(type => type.text === entry.text))
                ranked.push({entry, rank: Math.min(3, rankOfEntry(entry, words))});
    return ranked.filter(({rank}) => rank < NO_RANK).sort((a, b) => a.rank - b.rank)
        .map(({entry, rank}) => ({...entry, rank}));
}

/* --- The list: one entry is marked, and stays so while others come */

function markEntry(at) {
    const lines = [...palette.list.children];
    palette.at = lines.length > 0 ? (at + lines.length) % lines.length : 0;
    lines.forEach(
        (line, index) => line.setAttribute('aria-selected', String(index === palette.at)));
    lines[palette.at]?.scrollIntoView({block: 'nearest'});
    palette.field.setAttribute('aria-activedescendant', lines[palette.at]?.id || '');
}

function makeEntry(entry, index) {
    const line = make('li');
    line.id = 'palette-' + index;
    line.setAttribute('role', 'option');
    line.append(make('bdi', '', entry.text), make('span', 'note', entry.kind));
    if (entry.names?.length > 0)
        line.lastChild.append(writeKeys(entry.names)[0]);
    line.addEventListener('click', event => takeEntry(entry, event.altKey));
    return line;
}

function listEntries(first) {
    const all = findEntries(), marked = palette.items[palette.at]?.text;
    palette.items = all.slice(0, MOST_ENTRIES);
    palette.list.replaceChildren(...palette.items.map(makeEntry));
    markEntry(first ? 0 : Math.max(0, palette.items.findIndex(one => one.text === marked)));
    palette.says.textContent = count(all.length, 'entry', 'entries') + (
        palette.items.some(one => one.other !== undefined)
            ? ' · Enter goes there or lights a type, Alt-Enter selects or keeps it alone' : '');
}

/* What the server knows of a text comes later, unless another one was typed since. */
async function askForNames() {
    const turn = ++palette.turn, text = palette.field.value.trim();
    if (palette.step !== null || text === '') {
        palette.found = [];
        return;
    }
    const answer = await (await ask('search', [['q', text]])).json();
    if (turn !== palette.turn)
        return;
    palette.found = answer.found;
    listEntries(palette.at === 0);
}

function lookFor() {
    palette.asked = askForNames().catch(error => { palette.says.textContent = error.message; });
    listEntries(true);
}

/* --- What a reader does */

function openPalette() {
    if (data === null || palette.box.open)
        return;
    showStep(null, '');
    palette.box.showModal();
}

/* The focus goes back at once, also where that is nowhere: the next key is for the page. */
function closePalette() {
    palette.box.close();
    if (palette.box.contains(document.activeElement))
        document.activeElement.blur();
}

function showStep(step, title) {
    palette.step = step;
    palette.found = [];
    palette.field.value = '';
    palette.field.placeholder = title || 'a command, an option, a resource, a type, part 12';
    lookFor();
}

function takeEntry(entry, other) {
    if (entry.words !== undefined) {
        showStep(entry.words, entry.text);
        return;
    }
    closePalette();
    (other && entry.other || entry.act)();
}

palette.field.addEventListener('input', lookFor);
palette.box.addEventListener('keydown', async event => {
    const by = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10}[event.key];
    if (by === undefined && event.key !== 'Enter' && event.key !== 'Escape')
        return;
    event.preventDefault();
    if (by !== undefined) {
        markEntry(Math.abs(by) === 1 ? palette.at + by
                : Math.max(0, Math.min(palette.items.length - 1, palette.at + by)));
    } else if (event.key === 'Escape') {
        if (palette.step !== null)
            showStep(null, '');
        else
            closePalette();
    } else {
        const turn = palette.turn;
        if (palette.at === 0 && !(palette.items[0]?.rank <= 1)) /* a name may be a better one */
            await palette.asked;
        if (turn === palette.turn && palette.items[palette.at] !== undefined)
            takeEntry(palette.items[palette.at], event.altKey);
    }
});
palette.box.addEventListener(
    'click', event => event.target === palette.box && closePalette());
document.getElementById('palette-open').addEventListener('click', openPalette);
document.addEventListener('keydown', event => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
    }
});

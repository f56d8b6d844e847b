/* Notes: a text at a window and a node, kept beside the trace, listed, and drawn with their
 * numbers. */

const notes = {list: [], own: {}, tag: '', draft: ''};

/* Notes may be written by hand, so each gets what it does not say. */
function takeNotes(response, list, own) {
    notes.own = own || {};
    notes.tag = response.headers.get('ETag') || '';
    notes.list = list.map(note => ({text: '', from: '', to: '', node: '', ...note}));
}

async function readNotes() {
    const response = await ask('notes', []);
    const answer = await response.json();
    takeNotes(response, answer.notes, answer.metadata);
}

/* Keeps a list that was made from the last one read. Where others have changed it since, their
 * notes are read and the change is made to those. */
async function keepNotes(change) {
    for (let tries = 0; ; tries++) {
        const list = change(notes.list);
        try {
            const response = await ask('notes', [], [], {
                method: 'PUT',
                headers: {'If-Match': notes.tag},
                body: JSON.stringify({notes: list})
            });
            takeNotes(response, list, (await response.json()).metadata);
            showMarks();
            return;
        } catch (error) {
            if (error.status !== 409 || tries > 2)
                throw error;
            await readNotes();
        }
    }
}

/* The place of a note in slices, null where it is not shown. */
function slicesOf(note) {
    const instants = data.instants.map(Number);
    const at = text => {
        const seconds = Number(text.replace(/^@|s$/g, ''));
        const next = instants.findIndex(instant => instant > seconds);
        if (next <= 0)
            return next < 0 ? instants.length - 1 : 0;
        const begin = instants[next - 1];
        return Math.min(next, next - 1 + (seconds - begin) / (endOf(next, 2) - begin));
    };
    if (instants.length < 2)
        return null;
    const [first, end] = [at(note.from), at(note.to)];
    return end > first ? [first, end] : null;
}

/* The first and the last row of resources, null where none of them is shown. */
function rowsOfPaths(paths) {
    const known = [paths].flat().filter(path => path === '' || nodeOf(path) !== undefined);
    const rows = known.flatMap(rowsOf);
    return rows.length === 0 ? null : [Math.min(...rows), Math.max(...rows)];
}

/* Outlines slices of rows, as far as they are shown, with a text. */
function markPlace(overlay, [first, end], rows, text) {
    const from = Math.max(first, data.first), to = Math.min(end, data.first + data.count);
    if (from >= to || rows === null)
        return;
    const box = {x: xOf(from), y: yOf(rows[0]), width: xOf(to) - xOf(from),
        height: yOf(rows[1] + 1) - yOf(rows[0])};
    addBox(overlay, 'under', box);
    addBox(overlay, 'range noted', box);
    const letters = document.createElementNS(overlay.namespaceURI, 'text');
    letters.setAttribute('x', box.x + 4);
    letters.setAttribute('y', box.y + 14);
    letters.setAttribute('class', 'noted');
    letters.textContent = text;
    overlay.appendChild(letters);
}

page.marks.push(overlay => {
    notes.list.forEach((note, index) => {
        const slices = slicesOf(note);
        if (slices !== null)
            markPlace(overlay, slices, rowsOfPaths(note.node), String(index + 1));
    });
});

/* What a new note is at: the part or the region that is chosen, else all that is shown. */
function placeOfNote() {
    const part = subject() >= 0 ? data.levels[0].shown[subject()] : null;
    const slices = part !== null ? [part[FIRST], part[LAST] + 1]
        : chosen.range !== null  ? regionSlices()
                                 : [data.first, data.first + data.count];
    return {
        from: data.instants.length > 0 ? instantAt(slices[0]) : '',
        to: data.instants.length > 0 ? instantAt(slices[1], true) : '',
        node: part !== null ? data.nodes[part[NODE]][PATH] : chosen.node
    };
}

function goToNote(note) {
    const kept = shown.filter(([name]) => !PLACES.includes(name) && !DETAILS.includes(name));
    show([...kept, ...(note.from === '' ? [] : [['from', note.from], ['to', note.to]]),
        ...(note.node === '' ? [] : [['resource', spell(note.node)]])], 'push');
}

function notesAsMarkdown() {
    const lines = notes.list.map((note, index) => (index + 1) + '. ' + (note.node || 'all') +
            (note.from === '' ? '' : ', ' + note.from + ' to ' + note.to) + ': ' +
            note.text.replace(/\n/g, '\n   '));
    const own =
        Object.entries(notes.own).map(([key, value]) => '- ' + key + ': ' + value + '\n').join('');
    return '# Notes on ' + server.trace.path + '\n\n' + own + (own === '' ? '' : '\n') +
        lines.join('\n') + '\n';
}

/* Changes the notes, and lists them; false: they are as they were. */
async function changeNotes(list, text, change) {
    try {
        await keepNotes(change);
        showProblem(null);
        listNotes(list);
        announce(text);
        return true;
    } catch (error) {
        showProblem(error);
        return false;
    }
}

function listNotes(list) {
    list.replaceChildren(makeScrolled(count(notes.list.length, 'note', 'notes'),
        ['number', 'note', 'where', 'when', ''], notes.list.map((note, index) => {
            const row = make('span', 'actions');
            row.append(makeButton('go there', () => goToNote(note)),
                makeButton('remove',
                    () => changeNotes(list, 'the note is removed',
                        all => all.filter(one => JSON.stringify(one) !== JSON.stringify(note)))));
            return [
                String(index + 1), note.text, note.node || 'all',
                note.from === '' ? '' : note.from + ' – ' + note.to, row
            ];
        })));
}

/* Whether pictures that are saved show the notes, as the command says. */
async function numberNotes(on) {
    const address = location.hash;
    if (on === valuesOf('notes').length > 0)
        return;
    await setOption('notes', on ? [''] : []);
    chooseFrom(address);
}

function makeNumbered() {
    const label = make('label', 'numbered'), box = make('input');
    box.type = 'checkbox';
    box.dataset.option = 'notes';
    box.checked = valuesOf('notes').length > 0;
    box.addEventListener('change', () => numberNotes(box.checked));
    label.append(box, ' numbered and listed in saved pictures');
    return label;
}

/* What is typed while a note is being kept is the begin of another one. */
function fillNotes(body) {
    const field = make('textarea'), list = make('div');
    field.value = notes.draft;
    field.rows = 3;
    field.setAttribute('aria-label', 'a note on what is chosen');
    field.addEventListener('input', () => { notes.draft = field.value; });
    const add = makeButton('keep the note', async () => {
        const note = {text: field.value, ...placeOfNote()};
        if (note.text.trim() !== '' &&
            await changeNotes(list, 'the note is kept', all => [...all, note]) &&
            field.value === note.text)
            field.value = notes.draft = '';
        await numberNotes(notes.list.length > 0);
    });
    listNotes(list);
    const own = Object.entries(notes.own);
    if (own.length > 0)
        body.append(makeScrolled('values of your own (info --set)', ['key', 'value'], own));
    body.append(field, add, list, makeNumbered(),
        makeButton('save as Markdown', () => saveBlob(new Blob([notesAsMarkdown()]), 'notes.md')));
}

addPanel({
    name: 'notes',
    title: 'Notes',
    place: false,
    help: 'what you and others have noted',
    async fill(body) {
        await readNotes();
        fillNotes(body);
    }
});

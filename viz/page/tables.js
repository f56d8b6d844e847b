/* Tables of panels: the first column names the row. */

/* Cells of numbers that are more than that: their text, and their title is the full figure. What is
 * no number stays as it is. */
function cellBy(text) {
    return number => typeof number === 'number' ? {number, text: text(number)} : number;
}
const timeCell = cellBy(shortTime), shareCell = cellBy(percent), fullCell = cellBy(String),
      instantCell = cellBy(number => shortDigits(number, 9));

function fillCell(cell, value) {
    const {number, text} = typeof value === 'number' ? cellBy(one => shortDigits(one))(value)
                                                     : value ?? {};
    if (number === undefined) {
        cell.append(value);
        return;
    }
    cell.className = 'number';
    cell.append(makeNumber(number, text));
    if (text !== String(number))
        cell.title = String(number);
}

function makeTableRow(row) {
    const line = make('tr');
    row.forEach((value, index) => {
        const cell = make(index === 0 ? 'th' : 'td');
        if (index === 0)
            cell.scope = 'row';
        fillCell(cell, value);
        line.append(cell);
    });
    return line;
}

/* A cell is a text, an element, or a number, which may be one of those above. One of the head is a
 * text or an element. Of many rows only some may be shown. */
function makeTable(caption, head, rows, shown = rows) {
    const table = make('table', 'list');
    const top = make('tr');
    const body = make('tbody');
    head.forEach((name, index) => {
        const numbers = rows.some(
            row => typeof row[index] === 'number' || row[index]?.number !== undefined);
        const cell = make(name === '' ? 'td' : 'th', index > 0 && numbers ? 'number' : '');
        cell.append(name);
        if (name !== '')
            cell.scope = 'col';
        top.append(cell);
    });
    for (const row of shown)
        body.append(makeTableRow(row));
    const first = make('thead');
    first.append(top);
    table.append(make('caption', '', caption), first, body);
    return table;
}

/* One that is wide or long scrolls, by the keyboard as well. `more(rows)` gives others that follow
 * these, with another caption, once the last ones are seen. */
function makeScrolled(caption, head, rows, more = null) {
    const box = make('div', 'scrolled');
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', caption);
    if (rows.length > MOST_LINES || more !== null)
        fillLong(box, makeTable(caption, head, rows, []), rows, more);
    else
        box.append(makeTable(caption, head, rows));
    return box;
}

/* --- Of a long one there are only the lines that are seen, and some around them */

const MOST_LINES = 200, LINE = 22, BEYOND = 20; /* lines, pixels, lines */

/* For each column the row whose text is the longest of some hundred. */
function widestRows(rows) {
    const some = rows.filter((row, at) => at % Math.ceil(rows.length / 500) === 0);
    const length = value => value?.nodeType ? value.textContent.length
        : (value?.text ?? (typeof value === 'number' ? shortDigits(value) : String(value))).length;
    const longer = column => (widest, row) =>
        length(row[column]) > length(widest[column]) ? row : widest;
    return (some[0] || []).map((_, column) => some.reduce(longer(column)));
}

/* The place of lines that are not there. */
function makeRoom(lines) {
    const row = make('tr', 'room'), cell = make('td');
    cell.colSpan = 99;
    cell.style.height = lines * LINE + 'px';
    row.append(cell);
    return row;
}

function fillLong(box, table, rows, more) {
    const body = table.tBodies[0];
    let seen = '', waits = false, fixed = false;
    const draw = () => {
        const first = Math.max(0, Math.floor(box.scrollTop / LINE) - BEYOND);
        const end = Math.min(
            rows.length, first + Math.ceil(box.clientHeight / LINE) + 2 * BEYOND);
        if (more !== null && !waits && end === rows.length)
            append();
        if (seen === first + ' ' + end)
            return;
        seen = first + ' ' + end;
        body.replaceChildren(...(first > 0 ? [makeRoom(first)] : []),
            ...rows.slice(first, end).map(makeTableRow),
            ...(end < rows.length ? [makeRoom(rows.length - end)] : []));
        table.setAttribute('aria-rowcount', String(rows.length + 1));
        [...body.rows].forEach((line, at) => line.setAttribute(
            'aria-rowindex', String(at + first + (first > 0 ? 1 : 2))));
    };
    const append = async () => {
        waits = true;
        const found = await more(rows).catch(error => { showProblem(error); return null; });
        more = found === null || !found.more ? null : more;
        waits = false;
        if (found === null)
            return;
        rows.push(...found.rows);
        table.caption.textContent = found.caption;
        seen = '';
        draw();
    };
    /* Columns stay as wide as the widest rows make them. */
    const fix = () => {
        if (fixed || box.clientHeight === 0)
            return;
        fixed = true;
        body.replaceChildren(...widestRows(rows).map(makeTableRow));
        const heads = [...table.tHead.rows[0].cells];
        const wide = heads.map(head => Math.min(480, Math.ceil(head.offsetWidth) + 4));
        heads.forEach((head, at) => { head.style.width = wide[at] + 'px'; });
        table.style.width = wide.reduce((sum, one) => sum + one, 0) + 'px';
        table.classList.add('long');
    };
    box.append(table);
    box.addEventListener('scroll', draw);
    new ResizeObserver(() => {
        fix();
        if (box.clientHeight > 0)
            draw();
    }).observe(box);
}

function makeCommand(line) {
    const command = make('pre', '', line);
    command.tabIndex = 0;
    return makeDisclosure('Command', command);
}

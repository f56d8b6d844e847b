/* Tables of panels: the first column names the row. */

/* A cell is a text, an element, or a number, which has the digits that the program's JSON has. One
 * of the head is a text or an element. */
function makeTable(caption, head, rows) {
    const table = make('table', 'list');
    const top = make('tr');
    const body = make('tbody');
    head.forEach((name, index) => {
        const numbers = rows.some(row => typeof row[index] === 'number');
        const cell = make('th', index > 0 && numbers ? 'number' : '');
        cell.append(name);
        cell.scope = 'col';
        top.append(cell);
    });
    for (const row of rows) {
        const line = make('tr');
        row.forEach((value, index) => {
            const cell = make(index === 0 ? 'th' : 'td', typeof value === 'number' ? 'number' : '');
            if (index === 0)
                cell.scope = 'row';
            cell.append(typeof value === 'number' ? String(value) : value);
            line.append(cell);
        });
        body.append(line);
    }
    const first = make('thead');
    first.append(top);
    table.append(make('caption', '', caption), first, body);
    return table;
}

/* One that is wide or long scrolls, by the keyboard as well. */
function makeScrolled(caption, head, rows) {
    const box = make('div', 'scrolled');
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', caption);
    box.append(makeTable(caption, head, rows));
    return box;
}

function makeCommand(line) {
    const command = make('pre', '', line);
    command.tabIndex = 0;
    return command;
}

/* Tables of panels: the first column names the row. */

/* A number in so many digits, as oc_short_digits of engine/base/plain.h has it. */
function shortDigits(number, digits = 3) {
    const size = Math.abs(number), sign = number < 0 ? '-' : '';
    if (size < 1e15 && (Number.isInteger(number) || size >= 10 ** digits))
        return String(Math.sign(number) * Math.round(size) + 0);
    const [mantissa, power] = size.toExponential(digits - 1).split('e');
    const exponent = Number(power);
    if (exponent >= -4 && exponent < 15)
        return sign + String(Number(mantissa + 'e' + power));
    return sign + String(Number(mantissa)) + 'e' + power[0] +
        power.slice(1).padStart(2, '0');
}

/* A length of time, as oc_short_time has it. */
function shortTime(seconds) {
    const size = Math.abs(seconds);
    const [name, parts] = size >= 1 || size === 0 ? ['s', 1]
        : size >= 1e-3                            ? ['ms', 1e3]
        : size >= 1e-6                            ? ['us', 1e6]
                                                  : ['ns', 1e9];
    return shortDigits(seconds * parts) + ' ' + name;
}

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
    cell.textContent = text;
    if (text !== String(number))
        cell.title = String(number);
}

/* A cell is a text, an element, or a number, which may be one of those above. One of the head is a
 * text or an element. */
function makeTable(caption, head, rows) {
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
    for (const row of rows) {
        const line = make('tr');
        row.forEach((value, index) => {
            const cell = make(index === 0 ? 'th' : 'td');
            if (index === 0)
                cell.scope = 'row';
            fillCell(cell, value);
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

/* Options: a field for each row of the program's own table. */

function valuesOf(name) {
    return shown.filter(([given]) => given === name).map(([, value]) => value);
}

/* A name as an option has it: @x alone would be a file of names. And back. */
function spell(name) {
    return name.startsWith('@') ? '@' + name : name;
}

function namesOf(option) {
    return valuesOf(option).map(value => value.startsWith('@@') ? value.slice(1) : value);
}

/* Shows other values of an option, with what is shown or other options. What is only drawn
 * otherwise keeps its level. */
function setOption(name, values, options = shown) {
    const others = placeOf(options).filter(([given]) => given !== name);
    const first = others.findIndex(([given]) => PLACES.includes(given) || DETAILS.includes(given));
    const at = first < 0 ? others.length : first;
    const level =
        rowOfOption(name)?.group === 'Picture' ? options.slice(placeOf(options).length) : [];
    return show(
        [
            ...others.slice(0, at), ...values.map(value => [name, value]), ...others.slice(at),
            ...level
        ],
        'push');
}

function makeSelect(words) {
    const field = make('select');
    for (const word of ['', ...words])
        field.append(new Option(word === '' ? '(default)' : word, word));
    return field;
}

/* A row without help shares that of the next one. */
function helpOf(row) {
    const rows = server.trace.parameters;
    return rows.slice(rows.indexOf(row)).find(one => one.help !== '').help;
}

function makeField(row) {
    if (row.value === '') {
        const field = make('input');
        field.type = 'checkbox';
        field.addEventListener('change', () => setOption(row.name, field.checked ? [''] : []));
        return field;
    }
    const field =
        row.words.length > 0 ? makeSelect(row.words) : make(row.repeatable ? 'textarea' : 'input');
    if (row.repeatable)
        field.rows = 1;
    else if (row.words.length === 0)
        field.type = 'text';
    field.placeholder = row.value;
    field.addEventListener(
        'change', () => setOption(row.name, field.value.split('\n').filter(line => line !== '')));
    return field;
}

function makeOptions() {
    const form = document.getElementById('form');
    const groups = new Map();
    for (const row of server.trace.parameters) {
        const label = make('label');
        const field = makeField(row);
        field.dataset.option = row.name;
        label.title = helpOf(row);
        label.append(make('span', '', row.name), field);
        if (!groups.has(row.group)) {
            const group = make('fieldset');
            group.append(make('legend', '', row.group));
            groups.set(row.group, group);
        }
        groups.get(row.group).append(label);
    }
    form.replaceChildren(...groups.values());
}

function fillOptions() {
    for (const field of document.querySelectorAll('[data-option]')) {
        const values = valuesOf(field.dataset.option);
        if (field.type === 'checkbox')
            field.checked = values.length > 0;
        else
            fillField(field, values.join('\n'));
    }
}

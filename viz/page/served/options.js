/* Options: a field for each row of the program's own table, those that are asked for most first, in
 * words for a reader. */

/* Resources alone are a panel's: a page shows time. */
const USUAL = {
    kind: {
        title: 'aggregate',
        words: {temporal: 'time', spatial: 'resources (Treemap)'},
        usual: 'both',
        without: ['spatiotemporal']
    },
    metric: {usual: '(of the trace)'},
    hierarchy: {
        words: {auto: 'by behaviour', role: 'by role', trace: 'of the trace alone'},
        usual: 'of the trace'
    },
    view: {title: 'drawn as', usual: '(of the kind)'},
    texture: {words: {loss: 'what is lost'}, usual: 'none', without: ['none']},
    slices: {hint: '200'},
    statistic: {title: 'shown of a part', hint: 'mean'},
    show: {title: 'in colour', hint: 'a name, or *'},
    'type-tree': {
        title: 'tree of types',
        words: {mpi: 'MPI', openmp: 'OpenMP', cuda: 'CUDA', kernel: 'kernel'},
        usual: 'none'
    },
    'type-level': {title: 'level of types', words: {auto: 'what tells most'}, usual: 'none'},
    curves: {words: {falling: 'what is left'}, usual: 'gain and loss', without: ['rising']},
    'min-duration': {title: 'states from', hint: 'e.g. 10us'}
};

const drawer = document.getElementById('options');

function rowOfOption(name) {
    return server.trace.parameters.find(row => row.name === name);
}

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

/* What does not fit another value of an option: how another kind was drawn, the level of another
 * tree. */
const UNFIT = {kind: ['view', 'type'], 'type-tree': ['type-level']};

/* The same by hand. */
function chooseOption(name, values) {
    if (name === 'kind' && values[0] === 'spatial') {
        fillOptions();
        openPanel('treemap', 'push');
        return;
    }
    setOption(name, values, shown.filter(([given]) => !(UNFIT[name] || []).includes(given)));
}

function titleOf(row) {
    return USUAL[row.name]?.title || row.name;
}

/* A row without help shares that of the next one. */
function helpOf(row) {
    const rows = server.trace.parameters;
    return rows.slice(rows.indexOf(row)).find(one => one.help !== '').help;
}

/* The words of an option, and what they say; the first leaves it to the program. */
function wordsOf(row) {
    const {words = {}, usual = '(default)', without = []} = USUAL[row.name] || {};
    const own = [...new Set(row.words)].filter(word => word !== '' && !without.includes(word));
    return [['', usual], ...own.map(word => [word, words[word] || word])];
}

/* Enter takes what is typed, with Shift it is another line. */
function makeLines() {
    const field = make('textarea');
    field.rows = 1;
    field.addEventListener('keydown', event => {
        if (event.key !== 'Enter' || event.shiftKey)
            return;
        event.preventDefault();
        field.dispatchEvent(new Event('change', {bubbles: true}));
    });
    return field;
}

function makeField(row) {
    const field = row.words.length > 0 ? make('select') : row.repeatable ? makeLines()
                                                                         : make('input');
    if (row.value === '')
        field.type = 'checkbox';
    if (row.words.length > 0)
        field.append(...wordsOf(row).map(([word, text]) => new Option(text, word)));
    else if (row.value !== '')
        field.placeholder = USUAL[row.name]?.hint || row.value;
    const valuesIn = () => row.value !== ''
        ? field.value.split('\n').map(line => line.trim()).filter(line => line !== '')
        : field.checked ? [''] : [];
    field.addEventListener('change', () => chooseOption(row.name, valuesIn()));
    field.dataset.option = row.name;
    return field;
}

function makeOption(row) {
    const label = make('label'), field = makeField(row);
    label.title = helpOf(row);
    field.setAttribute('aria-description', label.title);
    label.append(make('span', '', titleOf(row)), field);
    return label;
}

function makeOptions() {
    const groups = new Map();
    for (const row of [...Object.keys(USUAL).map(rowOfOption), ...server.trace.parameters]) {
        const group = USUAL[row?.name] !== undefined ? 'Usual' : row?.group;
        if (row === undefined || drawer.querySelector('[data-option="' + row.name + '"]') !== null)
            continue;
        if (!groups.has(group)) {
            groups.set(group, make('fieldset'));
            groups.get(group).append(make('legend', '', group));
            document.getElementById('form').append(groups.get(group));
        }
        groups.get(group).append(makeOption(row));
    }
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

function fillControls() {
    fillOptions();
    fillLegend();
}

/* After a refusal what can only be chosen says again what is shown; what was typed stays. */
function restoreControls() {
    for (const field of drawer.querySelectorAll('select'))
        fillField(field, valuesOf(field.dataset.option)[0] || '');
    delete legend.dataset.content;
    fillLegend();
}

/* Options of which the name or the help has what is typed. */
function findOptions(sought) {
    for (const label of drawer.querySelectorAll('label'))
        label.hidden =
            !(label.textContent + ' ' + label.title + ' ' + label.lastChild.dataset.option)
                 .toLowerCase().includes(sought.trim().toLowerCase());
    for (const group of drawer.querySelectorAll('fieldset'))
        group.hidden = group.querySelector('label:not([hidden])') === null;
}

/* Opens the drawer at the field of an option. */
function openOption(name) {
    const find = document.getElementById('options-find');
    drawer.showPopover();
    find.value = '';
    findOptions('');
    drawer.querySelector('[data-option="' + name + '"]').focus();
}

drawer.addEventListener('toggle', event => event.newState === 'open' && fillOptions());
document.getElementById('options-find').addEventListener(
    'input', event => findOptions(event.target.value));
document.getElementById('form').addEventListener('submit', event => event.preventDefault());

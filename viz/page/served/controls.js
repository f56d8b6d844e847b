/* What is asked for most, each an option of the program with words for a reader; all others are
 * fields of the form below. */

const controls = document.getElementById('choose');

/* Words for a reader, where those of the program are short. Resources alone are a panel's: a page
 * shows time. */
const CONTROLS = [
    {
        name: 'kind',
        title: 'aggregate',
        words:
            {temporal: 'time', spatial: 'resources (Treemap)'},
        usual: 'both',
        without: ['spatiotemporal']
    },
    {name: 'metric', title: 'metric', words: {}, usual: '(of the trace)'},
    {
        name: 'hierarchy',
        title: 'hierarchy',
        words: {auto: 'by behaviour', role: 'by role', trace: 'of the trace alone'},
        usual: 'of the trace'
    },
    {name: 'view', title: 'drawn as', words: {}, usual: '(of the kind)'},
    {name: 'texture', title: 'texture', words: {loss: 'what is lost'}, without: ['none']},
    {name: 'slices', title: 'slices', words: {}},
    {name: 'statistic', title: 'shown of a part', words: {}},
    {name: 'show', title: 'in colour', words: {}},
    {
        name: 'type-tree',
        title: 'tree of types',
        words: {mpi: 'MPI', openmp: 'OpenMP', cuda: 'CUDA', kernel: 'kernel'}
    },
    {name: 'type-level', title: 'level of types', words: {auto: 'what tells most'}},
    {
        name: 'curves',
        title: 'curves',
        words: {falling: 'what is left'},
        usual: 'gain and loss',
        without: ['rising']
    },
    {name: 'min-duration', title: 'states from', words: {}},
];

function rowOfOption(name) {
    return server.trace.parameters.find(row => row.name === name);
}

function makeControl({name, title, words, usual = 'none', without = []}) {
    const row = rowOfOption(name);
    const label = make('label', '', title);
    const field = row.words.length > 0 ? make('select') : make('input');
    field.dataset.control = name;
    label.title = helpOf(row);
    if (row.words.length > 0)
        field.append(new Option(usual, ''),
            ...row.words.filter(word => word !== '' && !without.includes(word))
                .map(word => new Option(words[word] || word, word)));
    else
        field.placeholder = {slices: '200', show: 'a name, or *', statistic: 'mean'}[name] ||
            'e.g. 10us';
    field.addEventListener('change', () => setControl(name, field.value.trim()));
    label.append(field);
    return label;
}

/* What does not fit another value of an option: how another kind was drawn, the level of another
 * tree. */
const UNFIT = {kind: ['view', 'type'], 'type-tree': ['type-level']};

function setControl(name, value) {
    if (name === 'kind' && value === 'spatial') {
        fillControls();
        openPanel('treemap', 'push');
        return;
    }
    const fitting = shown.filter(([given]) => !(UNFIT[name] || []).includes(given));
    setOption(name, value === '' ? [] : [value], fitting);
}

function makeControls() {
    controls.append(
        ...CONTROLS.filter(({name}) => rowOfOption(name) !== undefined).map(makeControl));
    controls.addEventListener('submit', event => event.preventDefault());
}

/* After a refusal what can only be chosen says again what is shown; what was typed stays. */
function restoreControls() {
    for (const field of controls.querySelectorAll('select'))
        fillField(field, valuesOf(field.dataset.control)[0] || '');
    delete legend.dataset.content;
    fillLegend();
}

function fillControls() {
    for (const field of controls.querySelectorAll('[data-control]'))
        fillField(field, valuesOf(field.dataset.control)[0] || '');
    fillOptions();
    fillLegend();
}

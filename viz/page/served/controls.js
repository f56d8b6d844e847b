/* Controls at the left: what is asked for most, each an option of the program; all others are
 * fields of the form. */

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

/* Types that are shown, and those that were left out here. */
function namesOfTypes() {
    const left = namesOf('except');
    const names = data.types
        .filter(([, colour, untraced]) => !untraced && colour !== 'var(--muted)')
        .map(([name]) => name);
    return [...names, ...left.filter(name => !names.includes(name))];
}

/* Types before they are put together at a level, while one is chosen: their names and groups. */
const members = {place: '', types: []};

/* Finds them, as types are left out before they are put together. */
async function findMembers() {
    const options = placeOf(shown).filter(([name]) => name !== 'type-level' && name !== 'except');
    const place = JSON.stringify(options);
    if (valuesOf('type-level').length === 0 || members.place === place)
        return;
    const frame = await getFrame(options, []);
    Object.assign(members, {place, types: frame.types.filter(type => !type[2])});
    fillControls();
}

/* The names that a box stands for: a type, or all of a group at a level. */
function namesOfBox(name) {
    if (valuesOf('type-level').length === 0)
        return [name];
    return members.types
        .filter(([known, , , groups]) =>
            known === name || (groups || '').split(' \u203a ').includes(name))
        .map(([known]) => known);
}

/* Groups at a level, with those of which all is left out. */
function namesOfGroups() {
    const names = data.types.filter(type => !type[2]).map(([name]) => name);
    const level = Math.max(1, ...names.map(depthOfGroup));
    const others = members.types
        .map(([name, , , groups]) => groups ? groups.split(' \u203a ')[level - 1] : name)
        .filter(name => name !== undefined);
    return [...new Set([...names, ...others])];
}

/* At which level of the tree a group is, 0 for none. */
function depthOfGroup(name) {
    return Math.max(0, ...members.types.map(
        ([, , , groups]) => (groups || '').split(' \u203a ').indexOf(name) + 1));
}

/* The groups of a tree that a type is in; nothing without one. */
function groupsOf(name) {
    const type = data.types.find(([known]) => known === name);
    return type !== undefined && type[3] || '';
}

/* Types of one group stand together below its name. */
function makeTypeBoxes() {
    const names = valuesOf('type-level').length > 0 ? namesOfGroups() : namesOfTypes();
    const groups = [...new Set(names.map(groupsOf))];
    return groups.flatMap(group => [
        ...(group === '' ? [] : [make('div', 'groups', group)]),
        ...names.filter(name => groupsOf(name) === group).map(makeTypeBox)]);
}

function makeTypeBox(name) {
    const label = make('label');
    const box = make('input');
    const swatch = make('span', 'swatch');
    const type = data.types.find(([known]) => known === name);
    box.type = 'checkbox';
    const own = namesOfBox(name), out = namesOf('except');
    box.checked = own.length === 0 || own.some(one => !out.includes(one));
    box.indeterminate = box.checked && own.some(one => out.includes(one));
    box.disabled = own.length === 0;
    swatch.style.background = box.checked && type !== undefined ? type[1] : 'transparent';
    box.addEventListener('change', () => {
        const left = namesOf('except').filter(one => !own.includes(one));
        setOption('except', (box.checked ? left : [...left, ...own]).map(spell));
    });
    label.append(box, swatch, make('bdi', '', name));
    return label;
}

function makeControls() {
    controls.append(
        ...CONTROLS.filter(({name}) => rowOfOption(name) !== undefined).map(makeControl));
    const types = make('fieldset', 'types');
    types.append(make('legend', '', 'types'), make('div'));
    controls.append(types);
    controls.addEventListener('submit', event => event.preventDefault());
}

/* Where a window can move to. */
function showSteps() {
    const [first, end] = page.window(), [least, most] = page.room(), near = 1e-6 * (end - first);
    const still = data.instants.length === 0;
    document.getElementById('previous').disabled = still || first <= least + near;
    document.getElementById('next').disabled = still || end >= most - near;
}

/* After a refusal what can only be chosen says again what is shown; what was typed stays. */
function restoreControls() {
    for (const field of controls.querySelectorAll('select'))
        fillField(field, valuesOf(field.dataset.control)[0] || '');
    controls.querySelector('.types div').replaceChildren(...makeTypeBoxes());
}

function fillControls() {
    showSteps();
    for (const field of controls.querySelectorAll('[data-control]'))
        fillField(field, valuesOf(field.dataset.control)[0] || '');
    const boxes = controls.querySelector('.types div');
    const content =
        JSON.stringify([data.types, valuesOf('except'), valuesOf('type-level'), members.types]);
    fillOptions();
    findMembers().catch(showProblem);
    if (boxes.dataset.content === content)
        return;
    boxes.dataset.content = content;
    const focused = [...boxes.children].findIndex(label => label.contains(document.activeElement));
    boxes.replaceChildren(...makeTypeBoxes());
    if (focused >= 0 && boxes.children[focused] !== undefined)
        boxes.children[focused].querySelector('input')?.focus();
}

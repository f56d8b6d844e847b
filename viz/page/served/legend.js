/* The legend, which is a filter: a click hides a type or shows it again, with Alt it is kept alone,
 * and what is pointed at stands out. */

const legend = document.getElementById('legend');

/* Names stay where they were seen first: what is hidden is shown again by the same click. */
const places = [];

/* Those beside the one that was kept alone. */
let beside = [];

/* Types that are kept alone, by their names here; none where patterns say so. */
function namesAlone() {
    const only = namesOf('only');
    return only.every(name => places.includes(name)) ? only : [];
}

function isLeftOut(name) {
    const alone = namesAlone();
    return namesOf('except').includes(name) || (alone.length > 0 && !alone.includes(name));
}

/* Types that are shown, and those that were left out here. */
function namesOfTypes() {
    const left = namesAlone().length > 0 ? beside : namesOf('except');
    const names = data.types
        .filter(([, colour, untraced]) => !untraced && colour !== 'var(--muted)')
        .map(([name]) => name);
    const all = [...names, ...left.filter(name => !names.includes(name))];
    places.push(...all.filter(name => !places.includes(name)));
    return all.sort((a, b) => places.indexOf(a) - places.indexOf(b));
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
    fillLegend();
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

/* Types of one group stand together behind its name. */
function makeTypeBoxes() {
    const names = valuesOf('type-level').length > 0 ? namesOfGroups() : namesOfTypes();
    const groups = [...new Set(names.map(groupsOf))];
    return groups.flatMap(group => [
        ...(group === '' ? [] : [make('span', 'groups', group)]),
        ...names.filter(name => groupsOf(name) === group).map(makeTypeBox)]);
}

/* Leaves types out, or takes them in again; nothing else is chosen of types then. Without the last
 * one that is kept all are shown. */
function hideTypes(own, hidden) {
    const alone = namesAlone();
    if (alone.length > 0) {
        setOption('only', (hidden ? alone.filter(name => !own.includes(name)) : [...alone, ...own])
            .map(spell));
        return;
    }
    const left = namesOf('except').filter(one => !own.includes(one));
    setOption('except', (hidden ? [...left, ...own] : left).map(spell));
}

function keepAlone(own) {
    const alone = JSON.stringify(namesOf('only')) === JSON.stringify(own);
    beside = namesOfTypes();
    setOption('only', alone ? [] : own.map(spell),
        shown.filter(([name]) => name !== 'except'));
}

function makeTypeBox(name) {
    const label = make('label');
    const box = make('input');
    const swatch = make('span', 'swatch');
    const type = data.types.find(([known]) => known === name);
    box.type = 'checkbox';
    const own = namesOfBox(name);
    box.checked = own.length === 0 || !own.every(isLeftOut);
    box.indeterminate = box.checked && own.some(isLeftOut);
    box.disabled = own.length === 0;
    swatch.style.background = box.checked && type !== undefined ? type[1] : 'transparent';
    box.addEventListener('change', () => hideTypes(own, !box.checked));
    label.addEventListener('click', event => {
        if (!event.altKey)
            return;
        event.preventDefault();
        keepAlone(own);
    });
    label.addEventListener('pointerenter', () => light(name));
    label.addEventListener('pointerleave', () => light(''));
    label.append(box, swatch, make('bdi', '', name));
    return label;
}

/* Made anew only where it has something else to say, so that the focus stays. */
function fillLegend() {
    const content = JSON.stringify([data.types, valuesOf('except'), valuesOf('only'),
        valuesOf('type-level'), members.types, data.levels[0].shades]);
    findMembers().catch(showProblem);
    if (legend.dataset.content === content)
        return;
    legend.dataset.content = content;
    const boxes = () => [...legend.querySelectorAll('input')];
    const focused = boxes().indexOf(document.activeElement);
    const untraced = data.types.filter(type => type[2]).map(([name, colour]) => {
        const label = make('label'), swatch = make('span', 'swatch');
        swatch.style.background = colour;
        label.append(swatch, make('bdi', '', name));
        return label;
    });
    legend.replaceChildren(...makeTypeBoxes(), ...untraced,
        ...(data.levels[0].shades ? [make('span', 'shades', data.levels[0].shades)] : []));
    boxes()[focused]?.focus();
}

/* Search: what is typed finds resources, types and values; Enter goes to the first of them. */

const sought = keepChoices('search', {text: ''});
let seeking = 0;

/* A resource becomes what is shown, in the same time; a type is lit. */
function goToFound(found) {
    if (found.kind === 'resource') {
        const kept =
            placeOf(shown).filter(([name]) => !['resource', 'part'].includes(name));
        show([...kept, ['resource', spell(found.path)]], 'push');
    } else {
        light(lit === found.name ? '' : found.name);
        announce(lit === '' ? 'no type is lit'
                : data.types.some(([type]) => type === lit) ? lit + ' is lit'
                                                            : lit + ' is not in this picture');
    }
}

async function findText(list) {
    const turn = ++seeking;
    const answer = await (await ask('search', [['q', sought.text]])).json();
    if (turn !== seeking)
        return;
    const items = answer.found.map(found => {
        const item = make('li');
        item.append(
            makeButton(found.kind === 'resource' ? found.path : found.name, () => goToFound(found)),
            ' ' + found.kind + (found.of && found.of !== found.name ? ' of ' + found.of : ''));
        return item;
    });
    list.replaceChildren(...items);
    announce(sought.text === '' ? '' : count(answer.total, 'name', 'names') + ' found');
}

addPanel({name: 'search', title: 'Search', place: false,
    help: 'resources, types and values by their names',
    async fill(body) {
        const field = make('input');
        const list = make('ol', 'found');
        const look = () => findText(list).catch(showProblem);
        field.type = 'search';
        field.value = sought.text;
        field.setAttribute('aria-label', 'what to search for');
        field.addEventListener('input', () => {
            sought.text = field.value;
            rememberAddress('replace');
            look();
        });
        field.addEventListener('keydown', async event => {
            if (event.key !== 'Enter')
                return;
            await look();
            if (list.firstElementChild !== null)
                list.querySelector('button').click();
        });
        body.append(field, list);
        await look();
        if (panelBox.region.contains(document.activeElement) ||
            document.activeElement === document.body)
            setTimeout(() => field.focus());
    }});

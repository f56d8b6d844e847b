/* Fields that answers fill. The one that is typed into keeps what it has: it gets what an answer
 * said since once it is left, unless it was changed, or at once by Escape. */

const filled = new WeakMap(); /* what an answer said last, by field */
const behind = new WeakSet(); /* fields that do not have it yet */

function fillField(field, value) {
    filled.set(field, value);
    if (field === document.activeElement && isTyped(field))
        behind.add(field);
    else
        field.value = value;
}

function restoreField(field) {
    behind.delete(field);
    if (field.value !== filled.get(field))
        field.value = filled.get(field);
}

/* What was changed is asked for: its own answer fills the field. */
document.addEventListener('change', event => behind.delete(event.target), {capture: true});
document.addEventListener('focusout', event => {
    if (behind.has(event.target) &&
        event.target !== document.activeElement) /* else the window was left */
        restoreField(event.target);
});
document.addEventListener('keydown', event => {
    const field = event.target;
    if (event.key !== 'Escape' || !filled.has(field) || !isTyped(field) ||
        field.value === filled.get(field))
        return;
    restoreField(field);
    event.preventDefault();
});

/* --- Fields of a panel's own: words with what they say, and something that is or is not */

function makeChoice(name, words, value, change) {
    const label = make('label');
    const field = make('select');
    for (const [word, text] of words)
        field.append(new Option(text, word, false, word === value));
    field.dataset.choice = name;
    field.addEventListener('change', () => change(field.value));
    label.append(name + ' ', field);
    return label;
}

function makeTick(name, value, change) {
    const label = make('label');
    const box = make('input');
    box.type = 'checkbox';
    box.checked = value;
    box.dataset.choice = name;
    box.addEventListener('change', () => change(box.checked));
    label.append(box, ' ' + name);
    return label;
}

function makeText(name, value, change, hint = '') {
    const label = make('label');
    const field = make('input');
    field.type = 'text';
    field.size = 12;
    field.placeholder = hint;
    fillField(field, value);
    field.addEventListener('change', () => change(field.value.trim()));
    label.append(name + ' ', field);
    return label;
}

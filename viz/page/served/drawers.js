/* What opens beside the picture: the tree of resources, and the options. */

function showSide(open) {
    const button = document.getElementById('tree-open');
    keepLayout({tree: open});
    document.getElementById('tree').hidden = !open;
    button.setAttribute('aria-expanded', String(open));
}

document.getElementById('tree-open').addEventListener('click', () => showSide(!layout.tree));

document.getElementById('options').addEventListener('toggle', event => {
    document.getElementById('options-open').setAttribute(
        'aria-expanded', String(event.newState === 'open'));
    if (event.newState === 'open')
        fillOptions();
});

document.getElementById('options-find').addEventListener('input', event => {
    const sought = event.target.value.trim().toLowerCase();
    for (const label of document.querySelectorAll('#options label'))
        label.hidden = !(label.textContent + ' ' + label.title).toLowerCase().includes(sought);
    for (const group of document.querySelectorAll('#options fieldset'))
        group.hidden = group.querySelector('label:not([hidden])') === null;
});

showSide(layout.tree);

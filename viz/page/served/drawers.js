/* The tree of resources beside the picture, or over it where there is no room beside it. */

/* `move`: the focus goes into it, or back to its button. */
function showSide(open, move = false) {
    const button = document.getElementById('tree-open');
    keepLayout({tree: open});
    document.getElementById('tree').hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    if (move)
        (open ? document.querySelector('#tree [tabindex="0"]') || button : button).focus();
}

function isSheet() {
    return layout.tree && getComputedStyle(document.getElementById('tree')).position === 'absolute';
}

document.getElementById('tree-open').addEventListener('click', () => showSide(!layout.tree));

showSide(layout.tree);
if (isSheet()) /* the picture comes first */
    showSide(false);

/* The tree of resources at the left: opens and folds, shows what is below a resource, and leaves
 * out what is not ticked. It is of all resources, whatever is shown of them. */

const MOST_CHILDREN = 200; /* of a resource that are listed at once */

const tree = {
    list: document.getElementById('tree-list'),
    options: '',
    children: new Map(),
    open: new Set(['']),
    more: new Set(),
    sought: '',
    here: '',
    focus: ''
};

const OF_TREE = ['fold', 'except-resources', 'only-resources', ...PLACES];

/* Finds the tree again where options change it. */
async function findTree() {
    const options = placeOf(shown).filter(([name]) => !OF_TREE.includes(name));
    const wanted = JSON.stringify(options);
    if (tree.options !== wanted) {
        tree.options = wanted;
        const nodes = await getNodes(options, [['run', server.trace.run]]).catch(() => []);
        if (tree.options !== wanted)
            return;
        tree.children = childrenOf(nodes);
        document.getElementById('tree-open').disabled = tree.children.size === 0;
        openChain('');
    }
    showTree();
}

/* Children by the path above them; groups of like siblings have no path, so their children are
 * those of the node above. */
function childrenOf(nodes) {
    const children = new Map();
    const real = index =>
        nodes[index] !== undefined && nodes[index][ALIKE] ? real(nodes[index][PARENT]) : index;
    for (const node of nodes) {
        const above = nodes[real(node[PARENT])];
        if (node[ALIKE] || node[PATH] === '' || (above !== undefined && above[PATH] === node[PATH]))
            continue;
        const key = above === undefined ? '' : above[PATH];
        children.set(key, [...(children.get(key) || []), node]);
    }
    return children;
}

/* A resource that is alone is opened with what is around it. */
function openChain(path) {
    for (let below = tree.children.get(path); below !== undefined && below.length === 1;
         below = tree.children.get(path)) {
        path = below[0][PATH];
        tree.open.add(path);
    }
}

function isBelow(path, above) {
    return path === above || path.startsWith(above + '/') || above === '';
}

function isTicked(path) {
    return !namesOf('except-resources').some(one => isBelow(path, one));
}

/* Leaves a resource out, or takes it in again. */
function tick(path) {
    const values = namesOf('except-resources');
    setOption('except-resources',
        (isTicked(path) ? [...values.filter(one => !isBelow(one, path)), path]
                        : values.filter(one => !isBelow(path, one)))
            .map(spell));
}

function goToResource(path) {
    show(
        [
            ...placeOptions(null, '').filter(([name]) => name !== 'resource'),
            ['resource', spell(path)]
        ],
        'push');
}

function toggleOpen(path) {
    if (!tree.open.delete(path))
        tree.open.add(path);
    showTree();
}

/* The paths that have what is sought, with those above them; null where nothing is. */
function foundPaths() {
    if (tree.sought === '')
        return null;
    const found = new Set();
    for (const children of tree.children.values())
        for (const {[PATH]: path} of children)
            if (path.slice(path.lastIndexOf('/') + 1).toLowerCase().includes(tree.sought))
                pathsAbove(path).forEach(above => found.add(above));
    return found;
}

/* A path and those above it. */
function pathsAbove(path) {
    const names = path.split('/');
    return names.map((name, depth) => names.slice(0, depth + 1).join('/'));
}

/* The visible lines: nodes, and a line to see more of them if they are too many. */
function linesBelow(path, depth, found) {
    const children = (tree.children.get(path) || []).filter(
        node => found === null || found.has(node[PATH]));
    const most = tree.more.has(path) ? children.length : MOST_CHILDREN;
    const isOpen = node => found !== null || tree.open.has(node[PATH]);
    const lines = children.slice(0, most).flatMap(node => [{node, depth, path: node[PATH]},
        ...(isOpen(node) ? linesBelow(node[PATH], depth + 1, found) : [])]);
    return children.length > most
        ? [...lines, {node: null, depth, path, rest: children.length - most}]
        : lines;
}

function makeLine(line, here) {
    const item = make('li');
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-level', String(line.depth));
    item.style.paddingInlineStart = (line.depth - 1) * 14 + 'px';
    if (line.node === null) {
        item.textContent = count(line.rest, 'more', 'more');
        item.addEventListener('click', () => {
            tree.more.add(line.path);
            showTree();
        });
        return item;
    }
    const open = tree.open.has(line.path) || tree.sought !== '',
          parent = tree.children.has(line.path);
    const fold = make('span', 'fold', parent ? (open ? '▾' : '▸') : '');
    const box = make('input');
    const name = make('bdi', '', line.path.slice(line.path.lastIndexOf('/') + 1));
    box.type = 'checkbox';
    box.tabIndex = -1;
    box.checked = isTicked(line.path);
    box.setAttribute('aria-label', 'show ' + line.path);
    if (parent)
        item.setAttribute('aria-expanded', String(open));
    item.setAttribute('aria-checked', String(box.checked));
    item.setAttribute('aria-label', line.path + ', ' + count(line.node[ROWS], 'leaf', 'leaves'));
    item.setAttribute('aria-selected', String(here.includes(line.path)));
    item.title = line.path + ' (' + count(line.node[ROWS], 'leaf', 'leaves') + ')';
    item.dataset.path = line.path;
    fold.addEventListener('click', () => toggleOpen(line.path));
    box.addEventListener('change', () => tick(line.path));
    name.addEventListener('click', () => goToResource(line.path));
    item.append(fold, box, name);
    return item;
}

function showTree() {
    const inside = tree.list.contains(document.activeElement);
    const here = namesOf('resource'), moved = tree.here !== String(here);
    if (moved)
        here.flatMap(path => pathsAbove(path).slice(0, -1)).forEach(path => tree.open.add(path));
    tree.here = String(here);
    tree.list.replaceChildren(
        ...linesBelow('', 1, foundPaths()).map(line => makeLine(line, here)));
    focusLine(moved && here.length > 0 ? here[0] : tree.focus, inside);
    if (moved)
        tree.list.querySelector('[aria-selected="true"]')?.scrollIntoView({block: 'nearest'});
}

document.getElementById('tree-find').addEventListener('input', event => {
    tree.sought = event.target.value.trim().toLowerCase();
    showTree();
});

/* One line can be reached by Tab: that of a path, else the first. */
function focusLine(path, move) {
    const lines = [...tree.list.children];
    const line = lines.find(one => one.dataset.path === path) || lines[0];
    lines.forEach(one => { one.tabIndex = one === line ? 0 : -1; });
    if (line === undefined)
        return;
    tree.focus = line.dataset.path || '';
    if (move)
        line.focus();
}

function onTreeKey(key, line) {
    const path = line.dataset.path;
    const open = line.getAttribute('aria-expanded');
    const beside = key === 'ArrowDown' ? line.nextElementSibling
        : key === 'ArrowUp'            ? line.previousElementSibling
                                       : null;
    if (beside !== null)
        focusLine(beside.dataset.path, true);
    if (path === undefined) {
        if (key === 'Enter')
            line.click();
    } else if ((key === 'ArrowRight' && open === 'false') ||
        (key === 'ArrowLeft' && open === 'true')) {
        toggleOpen(path);
    } else if (key === 'ArrowRight' && open === 'true') {
        focusLine(line.nextElementSibling.dataset.path, true);
    } else if (key === 'ArrowLeft') {
        focusLine(path.slice(0, Math.max(0, path.lastIndexOf('/'))), true);
    } else if (key === 'Enter') {
        goToResource(path);
    } else if (key === ' ') {
        tick(path);
    }
    return ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Enter', ' '].includes(key);
}

/* Wherever the focus comes from, by a pointer as well, keys go on from there. */
tree.list.addEventListener('focusin', event => {
    const line = event.target.closest('[role=treeitem]'),
          before = tree.list.querySelector('[tabindex="0"]');
    if (line === null)
        return;
    if (before !== null)
        before.tabIndex = -1;
    line.tabIndex = 0;
    tree.focus = line.dataset.path || '';
});

tree.list.addEventListener('keydown', event => {
    const line = event.target.closest('[role=treeitem]');
    if (line !== null && !event.ctrlKey && !event.metaKey && !event.altKey &&
        onTreeKey(event.key, line))
        event.preventDefault();
});

/* What is chosen, in words and numbers. */

const panel = document.getElementById('panel');

function make(name, className, text) {
    const element = document.createElement(name);
    if (className)
        element.className = className;
    if (text !== undefined)
        element.textContent = text;
    return element;
}

/* A number with few digits, whose title is all of it. */
function makeNumber(number, text) {
    const element = make('data', '', text);
    element.value = element.title = String(number);
    return element;
}

/* What is copied of numbers is all of them. */
document.addEventListener('copy', event => {
    const selection = getSelection();
    if (selection.isCollapsed || isInField(event))
        return;
    const copied = selection.getRangeAt(0).cloneContents();
    if (copied.querySelector('data') === null)
        return;
    for (const number of copied.querySelectorAll('data'))
        number.textContent = number.value;
    const cells = copied.querySelectorAll('tr');
    const lines = [...cells].map(
        row => [...row.cells].map(cell => cell.textContent.trim()).join('\t'));
    event.clipboardData.setData(
        'text/plain', cells.length > 0 ? lines.join('\n') : copied.textContent);
    event.preventDefault();
});

/* How long its bar is says how large a share is. */
function makeTrack(share, colour, untraced = false) {
    const track = make('div', 'track'), filled = make('div', untraced ? 'untraced' : '');
    filled.style.background = colour;
    filled.style.width = Math.min(100, share * 100) + '%';
    track.append(filled);
    track.setAttribute('aria-hidden', 'true');
    return track;
}

function makeShare(share) {
    const [name, colour, untraced, groups] = data.types[share.type];
    const row = make('tr'), bar = make('td'), amount = make('td');
    const header = make('th', '', name);
    header.scope = 'row';
    if (groups)
        header.prepend(make('small', 'groups', groups + ' › '));
    bar.append(makeTrack(share.share, colour, untraced));
    if (!data.shares)
        amount.append(makeNumber(share.value,
            shortAmount(share.value, data.unit)), ', ');
    amount.append(makeNumber(share.share, percent(share.share)));
    row.append(header, bar, amount);
    return row;
}

function makeShares(shares, caption) {
    const table = make('table', 'shares'), body = make('tbody');
    table.append(make('caption', '', caption));
    body.append(...shares.map(makeShare));
    table.append(body);
    return shares.length > 0 ? table : make('p', 'facts', 'nothing');
}

/* What only some want to read. */
function makeDisclosure(title, ...content) {
    const box = make('details');
    box.append(make('summary', '', title), ...content);
    return box;
}

function makeButton(text, action) {
    const button = make('button', '', text);
    button.type = 'button';
    button.addEventListener('click', action);
    return button;
}

function numberOf(part) {
    return part[PARTS] > 1
        ? count(part[PARTS], 'part', 'parts') + ' drawn as one, the first is part ' + part[NUMBER]
        : 'part ' + part[NUMBER];
}

/* What looks into a part; of several that are drawn as one, into the first. */
function makeCommands(part) {
    if (data.commands.length === 0)
        return [];
    const list = make('div', 'commands');
    const values = [data.levels[chosen.level].p, part[NUMBER]];
    for (const [what, ...pieces] of data.commands) {
        const line = make('pre', '',
            pieces.map(piece => typeof piece === 'number' ? values[piece] : piece).join(''));
        line.tabIndex = 0;
        list.append(make('p', '', what), line);
    }
    return [makeDisclosure('Commands that look into part ' + part[NUMBER], list)];
}

/* What the values of a part are. */
function nameOfShares(part) {
    const quantile = data.percentile === 50 ? 'median' : data.percentile + ' % quantile';
    if (data.percentile > 0)
        return part[PARTS] > 1 ? 'Mean of the ' + quantile + 's of its parts'
                               : quantile[0].toUpperCase() + quantile.slice(1) + ' of its cells';
    return data.shares ? 'Share of its time' : 'Mean of its cells';
}

function makeSection(kind, name, facts, buttons, shares, why, commands) {
    const section = make('section', kind), what = make('div', 'what'), row = make('div', 'actions');
    const more = make('div', 'more');
    what.append(make('h2', '', name), ...facts.map(fact => {
        const line = make('p', 'facts');
        line.append(...[fact].flat());
        return line;
    }));
    row.append(...buttons);
    what.append(row);
    more.append(...why, ...commands);
    section.append(what, shares, more);
    return section;
}

function makePart(index) {
    const part = data.levels[chosen.level].shown[index];
    const facts = [
        numberOf(part), when(part[FIRST], part[LAST]),
        count(part[LEAVES], 'leaf', 'leaves') + ' × ' +
            count(part[LAST] - part[FIRST] + 1, 'slice', 'slices') +
            (part[LEAVES] < data.nodes[part[NODE]][1] ? ', not all below it' : '')
    ];
    if (!Number.isNaN(part[GAIN]))
        facts.push(['gain ', makeNumber(part[GAIN], shortDigits(part[GAIN])), ' bits, loss ',
            makeNumber(part[LOSS], shortDigits(part[LOSS])), ' bits']);
    return makeSection('part', pathOf(part[NODE]), facts, [
        ...page.actions(part),
        makeButton('all resources', () => setRange(part[FIRST], part[LAST])),
        ...(index === chosen.part ? [makeButton('clear', clear)] : [])
    ], makeShares(sharesOf(part), nameOfShares(part)),
        page.why(part[NODE], part[FIRST], part[LAST]), makeCommands(part));
}

function nameOfAll() {
    if (data.below)
        return 'All of ' + data.below;
    return data.expanded === '' ? 'All resources' : 'All of ' + data.expanded;
}

function nameOfSums() {
    return data.shares  ? 'Share of time'
        : data.additive ? 'Sum'
                        : 'Sums that the metric is made of';
}

function makeRange() {
    const whole = chosen.range === null;
    const first = whole ? data.first : chosen.range[0];
    const last = whole ? data.first + data.count - 1 : chosen.range[1];
    const [top, bottom] = rowsOf(chosen.node);
    const node = data.nodes.findIndex(one => one[PATH] === (whole ? '' : chosen.node));
    return makeSection('range', whole || chosen.node === '' ? nameOfAll() : chosen.node,
        [
            when(first, last), count(bottom - top + 1, 'leaf', 'leaves') + ' × ' +
                count(last - first + 1, 'slice', 'slices'),
            ...(whole ? ['Click on a part of the picture, or drag over a region.'] : [])
        ],
        [...page.actions(null), ...(whole ? [] : [makeButton('clear', () => setRange())])],
        makeShares(sharesOfRegion(), nameOfSums()), page.why(node, first, last), []);
}

function subject() {
    return chosen.focused >= 0 ? chosen.focused : chosen.part;
}

/* The part that is looked at, -1 where a region was chosen last. */
function partOfInterest() {
    return chosen.ranged && chosen.range !== null && chosen.focused < 0 ? -1 : subject();
}

/* Made anew only where something else is to be content, so that the focus can move into it. */
function showPanel() {
    const part = partOfInterest();
    const content = JSON.stringify(
        [chosen.level, part, part === chosen.part, chosen.range, chosen.node, chosen.free]);
    const inside = panel.contains(document.activeElement);
    if (content === panel.dataset.content)
        return;
    panel.dataset.content = content;
    panel.replaceChildren(part >= 0 ? makePart(part) : makeRange());
    if (inside)
        panel.focus();
}

function announce(text) {
    document.getElementById('status').textContent = text;
}

function refresh() {
    showPanel();
    showMarks();
    page.complete();
}

function describeLevel(index) {
    const level = data.levels[index];
    return (level.number > 0 ? 'level ' + level.number + ' of ' + data.listed +
                       (level.auto ? ' (auto)' : '') + ' · '
                             : '') +
        'p ' + level.p + ' · ' + count(level.parts, 'part', 'parts') + ' · gain ' +
        percent(level.gain) + ' · loss ' + percent(level.loss);
}

function factsOfPart(index) {
    const part = data.levels[chosen.level].shown[index];
    const shares = sharesOf(part);
    /* Of a part that is drawn here its own type comes first. */
    const most = part.opacity === undefined ? shares[0]
                                            : shares.find(one => one.type === part[SHARES][0]);
    /* What else a part holds, and so what this is a share of, may not be known yet. */
    const known = data.shares || !Number.isNaN(part[GAIN]);
    return [
        pathOf(part[NODE]),
        most === undefined ? 'nothing'
                           : data.types[most.type][0] + (known ? ' ' + percent(most.share) : ''),
        timeOf(part[FIRST], part[LAST]), numberOf(part)
    ];
}

function describePart(index) {
    const [path, share, time, number] = factsOfPart(index);
    return [number, path, time, share].join(', ');
}

/* The panel beside the picture: what is chosen, in words and numbers. */

const panel = document.getElementById('panel');

function make(name, className, text) {
    const element = document.createElement(name);
    if (className)
        element.className = className;
    if (text !== undefined)
        element.textContent = text;
    return element;
}

function makeShare(share) {
    const [name, colour, untraced, groups] = data.types[share.type];
    const words = make('tr');
    const bar = make('tr');
    const cell = make('td', 'gauge');
    const track = make('div', 'track');
    const filled = make('div', untraced ? 'untraced' : '');
    const header = make('th', '', name);
    header.scope = 'row';
    if (groups)
        header.prepend(make('small', 'groups', groups + ' › '));
    filled.style.background = colour;
    filled.style.width = Math.min(100, share.share * 100) + '%';
    cell.colSpan = 2;
    const amount =
        data.shares ? '' : short(share.value) + (data.unit ? ' ' + data.unit : '') + ', ';
    words.append(header, make('td', '', amount + percent(share.share)));
    track.append(filled);
    cell.append(track);
    bar.append(cell);
    bar.setAttribute('aria-hidden', 'true');
    return [words, bar];
}

function makeShares(shares, caption) {
    const table = make('table');
    table.append(make('caption', '', caption));
    const body = make('tbody');
    for (const share of shares)
        body.append(...makeShare(share));
    table.append(body);
    return shares.length > 0 ? table : make('p', 'facts', 'nothing');
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
    list.append(make('h3', '', 'Commands that look into part ' + part[NUMBER]));
    for (const [what, ...pieces] of data.commands) {
        const line = make('pre', '',
            pieces.map(piece => typeof piece === 'number' ? values[piece] : piece).join(''));
        line.tabIndex = 0;
        list.append(make('p', '', what), line);
    }
    return [list];
}

/* What the values of a part are. */
function nameOfShares(part) {
    const quantile = data.percentile === 50 ? 'median' : data.percentile + ' % quantile';
    if (data.percentile > 0)
        return part[PARTS] > 1 ? 'Mean of the ' + quantile + 's of its parts'
                               : quantile[0].toUpperCase() + quantile.slice(1) + ' of its cells';
    return data.shares ? 'Share of its time' : 'Mean of its cells';
}

function makePart(index) {
    const part = data.levels[chosen.level].shown[index];
    const section = make('section', 'part');
    section.append(make('h2', '', pathOf(part[NODE])));
    const facts = [
        numberOf(part), when(part[FIRST], part[LAST]),
        count(part[LEAVES], 'leaf', 'leaves') + ' × ' +
            count(part[LAST] - part[FIRST] + 1, 'slice', 'slices') +
            (part[LEAVES] < data.nodes[part[NODE]][1] ? ', not all below it' : '')
    ];
    if (!Number.isNaN(part[GAIN]))
        facts.push('gain ' + short(part[GAIN]) + ' bits, loss ' + short(part[LOSS]) + ' bits');
    for (const fact of facts)
        section.append(make('p', 'facts', fact));
    section.append(makeShares(sharesOf(part), nameOfShares(part)));
    section.append(...page.actions(part),
        makeButton('all resources in this time', () => setRange(part[FIRST], part[LAST])));
    if (index === chosen.part)
        section.append(makeButton('clear', clear));
    section.append(...makeCommands(part));
    return section;
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
    const section = make('section', 'range');
    const [top, bottom] = rowsOf(chosen.node);
    section.append(make('h2', '',
        (whole || chosen.node === '' ? nameOfAll() : chosen.node) +
            (whole ? '' : ' in a range of time')));
    section.append(make('p', 'facts', when(first, last)));
    section.append(make('p', 'facts', count(bottom - top + 1, 'leaf', 'leaves') + ' × ' +
        count(last - first + 1, 'slice', 'slices')));
    section.append(makeShares(sharesOfRegion(), nameOfSums()));
    section.append(...page.actions(null));
    if (whole)
        section.append(
            make('p', 'note', 'Click on a part of the plot, or drag over a range of time.'));
    else
        section.append(makeButton('clear', () => setRange()));
    return section;
}

function subject() {
    return chosen.focused >= 0 ? chosen.focused : chosen.part;
}

/* Made anew only where something else is to be content, so that the focus can move into it. */
function showPanel() {
    const part = subject();
    const content = JSON.stringify(
        [chosen.level, part, part === chosen.part, chosen.range, chosen.node, chosen.free]);
    const inside = panel.contains(document.activeElement);
    if (content === panel.dataset.content)
        return;
    panel.dataset.content = content;
    panel.replaceChildren(...(part >= 0 ? [makePart(part)] : []), makeRange());
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
    /* What else a part holds, and so what this is a share of, may not be known yet. */
    const known = shares.length > 0 && (data.shares || !Number.isNaN(part[GAIN]));
    const share = known ? ' ' + percent(shares[0].share) : '';
    return [
        numberOf(part), pathOf(part[NODE]), when(part[FIRST], part[LAST]),
        shares.length > 0 ? data.types[shares[0].type][0] + share : 'nothing'
    ];
}

function describePart(index) {
    return factsOfPart(index).join(', ');
}

/* Panels that are charts of what is chosen: its events, their states over time, their durations. */

/* The looks of a picture in a panel: as wide as that is. Charts with rows are as high as
 * they need. */
function looksOfPanel() {
    const width = sizeIn(panelBox.body, 480);
    return looks([width, Math.max(640, Math.round(width * 9 / 16))]);
}

function makeFigure(picture) {
    const figure = make('div', 'figure');
    figure.style.setProperty('--wide', sizeIn(panelBox.body, 480) + 'px');
    place(figure, picture, 'image/svg+xml');
    return figure;
}

/* Cuts off what is empty below a picture of bars. */
function cutFigure(figure) {
    const svg = figure.firstElementChild;
    const {width, height} = svg.viewBox.baseVal;
    const below = [...svg.querySelectorAll('text, rect:not([width="100%"])')].map(
        one => Number(one.getAttribute('y')) + Number(one.getAttribute('height') || 0));
    const end = Math.min(height, Math.max(...below) + 16);
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + end);
    svg.setAttribute('height', String(end));
    return figure;
}

/* A picture that a path answers with, and the command that draws it. */
async function fillWithPicture(body, path, options) {
    const answer = await (await ask(path, options, looksOfPanel())).json();
    const figure = makeFigure(answer.picture);
    body.append(path === 'stats' ? cutFigure(figure) : figure, make('h2', '', 'Command'),
        makeCommand(answer.command));
}

/* --- A Gantt chart, whose window moves by itself, within what is shown */

/* Its window, as "first:end" in slices, '' for what is chosen; events of one type, at most so many
 * arrows, and the line of the critical path. */
const gantt = {window: '', type: '', links: '', violations: false, path: false};

/* The slices and the node of what is chosen. */
function chosenSlices() {
    const part = subject() >= 0 ? data.levels[0].shown[subject()] : null;
    if (part !== null)
        return [[part[FIRST], part[LAST] + 1], data.nodes[part[NODE]][PATH]];
    return chosen.range !== null ? [regionSlices(), chosen.node]
                                 : [[data.first, data.first + data.count], ''];
}

function windowOfGantt() {
    return gantt.window === '' ? chosenSlices()[0] : gantt.window.split(':').map(Number);
}

/* The window moved by a share of its length, and made longer by a factor. */
function movedGantt(share, factor) {
    const [first, end] = windowOfGantt();
    const length = Math.min((end - first) * factor, data.count);
    const middle = (first + end) / 2 + share * (end - first);
    const begin =
        Math.max(data.first, Math.min(data.first + data.count - length, middle - length / 2));
    return begin + ':' + (begin + length);
}

async function drawGantt(figure, options) {
    const place =
        gantt.window === '' ? options : placeOptions(windowOfGantt(), chosenSlices()[1]);
    const own = givenOptions([
        ['gantt.type', gantt.type], ['links', gantt.links], ['violations', gantt.violations],
        ['critical-path', gantt.path]
    ]);
    const drawn = make('div');
    if (await lastFor(figure, fillWithPicture(drawn, 'gantt', [...place, ...own])) !== null)
        figure.replaceChildren(...drawn.childNodes);
}

addChoosingPanel({
    name: 'gantt',
    title: 'Gantt chart',
    help: 'the events of what is chosen',
    follows: true,
    values: gantt,
    fields: change => {
        const move = (text, share, factor) => makeButton(
            text, () => change('window')(factor > 0 ? movedGantt(share, factor) : ''));
        const moves = data.instants.length === 0
            ? []
            : [
                  move('earlier', -0.5, 1), move('later', 0.5, 1), move('closer', 0, 0.5),
                  move('wider', 0, 2), move('as chosen', 0, 0)
              ];
        return [
            ...moves,
            makeChoice('of', [['', 'all events'], ...typesOfEvents()], gantt.type, change('type')),
            makeText('arrows at most', gantt.links, change('links'), '20000'),
            makeTick('only arrows that end before they begin', gantt.violations,
                change('violations')),
            makeTick('critical path', gantt.path, change('path'))
        ];
    },
    draw: drawGantt
});

/* Colours are those of the picture. */
function colourNamed(name) {
    const type = data.types.find(([known]) => known === name);
    return type === undefined ? 'var(--muted)' : type[1];
}

/* One group of series as areas upon each other, as high as all of its members. */
function makeAreas(group) {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    const count = group[0].means.length, height = 60;
    const sums = new Array(count).fill(0);
    const most = Math.max(...group[0].means.map(
                     (mean, i) => group.reduce((sum, one) => sum + (one.means[i] || 0), 0))) ||
        1;
    svg.setAttribute('viewBox', '0 0 ' + count + ' ' + height);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('width', '100%');
    svg.style.height = height + 'px';
    svg.setAttribute('aria-hidden', 'true');
    for (const one of group) {
        const area = document.createElementNS(space, 'path');
        const below = sums.map((sum, i) => [i, height - sum / most * height]);
        one.means.forEach((mean, i) => { sums[i] += mean || 0; });
        const above = sums.map((sum, i) => [i, height - sum / most * height]);
        const step = (list, i) => list[i][0] + ' ' + list[i][1] + 'H' + (i + 1);
        const back = (list, i) => 'V' + list[i][1] + 'H' + i;
        area.setAttribute('d',
            'M' +
                above.map((place, i) => i === 0 ? step(above, i) : 'V' + place[1] + 'H' + (i + 1))
                    .join('') +
                below.map((place, i) => back(below, count - 1 - i)).join('') + 'Z');
        area.setAttribute('fill', colourNamed(one.series));
        svg.append(area);
    }
    return svg;
}

function fillSeries(body, answer) {
    const groups = new Map();
    for (const one of answer.series)
        groups.set(one.resource, [...(groups.get(one.resource) || []), one]);
    const mean = one => one.means.reduce((sum, value) => sum + (value || 0), 0) / one.means.length;
    body.append(make('p', 'facts', answer.meaning));
    for (const [resource, group] of groups)
        body.append(make('p', 'note', resource), makeAreas(group));
    body.append(makeScrolled('Means over ' + answer.begin + ' – ' + answer.end + ' s',
        ['group', 'series', 'mean', 'most', 'unit', 'members'],
        answer.series.map(
            one => [one.resource, one.series, mean(one),
                Math.max(...one.means.map(value => value || 0)), one.unit, one.members])));
}

/* What is counted, as "option:value", '' for states. */
const counted = {at: '', what: '', side: '', reduce: ''};

function optionsOfSeries() {
    const [name, value = ''] = counted.what.split(/:(.*)/);
    return givenOptions([
        ['at', counted.at], ['in-flight', name === 'in-flight' ? value : ''],
        ['variable', name === 'variable' ? spell(value) : ''],
        ['side', name === 'in-flight' ? counted.side : ''],
        ['reduce', name === 'variable' ? counted.reduce : '']
    ]);
}

function whatIsCounted() {
    const links = [
        ['in-flight:count', 'links under way'], ['in-flight:bytes', 'bytes under way'],
        ['in-flight:rate', 'bytes a second'], ['in-flight:slowdown', 'slowdown of links']
    ];
    return [
        ['', 'states'], ...(typesOfEvents('link').length > 0 ? links : []),
        ...typesOfEvents('variable').map(([name]) => ['variable:' + name, name])
    ];
}

addChoosingPanel({
    name: 'series',
    title: 'Over time',
    help: 'how many resources are in what, by group',
    follows: true,
    values: counted,
    fields: change => {
        const side = makeChoice('links are counted',
            [
                ['', 'where they begin'], ['receiver', 'where they end'],
                ['pair', 'for each pair'], ['through', 'where they cross the border of a group']
            ],
            counted.side, change('side'));
        const reduce = makeChoice('put together as',
            [
                ['', 'a sum'], ['mean', 'a mean'], ['min', 'the least'], ['max', 'the most']
            ],
            counted.reduce, change('reduce'));
        const fit = () => {
            side.hidden = !counted.what.startsWith('in-flight');
            reduce.hidden = !counted.what.startsWith('variable');
        };
        fit();
        return [
            makeChoice('of', whatIsCounted(), counted.what, value => {
                const drawn = change('what')(value);
                fit();
                return drawn;
            }),
            makeChoice('groups',
                [
                    ['', 'the largest'], ...server.trace.types.map(type => [type, type]),
                    ['all', 'all together']
                ],
                counted.at, change('at')),
            side, reduce
        ];
    },
    async draw(rows, options) {
        const whole = await lastFor(rows,
            ask('series', [...options, ...optionsOfSeries()]).then(response => response.json()));
        if (whole === null)
            return;
        rows.replaceChildren();
        fillSeries(rows, whole.answer);
        rows.append(makeCommand(whole.command));
    }
});

/* Panels that are charts of what is chosen: its events, their states over time, their durations. */

/* The looks of a picture in a panel, beside a table: without what the page has, and as high as
 * there is room. */
function looksOfPanel(least = 96) {
    const {clientWidth: width, clientHeight: height} = panelBox.region;
    return [...looks([Math.round(width * 0.57), LEAST_SIZE]),
        ['bare', String(Math.max(least, height - AROUND_FIGURE))]];
}

function makeFigure(picture) {
    const figure = make('div', 'figure');
    place(figure, picture, 'image/svg+xml');
    return figure;
}

/* --- A Gantt chart, whose window moves by itself */

/* Its window, as "first:end" in slices, '' for what is chosen; events of one type, at most so many
 * arrows, and the line of the critical path. */
const gantt = {window: '', type: '', links: '', violations: false, path: false};

/* The slices of what is chosen. */
function chosenSlices() {
    const part = subject() >= 0 ? data.levels[0].shown[subject()] : null;
    return part !== null      ? [part[FIRST], part[LAST] + 1]
        : chosen.range !== null ? regionSlices()
                                : [data.first, data.first + data.count];
}

function windowOfGantt() {
    return gantt.window === '' ? chosenSlices() : gantt.window.split(':').map(Number);
}

/* Options of slices that may go beyond what is shown. */
function optionsOfSlices([first, end], paths) {
    if (first >= data.first && end <= data.first + data.count)
        return placeOptions([first, end], paths);
    const kept = placeOptions(null, paths).filter(([name]) => name !== 'from' && name !== 'to');
    return [...kept, ['from', instantAt(first)], ['to', instantAt(end, true)]];
}

/* Puts what goes over time into a picture of its own within it, whose view box is the window. */
function fillGantt(chart, picture, command) {
    place(chart.lanes, picture, 'image/svg+xml');
    const svg = chart.lanes.firstElementChild, {height} = svg.viewBox.baseVal;
    const plot = document.createElementNS(svg.namespaceURI, 'svg');
    const [left, right] = chart.edges, drawn = chart.window;
    for (const [name, value] of Object.entries({x: left, y: 0, width: right - left, height,
             preserveAspectRatio: 'none'}))
        plot.setAttribute(name, value);
    plot.append(...svg.querySelectorAll(':scope > g:not(.hierarchy, .axis)'));
    svg.append(plot);
    chart.lanes.append(makeCommand(command));
    chart.show = () => {
        const wide = (right - left) / (drawn[1] - drawn[0]);
        const [from, to] = chart.window.map(slice => left + (slice - drawn[0]) * wide);
        plot.setAttribute('viewBox', [from, 0, to - from, height].join(' '));
    };
    chart.show();
}

/* Draws the events of a place into a chart of its window; the chart, null where something else was
 * asked for there since. */
async function drawEvents(rows, place, window, height) {
    const [left, right] = plotEdges();
    const asked = [
        ...place, ...looks([panelBox.region.offsetWidth, LEAST_SIZE]), ['left', String(left)],
        ['right', String(right)], ['bare', String(height)],
        ['pale', data.legend.filter(([kind, , , , , pale]) => kind === 'type' && pale)
                .map(([, name]) => name).join('\n')]
    ];
    const answer = await lastFor(rows, ask('gantt', asked).then(response => response.json()));
    if (answer === null)
        return null;
    const known = timed !== null && timed.element.parentNode === rows &&
        String(timed.edges) === String([left, right]);
    const chart = known ? timed : makeTimed(window);
    if (!known)
        rows.replaceChildren(chart.element);
    chart.window = window;
    drawAxis(chart);
    fillGantt(chart, answer.picture, answer.command);
    return {chart, known};
}

async function drawGantt(rows, options, change) {
    const window = windowOfGantt();
    showMarks();
    const own = givenOptions([
        ['gantt.type', gantt.type], ['links', gantt.links], ['violations', gantt.violations],
        ['critical-path', gantt.path]
    ]);
    const drawn = await drawEvents(rows,
        [
            ...(gantt.window === '' ? options : optionsOfSlices(window, pathsOfChosen())), ...own
        ],
        window,
        Math.max(60, panelBox.region.clientHeight - AROUND_LANES));
    if (drawn === null || drawn.known)
        return;
    const {chart} = drawn;
    handleTimed(chart, () => chart.show(), () => change('window')(chart.window.join(':')));
    chart.lanes.addEventListener('dblclick', () => change('window')(''));
}

/* Pixels: choices and the axis; choices and the command. */
const AROUND_LANES = 54, AROUND_FIGURE = 84;

addChoosingPanel({
    name: 'gantt',
    title: 'Gantt chart',
    help: 'the events of what is chosen; wheel and drag move it, two clicks take it back',
    follows: true,
    values: gantt,
    fields: change => [
        makeChoice('of', [['', 'all events'], ...typesOfEvents()], gantt.type, change('type')),
        makeText('arrows at most', gantt.links, change('links'), '20000'),
        makeTick('only arrows that end before they begin', gantt.violations, change('violations')),
        makeTick('critical path', gantt.path, change('path'))
    ],
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

/* A lane for each group, with its name before it. What is pointed at is said. */
function makeLane(resource, group) {
    const lane = make('div', 'lane'), name = make('bdi', '', resource);
    const areas = makeAreas(group), count = group[0].means.length;
    name.title = resource;
    lane.append(name, areas);
    areas.addEventListener('pointermove', event => {
        const seen = areas.getBoundingClientRect();
        const at = Math.min(count - 1,
            Math.max(0, Math.floor((event.clientX - seen.left) / seen.width * count)));
        showHover(event, group.filter(one => one.means[at] > 0)
            .sort((a, b) => b.means[at] - a.means[at])
            .map(one => one.series + ' ' + shortDigits(one.means[at]) +
                (one.unit === '' ? '' : ' ' + one.unit)).join(' \u00b7 ') || 'nothing');
    });
    areas.addEventListener('pointerleave', () => { hover.hidden = true; });
    return lane;
}

function fillSeries(rows, {answer, command}) {
    const groups = new Map(), chart = makeTimed([answer.begin, answer.end].map(sliceAt));
    for (const one of answer.series)
        groups.set(one.resource, [...(groups.get(one.resource) || []), one]);
    const mean = one => one.means.reduce((sum, value) => sum + (value || 0), 0) / one.means.length;
    for (const [resource, group] of groups)
        chart.lanes.append(makeLane(resource, group));
    chart.lanes.append(make('p', 'facts', answer.meaning),
        makeTable('Means over ' + [answer.begin, answer.end].map(
            end => instantIn(end, answer.end - answer.begin)).join(' \u2013 '),
            ['group', 'series', 'mean', 'most', 'unit', 'members'],
            answer.series.map(
                one => [one.resource, one.series, mean(one),
                    Math.max(...one.means.map(value => value || 0)), one.unit, one.members])),
        makeCommand(command));
    chart.lanes.tabIndex = 0;
    rows.replaceChildren(chart.element);
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
    async draw(rows) {
        const whole = await lastFor(rows,
            ask('series', [...windowOfChosen(), ...optionsOfSeries()]).then(response => response.json()));
        if (whole !== null)
            fillSeries(rows, whole);
    }
});

/* Panels that are charts of what is chosen: its events, their states over time, their durations. */

/* The theme, of pictures that are as large as they need. */
function themeAlone() {
    return looks().filter(([name]) => name === 'look.theme');
}

/* A picture that a path answers with, and the command that draws it. */
async function fillWithPicture(body, path, options) {
    const answer = await (await ask(path, options, themeAlone())).json();
    const figure = make('div');
    place(figure, answer.picture, 'image/svg+xml');
    body.append(figure, make('h3', '', 'Command'), makeCommand(answer.command));
}

/* --- A Gantt chart, whose window moves by itself, within what is shown */

const gantt = {slices: null, of: ''};

/* The slices and the node of what is chosen. */
function chosenSlices() {
    const part = subject() >= 0 ? data.levels[0].shown[subject()] : null;
    if (part !== null)
        return [[part[FIRST], part[LAST] + 1], data.nodes[part[NODE]][PATH]];
    return chosen.range !== null ? [regionSlices(), chosen.node]
                                 : [[data.first, data.first + data.count], ''];
}

/* The window moved by a share of its length, and made longer by a factor. */
function moveGantt(share, factor) {
    const [first, end] = gantt.slices !== null ? gantt.slices : chosenSlices()[0];
    const length = Math.min((end - first) * factor, data.count);
    const middle = (first + end) / 2 + share * (end - first);
    const begin =
        Math.max(data.first, Math.min(data.first + data.count - length, middle - length / 2));
    gantt.slices = [begin, begin + length];
}

async function fillGantt(body, options) {
    const figure = make('div');
    const row = make('div', 'actions');
    const move = (text, share, factor) => makeButton(text, () => {
        if (factor > 0)
            moveGantt(share, factor);
        else
            gantt.slices = null;
        drawGantt(figure, options).catch(showProblem);
    });
    gantt.slices = gantt.of === JSON.stringify(options) ? gantt.slices : null;
    gantt.of = JSON.stringify(options);
    if (data.instants.length > 0)
        row.append(move('earlier', -0.5, 1), move('later', 0.5, 1), move('closer', 0, 0.5),
            move('wider', 0, 2), move('as chosen', 0, 0));
    body.append(row, figure);
    await drawGantt(figure, options);
}

async function drawGantt(figure, options) {
    const place = gantt.slices === null ? options : placeOptions(gantt.slices, chosenSlices()[1]);
    const drawn = make('div');
    if (await lastFor(figure, fillWithPicture(drawn, 'gantt', place)) !== null)
        figure.replaceChildren(...drawn.childNodes);
}

addPanel({
    name: 'gantt',
    title: 'Gantt chart',
    key: 'g',
    help: 'the events of what is chosen',
    follows: true,
    fill: fillGantt
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
    svg.setAttribute('height', String(height));
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

addPanel({
    name: 'series',
    title: 'Over time',
    help: 'how many resources are in what, by group',
    follows: true,
    async fill(body, options) {
        const whole = await (await ask('series', options)).json();
        fillSeries(body, whole.answer);
        body.append(makeCommand(whole.command));
    }
});

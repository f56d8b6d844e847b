/* What stands out, one sentence at a time, each with a button that shows it; of a run in which
 * nothing does, what is said of the whole. */

const said = {
    box: document.getElementById('said'),
    line: document.getElementById('explained'),
    place: '',
    findings: [],
    at: 0,
    gone: {finding: null, place: ''} /* to which `show` went, and the place that it led to */
};

/* Nothing is said of a very large trace. */
async function showExplained() {
    const place = placeOf(shown), wanted = JSON.stringify(place);
    if (said.place === wanted)
        return;
    const kept = said.gone.place === wanted ? [said.gone.finding] : [];
    Object.assign(said, {place: wanted, findings: kept, at: 0});
    said.box.replaceChildren(said.line);
    said.line.textContent = said.line.title = '';
    showFinding(0);
    const answerOf = async path => {
        const answer = await askBeside(path, place);
        if (said.place !== wanted)
            return null;
        if (answer === null)
            said.place = '';
        return answer;
    };
    try {
        while (said.place === wanted && known.list.length === 0 && known.more &&
               JSON.stringify(placeOf(shown)) === wanted)
            await pause(); /* a slider is waited for more than a sentence */
        const first = await answerOf('explained');
        if (first === null || first.explained === '')
            return;
        if (kept.length === 0)
            said.line.textContent = said.line.title = first.explained;
        const found = await answerOf('findings');
        if (found === null)
            return;
        said.findings = [
            ...kept, ...found.answer.findings.filter(({text}) => text !== kept[0]?.text)
        ];
        showFinding(said.at);
    } catch {
        /* Pictures say what is wrong. */
    }
}

function showFinding(at) {
    const finding = said.findings[at];
    if (finding === undefined)
        return;
    said.at = at;
    said.line.textContent = finding.text;
    said.line.title = finding.text;
    const last = said.findings.length - 1;
    const go = makeButton('show', () => goToFinding(finding));
    const turns = make('span', 'turns');
    const before = makeButton('‹', () => showFinding(said.at - 1)),
          after = makeButton('›', () => showFinding(said.at + 1));
    before.setAttribute('aria-label', 'the sentence before');
    after.setAttribute('aria-label', 'the next sentence');
    before.disabled = at === 0;
    after.disabled = at === last;
    turns.append(before, (at + 1) + ' of ' + (last + 1), after);
    go.title = 'zooms to it and what is around it';
    go.hidden = finding === said.gone.finding && said.gone.place === said.place;
    said.box.replaceChildren(said.line, go, turns);
    showMarks();
}

/* The rows of a resource. Another hierarchy than the trace's has it below other nodes: then those
 * of nodes named as the least resource around it that is named there. */
function rowsOfResource(path) {
    if (path === '' || nodeOf(path) !== undefined)
        return [rowsOf(path)];
    for (const name of path.split('/').reverse()) {
        const found = nodesToChoose().filter(node => node[PATH].split('/').at(-1) === name);
        if (found.length > 0)
            return found.map(node => rowsOf(node[PATH]));
    }
    return [];
}

/* Rows that follow each other, of the resources of a finding. */
function rowsOfFinding({resources}) {
    const spans = resources.flatMap(rowsOfResource).sort((a, b) => a[0] - b[0]);
    const joined = [];
    for (const [first, last] of spans)
        if (joined.length > 0 && first <= joined.at(-1)[1] + 1)
            joined.at(-1)[1] = Math.max(last, joined.at(-1)[1]);
        else
            joined.push([first, last]);
    return joined;
}

/* Where the finding is that is said. */
page.marks.push(overlay => {
    const finding = said.findings[said.at];
    if (finding === undefined || data.instants.length === 0 ||
        said.place !== JSON.stringify(placeOf(shown)))
        return;
    const [x, end] = [finding.begin, finding.end].map(seconds => xOf(sliceAt(seconds)));
    for (const [first, last] of rowsOfFinding(finding)) {
        const box = {x, y: yOf(first), width: end - x, height: yOf(last + 1) - yOf(first)};
        addBox(overlay, 'under', box);
        addBox(overlay, 'found', box);
    }
});

/* The place of a finding, with its siblings: those it is told apart from. */
function goToFinding(finding) {
    const {resources, begin, end} = finding;
    const kept = withoutPlace();
    const paths = resources.map(path => path.split('/').slice(0, -1));
    const around = (paths[0] || []).filter(
        (name, depth) => paths.every(path => path.slice(0, depth + 1).join('/') ===
            paths[0].slice(0, depth + 1).join('/')));
    const margin = (end - begin) / 2;
    const [least, most] = extent !== null ? extent : [begin, end];
    const at = seconds => '@' + Number(seconds.toPrecision(9)) + 's';
    const options = [
        ...kept, ['from', at(Math.max(least, begin - margin))],
        ['to', at(Math.min(most, end + margin))],
        ...(around.length > 0 && nodeOf(around.join('/')) !== undefined
                ? [['resource', spell(around.join('/'))]]
                : [])
    ];
    said.gone = {finding, place: JSON.stringify(placeOf(options))};
    show(options, 'push');
}

/* Tables of events and of parts, which can be kept as files. */

function makeSave(path, options, name) {
    const button = makeButton('save as CSV', async () => {
        try {
            saveBlob(await (await ask(path, options)).blob(), name);
        } catch (error) {
            showProblem(error);
        }
    });
    button.dataset.kept = name;
    return button;
}

/* Times have all of their digits: those of events that are next to each other differ in the last
 * ones. */
function rowsOfEvents({events}) {
    const times =
        event => [String(event.begin), event.duration === undefined ? '' : String(event.duration)];
    return events.map(event => [event.resource || event.source || '', event.type,
        event.value === null ? '' : event.value, ...times(event), event.target || '',
        Object.entries(event.attributes).map(pair => pair.join(' ')).join(', ')]);
}

function nameOfEvents(last, more) {
    return last === 0 ? 'No events' : 'Events 1 to ' + last + (more ? '' : ', the last ones');
}

addPanel({
    name: 'events',
    title: 'Events',
    help: 'the events of what is chosen as a table',
    follows: true,
    async fill(body, options) {
        const get = async after =>
            (await ask('events', options, [['after', String(after)]])).json();
        const first = await get(0), rows = rowsOfEvents(first);
        const next = async ({length}) => {
            const found = await get(length), more = rowsOfEvents(found);
            return {rows: more, more: found.more,
                caption: nameOfEvents(length + more.length, found.more)};
        };
        body.append(makeScrolled(nameOfEvents(rows.length, first.more),
            ['resource', 'type', 'value', 'begin (s)', 'duration (s)', 'target', 'carries'], rows,
            first.more ? next : null),
            makeSave('events.csv', options, 'events.csv'), makeCommand(first.command));
    }
});

addPanel({name: 'parts', title: 'Parts', help: 'the parts that are shown as a list',
    async fill(body) {
        const options = [...placeOf(shown), ['p', currentP()]];
        const answer = await (await ask('parts', options)).json();
        const list = answer.list.parts;
        const timed = list.length > 0 && list[0].begin !== undefined;
        body.append(
            makeScrolled(count(list.length, 'part', 'parts'),
                [
                    'part', 'node', timed ? 'begin (s)' : 'first', timed ? 'end (s)' : 'last',
                    'leaves', 'mostly', 'share', 'gain (bits)', 'loss (bits)'
                ],
                list.map(
                    part => [String(part.id), part.node || '(whole)',
                        timed ? instantCell(part.begin) : part.first,
                        timed ? instantCell(part.end) : part.last, part.leaves, part.state || '',
                        data.shares ? shareCell(part.share) : part.share, part.gain, part.loss])),
            makeSave('parts.csv', options, 'parts.csv'), makeCommand(answer.command));
    }});

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
function fillEvents(body, options, answer) {
    const times =
        event => [String(event.begin), event.duration === undefined ? '' : String(event.duration)];
    const rows = answer.events.map(event => [event.resource || event.source || '', event.type,
        event.value === null ? '' : event.value, ...times(event), event.target || '',
        Object.entries(event.attributes).map(pair => pair.join(' ')).join(', ')]);
    const turns = make('div', 'actions');
    const turn = (text, after) => makeButton(text, async () => {
        try {
            const next = await (await ask('events', options, [['after', String(after)]])).json();
            body.replaceChildren();
            fillEvents(body, options, next);
            announce('events from ' + (after + 1));
        } catch (error) {
            showProblem(error);
        }
    });
    if (answer.after > 0)
        turns.append(turn('before', Math.max(0, answer.after - 1000)));
    if (answer.more)
        turns.append(turn('after', answer.after + answer.events.length));
    turns.append(makeSave('events.csv', options, 'events.csv'));
    const last = answer.after + answer.events.length;
    body.append(
        makeScrolled(rows.length === 0 ? 'No events'
                                       : 'Events ' + (answer.after + 1) + ' to ' + last +
                    (answer.more ? '' : ', the last ones'),
            ['resource', 'type', 'value', 'begin (s)', 'duration (s)', 'target', 'carries'], rows),
        turns, makeCommand(answer.command));
}

addPanel({
    name: 'events',
    title: 'Events',
    help: 'the events of what is chosen as a table',
    follows: true,
    async fill(body, options) {
        fillEvents(body, options, await (await ask('events', options)).json());
    }
});

addPanel({name: 'parts', title: 'Parts', help: 'the parts that are shown as a list',
    async fill(body) {
        const options = [...placeOf(shown), ['p', currentP()]];
        const answer = await (await ask('parts', options)).json();
        const list = answer.list.parts;
        const timed = list.length > 0 && list[0].begin !== undefined;
        const most = 2000;
        body.append(
            makeScrolled(count(list.length, 'part', 'parts') +
                    (list.length > most ? ', the first ' + most : ''),
                [
                    'part', 'node', timed ? 'begin (s)' : 'first', timed ? 'end (s)' : 'last',
                    'leaves', 'mostly', 'share', 'gain (bits)', 'loss (bits)'
                ],
                list.slice(0, most).map(
                    part => [String(part.id), part.node || '(whole)',
                        timed ? instantCell(part.begin) : part.first,
                        timed ? instantCell(part.end) : part.last, part.leaves, part.state || '',
                        data.shares ? shareCell(part.share) : part.share, part.gain, part.loss])),
            makeSave('parts.csv', options, 'parts.csv'), makeCommand(answer.command));
    }});

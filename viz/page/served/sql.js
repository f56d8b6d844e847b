/* Questions in SQL, where the server answers them. */

const question = keepChoices('sql', {
    text: 'SELECT type, value, count(*), sum(duration) FROM events GROUP BY type, value'
});

function fillRows(body, answer) {
    body.replaceChildren(
        makeScrolled(
            count(answer.rows.length, 'row', 'rows') + (answer.more ? ', others follow' : ''),
            answer.columns,
            answer.rows.map(row => row.map(cell => cell === null ? '' : fullCell(cell)))),
        makeCommand(answer.command));
}

addPanel({
    name: 'sql',
    title: 'SQL',
    place: false,
    help: 'a question to the table of events',
    async fill(body) {
        if (!server.trace.sql) {
            body.append(make('p', 'note',
                'Questions in SQL are answered where ocelotl-cli serve was begun with --sql.'));
            return;
        }
        const field = make('textarea');
        const rows = make('div');
        const run = async () => {
            question.text = field.value;
            rememberAddress('push');
            rows.setAttribute('aria-busy', 'true');
            try {
                fillRows(rows,
                    await (await ask('sql', [], [], {method: 'POST', body: field.value})).json());
                showProblem(null);
            } catch (error) {
                rows.replaceChildren(make('p', 'note', error.message));
            }
            rows.setAttribute('aria-busy', 'false');
        };
        field.value = question.text;
        field.rows = 4;
        field.cols = 80;
        field.spellcheck = false;
        field.setAttribute('aria-label', 'a question in SQL');
        field.addEventListener('keydown', event => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                run();
        });
        body.append(field, makeButton('ask (Ctrl+Enter)', run), rows);
    }
});

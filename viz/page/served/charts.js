/* Panels that are a picture of the program: the events of what is chosen, and their totals. */

/* A picture that a path answers with, and the command that draws it. */
async function fillWithPicture(body, path, options) {
    const answer = await (await ask(path, options, looks().filter(([name]) => name === 'look.theme'))).json();
    const figure = make('div');
    place(figure, answer.picture, 'image/svg+xml');
    const command = make('pre', '', answer.command);
    command.tabIndex = 0;
    body.append(figure, make('h3', '', 'Command'), command);
}

addPanel({name: 'gantt', title: 'Gantt chart', key: 'g', help: 'the events of what is chosen', follows: true,
    fill: (body, options) => fillWithPicture(body, 'gantt', options)});

addPanel({name: 'stats', title: 'Statistics', key: 's', help: 'the totals of what is chosen', follows: true,
    fill: (body, options) => fillWithPicture(body, 'stats', options)});

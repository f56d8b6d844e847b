/* Saves what is seen, as the command line does. */

async function save(suffix) {
    try {
        const response = await ask('picture.' + suffix, shown);
        const name = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') || '');
        const link = make('a');
        link.href = URL.createObjectURL(await response.blob());
        link.download = name === null ? 'overview.' + suffix : name[1];
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    } catch (error) {
        showProblem(error);
    }
}

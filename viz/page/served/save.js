/* Saves what is seen, as the command line does. */

function saveBlob(blob, name) {
    const link = make('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

async function save(suffix) {
    try {
        const response = await ask('picture.' + suffix, shown);
        const name = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') || '');
        saveBlob(await response.blob(), name === null ? 'overview.' + suffix : name[1]);
    } catch (error) {
        showProblem(error);
    }
}

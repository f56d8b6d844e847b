/* The parts of the picture as a table, for whoever does not see it: some at a time, once it is
 * asked for. */

const MOST_SPOKEN = 100;

const spoken = {
    box: document.getElementById('spoken'),
    open: document.getElementById('spoken-open')
};

function rowOfPart(part) {
    const [number, path, time, most] = factsOfPart(part);
    const one = makeButton(number, () => selectPart(part));
    return [one, path, time, most];
}

function speakParts(first) {
    const all = data.levels[0].shown.length, end = Math.min(all, first + MOST_SPOKEN);
    const rows = [...Array(end - first).keys()].map(at => rowOfPart(first + at));
    const turn = (text, at) => {
        const button = makeButton(text, () => speakParts(at));
        button.disabled = at < 0 || at >= all;
        return button;
    };
    spoken.box.replaceChildren(
        makeTable('Parts ' + (first + 1) + ' to ' + end + ' of ' + all + ', ' + describeLevel(0),
            ['part', 'resource', 'time', 'mostly'], rows),
        turn('those before', first - MOST_SPOKEN), turn('the next ones', end),
        makeButton('close', hushParts));
    spoken.box.querySelector('button')?.focus();
}

function hushParts() {
    spoken.box.replaceChildren();
    spoken.open.focus();
}

spoken.open.addEventListener('click', () => speakParts(0));
spoken.box.addEventListener('keydown', event => {
    if (event.key !== 'Escape')
        return;
    event.preventDefault();
    hushParts();
});

/* The ruler: while it is on, the pointer's time, and how far that is from where it was pressed. */

const ruler = {on: false, from: null, label: document.getElementById('ruler')};

/* The time at a place of the picture, in seconds; NaN without time. */
function timeAt(place) {
    const [left, , width] = data.levels[chosen.level].frame;
    return secondsAt(data.first + Math.max(0, Math.min(1, (place.x - left) / width)) * data.count);
}

/* A duration in the largest unit that leaves a whole digit. */
function duration(seconds) {
    const units = [['s', 1], ['ms', 1e-3], ['µs', 1e-6], ['ns', 1e-9]];
    const [name, unit] =
        units.find(([, size]) => Math.abs(seconds) >= size) || units[units.length - 1];
    return seconds === 0 ? '0 s' : Number((seconds / unit).toPrecision(5)) + ' ' + name;
}

function toggleRuler() {
    ruler.on = !ruler.on && data.instants.length > 0;
    ruler.from = null;
    ruler.label.hidden = !ruler.on;
    ruler.label.textContent =
        ruler.on ? 'Ruler: point at the plot, press to measure from there.' : '';
    document.getElementById('plots').classList.toggle('measuring', ruler.on);
    announce(ruler.on ? 'ruler on' : 'ruler off');
    showMarks();
}

function measure(event) {
    const place = placeIn(current().svg, event);
    if (!ruler.on || !isInPlot(place))
        return;
    const node = leastNode(rowAt(place.y), rowAt(place.y));
    const here = timeAt(place);
    ruler.label.textContent = 'at ' + duration(here) + (node === '' ? '' : ', ' + node) +
        (ruler.from === null
                ? ''
                : ' · ' + duration(here - ruler.from.time) + ' from ' + duration(ruler.from.time));
    showMarks();
    const [, top, , height] = data.levels[chosen.level].frame;
    for (const x of ruler.from === null ? [place.x] : [ruler.from.x, place.x])
        addBox(current().overlay, 'ruler', {x: x - 0.5, y: top, width: 1, height});
}

document.getElementById('plots').addEventListener('pointermove', measure);
document.getElementById('plots').addEventListener('pointerdown', event => {
    const place = placeIn(current().svg, event);
    if (!ruler.on || !isInPlot(place))
        return;
    ruler.from = {x: place.x, time: timeAt(place)};
    event.stopPropagation();
}, {capture: true});

/* Goes through the levels of a report and says what is selected. Pictures come from the library; nothing is drawn here but
 * what marks a choice. Text of a trace only ever becomes the text of an element. */
(function () {
    'use strict';

    const data = JSON.parse(document.getElementById('data').textContent);
    const slider = document.getElementById('level');
    const panel = document.getElementById('panel');

    /* What one can choose. A part is an index into `shown` of the current level; a range is of slices, both inclusive. */
    const chosen = {level: -1, part: -1, focused: -1, range: null};

    const DRAG = 4; /* pixels that a pointer moves before it is dragging */

    /* Of a recorded part, see report_data.c. */
    const NODE = 0, FIRST = 1, LAST = 2, LEAVES = 3, PARTS = 4, GAIN = 5, LOSS = 6, SHARES = 7, NUMBER = 8;

    /* ---- Elements ---- */

    function make(name, className, text) {
        const element = document.createElement(name);
        if (className)
            element.className = className;
        if (text !== undefined)
            element.textContent = text;
        return element;
    }

    function makeOverlay(svg) {
        const overlay = document.createElementNS(svg.namespaceURI, 'g');
        overlay.setAttribute('class', 'overlay');
        overlay.setAttribute('pointer-events', 'none');
        svg.appendChild(overlay);
        return overlay;
    }

    function addBox(overlay, className, box) {
        const rectangle = document.createElementNS(overlay.namespaceURI, 'rect');
        rectangle.setAttribute('class', className);
        rectangle.setAttribute('x', box.x);
        rectangle.setAttribute('y', box.y);
        rectangle.setAttribute('width', Math.max(1, box.width));
        rectangle.setAttribute('height', Math.max(1, box.height));
        overlay.appendChild(rectangle);
    }

    /* Each level: its picture, its parameters, and the first element of each of its parts. */
    const levels = data.levels.map((level, index) => {
        const [plot, list] = document.querySelectorAll('[data-level="' + index + '"]');
        const svg = plot.querySelector('svg');
        const elements = [];
        for (const element of svg.querySelectorAll('[data-part]')) {
            const part = Number(element.dataset.part) - 1;
            if (elements[part] === undefined)
                elements[part] = element;
        }
        return {plot, list, svg, elements, boxes: null, overlay: makeOverlay(svg)};
    });
    const curves = document.querySelector('#curves svg');
    const curvesOverlay = makeOverlay(curves);

    function current() {
        return levels[chosen.level];
    }

    /* Places of parts, known once the picture is seen. */
    function boxes() {
        const level = current();
        if (level.boxes === null)
            level.boxes = level.elements.map(element => element.getBBox());
        return level.boxes;
    }

    /* ---- Words ---- */

    function percent(share) {
        const value = share * 100;
        if (value > 0 && value < 0.1)
            return '< 0.1 %';
        if (value > 99.9 && value < 100)
            return '> 99.9 %';
        return String(Math.round(value * 10) / 10) + ' %';
    }

    function count(number, one, many) {
        return number.toLocaleString('en') + ' ' + (number === 1 ? one : many);
    }

    function short(number) {
        return String(Number(number.toPrecision(6)));
    }

    function pathOf(node) {
        return data.nodes[node][0] === '' ? '(whole)' : data.nodes[node][0];
    }

    function when(first, last) {
        const slices = first === last ? 'slice ' + first : 'slices ' + first + '–' + last;
        if (data.edges.length === 0)
            return slices;
        return data.edges[first] + ' – ' + data.edges[last + 1] + ', ' + slices;
    }

    /* ---- Shares ---- */

    /* Values by type, the largest first; what they are shares of is 1, or their sum where they are no shares. */
    function sorted(values) {
        const whole = data.shares ? 1 : values.reduce((sum, pair) => sum + pair[1], 0) || 1;
        return values.filter(pair => pair[1] > 0).sort((a, b) => b[1] - a[1])
            .map(([type, value]) => ({type, value, share: value / whole}));
    }

    function sharesOf(part) {
        const flat = part[SHARES];
        const values = [];
        for (let i = 0; i < flat.length; i += 2)
            values.push([flat[i], flat[i + 1]]);
        return sorted(values);
    }

    /* Of all resources from one slice to another: means of cells where these are shares, else sums. */
    function sharesBetween(first, last) {
        const sums = data.types.map((type, index) => [index, 0]);
        for (let slice = first; slice <= last; slice++)
            data.sums[slice].forEach((value, type) => { sums[type][1] += value; });
        const cells = data.shares ? data.leaves * (last - first + 1) : 1;
        return sorted(sums.map(([type, sum]) => [type, sum / cells]));
    }

    function makeShare(share) {
        const [name, colour, untraced] = data.types[share.type];
        const words = make('tr');
        const bar = make('tr');
        const cell = make('td', 'bar');
        const track = make('div', 'track');
        const filled = make('div', untraced ? 'untraced' : '');
        const header = make('th', '', name);
        header.scope = 'row';
        filled.style.background = colour;
        filled.style.width = Math.min(100, share.share * 100) + '%';
        cell.colSpan = 2;
        const amount = data.shares ? '' : short(share.value) + (data.unit ? ' ' + data.unit : '') + ', ';
        words.append(header, make('td', '', amount + percent(share.share)));
        track.append(filled);
        cell.append(track);
        bar.append(cell);
        bar.setAttribute('aria-hidden', 'true');
        return [words, bar];
    }

    function makeShares(shares, caption) {
        const table = make('table');
        table.append(make('caption', '', caption));
        const body = make('tbody');
        for (const share of shares)
            body.append(...makeShare(share));
        table.append(body);
        return shares.length > 0 ? table : make('p', 'facts', 'nothing');
    }

    /* ---- The panel ---- */

    function makeButton(text, action) {
        const button = make('button', '', text);
        button.type = 'button';
        button.addEventListener('click', action);
        return button;
    }

    function numberOf(part) {
        return part[PARTS] > 1 ? count(part[PARTS], 'part', 'parts') + ' drawn as one, the first is part ' + part[NUMBER]
            : 'part ' + part[NUMBER];
    }

    /* What looks into a part; of several that are drawn as one, into the first. */
    function makeCommands(part) {
        if (data.commands.length === 0)
            return [];
        const list = make('div', 'commands');
        const values = [data.levels[chosen.level].p, part[NUMBER]];
        list.append(make('h3', '', 'Commands that look into part ' + part[NUMBER]));
        for (const [what, ...pieces] of data.commands) {
            const line = make('pre', '', pieces.map(piece => typeof piece === 'number' ? values[piece] : piece).join(''));
            line.tabIndex = 0;
            list.append(make('p', '', what), line);
        }
        return [list];
    }

    function makePart(index) {
        const part = data.levels[chosen.level].shown[index];
        const section = make('section', 'part');
        section.append(make('h2', '', pathOf(part[NODE])));
        const facts = [numberOf(part), when(part[FIRST], part[LAST]),
            count(part[LEAVES], 'leaf', 'leaves') + ' × ' + count(part[LAST] - part[FIRST] + 1, 'slice', 'slices') +
                (part[LEAVES] < data.nodes[part[NODE]][1] ? ', not all below it' : '')];
        facts.push('gain ' + short(part[GAIN]) + ' bits, loss ' + short(part[LOSS]) + ' bits');
        for (const fact of facts)
            section.append(make('p', 'facts', fact));
        section.append(makeShares(sharesOf(part), data.shares ? 'Share of its time' : 'Mean of its cells'));
        section.append(makeButton('all resources in this time', () => setRange(part[FIRST], part[LAST])));
        if (index === chosen.part)
            section.append(makeButton('clear', clear));
        section.append(...makeCommands(part));
        return section;
    }

    function nameOfAll() {
        return data.expanded === '' ? 'All resources' : 'All of ' + data.expanded;
    }

    function nameOfSums() {
        return data.shares ? 'Share of time' : data.additive ? 'Sum' : 'Sums that the metric is made of';
    }

    function makeRange() {
        const whole = chosen.range === null;
        const first = whole ? data.first : chosen.range[0];
        const last = whole ? data.first + data.count - 1 : chosen.range[1];
        const section = make('section', 'range');
        section.append(make('h2', '', nameOfAll() + (whole ? '' : ' in a range of time')));
        section.append(make('p', 'facts', when(first, last)));
        section.append(make('p', 'facts', count(data.leaves, 'leaf', 'leaves') + ' × ' +
            count(last - first + 1, 'slice', 'slices')));
        section.append(makeShares(sharesBetween(first, last), nameOfSums()));
        if (whole)
            section.append(make('p', 'note', 'Click on a part of the plot, or drag over a range of time.'));
        else
            section.append(makeButton('whole time', () => setRange()));
        return section;
    }

    function subject() {
        return chosen.focused >= 0 ? chosen.focused : chosen.part;
    }

    /* Made anew only where something else is to be said, so that the focus can move into it. */
    function showPanel() {
        const part = subject();
        const said = JSON.stringify([chosen.level, part, part === chosen.part, chosen.range]);
        const inside = panel.contains(document.activeElement);
        if (said === panel.dataset.said)
            return;
        panel.dataset.said = said;
        panel.replaceChildren(...(part >= 0 ? [makePart(part)] : []), makeRange());
        if (inside)
            panel.focus();
    }

    /* ---- Marks ---- */

    function xOf(slice) {
        const [left, , width] = data.levels[chosen.level].frame;
        return left + (slice - data.first) / data.count * width;
    }

    /* What is outside of the range stands back. */
    function showRange(overlay) {
        const [left, y, width, height] = data.levels[chosen.level].frame;
        const from = xOf(chosen.range[0]), to = xOf(chosen.range[1] + 1);
        if (from > left)
            addBox(overlay, 'outside', {x: left, y, width: from - left, height});
        if (to < left + width)
            addBox(overlay, 'outside', {x: to, y, width: left + width - to, height});
        addBox(overlay, 'range', {x: from, y, width: to - from, height});
    }

    /* The outline lies within a part, as far as there is room for it. */
    function outline(box) {
        const across = Math.min(1, box.width / 8), down = Math.min(1, box.height / 8);
        return {x: box.x + across, y: box.y + down, width: box.width - 2 * across, height: box.height - 2 * down};
    }

    function showMarks() {
        const overlay = current().overlay;
        overlay.replaceChildren();
        if (chosen.range !== null)
            showRange(overlay);
        for (const [part, className] of [[chosen.part, 'selected'], [chosen.focused, 'focused']]) {
            if (part < 0)
                continue;
            addBox(overlay, 'under', outline(boxes()[part]));
            addBox(overlay, className, outline(boxes()[part]));
        }
    }

    function showCurvesMark() {
        const level = data.levels[chosen.level];
        const [left, top, width, height] = data.curves;
        curvesOverlay.replaceChildren();
        addBox(curvesOverlay, 'plateau', {x: left + level.from * width, y: top,
            width: (level.to - level.from) * width, height});
        const line = document.createElementNS(curvesOverlay.namespaceURI, 'line');
        line.setAttribute('class', 'mark');
        for (const [name, value] of [['x1', left + level.p * width], ['x2', left + level.p * width], ['y1', top],
            ['y2', top + height]])
            line.setAttribute(name, value);
        curvesOverlay.appendChild(line);
    }

    function say(text) {
        document.getElementById('status').textContent = text;
    }

    function refresh() {
        showPanel();
        showMarks();
    }

    /* ---- Choices ---- */

    function describeLevel(index) {
        const level = data.levels[index];
        return 'level ' + level.number + ' of ' + data.listed + (level.auto ? ' (auto)' : '') + ' · p ' + level.p + ' · ' +
            count(level.parts, 'part', 'parts') + ' · gain ' + percent(level.gain) + ' · loss ' + percent(level.loss);
    }

    /* The part at a place of the current picture, -1 for none. */
    function partAt(x, y) {
        return boxes().findIndex(box => box !== undefined && x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
    }

    /* The same node and slices in another level, -1 where that does not have them. */
    function samePart(part, level) {
        if (part === undefined)
            return -1;
        return data.levels[level].shown.findIndex(other => other[NODE] === part[NODE] &&
            other[FIRST] === part[FIRST] && other[LAST] === part[LAST] && other[LEAVES] === part[LEAVES]);
    }

    function setLevel(index) {
        index = Math.max(0, Math.min(levels.length - 1, index));
        if (index === chosen.level)
            return;
        const before = chosen.level >= 0 ? data.levels[chosen.level].shown[chosen.part] : undefined;
        const place = chosen.focused >= 0 ? boxes()[chosen.focused] : null;
        chosen.focused = -1;
        chosen.part = samePart(before, index);
        chosen.level = index;
        levels.forEach((level, at) => { level.plot.hidden = level.list.hidden = at !== index; });
        slider.value = index;
        slider.setAttribute('aria-valuetext', describeLevel(index));
        document.getElementById('which').textContent = describeLevel(index);
        document.getElementById('finer').disabled = index === 0;
        document.getElementById('coarser').disabled = index === levels.length - 1;
        makeReachable(Math.max(0, chosen.part));
        showCurvesMark();
        refresh();
        remember();
        if (place !== null)
            focusPart(Math.max(0, partAt(place.x + place.width / 2, place.y + place.height / 2)));
    }

    function setRange(first, last) {
        chosen.range = first === undefined ? null : [Math.min(first, last), Math.max(first, last)];
        refresh();
        remember();
        say(chosen.range === null ? 'whole time' : 'range of time ' + when(...chosen.range));
    }

    function selectPart(part) {
        const before = current().elements[chosen.part];
        if (before !== undefined && before.hasAttribute('aria-pressed'))
            before.setAttribute('aria-pressed', 'false');
        chosen.part = part;
        if (part >= 0)
            makeReachable(part);
        refresh();
        remember();
        say(part >= 0 ? 'selected ' + describePart(part) : 'nothing selected');
    }

    function clear() {
        chosen.range = null;
        chosen.focused = -1;
        selectPart(-1);
    }

    /* ---- The address: #p=0.31&part=7&slices=15-40 ---- */

    const address = {silent: true, sliding: false};

    function hashOf() {
        const level = data.levels[chosen.level];
        const words = ['p=' + level.p];
        if (chosen.part >= 0)
            words.push('part=' + level.shown[chosen.part][NUMBER]);
        if (chosen.range !== null)
            words.push('slices=' + chosen.range.join('-'));
        return '#' + words.join('&');
    }

    /* What is shown becomes the address; while the slider moves, only the last of it goes into the history. */
    function remember() {
        const hash = hashOf();
        document.getElementById('link').href = hash;
        if (address.silent || hash === location.hash)
            return;
        if (address.sliding)
            history.replaceState(null, '', hash);
        else
            history.pushState(null, '', hash);
    }

    /* Shows what an address says; what it does not say, and what there is not, is as at the beginning. */
    function follow(hash) {
        const words = new URLSearchParams(hash.replace(/^#/, ''));
        const p = words.has('p') ? Number(words.get('p')) : NaN;
        const slices = /^(\d+)-(\d+)$/.exec(words.get('slices') || '');
        const part = /^\d+$/.test(words.get('part') || '') ? Number(words.get('part')) : -1;
        const last = data.first + data.count - 1;
        address.silent = true;
        setLevel(p >= 0 && p <= 1 ? levelAt(p) : data.start);
        chosen.range = slices === null || Number(slices[1]) < data.first || Number(slices[2]) > last ||
            Number(slices[1]) > Number(slices[2]) ? null : [Number(slices[1]), Number(slices[2])];
        chosen.focused = -1;
        selectPart(data.levels[chosen.level].shown.findIndex(one => one[NUMBER] === part));
        if (chosen.part >= 0)
            current().elements[chosen.part].scrollIntoView({block: 'nearest', inline: 'nearest'});
        address.silent = false;
    }

    window.addEventListener('popstate', () => follow(location.hash));

    /* ---- Parts by keyboard: one at a time can be reached by tab (roving tabindex) ---- */

    function describePart(index) {
        const part = data.levels[chosen.level].shown[index];
        const shares = sharesOf(part);
        return numberOf(part) + ', ' + pathOf(part[NODE]) + ', ' + when(part[FIRST], part[LAST]) + ', ' +
            (shares.length > 0 ? data.types[shares[0].type][0] + ' ' + percent(shares[0].share) : 'nothing');
    }

    function makeReachable(part) {
        const svg = current().svg;
        const element = current().elements[part];
        for (const other of svg.querySelectorAll('[tabindex="0"]'))
            other.setAttribute('tabindex', '-1');
        if (element === undefined)
            return;
        element.setAttribute('tabindex', '0');
        element.setAttribute('role', 'button');
        element.setAttribute('aria-label', describePart(part));
        element.setAttribute('aria-pressed', part === chosen.part ? 'true' : 'false');
    }

    function focusPart(part) {
        if (current().elements[part] === undefined)
            return;
        makeReachable(part);
        current().elements[part].focus({preventScroll: false});
    }

    /* The nearest part at one side: beside, rather than askew. */
    function neighbour(part, across, down) {
        const from = boxes()[part];
        let best = -1;
        let least = Infinity;
        boxes().forEach((box, index) => {
            const right = box.x - (from.x + from.width), left = from.x - (box.x + box.width);
            const below = box.y - (from.y + from.height), above = from.y - (box.y + box.height);
            const ahead = across > 0 ? right : across < 0 ? left : down > 0 ? below : above;
            const aside = Math.max(0, across !== 0 ? Math.max(below, above) : Math.max(left, right));
            const askew = Math.abs(across !== 0 ? box.y - from.y : box.x - from.x);
            const distance = Math.max(0, ahead) + 4 * aside + askew / 1000;
            if (index !== part && ahead >= -2 && distance < least) {
                least = distance;
                best = index;
            }
        });
        return best;
    }

    function onPartKey(part, key) {
        const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
        if (steps[key] !== undefined) {
            focusPart(neighbour(part, ...steps[key]));
            return true;
        }
        if (key === 'Enter' || key === ' ')
            selectPart(part);
        return key === 'Enter' || key === ' ';
    }

    function onPageKey(key) {
        const steps = {ArrowLeft: -1, ArrowRight: 1, '+': -1, '=': -1, '-': 1, '−': 1};
        if (steps[key] !== undefined)
            setLevel(chosen.level + steps[key]);
        else if (key === 'Escape')
            clear();
        return steps[key] !== undefined || key === 'Escape';
    }

    document.addEventListener('keydown', event => {
        const arrow = event.key.startsWith('Arrow');
        const part = event.target instanceof Element ? event.target.closest('[data-part]') : null;
        if (event.ctrlKey || event.metaKey || event.altKey || (event.target === slider && arrow))
            return;
        const done = (part !== null && onPartKey(Number(part.dataset.part) - 1, event.key)) || onPageKey(event.key);
        if (done)
            event.preventDefault();
    });

    /* ---- Pointer ---- */

    let drag = null;

    /* The place of a pointer in the picture's own pixels. */
    function placeIn(svg, event) {
        const seen = svg.getBoundingClientRect();
        const scale = svg.viewBox.baseVal.width / seen.width;
        return {x: (event.clientX - seen.left) * scale, y: (event.clientY - seen.top) * scale};
    }

    function sliceAt(x) {
        const [left, , width] = data.levels[chosen.level].frame;
        const slice = Math.floor((x - left) / width * data.count);
        return data.first + Math.max(0, Math.min(data.count - 1, slice));
    }

    function isInPlot(place) {
        const [left, top, width, height] = data.levels[chosen.level].frame;
        return place.x >= left && place.x <= left + width && place.y >= top && place.y <= top + height;
    }

    function onDown(event) {
        const place = placeIn(current().svg, event);
        if (event.button !== 0 || !isInPlot(place))
            return;
        const part = event.target.closest('[data-part]');
        drag = {x: event.clientX, slice: sliceAt(place.x), moved: false, part: part ? Number(part.dataset.part) - 1 : -1};
    }

    window.addEventListener('pointermove', event => {
        if (drag === null || (!drag.moved && Math.abs(event.clientX - drag.x) < DRAG))
            return;
        drag.moved = true;
        const slice = sliceAt(placeIn(current().svg, event).x);
        chosen.range = [Math.min(drag.slice, slice), Math.max(drag.slice, slice)];
        refresh();
    });

    window.addEventListener('pointerup', event => {
        if (drag === null)
            return;
        const {moved, slice, part} = drag;
        drag = null;
        if (moved)
            setRange(slice, sliceAt(placeIn(current().svg, event).x));
        else
            selectPart(part);
    });

    window.addEventListener('pointercancel', () => { drag = null; });

    /* The level that stands for a p: the one whose plateau is nearest. */
    function levelAt(p) {
        const distances = data.levels.map(level => Math.max(0, level.from - p, p - level.to));
        return distances.indexOf(Math.min(...distances));
    }

    curves.addEventListener('click', event => {
        const [left, , width] = data.curves;
        const p = (placeIn(curves, event).x - left) / width;
        if (p >= 0 && p <= 1)
            setLevel(levelAt(p));
    });

    for (const level of levels) {
        level.svg.addEventListener('pointerdown', onDown);
        level.svg.addEventListener('focusin', event => {
            const part = event.target.closest('[data-part]');
            if (part === null || !part.matches(':focus-visible'))
                return;
            chosen.focused = Number(part.dataset.part) - 1;
            refresh();
        });
        level.svg.addEventListener('focusout', () => {
            chosen.focused = -1;
            refresh();
        });
    }

    slider.addEventListener('input', () => {
        setLevel(Number(slider.value));
        address.sliding = true;
    });
    slider.addEventListener('change', () => { address.sliding = false; });
    document.getElementById('finer').addEventListener('click', () => setLevel(chosen.level - 1));
    document.getElementById('coarser').addEventListener('click', () => setLevel(chosen.level + 1));
    document.querySelector('.controls').hidden = levels.length < 2;
    follow(location.hash);
})();

/* What the page shows, and words for it. The modules of this folder become one script: those of
 * both pages, and then stretch, enlarge and report, which holds all it shows, or the modules of
 * served/, which ask a server (cmake/embed.cmake has their order). Whole pictures come from the
 * library; drawn draws parts that come as numbers or are enlarged. Text of a trace only ever
 * becomes the text of an element. */

/* As ocelotl_page_view_write has it; of a report for all of its levels. */
let data = null;

/* What the last modules do. step shows a finer (-1) or a coarser (1) level; remember keeps what is
 * shown as an address; back goes to what was shown before; pin keeps what is chosen while something
 * else is; enter looks into a part; actions offers more to do with a part, by its index, or with a
 * range; why says more of a node in slices; marks add to what marks a choice; alone says that one
 * of these is chosen at a time; draw may draw the parts of a level itself; complete completes what
 * is known of the part that is chosen; filled hears that a panel has its content; strength says how
 * much of a part is seen; repaint draws in another light; go shows a level by its index; where says
 * which resources, parts and whether some of the time alone is shown. Of zoom: root is the path of
 * all that is shown; zoom shows slices, from one to before another, of what is below a path ('': as
 * now); below shows other resources in the same time; whole shows all; window is from which slice
 * to before which one is shown, or soon will be; room how far that can go; move shows another
 * window. */
const page = {
    step() {},
    remember() {},
    back() {},
    pin() {},
    enter() {},
    actions() {
        return [];
    },
    why() {
        return [];
    },
    marks: [],
    alone: false,
    draw() {
        return null;
    },
    complete() {},
    filled() {},
    strength() {
        return 1;
    },
    repaint() {},
    go() {},
    where() {
        return {resources: [], parts: [], timed: false};
    },
    root() {
        return '';
    },
    zoom() {},
    below() {},
    whole() {},
    window() {
        return [data.first, data.first + data.count];
    },
    room() {
        return page.window();
    },
    move() {}
};

/* What one can choose. A part is an index into `shown` of the current level; a range is of slices,
 * both inclusive, of what is below `node`, its path, '' for all. `free` is the same range where it
 * is not of whole slices; `ranged` says that the range was chosen after the part. */
const chosen = {level: -1, part: -1, focused: -1, range: null, node: '', free: null, ranged: false};

/* Of a part that is shown, see viz/page/data.c. */
const NODE = 0, FIRST = 1, LAST = 2, LEAVES = 3, PARTS = 4, GAIN = 5, LOSS = 6, SHARES = 7,
      NUMBER = 8;

/* Three digits of what `ocelotl-cli parts` says, which has hundredths: what is as near to two of
 * them goes to the even one. */
function percent(share) {
    const value = share * 100, below = Math.floor(value * 100);
    const tied = value * 8 % 2 === 1;
    const hundredths = tied ? below + below % 2 : Math.round(Number(value.toFixed(2)) * 100);
    if (value > 0 && hundredths === 0)
        return '< 0.01 %';
    if (value < 100 && hundredths >= 9995)
        return '> 99.9 %';
    const tenths = hundredths < 1000 ? hundredths / 10 : Math.round(hundredths / 10);
    return Number((tenths / 10).toFixed(2)) + ' %';
}

function count(number, one, many) {
    return number.toLocaleString('en') + ' ' + (number === 1 ? one : many);
}

/* A number in so many digits, as oc_short_digits of engine/base/plain.h has it. */
function shortDigits(number, digits = 3) {
    const size = Math.abs(number), sign = number < 0 ? '-' : '';
    if (size < 1e15 && (Number.isInteger(number) || size >= 10 ** digits))
        return String(Math.sign(number) * Math.round(size) + 0);
    const [mantissa, power] = size.toExponential(digits - 1).split('e');
    const exponent = Number(power);
    if (exponent >= -4 && exponent < 15)
        return sign + String(Number(mantissa + 'e' + power));
    return sign + String(Number(mantissa)) + 'e' + power[0] +
        power.slice(1).padStart(2, '0');
}

/* The unit of a time: its name, and how many make a second. */
function unitOf(seconds) {
    const size = Math.abs(seconds);
    return size >= 1 || size === 0 ? ['s', 1]
        : size >= 1e-3             ? ['ms', 1e3]
        : size >= 1e-6             ? ['us', 1e6]
                                   : ['ns', 1e9];
}

/* A length of time, as oc_short_time has it. */
function shortTime(seconds, digits = 3) {
    const [unit, parts] = unitOf(seconds);
    return shortDigits(seconds * parts, digits) + ' ' + unit;
}

/* An amount of a unit, as oc_short_amount of engine/base/plain.h has it, with its word. */
function shortAmount(number, unit, digits = 3) {
    const same = ['B', 'B/s', 's', 'W', 'J', 'Hz', 'V', 'A', '%', 'flop', 'flop/s'];
    const symbol = {'bytes': 'B', 'bytes/s': 'B/s', 'bit': 'b', 'bit/s': 'b/s'}[unit] ??
        (same.includes(unit) ? unit : '');
    if (symbol === 's')
        return shortTime(number, digits);
    let power = 0;
    while (power < 6 && symbol !== '%' &&
           Math.abs(number / 1000 ** power) >= 1000 * (1 - 0.5 * 10 ** -digits))
        power++;
    const prefix = ['', 'k', 'M', 'G', 'T', 'P', 'E'][power] + symbol;
    return [shortDigits(number / 1000 ** power, digits), prefix, symbol ? '' : unit]
        .filter(word => word).join(' ');
}

function pathOf(node) {
    return data.nodes[node][0] === '' ? '(whole)' : data.nodes[node][0];
}

/* When slice - 1 ends: its edge (1) or instant (2) before the time that is left out there. */
function endOf(slice, what) {
    const cut = data.cuts.find(([first]) => first === slice);
    return cut === undefined ? (what > 1 ? data.instants : data.edges)[slice] : cut[what];
}

function nameOfSlices(first, last) {
    return first === last ? 'slice ' + first : 'slices ' + first + '–' + last;
}

/* Its time, where there is time. */
function timeOf(first, last) {
    return data.edges.length === 0 ? nameOfSlices(first, last)
                                   : data.edges[first] + ' – ' + endOf(last + 1, 1);
}

function when(first, last) {
    return data.edges.length === 0
        ? nameOfSlices(first, last)
        : timeOf(first, last) + ', ' + nameOfSlices(first, last);
}

/* Values by type, the largest first; what they are shares of is 1, or their sum where they are no
 * shares. */
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

/* Of all resources from one slice to another: means of cells where these are shares, else sums, of
 * rates over the resources alone. */
function sharesBetween(first, last) {
    const sums = data.types.map((type, index) => [index, 0]);
    for (let slice = first; slice <= last; slice++)
        data.sums[slice].forEach((value, type) => { sums[type][1] += value; });
    const slices = data.shares || data.rate ? last - first + 1 : 1;
    const cells = data.shares ? data.leaves * slices : slices;
    return sorted(sums.map(([type, sum]) => [type, sum / cells]));
}

/* The same node and slices in another level, -1 where that does not have them. */
function samePart(part, level) {
    if (part === undefined)
        return -1;
    return data.levels[level].shown.findIndex(other => other[NODE] === part[NODE] &&
            other[FIRST] === part[FIRST] && other[LAST] === part[LAST] &&
            other[LEAVES] === part[LEAVES]);
}

/* The level that stands for a p: the one whose plateau is nearest; -1 without any. */
function levelAt(p, list = data.levels) {
    const distances = list.map(level => Math.max(0, level.from - p, p - level.to));
    return distances.indexOf(Math.min(...distances));
}

# -o FILE.html in a headless browser: a script at the end of a copy of the page presses keys, clicks
# and drags as a person would, and records what shows.
need chromium jq python3

mkdir home && cd home
example

# What the page's script reads.

# browse PAGE: the page as it is after its scripts have run; what they print to the console is in
# console.err. Each time with a profile of its own: a browser that has not quite ended refuses its
# profile to the next.
browser=(--window-size=1440,1200)
browse() {
    local profile
    profile=$(mktemp -d -p "$folder" profile.XXXXXX)
    timeout 800 chromium --headless=new \
        --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --disable-extensions --disable-background-networking --user-data-dir="$profile" \
        "${browser[@]}" \
        --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "file://$PWD/$1" \
        2>browser.err >dom.html || fail "$1: chromium fails: $(tail -3 browser.err)"
    rm -rf "$profile" 2>/dev/null || true
    grep -a 'CONSOLE' browser.err >console.err || true
    [ ! -s console.err ] || fail "$1: on the console: $(head -3 console.err)"
}

# driven PAGE SCRIPT [HASH]: opens a copy with this script at its end. Lines that the script writes
# with `tell` go to told.txt.
driven() {
    python3 - "$1" "$2" >driven.html <<'END'
import re, sys
page = open(sys.argv[1], encoding="utf-8").read()
page, policies = re.subn(r"script-src '[^']*'", "script-src 'unsafe-inline'", page, count=1)
assert policies == 1
helpers = """
const told = [];
const tell = (name, value) => told.push(name + '\\t' + String(value).replace(/\\s+/g, ' '));
const press = (key, on) => (on || document.activeElement).dispatchEvent(
    new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
const seen = () => [...document.querySelectorAll('.level')].filter(level => level.getClientRects().length > 0);
const level = () => seen().map(level => level.dataset.level).join();
const picture = () => seen()[0].querySelector('svg');
const part = number => picture().querySelector('[data-part="' + number + '"]');
const heading = () => document.querySelector('#panel h2').textContent;
const shares = section => [...document.querySelectorAll('#panel section.' + section + ' tr:not([aria-hidden])')].map(
    row => row.querySelector('th').textContent + '=' + row.querySelector('td:last-child').textContent).join(';');
const pointer = (type, on, x, y) => on.dispatchEvent(
    new PointerEvent(type, {clientX: x, clientY: y, button: 0, bubbles: true, cancelable: true}));
const point = (on, x, y) => { pointer('pointerdown', on, x, y); pointer('pointerup', on, x, y); };
const data = JSON.parse(document.getElementById('data').textContent);
const nameOf = shown => data.nodes[shown[0]][0] || '(whole)';
const wait = () => new Promise(done => setTimeout(done, 100));
const middle = on => { const box = on.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
/* Drags over the plot between the middles of two slices. */
const drag = (from, to) => {
    const svg = picture(), box = svg.getBoundingClientRect(), {width: wide, height: high} = svg.viewBox.baseVal;
    const [left, top, width, height] = data.levels[Number(level())].frame;
    const x = slice => box.x + (left + (slice - data.first + 0.5) / data.count * width) * box.width / wide;
    const y = box.y + (top + height / 2) * box.height / high;
    pointer('pointerdown', svg, x(from), y);
    pointer('pointermove', svg, (x(from) + x(to)) / 2, y);
    pointer('pointermove', svg, x(to), y);
    pointer('pointerup', svg, x(to), y);
};
"""
# Beside much load a window gets the focus late, and until then no element does.
begin = """
for (let i = 0; i < 20 && !document.hasFocus(); i++)
    await wait();
tell('window has focus', document.hasFocus());
"""
script = open(sys.argv[2], encoding="utf-8").read()
end = """
const list = document.createElement('pre');
list.id = 'told';
list.textContent = '\\n' + told.join('\\n') + '\\nend\\t\\n';
document.body.append(list);
"""
print(page.replace("</body>", "<script>" + helpers + "(async () => {" + begin + script + end + "})();</script></body>"))
END
    for _ in 1 2 3 4 5; do
        browse "driven.html${3-}"
        sed -n '/<pre id="told">/,/<\/pre>/p' dom.html | sed '1d' |
            sed 's/&lt;/</g; s/&gt;/>/g; s/&nbsp;/ /g; s/&amp;/\&/g' >told.txt
        [ "$(told 'window has focus')" != true ] || break
    done
    like told.txt '^end'
}

# told NAME: what the script told; wants NAME VALUE: that it told this.
told() { sed -n "s/^$1\t//p" told.txt; }
wants() { same "$1" "$2" "$(told "$1")"; }

# As it is written: whole, without a network, and its own script is let run.
cli --slices 60 trace.db -o page.html
same "addresses" "http://www.w3.org/2000/svg" \
    "$(grep -aoE '(https?|ftp|file|data|blob)://[^"'"'"' <)]*' page.html | sort -u)"
like page.html "Content-Security-Policy.*default-src 'none'"
sed '/^<script>/,/^<\/script>/d' page.html >no_script.html
if grep -aqE '<(link|img|iframe|object|embed|video|audio|base|form)\b|@import| src=' page.html ||
    grep -aqE '\bon[a-z]+=' no_script.html; then
    fail "the page loads something"
fi
browse page.html
has dom.html 'All resources' '<title>smpi-stencil-96</title>'
data_of page.html >data.json
holds "levels" data.json '.levels | length > 3'

# The levels are those that sweep lists for the plateaus, with as many parts; the first one is auto.
cli sweep --slices 60 --json trace.db |
    jq -c '[.levels[] | select(.plateau) | [.p, .parts]]' >levels.txt
same "levels" "$(cat levels.txt)" "$(jq -c '[.levels[] | [.p, .parts]]' data.json)"
cli sweep --slices 60 --json trace.db |
    jq -c '[.levels | to_entries[] | select(.value.plateau) | .key + 1]' >numbers.txt
same "their numbers" "$(cat numbers.txt)" "$(jq -c '[.levels[].number]' data.json)"
same "the number of levels" "$(cli sweep --slices 60 --json trace.db | jq '.levels | length')" \
    "$(jq .listed data.json)"
same "the first level" true "$(jq '.levels[.start].auto' data.json)"
start=$(jq .start data.json)

# Sums of all slices, and shares of each part of each level, against the partitions as JSON.
cli --p 0 --slices 60 --json trace.db >finest.json
jq -n --slurpfile page data.json --slurpfile parts finest.json '
    ($page[0].types | map(.[0])) as $types |
    [range(60) as $slice | ($page[0].sums[$slice] | to_entries | map({key: $types[.key],
    value: .value}) | from_entries) as $got |
     (reduce ($parts[0].parts[] | select(.first <= $slice and .last >= $slice)) as $part ({};
        reduce ($part.shares | to_entries[]) as $share (.; .[$share.key]
        += $share.value * $part.leaves))) as $wanted |
     $types[] | ($got[.] // 0) - ($wanted[.] // 0) | fabs] | max' >error.txt
awk '{ exit !($1 < 1e-4) }' error.txt || fail "sums of slices are wrong by $(cat error.txt)"
jq -r '.levels[].p' data.json | nl -v 0 | while read -r index p; do
    cli --p "$p" --slices 60 --json trace.db >level.json
    jq -n --slurpfile page data.json --slurpfile level level.json --argjson index "$index" '
        $page[0] as $page | ($page.types | map(.[0])) as $types |
        ($level[0].parts | map({key: "\(.node) \(.first) \(.last)", value: .shares}) |
        from_entries) as $parts |
        [$page.levels[$index].shown[] | select(.[4] == 1) | .[7] as $flat |
         ([range(0; $flat | length; 2) as $i | {key: $types[$flat[$i]], value: $flat[$i + 1]}] |
         from_entries) as $got | $parts["\($page.nodes[.[0]][0]) \(.[1]) \(.[2])"] as $wanted |
         if $wanted == null then 1 else $types[] | (($got[.] // 0) - ($wanted[.] // 0)) |
         fabs end] | max // 0' >error.txt
    awk '{ exit !($1 < 1e-4) }' error.txt ||
        fail "shares of level $index are wrong by $(cat error.txt)"
    shown=$(jq "[.levels[$index].shown[][4]] | add" data.json)
    same "parts of level $index" "$(jq '.parts | length' level.json)" "$shown"
done

# In the browser.
cat >script.js <<'END'
tell('start', level());
const slider = document.getElementById('level');
slider.value = 0;
slider.dispatchEvent(new Event('input'));
tell('slider', level());
tell('which', document.getElementById('which').textContent);
tell('parameter', [...document.querySelectorAll('#parameters dl')].filter(list => !list.hidden).map(
    list => [...list.querySelectorAll('dt')].find(key => key.textContent === 'parts').nextSibling.textContent).join());
press(']', document.body);
tell('right', level());
press('[', document.body);
press('[', document.body);
tell('left', level());
press(']', document.body);
press(']', document.body);
tell('minus', level());
press('[', document.body);
tell('plus', level());
while (!document.getElementById('coarser').disabled)
    document.getElementById('coarser').click();
tell('last', level() + ' ' + data.levels.length);

slider.value = data.start;
slider.dispatchEvent(new Event('input'));
const reachable = () => [...document.querySelectorAll('.level [tabindex="0"]')].filter(on => on.closest('.level') === seen()[0]);
tell('reachable', reachable().length);
reachable()[0].focus();
tell('focus', document.activeElement.dataset.part + ' ' + heading());
tell('label', document.activeElement.getAttribute('aria-label').length > 10);
tell('ring', picture().querySelectorAll('.focused').length);
const before = document.activeElement;
press('ArrowRight');
tell('moved', document.activeElement !== before && document.activeElement.dataset.part !== undefined && reachable().length);
tell('shown', heading() === nameOf(data.levels[data.start].shown[document.activeElement.dataset.part - 1]));
press('Enter');
tell('pressed', document.activeElement.getAttribute('aria-pressed') + ' ' + picture().querySelectorAll('.selected').length);
document.activeElement.blur();
tell('stays', heading() !== 'All resources');
press(']', document.body);
press('[', document.body);
press('Escape', document.body);
tell('cleared', heading() + ' ' + picture().querySelectorAll('.selected, .focused, .range').length);
reachable()[0].focus();
press(']');
tell('level with focus', level() + ' ' + (document.activeElement.dataset.part !== undefined));
press('[');
press('Escape');
document.activeElement.blur();

/* The largest part, by pointer. */
const shown = data.levels[data.start].shown;
const largest = shown.reduce((best, one, index) =>
    one[3] * (one[2] - one[1] + 1) > shown[best][3] * (shown[best][2] - shown[best][1] + 1) ? index : best, 0);
point(part(largest + 1), ...middle(part(largest + 1)));
tell('largest', [data.nodes[shown[largest][0]][0], shown[largest][1], shown[largest][2]].join(' '));
tell('selected', heading() + ' ' + shares('part'));
[...document.querySelectorAll('#panel button')].find(button => button.textContent === 'all resources').click();
tell('its range', document.querySelector('#panel .range .facts').textContent);
press('Escape', document.body);
tell('whole', shares('range'));
drag(15, 40);
tell('range', document.querySelector('#panel .range .facts').textContent + ' ' + picture().querySelectorAll('.range').length);
tell('range shares', shares('range'));
drag(40, 15);
tell('backwards', document.querySelector('#panel .range .facts').textContent);
press(']', document.body);
tell('range stays', document.querySelector('#panel .range .facts').textContent);
press('Escape', document.body);

/* A click near the right end of the curves is the whole as one part. */
document.getElementById('level-open').click();
const curves = document.querySelector('#curves svg'), box = curves.getBoundingClientRect();
const scale = box.width / curves.viewBox.baseVal.width;
const click = p => curves.dispatchEvent(new MouseEvent('click', {bubbles: true,
    clientX: box.x + (data.curves[0] + p * data.curves[2]) * scale, clientY: box.y + box.height / 2}));
click(0.999);
tell('curves right', Number(level()) === data.levels.length - 1);
click(0.001);
tell('curves left', level());
tell('mark', curves.querySelectorAll('.mark').length);
END
driven page.html script.js
wants start "$start"
wants slider 0
told which | grep \
    -q "^level $(jq '.levels[0].number' data.json) of $(jq .listed data.json) · p $(jq \
    '.levels[0].p' data.json) · " || fail "which: $(told which)"
wants parameter "$(jq '.levels[0].parts' data.json)"
wants right 1
wants left 0
wants minus 2
wants plus 1
wants last "$(jq -r '.levels | length | "\(. - 1) \(.)"' data.json)"
wants reachable 1
wants focus "1 $(jq \
    -r '.nodes[.levels[.start].shown[0][0]][0] | if . == "" then "(whole)" else . end' data.json)"
wants label true
wants ring 1
wants moved 1
wants shown true
wants pressed 'true 1'
wants stays true
wants cleared 'All resources 0'
wants 'level with focus' "$((start + 1)) true"
wants 'its range' "$(jq -rn --slurpfile page data.json --arg part "$(told largest)" '
    ($part | split(" ") | map(tonumber? // .)) as $of | $page[0].edges as $edges |
    "\($edges[$of[-2]]) – \($edges[$of[-1] + 1]), slices \($of[-2])–\($of[-1])"')"
wants range "$(jq -r '"\(.edges[15]) – \(.edges[41]), slices 15–40 1"' data.json)"
wants backwards "$(jq -r '"\(.edges[15]) – \(.edges[41]), slices 15–40"' data.json)"
wants 'range stays' "$(told backwards)"
wants 'curves right' true
wants 'curves left' 0
wants mark 1

# percents WHAT TOLD JSON: compares percentages, name=x %;..., with an object of shares, rounded.
percents() {
    printf '%s' "$2" | tr ';' '\n' | sed 's/=\(< \|> \)\?/\t/; s/ %$//' >told.tsv
    jq -r 'to_entries[] | select(.value > 0) | "\(.key)\t\(.value * 100)"' "$3" >wanted.tsv
    awk -F '\t' 'NR == FNR { wanted[$1] = $2; count++; next }
        { d = $2 - wanted[$1]; if (!($1 in wanted) || d > 0.11 || d < -0.11) bad = 1; count-- }
        END { exit bad || count != 0 }' wanted.tsv told.tsv ||
        fail "$1: $(cat told.tsv), expected $(cat wanted.tsv)"
}
cli --p "$(jq '.levels[.start].p' data.json)" --slices 60 --json trace.db >level.json
jq --arg part "$(told largest)" \
    '.parts[] | select("\(.node) \(.first) \(.last)" == $part) | .shares' level.json >of.json
percents "shares of the largest part" "$(told selected | sed 's/^[^ ]* //')" of.json
cli --p 1 --slices 60 --json trace.db | jq '.parts[0].shares' >of.json
percents "shares of the whole" "$(told whole)" of.json
# A range, against the model of that window alone; slices are whole ticks in neither.
cli --p 1 --slices 1 --from "$(awk -v e="$(jq '[.parts[].end] | max' finest.json)" \
    'BEGIN { printf "%.12g", e * 15 / 60 }')" \
    --to "$(awk -v e="$(jq '[.parts[].end] | max' finest.json)" \
    'BEGIN { printf "%.12g", e * 41 / 60 }')" --json trace.db | jq '.parts[0].shares' >of.json
percents "shares of a range" "$(told 'range shares')" of.json

# --- The number of a part, the commands that look into it, and the address of what is shown

mkdir -p bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$OCELOTL_CLI" >bin/ocelotl-cli
chmod +x bin/ocelotl-cli
cp trace.db "it's \$HOME.db"
title='it'"'"'s "{p}" $x'
cli --slices 60 --except PMPI_Gather --title "$title" --from 0.05 --view mode "it's \$HOME.db" \
    -o parts.html
data_of parts.html >data.json
cat >script.js <<'END'
tell('before', location.hash + '|' + document.querySelectorAll('.commands').length);
document.getElementById('finer').click();
const shown = data.levels[Number(level())].shown;
const single = shown.findIndex((one, i) => i > shown.length / 2 && one[4] === 1);
point(part(single + 1), ...middle(part(single + 1)));
tell('what', [data.levels[Number(level())].p, shown[single][8]].join(' '));
tell('facts', document.querySelector('#panel .part .facts').textContent);
document.querySelectorAll('.commands pre').forEach((line, i) => tell('command ' + i, line.textContent));
tell('address', location.hash);
tell('link', document.getElementById('link').getAttribute('href'));
const chosen = picture().querySelector('.selected').getBBox(), box = part(single + 1).getBBox();
tell('outline', chosen.x >= box.x - 1 && chosen.y >= box.y - 1 && chosen.x + chosen.width <= box.x + box.width + 1 &&
    chosen.y + chosen.height <= box.y + box.height + 1);
tell('widths', getComputedStyle(picture().querySelector('.under')).strokeWidth + ' ' +
    getComputedStyle(picture().querySelector('.selected')).strokeWidth);
const address = location.hash;
drag(30, 40);
tell('with range', location.hash === address + '&slices=30-40');
history.back();
await wait();
tell('back', (location.hash === address) + ' ' + picture().querySelectorAll('.range').length);
history.back();
await wait();
tell('back again', location.hash + '|' + picture().querySelectorAll('.selected').length);
history.back();
await wait();
tell('at the beginning', location.hash + '|' + level());
END
driven parts.html script.js
wants before '|0'
wants outline true
wants widths '3px 1px'
wants 'with range' true
wants back 'true 0'
wants 'back again' "#p=$(jq '.levels[.start - 1].p' data.json)|0"
wants 'at the beginning' "|$(jq .start data.json)"
read -r p number <<<"$(told what)"
wants facts "part $number"
wants address "#p=$p&part=$number"
wants link "$(told address)"
cli --slices 60 --except PMPI_Gather --from 0.05 --p "$p" --json trace.db |
    jq -c ".parts[$number]" >part.json
# Pasted, they work, and each is of that part.
# paste COMMAND: as in a terminal in this folder.
paste_command() {
    PATH=$PWD/bin:$PATH bash -c "$1" 2>command.err || fail "$1: $(cat command.err)"
}
for i in 0 1 2 3; do
    paste_command "$(told "command $i")" >"command-$i.txt"
done
same "no more commands" "" "$(told 'command 4')"
grep -q '^ocelotl-cli --slices 60 --except PMPI_Gather ' <<<"$(told 'command 0')" ||
    fail "$(told 'command 0')"
[ -s "gantt-$number.svg" ] || fail "no Gantt chart of the part"
[ -s "overview-$number.svg" ] || fail "no overview of the part"
[ -s command-2.txt ] || fail "no statistics of the part"
paste_command "$(told 'command 0' | sed 's/ -o [^ ]*/ --json/')" >zoomed.json
holds "the part that is zoomed into" zoomed.json '$part[0] as $whole |
    def names: .resources // [.node];
    def meets($other): . as $one | $one == "" or $other == "" or ($one + "/" |
    startswith($other + "/")) or
        ($other + "/" | startswith($one + "/"));
    all(.parts[] | names[]; . as $name | any($whole | names[]; meets($name))) and
    (([.parts[].begin] | min) - $whole.begin | fabs) < 1e-4 and (([.parts[].end] |
    max) - $whole.end | fabs) < 1e-4' --slurpfile part part.json
awk -F , -v b="$(jq .begin part.json)" -v e="$(jq .end part.json)" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["end"] < b - 1e-6 || $at["begin"] > e + 1e-6 { bad = 1 }
    END { exit bad || NR < 2 }' "events-$number.csv" ||
    fail "events of another time: $(head -3 "events-$number.csv")"
# An address shows its level and selection; an impossible one shows the first view.
cat >script.js <<'END'
tell('level', data.levels[Number(level())].p);
tell('part', (document.querySelector('#panel .part .facts') || {textContent: 'none'}).textContent);
tell('range', picture().querySelectorAll('.range').length);
tell('marked', picture().querySelectorAll('.selected').length);
END
driven parts.html script.js "#p=$p&part=$number&slices=30-40"
wants level "$p"
wants part "part $number"
wants range 1
wants marked 1
driven parts.html script.js "#p=x&part=99999&slices=40-30"
wants level "$(jq '.levels[.start].p' data.json)"
wants part none
wants range 0

# --- Light or dark as the reader prefers, unless one was given; a narrow window

cat >script.js <<'END'
const backdrop = picture().querySelector('rect');
tell('paper', getComputedStyle(document.documentElement).backgroundColor + ' ' + getComputedStyle(backdrop).fill);
tell('curves', getComputedStyle(document.querySelector('#curves svg rect')).fill);
tell('too wide', document.documentElement.scrollWidth > window.innerWidth);
tell('letters', [...picture().querySelectorAll('text')].every(text => {
    const {width, height} = text.getBoundingClientRect();
    return text.textContent === '' || text.getAttribute('visibility') === 'hidden' || Math.min(width, height) > 8; }));
tell('controls', [...document.querySelectorAll('.detail > *:not(label, datalist)')].every(
    one => one.getBoundingClientRect().right <= window.innerWidth && one.getBoundingClientRect().width > 0));
END
browser=(--window-size=600,900)
driven page.html script.js
wants paper 'rgb(255, 255, 255) rgb(255, 255, 255)'
wants 'too wide' false
wants letters true
wants controls true
browser=(--window-size=1280,900 --blink-settings=preferredColorScheme=0)
driven page.html script.js
wants paper 'rgb(20, 23, 27) rgb(20, 23, 27)'
wants curves 'rgb(20, 23, 27)'
cli --slices 60 --theme light trace.db -o light.html
driven light.html script.js
wants paper 'rgb(255, 255, 255) rgb(255, 255, 255)'
wants curves 'rgb(255, 255, 255)'
browser=(--window-size=1440,1200)
has light.html '<html lang="en" data-theme="light">'
# In no level and not in the curves anything is left on light paper.
data_of page.html >data.json
same "pictures that are dark, too" "$(jq '.levels | length + 1' data.json)" \
    "$(grep -c '<rect width="100%" height="100%" fill="var(--c[0-9]*)"' page.html)"

# A temporal page; one of a window; p chooses the first level.
cli --kind temporal --theme dark --slices 50 --p 0.99 trace.db -o temporal.html
data_of temporal.html >data.json
same "the level nearest to p" "$(jq '.levels | length - 1' data.json)" "$(jq .start data.json)"
has temporal.html '<html lang="en" data-theme="dark">'
cat >script.js <<'END'
press('[', document.body);
tell('level', level());
const reachable = document.querySelector('.level:not([hidden]) [tabindex="0"]');
reachable.focus();
tell('first', document.querySelectorAll('#panel .part .facts')[1].textContent);
press('ArrowRight');
tell('second', document.querySelectorAll('#panel .part .facts')[1].textContent);
END
driven temporal.html script.js
wants level "$(jq '.start - 1' data.json)"
told first | grep -q 'slices\? 0' || fail "the first part: $(told first)"
same "the second part" \
    "$(jq '.levels[.start - 1].shown[1][1:3] | if .[0] == .[1] then "slice \(.[0])" else
    "slices \(.[0])–\(.[1])" end' -r data.json)" "$(told second | sed 's/.*, //')"
# Of a node that is expanded, its own sums.
cli --slices 60 --expand nancy/graphite trace.db -o expanded.html
browse expanded.html
has dom.html '<h2>All of nancy/graphite</h2>'
data_of expanded.html >data.json
near "leaf slices of graphite" \
    "$(jq '[.parts[] | .leaves as $leaves | (.last - .first + 1) as $slices |
    select(.node + "/" | startswith("nancy/graphite/")) | [.shares[]] | add * $leaves * $slices] |
    add' finest.json)" "$(jq '[.sums[][]] | add' data.json)" 1e-5
cli --from 0.1 --to 0.2 --slices 20 --level 1 trace.db -o window.html
browse window.html
data_of window.html >data.json
same "the first edge of a window" '100 ms' "$(jq -r '.edges[0]' data.json)"

# Hostile names stay text: in the page, in its script's data, in the panel.
cat >hostile.csv <<'END'
path,type,slice,value
"a</script><script>document.title='owned'</script>","</title><img src=x onerror=document.title='owned'>",0,3
"a</script><script>document.title='owned'</script>","{{data}} <!-- <script>",1,1
"b""'&lt;%2F<!--]]>","</title><img src=x onerror=document.title='owned'>",0,1
"b""'&lt;%2F<!--]]>","{{data}} <!-- <script>",1,5
"</svg></div></body>","{{data}} <!-- <script>",1,2
END
printf '"\342\200\250\342\200\251\\u0027\\",plain,1,4\n' >>hostile.csv
title="</title></h1><script>document.title='owned'</script> {{script}}"
cli --title "$title" hostile.csv -o hostile.html
cat >script.js <<'END'
tell('title', document.title);
tell('heading', document.querySelector('h1').textContent);
tell('strangers', document.querySelectorAll('img, b, h1 button *, th *, #panel h2 *, svg script, title *').length);
tell('scripts', document.querySelectorAll('script').length);
tell('types', data.types.map(type => type[0]).sort().join('|'));
tell('rows', [...document.querySelectorAll('#panel th')].map(cell => cell.textContent).sort().join('|'));
tell('nodes', data.nodes.some(node => node[0] === "a<%2Fscript><script>document.title='owned'<%2Fscript>"));
document.querySelector('.level:not([hidden]) [tabindex="0"]').focus();
tell('named', data.nodes.some(node => node[0] === heading()) || heading() === '(whole)');
END
for level in 0 1; do
    cli --title "$title" --p $level hostile.csv -o hostile.html
    driven hostile.html script.js
    wants title "$title"
    wants heading "$title"
    wants strangers 0
    wants scripts 3
    wants types "</title><img src=x onerror=document.title='owned'>|plain|{{data}} <!-- <script>"
    wants rows "$(told types)"
    wants named true
done
browse hostile.html
like dom.html '^<title>'

# What cannot be.
refused 2 'spatial' --kind spatial trace.db -o x.html
refused 2 '.html' trace.db -o x.xhtml
refused 1 'nowhere' trace.db -o nowhere/x.html
refused 2 '--width is 5, expected 320 to 20000' --width 5 trace.db -o x.html
refused 2 'no view "nothing"' --kind temporal --view nothing trace.db -o x.html
[ ! -e x.html ] || fail "a refused request left a page"
# Nothing to lose: one level.
printf 'path,type,slice,value\na,x,0,1\na,x,1,1\nb,x,0,1\nb,x,1,1\n' >even.csv
cli even.csv -o even.html
browse even.html
like dom.html '<span class="detail".* hidden'
data_of even.html >data.json
holds "no commands for a matrix" data.json '(.commands // []) == []'
cli - -o piped.html <even.csv
data_of piped.html >data.json
holds "commands for standard input" data.json '.commands == []'
no_rest report

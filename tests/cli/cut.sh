# Damage in each format of text: a file cut at every byte of its last lines, and one with zeros.
# Each is an error with its place, or a trace whose oddity is told; nothing is lost unsaid.
need python3 zstd

{ paje_definitions PushState PopState && printf '%s\n' '0 A 0 node' '1 S A "a state"' \
    '2 0 n A 0 "node 1"' '3 0.25 S n working' '4 392995.561508 S n'; } >x.trace
printf '%s\n' '#Paraver (22/11/26 at 10:00):1000_ns:1(4):1:1(4:1)' 1:1:1:1:1:0:100:1 \
    2:1:1:1:1:100:60000019:1234 1:1:1:1:1:100:1000:1 >x.prv
printf '%s\n' STATES '0 Idle' '1 Running here' '' >x.pcf
printf '%s\n' 'LEVEL THREAD SIZE 1' 'THREAD 1.1.1 of all' >x.row
printf '%s\n' '{"traceEvents":[' '{"ph":"X","pid":1,"tid":2,"name":"some name","ts":1,"dur":5},' \
    '{"ph":"X","pid":1,"tid":2,"name":"another","ts":7,"dur":50}' ']}' >x.json
printf '%s\n' '{"shared":{"frames":[{"name":"a"}]},"profiles":[' \
    '{"type":"sampled","name":"p","unit":"seconds","samples":[[0]],"weights":[5]},' \
    '{"type":"sampled","name":"q","unit":"seconds","samples":[[0]],"weights":[7]}]}' >x.scope
printf '0:00:00.00000%s   100      0x2192200 INFO                GST_INIT gst.c:584:init: %s\n' \
    0100 'the first message' 0200 'the second message' 0300 'the third one' >x.log
printf '      a 7 [000] %s: cycles: \n\t    7f01 main+0x1 (/usr/bin/a)\n\n' 10.000002 10.0005 >x.txt
printf '%s\n' '-3 -901 0.000000 0 0 0' '-3 -21 0.000020 0 0 4 2 100 5 1 0' \
    '-4 -21 0.000030 0 0 0' '-4 -901 0.000125 0 0 0' >x.picl
printf '%s\n' resource,type,value,begin,end 'a,S,"x ""y""",0,1.25' a,S,yy,1.25,2 'a,S,"z",2,345.5' \
    >x.csv
printf '%s 60 8 -1 -1 8 120 -1 1 4 1 2 1 -1 -1 -1\n' '; MaxProcs: 8' '1 0 5' '2 30 9' >x.swf
printf '%s,run-7,%s,,cycles,100,100.00,,\n' 0.05 5 0.1 7 0.15 9 >x.stat
printf '%s\n' '@ 1.5 7 run' '00400000 default N0=3' '@ 2 7 run' '00400000 bind:1 file=/bin/a N1=3' \
    >x.pages
printf '%s\n' 'v 10400 3' 'X run' 's 4 work' 'i 1 0 1' 't 1 0' 'a 10 1' '+ 0' 'c a' '- 0' 'R 1f' \
    >x.heap
printf '%s\n' 'Container, 0, 0, 0, 9, 9, 0' 'Container, 0, A, 0, 9.5, 9.5, c' \
    'State, c, S, 0, 5.125, 5.125, 0, "work"' 'State, c, S, 6, 9.25, 3.25, 0, rest' >x.pjdump
for i in 1 2 3; do printf '{"resource":"a","type":"S","value":"v%s","begin":%s,"end":%s.5}\n' $i $i $i
done >l.json

# cut_at LENGTH FILE: the import of a file that is cut fails with its name, or its end is told.
cut_at() {
    head -c "$1" "$2" >"c/$2"
    if ! cli import --force "c/$2" -o cut.db >/dev/null 2>cut.err; then
        like cut.err "^ocelotl-cli: c/$2"
    elif [ -n "$(tail -c 1 "c/$2")" ] && [ -n "$(tail -c "+$(($1 + 1))" "$2")" ]; then
        like cut.err 'oddit.* in the trace'
        cli info cut.db | grep -Eq "no end of line \(it may be cut\); first at c/$2:|$list" ||
            fail "$2, cut at $1: $(cli info cut.db | tail -3)"
    fi
}
list='list of events that is not closed'
mkdir c
for file in x.trace x.prv x.json x.scope x.log x.txt x.picl x.swf x.pages x.stat x.heap x.csv \
    x.pjdump l.json; do
    cli import --force "$file" -o whole.db >/dev/null 2>whole.err || fail "$(cat whole.err)"
    lacks whole.err 'no end of line'
    size=$(stat -c %s "$file")
    # The last lines are like those before, and each cut takes two processes.
    for length in $(seq $((size > 70 ? size - 70 : 1)) $((size - 1)) | thin 3); do
        cut_at "$length" "$file"
    done
done

# zero FILE FROM LENGTH: a copy in c/ with zeros.
zero() {
    python3 - "$@" <<'END'
import sys
file, begin, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
text = bytearray(open(file, "rb").read())
text[begin:begin + length] = bytes(length)
open("c/" + file, "wb").write(text)
END
}
# zeroed FILE LINE [IMPORTED]: zeros in the middle of a line are damage there.
zeroed() {
    local file=$1 line=$2 whole=${3-$1}
    zero "$file" "$(($(head -n "$line" "$file" | wc -c) - 4))" 3
    refused 1 "c/$file:$line: a NUL byte, expected text" import "c/$whole" -o no.db
    cli import --force --lenient "c/$whole" -o zero.db >/dev/null 2>zero.err ||
        fail "$file: $(cat zero.err)"
    has zero.err 'a NUL byte'
    cli info zero.db | grep -q "c/$file:$line: a NUL byte" || fail "$file: $(cli info zero.db)"
    # A compressed one is damaged as well.
    zstd -qf --rm "c/$file"
    refused 1 ":$line: a NUL byte, expected text" import --force "c/$whole${4-.zst}" -o no.db
    rm "c/$file.zst"
    cp "$file" c
}
cp x.* l.json c
zeroed x.trace "$(($(wc -l <x.trace) - 1))"
zeroed x.trace 3
zeroed x.prv 3
zeroed x.pcf 3 x.prv ''
zeroed x.row 2 x.prv ''
zeroed x.json 3
zeroed x.scope 3
zeroed x.log 2
zeroed x.txt 5
zeroed x.picl 3
zeroed x.swf 2
zeroed x.pages 3
zeroed x.stat 2
zeroed x.heap 10
zeroed x.csv 3
zeroed x.csv 2
zeroed x.pjdump 3
zeroed l.json 2

# The last third of a large one, several pages of it, is one line of zeros.
large() {
    local file=$1 size
    size=$(stat -c %s "$file")
    zero "$file" $((size * 2 / 3)) $((size / 3))
    ! cli import --force "c/$file" -o zero.db >/dev/null 2>zero.err || fail "$file: is imported"
    like zero.err "^ocelotl-cli: c/$file:[0-9]*: a NUL byte, expected text"
    cli import --force --lenient "c/$file" -o zero.db >/dev/null 2>zero.err ||
        fail "$file: $(cat zero.err)"
    has zero.err 'a NUL byte'
}
unpack "$sample" >large.trace
cli import large.trace -o large.db >/dev/null
for format in csv pjdump paje paraver picl; do
    name=out.$(case $format in paje) echo trace ;; paraver) echo prv ;; *) echo "$format" ;; esac)
    cli export large.db --format "$format" -o "$name" >/dev/null 2>&1 || continue
    large "$name"
done

# A quote that zeros opened ends with their line.
{ cat x.csv && printf 'a,S,"q\0\0\0\0,1,2\na,S,good,500,501\n'; } >c/x.csv
cli import --force --lenient c/x.csv -o zero.db >/dev/null 2>zero.err || fail "$(cat zero.err)"
same "the row behind zeros" 4 "$(cli sql --csv zero.db 'SELECT count(*) FROM events' | tail -1)"

# A matrix.
printf '%s\n' path,type,slice,value a,S,0,1 a,S,1,0.512 >m.csv
zero m.csv 30 1
refused 1 "c/m.csv:3: a NUL byte, expected text" overview c/m.csv -o no.svg
for length in $(seq 24 "$(stat -c %s m.csv)" | thin 2); do
    head -c "$length" m.csv >c/m.csv
    if cli parts c/m.csv >/dev/null 2>m.err && [ -z "$(tail -c 1 c/m.csv)" ]; then
        same "a matrix, cut behind a line" "" "$(cat m.err)"
    else
        grep -q 'c/m.csv:[0-9]: \(the last line has no end (it may be cut)\|.*, expected \)' m.err ||
            fail "a matrix, cut at $length: $(cat m.err)"
    fi
done

# --- Numbers of a table that are none

for number in nan NaN inf -inf Infinity 1e999; do
    printf 'time,resource,type,value\n0,a,V,1\n1,a,V,%s\n' "$number" >n.csv
    refused 1 "n.csv:3: value is \"$number\", expected a finite number (up to 1.8e308)" \
        import n.csv -o no.db
    printf 'resource,type,value,begin,end\na,S,x,%s,2\n' "$number" >t.csv
    refused 1 "t.csv:2: time is \"$number\", expected a decimal number" import t.csv -o no.db
done

# Nothing that a terminal would obey or hide reaches one: names in a trace, file names, values of
# options, commands in other people's pictures. Files for programs keep the bytes as far as their
# formats can hold them.
need python3

# clean.py FILE...: no character of the files is one that a terminal obeys or hides, and all are
# characters.
cat >clean.py <<'END'
import re, sys
HIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
bad = False
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    try:
        found = HIDDEN.search(data.decode())
    except UnicodeDecodeError as error:
        found = error
    if found:
        at = found.start() if hasattr(found, "start") and callable(found.start) else found.start
        print(name, "holds", data.decode(errors="backslashreplace")[max(0, at - 40):at + 20].encode("unicode_escape").decode())
        bad = True
sys.exit(bad)
END
printf 'plain \tline\n' >plain
python3 clean.py plain || fail "the check refuses what is clean"
for byte in '\033' '\302\233' '\233' '\177' '\342\200\256'; do
    printf "a${byte}b" >foul
    ! python3 clean.py foul >/dev/null || fail "the check does not see $byte"
done

# Colours, a title, a bell, steps back; C1 as a character and as a byte; DEL; marks of direction,
# separators, joiners.
nasty=$(printf \
    '\033[31mred\007\010\302\233\233m\033]0;PWN\007\177\330\234\342\200\256\342\201\246\342\200\217\342\200\250\357\273\277\357\277\271\302\205')
{
    paje_definitions DefineVariableType DefineEventType DefineLinkType SetState+Note SetVariable \
        NewEvent StartLink EndLink
    printf '0 G 0 "%s0"\n0 H G "%s1"\n1 S H "%s2"\n3 V H "%s3"\n4 E H "%s4"\n5 L 0 H H "%s5"\n' \
        "$nasty" "$nasty" "$nasty" "$nasty" "$nasty" "$nasty"
    printf '2 0 g G 0 "%s6"\n' "$nasty"
    for i in 0 1 2 3; do printf '2 0 c%d H g "%s%d"\n' $i "$nasty" $i; done
    for i in $(seq 1 60); do
        c=$((i % 4))
        printf '6 %d S c%d "%s%d" "%s"\n7 %d V c%d %d\n' "$i" $c "$nasty" $((i % 3)) "$nasty" "$i" \
            $c "$i"
        printf '8 %d E c%d "%s"\n9 %d L 0 "%s" c%d "%s%d"\n10 %d L 0 "%s" c%d "%s%d"\n' "$i" $c \
            "$nasty" "$i" "$nasty" $c "$nasty" "$i" "$i" "$nasty" $(((i + 1) % 4)) "$nasty" "$i"
    done
} >trace.trace
cli import --name "$nasty" trace.trace -o trace.db >/dev/null 2>&1 || fail "no import"
cp trace.db "$nasty.db"

# prints ARGUMENT...: keeps what the program prints for people, for `all_clean`; it may fail.
said=0
prints() {
    said=$((said + 1))
    cli "$@" >"said.$said.out" 2>"said.$said.err" </dev/null || true
    [ -s said.$said.out ] || [ -s said.$said.err ] || fail "$(printf '%q ' "$@") says nothing"
    printf 'said.%d: %q\n' "$said" "$*" >>said.commands
}
all_clean() {
    python3 clean.py said.*.out said.*.err >clean.out || fail "$(head -n 20 clean.out |
        while read -r name what; do grep "^${name%.*}: " said.commands; echo "$what"; done)"
}

for trace in trace.db "$nasty.db"; do
    prints info "$trace"
    prints parts "$trace"
    prints stats "$trace"
    prints stats --resource "$(cli info --json "$trace" | jq -r '.resource_types[1].example')" \
        "$trace"
    prints stats --only "$nasty*" --except "x$nasty" "$trace"
    prints sweep "$trace"
    prints compare "$trace" "$trace"
    prints compare --every-node --to 50% --from2 50% "$trace" "$trace"
    prints compare --metric event-count --to 30% --from2 30% "$trace" "$trace"
    prints sql "$trace" "SELECT *, resource AS '$nasty' FROM events LIMIT 9"
    prints sql "$trace" "SELECT $nasty FROM events"
    prints sql "$trace" "$nasty"
    prints import "$trace" -o "$nasty.new"
    rm -f "$nasty.new"
    prints --part 0 gantt "$trace" -o part.svg
    prints --part 0 "$trace" -o part.svg
    prints "$trace"
    prints treemap "$trace"
    for suffix in svg html json; do
        cli --force "$trace" -o "out.$suffix" 2>/dev/null || fail "no $suffix"
        mv "out.$suffix" "said.$said.$suffix.out"
    done
    for command in gantt treemap stats series matrix compare; do
        second=$([ $command != compare ] || echo "$trace")
        cli $command "$trace" ${second:+"$second"} --title "$nasty" --force -o out.svg >/dev/null \
            2>&1 || fail "no $command"
        mv out.svg "said.$said.$command.svg.out"
    done
    for command in info parts stats series matrix causality sweep export gantt treemap; do
        cli $command "$trace" --json >out.json 2>/dev/null || fail "$command as JSON"
        cp out.json "said.$said.$command.json.out"
        jq -es . out.json >/dev/null || fail "$command: wrong JSON"
    done
    cli sql --json "$trace" "SELECT *, resource AS '$nasty' FROM events" >out.json
    python3 clean.py out.json && jq -e . out.json >/dev/null || fail "sql --json"
done
python3 - said.*.svg.out <<'END' || fail "wrong XML"
import sys, xml.etree.ElementTree as tree
for name in sys.argv[1:]:
    tree.parse(name)
END
# The name of a picture that the program chooses can be seen and typed.
(cd "$(mktemp -d -p .)" && cli "../$nasty.db" >/dev/null && find . -type f >../made)
python3 clean.py made || fail "the name of a picture"
same "what JSON says of a name" "$(printf '%s' "$nasty" | iconv -f UTF-8 -t UTF-8 -c)" \
    "$(cli info --json trace.db | jq -r .name |
    python3 -c 'import sys; sys.stdout.write(sys.stdin.read().replace("\ufffd", "").rstrip("\n"))')"

# Messages: the value of every option of every command, a command, an option, traces, targets and
# palettes.
prints "$nasty"
prints "--$nasty" trace.db
prints "-$nasty" trace.db
prints info "$nasty" "$nasty"
prints info trace.db "$nasty.db"
prints info --set "key=$nasty" --set "$nasty=value" trace.db
prints list .
prints list --others --json .
prints list --where "$nasty = 1" .
prints list "$nasty"
prints overview trace.db -o "$nasty/x.svg"
prints overview trace.db -o "x.$nasty"
for command in overview treemap gantt series matrix causality clocks sweep stats parts compare \
    export hierarchies snapshot import sql info cache list; do
    cli "$command" --help all | grep -oE -- '--[a-z][a-z0-9-]+' | sort -u >options
    while read -r option; do
        case $option in --help | --clear | --force | --again | --output) continue ;; esac
        second=$([ $command != compare ] || echo trace.db)
        prints "$command" "$option" "$nasty" trace.db ${second:+"$second"}
        # What is CSV has the bytes of the trace.
        [[ $option != --csv && $command != series && $command != export ]] || rm "said.$said.out"
    done <options
done
printf 'name,colour\n"%s",red\n"%s",#123456\n' "$nasty" "x$nasty" >"$nasty.csv"
prints --palette "$nasty.csv" trace.db -o palette.svg
printf 'name,colour\n"x%s",#123456\n' "$nasty" >"$nasty.csv"
prints --palette "$nasty.csv" trace.db -o palette.svg
printf '%s\n' "$nasty" >"$nasty.broken"
prints "$nasty.broken"
{ cat trace.trace && printf '%s\n6 70 S nowhere "%s" x\n' "$nasty" "$nasty"; } >"$nasty.trace"
prints info "$nasty.trace"
prints info --lenient "$nasty.trace"
prints info --lenient "$nasty.trace"
prints info "$nasty.trace" --no-cache --lenient
prints cache
HOME=/nowhere XDG_CACHE_HOME="$folder/$nasty" prints info trace.trace
XDG_CACHE_HOME="$folder/$nasty" prints cache
XDG_CACHE_HOME="$folder/$nasty" prints cache --clear
TMPDIR="$folder/$nasty/none" prints info --no-cache trace.trace

# A foreign picture with a command that the program itself quotes in octal.
for command in "ocelotl-cli \$&#39;\\033]0;PWNED\\007\\233&#39; -o x.svg" \
    "\$&#39;\\033]0;PWNED\\007&#39;" \
    "ocelotl-cli --\$&#39;\\033]0;PWNED\\007&#39; x" "ocelotl-cli info \$&#39;\\302\\233&#39;" \
    "$nasty"; do
    printf '<svg><metadata><parameters xmlns="urn:ocelotl:parameters"><command>%s</command></parameters></metadata></svg>' \
        "$command" >again.svg
    prints --again again.svg -o new.svg
    same "lines that --again says" 1 "$(wc -l <said.$said.err)"
done
all_clean

# A name of several lines is in one line of a table, and columns are as wide as what is shown in
# them.
printf 'path,type,slice,value\n"a\nb/c\td",x,0,1\n"a\nb/e","y\nz",1,2\n日本/f,x,1,1\n' >lines.csv
cli --p 0 parts lines.csv >parts.out
same "rows of the table" "$(cli --p 0 parts --json lines.csv | jq '.parts | length')" \
    "$(($(wc -l <parts.out) - 1))"
has parts.out 'a\nb/c\td'
same "columns of names" 1 "$(python3 - parts.out <<'END'
import sys, unicodedata
columns = set()
for line in open(sys.argv[1]).read().splitlines():
    end = line.rindex("  ", 0, line.index("%") if "%" in line else None)
    width = sum(2 if unicodedata.east_asian_width(c) == "W" else 1 for c in line)
    columns.add(width - len(line.rsplit("  ", 1)[1]) if "  " in line else width)
print(len(columns))
END
)"
same "a cell of two lines" 'a\nb' \
    "$(cli sql trace.db "SELECT 'a' || char(10) || 'b' AS x" | tail -n 1)"
same "a heading of two lines" 'a\nb' "$(cli sql trace.db "SELECT 1 AS 'a
b'" | head -n 1)"

# CSV to a file or a pipe has the bytes of the trace; on a terminal it is as a table.
cli export trace.db -o events.csv
cli export trace.db | cmp -s - events.csv || fail "a pipe is given something else than a file"
python3 - events.csv "$nasty" <<'END' || fail "CSV has other names"
import csv, os, sys
name = os.fsencode(sys.argv[2]).decode(errors="replace")
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert rows and all(name in row["resource"] and
                    name in row["resource_type" if row["category"] == "resource" else "type"]
                    for row in rows), rows[0]
END
if command -v script >/dev/null; then
    for arguments in 'export' 'export --format pjdump' 'export --json' 'series' 'info --csv' \
        'parts --csv' 'stats --csv' 'info' \
        'sql --csv' '--slices 4 -o -' 'compare --csv trace.db'; do
        question=$([ "$arguments" != 'sql --csv' ] ||
            echo '"SELECT resource, char(27) || value, 2 FROM events"')
        script -qec "'$OCELOTL_CLI' $arguments trace.db $question" terminal.out </dev/null \
            >/dev/null || fail "$arguments on a terminal"
        tr -d '\r' <terminal.out | sed '1{/^Script started/d};${/^Script done/d}' >terminal
        [ "$(wc -c <terminal)" -gt 100 ] || fail "$arguments on a terminal: $(cat terminal)"
        python3 clean.py terminal || fail "$arguments on a terminal"
    done
fi

# --show greys the types that do not match and changes nothing else; lists of names from files.
need python3 jq xmllint

example
printf 'PMPI_Wait\r\n\nPMPI_Barrier' >names.txt

# --- The partition is the same, byte for byte
cli --json --slices 30 trace.db >plain.json
cli --json --slices 30 --show 'PMPI_W*' trace.db >shown.json
cmp -s plain.json shown.json || fail "--show changes the partition"
cli treemap --json trace.db >plain.json
cli treemap --json --show PMPI_Wait trace.db >shown.json
cmp -s plain.json shown.json || fail "--show changes the treemap"

# --- The picture: each shape is where it was; colours of what matches stay, all others are one grey
cat >compare.py <<'END'
import re, sys
import xml.etree.ElementTree as tree

def shapes(path):
    """Without texts; shapes of one look may be one path, in any order of looks."""
    found = []
    for element in tree.parse(path).iter():
        name = element.tag.split("}")[-1]
        place = {key: value for key, value in element.attrib.items() if key not in ("fill", "stroke", "d")}
        for piece in re.findall("M[^M]*", element.get("d", "M")):
            if name in ("rect", "path", "line"):
                found.append((name, piece, sorted(place.items()), element.get("fill", "")))
    return sorted(found)

def colour_in_legend(path, name):
    """Of the swatch before a name."""
    text = open(path, encoding="utf-8").read()
    found = re.search(r'fill="(#[0-9a-f]{6})"/>\n<text[^>]*>(?:<title>[^<]*</title>)?' + name + "<", text)
    return found.group(1) if found else None

plain, shown, names = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
kept = {colour_in_legend(plain, name) for name in names}
before, after = shapes(plain), shapes(shown)
assert None not in kept, kept
assert [shape[:3] for shape in before] == [shape[:3] for shape in after], "shapes moved"
changed = {(a[3], b[3]) for a, b in zip(before, after) if a[3] != b[3]}
assert changed, "no colour has changed"
assert not kept & {old for old, _ in changed}, ("a colour that is shown has changed", kept, changed)
assert len({new for _, new in changed}) == 1, ("more than one grey", changed)
grey = changed.pop()[1]
channels = [int(grey[i:i + 2], 16) for i in (1, 3, 5)]
assert max(channels) - min(channels) <= 8, grey  # the paper may have a hue
still = {a[3] for a, b in zip(before, after) if a[3] == b[3]}
assert kept <= still, (kept, still)
END
for theme in light dark; do
    cli --slices 30 --width 2400 --theme $theme trace.db -o plain.svg
    cli --slices 30 --width 2400 --theme $theme --show 'PMPI_W*' --show PMPI_Barrier trace.db \
        -o shown.svg
    python3 compare.py plain.svg shown.svg PMPI_Wait,PMPI_Barrier || fail "mode, $theme"
done
cli --slices 30 --width 2400 --kind temporal trace.db -o plain.svg
cli --slices 30 --width 2400 --kind temporal --show PMPI_Wait trace.db -o shown.svg
python3 compare.py plain.svg shown.svg PMPI_Wait || fail "stacked"
has shown.svg 'in colour: PMPI_Wait<'
for command in gantt stats treemap; do
    cli $command --show PMPI_Wait trace.db -o $command.svg || fail "$command --show"
    has $command.svg 'in colour: PMPI_Wait'
done
refused 1 'no type to show is called "PMPI_Wiat"; the nearest is "PMPI_Wait"' \
    --show PMPI_Wiat trace.db -o x.svg

# --- Lists: as if each name had been given, and written so
cli stats --json --only PMPI_Wait --only PMPI_Barrier trace.db >one.json
cli stats --json --only @names.txt trace.db >two.json
cmp -s one.json two.json || fail "--only @names.txt is not --only of each name"
cli stats --json --except @names.txt trace.db >two.json
cli stats --json --except PMPI_Wait --except PMPI_Barrier trace.db >one.json
cmp -s one.json two.json || fail "--except @names.txt is not --except of each name"
cli export trace.db | awk -F, 'NR > 1 && $3 != "resource" { print $1 }' | sort -u >resources.txt
printf '\357\273\277PMPI_Wait\r\nPMPI_Barrier\r\n' >marked.txt
cli stats --json --except @marked.txt trace.db >two.json || fail "a list with a byte order mark"
cmp -s one.json two.json || fail "a byte order mark is in the first name"
printf '\357\273\277' >marked.txt
refused 1 'marked.txt: is empty, expected names, one a line' --only @marked.txt trace.db -o x.svg
head -n 7 resources.txt >some.txt
for command in export 'export --json' 'gantt --json' 'parts --csv' 'series --csv --at MACHINE' \
    stats; do
    cli $command $(sed 's/^/--resource /' some.txt) trace.db >one.txt 2>&1
    cli $command --resource @some.txt trace.db >two.txt 2>&1
    cmp -s one.txt two.txt || fail "$command --resource @some.txt: $(head -n 3 two.txt)"
done
cli --only @names.txt --slices 20 trace.db -o list.svg
rm names.txt
cli --again list.svg --p 0.3 -o again.svg || fail "--again needs the list"
has again.svg '--only PMPI_Wait --only PMPI_Barrier --slices 20'

# A list of names for several traces: those that this one lacks are left out, with a word, and are
# in no command; one that is given by itself is refused, and so is a list with none.
printf '%s\n' nobody PMPI_Wait no-one PMPI_Barrier someone else >mixed.txt
cli stats --json --only PMPI_Wait --only PMPI_Barrier trace.db >one.json
cli stats --json --only @mixed.txt trace.db >two.json 2>two.err
cmp -s one.json two.json || fail "a list with unknown names is not one of the known ones"
said='ocelotl-cli: trace.db: has none of 4 of the 6 names in the list of --only: "nobody", "no-one"'
same "what is said" "$said, \"someone\", .." "$(cat two.err)"
cli --only @mixed.txt --show @mixed.txt --slices 20 trace.db -o mixed.svg 2>/dev/null
rm -f again.svg
cli --again mixed.svg --p 0.3 -o again.svg 2>again.err || fail "--again: $(cat again.err)"
[ ! -s again.err ] || fail "--again says: $(cat again.err)"
grep -q -- '--only PMPI_Wait --only PMPI_Barrier --show' mixed.svg && ! grep -q nobody mixed.svg ||
    fail "a picture names what the trace lacks"
{ echo nowhere && cat some.txt && echo 'no/where/.'; } >mixed-resources.txt
for option in resource only-resources except-resources; do
    cli export --$option @some.txt trace.db >one.txt
    cli export --$option @mixed-resources.txt trace.db >two.txt 2>two.err
    cmp -s one.txt two.txt || fail "--$option of a list with unknown resources"
    like two.err "has none of 2 of the 9 names in the list of --$option: \"nowhere\""
done
! cli stats --only @mixed.txt --only nobody trace.db >one.txt 2>two.err || fail "nobody, by itself"
has two.err 'nothing that can be shown is called "nobody"'
refused 1 'nothing that can be shown is called "nobody"' compare --only @mixed.txt trace.db trace.db

# A name that begins with @ is written with two.
printf 'path,type,slice,value\n@a,@x,0,1\n@a,y,1,1\nb,@x,0,1\nb,y,1,1\n' >model.csv
cli --show @@x model.csv -o x.svg || fail "--show @@x"
printf '@x\n' >list.txt
cli --show @list.txt model.csv -o y.svg || fail "--show @list.txt"
cmp -s <(grep -v ocelotl-cli x.svg) <(grep -v ocelotl-cli y.svg) || fail "@@x is not @x of a list"

# --- Broken lists
: >empty.txt
printf 'PMPI_Wait\nPMPI\0Barrier\n' >zero.txt
refused 1 'no type to show is called "@x"' --show @@x trace.db -o x.svg
rm -f x.svg y.svg
refused 1 'empty.txt: is empty, expected names, one a line' --only @empty.txt trace.db -o x.svg
refused 1 'zero.txt:2: has a byte 0, expected a name' --only @zero.txt trace.db -o x.svg
refused 1 'missing.txt: cannot open' stats --only @missing.txt trace.db
refused 2 '--only is "@", expected @FILE, or @@NAME for a name' stats --only @ trace.db
printf 'nobody\n' >nobody.txt
for option in only except resource only-resources except-resources; do
    refused 1 "trace.db: has none of the names in the list of --$option: \"nobody\"" \
        stats --$option @nobody.txt trace.db
done
refused 1 'trace.db: has none of the names in the list of --show: "nobody"' \
    --show @nobody.txt trace.db -o x.svg

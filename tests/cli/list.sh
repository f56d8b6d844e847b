# list: the traces in a folder, whatever else is in it; info of several; and what is noted on them,
# against what jq, sqlite3 and a script say.
need jq python3 sqlite3 timeout

mkdir runs
cli import "$sample" -o runs/run2.db >/dev/null
cp "$sample" runs/run10.trace.zst
printf 'resource,type,value,begin,end\na,S,x,0,1\nb,S,y,0.5,2.5\nb,S,x,3,4\n' >runs/table.csv
cli import runs/table.csv -o runs/table.db >/dev/null 2>&1
printf 'path,type,slice,value\na,x,0,1\n' >runs/matrix.csv

# A tree without an end is left at a stated count.
mkdir -p many/z
(cd many && seq -f %06g 100001 | xargs touch)
cp runs/run2.db many/000000.db
cp runs/run2.db many/z/late.db
cli list --recursive --json many >many.json 2>many.err
same "files of a large tree" '100000 000000.db' \
    "$(jq -r '"\(.looked_at) \(.traces[].name)"' many.json)"
grep -qx 'ocelotl-cli: many: has more than 100000 files and folders, .*' many.err ||
    fail "a large tree: $(cat many.err)"
rm -rf many

# Files of the kernel are passed over: some let whoever reads them wait for ever.
mkdir kernel
ln -s /proc/version kernel/version.db
ln -s /proc kernel/sys
for place in /proc /sys kernel; do
    same "$place" '[] 0' "$(timeout 60 "$OCELOTL_CLI" list --recursive --json $place |
        jq -cr '"\([.traces[].name]) \(.others)"')"
done
refused 1 'kernel: is a directory, expected a file or a folder of traces' import kernel -o no.db
rm -rf kernel

# A row for each, with what is known without an import: nothing goes to the cache.
cli list runs --json >list.json
same "names, numbers by their value" 'matrix.csv run2.db run10.trace.zst table.csv table.db' \
    "$(jq -r '[.traces[].name] | join(" ")' list.json)"
same "kinds" 'matrix trace.db trace trace trace.db' \
    "$(jq -r '[.traces[].kind] | join(" ")' list.json)"
same "formats" 'null paje paje csv csv' \
    "$(jq -r '[.traces[] | .format // "null"] | join(" ")' list.json)"
test ! -e "$XDG_CACHE_HOME" || fail "a list imports"
for name in run2 table; do
    cli info --json runs/$name.db >info.json
    holds "$name: what info says" list.json '
        .traces[] | select(.name == $name) | . as $listed | $info[0] |
        $listed.duration == .duration and $listed.events == .events and
        $listed.resources == .resources and $listed.size == .size and $listed.uid == .uid and
        $listed.title == .name' --slurpfile info info.json --arg name $name.db
    same "$name: the date" "$(date -u -r runs/$name.db +%Y-%m-%dT%H:%M:%SZ)" \
        "$(jq -r --arg name $name.db '.traces[] | select(.name == $name).modified' list.json)"
done
same "resources, by SQL" "$(sqlite3 runs/run2.db 'SELECT count(*) FROM resource')" \
    "$(jq '.traces[] | select(.name == "run2.db").resources' list.json)"
holds "what nobody knows yet" list.json '.traces[] | select(.kind != "trace.db") |
    [.duration, .events, .resources, .uid, .title] | all(. == null)'
cli list runs --csv >list.csv
python3 - <<'END' || fail "CSV is not JSON"
import csv, json
listed = json.load(open("list.json"))["traces"]
rows = list(csv.DictReader(open("list.csv", newline="")))
assert len(rows) == len(listed)
for row, trace in zip(rows, listed):
    for key in ("name", "kind", "format", "recorded", "modified", "problem"):
        assert row[key] == (trace[key] or ""), (key, row, trace)
    for key in ("duration", "events", "resources", "size", "notes"):
        assert (float(row[key]) if row[key] else None) == trace[key], (key, row, trace)
END
same "this folder" "$(cli list --csv runs)" "$(cd runs && cli list --csv)"
cli list runs >list.txt
like list.txt '^run10.trace.zst  trace     paje  *-  *-  *-  '

# What is noted is beside the trace, which stays as it is.
cp runs/run2.db before.db
cli info --set machine=hydra --set 'class=C "=" é' --set 'tasks=96' runs/run2.db >/dev/null
cmp before.db runs/run2.db || fail "a note changes the trace"
same "the sidecar" '{"class":"C \"=\" é","machine":"hydra","tasks":"96"}' \
    "$(jq -c .metadata runs/run2.db.notes.json)"
cli info --set machine=pc --unset class --unset nothing runs/run2.db runs/table.csv \
    runs/table.db >set.txt
same "both, then" '{"machine":"pc","tasks":"96"} {"machine":"pc"}' \
    "$(jq -c .metadata runs/run2.db.notes.json) $(jq -c .metadata runs/table.csv.notes.json)"
same "what is said of it" "$(printf '%s\n' runs/run2.db '  machine = pc' '  tasks = 96' \
    runs/table.csv '  machine = pc' runs/table.db '  machine = pc')" "$(cat set.txt)"
cli info --json runs/run2.db >info.json
holds "info has it" info.json '.metadata == {"machine":"pc","tasks":"96"} and .notes == 0'
same "the same uid" "$(cli info --json before.db | jq -r .uid)" "$(jq -r .uid info.json)"
cli info runs/run2.db | grep -q '^own        machine = pc$' || fail "info, as text"
same "info, as CSV" 'metadata,machine,pc,1,,' \
    "$(cli info --csv runs/run2.db | grep '^metadata,machine')"
test ! -e runs/run2.db.notes.json.notes.json || fail "notes on notes"
cli list runs | grep -q '^run2.db .* machine=pc, tasks=96$' || fail "no own values in the list"
cli info --unset machine --unset tasks runs/run2.db >/dev/null
same "nothing is left" '{"notes":[]}' "$(cat runs/run2.db.notes.json)"
cli info --set machine=hydra --set tasks=96 runs/run2.db >/dev/null

# Filters and order, against a script.
cat >check.py <<'END'
import fnmatch, json, os, subprocess

def listed(*words):
    done = subprocess.run([os.environ["OCELOTL_CLI"], "list", "--json", *words, "runs"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)

def names(traces):
    return [trace["name"] for trace in traces]

everything = listed()["traces"]
for where, keep in (
        ("events > 3", lambda t: t["events"] is not None and t["events"] > 3),
        ("events <= 3", lambda t: t["events"] is not None and t["events"] <= 3),
        ("duration < 1", lambda t: t["duration"] is not None and t["duration"] < 1),
        ("format = paje", lambda t: t["format"] == "paje"),
        ("format != paje", lambda t: t["format"] not in (None, "paje")),
        ("name = *.db", lambda t: fnmatch.fnmatchcase(t["name"], "*.db")),
        ("kind = trace", lambda t: t["kind"] == "trace"),
        ("machine = h*", lambda t: t["metadata"].get("machine", "").startswith("h")),
        ("tasks >= 96", lambda t: float(t["metadata"].get("tasks", 0)) >= 96),
        ("date >= 2020-01-01", lambda t: True), ("date < 2020", lambda t: False),
        ("size > 1000", lambda t: t["size"] > 1000), ("notes = 0", lambda t: t["notes"] == 0)):
    found = listed("--where", where)
    wanted = names(filter(keep, everything))
    assert names(found["traces"]) == wanted, (where, names(found["traces"]), wanted)
    assert found["unmet"] == len(everything) - len(wanted), where
assert names(listed("--where", "machine=*", "--where", "kind=trace.db")["traces"]) == \
    ["run2.db", "table.db"]
for column in ("duration", "events", "resources", "size"):
    found = [trace[column] for trace in listed("--sort", column)["traces"]]
    known = [value for value in found if value is not None]
    assert known == sorted(known, reverse=True) and found[:len(known)] == known, (column, found)
found = [trace["format"] for trace in listed("--sort", "format")["traces"]]
assert found == ["csv", "csv", "paje", "paje", None], found
END
python3 check.py || fail "filters and order"
touch -d 2001-02-03 runs/table.csv && touch -d 2031-02-03 runs/table.db
same "the latest, and the oldest" 'table.db table.csv' \
    "$(cli list --sort date --json runs | jq -r '.traces | first.name + " " + last.name')"
refused 1 'no trace has "machin"; the nearest is "machine"' list --where machin=x runs
refused 1 'compares nothing' list --where events runs
refused 2 'no-such' list --sort no-such runs
refused 1 'nowhere: cannot be read: No such file' list nowhere
refused 1 'table.csv: is no folder' list runs/table.csv
refused 2 '"b" is one folder too many' list a b

# Several traces: what they share, and where they differ.
sed 's/3,4/3,5/; s/^b,S,y/c,S,z/' runs/table.csv >runs/other.csv
cli info --set machine=hydra runs/other.csv >/dev/null
cli info --json runs/table.csv runs/other.csv >several.json 2>/dev/null
holds "what they share" several.json '
    [.shared[] | select(.property == "format").values] == [["csv"]] and
    [.shared[] | select(.property == "events").values] == [[3]] and
    [.shared[] | select(.kind == "event value" and .property == "S:x").values] == [[2]]'
holds "where they differ" several.json '
    [.different[] | select(.property == "duration").values] == [[4, 5]] and
    [.different[] | select(.property == "resources").values] == [[2, 3]] and
    [.different[] | select(.property == "S:y").values] == [[1, null]] and
    [.different[] | select(.property == "S:z").values] == [[null, 1]] and
    [.different[] | select(.kind == "metadata")] ==
        [{"kind":"metadata","property":"machine","values":["pc","hydra"]}]'
cli info runs/table.csv runs/other.csv >several.txt 2>/dev/null
like several.txt '^  duration  *4  *5$' '^  value S:y  *1  *-$'
lacks several.txt 'S:x'
cli info --csv runs/table.csv runs/other.csv >several.csv 2>/dev/null
same "a cell of CSV" 'no,own machine,runs/other.csv,hydra' \
    "$(grep 'own machine,runs/other' several.csv)"
refused 1 'nowhere.db: cannot open' info runs/table.db nowhere.db

# What is refused changes nothing.
cp runs/run2.db.notes.json kept.json
refused 2 '--set is "machine", expected KEY=VALUE' info --set machine runs/run2.db
refused 2 'expected neither -o nor --csv nor --json' info --set a=b --json runs/run2.db
refused 1 'the key is empty' info --set =b runs/run2.db
refused 1 'sees, expected letters' info --set $'a\eb=c' runs/run2.db
refused 1 'no text in UTF-8' info --set $'a=\377' runs/run2.db
refused 1 'standard input has no place' info --set a=b - </dev/null
printf '{"notes":[],"metadata":{"a":1}}' >runs/table.db.notes.json
refused 1 'holds no notes' info --set a=b runs/table.db
refused 1 'holds no notes' info runs/table.db
same "what somebody wrote" '{"notes":[],"metadata":{"a":1}}' "$(cat runs/table.db.notes.json)"
holds "the list says so" <(cli list --json runs) \
    '.traces[] | select(.name == "table.db").problem | contains("holds no notes")'
rm runs/table.db.notes.json
cmp kept.json runs/run2.db.notes.json || fail "a refusal changed notes"
code=0
(ulimit -f 1 && trap '' XFSZ && cli info --set "long=$(printf '%03000d' 1)" runs/run2.db) \
    >/dev/null 2>full.err || code=$?
[ "$code" -eq 1 ] || fail "a full disk: exit code $code"
cmp kept.json runs/run2.db.notes.json || fail "a full disk took the notes"

# Two at once, and many: nothing is lost.
for i in 1 2 3 4; do
    (for j in 1 2 3 4 5; do
        cli info --set "key$i-$j=$i" runs/table.db >/dev/null || echo "no $i $j"
    done) >"writer-$i" 2>&1 &
done
wait
cat writer-* >writers
[ ! -s writers ] || fail "writers: $(cat writers)"
same "all that was set" 20 "$(jq '.metadata | length' runs/table.db.notes.json)"

# A hostile folder: each of these is passed over or a row, and nothing waits.
mkdir -p hostile/deep/deeper hostile/closed hostile/kept
cp runs/run2.db hostile/deep/deeper/run.db
cp runs/run2.db hostile/good.db
head -c 5000 runs/run2.db >hostile/cut.db
: >hostile/empty.db
head -c 3000 "$sample" >hostile/cut.trace.zst
sqlite3 hostile/foreign.sqlite 'CREATE TABLE a(b)'
mkfifo hostile/pipe.db hostile/deep/pipe.json hostile/kept/pipe.json hostile/kept/metadata \
    hostile/good.db.notes.json
ln -s ../.. hostile/deep/round
ln -s . hostile/itself
ln -s nothing hostile/dangling.db
ln -s good.db hostile/alias.db
printf x >hostile/closed/run.db
cp runs/run2.db "hostile/$(printf 'esc\033]0;PWNED\007.db')"
cp runs/run2.db "$(printf 'hostile/bytes\377.db')"
printf hidden >hostile/.hidden.db
cp runs/run2.db hostile/run.db.partial-00000001
code=0
timeout 60 "$OCELOTL_CLI" list --recursive --json hostile >hostile.json || code=$?
[ "$code" -eq 0 ] || fail "a hostile folder: exit code $code"
same "traces that are whole" 'alias.db bytes�.db cut.trace.zst deep/deeper/run.db esc]0;PWNED.db' \
    "$(jq -r '[.traces[] | select(.problem == null).name] | join(" ")' hostile.json |
        tr -d '\033\007')"
holds "what is wrong" hostile.json '
    (.traces[] | select(.name == "cut.db") | .kind == "trace.db" and
        (.problem | contains("damaged")))
    and (.traces[] | select(.name == "empty.db").problem | contains("is empty"))
    and (.traces[] | select(.name == "good.db").problem |
        contains("good.db.notes.json: cannot be opened"))
    and ([.traces[].name] | index("foreign.sqlite") == null and index("pipe.db") == null)'
holds "one row each" hostile.json '[.traces[].name] | unique | length == length'
cli list hostile >hostile.txt
! grep -q $'\033' hostile.txt || fail "a terminal is sent an escape"
holds "files that are no traces" <(cli list --others --json hostile) \
    '.traces[] | select(.name == "foreign.sqlite").problem | contains("not a trace.db")'
timeout 60 "$OCELOTL_CLI" list hostile/kept >/dev/null || fail "a pipe in a folder below"
code=0
timeout 20 "$OCELOTL_CLI" info --set a=b hostile/pipe.db 2>pipe.err >/dev/null || code=$?
[ "$code" -eq 1 ] || fail "notes on a pipe: exit code $code: $(cat pipe.err)"

# What cannot be read is a row with what is wrong, if this user may not read everything.
chmod 000 hostile/closed hostile/cut.db
if ! ls hostile/closed >/dev/null 2>&1; then
    holds "what is closed" <(cli list --recursive --json hostile) '
        (.traces[] | select(.name == "closed").problem | contains("Permission denied"))
        and (.traces[] | select(.name == "cut.db").problem | contains("Permission denied"))'
fi
chmod 755 hostile/closed hostile/cut.db

# Thousands of files.
mkdir many
(cd many && seq -f 'note %g' 3000 | split -l 1 -a 4 -d - note- &&
    for i in $(seq 300); do ln ../runs/table.db "run$i.db"; done)
timeout 120 "$OCELOTL_CLI" list --json many >many.json || fail "many files"
same "many" '300 3000 run300.db' \
    "$(jq -r '"\(.traces | length) \(.others) \(.traces | last.name)"' many.json)"

# Folders that are traces.
if [ -d "$OCELOTL_ROOT/../shared/traces/otf2" ]; then
    archive=$(find "$OCELOTL_ROOT/../shared/traces/otf2" -name '*.otf2' | sort | sed -n 1p)
    if [ -n "$archive" ]; then
        mkdir archives && cp -r "$(dirname "$archive")" archives/archive
        cli list --json archives >archives.json
        same "an archive" 'archive trace otf2' \
            "$(jq -r '.traces[] | "\(.name) \(.kind) \(.format)"' archives.json)"
        cli info --set a=b archives/archive/ >/dev/null
        same "notes beside the folder" '{"a":"b"}' "$(jq -c .metadata archives/archive.notes.json)"
        same "of the folder" '{"a":"b"}' "$(cli list --json archives | jq -c '.traces[0].metadata')"
    fi
fi

# The output is this program's own, and is replaced.
for suffix in json csv txt; do
    cli list runs -o own.$suffix && cli list runs -o own.$suffix || fail "own.$suffix of list"
    cli info runs/run2.db runs/table.db -o several-own.$suffix &&
        cli info runs/run2.db runs/table.db -o several-own.$suffix || fail "several, as $suffix"
done

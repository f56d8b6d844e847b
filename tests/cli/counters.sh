# Kinds of variables: what is stored of counters and increments, with wraps and resets, against a
# literal computation; who keeps the kind; and that it is content.
need jq python3
null=0 # what jq counts where nothing was warned of
cat >make.py <<'END'
"""Paje traces of random counters, and what is to be in the trace.db."""
import random, sys
seed, kind, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
chance = random.Random(seed)
out = open(path, "w")
for number, (name, fields) in enumerate([
        ("DefineContainerType", "Alias Type Name"), ("DefineVariableType", "Alias Type Name"),
        ("CreateContainer", "Time Alias Type Container Name"),
        ("SetVariable", "Time Type Container Value"), ("DestroyContainer", "Time Type Name")]):
    out.write("%%EventDef Paje%s %d\n" % (name, number))
    for field in fields.split():
        word = "date" if field == "Time" else "double" if field == "Value" else "string"
        out.write("%% %s %s\n" % (field, word))
    out.write("%EndEventDef\n")
out.write("0 T 0 Thread\n1 C T count\n1 D T other\n2 0 a T 0 a\n2 0 b T 0 b\n")
bits = chance.choice([32, 40, 48])
true = {"a": chance.randrange(1 << bits), "b": 0}
raw, said, wrapped, reset = {}, {"a": [], "b": []}, 0, 0
time = 0
for step in range(300):
    time += chance.randrange(3)
    name = chance.choice("ab")
    if kind == "increment":
        value = chance.randrange(-3, 1000)
        reset += value < 0
        if not said[name]:
            said[name].append((0, 0))
        said[name].append((time, said[name][-1][1] + max(value, 0)))
    else:
        before = raw.get(name)
        if name == "b" and before is not None and chance.random() < 0.1:
            value = before // 3
        elif name == "a":
            true["a"] += chance.randrange(1 << bits - 2)
            value = true["a"] % (1 << bits)
        else:
            value = (before or 0) + chance.randrange(1000)
        top = max([value] + [v for v in raw.setdefault(name + "s", [])] + [0])
        raw[name + "s"].append(value)
        width = next(w for w in (32, 40, 48, 64) if top < 1 << w)
        if before is None:
            total = value
        elif value >= before:
            total = said[name][-1][1] + value - before
        elif before - value > 1 << width - 1:
            total = said[name][-1][1] + value - before + (1 << width)
            wrapped += 1
        else:
            total = said[name][-1][1] + value
            reset += 1
        raw[name] = value
        said[name].append((time, total))
    out.write("3 %d C %s %d\n3 %d D %s %d\n" % (time, name, value, time, name, value))
out.write("4 %d T a\n4 %d T b\n" % (time + 5, time + 5))
for name in "ab":
    last = {}
    for at, total in said[name]:
        last[at] = total
    for at, total in last.items():
        print("%s %d %d" % (name, at, total))
print("oddities %d %d" % (wrapped, reset))
END
for seed in 1 2 3 4 5 6; do
    for kind in counter increment; do
        python3 make.py $seed $kind random.trace >wanted.txt
        quiet random.trace --$kind 'Thread:cou*' -o random.db
        python3 "$OCELOTL_ROOT/tests/independent_reader.py" random.db >read.txt
        { awk -F', ' '$3 == "count" && $4 < $5 {print $2, int($4), substr($7, 1, length($7) - 7)}' \
            read.txt | sort
            printf 'oddities %d %d\n' "$(($(warned random.db wrapped)))" \
                "$(($(warned random.db reset) + $(warned random.db 'below 0')))"; } >got.txt
        sort wanted.txt | diff - <(sort got.txt) >diff.txt ||
            fail "$kind $seed: $(head -n 5 diff.txt)"
        cli info random.db >said.txt
        has said.txt 'counter "count": ' 'variable "other": '
    done
done
holds "the kind in JSON" <(cli info --json random.db) \
    '[.event_types[] | .kind] == ["counter", null]'

# A pattern of nothing is named; a level has another uid than a counter of the same numbers.
refused 1 'no variable is called "nothing", which is to be a counter, expected "count", "other"' \
    import random.trace --increment nothing -o no.db
[ ! -e no.db ] || fail "a trace.db in spite of an unknown counter"
printf 'resource,type,value,begin,end\na,n,1,0,\na,n,5,2,\na,n,9,4,\na,s,run,0,4\n' >table.csv
quiet table.csv -o level.db
quiet table.csv --counter n -o counter.db
[ "$(uid level.db)" != "$(uid counter.db)" ] || fail "the kind is no content"

# Copies keep it: what is derived (as salvaged), a series of one resource alone; sums do not.
cli correct --cost run=0 counter.db -o derived.db >/dev/null 2>correct.err ||
    fail "derived: $(cat correct.err)"
same "the uid of what is derived" "$(uid counter.db)" "$(uid derived.db)"
cli series --variable n counter.db -o series.db >/dev/null 2>&1 || fail "a series"
says series.db 'counter "n": 2'
cli series --variable count random.db -o sums.db >/dev/null 2>&1 || fail "a sum of counters"
says sums.db 'variable "count": '
cli export counter.db >out.csv 2>lost.err || fail "export"
has lost.err 'kinds of variables'

# Both cannot be; sums have an end, too.
refused 1 'the values of "n" are to accumulate (counter) and to be added (increment)' \
    import table.csv --counter n --increment n -o no.db
printf 'resource,type,value,time\na,n,9e279,0\na,n,9e279,1\n' >large.csv
refused 1 'the counter "n" of "a" adds up to 1.8e+280, expected up to 1e+280' \
    import large.csv --increment n -o no.db
printf 'resource,type,value,time\na,n,1,0\na,n,five,1\n' >text.csv
refused 1 'text.csv:3: value is "five", expected a finite number (up to 1.8e308) of a counter' \
    import text.csv --counter n -o no.db

# What is read around damage keeps the kind and the sums behind it: what was lost between two
# readings is in the next one.
if command -v sqlite3 >/dev/null; then
    python3 -c 'print("resource,type,value,time")
for step in range(5000):
    print(f"a,n,{step % 7 + 1},{step}")' >long.csv
    quiet long.csv --increment n -o long.db
    [ "$(sqlite3 long.db 'SELECT count(*) FROM chunk')" -ge 4 ] || fail "a counter of few chunks"
    sqlite3 long.db 'UPDATE chunk SET events = zeroblob(10) WHERE rowid = 2'
    refused 1 'is damaged' --metric counter --from 1000 --to 1500 long.db -o no.svg
    cli info --lenient long.db >said.txt 2>&1 || fail "damaged counters: $(cat said.txt)"
    has said.txt 'counter "n": ' 'damaged chunks' 'records of n at a'
    for slices in 1 2; do
        cli export --lenient --format matrix --metric counter --slices $slices long.db 2>/dev/null |
            awk -F, 'NR > 1 {sum += $4} END {printf "%.0f\n", sum}' >sum.txt
        same "growth around damage" "$(awk -F, 'NR > 2 {sum += $3} END {print sum}' long.csv)" \
            "$(cat sum.txt)"
    done
fi

# brief fits any number of bytes: its grammar, its parts beside those of `parts`, what is refused.
need python3
example
cat >check.py <<'END'
import json, os, re, subprocess, sys
def cli(*words):
    return subprocess.run([os.environ["OCELOTL_CLI"], *words], check=True, capture_output=True).stdout
def read(text):
    """The grammar of docs/brief.md: head, level, sentences, and for each part place, time, types."""
    lines = text.split("\n")
    assert lines.pop() == ""
    p, count, lost = re.fullmatch(r"--p (\S+): (\d+) parts?, ((?:< )?\S+) % of the variation is "
                                  "inside them", lines[1]).groups()
    begin = next(i for i, line in enumerate(lines) if line.startswith("part\tplace\t"))
    parts, at, names = [], [], {}
    for line in lines[begin + 1:]:
        fields = line.split("\t")
        if len(fields) == 1:
            at = [] if line.startswith("/") else at
            for step in filter(None, line.split("/")):
                at = at[:-1] if step == ".." else [*at, step]
            continue
        number, place, time, *types = fields
        assert int(number) == len(parts)
        if place == "(whole)":
            place = ""
        elif place == '"':
            place = parts[-1][0]
        else:
            place = "/".join([*at, place])
        for i, one in enumerate(types):
            made = re.fullmatch(r"(\*\d+)=(.*) (\S+)", one)
            if made:
                names[made[1]] = made[2]
                types[i] = f"{made[2]} {made[3]}"
            elif one.startswith("*"):
                types[i] = one.replace(one.split()[0], names[one.split()[0]])
        parts.append((place, time, types))
    assert len(parts) == int(count)
    return p, lost, parts, lines[begin].split("\t")[2]
before = 0
inside = ["--resource", "nancy/griffon"], ["--p", "auto", "--part", "5"]
for size, ways in (200, [[], *inside]), (700, [[]]), (3000, [[], *inside]), (20000, [[]]):
    for more in ways:
        text = cli("brief", "--slices", "60", *more, "--bytes", str(size), "trace.db")
        assert len(text) <= size, (size, len(text))
        p, lost, parts, unit = read(text.decode())
        if not more:
            assert len(parts) > before
            before = len(parts)
        listed = json.loads(cli("parts", "--slices", "60", "--json", *more, "--p", p, "trace.db"))
        assert len(listed["parts"]) == len(parts), (size, more, len(listed["parts"]), len(parts))
        scale = {"s": 1, "ms": 1e3}[unit]
        for (place, time, types), one in zip(parts, listed["parts"]):
            assert place == one["node"]
            if time != "all":
                begin, end = map(float, time.split(".."))
                width = one["end"] - one["begin"]
                assert abs(begin - one["begin"] * scale) < 0.1 * width * scale
                assert abs(end - one["end"] * scale) < 0.1 * width * scale
            name = types[0].rsplit(" ", 1)[0]
            assert name == (one["state"] or "-"), (types, one["state"])
assert before > 100
END
python3 check.py || fail "brief and parts differ"

# More bytes never give a coarser level, and the next finer one does not fit: sentences take what
# the level leaves. The digits of p may differ.
cat >levels.py <<'END'
import json, os, subprocess, sys
def cli(*words):
    return subprocess.run([os.environ["OCELOTL_CLI"], *words, *sys.argv[1:]], check=True,
                          capture_output=True, text=True).stdout
def brief(*words):
    """The description, its length without sentences, and its parts."""
    text = cli("brief", *words)
    head, parts = text.split("\npart\t")
    first, second, *said = head.split("\n")
    return len(text.encode()), len(f"{first}\n{second}\npart\t{parts}".encode()), parts, said
levels = [brief("--bytes", "1000000", "--p", repr(one["p"]))
          for one in json.loads(cli("sweep", "--all", "--json"))["levels"][:-9:-1]]
at = {parts: level for level, (_, _, parts, _) in enumerate(levels)}
before = all_said = 0
for size in sorted({bare + more for _, bare, _, _ in levels[:-1] for more in (6, 300)}):
    length, bare, parts, said = brief("--bytes", str(size))
    level = at.get(parts, len(levels))
    assert length <= size, size
    assert level >= before, f"{size} bytes give level {level}, fewer give {before}"
    assert level + 1 >= len(levels) or levels[level + 1][1] + 6 > size, (size, level)
    before = level
    all_said += len(said)
assert all_said > 0 or "--kind" in sys.argv
END
python3 levels.py --slices 20 trace.db || fail "levels"
python3 levels.py --slices 50 --kind temporal trace.db || fail "temporal levels"
if [ -e "$shared/pajeng-simu-mardi.trace" ]; then
    quiet "$shared/pajeng-simu-mardi.trace" -o mardi.db
    python3 levels.py --slices 20 mardi.db || fail "levels of another trace"
fi

cli brief trace.db >two.txt
[ "$(stat -c %s two.txt)" -le 2000 ] || fail "more than 2000 bytes"
has two.txt 'smpi-stencil-96: 0 s to 289 ms, 96 leaves'
same "threads" "$(cat two.txt)" "$(cli brief --threads 1 trace.db)"
cli brief --bytes 100000 --parts 20 trace.db 2>/dev/null >some.txt
like some.txt '^--p [0-9.]+: 8 parts, ' '^1\. griffon-sw2 of griffon \(20 of 96 '
refused 1 '--bytes is 162, expected at least 163, which the trace as one part takes' \
    brief --bytes 162 trace.db
refused 2 '--bytes is 0, expected at least 1' brief --bytes 0 trace.db

# Names that are long, or that a terminal would obey; a matrix; a trace without states.
printf 'path,type,slice,value\na/x,%s,0,1\na/x,%s,1,2\na/y,t2,0,1\nb\t,t2,1,4\n' \
    'a type with a long name indeed'{,} >m.csv
cli brief m.csv >m.txt
like m.txt '^a/$' '^0	x	0\.\.0	\*1=a type with a long name indeed 100%$' '^1	"	1\.\.1	\*1 100%$' \
    '^/$' '^[0-9]	b\\t	1\.\.1	t2 100%$|^[0-9]	"	1\.\.1	t2 100%$' '^[0-9]	b\\t	'
printf 'resource,category,type,value,begin,end\na,variable,v,1,0,\na,variable,v,2,9,\n' >v.csv
cli brief v.csv >v.txt 2>/dev/null
like v.txt ', 1 leaf$'
like v.txt '^0	\(whole\)	all	v 1$'

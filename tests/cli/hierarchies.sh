# hierarchies: the ranking, against the lists of all levels of each hierarchy; the hierarchy by
# role, against one that a script writes.
need python3

example

# Four hosts of two racks run the same three programs; one host has another.
python3 - >roles.csv <<'END'
import random
random.seed(3)
print("resource,type,value,begin,end")
for host in range(4):
    for name in ("web", "worker-1", "worker-2") + (("rare-7",) if host == 2 else ()):
        for begin in range(20):
            plan = (name[:3] == "web") == (begin % 5 < 2)
            busy = "busy" if plan or random.random() < 0.2 else "idle"
            print(f"rack{host % 2}/host{host}/{name},state,{busy},{begin},{begin + 1}")
END
cli import roles.csv -o roles.db >/dev/null 2>&1
{ echo resource,path && for host in 0 1 2 3; do
    place=rack$((host % 2))/host$host
    echo "$place/web,web/$place"
    for name in worker-1 worker-2; do echo "$place/$name,worker/$name/$place"; done
    [ $host != 2 ] || echo "$place/rare-7,rare/rare-7"
done; } >by-role.csv

cat >check.py <<'END'
import json, os, re, subprocess

def call(*words):
    return json.loads(subprocess.run([os.environ["OCELOTL_CLI"], *words], capture_output=True,
                                     text=True, check=True).stdout)

def check_text(found, words):
    """The table, which takes fewer solves, has the losses and the order of the JSON."""
    head, *rows = subprocess.run([os.environ["OCELOTL_CLI"], "hierarchies", *words],
                                 capture_output=True, text=True, check=True).stdout.split("\n")
    numbers = [int(number.strip("*")) for number in head.split()[1:-1]]
    for row, line in zip(found["hierarchies"], rows):
        words = line.split()
        assert (int(words[0]), words[-1]) == (row["rank"], row["hierarchy"]), (line, row)
        losses = re.findall(r"(< )?([0-9.]+) %", line)
        assert len(losses) == len(numbers), line
        for number, (less, loss) in zip(numbers, losses):
            best = [point["loss"] for point in row["points"] if point["parts"] <= number][-1]
            away = 100 * best / row["whole_loss"] - float(loss)
            assert away < 0 if less else abs(away) < 0.0051, (number, line)

def stairs_of(levels):
    """The fewest parts for each loss that no fewer parts have."""
    stairs, lowest = [], 9e99
    for parts, loss in sorted((level["parts"], level["loss"]) for level in levels):
        if loss < lowest:
            lowest = loss
            stairs.append((parts, loss))
    return stairs

def check(trace, plain, own):
    """All levels of each hierarchy, one after the other, and the least loss among them."""
    known = {}
    for exact in (["--all"], []):
        found = call("hierarchies", "--json", *exact, *plain, *own, trace)
        ranked = []
        for row in found["hierarchies"]:
            name = row["hierarchy"]
            if name not in known:
                words = [] if name == "default" else ["--hierarchy", name]
                known[name] = call("sweep", "--all", "--json", *plain, *words, trace)["levels"]
            levels = known[name]
            least = min((level for level in levels if level["parts"] <= found["ranked_at"]),
                        key=lambda level: level["loss"])
            ranked.append(least["loss"])
            got = [row["ranked"][key] for key in ("loss", "gain", "parts")]
            assert got == [least[key] for key in ("loss", "gain", "parts")], (plain, got, least)
            assert abs(row["whole_loss"] - levels[-1]["loss"]) < 1e-9 * levels[-1]["loss"], name
            if exact:
                got = [(point["parts"], point["loss"]) for point in row["points"]]
                assert got == stairs_of(levels), name
        check_text(found, [*exact, *plain, *own, trace])
        assert ranked == sorted(ranked), (plain, ranked)
        assert [row["rank"] for row in found["hierarchies"]] == \
            [1 + sum(other < loss for other in ranked) for loss in ranked], ranked
        if "--parts" not in own:
            assert found["ranked_at"] == len(call("--json", *plain, trace)["parts"]), plain

check("trace.db", ["--slices", "8"], [])
check("trace.db", ["--slices", "6", "--resource", "nancy/griffon"], ["--parts", "40"])
check("roles.db", ["--slices", "20"], ["--candidates", "by-role.csv"])
found = {row["hierarchy"]: row["ranked"] for row in
         call("hierarchies", "--slices", "20", "--json", "--candidates", "by-role.csv", "roles.db")
         ["hierarchies"]}
assert found["role"] == found["by-role.csv"]
assert found["role"]["loss"] < found["trace"]["loss"]
END
python3 check.py || fail "the ranking is another one than that of all levels"

# By role is what the file says, part by part.
for p in 0 0.2 0.5 0.8; do
    cli --json --slices 20 --p $p --hierarchy role roles.db >role.json
    cli --json --slices 20 --p $p --hierarchy by-role.csv roles.db >file.json
    cmp -s role.json file.json || fail "by role at $p: $(diff role.json file.json | head -c 400)"
done
# A resource with states of its own has another of its name below it; numbers are no names.
printf '%s\n' resource,type,value,begin,end h/a,state,x,0,5 h/a/a,state,y,0,5 h/b/a,state,x,5,9 \
    k,state,x,0,9 8/7,state,x,0,3 9/7,state,x,0,3 >twins.csv
cli --json --slices 3 --p 0 --hierarchy role twins.csv >twins.json 2>/dev/null ||
    fail "twins: $(cli --json --hierarchy role twins.csv 2>&1 | head -c 300)"
cli --json --slices 3 --p 1 --hierarchy role twins.csv 2>/dev/null >whole.json
same "leaves by role" 6 "$(jq '[.parts[].leaves] | add' whole.json)"

cli hierarchies --slices 12 trace.db >table.txt
same "rows of the table" 4 "$(grep -cE '  (default|trace|auto|role)$' table.txt)"
cli hierarchies --slices 12 --csv trace.db >all.csv
same "the header" rank,hierarchy,parts,p,gain,loss "$(head -1 all.csv)"
cli hierarchies --slices 12 trace.db -o ranks.svg
same "curves" 4 "$(grep -c '<title>\(default\|trace\|auto\|role\)</title>' ranks.svg)"
cli --again ranks.svg -o again.svg
cmp -s <(grep -v '<command>' ranks.svg) <(grep -v '<command>' again.svg) || fail "--again"

printf 'path,type,slice,value\na,x,0,1\n' >matrix.csv
refused 1 'is a microscopic model, expected a trace' hierarchies matrix.csv
refused 1 'none.csv: ' hierarchies --candidates none.csv trace.db
printf 'resource,path\n' >short.csv
refused 1 'short.csv: does not say where leaf' hierarchies --candidates short.csv trace.db
refused 2 '--parts is 0, expected' hierarchies --parts 0 trace.db

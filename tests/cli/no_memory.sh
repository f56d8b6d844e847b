# Each single memory request of the program, and of SQLite within it, fails once. The exit code is 0
# only with the complete answer, no signal ends the program, the message gives the reason, no file
# is half-written, and the cache stays correct. OCELOTL_TEST_EVERY=1 fails every request, not a
# sample.
need python3
# Memory fails in the program that is linked for it.
failing=$OCELOTL_BUILD/tests/ocelotl-failing
[ -x "$failing" ] || { echo "skipped: $failing is missing" && exit 77; }
export OCELOTL_CLI=$failing OMP_NUM_THREADS=1
# With OCELOTL_TEST_LEAKS=1 the leak sanitizer, if built in, finds what failing requests leave. The
# exit code of the sanitizers is one that nothing else has.
export ASAN_OPTIONS=exitcode=99:detect_leaks=${OCELOTL_TEST_LEAKS:-0}

cat >no_memory.py <<'END'
import ctf_maker, json, os, paje, pathlib, random, re, shlex, shutil, subprocess, sys

every = int(os.environ.get("OCELOTL_TEST_EVERY", "37"))
only = os.environ.get("OCELOTL_TEST_ONLY", "")
cli = os.environ["OCELOTL_CLI"]
random.seed(3)
with open("run.trace", "w") as file:
    print(paje.head("DefineContainerType DefineStateType DefineVariableType DefineEventType DefineLinkType CreateContainer",
                    "DestroyContainer PushState+line PopState SetState SetVariable NewEvent StartLink+size EndLink"), file=file)
    print("0 H 0 host\n0 P H proc\n1 S P state\n2 V H load\n3 E P mark\n4 L 0 P P link", file=file)
    for host in range(2):
        print(f"5 0 h{host} H 0 host{host}", file=file)
        for proc in range(3):
            print(f"5 0 p{host}{proc} P h{host} proc{proc}", file=file)
    for time in range(1, 30):
        for host in range(2):
            print(f"10 {time} V h{host} {random.randrange(9)}", file=file)
            for proc in range(3):
                name = f"p{host}{proc}"
                state = random.choice(["run", "wait", "a long name of a state"])
                print(f'7 {time} S {name} "{state}" {time}', file=file)
                print(f"8 {time}.5 S {name}", file=file)
        print(f"11 {time}.6 E p00 tick\n12 {time}.6 L 0 data p00 k{time} 100\n13 {time}.8 L 0 data p12 k{time}", file=file)
for folder, version in (("tsdl", 1), ("fragments", 2)):
    trace = ctf_maker.Trace(folder, env={"domain": "ust"}, context=[("vtid", "i32"), ("procname", "text")], version=version)
    trace.event("work_begin", [("data", "bytes"), ("where", "pair")])
    trace.event("work_end", [("colour", "colour")])
    with trace.stream(0) as stream:
        stream.packet([(1, "work_begin", dict(data=b"ab", where=(1, 2)), dict(vtid=2, procname="p")),
                       (2, "work_end", dict(colour=1), dict(vtid=2, procname="q"))])
with open("recorded", "w") as file:
    file.write("v 10400 3\nX run\ns 4 work\ni 1 0 1\nt 1 0\na 10 1\n+ 0\nc a\n- 0\nR 1f\n")
with open("calls.json", "w") as file:
    json.dump([{"ph": "X", "name": name, "pid": 1, "ts": ts, "dur": 1, "args": {"size": 9, "ptr": 16}}
               for name, ts in (("malloc", 0), ("free", 3))], file)
with open("matrix.csv", "w") as file:
    print("path,type,slice,value", file=file)
    for path in ("a/x", "a/y", "b/x", "b/y"):
        for slice_ in range(6):
            print(f"{path},run,{slice_},{random.random()}\n{path},wait,{slice_},{random.random()}", file=file)

COMMANDS = """run.db -o out.svg
run.db -o out.png
run.db -o out.pdf
run.db -o out.json
--slices 12 run.db -o out.html
--view stacked run.db -o out.svg
--view mode --metric event-count run.db -o out.svg
--view histogram run.db -o out.svg
--view amplitude --metric variable-mean run.db -o out.svg
--metric variable-max --json run.db
--hierarchy auto --view mode run.db -o out.svg
--expand host0/proc0 run.db -o out.svg
--part 0 --p 0.2 run.db -o out.svg
--type-tree kernel --type-level auto --slices 6 run.db -o out.svg
--again again.svg --p 0.4 -o out.svg
matrix.csv -o out.svg
--json matrix.csv
sweep run.db
sweep --json run.db
sweep -o out.svg run.db
snapshot --slices 6 run.db -o out.zip --force
snapshot --slices 6 run.db out
--again kept.zip --p 0.4 -o out.svg
--again again.svg --move 100% -o out.svg
--type-tree tree.txt --type-level 1 --slices 6 --json run.db
--texture loss --slices 6 run.db -o out.svg
hierarchies --slices 6 --json run.db
hierarchies --slices 6 run.db -o out.svg
hierarchies --slices 6 --candidates paths.csv --csv run.db
parts run.db
parts --json --sort loss run.db
stats run.db
stats --json --where line>3 run.db
stats run.db -o out.svg
gantt run.db -o out.svg
gantt run.db run.db -o out.svg
gantt --json run.db
gantt --only run --from 20% run.db -o out.png
treemap run.db -o out.svg
series run.db
series --json --at host run.db
series run.db -o out.svg
matrix run.db
matrix --at host --json run.db
matrix --cell bytes run.db -o out.svg
matrix --csv run.db -o out.csv
matrix --hierarchy auto --cell violations run.db
causality run.db
causality --json run.db
causality --csv --collective wait=barrier run.db
causality run.db -o out.db
clocks --groups apart run.db
correct --cost wait=1ms --bounds run.db
correct --json --what-if 'host0: compute*2' --transit 1us+1ns*B --collective wait=barrier run.db
correct --cost-attribute line --model rendezvous run.db -o out.db
clocks --json --groups apart --drift pieces=2 run.db
clocks --csv --groups apart --evidence messages run.db
clocks --groups apart --amortise --latency 1ms run.db -o out.db
clocks --groups apart --at proc run.db -o out.svg
series --in-flight rate --side pair run.db
compare --to 50% --from2 50% run.db run.db
compare --json run.db run.db
compare --to 50% --from2 50% run.db run.db -o out.svg
check --slices 9 run.db run.db --junit out.xml
check --slices 9 --json run.db run.db run.db
export run.db
export --json run.db
export --format pjdump run.db -o out.txt
export --part 0 run.db
export --format paje run.db -o out.trace
export --format chrome --with-parts --slices 6 run.db -o out.json
export --format picl run.db
export --format matrix --slices 6 run.db -o out.csv
sql run.db 'SELECT value, sum(duration) FROM events GROUP BY value'
sql --json run.db 'SELECT * FROM events WHERE duration > 0.1'
import --force run.trace -o out.db
import --force tsdl -o out.db
import --force fragments -o out.db
import --force recorded -o out.db
import --shards 2 run.trace -o out
merge --force run.ocelotl -o out.db
sql run.ocelotl 'SELECT count(*) FROM events'
--slices 12 run.ocelotl -o out.svg
verify run.ocelotl
stats --lenient broken.ocelotl
heap --json --alive-at 2us --from 1us calls.json
heap calls.json -o out.db
info run.db
info --json run.trace
info --no-cache run.trace
info --no-cache in.csv
info --no-cache in.json
info --no-cache in.txt
info --no-cache in.picl
verify run.db
verify --json run.db
info run.db run.db
info --set a=b run.db
list traces
list --where 'events > 1' --json traces
list --recursive --others --sort size --csv traces
defaults
cache
formats
help
gantt --help all
series --in-flight slowdown --only-above 2 run.db""".split("\n")

failures = cases = 0

def fail(*what):
    global failures
    failures += 1
    if failures <= 200:
        print("FAILED:", *what, file=sys.stderr)

def run(words, **environment):
    return subprocess.run([cli, *words], capture_output=True, stdin=subprocess.DEVNULL, check=False,
                          env={**os.environ, "OCELOTL_TEST_COUNT": "count", **environment})

def prepare():
    """What is there before each: no target, and what is kept of a sweep."""
    for name in ("out.svg", "out.png", "out.pdf", "out.json", "out.html", "out.csv", "out.txt", "out.trace",
                 "out.db", "out.zip"):
        if os.path.exists(name):
            os.remove(name)
    shutil.rmtree("out", ignore_errors=True)
    shutil.rmtree("cache", ignore_errors=True)
    if os.path.exists("kept"):
        shutil.copytree("kept", "cache")

def answer(words, done):
    """What the program says; of a trace.db, which has an identity of its own, what is in it."""
    target = words[words.index("-o") + 1] if "-o" in words else None
    if os.path.isdir("out"):
        return done.stdout, [(entry.name, open(entry, "rb").read()) for entry in sorted(pathlib.Path("out").iterdir())]
    if words[0] == "cache":  # whose sizes, times and thus order are the system's
        return sorted(re.sub(rb"\d[^/]*", b"", line) for line in done.stdout.splitlines()), None
    if target is None or not os.path.exists(target):
        return done.stdout, None
    if target == "out.db":
        return done.stdout, subprocess.run([cli, "export", target], capture_output=True, check=True).stdout
    with open(target, "rb") as file:
        return done.stdout, re.sub(rb"/CreationDate.*", b"", file.read())

def check(words, request):
    global cases
    cases += 1
    prepare()
    done = run(words, OCELOTL_TEST_FAIL=str(request))
    got = answer(words, done)
    # A trace that was imported is in its place, whatever memory lacks to say of it.
    named = words[0] in ("import", "merge") and got[0] in (b"out.db\n", b"out\n") and b"out of memory" in done.stderr
    if done.returncode == 0 and got != ((got[0], expected[1]) if named else expected):
        fail(words, request, "exit code 0 with another answer:", done.stderr[:200], got[0], expected[0])
    if done.returncode not in (0, 1, 3):
        fail(words, request, "exit code", done.returncode, done.stderr[-1500:].decode(errors="replace"))
    if done.returncode != 0 and got[1] is not None:
        fail(words, request, "replaced its target, with exit code", done.returncode, done.stderr[:300])
    if done.returncode in (1, 3) and b"out of memory" not in done.stderr and b"Cannot allocate memory" not in done.stderr:
        fail(words, request, "no word of memory:", done.stderr[:300])
    if b"(null)" in done.stderr + done.stdout:
        fail(words, request, "(null):", done.stderr[:300])
    for folder, _, names in os.walk("."):
        if any(".partial-" in name or "uncached" in name for name in [folder, *names]):
            fail(words, request, "left", folder, names)
            shutil.rmtree("tmp")
            os.mkdir("tmp")
    if done.returncode == 0 and "--no-cache" in words:
        return
    # What it has kept does not mislead the next.
    if os.path.exists("cache") and (got := answer(words, run(words))) != expected and words[0] != "cache":
        fail(words, request, "the next one has another answer")

os.mkdir("tmp")
os.environ["TMPDIR"] = os.path.abspath("tmp")
assert run(["import", "run.trace", "-o", "run.db"]).returncode == 0
for name in ("run.ocelotl", "broken.ocelotl"):
    assert run(["import", "--shards", "3", "run.db", "-o", name]).returncode == 0
os.remove("broken.ocelotl/1.db")
assert run(["--to", "50%", "run.db", "-o", "again.svg"]).returncode == 0
assert run(["snapshot", "--slices", "6", "run.db", "-o", "kept.zip"]).returncode == 0
for wanted, name in (("csv", "in.csv"), ("chrome", "in.json"), ("pjdump", "in.txt"), ("picl", "in.picl")):
    assert run(["export", "--format", wanted, "run.db", "-o", name]).returncode == 0
os.makedirs(os.environ["XDG_CONFIG_HOME"] + "/ocelotl")
with open(os.environ["XDG_CONFIG_HOME"] + "/ocelotl/defaults", "w") as file:
    print("[parts]\nslices = 12\np = 0.5\n[treemap]\np = 0.5\nlevel = 1", file=file)
with open("tree.txt", "w") as file:
    print("busy\n  run\nidle\n  wait", file=file)
os.makedirs("traces/below")
for name in ("run.db", "run.trace", "in.csv", "tree.txt"):
    shutil.copy(name, "traces/below" if name == "in.csv" else "traces")
with open("paths.csv", "w") as file:
    print("resource,path", file=file)
    for host in range(2):
        for proc in range(3):
            print(f"host{host}/proc{proc},proc{proc}/host{host}", file=file)
for command in COMMANDS:
    if only not in command:
        continue
    words = shlex.split(command)
    if words[0] == "cache":
        prepare()
        run(["info", "run.trace"])
        shutil.copytree("cache", "kept")
    prepare()
    done = run(words)
    expected = answer(words, done)
    with open("count", encoding="ascii") as file:
        count = int(file.read())
    if done.returncode != 0:
        fail(words, "exit code", done.returncode, done.stderr[:300])
    before = failures
    last = range(max(count - 4, 0), count)  # what is printed
    for request in sorted({*range(random.randrange(every), count, every), *last}):
        check(words, request)
    shutil.rmtree("kept", ignore_errors=True)
    if every == 1 or failures > before:
        print(f"{command}: {count} requests, {failures - before} failures", flush=True)
print(f"{cases} requests failed")
sys.exit(failures > 0)
END
python3 no_memory.py || fail "no memory"

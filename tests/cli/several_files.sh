# A trace in several files equals the same trace in one file: files that it names, and files that
# are given together.
need python3 jq gzip zstd

# Imports, and ignores reports of oddities.

# split.py: one run of four ranks as one file (whole.trace), as a main file that names the others
# (main.trace and sub/), and as files of their own: rank0.trace .. with containers below the root,
# and their merger by hand, below a node for each file (nodes.trace) and by path (merged.trace).
cat >split.py <<'END_OF_PYTHON'
import os, paje, random
random.seed(3)
HEAD = paje.head("DefineContainerType DefineStateType DefineLinkType DefineVariableType DefineEntityValue CreateContainer",
                 "DestroyContainer PushState PopState SetVariable StartLink EndLink TraceFile").split("\n")
TYPES = ["0 H 0 Host", "0 R H Rank", "1 S R State", "2 L 0 R R Message", "3 V R Load", "4 c S compute", "4 w S wait"]
RANKS = range(4)
HOSTS = [f"5 0 h{h} H 0 host{h}" for h in range(2)]
MADE = [f"5 0 r{r} R h{r // 2} rank{r}" for r in RANKS]

def events(rank):
    """(time, line) of a rank, all times of the run being different from each other."""
    time, depth = 0, 0
    for i in range(300):
        time += random.randrange(1, 50)
        stamp = f"{time * 4 + rank}e-3"
        what = random.random()
        if what < .4 or depth == 0:
            depth += 1
            yield time * 4 + rank, f"7 {stamp} S r{rank} {random.choice('cw')}"
        elif what < .8:
            depth -= 1
            yield time * 4 + rank, f"8 {stamp} S r{rank}"
        else:
            yield time * 4 + rank, f"9 {stamp} V r{rank} {i}"

runs = {rank: list(events(rank)) for rank in RANKS}
for key in range(40):  # messages between ranks of one host and of two
    source, target = random.sample(RANKS, 2)
    time = random.randrange(1, 5000)
    runs[source].append((time * 4 + source, f"10 {time * 4 + source}e-3 L 0 m r{source} {key}"))
    runs[target].append((time * 4 + 400 + target, f"11 {time * 4 + 400 + target}e-3 L 0 m r{target} {key}"))
for run in runs.values():
    run.sort(key=lambda event: event[0])

def write(path, *parts):
    with open(path, "w") as file:
        file.writelines(line + "\n" for part in parts for line in part)

def merge(lists):
    return [line for _, line in sorted((event for run in lists for event in run), key=lambda event: event[0])]

write("whole.trace", HEAD, TYPES, HOSTS, MADE, merge(runs.values()))
os.makedirs("sub/deep")
NAMES = ["sub/r0.trace", "sub/deep/r1", "r2.trace.gz", "r3.trace.zst"]
write("main.trace", HEAD, TYPES, HOSTS, MADE, [f"12 r{r} R {NAMES[r]}" for r in RANKS])
# With a header of its own, without one, and with types again.
write("sub/r0.trace", HEAD, [line for _, line in runs[0]])
write("sub/deep/r1", [line for _, line in runs[1]])
write("r2.trace", HEAD, TYPES, [line for _, line in runs[2]])
write("r3.trace", [line for _, line in runs[3]])
# A field of the containers that names their files.
write("fields.trace", [line.replace("%EventDef PajeCreateContainer 5", "%EventDef PajeCreateContainer 5\n% Filename string") for line in HEAD],
      TYPES, [line.replace("5 0", '5 "" 0', 1) for line in HOSTS], [f"5 {NAMES[r]} " + MADE[r][2:] for r in RANKS])
# A file a rank, each with its own aliases: those of others mean something else there.
for rank in RANKS:
    here = [HOSTS[rank // 2].replace(f"h{rank // 2}", "a", 1), f"5 0 b R a rank{rank}"]
    write(f"rank{rank}.trace", HEAD, TYPES, here, [line.replace(f"r{rank}", "b") for _, line in runs[rank]])
write("merged.trace", HEAD, TYPES, *[[HOSTS[r // 2]] * (r % 2 == 0) + [MADE[r]] for r in RANKS], merge(runs.values()))
NODES = ["0 F 0 File", "0 H F Host"] + TYPES[1:3] + ["2 L F R R Message"] + TYPES[4:]
below = [line for r in RANKS for line in (f"5 0 f{r} F 0 rank{r}", f"5 0 h{r} H f{r} host{r // 2}", f"5 0 r{r} R h{r} rank{r}")]
inside = [[(t, line.replace(" L 0 m", f" L f{r} m")) for t, line in runs[r]] for r in RANKS]
write("nodes.trace", HEAD, NODES, below, merge(inside))
END_OF_PYTHON
python3 split.py
gzip -n r2.trace
zstd -q --rm r3.trace

# What a trace holds, whatever it comes from: names, and all events.
content() {
    cli info --json "$1" | jq -S 'del(.uid, .source, .path, .name, .warnings, .format, .importer)'
    cli export "$1"
}

# alike WHAT EXPECTED.db GOT.db
alike() {
    content "$2" >expected.txt
    content "$3" >got.txt
    cmp -s expected.txt got.txt || fail "$1: $(diff expected.txt got.txt | head -5 || true)"
    same "$1: uid" "$(cli info --json "$2" | jq -r .uid)" "$(cli info --json "$3" | jq -r .uid)"
}

check_named() {
    quiet whole.trace -o whole.db
    cli import main.trace -o main.db >/dev/null 2>main.err || fail "main: $(cat main.err)"
    alike "files that a trace names" whole.db main.db
    quiet fields.trace -o fields.db
    alike "files that containers name" whole.db fields.db
    # Named twice, by itself, by one another: each file is read once.
    { cat main.trace && echo "12 r0 R sub/r0.trace" && echo "12 0 0 twice.trace"; } >twice.trace
    quiet twice.trace -o twice.db
    alike "files named twice" whole.db twice.db
    (cd sub && quiet ../main.trace -o ../away.db)
    alike "from another folder" whole.db away.db
}

check_given() {
    quiet rank0.trace rank1.trace rank2.trace rank3.trace -o given.db
    quiet nodes.trace -o nodes.db
    alike "a node for each file" nodes.db given.db
    same "its name" "rank0 and 3 more" "$(cli info --json given.db | jq -r .name)"
    quiet --same-root rank0.trace rank1.trace rank2.trace rank3.trace -o given.db
    quiet merged.trace -o merged.db
    alike "merged by path" merged.db given.db
    # The order of the files numbers what is in them, and changes nothing else.
    quiet --same-root rank3.trace rank1.trace rank0.trace rank2.trace -o other.db
    cli export given.db | sort >given.csv
    cli export other.db | sort >other.csv
    cmp given.csv other.csv || fail "another order of the files, other events"
    mkdir -p x y
    cp rank0.trace x/run.trace
    cp rank1.trace y/run.trace
    quiet x/run.trace y/run.trace -o given.db
    cli export given.db >names.csv
    has names.csv 'x%2Frun/host0/rank0'
    cli import --json --name both x/run.trace y/run.trace -o given.db --force >given.json
    holds "the name given" given.json '.name == "both"'
}

# Whatever the threads do, the bytes are the same.
check_again() {
    quiet rank0.trace rank1.trace rank2.trace rank3.trace -o one.db
    quiet main.trace -o named.db
    for _ in 1 2 3 4 5; do
        quiet rank0.trace rank1.trace rank2.trace rank3.trace -o again.db
        cmp one.db again.db || fail "another run, other bytes"
        taskset -c 0 "$OCELOTL_CLI" import main.trace -o again.db --force >/dev/null 2>&1
        cmp named.db again.db || fail "on one core, other bytes"
    done
}

check_input() {
    quiet - rank1.trace --same-root -o in.db <rank0.trace
    quiet rank0.trace rank1.trace --same-root -o files.db
    alike "one of them from standard input" files.db in.db
    gzip -nk rank1.trace
    zstd -qk rank0.trace
    quiet rank0.trace.zst rank1.trace.gz --same-root -o packed.db
    alike "compressed" files.db packed.db
    refused 1 'standard input:'"$(grep -c '' main.trace | awk '{ print $1 - 3 }')"': the trace goes on in the file "sub/r0.trace", which is not in or below its own folder' \
        import - -o no.db <main.trace
    quiet - sub/r0.trace sub/deep/r1 r2.trace.gz r3.trace.zst --same-root --format paje -o in.db \
        --force <main.trace
    alike "the named files given with standard input" whole.db in.db
}

check_refused() {
    mkdir -p in/below out
    grep -v '^12' main.trace >in/main.trace
    cp sub/r0.trace out/r0.trace
    cp sub/r0.trace in/below/r0.trace
    ln -s ../out in/away
    ln -s below/r0.trace in/near.trace
    local line name
    line=$(($(wc -l <in/main.trace) + 1))
    for name in "$PWD/out/r0.trace" ../out/r0.trace below/../../out/r0.trace away/r0.trace /etc/passwd; do
        { cat in/main.trace && echo "12 r0 R $name"; } >in/bad.trace
        refused 1 "in/bad.trace:$line: the trace goes on in the file \"$name\", which is not in or below its own folder, expected one that is, or that is given on the command line, too" \
            import in/bad.trace -o no.db
        cli import --lenient in/bad.trace -o bad.db --force >/dev/null 2>&1 || fail "lenient: $name"
        cli info bad.db | grep -F "in/bad.trace:$line" >/dev/null ||
            fail "$name is skipped in silence"
    done
    { cat in/main.trace && echo "12 r0 R nothing.trace"; } >in/bad.trace
    refused 1 "in/bad.trace:$line: the trace goes on in the file \"nothing.trace\", which cannot be opened: No such file" import in/bad.trace -o no.db
    { cat in/main.trace && echo "12 r0 R below"; } >in/bad.trace
    refused 1 "in/bad.trace:$line: the trace goes on in the file \"below\", which cannot be opened: it is no regular file" import in/bad.trace -o no.db
    { cat in/main.trace && echo "12 nobody R below/r0.trace"; } >in/bad.trace
    refused 1 "in/bad.trace:$line: unknown container \"nobody\"" import in/bad.trace -o no.db
    # By a link that stays inside, and from anywhere, if it is given.
    { cat in/main.trace && echo "12 r0 R near.trace"; } >in/good.trace
    quiet in/good.trace -o near.db
    { cat in/main.trace && echo "12 r0 R ../out/r0.trace"; } >in/good.trace
    quiet in/good.trace out/r0.trace --same-root -o given.db
    alike "a file elsewhere that is given" near.db given.db
    refused 1 'expected it to be given after this one' import out/r0.trace in/good.trace -o no.db
    refused 1 'rank0.trace: is given twice' import rank0.trace ./rank0.trace -o no.db
    refused 1 'whole.db: is a trace.db already' import rank0.trace whole.db -o no.db
    refused 2 'no TRACE given' import -o no.db
    refused 1 'nothing.trace: cannot open' import rank0.trace nothing.trace -o no.db
}

# An error names the file that it is in, and its line there.
check_broken() {
    mkdir -p broken
    cp -r main.trace sub r2.trace.gz r3.trace.zst broken
    sed -i '5s/.*/8 0.1 S nobody/' broken/sub/deep/r1
    refused 1 'broken/sub/deep/r1:5: unknown container "nobody"' import broken/main.trace -o no.db
    quiet --lenient broken/main.trace -o lenient.db
    cli info lenient.db | grep -F 'broken/sub/deep/r1:5' >/dev/null ||
        fail "the place of a skipped line"
    zstd -dcq r3.trace.zst >r3.whole
    head -c 3000 r3.whole | zstd -qc >r3.cut
    head -c -10 r3.cut >broken/r3.trace.zst
    cp sub/deep/r1 broken/sub/deep/r1
    refused 1 'broken/r3.trace.zst' import broken/main.trace -o no.db
    cli import --lenient broken/main.trace -o lenient.db --force >/dev/null 2>lenient.err ||
        fail "lenient: $(cat lenient.err)"
    has lenient.err 'rest of the trace'
    : >broken/r3.trace.zst
    cli import broken/main.trace -o empty.db >/dev/null 2>&1 || fail "an empty file"
    cli info empty.db | grep 'file without events' >/dev/null || fail "an empty file is not said"
}

# What is imported into the cache is imported again when any of its files has changed.
check_cache() {
    mkdir -p cached
    cp -r main.trace sub r2.trace.gz r3.trace.zst cached
    cli info --json cached/main.trace >one.json 2>one.err
    cli info --json cached/main.trace >two.json 2>two.err
    has two.err 'was imported before'
    cmp one.json two.json
    head -n -20 sub/r0.trace >cached/sub/r0.trace
    cli info --json cached/main.trace >three.json 2>three.err
    lacks three.err 'was imported before'
    [ "$(jq .events one.json)" -gt "$(jq .events three.json)" ] ||
        fail "the change is not in the answer"
    cli info --json cached/main.trace >four.json 2>four.err
    has four.err 'was imported before'
    rm cached/sub/r0.trace
    refused 1 'the trace goes on in the file "sub/r0.trace", which cannot be opened' info cached/main.trace
}

check_named
check_given
check_again
check_input
check_refused
check_broken
check_cache
# --- info lists the files of a trace that comes from several, and none of one

printf 'a.trace\nb.trace\n' >wanted
for name in a b; do cp rank0.trace "$name.trace"; done
quiet a.trace b.trace -o listed.db
cli info listed.db >listed.info
awk '/^[a-z]/ { on = /^files / } on { print $NF }' listed.info | sed 's|.*/||' >listed
same "files of two" "$(cat wanted)" "$(cat listed)"
cli info --json listed.db >listed.json
same "files in JSON" "$(cat wanted)" "$(jq -r '.source.files[] | sub(".*/"; "")' listed.json)"
quiet a.trace -o single.db
same "files of one" 0 "$(cli info single.db | grep -c '^files' || true)"
cli info --json single.db >single.json
holds "files of one" single.json '.source.files == []'

# A folder, and clocks: times of Paje are of one.
mkdir -p many
for number in 0 1; do
    { paje_definitions SetState && printf '%s\n' '0 P 0 proc' '1 S P state' '2 0 a P 0 p' \
        "3 $number S a run" '3 5 S a wait'; } >many/rank$number.trace
done
echo "no trace" >many/notes.txt
cli import many -o many.db >/dev/null 2>&1 || fail "a folder of Paje is not read"
same "files of a folder" "rank0 rank1" "$(cli sql --csv many.db \
    "SELECT name FROM resources WHERE type = 'File'" | tail -n +2 | tr '\n' ' ' | sed 's/ $//')"
refused 1 "many/rank0.trace: files of the format paje do not say when they were recorded" \
    import --align clock many/rank0.trace many/rank1.trace -o clock.db
cli import --align none many/rank0.trace many/rank1.trace -o clock.db >/dev/null 2>&1 ||
    fail "--align none of Paje"
for number in 0 1; do
    echo "{\"baseTimeNanoseconds\":170000000${number}000000000,\"traceEvents\":[{\"ph\":\"X\",
        \"pid\":1,\"tid\":1,\"ts\":1.5,\"dur\":2,\"name\":\"a\"}]}" >many/$number.json
done
cli import many/0.json many/1.json -o clock.db --force >/dev/null
cli info clock.db >info.txt
grep -qF "aligned    0: by its clock, +0.000000000 s" info.txt &&
    grep -qF "           1: by its clock, +1.000000000 s" info.txt ||
    fail "how files are aligned is not said: $(head -8 info.txt)"
cli info --json clock.db | jq -e '.source.aligned | length == 2' >/dev/null || fail "nor in JSON"
cli export --format chrome many/1.json >base.json 2>said
has base.json '"baseTimeNanoseconds":1700000001000000000'
mkdir mixed
cp many/0.json many/1.json mixed
printf 'resource,type,value,begin,end\na,S,run,0,1\n' >mixed/table.csv
refused 1 "mixed: holds traces of chrome (0.json) and of csv (table.csv), expected one format; name" \
    import mixed -o mixed.db
cli import mixed/*.json -o mixed.db >/dev/null 2>&1 || fail "the files of one of its formats"

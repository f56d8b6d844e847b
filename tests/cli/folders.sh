# A folder is one trace of one format, however deep its files lie: what else looks like a trace in
# it is named, whatever the formats are, and `list` says the same of it as an import.
need jq python3

formats="paje csv firefox jfr spark paraver speedscope chrome gstreamer perf ftrace trace_dat picl swf ctf numa_maps heaptrack perf_stat spans nsys rocpd perfetto xplane"
has_otf2=no
if reads otf2; then
    formats="$formats otf2"
    has_otf2=yes
fi

# What there is of each format in the folder of its name, and a file of it that is enough to be one.
paje_definitions SetState >definitions.trace
python3 - <<'END'
import ctf_maker, os, perfetto, subprocess, sys, trace_dat, xplane
PAJE = open("definitions.trace").read() + """0 P 0 proc
1 S P state
2 0 a P 0 p
3 1 S a run
3 5 S a wait
"""
FILES = {
    "paje/rank.trace": PAJE,
    "csv/rank.csv": "resource,type,value,begin,end\na,S,run,0,1\n",
    "paraver/rank.prv": "#Paraver ():9_ns:1(1):1:1(1:1)\n1:1:1:1:1:5:9:1\n",
    "chrome/rank.json": '[{"ph":"X","name":"run","pid":1,"tid":1,"ts":0,"dur":5}]\n',
    "speedscope/rank.speedscope.json": '{"shared":{"frames":[{"name":"run"}]},"profiles":'
    '[{"type":"sampled","name":"p","unit":"seconds","samples":[[0]],"weights":[5]}]}\n',
    "gstreamer/rank.log": "0:00:01.000000001 100 0x2192200 INFO GST_INIT gst.c:1:init: text\n",
    "picl/rank.picl": "-3 -901 0 0 0 0\n-3 1 1 0 0 0\n-4 1 2 0 0 0\n",
    "spark/rank.eventlog": '{"Event":"SparkListenerTaskEnd","Task Info":{"Launch Time":1,'
    '"Executor ID":"1","Finish Time":5}}\n',
    "jfr/rank.jfr.json": '{"recording":{"events":[{"type":"jdk.ThreadSleep","values":{"startTime":'
    '"2024-09-17T19:51:05Z","duration":"PT1S","eventThread":{"javaName":"main"}}}]}}',
    "firefox/rank.profile.json": '{"meta":{"interval":1,"processType":0,"version":24},"threads":[{"name":"m","tid":1,"samples":'
    '{"time":[1,2],"stack":[0,null]},"stackTable":{"prefix":[null],"frame":[0]},"frameTable":{"func":[0]},'
    '"funcTable":{"name":[0]},"stringArray":["a"]}]}',
    "swf/rank.swf": "1 0 5 60 8 -1 -1 8 120 -1 1 4 1 2 1 -1 -1 -1\n",
    "perf_stat/rank.stat": "0.05,run-7,5,,cycles,100,100.00,,\n0.1,run-7,6,,cycles,100,100.00,,\n",
    "heaptrack/rank.heap": "v 10400 3\nX run\ns 4 work\ni 1 0 1\nt 1 0\na 10 1\n+ 0\nc a\n- 0\n",
    "spans/rank.json": '[{"traceId":"1","id":"2","name":"get","timestamp":9,"duration":5,'
    '"localEndpoint":{"serviceName":"web"}}]\n',
    "numa_maps/rank.pages": "@ 1 7 run\n00400000 default N0=3\n@ 2 7 run\n00400000 default N1=3\n",
    "ftrace/rank.txt": "run-1 [000] 1.000000: mark: 1\n",
    "perf/rank.txt": "run 1 [000] 1.000000: cpu-clock: 1 main (run)\n",
}
for path, text in FILES.items():
    os.makedirs(os.path.dirname(path))
    with open(path, "w") as file:
        file.write(text)
for kind in "nsys", "rocpd":
    os.makedirs(kind)
    subprocess.run([sys.executable, os.environ["OCELOTL_ROOT"] + "/tests/gpu_databases.py", "make", kind,
                    f"{kind}/rank.sqlite", "1"], check=True)
for kind, made in ("perfetto", perfetto.make(3, False)), ("xplane", xplane.make(3)), \
        ("trace_dat", trace_dat.make(3)):
    os.makedirs(kind)
    suffix = {"perfetto": "pftrace", "xplane": "xplane.pb", "trace_dat": "dat"}[kind]
    with open(f"{kind}/rank.{suffix}", "wb") as file:
        file.write(made)
os.makedirs("ctf")
trace = ctf_maker.Trace("ctf/session", env={"domain": "ust"})
trace.event("note", [("number", "u8")])
with trace.stream(cpu=0) as stream:
    stream.packet([(time, "note", {"number": time}) for time in (1, 2, 3)])
END
if [ "$has_otf2" = yes ]; then
    mkdir otf2 && cp -r "$OCELOTL_ROOT/tests/data/otf2/whole" otf2/archive
fi

# The part of a trace that is the same wherever it comes from.
counts() {
    cli info --json "$1" >counts.json
    jq -cS '[.events, .duration, .source.records]' counts.json
    jq -cS .event_types counts.json | cksum
}
# left DATABASE: what its warnings say of the folder, one a line.
left() {
    cli info --json "$1" | jq -r '.warnings[] | select(.kind | contains("of the folder") or
        contains("in the folder")) | "\(.count) \(.kind): \(.detail // .first // .place)"'
}
# agree FOLDER FORMAT: list and import take a folder for a trace of that format; "": for none.
agree() {
    rm -rf shelf && mkdir shelf && cp -r "$1" shelf/one
    cli list --json shelf >list.json
    if [ -n "$2" ]; then
        quiet "$1" -o agree.db
        found=$(cli info --json agree.db | jq -r .format)
        listed=$(jq -r '.traces[] | "\(.format) \(.problem)"' list.json)
        same "$1: import and list" "$2 $2 null" "$found $listed"
    else
        code=0
        cli import --force "$1" -o agree.db >/dev/null 2>agree.err || code=$?
        same "$1: exit code" 1 "$code"
        holds "$1: the list says what is wrong" list.json \
            '(.traces | length) == 1 and (.traces[0].problem | type == "string")'
        cli list --recursive --json shelf >list.json
        holds "$1: the list of all below is not empty" list.json '(.traces | length) > 0'
    fi
}

# --- One format of all pairs, and what is no trace

for format in $formats; do quiet "$format" -o "$format.db"; done
for format in $formats; do
    same "$format" "$format" "$(cli info --json "$format.db" | jq -r .format)"
    same "$format: nothing is left out" "" "$(left "$format.db")"
    cp -r "$format" "noted-$format"
    first=$(find "noted-$format" -type f | sort | sed -n 1p)
    for place in "noted-$format" "$(dirname "$first")"; do
        printf '# Notes\n\nA run of Monday.\n' >"$place/README.md"
        printf 'iteration 1 took 3 s\n' >"$place/stdout.out"
        : >"$place/empty"
        printf 'secret' >"$place/.hidden.trace"
        cp "$format.db" "$place/result.db"
        printf 'path,type,slice,value\na,b,0,1\n' >"$place/model.csv"
        printf '{"notes":[],"metadata":{}}' >"$place/run.notes.json"
        [ "$format" = perf ] || printf 'no trace\n' >"$place/notes.txt"
        [ "$format" = gstreamer ] || printf 'started\nstopped\n' >"$place/run.log"
        [ "$format" = chrome ] || printf '{"threads": 4}\n' >"$place/config.json"
    done
    quiet "noted-$format" -o noted.db
    same "$format: beside files that are no traces" "$(uid "$format.db") $(counts "$format.db")" \
        "$(uid noted.db) $(counts noted.db)"
    same "$format: nothing is said of these" "" "$(left noted.db)"
    agree "noted-$format" "$format"
done
# The mechanism is one for all: each format beside two others shows that it is asked.
for format in $formats; do
    for other in $formats; do [[ "$other" < "$format" ]] && echo "$format $other"; done || true
done | thin 6 >pairs
while read -r format other; do
    mixed=mixed-$format-$other
    cp -r "$format" "$mixed"
    mkdir "$mixed/zz" && cp -r "$other"/. "$mixed/zz"
    refused 1 "$format" import "$mixed" -o no.db
    has refused.err "$other" --lenient
    quiet --lenient "$mixed" -o mixed.db
    read_as=$(cli info --json mixed.db | jq -r .format)
    unread=$format
    [ "$read_as" != "$format" ] || unread=$other
    same "$mixed: what is read" "$(counts "$read_as.db")" "$(counts mixed.db)"
    left mixed.db >left.txt
    has left.txt "1 trace of another format in the folder (left out): first: " "($unread)"
    quiet --format "$format" "$mixed" -o mixed.db
    same "$mixed: as is asked for" "$format" "$(cli info --json mixed.db | jq -r .format)"
    rm -rf "$mixed"
done <pairs
cp -r csv mixed && cp -r paje/. mixed
agree mixed ""
refused 1 "mixed: holds traces of paje (rank.trace) and of csv (rank.csv), expected one format" \
    import mixed -o no.db
refused 1 "expected one format" info mixed
cli info --lenient mixed >mixed.txt 2>&1 || fail "lenient, through the cache: $(cat mixed.txt)"
rm -rf mixed

# --- Traces that cannot be read, beside others

cp -r paje some && : >some/rank1.trace
refused 1 "some/rank1.trace: is empty, expected a trace (--lenient leaves it out)" \
    import some -o no.db
agree some ""
quiet --lenient some -o some.db
same "an empty file" \
    "1 file of the folder that cannot be read as a trace (left out): first: some/rank1.trace: is empty, expected a trace" \
    "$(left some.db)"
same "beside it" "$(counts paje.db)" "$(counts some.db)"
printf 'no trace' >some/rank2.trace
refused 1 "some/rank1.trace: is empty, expected a trace (so are 1 more in some; --lenient" \
    import some -o no.db
cp -r chrome cut && : >cut/rank1.json && printf '{"threads": 4}\n' >cut/config.json
refused 1 "cut/rank1.json: is empty" import cut -o no.db
rm cut/rank1.json
quiet cut -o cut.db
same "named as the traces are" \
    "1 file of the folder that is named as its traces are and is none (left out): first: config.json" \
    "$(left cut.db)"
cp -r ctf streams && mkdir streams/killed && cp ctf/session/[!m]* streams/killed
refused 1 "streams/killed: holds a stream of a CTF trace (" import streams -o no.db
quiet --lenient streams -o streams.db
same "streams without metadata" "$(counts ctf.db)" "$(counts streams.db)"
left streams.db | grep 'streams/killed: holds a stream' >/dev/null || fail "they are not named"

if [ "$has_otf2" = yes ]; then
    mkdir runs && cp -r otf2/archive runs/good && cp -r otf2/archive runs/killed
    rm runs/killed/run.otf2
    refused 1 "runs/killed: holds parts of an OTF2 archive and no anchor (a file *.otf2)" \
        import runs -o no.db
    agree runs ""
    quiet --lenient runs -o runs.db
    same "the other archive" "$(counts otf2.db)" "$(counts runs.db)"
    left runs.db | grep '^1 .*runs/killed: holds parts of an OTF2' >/dev/null ||
        fail "an archive without its anchor is not named: $(left runs.db)"
    # Only the folder of its events is left of it.
    rm -rf runs/killed && cp -r otf2/archive/run runs/events
    refused 1 "runs/events: holds parts of an OTF2 archive and no anchor" import runs -o no.db
    rm -rf runs/events && printf 'x' >runs/bad.otf2
    refused 1 "runs/bad.otf2: is of no format that is known" import runs -o no.db
    refused 1 "run: is the folder of the events of an OTF2 archive, expected the anchor" \
        import otf2/archive/run -o no.db
    rm -rf runs
fi

# --- The same content twice, once compressed: it is read once, and a line says so

twice() { # FORMAT NAME SUFFIX PACKER...
    command -v "$4" >/dev/null || return 0
    rm -rf twice && cp -r "$1" twice && "${@:4}" <"$1/$2" >"twice/$2.$3"
    quiet twice -o twice.db
    same "$2 and $2.$3" "$(counts "$1.db")" "$(counts twice.db)"
    same "$2.$3 is said" "1 file of the folder with the content of another, which is compressed \
otherwise (read once): first: $2.$3, as $2" "$(left twice.db)"
}
twice paraver rank.prv gz gzip -c
twice paje rank.trace zst zstd -qc
twice chrome rank.json xz xz -c
twice gstreamer rank.log bz2 bzip2 -c
twice perf rank.txt gz gzip -c
twice picl rank.picl gz gzip -c
twice spark rank.eventlog gz gzip -c
twice jfr rank.jfr.json gz gzip -c
twice firefox rank.profile.json gz gzip -c
twice swf rank.swf gz gzip -c
twice numa_maps rank.pages gz gzip -c
twice heaptrack rank.heap zst zstd -qc
twice perf_stat rank.stat gz gzip -c
twice perfetto rank.pftrace gz gzip -c
twice xplane rank.xplane.pb gz gzip -c
twice trace_dat rank.dat gz gzip -c
twice csv rank.csv gz gzip -c
mv twice/rank.csv.gz twice/a.csv.gz && rm twice/rank.csv
printf 'resource,type,value,begin,end\n' >twice/a.csv
seq 30000 | awk '{ printf "a,S,run%s,%s,%s.5\n", $1 * 7919 % 10007, $1, $1 }' >>twice/a.csv
quiet twice -o twice.db
same "other content: both are read" "30001 1 file of the folder named as another, which is \
compressed otherwise and has other content (both are read): first: a.csv.gz, as a.csv" \
    "$(ask twice.db 'SELECT count(*) FROM events') $(left twice.db)"
gzip -c twice/a.csv >cut.gz && head -c 100000 cut.gz >twice/a.csv.gz
refused 1 "the compressed data ends too early" import twice -o no.db
quiet --lenient twice -o twice.db
same "a copy that is cut" "30000" "$(ask twice.db 'SELECT count(*) FROM events')"

# --- A folder of StarVZ: tables of pj_dump by kind, and such as are none of a trace

mkdir starvz
printf 'Parent, Name, Type, Nature\n0, 0, 0, Container\n0, cpu, W, Container\n' >starvz/entities.csv
printf 'Nature, ResourceId, Type, Start, End, Duration, Depth, Value\n%s\n' \
    'State, cpu, S, 0, 1, 1, 0, run' >starvz/paje.worker_state.csv
printf 'JobId,Dependent\n1,2\n' >starvz/dag.csv
printf 'Value,Color\nrun,red\n' >starvz/colors.csv
printf 'PAR1' >starvz/application.parquet
quiet starvz -o starvz.db
same "tables of other things" "1 2 file of the folder that is named as its traces are and is none \
(left out): first: colors.csv" "$(ask starvz.db 'SELECT count(*) FROM events') $(left starvz.db)"
printf 'Control,JobId,Name,Start,End,WorkerId\nx,1,run,0,1,cpu\n' >starvz/tasks.csv
refused 1 'starvz/tasks.csv:1: the header is "Control,JobId,Name,Start,End,WorkerId", expected' \
    import starvz -o no.db
has refused.err '(--lenient leaves it out)'
refused 1 'tasks.csv:1: the header is' import starvz/tasks.csv -o no.db
# A table for Ocelotl whose column of times is called otherwise is none of other things.
for header in resource,type,value,end rank,state,begn,end host,type,value,strat; do
    printf '%s\n1,2,3,4\n' "$header" >starvz/tasks.csv
    refused 1 "starvz/tasks.csv:1: the header is \"$header\", expected" import starvz -o no.db
done
for header in host,cpu,core,socket name,value,colour,shape node,value,unit; do
    printf '%s\n1,2,3,4\n' "$header" >starvz/tasks.csv
    quiet starvz -o starvz.db
    same "$header" "1 3 file of the folder that is named as its traces are and is none (left out): \
first: colors.csv" "$(ask starvz.db 'SELECT count(*) FROM events') $(left starvz.db)"
done
printf 'Control,JobId,Name,Start,End,WorkerId\nx,1,run,0,1,cpu\n' >starvz/tasks.csv
for options in "" "--format csv"; do
    quiet --lenient $options starvz -o starvz.db
    same "a table of tasks, $options" 1 "$(ask starvz.db 'SELECT count(*) FROM events')"
    cli info starvz.db | grep -F 'csv:1: the header is' >/dev/null || fail "not said: $options"
done

# --- Deep

# deep FORMAT OPTION FILE: a folder of two that lie two folders deep is the same as their list,
# without an option and with one.
deep() {
    local format=$1 option files
    mkdir -p "deep-$format/r1" "deep-$format/r2"
    cp -r "$format" "deep-$format/r1/archive"
    cp -r "$format" "deep-$format/r2/archive"
    files=("deep-$format/r1/archive/$3" "deep-$format/r2/archive/$3")
    for option in "" "$2"; do
        quiet $option "${files[@]}" -o list.db
        quiet $option "deep-$format" -o folder.db
        same "$format: deep, $option" "$(uid list.db) $(counts list.db)" \
            "$(uid folder.db) $(counts folder.db)"
        same "$format: $option is said" "$(cli info --json list.db | jq -c .source.aligned)" \
            "$(cli info --json folder.db | jq -c .source.aligned)"
    done
    same "$format: all files are named" "$(printf '%s\n' "${files[@]}")" \
        "$(cli info --json folder.db | jq -r --arg here "$(realpath .)/" \
            '.source.files[] | ltrimstr($here)')"
    agree "deep-$format" "$format"
    cli list --recursive --json "deep-$format" >list.json
    same "$format: list of all below" 2 "$(jq '.traces | length' list.json)"
}
deep paje --same-root rank.trace
deep csv "--align none" rank.csv
deep paraver "--align begin" rank.prv
deep chrome --same-root rank.json
deep speedscope "--align begin" rank.speedscope.json
deep gstreamer "--align none" rank.log
deep perf "--align begin" rank.txt
[ "$has_otf2" = no ] || deep otf2 --same-root archive/run.otf2
# All below a folder are one trace of CTF: domains and processes of a session.
mkdir -p sessions/kernel sessions/ust/uid/0
cp -r ctf/session sessions/kernel/one
cp -r ctf/session sessions/ust/uid/0/64-bit
sed -i 's/uuid = "[0-9a-f]/uuid = "f/' sessions/kernel/one/metadata
quiet sessions -o folder.db
quiet --same-root sessions/kernel/one/metadata sessions/ust/uid/0/64-bit/metadata -o list.db
same "deep ctf" "$(counts list.db)" "$(counts folder.db)"
agree sessions ctf
cp -r paje ranks && mkdir -p ranks/old && cp paje/rank.trace ranks/old/rank10.trace
cp paje/rank.trace ranks/rank2.trace && cp paje/rank.trace ranks/rank10.trace
quiet ranks -o ranks.db
same "the order: files, by numbers, then folders" "rank rank2 rank10 rank10" \
    "$(cli info --json ranks.db | jq -r '[.source.files[] | sub(".*/"; "") | sub(".trace"; "")] |
        join(" ")')"

# A trace that comes into a folder, or one that changes there, is seen by what was imported before.
cli info --json deep-paje >first.json 2>first.err
cli info --json deep-paje >again.json 2>again.err
has again.err 'was imported before'
cmp first.json again.json
cp paje/rank.trace deep-paje/r2/archive/more.trace
cli info --json deep-paje >more.json 2>more.err
same "a trace that came" 6 "$(jq .events more.json)"
cli info --json sessions >/dev/null 2>&1
cp ctf/session/metadata sessions/ust/uid/0/64-bit/metadata
cli info --json sessions >/dev/null 2>again.err
lacks again.err 'was imported before'

# --- Hostile

mkdir hostile && cp paje/rank.trace hostile
mkfifo hostile/pipe.trace
ln -s . hostile/here
ln -s .. hostile/up
ln -s here/here hostile/round
ln -s nothing.trace hostile/dangling.trace
ln -s rank.trace hostile/alias.trace
ln hostile/rank.trace hostile/hard.trace
code=0
timeout 20 "$OCELOTL_CLI" import hostile -o hostile.db --force >/dev/null 2>hostile.err || code=$?
same "loops, pipes and links: $(cat hostile.err)" 0 "$code"
same "each trace once" "$(counts paje.db)" "$(counts hostile.db)"
same "a link to elsewhere is said" \
    "1 link of the folder to another one (not followed): first: up" "$(left hostile.db)"
name=$(printf 'new\nline\033]0;X\007.csv')
cp csv/rank.csv "hostile/$name"
code=0
cli import hostile -o no.db >/dev/null 2>hostile.err || code=$?
same "a stray trace of an odd name" "1 1" "$code $(wc -l <hostile.err)"
! grep -q $'\033' hostile.err || fail "a terminal is sent an escape"
quiet --lenient hostile -o hostile.db
same "it is one line" 2 "$(cli info hostile.db | grep -c 'of the folder\|in the folder')"
cli info hostile.db >hostile.txt
! grep -q $'\033' hostile.txt || fail "info sends a terminal an escape"
rm "hostile/$name"
deepest=hostile
for number in $(seq 20); do deepest=$deepest/$number; done
mkdir -p "$deepest" && cp paje/rank.trace "$deepest"
refused 1 "lies more than 16 folders deep" import hostile -o no.db
quiet --lenient hostile -o hostile.db
same "too deep" "$(counts paje.db)" "$(counts hostile.db)"
rm -rf hostile/1
mkdir hostile/closed && cp csv/rank.csv hostile/closed && chmod 000 hostile/closed
if ! ls hostile/closed >/dev/null 2>&1; then
    refused 1 "hostile/closed: cannot be read: Permission denied (--lenient leaves it out)" \
        import hostile -o no.db
    quiet --lenient hostile -o hostile.db
    left hostile.db | grep 'hostile/closed: cannot be read' >/dev/null || fail "a closed folder"
fi
chmod 755 hostile/closed && rm -rf hostile/closed
mkdir nothing && refused 1 "nothing: is a directory, expected a file or a folder of traces" \
    import nothing -o no.db
cp paje.db nothing
refused 1 "nothing: is a directory, expected a file or a folder of traces" import nothing -o no.db

# Thousands of files beside one trace, and thousands of traces.
mkdir many && cp paje/rank.trace many
(cd many && seq -f 'note %g' 10000 | split -l 1 -a 5 -d - note-)
quiet many -o many.db
same "thousands of notes" "$(counts paje.db)" "$(counts many.db)"
for number in $(seq 300); do printf 'a,S,run,%s,%s\n' "$number" "$((number + 1))" |
    sed '1i resource,type,value,begin,end' >"csv/rank$number.csv"; done
quiet csv -o csv.db
same "hundreds of tables" 301 "$(ask csv.db "SELECT count(*) FROM events")"

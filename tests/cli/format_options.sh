# Options of import that only some formats take: each option with each format is taken or refused,
# as the pages of docs/formats say; of several traces one is enough; defaults give way.
need jq python3

# --- A small trace of each format
{
    paje_definitions SetState
    printf '%s\n' '0 P 0 P' '1 S P S' '2 0 a P 0 a' '3 1 S a x' '3 2 S a y'
} >paje
printf 'resource,type,value,begin,end\na,S,x,1,1.5\n' >csv
printf '#Paraver (01/02/2024 at 10:00):4000000000_ns:1(1):1:1(1:1)\n1:1:1:1:1:1:2:1\n' >paraver
echo '[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"x"}]' >chrome
echo '{"shared":{"frames":[{"name":"x"}]},"profiles":[{"type":"sampled","samples":[[0]],
"weights":[1],"name":"p"}]}' >speedscope
echo '0:00:01.000000000  100 0x2192200 INFO GST_INIT gst.c:584:init_pre: text' >gstreamer
printf 'run 1/1 [000] 1.000000: cpu-clock: 1 main (run)\n' >perf
printf 'run-1 [000] 1.000000: mark: x\n' >ftrace
echo '{"Event":"SparkListenerTaskEnd","Task Info":{"Launch Time":1,"Finish Time":5}}' >spark
echo '{"recording":{"events":[{"type":"jdk.ThreadSleep","values":{
"startTime":"2024-09-17T19:51:05Z","duration":"PT1S","eventThread":{"javaName":"main"}}}]}}' >jfr
echo '{"meta":{"interval":1,"processType":0,"version":24},"threads":[{"name":"m","tid":1,"samples":
{"time":[1,2],"stack":[0,null]},"stackTable":{"prefix":[null],"frame":[0]},
"frameTable":{"func":[0]},"funcTable":{"name":[0]},"stringArray":["a"]}]}' >firefox
echo '1 0 5 60 8 -1 -1 8 120 -1 1 4 1 2 1 -1 -1 -1' >swf
printf '%s\n' '@ 1 7 run' '00400000 default N0=3' '@ 2 7 run' '00400000 default N1=3' >numa_maps
printf '%s\n' '0.05,run-7,5,,cycles,100,100.00,,' '0.1,run-7,6,,cycles,100,100.00,,' >perf_stat
printf '%s\n' 'v 10400 3' 's 4 work' 'i 1 0 1' 't 1 0' 'a 10 1' 'c 1' '+ 0' 'c a' '- 0' >heaptrack
python3 "$OCELOTL_ROOT/tests/perfetto.py" make perfetto
python3 "$OCELOTL_ROOT/tests/xplane.py" make xplane
python3 "$OCELOTL_ROOT/tests/trace_dat.py" make trace_dat
python3 - <<'END' || fail "no trace was made"
from ctf_maker import Trace
trace = Trace("ctf", env={"domain": "ust"}, context=[("vpid", "i32"), ("vtid", "i32")])
trace.event("open", [])
trace.event("shut", [])
with trace.stream(cpu=0) as stream:
    stream.packet([(1000, "open", {}, dict(vpid=1, vtid=1)),
                   (2000, "shut", {}, dict(vpid=1, vtid=1))])
END
[ -d ctf ] || fail "no CTF"
echo '[{"traceId":"1","id":"2","name":"x","timestamp":9,"localEndpoint":{"serviceName":"a"}}]' >spans
for format in nsys rocpd; do
    python3 "$OCELOTL_ROOT/tests/gpu_databases.py" make $format $format 2
done
formats="paje csv firefox jfr spark paraver speedscope chrome gstreamer perf ftrace trace_dat swf numa_maps perf_stat heaptrack spans nsys rocpd perfetto xplane ctf"
if reads otf2; then
    cp -r "$OCELOTL_ROOT/tests/data/otf2/whole" otf2
    formats="$formats otf2"
fi

# --- Each option with each format
# taken WORDS FORMATS: the option is taken by these formats, and refused by all others.
taken() {
    local format option=${1%% *}
    for format in $formats; do
        case " $2 " in
        *" $format "*)
            cli import --force $1 "$format" -o t.db >/dev/null 2>said.txt ||
                fail "$1 of $format: $(cat said.txt)"
            cli info --no-cache $1 "$format" >/dev/null 2>said.txt ||
                fail "info $1 of $format: $(cat said.txt)"
            ;;
        *)
            refused 1 "$format: is of the format $format, which does not take $option" \
                import $1 "$format" -o no.db
            grep -q ", expected .*$(sed 's/ \([^ ]*\)$/@\1/; s/ /, /g; s/@/ or /' <<<"${3:-$2}")" \
                refused.err || fail "$1 of $format: $(cat refused.err)"
            refused 1 "$format: is of the format $format, which does not take $option" \
                info $1 "$format"
            ;;
        esac
    done
}
both='' && [ -d otf2 ] && both=otf2
taken "--by cpu" paraver
taken "--stacks" "perf"
taken "--collectives" chrome
taken "--pair open=shut" ctf
taken "--fold-names [0-9]" "spark chrome perf ftrace trace_dat ctf"
taken "--time-unit ms" "paje csv"
taken "--value function" gstreamer '.*'
[ -z "$both" ] || taken "--value role" otf2 '.*'
[ -z "$both" ] || refused 1 'does not take --value role, expected level or function' \
    import --value role gstreamer -o no.db
taken "--columns begin=begin" csv
# What an importer makes of other words is its own affair: these say what every format does.
for format in $formats; do
    cli import --force --by thread --align begin --same-root --threads 1 --lenient "$format" \
        -o t.db >/dev/null 2>said.txt || fail "options of all formats: $format: $(cat said.txt)"
done
refused 1 'standard input: is of the format paje, which does not take --pair' \
    info --pair a=b - <paje

# refused_late MESSAGE ARGUMENT...: as refused, after the traces were imported.
refused_late() {
    local message=$1
    shift
    cli "$@" >/dev/null 2>said.txt && fail "$*: no error"
    has said.txt "$message"
}

# --- Of several, one is enough; what is in the cache makes no difference
for pair in "paraver csv" "csv paraver"; do
    refused_late "have no type in common" compare --by cpu $pair
done
cli info --by cpu paje chrome paraver csv >/dev/null 2>said.txt || fail "info: $(cat said.txt)"
refused 1 'paje: is of the format paje, which does not take --stacks, expected a trace of the' \
    info --stacks paje chrome paraver
cli info paje >/dev/null 2>&1
refused 1 'which does not take --stacks' stats --stacks paje
cp paje one.trace
cp paje two.trace
refused 1 'one.trace: is of the format paje, which does not take --by' \
    import --by cpu one.trace two.trace -o no.db
mkdir folder && cp paje folder/one.trace && cp paje folder/two.trace
refused 1 'folder: is of the format paje, which does not take --by' import --by cpu folder -o no.db
refused 1 'folder: is of the format paje, which does not take --by' info --by cpu folder
cli import --force --format csv --columns a=b csv -o no.db >/dev/null 2>said.txt &&
    fail "no column b"
has said.txt 'has no column "b"'

# --- A default gives way, and is named; so it is in commands that import
mkdir -p "$XDG_CONFIG_HOME/ocelotl"
defaults=$XDG_CONFIG_HOME/ocelotl/defaults
printf 'pair = open=shut\nby = cpu\n' >"$defaults"
cli import --force paraver -o t.db >/dev/null 2>said.txt || fail "defaults: $(cat said.txt)"
same "one is left out" 1 "$(grep -c "$defaults:" said.txt)"
has said.txt "$defaults:1: --pair open=shut is left out: paraver: is of the format paraver"
same "the other is not" CPU "$(cli info --json t.db | jq -r '.resource_types[-2].name')"
for command in stats info "import -o t.db --force" "stats -" "import - -o t.db --force"; do
    case $command in *-*\ *t.db* | *" -") words=() ;; *) words=(paje) ;; esac
    case $command in "import -o"*) words=(paje) ;; esac
    cli $command "${words[@]}" <paje >/dev/null 2>said.txt || fail "$command: $(cat said.txt)"
    same "$command: both are left out" 2 \
        "$(grep -c "$defaults:[12]: --.* is left out: .*: is of the format paje" said.txt)"
done
same "the content" 2 "$(cli sql --csv t.db 'SELECT count(*) FROM events' | tail -n 1)"
cli info paraver paje >/dev/null 2>said.txt || fail "info of two: $(cat said.txt)"
same "one is enough" 1 "$(grep -c "$defaults:" said.txt)"
refused 1 'does not take --stacks' info --stacks --no-defaults paje

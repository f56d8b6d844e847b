# A run answers as the same trace in one file, to the byte; one that lacks a shard, or has that
# of another run, says which resources it has, and the rest can be read.
need python3 jq

mkdir whole split
# answers FOLDER: what commands say of its trace, which is called so in each.
answers() (
    cd "$1"
    cli info --json trace | jq -S 'del(.size, .bytes_per_event)'
    for words in 'parts --json' 'sweep --json --slices 20' 'stats --csv' 'matrix --csv' \
        'causality --json' 'export --format pjdump' 'export --csv' 'busiest --csv'; do
        cli $words --no-cache trace 2>&1 || echo "exit code $?"
    done
    cli sql --csv trace 'SELECT category, type, value, count(*), sum(duration), min(begin), max(end)
        FROM events GROUP BY 1, 2, 3'
    for words in '' gantt 'gantt --from 20% --to 40%' 'treemap' '--metric event-count'; do
        cli $words --no-cache --force trace -o picture.svg 2>&1 || echo "exit code $?"
        [ ! -e picture.svg ] || cat picture.svg && rm -f picture.svg
    done
)
sound() { same "$1" sound "$(cli verify "$1" | cut -d : -f 1)"; }

# splits TRACE N...: into so many shards, and one trace.db again.
splits() {
    local n trace=$1
    quiet $reading "$trace" -o whole/trace
    answers whole >whole.txt
    for n in "${@:2}"; do
        cli import --force $reading --shards "$n" "$trace" -o split/trace >/dev/null 2>import.err ||
            fail "$trace in $n: $(cat import.err)"
        [ ! -s import.err ] || like import.err '^ocelotl-cli: [0-9]+ shards?: something happens in'
        answers split >split.txt
        cmp -s whole.txt split.txt || fail "$trace in $n: $(diff whole.txt split.txt | head -n 5)"
        sound split/trace
        cli merge --force split/trace -o merged.db >/dev/null 2>&1
        same "the uid of $trace from $n" "$(uid whole/trace)" "$(uid merged.db)"
        same "the events of $trace from $n" "$(exported whole/trace)" "$(exported merged.db)"
        python3 - split/trace/*.db merged.db <<'END' || fail "$trace in $n: integrity"
import sqlite3, sys
for path in sys.argv[1:]:
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchall() == [("ok",)], path
END
    done
}
reading=
splits "$sample" 1 3 500
if [ -d "$shared" ]; then
    reading=--counter=*
    splits "$shared/pajeng-variables.trace" 2
    reading=
    splits "$shared/pajeng-categories.trace" 2 7
fi
if [ -d "$shared/../formats/otf2" ] && reads otf2; then
    tar -xf "$shared/../formats/otf2/pipit-ping-pong-otf2.tar.zst"
    splits "$(find . -name '*.otf2' | head -n 1)" 2
fi
python3 -c 'import paje
print(paje.head("DefineContainerType", "PushState") + "\n0 H 0 host")' >nothing.trace
splits nothing.trace 2
# A run of a run, and of standard input.
example
cli import --shards 3 trace.db -o run.ocelotl >/dev/null
cli import --shards 2 run.ocelotl/ -o other.ocelotl >/dev/null
cli import --shards 2 - -o piped.ocelotl/ <"$sample" >/dev/null
for run in run.ocelotl other.ocelotl piped.ocelotl; do
    same "the uid of $run" "$(uid trace.db)" "$(uid $run)"
done
same "shards" "0.db 1.db 2.db run.db" "$(ls run.ocelotl | line)"
same "the size" "$(cat run.ocelotl/*.db | wc -c)" "$(cli info --json run.ocelotl | jq .size)"

# It is listed as one, noted on, compared and served from the cache of answers.
same "list" "run run.ocelotl $(cat run.ocelotl/*.db | wc -c)" \
    "$(cli list --json . | jq -r '.traces[] | select(.name == "run.ocelotl") |
        "\(.kind) \(.name) \(.size)"')"
same "list itself" "run" "$(cli list --json run.ocelotl | jq -r '.traces[].kind')"
cli info --set a=b run.ocelotl >/dev/null
[ -e run.ocelotl.notes.json ] || fail "no notes beside the run"
has <(cli compare --slices 5 trace.db run.ocelotl) 'nothing has changed'
cli sweep --slices 9 run.ocelotl >first && cli sweep --slices 9 run.ocelotl | cmp - first
same "run.db opened alone is the run" "$(uid run.ocelotl)" "$(uid run.ocelotl/run.db)"

# A shard is a trace of its resources.
same "records of shards" "$(cli verify --json run.ocelotl | jq .records)" \
    "$(for i in 0 1 2; do cli verify --json run.ocelotl/$i.db; done | jq -s 'map(.records) | add')"
cli --slices 5 run.ocelotl/1.db -o shard.svg >/dev/null 2>&1 || fail "a shard alone"
says run.ocelotl/1.db ': shard 2 of 3'

# --- What is wrong

# lacks_shard MESSAGE: what is said of the first shard of broken.ocelotl, and what is left of it.
rest='it is the shard of 32 resources, "nancy/graphene/graphene-sw1/graphene-1/rank-0" to '
lacks_shard() {
    for words in 'stats' 'parts' 'sql' 'merge'; do
        refused 1 "broken.ocelotl/0.db: $1; $rest" $words broken.ocelotl \
            $([ $words != sql ] || echo 'SELECT(count(*))FROM(events)') \
            $([ $words != merge ] || echo '-o left.db')
        [ ! -e left.db ] || fail "$1: left a file"
    done
    ! cli verify broken.ocelotl >verified.txt 2>&1 || fail "$1 is sound"
    has verified.txt "broken.ocelotl/0.db: $1; $rest"
    cli merge --lenient --force broken.ocelotl -o rest.db >/dev/null 2>lenient.err
    has lenient.err "broken.ocelotl/0.db: $1; $rest"
    rm rest.db
    same "what $1 leaves" 64 "$(cli sql --csv --lenient broken.ocelotl "SELECT count(DISTINCT
        resource) FROM events WHERE category = 'state'" 2>/dev/null | tail -n 1)"
    same "what $1 leaves alive" 32 "$(cli sql --csv --lenient broken.ocelotl 'SELECT count(*)
        FROM resource WHERE "end" = begin' 2>/dev/null | tail -n 1)"
    cli --lenient --slices 9 broken.ocelotl -o lost.svg 2>/dev/null
    has lost.svg 'outside lifetime'
    has lost.svg "ranks): are not there, 0 s to 289 ms"
}
breaks() { rm -rf broken.ocelotl && cp -r run.ocelotl broken.ocelotl; }
breaks && rm broken.ocelotl/0.db
lacks_shard 'No such file or directory'
breaks && cp other.ocelotl/0.db broken.ocelotl/0.db
lacks_shard 'is of another run, or has been changed'
breaks && cp broken.ocelotl/1.db broken.ocelotl/0.db
lacks_shard 'is of another run, or has been changed'
breaks && echo nothing >broken.ocelotl/0.db
lacks_shard 'is not a trace.db'
breaks && : >broken.ocelotl/0.db
lacks_shard 'is empty, expected a trace.db'
changed() { python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as file: file.execute(sys.argv[2])' "$@"; }
breaks && changed broken.ocelotl/0.db 'PRAGMA user_version = 2'
lacks_shard 'is a trace.db of version 2, expected 3'
# What is not asked of it is answered.
breaks && rm broken.ocelotl/0.db
cli stats --resource nancy/griffon broken.ocelotl >/dev/null || fail "the other shards"
# A chunk, with the shard's name.
breaks && changed broken.ocelotl/2.db "UPDATE chunk SET events = x'00' WHERE rowid = 3"
refused 1 'broken.ocelotl/2.db: is damaged: chunk ' sql broken.ocelotl 'SELECT count(*) FROM events'
! cli verify broken.ocelotl >verified.txt 2>&1 || fail "a damaged chunk is sound"
has verified.txt '2.db: a chunk of events, '
cli stats --lenient broken.ocelotl >/dev/null 2>lenient.err
has lenient.err 'broken.ocelotl is damaged, read around: 2.db: a chunk of events, '
# Sums that are no sums.
breaks && changed broken.ocelotl/run.db 'UPDATE value SET count = count - 1 WHERE count > 0'
refused 1 'run.db: is damaged: the table value does not hold' info broken.ocelotl
# Of another run, damaged or lost.
breaks && cp other.ocelotl/run.db broken.ocelotl/run.db
refused 1 'broken.ocelotl/0.db: is of another run' stats broken.ocelotl
breaks && echo nothing >broken.ocelotl/run.db
refused 1 'broken.ocelotl/run.db: is not a trace.db' stats broken.ocelotl
refused 1 'broken.ocelotl/run.db: is not a trace.db' verify broken.ocelotl
rm broken.ocelotl/run.db
refused 1 'broken.ocelotl: is a directory without a run.db, expected' stats broken.ocelotl
same "a run without run.db in a list" run "$(cli list --json . | jq -r '.traces[] |
    select(.name == "broken.ocelotl") | .kind')"

# --- What is written, whole or not at all

refused 1 'run.ocelotl: exists already; use --force' import --shards 2 trace.db -o run.ocelotl
mkdir -p mine/below
refused 1 'mine: is a folder with below, and so no run' import --force --shards 2 trace.db -o mine
refused 1 'trace.db: is a file, expected the name of a folder' import --force --shards 2 "$sample" \
    -o trace.db
breaks && touch broken.ocelotl/notes.txt
refused 1 'is a folder with notes.txt, and so no run' import --force --shards 2 trace.db \
    -o broken.ocelotl
[ -e broken.ocelotl/notes.txt ] || fail "what is no part of a run went with it"
refused 1 'run.ocelotl: is a run already, which needs no import' import run.ocelotl -o new.db
refused 1 'none.trace: cannot open' import --shards 2 none.trace -o new.ocelotl
refused 2 '--shards is 0, expected at least 1' import --shards 0 trace.db -o new.ocelotl
refused 1 'run.ocelotl: is the trace itself' import --force --shards 2 run.ocelotl -o run.ocelotl
cli import --force --shards 2 trace.db -o other.ocelotl >/dev/null
same "a replaced run" "0.db 1.db run.db" "$(ls other.ocelotl | line)"
# What a killed one left goes with the next; a full disk leaves nothing.
mkdir new.ocelotl.partial-0123abcd && touch new.ocelotl.partial-0123abcd/{whole,0}.db
(ulimit -f 100 && ! cli import --shards 2 trace.db -o new.ocelotl) >/dev/null 2>full.err ||
    fail "a file that is too large"
has full.err 'cannot write'
! ls | grep -E '^new|partial' || fail "left"

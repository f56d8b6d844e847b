# A killed import or export, or one that fills the disk, leaves its target absent, whole or as it
# was. The next run removes its temporary files, also those of --no-cache. OCELOTL_TEST_ROUNDS=200
# kills more often.
need jq

rounds=${OCELOTL_TEST_ROUNDS:-8}
[ "$rounds" -le 200 ] || rounds=200
RANDOM=4

trace=$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst
zstd -dcq "$trace" >run.trace
bytes=$(stat -c %s run.trace)
before=$(date +%s%N)
cli import run.trace -o whole.db >/dev/null
taken=$((($(date +%s%N) - before) / 1000))
example old.db

# What a trace.db says of itself, wherever it is.
said() { cli info --json "$1" | jq -c 'del(.source, .size, .bytes_per_event, .name)'; }
whole=$(said whole.db)
old=$(said old.db)

# left WHAT: the target is absent, whole, or the old one, and beside it is nothing but what this run
# left.
left() {
    if [ -e target.db ]; then
        case $(said target.db 2>&1) in
        "$whole") ;;
        "$old") [ "$kept" = old ] || fail "$1: an old target out of nowhere" ;;
        *) fail "$1: the target is half-written: $(cli info target.db 2>&1 | head -3)" ;;
        esac
    elif [ "$kept" = old ]; then
        fail "$1: the old target is gone"
    fi
    [ "$(find . -name 'target.db?*' | wc -l)" -le 1 ] ||
        fail "$1: left $(find . -name 'target.db?*')"
}

# Killed after a number of bytes that it has been given, or after some time.
killed=0
for round in $(seq "$rounds"); do
    rm -f target.db
    kept=nothing
    if [ $((round % 4)) -lt 2 ]; then
        kept=old
        cp old.db target.db
    fi
    place=$((RANDOM * 32768 + RANDOM))
    if [ $((round % 2)) -eq 0 ]; then
        rm -f pipe
        mkfifo pipe
        "$OCELOTL_CLI" import --force pipe -o target.db >out 2>&1 &
        job=$!
        {
            head -c $((place % bytes)) run.trace
            kill -KILL "$job"
        } >pipe 2>/dev/null || true
    else
        "$OCELOTL_CLI" import --force run.trace -o target.db >out 2>&1 &
        job=$!
        sleep "$(awk -v us="$taken" -v r=$((place % 1000)) \
            'BEGIN { printf "%.6f", us * r / 900 / 1e6 }')"
        kill -KILL "$job" 2>/dev/null || true
    fi
    code=0
    wait "$job" 2>/dev/null || code=$?
    [ "$code" -ne 137 ] || killed=$((killed + 1))
    [ "$code" -eq 0 ] || [ "$code" -eq 137 ] || fail "round $round: exit code $code: $(cat out)"
    left "round $round"
done
[ "$killed" -ge $((rounds / 3)) ] || fail "only $killed of $rounds imports were killed"
cli import --force run.trace -o target.db >/dev/null
same "after all of it" "$whole" "$(said target.db)"
no_rest "killed imports"

# What looks like something that was left, but is not: names of others, folders, links, and what is
# being written.
mkdir target.db.partial-00000000
touch target.db.partial-0000000 target.db.partial-000000000 target.db.partial-0000000g \
    other.db.partial-00000000
touch target.db.partial-00000001 target.db.partial-00000001-journal linked
ln -s linked target.db.partial-00000002
rm -f pipe
mkfifo pipe
"$OCELOTL_CLI" import --force pipe -o target.db >slow.out 2>&1 &
job=$!
exec 3>pipe
head -c 200000 run.trace >&3
for _ in $(seq 3000); do [ -n "$(find . -name 'target.db.partial-????????' -size +0)" ] && break ||
    sleep 0.05; done
rm target.db
cli import old.db -o target.db >/dev/null 2>&1 && fail "a trace.db was imported"
cli import "$sample" -o target.db >/dev/null || fail "a second import at once"
same "the second import" "$(echo "$old" | jq .uid)" "$(said target.db | jq .uid)"
tail -c +200001 run.trace >&3
exec 3>&-
wait "$job" || fail "an import was disturbed by another: $(cat slow.out)"
same "the first import, which was slower" "$whole" "$(said target.db)"
same "what was not ours to remove" \
    "linked other.db.partial-00000000 target.db.partial-0000000 target.db.partial-00000000 target.db.partial-000000000 target.db.partial-00000002 target.db.partial-0000000g" \
    "$(find . \( -name '*.partial-*' -o -name linked \) -printf '%f\n' | sort | paste -sd ' ')"
rm -rf ./*.partial-* linked pipe

# kill_when PATTERN ARGUMENT...: runs the program and kills it as soon as a file here fits the
# pattern and holds something.
kill_when() {
    local pattern=$1 job
    shift
    "$OCELOTL_CLI" "$@" >killed.out 2>&1 &
    job=$!
    while kill -0 "$job" 2>/dev/null &&
        [ -z "$(find . -path "$pattern" -size +0 2>/dev/null)" ]; do :; done
    kill -KILL "$job" 2>/dev/null || true
    wait "$job" 2>/dev/null || true
}

# leaves PATTERN ARGUMENT...: kills the program until a file is left; it may be quicker than we are.
leaves() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        kill_when "$@"
        [ -z "$(find . -path "$1")" ] || return 0
    done
    fail "nothing to be removed: $*"
}

# An export: the next command that writes the same target, and no other, removes what is left.
leaves './events.csv.partial-????????' export whole.db -o events.csv
[ ! -e events.csv ] || fail "a killed export left a target"
cli export whole.db --to 0.1 -o other.csv
[ -n "$(find . -name 'events.csv.partial-*')" ] ||
    fail "an export to another target removed what was left"
cli export whole.db --to 0.1 -o events.csv
no_rest "killed exports"
cmp -s other.csv events.csv || fail "the export after a killed one is another"
leaves './events.csv.partial-????????' export whole.db -o events.csv
cli sweep --slices 4 whole.db -o events.csv
no_rest "killed exports, and another command"
touch events.csv.partial-0123456 events.csv.partial-012345678 events.csv.partial-0123456X linked
ln -s linked events.csv.partial-01234567
cli export whole.db --to 0.1 -o events.csv
same "what was not an export's" \
    "events.csv.partial-0123456 events.csv.partial-01234567 events.csv.partial-012345678 events.csv.partial-0123456X linked" \
    "$(find . \( -name '*.partial-*' -o -name linked \) -printf '%f\n' | sort | paste -sd ' ')"
rm -f ./*.partial-* linked

# An export that is still at work is left alone.
"$OCELOTL_CLI" export whole.db -o events.csv >slow.out 2>&1 &
job=$!
while kill -0 "$job" && [ -z "$(find . -name 'events.csv.partial-*' -size +0)" ]; do :; done \
    2>/dev/null
kill -STOP "$job" 2>/dev/null || true
cli export whole.db --to 0.1 -o events.csv
kill -CONT "$job" 2>/dev/null || true
wait "$job" || fail "an export was disturbed by another: $(cat slow.out)"
same "two exports at once" "$(cli export whole.db | cksum)" "$(cksum <events.csv)"
no_rest "two exports at once"

# Without the cache: the folder is removed by the next that does without.
mkdir tmp
export TMPDIR=$folder/tmp
leaves './tmp/ocelotl-uncached-??????/trace.db*' info --no-cache run.trace
mkdir tmp/ocelotl-uncached-abcdef tmp/ocelotl-uncached-kept00 tmp/ocelotl-uncached-abcdefg \
    tmp/ocelotl-abcdef
touch tmp/ocelotl-uncached-abcdef/trace.db tmp/ocelotl-uncached-kept00/mine \
    tmp/ocelotl-abcdef/trace.db
ln -s ocelotl-abcdef tmp/ocelotl-uncached-linked
cli info --no-cache "$sample" >/dev/null
same "what is left without the cache" \
    "ocelotl-abcdef ocelotl-abcdef/trace.db ocelotl-uncached-abcdefg ocelotl-uncached-kept00 ocelotl-uncached-kept00/mine ocelotl-uncached-linked" \
    "$(find tmp -mindepth 1 -printf '%P\n' | sort | paste -sd ' ')"
rm -rf tmp/*
"$OCELOTL_CLI" info --no-cache --json run.trace >slow.out 2>&1 &
job=$!
while kill -0 "$job" && [ -z "$(find tmp -path '*/trace.db*' -size +0)" ]; do :; done 2>/dev/null
kill -STOP "$job" 2>/dev/null || true
cli info --no-cache "$sample" >/dev/null
kill -CONT "$job" 2>/dev/null || true
wait "$job" || fail "an import without the cache was disturbed by another: $(cat slow.out)"
same "two at once without the cache" "$whole" \
    "$(jq -c 'del(.source, .size, .bytes_per_event, .name)' slow.out)"
same "what two at once leave" "" "$(find tmp -mindepth 1)"
unset TMPDIR

# A file may not grow beyond a limit: with and without a program around that ignores the signal.
limited() {
    [ -z "$2" ] || trap '' "$2"
    ulimit -f "$1"
    refused 1 'target.db: cannot write: File too large; it would be larger than files may be here' \
        import --force run.trace -o target.db
    finish
}
zstd -dcqf "$sample" >run.trace
cli import "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst" -o before.db >/dev/null
whole=$old
old=$(said before.db)
size=$(($(stat -c %s old.db) / 1024))
for limit in 1 100 $((size / 2)) $((size - 9)); do
    for ignored in '' XFSZ; do
        kept=nothing
        rm -f target.db
        if [ -n "$ignored" ]; then
            kept=old
            cp before.db target.db
        fi
        (limited "$limit" "$ignored") || fail "a limit of $limit KiB"
        left "a limit of $limit KiB"
        [ "$kept" = old ] || [ ! -e target.db ] || fail "a limit of $limit KiB: a target is left"
    done
done

# A full disk, where one can be made.
mkdir full
cat >in-full.sh <<'END'
mount -t tmpfs -o size=$2k none full 2>/dev/null || exit 77
"$OCELOTL_CLI" import run.trace -o full/target.db 2>full.err && exit 1
[ -z "$(ls full)" ] || { ls full; exit 2; }
END
for room in 16 $((size / 2)); do
    code=0
    unshare -rm bash in-full.sh - "$room" >/dev/null 2>&1 || code=$?
    case $code in
    0) grep -qxF 'ocelotl-cli: full/target.db: cannot write: No space left on device; make room, or write it somewhere else' \
        full.err || fail "a full disk: $(cat full.err)" ;;
    77 | 126 | 127) ;;
    *) [ ! -e full.err ] || fail "a full disk: code $code: $(cat full.err)" ;;
    esac
done

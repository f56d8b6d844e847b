# An import that is killed, or finds the disk full, leaves its target absent, whole, or as it was, and what it leaves
# beside it the next import removes. OCELOTL_TEST_ROUNDS=200 kills more often than every run does.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
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
cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o old.db >/dev/null

# What a trace.db says of itself, wherever it is.
said() { cli info --json "$1" | jq -c 'del(.source, .size, .bytes_per_event, .name)'; }
whole=$(said whole.db)
old=$(said old.db)

# left WHAT: the target is absent, whole, or the old one if there was one, and there is no more beside it than what this
# one left.
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
    [ "$(find . -name 'target.db?*' | wc -l)" -le 1 ] || fail "$1: left $(find . -name 'target.db?*')"
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
        sleep "$(awk -v us="$taken" -v r=$((place % 1000)) 'BEGIN { printf "%.6f", us * r / 900 / 1e6 }')"
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

# What looks like something that was left, but is not: names of others, folders, links, and what is being written.
mkdir target.db.partial-00000000
touch target.db.partial-0000000 target.db.partial-000000000 target.db.partial-0000000g other.db.partial-00000000
touch target.db.partial-00000001 target.db.partial-00000001-journal linked
ln -s linked target.db.partial-00000002
rm -f pipe
mkfifo pipe
"$OCELOTL_CLI" import --force pipe -o target.db >slow.out 2>&1 &
job=$!
exec 3>pipe
head -c 200000 run.trace >&3
for _ in $(seq 100); do [ -n "$(find . -name 'target.db.partial-????????' -size +0)" ] && break || sleep 0.05; done
rm target.db
cli import old.db -o target.db >/dev/null 2>&1 && fail "a trace.db was imported"
cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o target.db >/dev/null || fail "a second import at once"
same "the second import" "$(echo "$old" | jq .uid)" "$(said target.db | jq .uid)"
tail -c +200001 run.trace >&3
exec 3>&-
wait "$job" || fail "an import was disturbed by another: $(cat slow.out)"
same "the first import, which was slower" "$whole" "$(said target.db)"
same "what was not ours to remove" \
    "linked other.db.partial-00000000 target.db.partial-0000000 target.db.partial-00000000 target.db.partial-000000000 target.db.partial-00000002 target.db.partial-0000000g" \
    "$(find . \( -name '*.partial-*' -o -name linked \) -printf '%f\n' | sort | paste -sd ' ')"
rm -rf ./*.partial-* linked pipe

# A file may not grow beyond a limit: with and without a program around that ignores the signal.
limited() {
    # shellcheck disable=SC2064
    [ -z "$2" ] || trap '' "$2"
    ulimit -f "$1"
    refused 1 'target.db: cannot write: File too large; it would be larger than files may be here' \
        import --force run.trace -o target.db
    finish
}
zstd -dcqf "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" >run.trace
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
        [ "$kept" = old ] || [ ! -e target.db ] || fail "a limit of $limit KiB: there is a target"
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
finish

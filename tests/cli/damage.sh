# A damaged trace.db: every command answers or says in one line what is wrong. Nothing crashes or
# hangs, and no answer changes silently. test_store_damage tries the library more often.
# OCELOTL_TEST_ROUNDS=1000 tries more here.
need jq timeout

rounds=${OCELOTL_TEST_ROUNDS:-10}
RANDOM=7

example whole.db
size=$(stat -c %s whole.db)

# Every command that reads a trace, by the program's own list; what is new is tried as `COMMAND
# TRACE` at least.
mapfile -t commands < <(commands | grep -vxE 'import|formats|cache|defaults')
[ "${#commands[@]}" -ge 2 ] || fail "no commands in the help"

# answers ARGUMENT...: done, or refused in one line.
answers() {
    local code=0
    timeout 600 "$OCELOTL_CLI" "$@" >out 2>err || code=$?
    case $1:$code in
    check:1) [ ! -s err ] || fail "$*: $(head -c 300 err)" ;; # a run that changed
    *:0) ;;
    check:2 | *:1)
        [ "$(grep -c '^ocelotl-cli: ' err)" -ge 1 ] || fail "$*: $(head -c 300 err)"
        ! grep -q ': is damaged: ' err ||
            grep -qE 'import the trace again|--lenient reads around it' err ||
            fail "$*: no advice in $(head -c 300 err)"
        ;;
    *) fail "$*: exit code $code: $(head -c 1000 err)" ;;
    esac
    [ "$code" -eq 0 ]
}

good=0
bad=0
for round in $(seq "$rounds"); do
    cp whole.db damaged.db
    if [ $((round % 5)) -eq 1 ]; then # cut, in every run
        truncate -s $(((RANDOM * 32768 + RANDOM) % size)) damaged.db
    elif [ $((round % 5)) -eq 2 ]; then # noise
        head -c 3000 "$sample" | dd of=damaged.db bs=1 conv=notrunc status=none \
            seek=$(((RANDOM * 32768 + RANDOM) % (size - 3000)))
    else
        for _ in $(seq $((1 << (RANDOM % 5)))); do
            printf "\\x$(printf %02x $((RANDOM % 256)))" |
                dd of=damaged.db bs=1 seek=$(((RANDOM * 32768 + RANDOM) % size)) conv=notrunc \
                status=none
        done
    fi
    for arguments in 'info damaged.db' 'info --json damaged.db' \
        '--slices 20 damaged.db -o damaged.svg' \
        '--slices 9 --p 0.5 --json damaged.db' 'sweep --json --slices 5 damaged.db' \
        'stats --durations PMPI* --at resource --over-time 5 damaged.db'; do
        if answers $arguments; then good=$((good + 1)); else bad=$((bad + 1)); fi
    done
    # Half of them each time, the others the next.
    for command in $(printf '%s\n' "${commands[@]}" | tail -n +$((1 + round % 2)) | thin 2); do
        case $command in
        info) answers info whole.db damaged.db || true ;;
        sweep) ;;
        correct) answers correct --cost 1us damaged.db || true ;;
        clocks) answers clocks --groups apart --evidence messages,collectives --force damaged.db \
            -o aligned.db || true ;;
        sql)
            answers sql damaged.db 'SELECT count(*), min(begin), max(end) FROM events' || true
            answers sql damaged.db 'SELECT * FROM events' || true
            ;;
        serve) answers serve --idle 1s damaged.db || true ;;
        list) answers list . || true ;;
        merge) answers merge --force damaged.db -o merged.db || true ;;
        snapshot) answers snapshot --slices 5 damaged.db kept || true ;;
        compare) answers compare --slices 5 whole.db damaged.db || true ;;
        check) answers check whole.db damaged.db || true ;;
        gantt)
            answers gantt damaged.db || true
            answers gantt whole.db damaged.db || true
            ;;
        *) answers "$command" damaged.db || true ;;
        esac
    done
done
[ "$good" -gt 0 ] && [ "$bad" -gt 0 ] || fail "$good answers, $bad refusals: nothing was tried"

# A damaged copy has the uid of the whole trace; its answers must not be given for it.
cli sweep --json --slices 6 whole.db --no-cache >expected.json
for _ in 1 2 3; do
    cp whole.db damaged.db
    for _ in $(seq 40); do
        printf '\377' | dd of=damaged.db bs=1 \
            seek=$((size / 4 + (RANDOM * 32768 + RANDOM) % (size / 2))) conv=notrunc status=none
    done
    answers sweep --json --slices 6 damaged.db || true
done
cp whole.db damaged.db
cli sweep --json --slices 6 damaged.db >found.json
cmp -s expected.json found.json || fail "the answer of a damaged trace was kept for the whole one"

# A trace.db can be read where nothing can be written, if such a place can be made here.
mkdir fixed
cat >read-only.sh <<'END'
mount -t tmpfs none fixed 2>/dev/null && cp whole.db fixed && mount -o remount,ro fixed || exit 77
touch fixed/x 2>/dev/null && exit 77
"$OCELOTL_CLI" sweep --json --slices 6 fixed/whole.db --no-cache >fixed.json && "$OCELOTL_CLI" info fixed/whole.db
END
code=0
unshare -rm bash read-only.sh >/dev/null 2>fixed.err || code=$?
case $code in
0) cmp -s expected.json fixed.json || fail "another answer from where nothing can be written" ;;
77 | 126 | 127) ;;
*) [ ! -s fixed.json ] && ! grep -q '^ocelotl-cli' fixed.err ||
    fail "nothing can be written: $(cat fixed.err)" ;;
esac

# Readers are not disturbed by an import, of another trace or of theirs.
for i in 1 2 3 4; do
    (cli sweep --json --slices 6 --no-cache whole.db >"reader-$i" 2>&1 ||
        echo failed >>"reader-$i") &
done
cli import "$sample" -o another.db >/dev/null &
cli import --force "$sample" -o whole.db >/dev/null
wait
for i in 1 2 3 4; do cmp -s expected.json "reader-$i" ||
    fail "reader $i: $(head -c 300 "reader-$i")"; done

# A compressed trace whose program was killed: an error names the line; --lenient reads the rest and
# says what is missing. Never a crash, a hang, or a half-written file.
need zstd
unpack "$sample" >run.trace
zstd -q -1 run.trace -o run.trace.zst
gzip -1 -c run.trace >run.trace.gz
suffixes="gz zst"
if command -v xz >/dev/null; then
    xz -1 -c run.trace >run.trace.xz
    if cli info run.trace.xz >/dev/null 2>xz.err; then
        suffixes="$suffixes xz"
    else
        has xz.err 'liblzma'
    fi
fi
early='the compressed data ends too early, expected the rest of its '

# killed_at SUFFIX LENGTH: the first bytes of a trace.
killed_at() {
    local code=0 events
    rm -f cut.db
    head -c "$2" "run.trace.$1" >"cut.trace.$1"
    refused 1 "cut.trace.$1" import "cut.trace.$1" -o cut.db
    has refused.err "$early"
    timeout 600 "$OCELOTL_CLI" import --lenient "cut.trace.$1" -o cut.db >cut.out 2>cut.err ||
        code=$?
    [ "$code" -le 1 ] || fail "$2 bytes of .$1, --lenient: exit code $code: $(head -c 500 cut.err)"
    lacks cut.err '--lenient'
    no_rest "$2 bytes of .$1"
    if [ "$code" -ne 0 ]; then
        [ ! -e cut.db ] || fail "$2 bytes of .$1 left a trace.db"
        [ "$(wc -l <cut.err)" -eq 1 ] && grep -qF "$early" cut.err ||
            fail "$2 bytes of .$1: $(cat cut.err)"
        return
    fi
    like cut.err "^ocelotl-cli: skipped the rest of the trace: cut.trace.$1:[0-9]*: $early"
    ! grep -q 'skipped [0-9]* line' cut.err ||
        fail "$2 bytes of .$1: half a line was read: $(cat cut.err)"
    events=$(sed 's/.*, \([0-9]*\) events$/\1/' cut.out)
    [ "$events" -le 31968 ] || fail "$2 bytes of .$1: $events events"
    cli info cut.db | grep -q "1  skipped rest of the trace; cut.trace.$1:" ||
        fail "$2 bytes of .$1: info"
}

RANDOM=7
for suffix in $suffixes; do
    size=$(stat -c %s "run.trace.$suffix")
    for length in 1 2 7 $((size - 1)) $((size - 9)); do
        [ "$suffix$length" = gz1 ] || [ "$suffix$length" = zst1 ] || [ "$suffix$length" = zst2 ] ||
            [ "$suffix$length" = xz1 ] || [ "$suffix$length" = xz2 ] ||
            killed_at "$suffix" "$length"
    done
    for _ in 1 2 3 4 5 6; do
        killed_at "$suffix" $((7 + (RANDOM * 32768 + RANDOM) % (size - 7)))
    done
done

# All before the cut is there: a longer beginning is a longer trace, and nearly whole is nearly all.
head -c $(($(stat -c %s run.trace.gz) * 9 / 10)) run.trace.gz >most.trace.gz
cli import --lenient most.trace.gz -o most.db >most.out 2>/dev/null
[ "$(sed 's/.*, \([0-9]*\) events$/\1/' most.out)" -gt 25000 ] ||
    fail "nine tenths of a trace: $(cat most.out)"

# Read on the fly it is said as well, each time.
for command in "info" "sweep --slices 4" "stats"; do
    cli $command --lenient most.trace.gz >/dev/null 2>fly.err || fail "$command: $(cat fly.err)"
    like fly.err '^ocelotl-cli: skipped the rest of the trace: most.trace.gz:'
    refused 1 '; --lenient imports what comes before' $command most.trace.gz
    cli $command --lenient - <most.trace.gz >/dev/null 2>fly.err ||
        fail "$command -: $(cat fly.err)"
    like fly.err '^ocelotl-cli: skipped the rest of the trace: standard input:'
done

# Damage in the middle ends it as well.
{ head -c 40000 run.trace.gz && printf 'XXXXXXXX' &&
    tail -c +40009 run.trace.gz; } >damaged.trace.gz
refused 1 'damaged.trace.gz' import damaged.trace.gz -o damaged.db
cli import --lenient damaged.trace.gz -o damaged.db >/dev/null 2>damaged.err ||
    fail "damaged: $(cat damaged.err)"
like damaged.err 'skipped the rest of the trace: damaged.trace.gz:[0-9]*: the compressed data is damaged'

# What cannot be unpacked names what can.
printf 'LZIP\001' >some.trace.lz
refused 1 'some.trace.lz: is compressed by lzip, which cannot be read here, expected lzip -dc some.trace.lz | ocelotl-cli -' \
    info some.trace.lz
refused 1 'standard input: is compressed by lzip, which cannot be read here, expected lzip -dc before' info - <some.trace.lz

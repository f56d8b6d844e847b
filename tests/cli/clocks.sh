# Clocks that are set right: against traces whose clocks are wrong by what is known, in which a
# script of its own looks for the largest error of any clock at any time.
. "$OCELOTL_ROOT/tests/cli/clocks.inc"

# recovered WHAT MOST_US OPTIONS... -- [CLOCKS OPTIONS...]: what is found is off by at most so much,
# no clock is off by more than its bound, and no message ends before it begins any more.
recovered() {
    local what=$1 most=$2 end=${end:-31} options=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    python3 "$maker" make "${options[@]}" >made.trace 2>truth.json
    cli import --force made.trace -o made.db >/dev/null 2>&1 || fail "$what: no import"
    cli clocks --at machine "$@" --json made.db >clocks.json || fail "$what: refused"
    python3 "$maker" check clocks.json truth.json 0 "$end" >found
    awk -v most="$most" '{ exit $1 > most || $2 > 0 }' found ||
        fail "$what: error, clocks outside their bounds, largest bound: $(cat found)"
    holds "$what" clocks.json '.tachyons > 0 and .tachyons_left == 0 and .groups == 1'
}

# --- Offsets of a second, speeds that differ by up to 100 ppm, and waves

recovered "two ways" 2 --seed 1 --
recovered "another seed" 2 --seed 2 --
before=$(sha256sum made.db)
cli clocks --at machine made.db -o aligned.db
same "the trace is not changed" "$before" "$(sha256sum made.db)"
cli causality --json --strict aligned.db >found.json || fail "messages still end before they begin"
holds "the links" found.json ".tachyons == 0 and .links == $(cli causality --json made.db | jq .links)"
holds "verified" <(cli verify --json aligned.db) '.sound'
# All that carries no time is as it was; sizes, keys, values and nesting too.
for db in made aligned; do
    cli sql --csv $db.db "SELECT resource, category, type, value, depth, source, target, key,
        attributes, count(*) FROM events GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9" >$db.csv
done
cmp made.csv aligned.csv || fail "events differ by more than their times"
recovered "a small wave" 13 --amplitude 5e-6 --
end=0.7
recovered "a short run" 60 --rounds 14 -- --max-drift 100
end=8
recovered "one way round" 5 --one-way --hosts 4 --rounds 160 --
holds "the delay that no message shows" clocks.json '.one_way == 4 and
    (.least_delay > 58e-6 and .least_delay < 61e-6)'
end=31
recovered "offsets alone" 30 --ppm 0 -- --drift none
holds "no drift" clocks.json '[.clocks[].drift] | unique == [0]'

# --- Clocks that no straight line explains: told, and amortised

python3 "$maker" make --amplitude 2e-4 >bent.trace 2>truth.json
cli import bent.trace -o bent.db >/dev/null 2>&1
cli clocks --at machine bent.db >text
like text '^bent '
cli clocks --at machine --json bent.db >clocks.json
holds "no bound that does not hold" clocks.json '.bent > 0 and .tachyons_left > 100 and .eps == null
    and ([.clocks[] | select(.reference | not) | .bound] | unique == [null])'
cli clocks --at machine --drift pieces --json bent.db >clocks.json
python3 "$maker" check clocks.json truth.json 0 31 >found
awk '{ exit $1 > 130 }' found || fail "pieces: $(cat found)"
holds "pieces" clocks.json '.pieces >= 8 and .pieces <= 300 and
    .tachyons_left <= 0.01 * .tachyons'
cli clocks --at machine --drift pieces --amortise bent.db -o pieces.db
cli causality --strict pieces.db >/dev/null || fail "pieces are not amortised"
python3 "$maker" make --amplitude 5e-5 --seed 3 >waves.trace 2>waves.json
cli import waves.trace -o waves.db >/dev/null 2>&1
cli clocks --at machine --drift pieces --json waves.db >clocks.json
python3 "$maker" check clocks.json waves.json 0 31 >found
awk '{ exit $1 > 45 }' found || fail "pieces of small waves: $(cat found)"
holds "none is left" clocks.json '.tachyons_left == 0'
# As many as somebody wants, each as long.
cli clocks --at machine --drift pieces=32 waves.db -o joined.db
holds "what was asked for" <(cli info --json joined.db) \
    '.derived.how | contains("--drift pieces=32 --max-drift")'
# Clocks that are straight stay so.
cli clocks --at machine --drift pieces --json made.db >clocks.json
holds "no pieces" clocks.json '.pieces == 1'
# Where messages are rare not each piece has some; where they go one way round none has.
cli clocks --at machine --drift pieces=1024 --json bent.db >clocks.json
holds "pieces without messages" clocks.json '.pieces == 1024 and .pieces_joined < 1000 and
    .pieces_joined > 100'
cli clocks --at machine --drift pieces=1024 bent.db >text
like text 'straight in each of 1024 pieces of the run, but for [0-9]*$'
python3 "$maker" make --one-way --hosts 3 --rounds 20 >ring.trace 2>/dev/null
cli import ring.trace -o ring.db >/dev/null 2>&1
refused 1 'in none of 1024 pieces do messages join all clocks, both ways or round, expected fewer pieces' \
    clocks --at machine --drift pieces=1024 ring.db
cli clocks --at machine --drift pieces=1 ring.db >text
like text '^pieces     1: clocks are straight'
cli clocks --at machine bent.db -o straight.db 2>err
left=$(cli causality --json straight.db | jq '.tachyons')
has err "straight.db: $left of "
cli clocks --at machine --amortise --latency 50us bent.db -o moved.db
cli clocks --at machine --amortise --latency 50us --json bent.db >clocks.json
holds "moved" clocks.json '.tachyons_left == 0 and .transit >= 50e-6 and .amortised.jumps > 10 and
    .amortised.largest_move < 1e-3 and .amortised.moved > .amortised.jumps'
cli causality --at machine --json --latency 50us --strict moved.db >found.json ||
    fail "amortised messages end before they begin"
holds "the latency" found.json '[.pairs[] | select(.source != .target) | .too_fast] | add == 0'
worst=$(cli clocks --at machine --json bent.db | jq .worst_left)
holds "no end moves further than the worst message" <(cli clocks --at machine --amortise \
    --json bent.db) ".amortised | .largest_move + $worst - .latency | fabs < 2e-9"
stretched straight.db moved.db proc state 5000

# What is long before the first message, and long behind the last, moves no further than these do.
python3 - >early.trace <<'END'
from clocks_maker import HEAD
print(HEAD)
events = [(begin + long, f"{4 + long} %.9f S p{p}{' state' * (long == 0)}")
          for p in (0, 1) for begin in (1, 11) for long in (0, 1)]
messages = ((10, 10.0001), (10.0001, 10.0002), (10.005, 10.0051), (10.0052, 10.0053),
            (10.01, 10.0095), (10.0105, 10.0115))
for k, (sent, received) in enumerate(messages):
    events += [(sent, f"6 %.9f L 0 m p{k % 2} k{k} 8"),
               (received, f"7 %.9f L 0 m p{1 - k % 2} k{k}")]
print("3 0.5 p0 P 0 rank-0\n3 0.5 p1 P 0 rank-1")
print("\n".join(text % time for time, text in sorted(events)))
END
cli import early.trace -o early.db >/dev/null 2>&1
cli clocks early.db -o straight.db --force 2>/dev/null
cli clocks --amortise early.db -o moved.db --force
cli clocks --amortise --json early.db >clocks.json
holds "a jump near the first message" clocks.json '.tachyons_left == 0 and .amortised.jumps > 0'
stretched straight.db moved.db proc state 1 1
awk -v most="$(jq .amortised.largest_move clocks.json)" '{ exit $1 > most + 2e-9 }' farthest ||
    fail "a state moves by $(cat farthest) s, further than any message"

# --- The reference clock

holds "most messages" clocks.json '[.clocks[] | select(.reference)] | length == 1'
cli clocks --at machine --reference host-3 --json made.db >clocks.json
holds "the one asked for" clocks.json '[.clocks[] | select(.reference) | .clock] == ["host-3"]'
refused 1 'has no clock, expected one of 8, the nearest is "host-3"' \
    clocks --at machine --reference hsot-3 made.db
refused 1 'has no resources of a type "X"' clocks --at X made.db 2>/dev/null ||
    refused 1 'no resources of a type "X"' clocks --at X made.db

# --- Shifted by k mod 7 ms: three clusters, and no message between them

zstd -dcq "$sample" | python3 "$maker" distort --shift 0.001 >shifted.trace 2>/dev/null
cli import shifted.trace -o shifted.db >/dev/null 2>&1 || fail "no import"
got=0
cli clocks --drift none --json shifted.db >clocks.json 2>err || got=$?
same "groups that nothing joins" 1 "$got"
has err 'its 96 clocks are in 3 groups'
holds "three groups" clocks.json '[.clocks | group_by(.group)[] | length] | sort == [12, 24, 60]'
holds "shifts" clocks.json '.tachyons == 3509 and .tachyons_left == 0 and (.worst + 0.005988 |
    fabs) < 1e-9'
jq -r '.clocks[] | "\(.group) \(.reference) \(.offset) \(.bound) \(.clock)"' clocks.json | awk '
    function shift(path) { sub(/.*rank-/, "", path); return (path + 1) % 7 / 1000 }
    $2 == "true" { of[$1] = shift($5) }
    { group[NR] = $1; offset[NR] = $3; bound[NR] = $4; at[NR] = shift($5) }
    END {
        for (i = 1; i <= NR; i++) {
            error = offset[i] - (at[i] - of[group[i]])
            error = error < 0 ? -error : error
            if (error > 200e-6 || error > bound[i] + 1e-9) bad = 1
        }
        exit bad || NR != 96
    }' || fail "the shifts are not found to 200 us, or are outside their bounds"
refused 1 'its 96 clocks are in 3 groups' clocks --drift none shifted.db -o never.db
[ ! -e never.db ] || fail "a trace of clocks that nothing joins was written"
cli clocks --drift none --groups apart shifted.db -o apart.db
cli causality --strict apart.db >/dev/null || fail "messages still end before they begin"
refused 1 'exists already' clocks --drift none --groups apart shifted.db -o apart.db

# --- Nothing to go by

python3 "$maker" make --seed 3 --rounds 60 >small.trace 2>/dev/null
cli import small.trace -o small.db >/dev/null 2>&1
grep -v '^[67] ' made.trace >without.trace
cli import without.trace -o without.db >/dev/null 2>&1
refused 1 'there are no links between resources, so nothing says how its clocks differ; expected messages, collective operations (--collective) or samples (--samples)' \
    clocks --at machine without.db
refused 1 'there are no links between resources' clocks without.db
refused 1 'none of its 3520 links leads from one clock to another, so nothing says how clocks differ; expected clocks of smaller resources (--at)' \
    clocks --at all small.db
refused 1 'there are no links between resources' clocks --at machine --groups apart without.db

# Every other end has lost its begin, or its key: told, and no harm to the others.
awk '/^7 / && ++n % 2 { next } { print }' small.trace >half.trace
awk '/^7 / && ++n % 2 { $7 = "x" n } { print }' small.trace >keys.trace
for trace in half keys; do
    cli import $trace.trace -o $trace.db >/dev/null 2>&1
    cli clocks --at machine --json $trace.db >clocks.json
    holds "$trace" clocks.json '.unmatched == $left and .tachyons > 500 and .tachyons_left == 0' \
        --argjson left "$([ $trace = half ] && echo 1760 || echo 3520)"
done
cli clocks --at machine half.db >text
like text '^unmatched  1760 links have one end alone, and say nothing$'
# Messages between two processes of one machine that arrive a millisecond too early.
awk '/^6 / { time[$7] = $2; from[$7] = $6 }
    /^7 / && n < 3 && $6 ~ /^p[01]$/ && from[$7] ~ /^p[01]$/ {
        $2 = sprintf("%.9f", time[$7] - 1e-3)
        n++
    }
    { print }' small.trace >early.trace
{ grep -v '^[4567] ' early.trace && grep '^[4567] ' early.trace | sort -s -k 2,2n; } >within.trace
cli import within.trace -o within.db >/dev/null 2>&1
cli clocks --at machine --json within.db >clocks.json
holds "within a clock" clocks.json '.within_wrong == 3 and .tachyons_left == 0 and .messages == 2560'
cli clocks --at machine within.db >text
like text '^within     3 links of one clock end before they begin'
cli clocks --at machine --json small.db >clocks.json
holds "nothing of it" clocks.json '.unmatched == 0 and .within_wrong == 0 and .bent_by == 0 and
    .bent_worst == []'

# --- Samples, without a message and with them

python3 "$maker" sample --seed 7 >samples.csv 2>truth.json
cli clocks --at machine --samples samples.csv --json without.db >clocks.json || fail "samples"
python3 "$maker" check clocks.json truth.json 0 30 >found
awk '{ exit $1 > 20 || $2 > 0 }' found || fail "samples: $(cat found)"
cli clocks --at machine --samples samples.csv without.db >text
like text ' messages  samples  clock$'
same "samples of a clock" "$(grep -c ',host-1,' samples.csv)" \
    "$(awk '$NF == "host-1" { print $(NF - 1) }' text)"
holds "samples of clocks" clocks.json '[.clocks[].samples] | .[0] == 140 and add == 280'
holds "all of them" clocks.json '.samples == 140 and .messages == 0 and .groups == 1 and
    ([.clocks[] | select(.reference) | .clock] == ["host-0"])'
# The same as offsets, by a few lines of awk: the middle of the exchange, to half of what it took.
awk -F , 'BEGIN { print "clock,time,offset,deviation" }
    NR > 1 { printf "%s,%s,%.9f,%.9f\n", $2, $4, ($3 + $6) / 2 - $4, ($6 - $3) / 2 }' samples.csv \
    >offsets.csv
cli clocks --at machine --samples offsets.csv --json without.db >clocks.json || fail "offsets"
python3 "$maker" check clocks.json truth.json 0 30 >found
awk '{ exit $1 > 40 || $2 > 0 }' found || fail "offsets: $(cat found)"
python3 "$maker" make --seed 7 --rounds 60 >made.trace 2>both.json
cli import --force made.trace -o made.db >/dev/null 2>&1
cli clocks --at machine --samples samples.csv --samples offsets.csv --json made.db >clocks.json
cli clocks --at machine --samples samples.csv --samples samples.csv --json made.db >twice.json
holds "each file has an order of its own" twice.json '.samples == 280'
holds "both" clocks.json '.samples == 280 and .messages > 0 and .tachyons_left == 0'

# bad TEXT MESSAGE: a table that says so is refused.
bad() {
    printf '%b' "$1" >bad.csv
    refused 1 "$2" clocks --at machine --samples bad.csv made.db
}
head='clock,sent,received,returned,back\n'
bad "${head}hsot-1,1,2,3,4\n" \
    'bad.csv:2: "hsot-1" has no clock, expected one of 8, the nearest is "host-1"'
bad "${head}host-1,2,2,3,1\n" 'bad.csv:2: the answer is back before the question was sent: back is "1"'
bad "${head}host-1,1,3,2,4\n" 'bad.csv:2: the answer leaves before the question came: returned is "2"'
bad "${head}host-1,5,5,5,6\nhost-1,1,5,5,6\n" \
    'bad.csv:3: samples of a clock are not in order of time'
bad "${head}host-1,1,nan,3,4\n" 'bad.csv:2: received "nan", expected seconds'
bad "${head}host-1,1,,3,4\n" 'bad.csv:2: received "", expected seconds'
bad "${head}host-1,1,1e300,3,4\n" 'bad.csv:2: received "1e300", expected seconds'
bad "${head}host-0,1,2,3,4\n" 'bad.csv:2: a clock is compared with itself: "host-0"'
bad 'clock,sent,received\nhost-1,1,2\n' 'bad.csv:1: is no table of samples, expected the header'
bad '' 'is no table of samples, expected the header'
bad 'clock,time,offset,deviation\nhost-1,2,0,1\nhost-2,1,0,1\nhost-1,1,0,1\n' \
    'bad.csv:4: samples of a clock are not in order of time: time is "1", expected no less than'
bad 'clock,time,offset,deviation\nhost-1,1,2,-1\n' \
    'bad.csv:2: the deviation is "-1", expected 0 or more'
bad 'clock,time,offset,deviation\nhost-1,4e9,4e9,4e9\n' \
    'bad.csv:2: the offset is "4e9", expected less than 2^63 ticks with its time and deviation'
refused 1 'never.csv' clocks --at machine --samples never.csv made.db
# Samples that contradict each other are told, and bound nothing.
printf '%b' "${head}host-1,1,1.1,1.1,1.2\nhost-1,2,9.1,9.1,2.2\n" >bad.csv
cli clocks --at machine --samples bad.csv --groups apart --json without.db >clocks.json
holds "contradicting samples" clocks.json '.bent == 1 and .bent_worst == ["host-0", "host-1"] and
    .bent_by > 6.7 and .bent_by < 6.9'
cli clocks --at machine --samples bad.csv --groups apart without.db >text
like text '^           host-0 and host-1: contradicted by 6.79[0-9]* s; 2 samples of them are used, which may be wrong'
# No clock runs as fast as they say, or backwards.
printf '%b' "${head}host-1,1,19.1,19.1,1.2\nhost-1,2,1.1,1.1,2.2\n" >back.csv
for table in bad back; do
    cli clocks --at machine --samples $table.csv --groups apart --json without.db >clocks.json
    holds "$table: speeds" clocks.json '[.clocks[].drift | fabs] | max <= 1.000001e-4'
    cli clocks --at machine --samples $table.csv --groups apart --force without.db -o some.db \
        2>/dev/null || fail "$table: no trace"
done
rm some.db
# Beside messages they do no harm; nothing is bounded any more, and that is said.
cli clocks --at machine --samples bad.csv small.db -o some.db 2>err
like err 'small.db: what is known of host-0 and host-1 contradicts itself by .* s \(samples of them may be wrong\): nothing bounds these clocks'
cli causality --strict some.db >/dev/null || fail "contradicting samples outweigh messages"
refused 2 '--latency' clocks --amortise --latency fast made.db
for drift in some pieces= pieces=0 pieces=1025 pieces=x linear=2; do
    refused 2 "--drift is \"$drift\", expected linear, none, pieces or pieces=N of 1 to 1024" \
        clocks --drift "$drift" made.db
done
refused 2 '--max-drift' clocks --max-drift 500000 made.db

# Every Pajé trace becomes a trace.db with the same content, whatever its compression and source.
need jq

# import TRACE CONTAINERS STATES LINKS VARIABLES EVENTS: the counts of pj_dump, to which the root is
# a container too.
import() {
    [ -e "$1" ] || return 0
    local expected="$2 $3 $4 $5 $6" got
    cli import "$1" -o a.db >import.out 2>import.err || fail "$1: $(cat import.err)"
    cli info --json a.db >a.json
    got=$(jq -r 'def count(c): [.event_types[] | select(.category == c) | .count] | add // 0;
        [.resources + 1, count("state"), count("link"), count("variable"), count("event")] |
        map(tostring) | join(" ")' a.json)
    same "$1: containers, states, links, variables, events" "$expected" "$got"
    holds "$1: the sums in info" a.json '.events == ([.event_types[].count] | add // 0) and
        .resources == ([.resource_types[].resources] | add // 0) and
        ([.event_types[] | select(.category == "state") | .count == ([.values[].count] |
        add // 0)] | all)'
    rm a.db
}

import "$sample" 153 24288 7680 0 0
import "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst" 153 24288 7680 0 0
import "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst" 808 261668 84000 0 0
import "$shared/smpi-stencil-96.trace" 153 24288 7680 0 0
import "$shared/smpi-lu-700.trace.zst" 802 774520 363600 0 0
import "$shared/pajeng-simu-mardi.trace" 307 13620 405 507 0
import "$shared/pajeng-native_sample.trace" 14 3318 0 880 2
import "$shared/pajengr-simgrid.trace" 38 70 46 0 0
import "$shared/pajeng-states.trace" 2 3 0 0 0
import "$shared/pajeng-links.trace" 4 0 2 0 0
import "$shared/pajeng-variables.trace" 2 0 0 3 0
import "$shared/pajeng-events.trace" 2 0 0 0 2
import "$shared/pajeng-containers.trace" 11 0 0 0 0
import "$shared/pajeng-categories.trace" 16 0 17 161 0
# pj_dump refuses this one. Its lines are 33 containers, 64 set and 2 pushed states, 1553 variables
# and 2 events.
import "$shared/pajeng-native_paje.trace" 34 66 0 1553 2

# The same trace from anywhere is the same trace.
check_ways() {
    need gzip zstd
    unpack "$sample" >run.trace
    # Two members, as parallel compressors write them.
    { head -c 500000 run.trace | gzip -c && tail -c +500001 run.trace | gzip -c; } >two.trace.gz
    { head -c 500000 run.trace | zstd -qc && tail -c +500001 run.trace | zstd -qc; } >two.trace.zst
    cli import run.trace -o first.db >first.out
    same "what import says" "first.db: 152 resources, 31968 events" "$(cat first.out)"
    cli info --json first.db >first.json
    local way
    for way in two.trace.gz two.trace.zst; do
        cli import "$way" -o way.db >/dev/null
        check_way "$way"
        cli import - -o way.db <"$way" >/dev/null
        check_way "$way from standard input"
    done
    # From a pipe that gives little at a time.
    cat run.trace | dd bs=777 status=none | cli import --name run - -o way.db >/dev/null
    same "the name given" run "$(cli info --json way.db | jq -r .name)"
    check_way "a pipe"
}

content='del(.name, .source, .size)'
check_way() {
    cli info --json way.db >way.json
    same "$1" "$(jq -c "$content" first.json)" "$(jq -c "$content" way.json)"
    if command -v sqlite3 >/dev/null; then
        sqlite3 first.db "select * from chunk" | cksum >first.sum
        sqlite3 way.db "select * from chunk" | cksum >way.sum
        cmp -s first.sum way.sum || fail "$1: not the same chunks"
    fi
    rm way.db
}
check_ways

# An existing file stays, unless --force says otherwise; the trace itself stays in any case.
printf 'mine\n' >there.db
refused 1 'there.db: exists already' import run.trace -o there.db
same "the file that was there" mine "$(cat there.db)"
refused 1 'run.trace: is the trace itself' import --force run.trace -o ./run.trace
cli import --force run.trace -o there.db >/dev/null
cli info there.db >/dev/null || fail "--force did not replace"
refused 1 'there.db: is a trace.db already' import there.db -o other.db
refused 2 'unknown format "otf9", expected one of: paje' import --format otf9 run.trace -o other.db
cli import --format paje run.trace -o other.db >/dev/null

# A broken line ends the import and leaves nothing; --lenient skips and counts it.
push=$(awk '$2 == "PajePushState" { print $3 }' run.trace)
awk -v push="$push" \
    '$1 == push && ++line == 400 { print push, $2, $3, "nowhere-to-be-found", $5 } { print }' \
    run.trace >broken.trace
line=$(grep -n nowhere-to-be-found broken.trace | cut -d : -f 1)
refused 1 "broken.trace:$line: unknown container" import broken.trace -o broken.db
refused 1 '; --lenient skips such lines' import broken.trace -o broken.db
refused 1 '; --lenient skips such lines' info broken.trace
[ ! -e broken.db ] || fail "a broken trace left a trace.db"
cli import --lenient broken.trace -o broken.db >/dev/null 2>lenient.err ||
    fail "--lenient: $(cat lenient.err)"
like lenient.err '^ocelotl-cli: 1 oddity in the trace'
cli info --json broken.db >broken.json
holds "the skipped line in info" broken.json \
    '.warnings == [{"kind": "skipped line: unknown container",
    "count": 1, "detail": .warnings[0].detail}] and (.warnings[0].detail | contains($line))' \
    --arg line "broken.trace:$line: unknown container"
same "all but the broken line" "$(jq .events first.json)" "$(jq .events broken.json)"

buggy=$shared/pajengr-starpu-buggy.trace
if [ -e "$buggy" ]; then
    refused 1 'pajengr-starpu-buggy.trace:377: unknown container "mm0", expected' import "$buggy" \
        -o buggy.db
    [ ! -e buggy.db ] || fail "starpu-buggy left a trace.db"
    cli import --lenient "$buggy" -o buggy.db >/dev/null 2>&1
    cli info --json buggy.db >buggy.json
    holds "starpu-buggy: the skipped lines" buggy.json \
        '[.warnings[] | select(.kind == "skipped line: unknown container")] | length == 1 and .[0].count == 23'
    cli info buggy.db | grep -q '23  skipped line: unknown container; .*:377: ' ||
        fail "starpu-buggy: info"
fi

# What is written is as readable as any new file.
(umask 0027 && cli import --force run.trace -o there.db >/dev/null)
same "the mode of a new file" 640 "$(stat -c %a there.db)"
no_rest import
# What was imported, for programs: the same as info says.
cli import --json "$sample" -o said.db >said.json
if command -v jq >/dev/null; then
    cli info --json said.db >info.json
    same "import --json" \
        "said.db $(jq -r '"\(.name) \(.uid) \([.resource_types[].resources] | add) \(.events) 0"' \
        info.json)" \
        "$(jq -r '"\(.path) \(.name) \(.uid) \(.resources) \(.events) \(.warnings)"' said.json)"
fi

# The matrix of messages: hierarchies, orders and pictures, against SQL. (What its cells say
# links_truth.py judges by the specification, matrix_sql.sh by SQL.)
need python3

python3 "$OCELOTL_ROOT/tests/links_maker.py" many 5 >trace.trace
quiet trace.trace -o trace.db

# JSON says the same as CSV, with sums.
for words in "trace.db" "--from 20ms --to 40ms trace.db" "--resource h0 trace.db"; do
    cli matrix --json $words >found.json
    same "JSON of $words" "$(cli matrix --csv $words | tail -n +2 | cut -d , -f 1-3)" "$(jq -r '
        . as $all | .cells[] | "\($all.rows[.row].group),\($all.columns[.column].group),\(.count)"' \
        found.json)"
    for side in row column; do
        holds "sums of ${side}s of $words" found.json "[.cells[] | {at: .$side, count, ended, bytes,
            time, violations}] as \$cells | .${side}s | to_entries | all(. as {\$key, \$value} |
            all(\"count\", \"ended\", \"bytes\", \"time\", \"violations\"; . as \$name |
                ([\$cells[] | select(.at == \$key)[\$name]] | add // 0) - \$value[\$name] |
                fabs < 1e-6))"
    done
done

# SQL counts the same, and levels add up.
example stencil.db
cli sql --csv stencil.db "SELECT source, target, count(*) FROM events WHERE category = 'link'
    GROUP BY 1, 2 ORDER BY 1, 2" | tail -n +2 | sort >expected.csv
cli matrix --csv stencil.db | tail -n +2 | cut -d , -f 1-3 | sort >got.csv
same "SQL" "$(cat expected.csv)" "$(cat got.csv)"
add() { awk -F , -v depth="$1" 'function up(path,  i, parts, text) {
    split(path, parts, "/"); for (i = 1; i <= depth; i++) text = text "/" parts[i]; return text }
    { sum[up($1) " " up($2)] += $3 } END { for (key in sum) print key, sum[key] }' | sort; }
for level in 2:CLUSTER 3:SWITCH 4:MACHINE; do
    same "level ${level#*:}" "$(add "${level%:*}" <got.csv)" "$(cli matrix --at "${level#*:}" \
        --csv stencil.db | tail -n +2 | cut -d , -f 1-3 | add "${level%:*}")"
done

# A ring in each cluster: each sends to the one before and the one behind it.
same "ring" "192 96" "$(cut -d , -f 1 got.csv | uniq -c | awk '{ all += $1; n += $1 == 2 }
    END { print all, n }')"
cli sql --csv stencil.db "SELECT count(*) FROM events WHERE category = 'link' AND
    substr(source, 1, 9) <> substr(target, 1, 9)" | tail -1 >between
same "between clusters" "$(cat between)" "0"

# Any number of threads gives the same bytes.
same "threads" "$(OMP_NUM_THREADS=1 cli matrix --csv trace.db)" \
    "$(OMP_NUM_THREADS=4 cli matrix --csv trace.db)"

# Links under way over time are the model's.
near "links under way" "$(cli --metric link-count-in-flight --slices 1 --kind temporal --p 1 --json \
    stencil.db | python3 -c 'import json, sys
for part in json.load(sys.stdin)["parts"]: print(sum(part["shares"].values()) * part["leaves"])')" \
    "$(cli matrix --at all --csv stencil.db | tail -1 | cut -d , -f 11)" 1e-9
cli series --in-flight count --at MPI stencil.db >under.csv
same "threads of series" "$(md5sum <under.csv)" \
    "$(OMP_NUM_THREADS=3 cli series --in-flight count --at MPI stencil.db | md5sum)"
cli series --in-flight bytes --side pair --at host trace.db -o under.db 2>/dev/null
cli series --in-flight count --at host trace.db -o under.svg 2>/dev/null
refused 2 "--in-flight is of links" series --in-flight count --nesting inclusive trace.db
refused 2 "expected --in-flight" series --side receiver trace.db
refused 1 "no link carries" series --in-flight bytes stencil.db
refused 1 'no link carries "x"' series --in-flight slowdown --attribute x stencil.db

# Slowdowns depend on no thread and no window; where they exceed a bound there are states.
slowdown() { cli series --in-flight slowdown --at SWITCH "$@" stencil.db; }
slowdown >slow.csv
same "threads of slowdowns" "$(md5sum <slow.csv)" "$(OMP_NUM_THREADS=3 slowdown | md5sum)"
slowdown --from 200ms --to 250ms | awk -F , '$3 + 0 > 0.2' >window.csv
awk -F , '$3 + 0 > 0.2 && $3 < 0.25' slow.csv | cmp -s - window.csv || fail "slowdowns of a window"
slowdown --only-above 3 >above.csv
awk -F , 'NR > 1 { now = $4 > 3; if (!($1 in is) || is[$1] != now) print $1 "," $2 "," $3 "," now
    is[$1] = now }' slow.csv | cmp -s - <(tail -n +2 above.csv) || fail "above a bound"
slowdown --only-above 3 -o above.db
cli sql --csv above.db "SELECT resource, value, begin FROM events" | tail -n +2 | sort >states.csv
awk -F , '$4 == 1 { print $1 ",congested," $3 }' above.csv | sort | cmp -s - states.csv ||
    fail "states: $(head -3 states.csv)"
slowdown --only-above 3 -o above.svg
has above.svg 'mean slowdown of links under way above 3' 'congested'
refused 2 "expected --in-flight" series --only-above 2 stencil.db

# Pictures, and that too many groups are added up, not left out.
for suffix in svg png pdf; do cli matrix stencil.db -o "m.$suffix"; done
same "cells" 192 "$(grep -c '^40 links, 0.52 %' m.svg || true)"
cli matrix --smallest 20 stencil.db -o merged.svg
has merged.svg 'added up by '
cli matrix --cell violations trace.db -o wrong.svg
has wrong.svg ' end before they begin'

# Another hierarchy: rows are its nodes, and sums are those of SQL.
account() { # the group of a resource, as SQL
    cli sql --csv stencil.db "WITH e AS (SELECT source AS s, target AS t FROM events
        WHERE category = 'link') SELECT $1 AS a, $2 AS b, count(*) FROM e GROUP BY 1, 2" |
        tail -n +2 | sort
}
cells() { cli matrix --csv "$@" stencil.db | tail -n +2 | cut -d , -f 1-3 | sort; }
group_of() { echo "CASE WHEN $1 LIKE '%/graphite%' THEN 'nancy/G' WHEN $1 LIKE '%/griffon-sw1/%'
    OR $1 LIKE '%/griffon-sw3/%' THEN 'nancy/griffon/odd' ELSE '(outside)' END"; }
same "groups" "$(account "$(group_of s)" "$(group_of t)")" "$(cells --at group \
    --group '*/graphite=G' --group '*/griffon-sw[13]=odd')"
same "ends in groups" "$(cells)" "$(cells --group '*/graphite=G' --order name)"
same "groups and all" "$(account "$(group_of s)" "'all'")" "$(cells --at group --receivers all \
    --group '*/graphite=G' --group '*/griffon-sw[13]=odd')"
same "without a level" "$(cells)" "$(cells --drop-level MACHINE --drop-level SWITCH)"
same "machines" "$(cells --at MACHINE)" "$(cells --at MACHINE --drop-level SWITCH)"
{
    echo resource,path
    cut -d , -f 1 got.csv | sort -u |
        awk '{ n = $0; sub(/.*rank-/, "", n); print $0 ",mod" n % 3 "/r" n }'
} >by_rank.csv
third="'mod' || (substr(X, instr(X, 'rank-') + 5) % 3)"
same "hierarchy of a file" "$(account "${third//X/s}" "${third//X/t}")" \
    "$(cells --at group --hierarchy by_rank.csv)"
same "ends in a file" "$(cut -d , -f 3 got.csv | sort)" \
    "$(cells --hierarchy by_rank.csv | cut -d , -f 3 | sort)"
cli matrix --json --order activity --at SWITCH stencil.db >ordered.json
cli matrix --json --order name stencil.db >named.json
python3 - <<'END' || fail "not in the order that is asked for"
import json
ends = {row["group"]: row["count"] for row in json.load(open("ordered.json"))["rows"]}
groups = {}
for path, count in ends.items():
    groups.setdefault(path.rsplit("/", 1)[0], []).append(count)
assert all(found == sorted(found, reverse=True) for found in groups.values()), groups
assert [sum(found) for found in groups.values()] == sorted(map(sum, groups.values()), reverse=True)
assert sorted(ends) != list(ends)
paths = [row["group"].split("/") for row in json.load(open("named.json"))["rows"]]
assert [path[:3] for path in paths] == sorted(path[:3] for path in paths), paths
END
cli matrix --hierarchy auto stencil.db -o auto.svg
cli matrix --group '*/griffon-sw[13]=odd' --drop-level MACHINE stencil.db -o grouped.svg
has grouped.svg 'without level MACHINE' '>odd</text>'
refused 1 'in this hierarchy; the nearest is' matrix --drop-level MACHINE --at MACHINE stencil.db
refused 1 'no resource' matrix --group 'x*=y' stencil.db

# A chain of containers, each in the one before, takes no more of the stack than one of them.
{
    awk -v n=5000 -v kind=deep -f "$OCELOTL_ROOT/tests/growth/trace.awk" | grep -v '^7 '
    printf '4 DL 0 T4999 T4999 L\n15 1 DL 0 v d4999 k 1\n16 2 DL 0 v d4999 k\n'
} >chain.trace
cli import chain.trace -o chain.db 2>err
(ulimit -s 256 && cli matrix chain.db -o chain.svg 2>err) || fail "a deep chain: $(cat err)"
has chain.svg '</svg>'

# What is wrong is said.
refused 1 'no link carries a size, bytes or length; they carry "Key"' matrix --cell bytes stencil.db
refused 1 'no link carries "sizes"; they carry' matrix --attribute sizes trace.db
refused 1 'has no resources of a type "hosts"; the nearest is "host"' matrix --at hosts trace.db
refused 1 'has no event type "sen"; the nearest is "send"' matrix --type sen trace.db
refused 1 "leave nothing to show" matrix --where 'size > 9999999' --type send trace.db

# Rows in which nothing happens are drawn as one thin row; parts stay as they are.
need jq xmllint

# One process computes in three of its threads, the others have moments. Another only sleeps.
idle() {
    paje_definitions SetState
    printf '0 P 0 process\n0 T P thread\n1 S T state\n'
    printf '2 0 p P 0 busy\n2 0 q P 0 lazy\n'
    for i in $(seq 0 29); do printf '2 0 t%d T p thread-%d\n' "$i" "$i"; done
    for i in 0 1; do printf '2 0 u%d T q sleeper-%d\n' "$i" "$i"; done
    for i in 0 1 29; do printf '3 0 S t%d compute\n' "$i"; done
    for i in 0 1; do printf '3 0 S u%d Sleeping\n' "$i"; done
    for i in $(seq 2 28); do printf '3 0.5 S t%d compute\n3 0.5001 S t%d sleep\n' "$i" "$i"; done
    printf '3 0.5 S t29 wait\n3 1 S t0 wait\n3 2 S t1 wait\n3 4 S t0 compute\n'
}
idle >idle.trace
cli import idle.trace -o idle.db >/dev/null 2>&1
names() { xmllint --xpath '//*[local-name()="g"][@class="hierarchy"]/*[local-name()="text"]/text()' \
    "$1"; }
for view in mode partition amplitude; do
    cli --p 0 --view $view idle.db -o $view.svg
    same "rows of $view" "27 threads, idle busy lazy, idle thread-0 thread-1 thread-29" \
        "$(names $view.svg | sort | line)"
done

# The names of what is folded are on hover; JSON says how many rows are.
has mode.svg 'busy/thread-17' 'busy/thread-2' 'lazy'
same "chosen" "29 of 32 resources idle, folded" "$(cli --json idle.db | jq -r .chosen.rows)"

# The options that take it back; parts do not change with it.
cli --p 0 --json idle.db | jq .parts >folded.json
for option in "--fold none" --plain; do
    cli --p 0 $option idle.db -o plain.svg
    [ "$(names plain.svg | grep -c ', idle' || true)" -eq 0 ] || fail "$option folds"
    cli --p 0 $option --json idle.db >plain.json
    same "chosen with $option" null "$(jq .chosen.rows plain.json)"
    jq .parts plain.json | cmp -s folded.json - || fail "$option changes parts"
done
cli --p 0 --fold none --fold lazy idle.db -o both.svg
names both.svg | grep -qx lazy || fail "--fold none folds, or another node is not folded"

# A node whose rows are all idle is drawn as it is, once it is alone.
cli --p 0 --expand lazy idle.db -o expanded.svg
same "expanded" "lazy sleeper-0 sleeper-1" "$(names expanded.svg | sort | line)"

# Names of lanes are in words, and end where their letters do.
printf '[%s' '{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"stream 7 "}}' >lanes.json
printf ',{"ph":"X","pid":1,"tid":1,"name":"x","ts":%d,"dur":%d}' \
    0 4000 2000 3000 6000 8000 20000 9000 30000 1 >>lanes.json
echo ']' >>lanes.json
cli lanes.json -o lanes.svg 2>/dev/null
same "lanes" "1 itself overlap 1 stream 7" "$(names lanes.svg | sort | line)"

# What has no kind is no group.
idle | sed 's/ T P thread$/ T P Group/' >groups.trace
cli --p 0 groups.trace -o groups.svg 2>/dev/null
names groups.svg | grep -qx '27 resources, idle' || fail "resources of no kind: $(names groups.svg)"

# Where no row is idle, nothing is folded.
example
cli --slices 60 trace.db -o it.svg
cli --slices 60 --fold none trace.db -o same.svg
cmp -s <(sed '/ocelotl-cli/d' it.svg) <(sed '/ocelotl-cli/d' same.svg) || fail "rows that are busy"

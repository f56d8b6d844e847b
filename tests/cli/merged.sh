# A merged leaf counts as the resources it stands for: in the sums of a page, a comparison, a
# treemap, a histogram, and outside lifetimes.
need jq

# Four clusters of four processes, which run at first and then wait in each of eight seconds. The
# last cluster has the last four seconds alone.
clusters() { # SECONDS LATER
    paje_definitions SetState DestroyContainer
    printf '0 C 0 Cluster\n0 P C Process\n1 S P State\n2 0 c1 C 0 c1\n2 0 c2 C 0 c2\n'
    printf '2 0 c3 C 0 c3\n2 0 c4 C 0 c4\n'
    awk -v later="$1" 'BEGIN {
        for (c = 1; c <= 4; c++)
            for (p = 1; p <= 4; p++) {
                begin = c == 4 ? 4 : 0
                print 2, begin, "c" c "p" p, "P", "c" c, "p" p
                for (t = begin; t < 8; t++) {
                    print 3, t, "S", "c" c "p" p, "run"
                    print 3, t + 0.75 - 0.125 * p + (c == 2 ? later : 0), "S", "c" c "p" p, "wait"
                }
                print 4, 8, "P", "c" c "p" p
            }
    }' | sort -s -g -k 2,2
}
clusters 0 >t.trace
clusters 0.125 >u.trace
for name in t u; do cli import $name.trace -o $name.db >/dev/null; done

# A page has the sums of what is expanded.
for node in '' c1 c2 c3 c4; do
    cli --slices 8 ${node:+--expand $node} t.db -o whole.html
    cli --slices 8 ${node:+--expand $node} --max-leaves 4 t.db -o merged.html
    for page in whole merged; do data_of $page.html >$page.json; done
    same "sums of ${node:-all}" "$(jq -c .sums whole.json)" "$(jq -c .sums merged.json)"
    same "leaves of ${node:-all}" "$(jq -c .leaves whole.json)" "$(jq -c .leaves merged.json)"
    same "leaves of a node, ${node:-all}" \
        "$(jq -c '[.nodes[] | select(.[0] == "c2")][0][1] // 4' merged.json)" 4
done
holds "sums of the last cluster" merged.json '[.sums[] | add // 0] == [0, 0, 0, 0, 4, 4, 4, 4]'

# A comparison has the same changes at the nodes that are left.
cli compare --slices 8 --json t.db u.db >whole.json
cli compare --slices 8 --max-leaves 4 --json t.db u.db >merged.json
same "leaves that are compared" 16 "$(jq .first.leaves merged.json)"
holds "changes of merged leaves" merged.json \
    '($whole[0].changes | map({key: "\(.node) \(.type)", value: .}) | from_entries) as $all |
    (.changes | length) > 4 and all(.changes[]; . as $one | $all["\(.node) \(.type)"] |
        .leaves == $one.leaves and (.change - $one.change | fabs) < 1e-9)' --slurpfile whole \
        whole.json

# The frames of a treemap, the columns of a histogram and what is outside lifetimes are those of all
# resources.
said() { sed 's/<[^>]*>/\n/g' "$1" |
    grep -E '^([0-9]+ (leaf|leaves)|outside lifetime .*|[0-9.]+ of [0-9]+ resources?)$' | sort; }
cli treemap --depth 1 --slices 8 t.db -o whole.svg
cli treemap --depth 1 --slices 8 --max-leaves 4 t.db -o merged.svg
same "a treemap" "$(said whole.svg)" "$(said merged.svg)"
said merged.svg | grep -qx '16 leaves' || fail "the frame of the treemap: $(said merged.svg)"
for view in histogram stacked; do
    cli --kind temporal --view $view --p 0 --slices 8 t.db -o whole.svg
    cli --kind temporal --view $view --p 0 --slices 8 --max-leaves 4 t.db -o merged.svg
    same "$view" "$(said whole.svg)" "$(said merged.svg)"
    has merged.svg 'of 16 resources'
done

# compare names the known differences between runs: a slower run, a slow rank, more ranks, other
# slow ranks.
need jq

# run RANKS FACTOR [SLOW_RANKS]: ranks that initialise, compute and wait for the slowest twenty
# times, and reduce. FACTOR multiplies all times. Slow ranks take twice as long in half of the
# rounds.
run() {
    paje_definitions SetState DestroyContainer
    awk -v ranks="$1" -v factor="$2" -v slow="${3-}" 'BEGIN {
        print "0 P 0 Process"; print "1 S P State"
        count = split(slow, list, " "); for (i = 1; i <= count; i++) is_slow[list[i]] = 1
        for (r = 0; r < ranks; r++) {
            print 2, 0, "r" r, "P", 0, "rank-" r; print 3, 0, "S", "r" r, "Init" }
        t = factor
        for (k = 0; k < 20; k++) {
            worst = 0
            for (r = 0; r < ranks; r++) {
                time = (0.2 + 0.001 * ((r * 7 + k * 3) % 11)) * factor
                if (r in is_slow && k >= 5 && k < 15) time *= 2
                worst = time > worst ? time : worst
                printf "3 %.9f S r%d Compute\n3 %.9f S r%d Wait\n", t, r, t + time, r
            }
            t += worst + 0.05 * factor
        }
        for (r = 0; r < ranks; r++) printf "3 %.9f S r%d Reduce\n", t, r
        t += 1.5 * factor
        for (r = 0; r < ranks; r++) printf "4 %.9f P r%d\n", t, r
    }' | sort -s -g -k 2,2
}
made() { run "${@:2}" >"$1.trace" && cli import "$1.trace" -o "$1.db" >/dev/null; }
made run 24 1
made slower 24 1.2
made slow_rank 24 1 17
made more 32 0.8
made low 24 1 '1 2 3'
made high 24 1 '13 14 15'

# Where paths differ, resources are those of the same role, else of the same shape, or as --map has
# them; which is said. What is called alike is nothing else.
renamed() { # NAME SED: the run with other names
    sed "$2" run.trace >"$1.trace"
    quiet "$1.trace" -o "$1.db"
}
renamed later 's/rank-\([0-9]*\)$/rank-1\1/' # rank-10, rank-11, .. rank-123
renamed pids 's/rank-\([0-9]*\)$/"pid \1000 (x)"/'
renamed shifted 's/rank-1$/rank-77/'
for one in 'later.db||0 0 0' 'pids.db||0 0 24' 'shifted.db||0 0 0' \
    'pids.db|pid ([0-9]+)000 .*=rank-\1|24 0 0' 'later.db|rank-[0-9]+=rank|24 0 0' \
    'shifted.db|77=1|1 0 0'; do
    IFS='|' read -r other map wanted <<<"$one"
    cli compare ${map:+--map "$map"} --json run.db "$other" >got.json
    same "$one" "$wanted" "$(jq -r '.matched | "\(.map) \(.role) \(.shape)"' got.json)"
done

# All times x 1.2: that is the first that is said, and all; phases and totals follow in seconds.
cli compare run.db slower.db >got.txt
head -1 got.txt | grep \
    -qxE 'everything takes 1.2 times as long: [0-9.]* s instead of [0-9.]* s \(\+[0-9.]* s\)' ||
    fail "$(head -1 got.txt)"
lacks got.txt 'where it is not alike'
same "times" "x 1.2" "$(sed -n '/phase, to a slice/,$p' got.txt | grep -oE 'x [0-9.]+' | sort -u)"
like got.txt '^ *\+4.8 s *1 s *1.2 s *x 1.2 *24  \(whole\), Init$'
cli compare run.db slower.db --json >got.json
near "the ratio" 1.2 "$(jq .ratio got.json)" 1e-6
holds "nothing is elsewhere" got.json '.apart < 1e-6'
holds "seconds" got.json \
    '[.changes[] | select(.node == "rank-3" and .type == "Init")][0] | (.first - 1 | fabs) < 1e-9 and
    (.second - 1.2 | fabs) < 1e-9 and (.change - 0.2 | fabs) < 1e-9'
holds "phases" got.json \
    '(.phases | length) >= 3 and (.phases | all((.second / .first - 1.2 | fabs) < 1e-6))'
holds "what phases are" got.json '[.phases[].type] == ["Init", "Compute", "Reduce"]'
cli compare slower.db run.db | head -1 | grep -q '^everything takes 0.8333 times as long' ||
    fail "the other way round"

# A slow rank, for which the others wait: it is named, and of the others that they wait.
cli compare run.db slow_rank.db >got.txt
head -1 got.txt | grep -qE '^the second takes 1\.[0-9]* times as long' || fail "$(head -1 got.txt)"
cli compare run.db slow_rank.db --json >got.json
same "what is named of computing" rank-17 \
    "$(jq -r '.floor.change as $floor | .changes[] | select(.named and .type == "Compute" and
    (.change | fabs) >= $floor) | .node' got.json)"
holds "the phase that is longer" got.json \
    '[.phases[] | select(.change > 0.5) | .type] == ["Compute"]'
like got.txt '^and [0-9]+ changes below [0-9.]+ m?s, [0-9.]+ % of all together'

# What two of many ranks exchange is too little to be seen in all, and is named.
made swapped_low 96 1 3
made swapped_high 96 1 70
cli compare swapped_low.db swapped_high.db >got.txt
for rank in 3 70; do
    like got.txt "  rank-$rank, Compute\$"
done

# Another number of ranks: what a rank has is compared, and the new ones are named.
cli compare run.db more.db >got.txt
head -1 got.txt | grep -q '^everything takes 0.8[0-9]* times as long' || fail "$(head -1 got.txt)"
like got.txt '^only in the second: rank-24, '

# Other ranks are slow, and the clusters of the first are not those of the second.
for hierarchy in 'auto' "$(printf 'resource,path\n*,all/*\n' >h.csv && echo h.csv)"; do
    cli compare --hierarchy "$hierarchy" low.db high.db --json >got.json
    cli compare low.db high.db --json >plain.json
    changes='[.changes[] | select(.node | test("(^|/)rank-[0-9]+$")) | {key: "\(.node | sub(".*/"; "")) \(.type)", value: .change}] | sort_by(.key)'
    same "changes of ranks by $hierarchy" "$(jq -c "$changes" plain.json)" \
        "$(jq -c "$changes" got.json)"
    holds "nothing is in one alone, by $hierarchy" got.json \
        '.first.only == [] and .second.only == []'
    holds "slow ranks, by $hierarchy" got.json \
        '[.changes[] | select(.type == "Compute" and .change > 1 and (.node | test("(^|/)rank-[0-9]+$"))) |
        .node | sub(".*/"; "")] | sort == ["rank-13", "rank-14", "rank-15"]'
done
cli compare --hierarchy auto low.db high.db >got.txt
like got.txt '  3  .*rank-1.*, Compute$'
cli compare --hierarchy auto low.db high.db -o both.svg >/dev/null
[ "$(grep -c 'as in low' both.svg)" -ge 1 ] ||
    fail "the second picture does not say whose hierarchy it has"

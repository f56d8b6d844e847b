# Of each trace of Pajé three readers say the same: pj_dump, export, and one written in Python from
# docs/developer/store.md alone, which finds the running totals in chunks, too. Info has their
# totals: number and summed duration of each value of each type of states and links, and the number
# of variable changes.
need pj_dump jq python3 zstd
python3 -c 'import sqlite3' 2>/dev/null || { echo "skipped: python3 has no sqlite3" && exit 77; }

# Lines of pj_dump -> category, type, value, count, summed duration, separated by tabs.
sum_dump() {
    awk -F ', ' -v OFS='\t' '
        function add(key, duration) { count[key]++; sum[key] += duration }
        $1 == "State" { add("state" OFS $3 OFS $8, $6) }
        $1 == "Link" { add("link" OFS $3 OFS $7, $6) }
        $1 == "Variable" { variables++ }
        END {
            for (key in count) printf "%s\t%d\t%.17g\n", key, count[key], sum[key]
            printf "variable\t\t\t%d\t0\n", variables
        }' | sort
}

# The same of info; types of one name in several places of the hierarchy are one here.
sum_info() {
    cli info --json "$1" | jq -r '
        ([.event_types[] | .category as $c | .name as $t | select($c == "state" or $c == "link") |
        .values[] | select(.count > 0) | [$c, $t, .name, .count, .inclusive]] | group_by(.[0:3])[] |
            .[0][0:3] + [(map(.[3]) | add), (map(.[4]) | add)]),
        ["variable", "", "", ([.event_types[] | select(.category == "variable") | .count] |
        add // 0), 0] | @tsv' | sort
}

# Times are printed with nine digits: each is wrong by half of the last at most, and so is a
# duration, twice over where it is a difference.
compare_sums() {
    paste dump.txt info.txt | awk -F '\t' -v trace="$1" '
        { difference = $5 - $10; difference = difference < 0 ? -difference : difference; seen++ }
        $1 != $6 || $2 != $7 || $3 != $8 || $4 != $9 || difference > 1e-9 * $4 + 1e-12 * $5 {
            print trace ": pj_dump has " $1 " " $2 " " $3 " " $4 " " $5 \
                ", info has " $6 " " $7 " " $8 " " $9 " " $10
            wrong = 1 }
        END { exit wrong || seen < 1 }' >&2 || fail "$1"
}

# Variables are single numbers in pj_dump and double ones here, and what it adds up is rounded each
# time: lines are the same but for that.
compare_variables() {
    join -t $'\t' -j 1 -o 1.1,1.2,2.2 \
        <(sed -n 's/^\(Variable.*\), \([^,]*\)$/\1\t\2/p' dump.txt | sort -t $'\t') \
        <(sed -n 's/^\(Variable.*\), \([^,]*\)$/\1\t\2/p' got.txt | sort -t $'\t') |
        awk -F '\t' -v lines="$(grep -c '^Variable' dump.txt)" '
            { d = $2 - $3; d = d < 0 ? -d : d
              m = $2 < 0 ? -$2 : $2; largest = m > largest ? m : largest }
            d > worst { worst = d }
            END { exit NR < lines || worst > 1e-6 * largest }' || fail "$1: variables"
}

# as_lines WHAT: got.txt has the lines of dump.txt.
as_lines() {
    cmp -s <(grep -v '^Variable' dump.txt) <(grep -v '^Variable' got.txt) ||
        fail "$1: $(diff dump.txt got.txt | head -5)"
    compare_variables "$1"
}

# compare TRACE [reader]: what pj_dump does not read is left out; the reader in Python takes long.
compare() {
    local digits large=no
    unpack "$1" >it.trace
    quiet it.trace -o it.db
    [ "$(wc -l <it.trace)" -lt 200000 ] || large=yes
    for digits in 6 9; do
        [ "$large$digits" != yes6 ] || continue
        pj_dump -l $digits it.trace >dump.raw 2>/dev/null ||
            pj_dump -n -l $digits it.trace >dump.raw 2>/dev/null || return 0
        [ "$large" = no ] || continue
        sort dump.raw >dump.txt
        cli export --format pjdump --digits $digits it.db 2>/dev/null | sort >got.txt
        as_lines "$1, $digits digits"
    done
    if [ -n "${2-}" ]; then
        python3 "$OCELOTL_ROOT/tests/independent_reader.py" --digits 9 it.db 2>got.err |
            sort >got.txt || fail "$1: $(tail -n 2 got.err)"
        sed -i '/^Container/d' dump.txt
        as_lines "$1, the independent reader"
    fi
    compared=$((compared + 1))
    sum_dump <dump.raw >dump.txt
    sum_info it.db >info.txt
    compare_sums "$1"
}

# Of the trace that is broken on purpose pj_dump gets the part that is left when the lines it
# stumbles over are gone.
compare_repaired() {
    awk '/^%|^#/ { print; next } $1 == 10 { made[$3] } $1 == 6 && !($3 in made) { next } {
        print }' "$1" >repaired.trace
    compare "$PWD/repaired.trace"
}

# The events of a trace in four files that the rest names, by their containers:
# what pj_dump reads in the whole.
compare_split() {
    unpack "$1" >whole.trace
    pj_dump -l 9 whole.trace 2>/dev/null | sum_dump >dump.txt
    rm -f part?.trace
    : >part0.trace
    awk '
        /^%EventDef/ { kind[$3] = $2 }
        /^%/ { head = head $0 "\n"; next }
        kind[$1] ~ /^PajeDestroy/ { print >"part3.trace"; next }
        kind[$1] ~ /^Paje(Set|Push|Pop|Reset|Add|Sub|New|Start|End)/ {
            if (!($4 in part)) part[$4] = places++ % 3
            print >("part" part[$4] ".trace")
            next
        }
        { names = names $0 "\n" }
        END {
            printf "%s%%EventDef PajeTraceFile 99\n%%  Filename string\n%%EndEventDef\n%s", head, names
            for (i = 0; i < 4; i++) print "99 part" i ".trace"
        }' whole.trace >main.trace
    : >>part1.trace
    : >>part2.trace
    : >>part3.trace
    cli import --force main.trace -o split.db >/dev/null 2>import.err ||
        { fail "$1 in files: $(cat import.err)" && return 0; }
    sum_info split.db >info.txt
    compare_sums "$1 in files"
}

# Streams of many chunks: nested states, steps of a variable, marks, messages with a size, on a
# clock that turns out to be finer than it first seemed.
long_trace() {
    paje_events DefineContainerType DefineStateType DefineVariableType DefineEventType \
        DefineLinkType CreateContainer DestroyContainer PushState PopState SetVariable NewEvent \
        StartLink+size EndLink
    cat <<'END'
0 T 0 thread
1 S T state
2 V T load
3 E T mark
4 L 0 T T message
5 0 a T 0 alpha
5 0 b T 0 beta
END
    awk 'BEGIN {
        srand(5)
        split("a b", place, " ")
        for (i = 0; i < 40000; i++) {
            ticks += int(rand() * 3) * (i < 24000 ? 100 : 1)
            time = sprintf(i < 24000 ? "%.3f" : "%.5f", ticks / 100000)
            where = place[1 + int(rand() * 2)]
            what = rand()
            if (what < 0.5 && depth[where] < 5) {
                print 7, time, "S", where, "v" int(rand() * 4); depth[where]++ }
            else if (what < 0.7 && depth[where] > 1) { print 8, time, "S", where; depth[where]-- }
            else if (what < 0.8) print 9, time, "V", where, int(rand() * 100)
            else if (what < 0.85) print 10, time, "E", where, "m" int(rand() * 3)
            else if (what < 0.92) print 11, time, "L", 0, "w", where, "k" begun++, int(rand() * 1e6)
            else if (ended < begun) print 12, time, "L", 0, "w", where, "k" ended++
        }
        for (; ended < begun; ended++) print 12, ticks / 100000 + 1, "L", 0, "w", "a", "k" ended
        print 6, ticks / 100000 + 2, "T", "a"
        print 6, ticks / 100000 + 2, "T", "b"
    }'
}

compared=0
long_trace >long.trace
compare "$folder/long.trace" reader
same "are there chunks of two units, and streams of several chunks" "1 1" "$(cli sql --csv it.db \
    'SELECT count(DISTINCT unit) > 1, max(number) > 1 FROM chunk' 2>/dev/null | tail -n 1 |
    tr , ' ')"
compare "$sample" reader
compare "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst"
compare "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst"
compare_split "$sample"
for trace in "$shared"/pajeng-*.trace "$shared"/pajengr-simgrid.trace \
    "$shared"/smpi-lu-700.trace.zst; do
    [ -e "$trace" ] || continue
    case $trace in
    *-events.* | *-links.* | *-native_sample.* | *-states.* | *-variables.*)
        compare "$trace" reader
        ;;
    *) compare "$trace" ;;
    esac
done
[ ! -e "$shared/pajengr-starpu-buggy.trace" ] ||
    compare_repaired "$shared/pajengr-starpu-buggy.trace"
[ "$compared" -ge 4 ] || fail "pj_dump read $compared traces only"

# An import has the totals of pj_dump, an independent reader of Pajé: number and summed duration of
# each value of each state type and link type, and the number of variable changes.
need pj_dump jq

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

# compare TRACE: what pj_dump does not read is left out.
compare() {
    unpack "$1" >it.trace
    pj_dump -l 9 it.trace >dump.raw 2>/dev/null || pj_dump -n -l 9 it.trace >dump.raw 2>/dev/null ||
        return 0
    compared=$((compared + 1))
    sum_dump <dump.raw >dump.txt
    cli import --force it.trace -o it.db >/dev/null 2>import.err ||
        { fail "$1: $(cat import.err)" && return 0; }
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

compared=0
compare "$sample"
compare "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst"
compare "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst"
compare_split "$sample"
for trace in "$shared"/pajeng-*.trace "$shared"/pajengr-simgrid.trace \
    "$shared"/smpi-lu-700.trace.zst; do
    [ ! -e "$trace" ] || compare "$trace"
done
[ ! -e "$shared/pajengr-starpu-buggy.trace" ] ||
    compare_repaired "$shared/pajengr-starpu-buggy.trace"
[ "$compared" -ge 3 ] || fail "pj_dump read $compared traces only"

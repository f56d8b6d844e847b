# stats adds up what pj_dump prints: of the whole trace, a window, and some of the resources; as a
# table, CSV and JSON.
need jq

example

# The events as pj_dump prints them: by itself where it is there, else by export, which is tested to
# print the same.
if command -v pj_dump >/dev/null; then
    unpack "$sample" >it.trace
    pj_dump -l 9 it.trace >dump.txt
else
    cli export --format pjdump --digits 9 trace.db >dump.txt
fi
[ "$(grep -c '^State' dump.txt)" -gt 10000 ] || fail "too few states in the dump"

# sums FROM TO CONTAINER_PATTERN: of the states, a line a value: name, begun, ended, time in the
# window, and of those that end in it the mean, smallest and largest duration.
sums() {
    awk -F ', ' -v from="$1" -v to="$2" -v pattern="$3" '
        $1 == "State" && $2 ~ pattern {
            b = $4 + 0; e = $5 + 0; v = $8
            if (b > to || e < from) next
            l = (e < to ? e : to) - (b > from ? b : from)
            time[v] += l
            begun[v] += b >= from
            if (e > to) next
            if (ended[v]++ == 0 || e - b < min[v]) min[v] = e - b
            if (ended[v] == 1 || e - b > max[v]) max[v] = e - b
            all[v] += e - b
        }
        END { for (v in time) if (time[v] > 0 || begun[v] > 0 || ended[v] > 0)
            printf "%s %d %d %.9f %.9f %.9f %.9f\n", v, begun[v], ended[v], time[v],
                ended[v] ? all[v] / ended[v] : 0, min[v], max[v] }' dump.txt | sort
}

# of the same, what stats says.
said() { awk -F , \
    '$1 == "state" && $4 == 0 { printf "%s %d %d %.9f %.9f %.9f %.9f\n", $3, $5, $6, $8, $10, $11, $12 }' |
    sort; }

# compare WHAT FROM TO PATTERN ARGUMENT...
compare() {
    local what=$1
    sums "$2" "$3" "$4" >wanted.txt
    shift 4
    cli stats --csv --extremes "$@" trace.db >got.csv
    said <got.csv >got.txt
    [ -s wanted.txt ] || fail "$what: nothing is wanted"
    paste -d ' ' wanted.txt got.txt | awk '
        { wrong = NF != 14 || $1 != $8 || $2 != $9 || $3 != $10
          for (i = 4; i <= 7; i++) {
              d = $i - $(i + 7); wrong = wrong || d > 2e-9 * NR + 1e-7 || -d > 2e-9 * NR + 1e-7 }
          if (wrong) { print; bad = 1 } }
        END { exit bad }' >wrong.txt || fail "$what: $(head -2 wrong.txt)"
}

compare whole -1 1000 .
compare window 0.1 0.2 . --from 0.1 --to 0.2
compare beginning -1 0.05 . --to 0.05
compare "a short window" 0.15 0.1502 . --from 0.15 --to 0.1502
path=$(cli sql --csv trace.db "SELECT resource FROM events WHERE category = 'state' LIMIT 1" |
    tail -1)
other=$(cli sql --csv trace.db \
    "SELECT resource FROM events WHERE category = 'state' AND resource <> '$path' LIMIT 1" |
    tail -1)
compare "one resource" 0.1 0.25 "^${path##*/}\$" --from 0.1 --to 0.25 --resource "$path"
compare "two resources, one of them twice" -1 1000 "^(${path##*/}|${other##*/})\$" \
    --resource "$path" --resource "$other" --resource "$path"

# Links, by number and time in flight.
cli stats --csv --type MPI_LINK trace.db >got.csv
same "links" "$(awk -F ', ' '$1 == "Link" { n++; t += $6 } END { printf "%d %.6f", n, t }' \
    dump.txt)" "$(awk -F , '$1 == "link" && $4 == 1 { printf "%d %.6f", $6, $19 }' got.csv)"

# Shares are of the resources' lives: with the time in no state they are all of it.
cli stats --json trace.db >got.json
holds "shares" got.json '.types[] | select(.category == "state") |
    ([.values[].share] | add) as $sum | ($sum - .share | fabs) < 1e-9 and
    (.innermost / .lived - .share | fabs) < 1e-9 and ([.values[].innermost] | . == (sort |
    reverse))'
holds "whole window" got.json '.from == 0 and .resources > 96 and .selected == []'
cli stats --from 0.1 --to 0.2 --resource "$path" -o part.json trace.db
holds "window" part.json \
    '.from == 0.1 and .to == 0.2 and .selected == [$path] and .resources == 1' --arg path "$path"
cli stats --from 0.1 --to 0.2 --resource "$path" trace.db >table.txt
like table.txt '^window     100 ms to 200 ms \(100 ms\)$' "^resources  1: $path\$"
refused 1 '--from is 5, and the trace goes from @0 s to @0.289213 s (0.289213 s)' stats --from 5 \
    trace.db

refused 1 'no resource "nowhere"' stats --resource nowhere trace.db
refused 1 'no event type "Nothing"' stats --type Nothing trace.db
refused 1 '--from is 2, after --to, which is 1' stats --from 2 --to 1 trace.db
refused 1 '--from is 50%, after --to, which is 1us' stats --from 50% --to 1us trace.db
refused 1 '--from 1.2us and --to 1.4us leave no tick of the trace between them' stats --from 1.2us \
    --to 1.4us trace.db
refused 2 '--from is "x"' stats --from x trace.db
refused 2 'exclude each other' stats --csv --json trace.db
# As bars.
cli stats trace.db -o bars.svg
has bars.svg '<title>PMPI_Allreduce'
cli stats --theme dark trace.db -o bars.png
same "a PNG" 89504e47 "$(head -c 4 bars.png | od -An -v -tx1 | tr -d ' \n')"

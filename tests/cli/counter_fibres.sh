# Counters of fibres, read at each switch: totals, two parts of a ratio, growth by function; and the
# example program where PAPI counts.
need jq
ratio='1000 * PAPI_L1_DCM / PAPI_TOT_INS'
quiet "$OCELOTL_ROOT/tests/data/fibres.csv" --increment 'PAPI_*' -o fibres.db
sums() { awk -F, -v type="$1" '$2 == type {sum[$1] += $3}
    END {for (name in sum) print name "," sum[name]}' "$OCELOTL_ROOT/tests/data/fibres.csv" |
    sort; }
for counter in PAPI_TOT_INS PAPI_L1_DCM; do
    cli export --format matrix --metric counter --only $counter --slices 7 \
        --hierarchy trace fibres.db 2>/dev/null |
        awk -F, 'NR > 1 {sum[$1] += $4}
            END {for (name in sum) printf "%s,%.0f\n", name, sum[name]}' |
        sort >got.txt
    sums $counter | diff - got.txt >diff.txt || fail "$counter: $(cat diff.txt)"
done
cli --metric "$ratio" --slices 8 --p 0.5 --json fibres.db >parts.json 2>/dev/null
holds "two parts" parts.json '[.parts[] | .node] == ["fibre 0, 2", "fibre 1, 3"]'
holds "as misses by instructions" parts.json '[.parts[].values[]] | . == [32, 649.2]'
for form in csv json text; do
    cli parts --metric "$ratio" --slices 8 --p 0.5 $([ $form = text ] || echo --$form) fibres.db \
        >parts.$form 2>/dev/null
done
holds "as a list of parts" parts.json '[.parts[].share] == [32, 649.2]'
same "as a table of parts" "32 649.2" "$(python3 -c 'import csv
print(*[row["share"] for row in csv.DictReader(open("parts.csv"))])')"
like parts.text ' 32  1000 \* PAPI_L1_DCM'
cli brief --metric "$ratio" --slices 8 --p 0.5 fibres.db 2>/dev/null | grep -q '[*]1 649$' ||
    fail "brief has sums, not what is drawn"

# By function: what the counter grew by while each state was open, exact where it is read at both
# ends of a state; per call, per second; the whole is last less first.
cli stats --counter PAPI_TOT_INS --json fibres.db >stats.json || fail "stats --counter"
holds "by function" stats.json '[.rows[] | [.state, .calls, .growth, .inclusive, .spread]] ==
    [["(all)", 32, 537200000, 537200000, 0], ["rows", 16, 268600000, 268600000, 0],
     ["columns", 16, 268600000, 268600000, 0], ["(no state)", 0, 0, 0, 0]]'
holds "each" stats.json '.rows[1] | .per_call == 16787500 and
    (.per_second * .time / .growth - 1 | fabs) < 1e-12'
printf 'resource,type,value,begin,end\nr,s,f,0,10\nr,s,g,2,4\n' >nested.csv
printf 'r,c,0,0,\nr,c,40,4,\nr,c,60,10,\n' >>nested.csv
quiet nested.csv --increment c -o nested.db
cli stats --counter c --json nested.db >stats.json
holds "nested" stats.json '[.rows[] | [.state, .calls, .growth, .inclusive, .spread]] ==
    [["(all)", 2, 100, 100, 0.4], ["f", 1, 80, 100, 0.25], ["g", 1, 20, 20, 1]]'
cli stats --counter c --counter-step --json nested.db >stats.json
holds "in steps" stats.json '[.rows[] | [.state, .calls, .growth, .inclusive, .spread]] ==
    [["(all)", 2, 100, 100, 0], ["f", 1, 60, 100, 0], ["g", 1, 40, 40, 0]]'
cli stats --counter c --from 3 --to 6 --csv nested.db >stats.csv
same "in a window" "(all),2,3,30 f,1,2,20 g,1,1,10" "$(tail -n +2 stats.csv | cut -d, -f1-4 | line)"
cli stats --counter c nested.db -o stats.svg || fail "bars"
refused 1 'has no counter "PAPI_TOT_INT"; the nearest is "PAPI_TOT_INS"' \
    stats --counter PAPI_TOT_INT fibres.db

# The same of a run on this machine, with what its processor says.
cc=$(command -v cc gcc | head -n 1 || true)
library=$(dirname "$(find "$OCELOTL_BUILD" -maxdepth 1 -name 'libocelotl.so*' | head -n 1)")
if [ -n "$cc" ] && "$cc" -std=c11 -D_GNU_SOURCE -O1 -I"$OCELOTL_ROOT/include" \
    "$OCELOTL_ROOT/examples/record_fibres.c" -L"$library" -locelotl -lpapi -o record 2>/dev/null &&
    LD_LIBRARY_PATH=$library ./record run.db 2>/dev/null; then
    cli --metric "$ratio" --slices 1 --p 0.5 --json run.db >parts.json 2>/dev/null
    holds "two parts of a run" parts.json \
        '[.parts[] | .node] | sort == ["fibre 0, 2", "fibre 1, 3"]'
fi

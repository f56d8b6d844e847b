# Counters of fibres, read at each switch: totals, two parts of a ratio, and the example program where
# PAPI counts.
need jq
ratio='1000 * PAPI_L1_DCM / PAPI_TOT_INS'
quiet "$OCELOTL_ROOT/tests/data/fibres.csv" --increment 'PAPI_*' -o fibres.db
sums() { awk -F, -v type="$1" '$2 == type {sum[$1] += $3}
    END {for (name in sum) print name "," sum[name]}' "$OCELOTL_ROOT/tests/data/fibres.csv" | sort; }
for counter in PAPI_TOT_INS PAPI_L1_DCM; do
    cli export --format matrix --metric counter --only $counter --slices 7 \
        --hierarchy trace fibres.db 2>/dev/null |
        awk -F, 'NR > 1 {sum[$1] += $4} END {for (name in sum) printf "%s,%.0f\n", name, sum[name]}' |
        sort >got.txt
    sums $counter | diff - got.txt >diff.txt || fail "$counter: $(cat diff.txt)"
done
cli --metric "$ratio" --slices 8 --p 0.5 --json fibres.db >parts.json 2>/dev/null
holds "two parts" parts.json '[.parts[] | .node] == ["fibre 0, 2", "fibre 1, 3"]'
holds "as misses by instructions" parts.json '[.parts[].values[]] | . == [32, 649.2]'

# The same of a run on this machine, with what its processor says.
cc=$(command -v cc gcc | head -n 1 || true)
library=$(dirname "$(find "$OCELOTL_BUILD" -maxdepth 1 -name 'libocelotl.so*' | head -n 1)")
if [ -n "$cc" ] && "$cc" -std=c11 -D_GNU_SOURCE -O1 -I"$OCELOTL_ROOT/include" \
    "$OCELOTL_ROOT/examples/record_fibres.c" -L"$library" -locelotl -lpapi -o record 2>/dev/null &&
    LD_LIBRARY_PATH=$library ./record run.db 2>/dev/null; then
    cli --metric "$ratio" --slices 1 --p 0.5 --json run.db >parts.json 2>/dev/null
    holds "two parts of a run" parts.json \
        '[.parts[] | .node] | . == ["fibre 0, 2", "fibre 1, 3"] or . == ["fibre 1, 3", "fibre 0, 2"]'
fi

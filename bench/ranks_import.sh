#!/usr/bin/env bash
# Prints how long one rank and several take to import an OTF2 archive as a run, in turn, with the
# medians of five and the efficiency, by the clock and by the processor's time of the slowest rank:
# bench/ranks_import.sh BUILD RANKS [RECORDS]. Each rank has a processor.
set -euo pipefail
build=$(realpath "$1") ranks=$2 records=${3:-8000000}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$build/bench/bench_archive" "$records" "$folder" >/dev/null
for _ in 1 2 3 4 5; do
    for count in 1 "$ranks"; do
        rm -rf run.ocelotl
        begin=$(date +%s.%N)
        mpirun --bind-to core -n "$count" /usr/bin/time -a -o times -f "$count %U %S" \
            "$build/ocelotl-mpi" import --threads 1 --shards "$ranks" bench.otf2 \
            -o run.ocelotl >/dev/null 2>&1
        awk -v count="$count" -v begin="$begin" \
            -v end="$(date +%s.%N)" '{ if ($2 + $3 > slowest) slowest = $2 + $3 }
            END { print count, end - begin, slowest }' times
        rm times
    done
done | awk -v ranks="$ranks" '
    { walls[$1, ++count[$1]] = $2; slowest[$1, count[$1]] = $3 }
    function median(list, of, i, j, n, sorted, swap) {
        n = count[of]
        for (i = 1; i <= n; i++) sorted[i] = list[of, i]
        for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (sorted[j] < sorted[i]) {
            swap = sorted[i]; sorted[i] = sorted[j]; sorted[j] = swap }
        return sorted[int((n + 1) / 2)]
    }
    function tell(what, list, one, many) {
        one = median(list, 1); many = median(list, ranks)
        printf "%-15s 1 rank %6.2f s, %d ranks %6.2f s, efficiency %.2f\n", what, one, ranks, many,
            one / many / ranks
    }
    END { tell("by the clock", walls); tell("slowest rank", slowest) }'

#!/usr/bin/env bash
# Prints what one rank takes and what several take, in turn, with the medians and the efficiency:
# bench/ranks.sh BUILD RANKS [LEAVES [SLICES [temporal]]].
set -euo pipefail
program=$1/bench/ocelotl-bench-ranks ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
for _ in 1 2 3 4 5; do
    for count in 1 "$ranks"; do
        mpirun --oversubscribe -n "$count" "$program" "$@" | sed "s/^/$count /"
    done
done | awk -v ranks="$ranks" '
    $3 == "parts," { next } # their hash
    { two = $2 != "measures"; name = two ? $2 " " $3 : $2; at = two ? 4 : 3
      if (!(name in seen)) { seen[name] = 1; order[++names] = name }
      key = name SUBSEP $1; values[key, ++count[key]] = $at; bytes[name] = $(at + 6) }
    function median(key, i, j, n, swap, list) {
        n = count[key]
        for (i = 1; i <= n; i++) list[i] = values[key, i]
        for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (list[j] < list[i]) {
            swap = list[i]; list[i] = list[j]; list[j] = swap }
        return list[int((n + 1) / 2)]
    }
    END { for (i = 1; i <= names; i++) {
        one = median(order[i] SUBSEP 1); many = median(order[i] SUBSEP ranks)
        printf "%-9s 1 rank %8.4f s, %d ranks %8.4f s, efficiency %.2f, %d bytes passed\n",
            order[i], one, ranks, many, one / many / ranks, bytes[order[i]] } }'

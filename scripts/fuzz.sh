#!/usr/bin/env bash
# Builds the fuzz targets (clang, libFuzzer, the sanitizers) in build-sanitize and runs each for
# some time, from the inputs in tests/fuzz/regressions and from parts of the traces of this
# repository; as many at a time as there are processors.
#
#   scripts/fuzz.sh [SECONDS [TARGET...]]
#
# SECONDS is the time for each target (default: 10), TARGET one of paje, chrome, speedscope, csv,
# gstreamer, paraver, perf, ftrace, trace_dat, picl, swf, numa_maps, perf_stat, heaptrack, nsys,
# rocpd, spark, jfr, firefox, spans, perfetto, xplane, otf2, ctf, ways, chunk, edits, model, serve,
# exports, tree (default: all but otf2).
# A SEED in the environment makes the same inputs again; without one they are others each time. RUNS
# is the most inputs for each target, so that a faster machine tries no others.
#
# The library of OTF2, whose code is not ours to mend, does not check all that it reads: otf2 runs
# only where it is named, without looking for leaks, and with as much memory as a file asks for. Its
# regressions are tests, as those of all targets are.
#
# Findings are in build-sanitize/found; move an input to tests/fuzz/regressions when its bug is
# fixed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
shift $(($# > 0 ? 1 : 0))
[ $# -gt 0 ] ||
    set -- spark firefox jfr paje chrome speedscope csv gstreamer paraver perf ftrace \
        trace_dat picl swf numa_maps perf_stat heaptrack spans nsys rocpd perfetto xplane ctf \
        ways chunk edits model serve exports tree

CC=clang TARGET=fuzz scripts/build.sh build-sanitize -DOCELOTL_FUZZ=ON -DOCELOTL_SANITIZE=ON \
    -DOCELOTL_WERROR=ON -DOCELOTL_TESTS=ON -DOCELOTL_BENCH=ON \
    -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O1 -g" >/dev/null
# In memory if possible: nothing here needs a disk. A target that crashes leaves its files here,
# too.
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
folder=$(mktemp -d -p "$memory")
trap 'rm -rf "$folder"' EXIT
mkdir -p build-sanitize/found

# A target starts from its regressions; a function make_TARGET adds more inputs or options to them.
# The first byte of a Paje input chooses the options, see tests/fuzz/import.c.
make_paje() {
    { printf '\001' && head -c 9000 "$folder/stencil.trace"; } >"$folder/paje/stencil"
    { printf '\000' && head -n 150 "$folder/stencil.trace"; } >"$folder/paje/head"
}

# The same, with a size of blocks behind the options, see tests/fuzz/ways.c.
make_ways() {
    { printf '\011\040' && head -c 9000 "$folder/stencil.trace"; } >"$folder/ways/stencil"
    { printf '\020\010' && head -n 150 "$folder/stencil.trace"; } >"$folder/ways/head"
}

# A chunk: its role, unit, the length of its totals, its totals, its events, see tests/fuzz/chunk.c.
make_chunk() {
    local input
    tail -c +2 tests/fuzz/regressions/paje/sample >"$folder/sample.trace"
    for input in sample stencil; do
        build-sanitize/ocelotl-cli import --lenient "$folder/$input.trace" -o "$folder/$input.db" \
            >/dev/null 2>&1
        sqlite3 "$folder/$input.db" "
            SELECT count(writefile('$folder/chunk/$input-' || chunk.rowid, CAST(char(role, 0) ||
                char(length(totals), 0) || CAST(totals AS TEXT) || CAST(events AS TEXT) AS BLOB)))
            FROM chunk JOIN stream ON stream.id = stream WHERE length(totals) < 128
            AND chunk.rowid % 40 < 20" >/dev/null
    done
}

# Edits of each of the three traces, see tests/fuzz/edits.c.
make_edits() {
    local trace edit
    for trace in 0 1 2; do
        for edit in 0 1 2 3 4 5 6 7 8 9 10 11; do
            printf '%b' "\\x0$trace\\x01\\x$(printf %02x "$edit")\\x05\\x03\\x0c\\x02\\x01" \
                >"$folder/edits/$trace-$edit"
        done
    done
}

# Edits of an archive that the target makes, see tests/fuzz/otf2.c.
make_otf2() {
    # The sanitizer takes an eighth of what is asked for.
    options=(-detect_leaks=0 -malloc_limit_mb=100000000 -rss_limit_mb=6000 -max_len=61
        -len_control=0)
}

# Edits of a trace that the target makes, see tests/fuzz/ctf.c.
make_ctf() {
    options=(-max_len=61 -len_control=0)
}

fuzz_target() {
    local target=$1 options=(-max_len=20000)
    mkdir "$folder/$target" "$folder/$target-grown"
    cp tests/fuzz/regressions/"$target"/* "$folder/$target"
    if declare -F "make_$target" >/dev/null; then
        "make_$target"
    fi
    TMPDIR=$folder build-sanitize/tests/fuzz/"fuzz_$target" -max_total_time="$seconds" \
        -timeout=20 -rss_limit_mb=2048 -seed="${SEED:-0}" -runs="${RUNS:--1}" \
        "${options[@]}" \
        -print_final_stats=1 -verbosity=1 -artifact_prefix="build-sanitize/found/$target-" \
        "$folder/$target-grown" "$folder/$target" >"$folder/$target.log" 2>&1 ||
        { grep -vE '^#[0-9]+' "$folder/$target.log" | tail -n 60 && return 1; }
    echo "fuzzed $target for $seconds s, from $(find "$folder/$target" -type f | wc -l) inputs:" \
        "$(grep -E 'new_units_added|number_of_executed' "$folder/$target.log" | paste -sd ' ')"
}

zstd -dcq examples/smpi-stencil-96.trace.zst >"$folder/stencil.trace"
running=0
failed=false
for target in "$@"; do
    if [ "$running" -eq "$(nproc)" ]; then
        wait -n || failed=true
        running=$((running - 1))
    fi
    fuzz_target "$target" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=true
    running=$((running - 1))
done
! $failed

#!/usr/bin/env bash
# Checks layout (clang-format, pycodestyle), a few classes of defects (clang-tidy, see .clang-tidy;
# pyflakes, mypy), the arrows between the rooms (docs/developer/conventions.md), and the size of
# files and lines.
#
#   scripts/lint.sh           all of it; clang-tidy reads what differs from the commit in .ci/tidied
#   scripts/lint.sh --quick   all but clang-tidy
#   scripts/lint.sh --full    clang-tidy reads every file; if it finds nothing, .ci/tidied has
#                             the commit
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-dependencies.sh --tests
failed=false

# Lists the existing files of the project: tracked, or new and not ignored; without git, those
# outside build directories.
list_files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard -- "$@"
    else
        local arguments=()
        for pattern in "$@"; do arguments+=(-o -name "$pattern"); done
        find . -path './build*' -prune -o -type f \( -false "${arguments[@]}" \) -print | cut -c 3-
    fi | while read -r file; do [ ! -f "$file" ] || echo "$file"; done | sort -u
}

check_layout() {
    list_files '*.c' '*.h' | xargs clang-format --dry-run -Werror
}

# The quoted includes that each room may have; public headers (<ocelotl/...>) are open to all.
# RESULTS are the headers of results that have no public one.
check_directions() {
    local room allowed name formats found=true
    formats=$(printf '%s\n' importers/*/ | cut -d / -f 2 | grep -Evx 'common|ingest|nsys')
    local results='(aggregate/(explanation|hierarchies|memory)|compare/(check|compare)|explain/explain|quality/(causality|clocks|derive|perturbation|waiting)|query/(allocations|counter_profile|drawables|durations|events|messages|search|silences|steps)|series/derived|types/lookup)\.h'
    while read -r room allowed; do
        allowed=${allowed/RESULTS/$results}
        for name in $([[ $room == *FORMAT ]] && echo "$formats" || echo all); do
            if list_files '*.c' '*.h' | grep "^${room/FORMAT/$name}/" |
                xargs -r grep -Hn '^ *# *include *"' |
                grep -Ev "include *\"(${allowed/FORMAT/$name})"; then
                echo "$room/ includes what it may not; allowed are only: $allowed" >&2
                found=false
            fi
        done
    done <<'END'
include       nothing
engine/base         base/
engine/base/file    base/([a-z]*\.h|file/)
engine/store/codec  (base|store/codec)/
engine/store/file   (base|store/file)/
engine/store/trace  (base|store/(codec|file|trace))/
engine/store/select (base|store/(codec|file|trace|select))/
engine/store/read   (base|store/(codec|file|trace|select|read))/
engine/store/write  (base|store/(codec|file|write))/
engine/store/copy   (base|store/(codec|file|trace|read|write|copy))/
engine/store/verify (base|store)/
engine/types  (base|types)/
engine/model  (base|store|model)/|types/lookup.h|quality/waiting.h
engine/model/core      (base|store|model/core)/
engine/model/metrics   (base|store|model/(core|metrics))/|types/lookup.h|quality/waiting.h
engine/model/hierarchy (base|store|model/(core|hierarchy))/
engine/series  (base|store|model/(core|metrics)|series)/|quality/transit.h
engine/compare (base|model|compare)/|aggregate/explanation.h
engine/query/events     (base|store|query/events)/|query/events.h
engine/query/sql        (base|store|query/(events|sql))/
engine/query/search     (base|store|query/search)/|query/search.h
engine/query/drawables  (base|store|query/drawables)/|query/drawables.h
engine/query/durations  (base|store|query/durations)/|query/durations.h
engine/query/allocations (base|store|query/allocations)/|query/allocations.h
engine/query/silences   (base|store|query/silences)/|query/(events|silences).h
engine/query/steps      (base|store|query/steps)/|query/(events|steps).h
engine/query/statistics (base|store|query/statistics)/
engine/query/messages   (base|store|query/messages)/|query/messages.h
engine/aggregate (base|aggregate)/
engine/aggregate/vector   (base|aggregate/vector)/
engine/aggregate/problem  (base|aggregate/(vector|problem))/
engine/aggregate/measures (base|aggregate/(vector|problem|measures))/
engine/aggregate/solver   (base|aggregate/(vector|problem|measures|solver))/
engine/aggregate/extract  (base|aggregate/(vector|problem|measures|solver|extract))/|aggregate/explanation.h
engine/aggregate/levels   (base|aggregate/(vector|problem|measures|solver|extract|levels))/|aggregate/hierarchies.h
engine/quality (base|store|quality)/
engine/quality/clocks (base|store|quality/(clocks|collectives|derive))/|quality/(clocks|derive).h
engine/quality/collectives (base|store|quality/collectives)/
engine/quality/derive (base|store|quality/derive)/|quality/derive.h
engine/quality/perturbation (base|store|quality/(collectives|derive|perturbation))/|quality/(derive|perturbation).h
engine/quality/waiting (base|store|quality/(collectives|waiting))/|quality/waiting.h
engine/notes  (base|notes)/
engine/folder (base|folder)/
engine/explain (base|store|explain)/|look/idle.h|quality/waiting.h
engine/look    (base|look)/|model/core/model.h
engine/answer (base|look|answer)/|RESULTS|folder/folder.h
importers     (base|importers)/|store/file/tables.h
importers/common (base|importers/common)/
importers/ingest (base|importers/(common|ingest))/|importers/importer.h
importers/FORMAT (base|importers/(common|ingest|FORMAT))/|importers/importer.h
importers/nsys (base|importers/(common|ingest|nsys))/|importers/importer.h|store/file/tables.h
viz           (base|look|viz)/|RESULTS
viz/words      (base|viz/words)/
viz/colour     (base|viz/(words|colour))/|types/lookup.h
viz/scene      (base|viz/(words|colour|scene))/
viz/frame      (base|viz/(words|colour|scene|frame))/|types/lookup.h
viz/overview   (base|look|viz/(words|colour|scene|frame|overview|treemap))/|viz/pictures.h
viz/treemap    (base|look|viz/(words|colour|scene|frame|overview|treemap))/
viz/gantt      (base|viz/(words|colour|scene|frame|gantt))/|viz/pictures.h|query/drawables.h
viz/curves     (base|viz/(words|colour|scene|frame|curves))/|viz/pictures.h|aggregate/hierarchies.h
viz/statistics (base|viz/(words|colour|scene|frame|statistics))/
viz/durations  (base|viz/(words|colour|scene|frame|durations))/|viz/pictures.h|query/durations.h
viz/clocks     (base|viz/(words|colour|scene|frame|clocks))/|viz/pictures.h|quality/clocks.h
viz/messages   (base|viz/(words|colour|scene|frame|messages))/|viz/pictures.h|query/messages.h
viz/bars       (base|viz/(words|colour|scene|frame|bars))/
viz/compare    (base|look|viz/(words|colour|scene|frame|overview|compare))/|viz/pictures.h|compare/compare.h
request       (base|request)/|RESULTS|look/(idle|steps).h|answer/(answer|table)\.h|viz/(bars/bars|pictures)\.h
request/options (base|request/options)/|types/lookup.h
cli           cli/|[a-z_]*\.h
server        server/|[a-z_]*\.h
examples      nothing
python        nothing
bench         (base|store|model|importers)/|query/drawables.h|tests/faults/faults\.h|mpi/exchange\.h|aggregate/extract/solution\.h|[a-z_]*\.h
END
    $found
}

# No two sources, folders or headers use each other, directly or round.
check_circles() {
    scripts/build.sh build >/dev/null
    scripts/circles.py build
}

check_sizes() {
    local long
    long=$(list_files '*.c' '*.h' '*.sh' '*.cmake' '*CMakeLists.txt' |
        xargs awk 'FNR == 901 { print FILENAME }')
    [ -z "$long" ] || { echo "more than 900 lines: $long" >&2 && false; }
}

# Columns are characters, not bytes.
check_width() {
    list_files '*.c' '*.h' '*.sh' '*.inc' '*.cmake' '*CMakeLists.txt' '*.py' '*.awk' \
        '*.js' '*.css' | xargs scripts/width.py
}

# Messages may hold names of a trace: cli_say names the characters that a terminal would obey.
check_messages() {
    ! list_files '*.c' | grep -E '^cli/' | grep -vE '^cli/shell/(messages|progress)\.c$' |
        xargs grep -nE '\b(fprintf|fputs|perror)\(.*stderr' ||
        { echo "these print to standard error past cli_say" >&2 && false; }
}

# The library ignores the locale of the program around it (engine/base/plain.h).
check_locale() {
    ! list_files '*.c' | grep -E '^(engine|viz|importers)/' | grep -v '^engine/base/plain\.c$' |
        xargs grep -nE '\b((strtod|strtof|atof|localeconv|strn?casecmp|tolower|toupper)\(|v?snprintf\([^;]*%[-+0-9.*]*[eEfFgG]\b)' ||
        { echo "these follow the locale; base/plain.h does not" >&2 && false; }
}

# Layout, names that nobody uses, and types.
check_python() {
    list_files '*.py' | xargs pycodestyle --max-line-length=100 --ignore=E203,W503,W504
    list_files '*.py' | xargs pyflakes3
    (cd python && mypy --cache-dir=/dev/null -p ocelotl >/dev/null ||
        mypy --cache-dir=/dev/null -p ocelotl)
}

# Lists the sources that clang-tidy reads: all, or those that differ from the commit in .ci/tidied;
# for a header that differs, the first source that includes it.
list_sources() {
    local base header
    base=$(cat .ci/tidied 2>/dev/null) || base=
    if [ "$1" = --full ] || ! git cat-file -e "$base^{commit}" 2>/dev/null; then
        list_files '*.c'
    else
        git diff --name-only --diff-filter=d "$base" -- '*.c'
        git ls-files --others --exclude-standard -- '*.c'
        git diff --name-only --diff-filter=d "$base" -- '*.h' | while read -r header; do
            list_files '*.c' | xargs grep -lE "include [\"<](.*/)?${header##*/}[\">]" |
                head -n 1 || true
        done
    fi | sort -u | sed -E '/^(examples|python|tests\/data)\//d'
}

check_defects() {
    CC=clang cmake -S . -B build-sanitize -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
        -DOCELOTL_SANITIZE=ON -DOCELOTL_FUZZ=ON -DOCELOTL_TESTS=ON -DOCELOTL_BENCH=ON >/dev/null
    # One file at a time: of several, clang-tidy 14 takes va_list for uninitialised in all but the
    # first.
    list_sources "$mode" | xargs -r -P "$(nproc)" -n 1 clang-tidy --quiet -p build-sanitize 2> \
        >(grep -Ev '^[0-9]+ warnings? ' >&2) || return 1
    if [ "$mode" = --full ] && git diff --quiet HEAD; then
        git rev-parse HEAD >.ci/tidied
    fi
}

# native.c stands in a module that cffi writes: what comes before it there is put before it here.
check_module() {
    local before sound=true
    before=$(mktemp --suffix=.h)
    printf '#include <stdint.h>\n#include <Python.h>\n' >"$before"
    (cd python && /usr/bin/python3 -B -c '
import build_native
print(build_native.prefixed("extern", build_native.CALLED))') >>"$before"
    clang-tidy --quiet python/native.c -- -std=c11 -D_GNU_SOURCE -DPy_LIMITED_API=0x03090000 \
        -Iinclude -include "$before" \
        $(pkg-config --cflags python3) 2> >(grep -Ev '^[0-9]+ warnings? ' >&2) || sound=false
    rm -f "$before"
    $sound
}

# Every file says whose it is, by what licence. Before version 4 reuse knew no REUSE.toml.
check_licences() {
    [[ $(reuse --version 2>/dev/null | head -n 1) =~ \ ([4-9]|[0-9]{2,})\. ]] || return 0
    reuse lint --lines
}

checks="check_layout check_directions check_circles check_sizes check_width check_messages check_locale check_python"
checks+=" check_licences"
mode=${1-}
[ "$mode" = --quick ] || checks="$checks check_defects check_module"
for check in $checks; do
    echo "$check"
    begin=$SECONDS
    $check || failed=true
    [ $((SECONDS - begin)) -lt 5 ] || echo "$check: $((SECONDS - begin)) s"
done
! $failed || { echo "the lint check failed" >&2 && exit 1; }
echo "the lint check passed"

# The library exports what its headers declare, and nothing else; each header stands alone.
need nm
library=$OCELOTL_BUILD/libocelotl.so
headers=$OCELOTL_ROOT/include
[ -f "$library" ] || { echo "skipped: the library is not a shared one" && exit 77; }

# A declaration may take several lines; its name is what stands before the first bracket.
sed 's|/\*.*\*/||' "$headers"/ocelotl/*.h | grep -v '^ *#' | tr '\n' ' ' |
    grep -oE 'OCELOTL_API [^;(]*\(' | sed -E 's/.*[ *]([a-z0-9_]+)\($/\1/' | sort >declared
nm --dynamic --extern-only --defined-only --portability "$library" | cut -d ' ' -f 1 |
    grep -vE '^(_init|_fini|__asan.*|__odr.*|___asan.*)$' | sort >exported
[ "$(wc -l <declared)" -gt 100 ] || fail "few declarations were found: $(wc -l <declared)"
same "declared and not exported" "" "$(comm -23 declared exported)"
same "exported and not declared" "" "$(comm -13 declared exported)"
same "declared twice" "" "$(uniq -d declared)"

for header in "$headers"/ocelotl/*.h; do
    name=${header##*/}
    [ "$name" = ocelotl.h ] || grep -q "include <ocelotl/$name>" "$headers/ocelotl/ocelotl.h" ||
        fail "ocelotl.h does not include $name"
    echo "#include <ocelotl/$name>" >alone.c
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$headers" alone.c ||
        fail "$name does not stand alone"
    if command -v c++ >/dev/null 2>&1; then
        cp alone.c alone.cc
        c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I "$headers" alone.cc ||
            fail "$name is not for C++"
    fi
done

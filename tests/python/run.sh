# The Python package: it is built against the installed library in a virtual environment, and does
# what its tests say. Skipped where Python has no cffi, setuptools or pytest.
#
# With the sanitizers, the module is built with them, too, and those tests run that read and write
# what the library has allocated. Python itself leaks; what is ours must not.
set -euo pipefail

python=
for found in python3 /usr/bin/python3; do
    if "$found" -c 'import cffi, setuptools, wheel, pytest, hypothesis, venv' 2>/dev/null; then
        python=$(command -v "$found")
        break
    fi
done
[ -n "$python" ] || exit 77

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags="-Wall -Wextra -Wno-unused -Werror"
tests=("$OCELOTL_ROOT/tests/python")
before=()
if grep -q '^OCELOTL_SANITIZE:BOOL=ON' "$OCELOTL_BUILD/CMakeCache.txt"; then
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$OCELOTL_BUILD/CMakeCache.txt")
    # The libraries below are those of gcc.
    grep -q 'set(CMAKE_C_COMPILER_ID "GNU")' "$OCELOTL_BUILD"/CMakeFiles/*/CMakeCCompiler.cmake ||
        exit 77
    flags="$flags -fsanitize=address,undefined -fno-sanitize-recover=all"
    export CC=$compiler LDFLAGS=-fsanitize=address,undefined
    tests=("$OCELOTL_ROOT"/tests/python/test_{arrow,model,writer}.py)
    libraries="$("$compiler" -print-file-name=libasan.so)"
    libraries+=" $("$compiler" -print-file-name=libubsan.so)"
    # Leaks leave the exit code as it is; other errors abort.
    before=(env "LD_PRELOAD=$libraries" PYTHONMALLOC=malloc
        "ASAN_OPTIONS=abort_on_error=1:exitcode=0:log_path=$folder/report"
        UBSAN_OPTIONS=print_stacktrace=1)
fi

cmake --install "$OCELOTL_BUILD" --prefix "$folder/prefix" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name ocelotl.pc)")
export PKG_CONFIG_PATH XDG_CACHE_HOME=$folder/cache XDG_CONFIG_HOME=$folder/config
cp -r "$OCELOTL_ROOT/python" "$folder/python"
rm -rf "$folder/python/build" # of another library
"$python" -m venv --system-site-packages "$folder/venv"
(cd "$folder/python" && OCELOTL_SYSTEM=1 OCELOTL_CFLAGS=$flags \
    "$folder/venv/bin/python" -m pip install --no-index --no-build-isolation --no-deps . \
    >"$folder/pip.txt" 2>&1) || { cat "$folder/pip.txt" >&2 && exit 1; }
cd "$folder"
export PYTHONDONTWRITEBYTECODE=1
code=0
"${before[@]}" "$folder/venv/bin/python" -m pytest -q -p no:cacheprovider "${tests[@]}" "$@" ||
    code=$?
shopt -s nullglob
for report in "$folder"/report.*; do
    awk -v RS= -v ORS='\n\n' '!/ leak of / || /libocelotl|_native/ && !/libfontconfig/' "$report" |
        grep -v -E '^(=+|==.* detected memory leaks|SUMMARY: .* leaked .*|)$' >&2 && code=1
done
exit $code

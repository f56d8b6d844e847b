# The installed package works for programs built on it: the examples find it by pkg-config and by
# CMake, as a shared and as a static library, and the shared one exports only public symbols.

# A program linked to a sanitized library would have to be sanitized the same way: the plain build
# is the one to install.
if grep -q '^OCELOTL_SANITIZE:BOOL=ON' "$OCELOTL_BUILD/CMakeCache.txt"; then
    exit 77
fi

cached() { sed -n "s/^$1:[A-Z]*=//p" "$OCELOTL_BUILD/CMakeCache.txt"; }
compiler=$(cached CMAKE_C_COMPILER)
generator=$(cached CMAKE_GENERATOR)
cmake --install "$OCELOTL_BUILD" --prefix "$folder/first" >/dev/null
# An installed tree can be moved.
mv "$folder/first" "$folder/prefix"
prefix=$folder/prefix

check_files() {
    "$prefix/bin/ocelotl-cli" formats >/dev/null || fail "the installed program does not run"
    [ "$(find "$prefix/include" -name '*.h' | wc -l)" \
        -eq "$(find "$OCELOTL_ROOT/include" -name '*.h' | wc -l)" ] ||
        fail "not every public header is installed"
    local file
    for file in man/man1/ocelotl-cli.1 man/man1/ocelotl-cli-import.1 doc/ocelotl/README.md \
        doc/ocelotl/docs/views.md doc/ocelotl/examples/embed.c \
        bash-completion/completions/ocelotl-cli zsh/site-functions/_ocelotl-cli \
        fish/vendor_completions.d/ocelotl-cli.fish; do
        [ -s "$prefix/share/$file" ] || fail "no share/$file is installed"
    done
}

check_symbols() {
    local library
    library=$(find "$prefix" -name libocelotl.so)
    ! nm -D --defined-only "$library" | grep -v ' [A-Za-z] ocelotl_' ||
        fail "symbols that are not public"
    ! nm -g --defined-only "${library%.so}.a" | grep ' [A-Z] ' | grep -v ' ocelotl_' ||
        fail "global names in the archive that are not public"
    readelf -d "$library" | grep -q 'SONAME.*libocelotl\.so\.[0-9]' ||
        fail "the shared library names no version"
}

check_pkg_config() {
    local name flags
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ocelotl.pc)")
    mkdir "$folder/pkg-config"
    flags=$(pkg-config --cflags --libs ocelotl)
    for name in answers embed own_data write_trace; do
        "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror "$OCELOTL_ROOT/examples/$name.c" \
            -o "$folder/pkg-config/$name" $flags \
            "-Wl,-rpath,$(pkg-config --variable=libdir ocelotl)"
    done
    # The same flags and those of all it is built on, with the archive in the library's place; all
    # of it, so that nothing which it is built on is missing.
    flags=$(pkg-config --static --cflags --libs ocelotl |
        sed 's/-locelotl/-Wl,--whole-archive -l:libocelotl.a -Wl,--no-whole-archive/')
    mkdir "$folder/pkg-config-static"
    for name in answers embed own_data write_trace; do
        "$compiler" -std=c11 "$OCELOTL_ROOT/examples/$name.c" -o "$folder/pkg-config-static/$name" \
            $flags
    done
}

check_cmake() { # FOLDER OPTION...
    cmake -G "$generator" -S "$OCELOTL_ROOT/examples" -B "$folder/$1" \
        "-DCMAKE_PREFIX_PATH=$prefix" \
        "-DCMAKE_C_COMPILER=$compiler" -DCMAKE_C_FLAGS=-Werror "${@:2}" >/dev/null
    cmake --build "$folder/$1" >/dev/null
}

# The examples built in a folder do what they say.
check_run() {
    cd "$folder/$1"
    ./own_data own.svg >own.txt
    grep -q '^level 0: ' own.txt && grep -q '^r1 *slices  4 to  7: runs 0.30, waits 0.70' own.txt ||
        fail "$1/own_data: $(cat own.txt)"
    ./write_trace trace.db
    ! ./write_trace trace.db 2>again.txt || fail "$1/write_trace replaced a file"
    has again.txt 'exists already'
    if [ -e librecord_heap.so ]; then
        OCELOTL_HEAP=heap.db LD_PRELOAD=$PWD/librecord_heap.so ./embed trace.db 0.4 x.png >heap.txt
        cli info heap.db >heap.txt
        like heap.txt '^link "allocation"'
    fi
    ./embed trace.db 0.4 trace.png >embed.txt
    like embed.txt '^/node 1/worker 3, slices 8 to 11: compute 95 %'
    ./answers trace.db levels.csv >answers.json
    head -n 1 levels.csv | grep -q '^level,p,p_from' &&
        grep -q '^{"kind":"spatiotemporal"' answers.json ||
        fail "$1/answers: $(head -c 1000 answers.json)"
    ! ./embed own.svg 0.4 none.svg 2>embed.txt || fail "$1/embed read a picture"
    [ -s own.svg ] && [ -s trace.png ] && [ ! -e none.svg ] || fail "$1: not the pictures expected"
}

# What the demo has built can be installed at once. It is built anew in a copy, without the time
# that optimising takes.
check_demo() {
    mkdir "$folder/copy"
    cp -r "$OCELOTL_ROOT"/{CMakeLists.txt,*.md,*.cff,LICENSE,bench,cmake,cli,docs,engine} \
        "$OCELOTL_ROOT"/{examples,importers,include,request,scripts,server,tests,viz} "$folder/copy"
    (cd "$folder/copy" && CC=$compiler CFLAGS=-O0 CMAKE_BUILD_TYPE=None scripts/demo.sh) \
        >"$folder/demo.txt" 2>&1 || fail "the demo: $(tail -n 5 "$folder/demo.txt")"
    [ -s "$folder/copy/overview.svg" ] && [ -s "$folder/copy/overview.png" ] ||
        fail "the demo has drawn nothing"
    cmake --install "$folder/copy/build" --prefix "$folder/demo" >"$folder/demo.txt" 2>&1 ||
        fail "installing after the demo: $(tail -n 5 "$folder/demo.txt")"
    "$folder/demo/bin/ocelotl-cli" formats >/dev/null ||
        fail "the program that is installed after the demo does not run"
}

# It takes as long as all the rest.
[ -z "${OCELOTL_TEST_FULL-}" ] || check_demo
check_files
check_symbols
check_pkg_config
check_cmake cmake
check_cmake cmake-static -DEXAMPLES_STATIC=ON
for way in pkg-config pkg-config-static cmake cmake-static; do
    check_run "$way"
done

#!/usr/bin/env bash
# Installs the packages that building needs and the machine lacks (Debian 12), and nothing else;
# docs/developer/dependencies.md gives the purpose of each. Without root it installs nothing: if a
# package is missing, it prints the command to run and fails.
#
#   scripts/install-dependencies.sh           what building needs
#   scripts/install-dependencies.sh --tests   also what the tests and the lint check need
#   scripts/install-dependencies.sh --cross   what building and running for AArch64 needs
set -euo pipefail

tests=false
cross=false
case "${1-}" in
'') ;;
--tests) tests=true ;;
--cross) cross=true ;;
*)
    echo "usage: scripts/install-dependencies.sh [--tests | --cross]" >&2
    exit 2
    ;;
esac

# Looks for commands and libraries, not for packages, so those from elsewhere serve as well.
has_command() { command -v "$1" >/dev/null 2>&1; }
has_library() { has_command pkg-config && pkg-config --exists "$1"; }
has_header() { has_command "$1" && echo "#include <$2>" |
    "$1" $3 -E -x c - -o /dev/null 2>/dev/null; }

missing=()
need() { # PACKAGE TEST...
    local package=$1
    shift
    "$@" || missing+=("$package")
}

# Of packages that are called as their commands.
need_commands() {
    local command
    for command in "$@"; do need "$command" has_command "$command"; done
}

has_fuzzer() { # of clang
    local program code=0
    has_command clang && program=$(mktemp) || return 1
    echo 'int LLVMFuzzerTestOneInput(const char *bytes, unsigned long length) { return bytes == 0 && length == 1; }' |
        clang -fsanitize=fuzzer,address -x c - -o "$program" 2>/dev/null || code=1
    rm -f "$program"
    return $code
}

# One Python must have all modules (tests/python/run.sh): Debian's, whatever other comes first.
has_module() { /usr/bin/python3 -c "import $1" 2>/dev/null; }

has_emulator() { has_command qemu-aarch64 || has_command qemu-aarch64-static; }

look() {
    local module
    missing=()
    if $cross; then
        need gcc-aarch64-linux-gnu has_command aarch64-linux-gnu-gcc
        need libc6-dev-arm64-cross has_header aarch64-linux-gnu-gcc stdio.h ''
        need qemu-user has_emulator
        return 0
    fi
    need_commands gcc cmake pkg-config
    need libc6-dev has_header gcc stdio.h ''
    need ninja-build has_command ninja
    need libsqlite3-dev has_library sqlite3
    need libcairo2-dev has_library cairo-ft
    need libpng-dev has_library libpng
    need zlib1g-dev has_library zlib
    need libzstd-dev has_library libzstd
    need liblzma-dev has_library liblzma
    need libbz2-dev has_header gcc bzlib.h ''
    need libopen-trace-format2-dev has_header gcc otf2/otf2.h ''
    need libmicrohttpd-dev has_library libmicrohttpd
    $tests || return 0
    need_commands clang clang-format clang-tidy sqlite3 zstd bzip2 jq babeltrace2 chromium curl \
        python3 mypy pycodestyle pyflakes3 lintian mmdebstrap zsh fish
    need libomp-dev has_header clang omp.h -fopenmp
    need libclang-rt-14-dev has_fuzzer
    need libxml2-utils has_command xmllint
    need librsvg2-bin has_command rsvg-convert
    need pajeng has_command pj_dump
    need xz-utils has_command xz
    need otf2-tools has_command otf2-print
    need libopenmpi-dev has_command mpicc
    need openmpi-bin has_command mpirun
    need lttng-tools has_command lttng
    need liblttng-ust-dev has_header gcc lttng/tracepoint.h ''
    need chromium-driver has_command chromedriver
    need r-base-core has_command Rscript
    need python3-dev has_library python3
    need python3-venv has_module ensurepip
    for module in otf2 pip setuptools wheel cffi numpy pandas scipy xarray tqdm pytest hypothesis \
        nbclient ipykernel; do
        need "python3-$module" has_module "$module"
    done
}

look
[ ${#missing[@]} -gt 0 ] || exit 0

install=(apt-get install -y --no-install-recommends "${missing[@]}")
if ! has_command apt-get; then
    echo "missing, by the names of Debian's packages: ${missing[*]}" >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=()
elif has_command sudo && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
else
    echo "Some packages are missing, and installing them needs root. Run this, then try again:" >&2
    echo "    sudo ${install[*]}" >&2
    exit 1
fi

run() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@"; }
echo "installing ${missing[*]}"
# Fetches the lists of packages only if they are absent or too old.
if ! apt-cache show "${missing[@]}" >/dev/null 2>&1 || ! run "${install[@]}"; then
    run apt-get update
    run "${install[@]}"
fi
look
if [ ${#missing[@]} -gt 0 ]; then
    echo "installed, and still not usable: ${missing[*]}" >&2
    exit 1
fi

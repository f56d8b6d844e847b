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
    missing=()
    if $cross; then
        need gcc-aarch64-linux-gnu has_command aarch64-linux-gnu-gcc
        need libc6-dev-arm64-cross has_header aarch64-linux-gnu-gcc stdio.h ''
        need qemu-user has_emulator
        return 0
    fi
    need gcc has_command gcc
    need libc6-dev has_header gcc stdio.h ''
    need cmake has_command cmake
    need ninja-build has_command ninja
    need pkg-config has_command pkg-config
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
    need clang has_command clang
    need libomp-dev has_header clang omp.h -fopenmp
    need libclang-rt-14-dev has_fuzzer
    need clang-format has_command clang-format
    need clang-tidy has_command clang-tidy
    need libxml2-utils has_command xmllint
    need librsvg2-bin has_command rsvg-convert
    need pajeng has_command pj_dump
    need sqlite3 has_command sqlite3
    need zstd has_command zstd
    need xz-utils has_command xz
    need bzip2 has_command bzip2
    need jq has_command jq
    need otf2-tools has_command otf2-print
    need python3-otf2 has_module otf2
    need babeltrace2 has_command babeltrace2
    need lttng-tools has_command lttng
    need liblttng-ust-dev has_header gcc lttng/tracepoint.h ''
    need chromium has_command chromium
    need chromium-driver has_command chromedriver
    need curl has_command curl
    need python3 has_command python3
    need python3-dev has_library python3
    need python3-venv has_module ensurepip
    need python3-pip has_module pip
    need python3-setuptools has_module setuptools
    need python3-wheel has_module wheel
    need python3-cffi has_module cffi
    need python3-numpy has_module numpy
    need python3-pandas has_module pandas
    need python3-scipy has_module scipy
    need python3-xarray has_module xarray
    need python3-tqdm has_module tqdm
    need python3-pytest has_module pytest
    need python3-hypothesis has_module hypothesis
    need python3-nbclient has_module nbclient
    need python3-ipykernel has_module ipykernel
    need r-base-core has_command Rscript
    need mypy has_command mypy
    need pycodestyle has_command pycodestyle
    need pyflakes3 has_command pyflakes3
    need lintian has_command lintian
    need mmdebstrap has_command mmdebstrap
    need zsh has_command zsh
    need fish has_command fish
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

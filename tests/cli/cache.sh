# A trace used directly is imported once, into the user's cache, and again when it has changed.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"

cp "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" run.trace.zst
# A cache in a folder that is not there yet.
export XDG_CACHE_HOME=$folder/some/where/cache

imported='ocelotl-cli: imported run.trace.zst into '
reused='ocelotl-cli: run.trace.zst was imported before, using '

# says WHAT BEGINNING ARGUMENT...: the only line on standard error begins so.
says() {
    local what=$1 beginning=$2
    shift 2
    cli "$@" >says.out 2>says.err || fail "$what: $(cat says.err)"
    [ "$(wc -l <says.err)" -eq 1 ] && [[ $(cat says.err) == "$beginning"* ]] || fail "$what: $(cat says.err)"
}

count() { find "$1" -type f | wc -l; }

says "the first time" "$imported$XDG_CACHE_HOME/ocelotl/run.trace.zst-" --p 0.5 --slices 60 run.trace.zst -o a.svg
cached=$(sed 's/.* into //' says.err)
cli info "$cached" >/dev/null || fail "the file in the cache is no trace.db"
says "the second time" "$reused$cached" --p 0.5 --slices 60 run.trace.zst -o b.svg
says "by another command" "$reused$cached" sweep --slices 6 run.trace.zst
says "by another path" "ocelotl-cli: $folder/./run.trace.zst was imported before, using $cached" info "$folder/./run.trace.zst"
same "files in the cache" 1 "$(count "$XDG_CACHE_HOME")"
# The picture is that of the trace.db, but for the command that made it.
cli import run.trace.zst -o run.db >/dev/null
cli --p 0.5 --slices 60 run.db -o a.svg 2>/dev/null
uid=$(cli info run.db | awk '$1 == "uid" { print $2 }')
grep -q "$uid" b.svg || fail "the trace in the cache is another one"
same "through the cache" "$(sed '/ocelotl-cli/d' a.svg | cksum)" "$(sed '/ocelotl-cli/d' b.svg | cksum)"
# Named like the trace, here.
says "the default output" "$reused" --slices 60 run.trace.zst
same "the default output's path" run.svg "$(cat says.out)"

# Other options of the import, another import.
says "--lenient" "$imported" info --lenient run.trace.zst
says "--lenient again" "$reused" info --lenient run.trace.zst
same "files in the cache" 2 "$(count "$XDG_CACHE_HOME")"

# Changed: of another size, or only of another time.
touch -d '2001-02-03 04:05:06' run.trace.zst
says "another time" "$imported" info run.trace.zst
cp "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst" run.trace.zst
says "another content" "$imported" info run.trace.zst
says "another content, again" "$reused" info run.trace.zst

# What is damaged in the cache is imported again.
used=$(sed 's/.*using //' says.err)
printf 'no longer a database' >"$used"
says "a damaged cache" "$imported$used" info run.trace.zst

# A broken trace leaves nothing in the cache.
before=$(count "$XDG_CACHE_HOME")
zstd -dcq run.trace.zst 2>/dev/null | head -c 20000 >broken.trace || true
if [ -s broken.trace ]; then
    printf '\n12 nonsense\n' >>broken.trace
    refused 1 'broken.trace:' --slices 60 broken.trace -o broken.svg
    [ ! -e broken.svg ] || fail "a broken trace left a picture"
    same "files in the cache after a failure" "$before" "$(count "$XDG_CACHE_HOME")"
fi

# Names that are long, or strange.
long=$(printf '%0240d' 0).trace.zst
cp run.trace.zst "$long"
cli --slices 60 "$long" -o long.svg 2>/dev/null || fail "a trace with a long name"
cp run.trace.zst $'<&"\'\xff.trace.zst'
cli --slices 60 $'<&"\'\xff.trace.zst' -o strange.svg 2>/dev/null || fail "a trace with a strange name"

# Where the cache is: XDG_CACHE_HOME if it is an absolute path, or ~/.cache.
mkdir home
XDG_CACHE_HOME='' HOME=$folder/home says "no XDG_CACHE_HOME" "$imported$folder/home/.cache/ocelotl/" info run.trace.zst
XDG_CACHE_HOME=relative HOME=$folder/home says "a relative one" "$reused$folder/home/.cache" info run.trace.zst
[ ! -e relative ] || fail "a relative XDG_CACHE_HOME was used"
unset XDG_CACHE_HOME
(
    unset HOME
    refused 1 'neither XDG_CACHE_HOME nor HOME says where the cache is' info run.trace.zst
    finish
) || fail "without HOME"
export XDG_CACHE_HOME=$folder/run.trace.zst/cache
refused 1 'cannot make the cache folder: Not a directory' info run.trace.zst

# What is no file is not read twice.
export XDG_CACHE_HOME=$folder/cache
mkfifo pipe
refused 1 'pipe: is no regular file and cannot be read twice' info pipe
refused 1 'standard input cannot be read twice' info - </dev/null
no_rest cache
finish

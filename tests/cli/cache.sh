# The cache: a trace used directly is imported once, and again after a change. Answers of long
# searches are kept, the cache keeps to its bound, and --no-cache does without it.

cp "$sample" run.trace.zst
# A cache in a folder that is not there yet.
export XDG_CACHE_HOME=$folder/some/where/cache

imported='ocelotl-cli: imported run.trace.zst into '
reused='ocelotl-cli: run.trace.zst was imported before, using '

# says WHAT BEGINNING ARGUMENT...: the only line on standard error begins so.
says() {
    local what=$1 beginning=$2
    shift 2
    cli "$@" >says.out 2>says.err || fail "$what: $(cat says.err)"
    [ "$(wc -l <says.err)" -eq 1 ] && [[ $(cat says.err) == "$beginning"* ]] ||
        fail "$what: $(cat says.err)"
}

# The traces in a cache.
count() { find "$1" -type f -name '*.db' | wc -l; }

says "the first time" "$imported$XDG_CACHE_HOME/ocelotl/run.trace.zst-" --p 0.5 --slices 60 \
    run.trace.zst -o a.svg
cached=$(sed 's/.* into //' says.err)
cli info "$cached" >/dev/null || fail "the file in the cache is no trace.db"
says "the second time" "$reused$cached" --p 0.5 --slices 60 run.trace.zst -o b.svg
says "by another command" "$reused$cached" sweep --slices 6 run.trace.zst
says "by another path" "ocelotl-cli: $folder/./run.trace.zst was imported before, using $cached" \
    info "$folder/./run.trace.zst"
same "files in the cache" 1 "$(count "$XDG_CACHE_HOME")"
# The picture is that of the trace.db, but for the command that made it.
cli import run.trace.zst -o run.db >/dev/null
cli --p 0.5 --slices 60 run.db -o a.svg 2>/dev/null
uid=$(cli info run.db | awk '$1 == "uid" { print $2 }')
has b.svg "$uid"
same "through the cache" "$(sed '/ocelotl-cli/d' a.svg | cksum)" \
    "$(sed '/ocelotl-cli/d' b.svg | cksum)"
# What is wrong is said of the file that was given, in the words that are used of a trace.db.
complaint() { cli "$@" 2>&1 >/dev/null | grep -v "^$imported\|^$reused" |
    sed 's/run\.db/run.trace.zst/' || true; }
while read -ra arguments; do
    expected=$(complaint "${arguments[@]}" run.db)
    [[ $expected == 'ocelotl-cli: run.trace.zst: '* ]] || fail "${arguments[*]}: $expected"
    same "${arguments[*]}, through the cache" "$expected" \
        "$(complaint "${arguments[@]}" run.trace.zst)"
    same "${arguments[*]}, without a cache" "$expected" \
        "$(complaint "${arguments[@]}" --no-cache run.trace.zst)"
done <<'END'
--resource nancy/nowhere
--metric variable-mean
--state-type Nothing
--only Nothing
--group-types Nothing=N
--except PMPI_* --except MPI_*
--slices 1000000000
sweep --metric link-bytes --attribute Nothing
gantt --type Nothing
gantt --resource nancy/nowhere
stats --type Nothing
export --resource nancy/nowhere
--where Nothing=1
series --at NOTHING
series --variable power
END
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
cli --slices 60 $'<&"\'\xff.trace.zst' -o strange.svg 2>/dev/null ||
    fail "a trace with a strange name"

# Where the cache is: XDG_CACHE_HOME if it is an absolute path, or ~/.cache.
mkdir home
XDG_CACHE_HOME='' HOME=$folder/home says "no XDG_CACHE_HOME" \
    "$imported$folder/home/.cache/ocelotl/" info run.trace.zst
XDG_CACHE_HOME=relative HOME=$folder/home says "a relative one" "$reused$folder/home/.cache" info \
    run.trace.zst
[ ! -e relative ] || fail "a relative XDG_CACHE_HOME was used"
unset XDG_CACHE_HOME

# Without a place for it, the trace is imported for this run alone, which one line says.
alone='is imported for this run alone'
fails_over() { # REASON ARGUMENT...
    local reason=$1
    shift
    says "$reason" "ocelotl-cli: " "$@"
    has says.err "$reason; run.trace.zst $alone"
    [ -s says.out ] || fail "$reason: no answer"
}
(
    unset HOME
    failures=0
    fails_over 'neither XDG_CACHE_HOME nor HOME says where the cache is' info run.trace.zst
    finish
) || fail "without HOME"
export XDG_CACHE_HOME=$folder/run.trace.zst/cache
fails_over "cannot use the cache: $folder/run.trace.zst: Not a directory" info run.trace.zst
fails_over "cannot use the cache: $folder/run.trace.zst: Not a directory" sweep --slices 4 \
    run.trace.zst
refused 1 'broken.trace:' --slices 60 --no-cache broken.trace -o broken.svg
# A read-only folder still gives what it holds. No other user may write into root's.
mkdir readable
XDG_CACHE_HOME=$folder/readable cli info run.trace.zst >/dev/null 2>&1
cp run.trace.zst other.trace.zst
[ "$(id -u)" -ne 0 ] || chown -R 65534 readable # a cache is its user's own
chmod -R a+rX,a-w readable && chmod a+rx . &&
    chmod -R a+rX "$(dirname "$OCELOTL_CLI")" 2>/dev/null || true
as_nobody() { if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; \
    fi; }
if as_nobody test -x "$OCELOTL_CLI" 2>/dev/null && as_nobody test -r run.trace.zst; then
    as_nobody env XDG_CACHE_HOME="$folder/readable" "$OCELOTL_CLI" info run.trace.zst >says.out \
        2>says.err || fail "a cache that may be read"
    has says.err 'was imported before'
    as_nobody env XDG_CACHE_HOME="$folder/readable" "$OCELOTL_CLI" info other.trace.zst >says.out \
        2>says.err || fail "a cache that may be read alone"
    like says.err "^ocelotl-cli: cannot use the cache: $folder/readable/ocelotl/other.*: cannot write: Permission denied; other.trace.zst $alone"
fi
chmod -R u+w readable

# Without the cache nothing is written to it, and the temporary file is gone in the end, whether it
# went well or not.
mkdir tmp empty
cp "$sample" run.trace.zst
export XDG_CACHE_HOME=$folder/empty TMPDIR=$folder/tmp
for arguments in 'info run.trace.zst' 'sweep --slices 5 run.trace.zst' \
    '--slices 20 run.trace.zst -o uncached.svg' \
    'sweep --slices 5 run.db' '--json --slices 5 run.db'; do
    cli $arguments --no-cache >/dev/null 2>says.err || fail "$arguments --no-cache: $(cat says.err)"
    [ ! -s says.err ] || fail "$arguments --no-cache says $(cat says.err)"
done
printf '\n12 nonsense\n' | cat run.trace.zst - >broken.trace.zst
# Two traces of one program, and one that is made of another, do not take each other's place.
zstd -dcq "$sample" >first.trace
zstd -dcq "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst" >second.trace
cli import first.trace -o first.db >/dev/null
cli import second.trace -o second.db >/dev/null
cli compare --csv first.db second.db >stored.csv
cli compare --csv --no-cache first.trace second.trace >uncached.csv ||
    fail "two traces without the cache"
cmp stored.csv uncached.csv ||
    fail "two traces without the cache are not compared as those of a trace.db"
cli info --no-cache broken.trace.zst >/dev/null 2>&1 &&
    fail "a broken trace was read without the cache"
same "what --no-cache leaves" "" "$(find tmp empty -mindepth 1)"
unset TMPDIR
(
    unset HOME XDG_CACHE_HOME
    cli info --no-cache run.trace.zst >/dev/null && cli sweep --slices 4 run.db >/dev/null
) || fail "without HOME and the cache"

# Answers are kept: what is printed is the same, and the file of the answer is used, not written.
export XDG_CACHE_HOME=$folder/answers
cp "$sample" run.trace.zst
answers() { find "$XDG_CACHE_HOME" -name "$1-*.answer" | wc -l; }
state() { find "$XDG_CACHE_HOME" -name '*.answer' -printf '%f %i %T@\n' | sort | cksum; }
for arguments in 'sweep --slices 6' 'sweep --slices 6 --json' 'sweep --slices 6 --all' \
    '--slices 30 --json' '--slices 30 --json --level 3' '--slices 30 --json --kind temporal' \
    'waiting' 'waiting --json --most 3' 'waiting --csv --at MACHINE --from 40%' \
    'waiting --csv --over-time 4' 'waiting --over-time 4 --at SWITCH --only PMPI_W*' \
    '--metric wait-caused --json --from 40%'; do
    {
        cli $arguments run.trace.zst --no-cache >expected 2>/dev/null
        cli $arguments run.trace.zst >first 2>/dev/null
        before=$(state)
        cli $arguments run.trace.zst >again 2>/dev/null
    }
    cmp -s expected first || fail "$arguments: another answer with the cache"
    cmp -s expected again || fail "$arguments: another answer from the cache"
    same "$arguments: answers written again" "$before" "$(state)"
done
same "answers to sweep" 3 "$(answers sweep)"
same "answers to auto" 3 "$(answers auto)"
same "answers to waiting" 5 "$(answers waiting)"
same "choices of slices" 1 "$(answers slices)"
same "answers to level" 1 "$(answers level)"

# Every parameter makes another answer, the threads do not.
for arguments in '--slices 7' '--slices 7 --kind temporal' '--slices 7 --kind spatial' \
    '--slices 7 --untraced ignore' '--slices 7 --nesting inclusive'; do
    before=$(answers sweep)
    cli sweep $arguments run.trace.zst >/dev/null 2>&1
    cli sweep --threads 1 $arguments run.trace.zst >/dev/null 2>&1
    same "$arguments: new answers" 1 $(($(answers sweep) - before))
done

# It is taken from the file: times of use change, and an older one is not used by a trace.db that
# has changed.
used=$(find "$XDG_CACHE_HOME" -name 'sweep-*.answer' | head -1)
find "$XDG_CACHE_HOME" -name 'sweep-*.answer' -exec touch -a -d '2001-02-03' {} +
cli sweep --slices 6 run.trace.zst >again 2>/dev/null
same "answers used" 1 \
    "$(find "$XDG_CACHE_HOME" -name 'sweep-*.answer' -newerat '2002-01-01' | wc -l)"

# What is damaged, in any way, is no answer, and is written again.
cli sweep --slices 6 run.trace.zst --no-cache >expected 2>/dev/null
used=$(find "$XDG_CACHE_HOME" -name 'sweep-*.answer' -newerat '2002-01-01')
cp "$used" good.answer
for damage in 's/[0-9]/7/20' '1d' '$d' 's/0\./1./' '1s/ocelotl/ocelotL/' 's/plateau/plateaU/'; do
    sed "$damage" good.answer >"$used"
    cmp -s good.answer "$used" && fail "$damage changes nothing"
    cli sweep --slices 6 run.trace.zst >again 2>/dev/null
    cmp -s expected again || fail "a damaged answer ($damage) was given"
    cmp -s good.answer "$used" || fail "a damaged answer ($damage) was not written again"
done
: >"$used"
cli sweep --slices 6 run.trace.zst 2>/dev/null | cmp -s expected - ||
    fail "an empty answer was given"
head -c -1 good.answer >"$used"
cli sweep --slices 6 run.trace.zst 2>/dev/null | cmp -s expected - ||
    fail "a short answer was given"

# Many at once.
for i in 1 2 3 4 5 6; do
    (cli sweep --slices 9 run.trace.zst >"many-$i" 2>/dev/null || echo failed >"many-$i") &
done
wait
for i in 2 3 4 5 6; do cmp -s many-1 "many-$i" || fail "of many at once, number $i"; done
[ -s many-1 ] || fail "of many at once, none"
no_rest answers

# A kept answer reads no events: these are gone here. Another one does, and finds that.
cached=$(find "$XDG_CACHE_HOME" -name 'run.trace*.db')
cp -p "$cached" whole
python3 -c 'import sqlite3, sys
trace = sqlite3.connect(sys.argv[1])
trace.execute("UPDATE chunk SET events = zeroblob(length(events))")
trace.commit()' "$cached"
touch -m -r whole "$cached"
cli waiting run.trace.zst --no-cache >expected 2>/dev/null
says "a kept answer" "$reused" waiting run.trace.zst
cmp -s expected says.out || fail "a kept answer is another one"
cli waiting --most 4 run.trace.zst >/dev/null 2>says.err
like says.err 'anew into .*, which was damaged'

# The cache keeps to its bound: what was used least recently goes first, and what killed programs
# left goes at once.
export XDG_CACHE_HOME=$folder/bounded
traces_left() {
    find "$XDG_CACHE_HOME/ocelotl" -name '*.answer' -o -type f -printf '%f\n' |
        sed 's/\.trace.*//' | sort | paste -sd ' '
}
for name in a b c; do
    cp "$sample" "$name.trace.zst"
    cli info "$name.trace.zst" >/dev/null 2>&1
done
size=$(du -k "$XDG_CACHE_HOME"/ocelotl/a.*.db | cut -f1)
touch -a -d '2001-01-01' "$XDG_CACHE_HOME"/ocelotl/a.*.db
touch -a -d '2001-01-02' "$XDG_CACHE_HOME"/ocelotl/[bc].*.db
touch -m -d '2001-01-01' "$XDG_CACHE_HOME"/ocelotl/*.db
touch "$XDG_CACHE_HOME"/ocelotl/x.db.partial-01234567 "$XDG_CACHE_HOME"/ocelotl/of-somebody-else
cli info a.trace.zst >/dev/null 2>&1 # used again
cp a.trace.zst d.trace.zst
OCELOTL_CACHE_LIMIT=$((size * 5 / 2))K cli info d.trace.zst >/dev/null 2>&1
same "what is left in a bounded cache" "a d of-somebody-else" \
    "$(traces_left)"
OCELOTL_CACHE_LIMIT=0 cli sweep --slices 3 a.trace.zst >/dev/null 2>&1 || fail "a cache of no size"
OCELOTL_CACHE_LIMIT=0 cli info b.trace.zst >/dev/null 2>&1 ||
    fail "a cache of no size, another trace"
same "what is left in a cache of no size" "b of-somebody-else" \
    "$(traces_left)"
for limit in much -1 1X 1MM 99999999999999999999 99999999999T; do
    export OCELOTL_CACHE_LIMIT=$limit
    refused 1 "OCELOTL_CACHE_LIMIT is \"$limit\", expected a number of bytes" info b.trace.zst
done
unset OCELOTL_CACHE_LIMIT
cli --help reading >help.txt
has help.txt OCELOTL_CACHE_LIMIT

# --- The command: what is there, and emptying it

need jq
export XDG_CACHE_HOME=$folder/told
same "a cache that is not there" "$folder/told/ocelotl: 0 B of at most 4.0 GiB, 0 files" \
    "$(cli cache)"
cli sweep --plain --slices 5 a.trace.zst >/dev/null 2>&1
(mkdir -p below && cd below && cli --plain --slices 5 ../run.db -o picture.svg)
cli cache --json >told.json
holds "cache --json" told.json ".folder == \"$folder/told/ocelotl\" and .limit == 4294967296 and
    (.files | map(.kind) | sort) == [\"auto\", \"sweep\", \"trace\"] and .size == (.files | map(.size) | add)"
same "the sources" \
    "auto $folder/below/../run.db sweep $folder/a.trace.zst trace $folder/a.trace.zst" \
    "$(jq -r '[.files[] | "\(.kind) \(.source)"] | sort | join(" ")' told.json)"
same "cache --csv" \
    "$(jq -r '.files[] | [.kind, .source, .size, .made, .used, .file] | join(",")' told.json)" \
    "$(cli cache --csv | tail -n +2)"
same "lines of the table" 5 "$(cli cache | wc -l)"
cli cache | grep -qE "^ +[0-9.]+ KiB  20..-..-.. ..:..  trace   $folder/a.trace.zst\$" ||
    fail "cache: $(cli cache)"
touch -d '2001-02-03 04:05:06Z' told/ocelotl/a.*.db
holds "when it was made" <(cli cache --json) \
    '.files[-1] | .kind == "trace" and .made == "2001-02-03T04:05:06Z"'
cli cache -o told.csv
cli cache --csv | cmp -s - told.csv || fail "cache -o"
printf 'no longer a database' >"$(echo told/ocelotl/a.*.db)"
cli cache | grep -q 'trace   (not readable by this version)' || fail "a damaged file: $(cli cache)"
touch told/ocelotl/of-somebody-else
same "cache --clear" "$folder/told/ocelotl: removed 3 files, " \
    "$(cli cache --clear | sed 's/[0-9.]* KiB//')"
same "what is left" of-somebody-else "$(ls told/ocelotl)"
same "an empty cache" "$folder/told/ocelotl: 0 B of at most 1.0 KiB, 0 files" \
    "$(OCELOTL_CACHE_LIMIT=1K cli cache)"
refused 2 '"run.db" is not expected' cache run.db
refused 2 '--clear lists nothing' cache --clear --json
(unset HOME XDG_CACHE_HOME && failures=0 &&
    refused 1 'neither XDG_CACHE_HOME nor HOME says where the cache is' cache && finish) ||
    fail "cache without HOME"

# What is no file is not read twice.
export XDG_CACHE_HOME=$folder/cache
mkfifo pipe
refused 1 'pipe: is no regular file and cannot be read twice' info pipe
no_rest cache

# If a chunk of a trace in the cache is damaged, the command that reads it imports the trace again,
# says so in one line, and answers as if nothing had happened.
need sqlite3

cp "$sample" run.trace.zst
cli info run.trace.zst >/dev/null 2>&1
entry=$(find "$XDG_CACHE_HOME" -name '*.db')
[ -f "$entry" ] || fail "no trace in the cache"

damage() { # half of all chunks, so that no command gets around it
    sqlite3 "$entry" "UPDATE chunk SET events = zeroblob(length(events)) WHERE number % 2 = 0"
}

# mended WHAT COMMAND...: prints what it prints of a sound trace, and mends the entry.
mended() {
    local what=$1
    shift
    cli "$@" >expected 2>/dev/null || fail "$what of a sound trace"
    damage
    cli "$@" >got 2>got.err || fail "$what: $(cat got.err)"
    cmp -s expected got || fail "$what: another answer"
    same "$what, its lines" 2 "$(wc -l <got.err)"
    like got.err "^ocelotl-cli: imported run.trace.zst anew into $entry, which was damaged\$"
    cli verify "$entry" >/dev/null || fail "$what: the entry is still damaged"
    cli "$@" 2>&1 >/dev/null | grep -q 'was imported before' || fail "$what: not kept"
}

mended overview --slices 30 --json --nesting-depth 1 run.trace.zst
mended gantt gantt --json --from 40% --to 60% run.trace.zst
mended statistics stats --extremes --json run.trace.zst
mended parts parts --min-duration 1us --slices 20 run.trace.zst
damage
cli compare --nesting-depth 1 --slices 20 run.trace.zst run.trace.zst >got 2>got.err ||
    fail "a comparison: $(cat got.err)"
has got 'nothing has changed'
damage
cli export run.trace.zst -o events.csv 2>/dev/null || fail "an export to a file"
# The imported file must still exist, and nothing outside the cache is mended.
cp "$entry" damaged.db
sqlite3 damaged.db "UPDATE chunk SET events = zeroblob(length(events))"
refused 1 'damaged.db: ' --slices 9 --nesting-depth 1 damaged.db -o out.svg

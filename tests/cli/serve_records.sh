# What the served page draws from: rectangles, nodes, levels as they are found, and what is kept.
. "$OCELOTL_ROOT/tests/cli/serving.inc"
need python3 sqlite3 curl jq

mkdir home && cd home
example
begin_serving trace.db
tr '\0' '\n' <"/proc/$server/environ" | grep -qx OMP_WAIT_POLICY=passive || fail "threads spin"
python3 "$OCELOTL_ROOT/tests/records.py" "$base" "$key" trace.db || fail "the records"
ended

# What is damaged in the cache is imported anew, and answered as if nothing had happened.
cp "$sample" run.trace.zst
cli --slices 30 --nesting-depth 1 --p 0.4 --json run.trace.zst >sound.json 2>/dev/null
entry=$(find "$XDG_CACHE_HOME" -name 'run*.db')
served run.trace.zst
sqlite3 "$entry" "UPDATE chunk SET events = zeroblob(length(events)) WHERE number % 2 = 0"
same "a damaged trace" 200 "$(ask '/api/v1/view?slices=30&nesting-depth=1&p=0.4')"
same "its parts" "$(jq '.parts | length' sound.json)" "$(jq '.levels[0].parts' answer.txt)"
cli verify "$entry" >/dev/null || fail "the trace in the cache is still damaged"
ended

# Of a folder each file is watched, however deep.
cp -r "$OCELOTL_ROOT/tests/data/otf2/whole" whole
if cli import whole -o otf2.db >/dev/null 2>otf2.err; then
    served whole
    same "a folder" 200 "$(ask '/api/v1/trace')"
    sleep 1.1
    touch -d '2001-01-01' "$(find whole -mindepth 2 -type f | sort | head -n 1)"
    denied "a folder with a changed file" 410 'replaced or removed' '/api/v1/trace'
    ended
    # The same through a link, with notes, which are kept beside the folder.
    ln -s whole link
    served link/
    tag=$(curl -s -D - -o notes.txt -H "X-Ocelotl-Key: $key" "$base/api/v1/notes" |
        sed -n 's/^ETag: *//Ip' | tr -d '\r')
    same "notes on a folder" 200 "$(ask /api/v1/notes -X PUT -H "If-Match: $tag" \
        --data '{"notes":[{"text":"a note"}]}')"
    test -s whole.notes.json || fail "no notes beside the folder: $(ls -A . whole)"
    sleep 1.1
    same "a folder with notes" 200 "$(ask '/api/v1/trace')"
    touch "$(find whole -mindepth 2 -type f | sort | head -n 1)"
    sleep 1.1
    denied "a folder behind a link" 410 'replaced or removed' '/api/v1/trace'
    ended
else
    has otf2.err 'this build does not read'
fi

# The second trace is watched, too.
example first.db
cp first.db second.db
served first.db second.db
same "two traces" 200 "$(ask '/api/v1/trace')"
touch -d '2001-01-01' second.db
denied "a second trace that has changed" 410 'replaced or removed' '/api/v1/trace'
ended

# verify lists the damage of a trace.db, other commands stop at it, and --lenient reads around it.
need sqlite3 jq

example whole.db
same "a sound trace" \
    "sound: $(sqlite3 whole.db 'SELECT count(*) FROM chunk') chunks of $(sqlite3 whole.db \
    'SELECT count(*) FROM stream') streams, $(sqlite3 whole.db \
    'SELECT sum(count) FROM stream') records" "$(cli verify whole.db)"
same "a sound trace as JSON" 'true 0' \
    "$(cli verify --json whole.db | jq -r '"\(.sound) \(.damage | length)"')"

# edit NAME SQL: a damaged copy.
edit() {
    cp whole.db "$1"
    sqlite3 "$1" "$2"
}

# A chunk of states: everything that reads it stops and names it, what needs none of it answers.
edit chunk.db 'UPDATE chunk SET events = zeroblob(10) WHERE rowid = 30'
where=$(sqlite3 whole.db 'SELECT resource.name FROM chunk JOIN stream ON stream.id = stream
    JOIN resource ON resource.id = resource WHERE chunk.rowid = 30')
said='is damaged: chunk 0 of the events of "MPI_STATE" of resource "'$where'" does not hold what was written'
said="$said; \`ocelotl-cli verify\` lists what is damaged, --lenient reads around it"
for command in '--slices 10 chunk.db -o picture.svg' 'sweep --slices 5 chunk.db' \
    'stats --from 10% chunk.db' 'gantt chunk.db -o picture.svg'; do
    refused 1 "chunk.db: $said" $command
done
refused 1 "chunk.db: $said" sql chunk.db 'SELECT count(*) FROM events'
cli export chunk.db >/dev/null 2>export.err && fail "a damaged trace was exported"
has export.err "$said"
code=0
cli verify chunk.db >verified.txt 2>verified.err || code=$?
same "the exit code of a damaged trace" 1 "$code"
same "what verify says" 'a chunk of events' "$(cut -d, -f1 verified.txt)"
like verified.txt "records of \"MPI_STATE\" at \"nancy/.*/$where\", from [0-9.]* s to [0-9.]* s"
has verified.err 'chunk.db: is damaged; import the trace again, or read what is left by --lenient'
cli verify --json chunk.db >verified.json 2>/dev/null || true
same "the same as JSON" "false 1 MPI_STATE" \
    "$(jq -r '"\(.sound) \(.damage | length) \(.damage[0].type)"' verified.json)"
same "its resource" "$where" "$(jq -r '.damage[0].resource' verified.json | sed 's/.*\///')"

# A text that SQLite reads as the number it was.
edit class.db "UPDATE chunk SET end = end || 'a' WHERE rowid = 30"
code=0
cli verify class.db >class.txt 2>/dev/null || code=$?
same "a text in place of a number" "1 a chunk of events" "$code $(cut -d, -f1 class.txt)"

# Around it: all that is not of this resource and type is there.
cli export whole.db 2>/dev/null | grep -v "$where," | sort >others.csv
cli export --lenient chunk.db 2>left.err | grep -v "$where," | sort >left.csv
cmp -s others.csv left.csv ||
    fail "--lenient lost more than the chunk: $(diff others.csv left.csv | head -3)"
like left.err "ocelotl-cli: chunk.db is damaged, read around: a chunk of events, [0-9]* records of \"MPI_STATE\""
for command in '--slices 10 --lenient chunk.db -o left.svg' 'sweep --slices 5 --lenient chunk.db' \
    'stats --lenient chunk.db' 'gantt --lenient chunk.db -o left.svg' 'info --lenient chunk.db' \
    'treemap --lenient chunk.db -o left.svg' 'parts --lenient chunk.db' \
    'series --lenient chunk.db'; do
    cli $command >out.txt 2>err.txt || fail "$command: $(cat err.txt)"
    has err.txt 'chunk.db is damaged, read around: a chunk of events'
done
cli sql --lenient chunk.db 'SELECT count(*) FROM events' >/dev/null 2>&1 || fail "sql --lenient"
cli stats --lenient - <chunk.db >out.txt 2>err.txt ||
    fail "--lenient of standard input: $(cat err.txt)"
cli info --json --lenient chunk.db 2>/dev/null |
    jq -e '.warnings[] | select(.kind == "damaged chunks")' >/dev/null ||
    fail "info says nothing of damaged chunks: $(cli info --json --lenient chunk.db 2>&1 |
    head -c 300)"

# Nothing but names: that is no picture of "(no state)".
edit empty.db 'DELETE FROM chunk'
refused 1 'is missing; `ocelotl-cli verify`' --slices 10 empty.db -o picture.svg
cli verify empty.db >verified.txt 2>&1 || true
same "the damages of a trace without chunks" "$(sqlite3 whole.db 'SELECT count(*) FROM stream')" \
    "$(grep -c '^a chunk of events' verified.txt)"

# Rows too many, rows of others, an index that leads elsewhere: found, and nothing is lost.
edit twice.db \
    'INSERT INTO chunk SELECT stream, number + 9, begin, end, count, unit, low, high, place_checksum,
    row_checksum, checksum, durations, totals, events FROM chunk WHERE rowid = 30'
cli verify twice.db >verified.txt 2>&1 && fail "a row too many is sound"
has verified.txt '1 row of chunks that should not be there'
edit swapped.db "UPDATE chunk SET stream = 1 - stream WHERE stream < 2 AND stream = 0;
    UPDATE chunk SET number = 1 WHERE stream = 0" 2>/dev/null || true
cli verify swapped.db >/dev/null 2>&1 && fail "a chunk of another stream is sound"

# Names cannot be read around.
edit names.db "UPDATE value SET name = 'other' WHERE id = 1"
refused 1 'names.db: is damaged: the table value does not hold what was written' info names.db
refused 1 'names.db: is damaged: the table value does not hold what was written' info \
    --lenient names.db
cli verify names.db >verified.txt 2>/dev/null && fail "another name is sound"
same "what verify says of a table" 'the table value does not hold what was written' \
    "$(head -n 1 verified.txt)"

# What is no trace.db, or an older one.
echo text >text.db
refused 1 'is not a trace.db' verify text.db
edit old.db 'PRAGMA user_version = 2'
refused 1 'old.db: is a trace.db of version 2, expected 3; import the trace again: ocelotl-cli import --force TRACE -o old.db' \
    verify old.db
refused 1 'is a trace.db of version 2, expected 3' info old.db
: >nothing.db
refused 1 'nothing.db: is empty, expected a trace.db' verify nothing.db

# `verify` does not advise to run `verify`.
edit more.db 'INSERT INTO chunk SELECT stream, number + 1000000, begin, end, count, unit, low, high,
    place_checksum, row_checksum, checksum, durations, totals, events FROM chunk WHERE rowid = 5'
cli verify more.db >verified.txt 2>&1 && fail "a chunk too many is sound"
same "a chunk too many" 1 "$(grep -c 'is one too many$' verified.txt)"
refused 2 'verify' verify

# Exports of Nsight Systems and databases of rocprofv3 and rpd. No profiler wrote those here: a
# script makes them from the published descriptions of their tables, and counts what they hold.
need python3 jq sqlite3
need_format nsys

make() { python3 "$OCELOTL_ROOT/tests/gpu_databases.py" make "$@"; }
counted() { python3 "$OCELOTL_ROOT/tests/gpu_databases.py" count "$1" | LC_ALL=C sort; }
held() { ask "$1" "SELECT type || '|' || value || '|' || count(*) || '|' ||
    CAST(round(sum(duration) * 1e9) AS INTEGER) FROM events WHERE category <> 'link'
    GROUP BY type, value" | LC_ALL=C sort; }

for kind in nsys old rocpd rpd; do
    make $kind $kind.sqlite 300
    quiet $kind.sqlite -o $kind.db
    same "$kind: states by name" "$(counted $kind.sqlite)" "$(held $kind.db)"
    format=${kind/old/nsys}
    says $kind.db "format     ${format/rpd/rocpd}"
    # every row of every table is accounted for
    same "$kind: rows" "$(for table in $(sqlite3 $kind.sqlite "SELECT name FROM sqlite_master WHERE
        type = 'table' AND name NOT LIKE 'sqlite%'"); do
        sqlite3 $kind.sqlite "SELECT count(*) FROM $table"
    done | awk '{ n += $1 } END { print n }')" \
        "$(cli info --json $kind.db | jq '[.source.records[]] | add')"
done

# --- What is where
same "rows" "NVIDIA H100 (GPU 0) NVIDIA H100 (GPU 0)/stream 13 NVIDIA H100 (GPU 0)/stream 7 NVIDIA \
H100 (GPU 1) NVIDIA H100 (GPU 1)/stream 13 train train/loader train/thread 4321" \
    "$(ask nsys.db 'SELECT path FROM resources ORDER BY path' | line)"
same "rows of rocpd" "MI300X (GPU 0)/stream 1,MI300X (GPU 0)/stream 2,MI300X (GPU 1)/stream 1,\
MI300X (GPU 1)/stream 2,jacobi (process 900)/main,jacobi (process 901)/main" \
    "$(ask rocpd.db "SELECT path FROM resources WHERE type IN ('Stream', 'Thread')
        ORDER BY path" | paste -sd,)"
same "when it was" '2023-11-14T22:13:20Z' "$(cli info --json nsys.db | jq -r .origin)"
same "attributes" '{"grid":"1x1x1","block":"128x2x1","registersPerThread":32,'\
'"staticSharedMemory":0,"dynamicSharedMemory":1024}' \
    "$(cli sql --json nsys.db "SELECT attributes FROM events WHERE value = 'gemm'
        ORDER BY length(attributes), attributes LIMIT 1" | jq -r '.[0].attributes')"
same "domains" '{"domain":"Trainer"}' "$(cli sql --json nsys.db "SELECT DISTINCT attributes FROM
    events WHERE value = 'step'" | jq -r '.[].attributes')"
says nsys.db 'SCHED_EVENTS                 left out: no state of a thread or of a stream' \
    'NVTX_EVENTS                  left out: neither a state nor a mark' 'state open'

# --- Links: from each call to what it asked for
links() { sqlite3 "$1" "$2" | LC_ALL=C sort | md5sum; }
held_links() { ask "$1" "SELECT CAST(round(begin * 1e9) AS INTEGER) || '|' ||
    CAST(round(\"end\" * 1e9) AS INTEGER) FROM events WHERE category = 'link'" |
    LC_ALL=C sort | md5sum; }
same "links" "$(links nsys.sqlite "SELECT r.start, k.start FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN (
    SELECT start, correlationId FROM CUPTI_ACTIVITY_KIND_KERNEL UNION ALL
    SELECT start, correlationId FROM CUPTI_ACTIVITY_KIND_MEMCPY UNION ALL
    SELECT start, correlationId FROM CUPTI_ACTIVITY_KIND_MEMSET UNION ALL
    SELECT start, correlationId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION) k
    USING (correlationId)")" \
    "$(held_links nsys.db)"
same "links of rpd" "$(links rpd.sqlite "SELECT a.start, o.start FROM rocpd_api_ops p
    JOIN rocpd_api a ON a.id = p.api_id JOIN rocpd_op o ON o.id = p.op_id")" "$(held_links rpd.db)"
same "links of rocpd" "$(sqlite3 rocpd.sqlite 'SELECT (SELECT count(*) FROM
    rocpd_kernel_dispatch_00000_7a38_8d96_4bbb) + (SELECT count(*) FROM
    rocpd_kernel_dispatch_00001_7a38_8d96_4bbb) + (SELECT count(*) FROM
    rocpd_memory_copy_00000_7a38_8d96_4bbb) + (SELECT count(*) FROM
    rocpd_memory_copy_00001_7a38_8d96_4bbb)')" "$(ask rocpd.db "SELECT count(*) FROM events WHERE
    category = 'link' AND source LIKE 'jacobi%' AND target LIKE 'MI300X%'")"
same "bytes" "$(sqlite3 nsys.sqlite 'SELECT (SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY) +
    (SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMSET)')" "$(ask nsys.db "SELECT
    sum(json_extract(attributes, '\$.size')) FROM events WHERE category = 'link'")"
# a call that asked for several
sqlite3 nsys.sqlite ".backup several.sqlite" "ATTACH 'several.sqlite' AS s" \
    "UPDATE s.CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = 0"
quiet several.sqlite -o several.db
same "a call of many" "$(sqlite3 nsys.sqlite 'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL')" \
    "$(ask several.db "SELECT count(*) FROM events WHERE category = 'link' AND begin = 1e-6 AND
        attributes IS NULL")"

# --- Several files, by their clocks
cp nsys.sqlite other.sqlite
sqlite3 other.sqlite 'UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + 5000'
quiet nsys.sqlite other.sqlite -o both.db
same "two reports" 5 "$(ask both.db "SELECT round((max(begin) - min(begin)) * 1e6, 3) FROM events
    WHERE value = 'loader'")"

# --- Broken ones
sqlite3 nsys.sqlite ".backup odd.sqlite" "ATTACH 'odd.sqlite' AS s" \
    "UPDATE s.OSRT_API SET start = NULL WHERE rowid = 3" \
    "UPDATE s.CUPTI_ACTIVITY_KIND_MEMSET SET end = start - 1 WHERE rowid = 2"
refused 1 'odd.sqlite:3: the row of OSRT_API has no begin, expected nanoseconds' \
    import odd.sqlite -o no.db
quiet --lenient odd.sqlite -o odd.db
says odd.db 'skipped line' 'state that ends before it begins (taken as one of none)'
damage() { # TABLE: its first page, in damaged.sqlite
    local page size
    page=$(sqlite3 nsys.sqlite "SELECT rootpage FROM sqlite_master WHERE name = '$1'")
    size=$(sqlite3 nsys.sqlite 'PRAGMA page_size')
    cp nsys.sqlite damaged.sqlite
    printf '%0100d' 7 |
        dd of=damaged.sqlite bs=1 seek=$(((page - 1) * size)) conv=notrunc status=none
}
damage OSRT_API
refused 1 'damaged.sqlite: OSRT_API cannot be read: database disk image is malformed, expected a' \
    import damaged.sqlite -o no.db
quiet --lenient damaged.sqlite -o damaged.db
says damaged.db 'skipped rest of the OSRT_API'
same "the other tables" "$(held nsys.db | grep -v 'Call|poll')" "$(held damaged.db)"
# What others are joined with is damaged: they are read, and it is named.
damage CUPTI_ACTIVITY_KIND_RUNTIME
refused 1 'damaged.sqlite: CUPTI_ACTIVITY_KIND_RUNTIME cannot be read: ' \
    import damaged.sqlite -o no.db
cli import --force --lenient damaged.sqlite -o damaged.db >/dev/null 2>quiet.err
has quiet.err 'skipped the rest of the CUPTI_ACTIVITY_KIND_RUNTIME: damaged.sqlite: '
same "what is joined" "$(held nsys.db | grep '^GPU')" "$(held damaged.db | grep '^GPU')"
head -c $(($(stat -c %s nsys.sqlite) * 3 / 4)) nsys.sqlite >cut.sqlite
refused 1 'cut.sqlite: is a database of Nsight Systems, which cannot be read, expected the whole' \
    import cut.sqlite -o no.db
quiet --lenient cut.sqlite -o cut.db
says cut.db 'skipped rest of the '
gzip -kc nsys.sqlite >nsys.sqlite.gz
for file in nsys.sqlite.gz -; do
    code=0
    cli import $file -o no.db <nsys.sqlite 2>refused.err || code=$?
    same "$file: exit code" 1 $code
    has refused.err 'is a database of Nsight Systems, which cannot be read, expected the whole file'
done
refused 1 'standard input: is no file, expected one with a database' \
    import --format nsys - -o no.db <nsys.sqlite
refused 1 'nsys.sqlite.gz: ' import --format nsys nsys.sqlite.gz -o no.db
sqlite3 empty.sqlite 'CREATE TABLE StringIds(id, value)' \
    'CREATE TABLE NVTX_EVENTS(start, end, text)'
refused 1 'empty.sqlite: holds no state of a thread or of a stream' import empty.sqlite -o no.db
# A trace.db is one still, and a table that is computed is none.
refused 1 'nsys.db: is a trace.db already' import nsys.db -o no.db
sqlite3 view.sqlite 'CREATE TABLE StringIds(id, value)' \
    'CREATE TABLE NVTX_EVENTS(start, end, text)' \
    'CREATE VIEW OSRT_API AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS start, i AS "end", 1 AS globalTid FROM n' \
    "INSERT INTO NVTX_EVENTS VALUES (1, 5, 'x')"
quiet view.sqlite -o view.db
same "a view" '|x' "$(ask view.db "SELECT '|' || value FROM events")"

# What is wrong is said of the streams, also where ranges of the program cover all of its threads.
said() { # KIND FILE PATTERN
    python3 "$OCELOTL_ROOT/examples/crowds.py" "$1" "$2"
    quiet "$2" -o "$1.db"
    cli explain "$1.db" 2>/dev/null | grep -q "^1\. $3" || fail "explain does not say $3"
}
said nsys wrong.sqlite 'NVIDIA H100 (GPU 2) .*: gemm takes 1\.7 times as long .* others wait'
said rocpd wrong.db 'MI300X (GPU 1) .*: MEMORY_COPY_HOST_TO_DEVICE takes 5 times as long'

# Traces of Perfetto: counts and times agree with a literal reader of the packets, perfetto.py;
# names, clocks, links and what is lost are those of the packets; damage gives its errors.
need jq python3

make() { python3 "$OCELOTL_ROOT/tests/perfetto.py" make "$@"; }
count() { python3 "$OCELOTL_ROOT/tests/perfetto.py" read "$1"; }
counted() {
    cli info --json "$1" | jq -r '.source.records | to_entries[] | "record \(.key) \(.value)"'
    ask "$1" "SELECT 'state ' || value || ' ' || count(*) || ' ' ||
        CAST(round(sum(duration) * 1e9) AS INTEGER) FROM events WHERE type IN ('Slice', 'Interrupt')
        GROUP BY value"
    ask "$1" "SELECT 'running ' || CAST(round(sum(duration) * 1e9) AS INTEGER) FROM events
        WHERE type = 'Thread state' AND value = 'running'"
}

make small 3
make plain 3 plain
make many 400
for file in small plain many; do agrees "$file"; done
gzip -c many >packed.gz && agrees packed.gz

# --- Names, rows, what events carry, links
quiet small -o run.db
same "resources" "CPUs CPUs/CPU 0 CPUs/CPU 1 reader reader/async? solver" \
    "$(ask run.db "SELECT DISTINCT resource FROM events WHERE resource NOT LIKE 'solver/%'
        AND resource NOT LIKE 'reader/%'
        UNION SELECT 'CPUs' UNION SELECT 'reader/async?' ORDER BY 1" | line)"
same "rows of the solver" "solver/async/old solver/main solver/outer/inner solver/worker" \
    "$(ask run.db "SELECT DISTINCT resource FROM events WHERE resource LIKE 'solver/%' ORDER BY 1" |
        line)"
same "the first slice that is read" "0 file.txt app,io 0.5 -1" \
    "$(cli sql --json run.db "SELECT attributes FROM events WHERE value = 'read' ORDER BY begin" |
        jq -r '.[0].attributes | fromjson | "\(.size) \(.name) \(.cat) \(.["deep.part"])" +
            " \(.["deep.list[0]"])"')"
same "flows" "3 3 15000" "$(ask run.db "SELECT count(*) || ' ' || sum(source = 'solver/main' AND
    target = 'solver/worker') || ' ' || CAST(round(sum(duration) * 1e9) AS INTEGER) FROM events
    WHERE type = 'Flow' AND value = 'step'")"
same "wakings" 3 "$(ask run.db "SELECT count(*) FROM events WHERE type = 'Waking' AND
    source = 'solver/main' AND target = 'reader/io-thread'")"
same "a counter in units of two" "0 2 4" \
    "$(ask run.db "SELECT CAST(value AS INTEGER) FROM events WHERE type = 'load' ORDER BY begin" |
        line)"
same "the clock" '2023-11-14T22:13:20Z' "$(cli info --json run.db | jq -r .origin)"
same "all clocks are known" null "$(warned run.db 'clock')"

# --- What is lost, or comes late, is said
cat >odd.py <<'END'
import sys
from perfetto import field, message, packet
packets = [
    packet((8, 5), (58, 9), (11, message((9, 1), (11, 5), (10, 7)))),    # nothing is known of it
    packet((8, 9), (58, 9), (11, message((9, 2), (11, 5)))),
    packet((60, message((1, 5), (5, 6), (2, "late")))),
    packet((60, message((1, 6), (5, 5), (2, "around")))),
    packet((8, 9), (1, b"\x08\x80\x20")),                                # a CPU beyond all
    packet((8, 20), (11, message((9, 3), (11, 5), (23, "end"), (48, ("fixed", 3))))),
    packet((8, 30), (11, message((9, 3), (11, 6), (23, "begin"), (47, ("fixed", 3))))),
    packet((8, 2**63), (11, message((9, 3), (11, 6), (23, "never")))),
]
open(sys.argv[1], "wb").write(b"".join(packets))
END
python3 odd.py odd
refused 1 'odd:5, byte ' import odd -o no.db
has refused.err 'the CPU is 4096, expected less than 4096'
quiet --lenient odd -o odd.db
says odd.db 'time of a clock that no snapshot' 'number of a name that was not sent' \
    'track that is used before' 'skipped line: the CPU is' 'skipped line: a time has' \
    'link that ends before it starts'
same "a row by its late name, a slice without one" "around/late (no name)" \
    "$(ask odd.db "SELECT resource || ' ' || value FROM events WHERE type = 'Slice'")"
same "the whole flow" 1 "$(ask odd.db "SELECT count(*) FROM events WHERE type = 'Flow'")"

# --- Cut and damaged files
size=$(stat -c %s many)
for length in $(seq $((size - 60)) 7 $((size - 1))) $((size / 2)) 40; do
    head -c "$length" many >cut
    if ! cli import --force cut -o cut.db >/dev/null 2>cut.err; then
        like cut.err '^ocelotl-cli: cut: (byte|holds)'
    fi
done
head -c $((size - 5)) many >cut
refused 1 'cut: byte ' import cut -o no.db
has refused.err 'the file ends inside a field, expected the rest of it'
head -c $(($(stat -c %s plain) / 2)) plain >cut
quiet --lenient cut -o cut.db
says cut.db 'skipped rest of the trace'
gzip -c plain | head -c 500 >cut.gz
refused 1 'cut.gz: the compressed data ends too early' import cut.gz -o no.db
python3 - <<'END'
import random
import perfetto
random.seed(1)
whole = perfetto.make(4, True)
for i in range(40):
    broken = bytearray(whole)
    for _ in range(3):
        broken[random.randrange(60, len(broken))] = random.randrange(256)
    open(f"broken{i}", "wb").write(broken)
END
for i in $(seq 0 39 | thin 2); do
    code=0
    cli import --force --lenient "broken$i" -o broken.db >/dev/null 2>broken.err || code=$?
    [ "$code" -le 1 ] || fail "broken$i: exit code $code: $(cat broken.err)"
done

# --- Two files on one clock
quiet small plain -o both.db
same "a node for each" "2" "$(cli info --json both.db | jq '[.resource_types[] |
    select(.name == "File") | .resources] | add')"

# Profiles of XLA: counts and times agree with a literal reader of the planes, xplane.py, also of a
# profile that JAX made; names, links and clocks are those of the planes; damage gives its errors.
need jq python3

make() { python3 "$OCELOTL_ROOT/tests/xplane.py" make "$@"; }
count() { python3 "$OCELOTL_ROOT/tests/xplane.py" read "$1"; }
counted() {
    cli info --json "$1" | jq -r '.source.records | to_entries[] | "record \(.key) \(.value)"'
    ask "$1" "SELECT 'state ' || value || ' ' || count(*) || ' ' ||
        CAST(round(sum(duration) * 1e12) AS INTEGER) FROM events WHERE type = 'Event'
        GROUP BY value"
    ask "$1" "SELECT 'links ' || count(*) FROM events WHERE type = 'Launch' AND source <> '' AND
        target <> ''"
}

make small 3
make many 500
for file in small many; do agrees "$file"; done
gzip -c many >packed.gz && agrees packed.gz
real=$OCELOTL_ROOT/../shared/traces/crowds/xplane/jax-conv-mi300.xplane.pb
[ ! -e "$real" ] || agrees "$real"

# --- Rows, names, what events carry, the clock
quiet small -o run.db
same "rows" "/device:GPU:0/Stream #7 /device:GPU:1/Stream #7 /host:CPU/main thread" \
    "$(ask run.db "SELECT DISTINCT replace(resource, '%2F', '/') FROM events WHERE type = 'Event'
        ORDER BY 1" | line)"
same "what an event carries" '1 jit(step) 0.25' \
    "$(cli sql --json run.db "SELECT attributes FROM events WHERE value = 'fusion' ORDER BY begin" |
        jq -r '.[0].attributes | fromjson | "\(.correlation_id) \(.hlo_op) \(.occupancy)"')"
same "a tick" 1000000000000 "$(cli info run.db | sed -n 's/.*in ticks of 1\/\([0-9]*\) s/\1/p')"
same "the clock" '2023-11-14T22:13:20Z' "$(cli info --json run.db | jq -r .origin)"
python3 - <<'END'
import xplane
from perfetto import field, message
line = message((2, "a"), (4, message((1, 9), (2, 0), (3, 5))))
open("unnamed", "wb").write(field(1, message((2, "/host:CPU"), (3, line))))
END
agrees unnamed
quiet small many -o both.db
same "a node for each" 2 "$(cli info --json both.db | jq '[.resource_types[] |
    select(.name == "File") | .resources] | add')"

# --- Cut and damaged files
size=$(stat -c %s many)
for length in $((size - 1)) $((size / 2)) 90; do
    head -c "$length" many >cut
    refused 1 'cut: byte ' import cut -o no.db
done
head -c $((size / 2)) many >cut
quiet --lenient cut -o cut.db
says cut.db 'skipped rest of the profile'
python3 - <<'END'
import random
import xplane
random.seed(1)
whole = xplane.make(8)
for i in range(40):
    broken = bytearray(whole)
    for _ in range(3):
        broken[random.randrange(30, len(broken))] = random.randrange(256)
    open(f"broken{i}", "wb").write(broken)
END
for i in $(seq 0 39 | thin 2); do
    code=0
    cli import --force --lenient "broken$i" -o broken.db >/dev/null 2>broken.err || code=$?
    [ "$code" -le 1 ] || fail "broken$i: exit code $code: $(cat broken.err)"
done

# Recordings of trace-cmd: counts and times agree with a literal reader of the pages, trace_dat.py,
# and with what trace-cmd report prints of the same; damage gives its errors.
need jq python3

make() { python3 "$OCELOTL_ROOT/tests/trace_dat.py" make "$@"; }
count() { python3 "$OCELOTL_ROOT/tests/trace_dat.py" read "$1"; }
counted() {
    cli info --json "$1" | jq -r '.source.records | to_entries[] | "\(.key) \(.value)"'
    ask "$1" "SELECT 'running ' || CAST(round(sum(duration) * 1e9) AS INTEGER) FROM events
        WHERE type = 'Thread state' AND value = 'running' HAVING count(*) > 0"
}
# A report does not say what an interrupt wakes: its links are others.
events="SELECT resource, type, value, begin, end FROM events WHERE type <> 'Waking'
    ORDER BY 1, 2, 4"
# as_reported FILE: an import agrees with that of its report, to the nanosecond.
as_reported() {
    command -v trace-cmd >report.where || return 0
    trace-cmd report -t "$1" >report.txt 2>report.err || fail "$1: $(head -n 3 report.err)"
    quiet report.txt -o report.db
    quiet "$1" -o file.db
    ask report.db "$events" >report.events
    ask file.db "$events" | diff - report.events >diff.txt || fail "$1: $(head -n 20 diff.txt)"
}

i=0
for words in "3 small" "200 big" "200 long4" "200 big long4 7" "200 7" "200 7 zlib" \
    "200 7 zlib big long4" "200"; do
    i=$((i + 1))
    make "$i.dat" $words
    agrees "$i.dat"
    case $words in
    *small* | *zlib*) ;; # trace-cmd maps whole pages, and may be without zlib
    *) as_reported "$i.dat" ;;
    esac
done
gzip -c 2.dat >packed.gz && agrees packed.gz
if command -v trace-cmd >convert.where &&
    trace-cmd convert -i 8.dat -o zstd.dat --file-version 7 --compression zstd \
        >convert.txt 2>&1; then
    quiet zstd.dat -o zstd.db
    quiet 8.dat -o plain.db
    same "as zstd" "$(ask plain.db "$events" | cksum)" "$(ask zstd.db "$events" | cksum)"
fi
real=$OCELOTL_ROOT/../shared/traces/crowds/ftrace/trappy-raw-trace.dat.gz
if [ -e "$real" ]; then
    agrees "$real"
    gzip -dc "$real" >real.dat && as_reported real.dat
fi

# --- What events say: names of numbers, of functions and of bits, texts with their arguments
quiet 1.dat -o run.db
said() {
    cli sql --json run.db "SELECT attributes FROM events WHERE type = '$1' ORDER BY begin" |
        jq -r '.[1].attributes | fromjson | .fields'
}
same "a text with arguments" 'helper: i=-1, 00000003 text' "$(said bprint)"
same "a text" 'tracing_mark_write: B|12|round' "$(said print)"
same "a function" 'schedule <-do_nanosleep' "$(said function)"
same "a text elsewhere" 'irq=5 name=eth0' "$(said irq_handler_entry)"
same "a number by its name" 'vec=TIMER' "$(said softirq_entry)"
same "numbers" 'args={1,2,65535} blob={1,2} at=0xffffffff81000010' "$(said wide)"
same "why threads are blocked" "D S" "$(ask run.db "SELECT DISTINCT attributes ->> 'reason'
    FROM events WHERE value = 'blocked' AND attributes ->> 'reason' <> '' ORDER BY 1" | line)"
same "an interrupt wakes without a link" 1 "$(ask run.db "SELECT count(*) FROM events
    WHERE type = 'Waking'")"
same "the program" "trace-cmd 3.1.6" "$(cli info run.db | sed -n 's/^producer *//p')"
make lost.dat 200 lost
quiet lost.dat -o lost.db
says lost.db 'loss of events by the kernel'

# --- Clocks: one that counts, with and without its speed; times that are shifted
python3 - <<'END'
import struct
import trace_dat as made
clocks = {"counts": (b"local global [counter]", ()), "tsc": (b"[x86-tsc] local", ()),
          "known": (b"[x86-tsc] local", ((14, struct.pack("<IIQ", 1 << 20, 21, 0)),)),
          "later": (b"[local] mono", ((7, b"-5000000000\0"), (1, b"0x3e8\0")))}
for name, (clock, options) in clocks.items():
    with open(f"{name}.dat", "wb") as file:
        file.write(made.make(3, clock=clock, options=options))
END
for name in counts tsc; do
    refused 1 "the clock counts, and does not say the time" import $name.dat -o no.db
done
quiet known.dat -o known.db
quiet later.dat -o later.db
first="SELECT printf('%.9f', min(begin)) FROM events"
same "half the speed" 53219.837785460 "$(ask known.db "$first")"
same "shifted" 106434.676570921 "$(ask later.db "$first")"
! command -v trace-cmd >later.where || as_reported later.dat

# --- Cut and damaged files
size=$(stat -c %s 2.dat)
for length in $((size - 1)) $((size / 2)); do
    head -c "$length" 2.dat >cut.dat
    refused 1 'a buffer ends behind the file' import cut.dat -o no.db
    quiet --lenient cut.dat -o cut.db
    says cut.db 'skipped rest of the trace'
    rm cut.db
done
for length in 11 30 1000; do
    head -c "$length" 2.dat >cut.dat
    refused 1 'cut.dat: byte ' import --lenient cut.dat -o no.db
done
printf '\027\010\104tracing8\0\0\010\0\020\0\0' >eight.dat
refused 1 'of another version, expected 6 or 7' import eight.dat -o no.db
python3 - <<'END'
import random
import trace_dat
random.seed(1)
wholes = [trace_dat.make(3, size=256), trace_dat.make(3, version=7, size=256),
          trace_dat.make(3, version=7, packed=True, size=256)]
for i in range(60):
    broken = bytearray(wholes[i % 3])
    for _ in range(random.choice((1, 4, 20))):
        broken[random.randrange(10, len(broken))] = random.randrange(256)
    open(f"broken{i}", "wb").write(broken)
END
for i in $(seq 0 59 | thin 2); do
    code=0
    cli import --force --lenient "broken$i" -o broken.db >/dev/null 2>broken.err || code=$?
    [ "$code" -le 1 ] || fail "broken$i: exit code $code: $(cat broken.err)"
done

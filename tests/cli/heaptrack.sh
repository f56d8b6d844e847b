# Recordings of heaptrack: what the recorder's own report says of them, and what awk makes of the
# lines, of a program whose allocations are known.
need zstd python3 jq

recorded=$OCELOTL_ROOT/tests/data/heap/heaptrack.zst
cp "$recorded" run.zst
quiet run.zst -o run.db
says run.db 'format     heaptrack' 'such as known'
zstd -dcq "$recorded" >run.txt

# What is alive after each line, as the file says it.
replay() {
    python3 - "$1" <<'EOF'
import sys
sizes, alive, peak, made, resident, page = [], 0, 0, 0, [], 4096
for line in open(sys.argv[1], encoding="utf-8"):
    what, *words = line.split() or [""]
    if what == "a":
        sizes.append(int(words[0], 16))
    elif what in ("+", "-"):
        size = sizes[int(words[0], 16)]
        alive += size if what == "+" else -size
        made += what == "+"
        peak = max(peak, alive)
    elif what == "I":
        page = int(words[0], 16)
    elif what == "R":
        resident.append(int(words[0], 16) * page)
print(made, peak, alive, *resident)
EOF
}
heap_of() { cli heap --json "$1" 2>/dev/null | jq -r '"\(.rows[0].blocks) \(.peak_bytes) \(.rows[0].leaked_bytes)"'; }
resident=$(ask run.db "SELECT value FROM events WHERE type = 'resident memory' ORDER BY begin" | line)
same 'the replay' "$(replay run.txt)" "$(heap_of run.db) ${resident//.0/}"

# The arithmetic of tests/heap_program.c: sums of 1000 (k + 1) + i, and four blocks of 100000.
same 'the program' '804 2479600' "$(cli heap --csv --most 99 run.db 2>/dev/null |
    sed -n 's/^caller,work,,\([0-9]*\),\([0-9]*\),.*/\1 \2/p')"
same 'its leaks' '150 766578' "$(cli heap --csv --most 99 run.db 2>/dev/null |
    sed -n 's/^caller,work,.*,\([0-9]*\),\([0-9]*\)$/\1 \2/p')"

# heaptrack's own report, which has three digits.
if command -v heaptrack_print >/dev/null; then
    heaptrack_print run.zst >printed.txt 2>/dev/null
    of_print() { sed -n "s/^$1: \([0-9.]*[KMG]*\)B*$/\1/p" printed.txt; }
    as_print() { awk -v n="$1" 'BEGIN { split("  K M G", u, " "); k = 0
        while (n >= 1000) { n /= 1000; k++ }
        printf "%.2f%s\n", n, substr("KMG", k, 1) }'; }
    read -r calls peak leaked <<<"$(heap_of run.db)"
    like printed.txt "^calls to allocation functions: $calls "
    same 'the peak' "$(of_print 'peak heap memory consumption')" "$(as_print "$peak")"
    same 'the leaks' "$(of_print 'total memory leaked')" "$(as_print "$leaked")"
fi

# Times: those of the clock, in order between its readings; freed first is what came first.
head='v 10400 3\nX /opt/bin/a.out -x\nI 1000 9\ns 4 main\ns 9 /lib/l.so\ni 10 2 1\ni 20 2\ni 30 0\n'
head+='t 1 0\nt 2 1\nt 3 2\na 10 1\na 20 2\na 30 3\n'
# made NAME LINES: a recording.
made() { printf "$head$2" >"$1"; }
made small 'c a\n+ 0\n+ 0\n- 0\n+ 1\nc 14\n+ 2\nR 2\nc 1e\n# end\nS odd\n'
quiet small -o small.db
same 'blocks' '0.010000001 0.010000003 main 16,0.010000002 0.010000002 main 16,0.010000004 0.010000004 l.so 32,0.020000001 0.020000001 0x30 48' \
    "$(ask small.db "SELECT printf('%.9f %.9f %s %s', begin, end, value,
        json_extract(attributes, '\$.size')) FROM events WHERE category = 'link'
        ORDER BY begin" | paste -sd,)"
says small.db 'such as a.out' '1  other line' 'in bytes'
cli sql --csv small.db "SELECT value FROM events WHERE category = 'variable'" | grep -q 8192 ||
    fail "not the resident memory"
# a version before texts had lengths
sed '1s/ 3//; s/^s [0-9a-f]* /s /' small >old
quiet old -o old.db
same 'an old version' "$(exported small.db)" "$(exported old.db)"
# several files
mkdir several && cp small several/one && cp small several/two
quiet several/one several/two -o several.db
same 'two files' '8 2' "$(ask several.db "SELECT count(*) || ' ' || count(DISTINCT resource)
    FROM events WHERE category = 'link'")"

# --- Broken lines

while IFS='|' read -r lines message; do
    made x "c 1\n+ 0\n$lines\n"
    refused 1 "x:17: $message" import x -o no.db
    quiet --lenient x -o no.db
    says no.db 'skipped line'
    rm no.db
done <<'EOF'
+ 3|there is no block 3, expected less than 3
i 40 3|there is no text 3, expected at most 2
i 40 1 ffffffffffffffffff|there is no text ffffffffffffffff, expected at most 2
t 4 0|there is no instruction 4, expected at most 3
a 1 4|there is no stack 4, expected at most 3
s 5 main|the text has 4 bytes, expected 5
c zz|the line of time is "c zz", expected c and a number
+ -1|the line of allocation is "+ -1", expected + and a number
- |the line of free is "- ", expected - and a number
a zz 1|the line of size and stack is "a zz 1", expected a and a number
R x|the line of resident memory is "R x", expected R and a number
a 8000000000000000 1|the size is 8000000000000000, expected at most 7fffffffffffffff
c 80000000|the time is 80000000 ms, expected at most 7fffffff
m 1 x|the recording is raw, expected what heaptrack_interpret makes of it
v 20000 4|the file is of version 4, expected at most 3
EOF
made x 'c 1\n'
refused 1 'x: holds no allocation, expected some' import x -o no.db
made x 'c 1\n- 0\n'
quiet x -o x.db
same 'a free alone' 1 "$(cli heap --json x.db 2>/dev/null | jq .unknown_frees)"
printf 'v of 3\nX a\n' >x
refused 1 'x: is of no format that is known' import x -o no.db

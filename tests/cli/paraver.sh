# Paraver traces: what an import makes of them agrees with a few lines of awk over the same file,
# with the quirks of real files; whatever order records come in, the trace is the same; broken files
# give their errors.
need jq

cat >names.pcf <<'END'
STATES
0    Idle
1    Running
2    Not created
9    Group Communication

STATES_COLOR
1    {0,0,255}
8    {1,2}

EVENT_TYPE
9   50000001    MPI Point-to-point
VALUES
3   MPI_Isend
0   Outside MPI

EVENT_TYPE
0   60000019    User function
VALUES
0   End
1   main
2   solve

EVENT_TYPE
6   40000003    Phase
VALUES
0   End
1   First
2   Second

EVENT_TYPE
7  42000050 PAPI_TOT_INS
7  44224275 LONGEST_LAT_CACHE:MISS

EVENT_TYPE
0    70000001    Caller at level 1
VALUES
0   End
4   CommSend
END
cat >names.row <<'END'
LEVEL CPU SIZE 4
1.node
2.node
3.node
4.node

LEVEL THREAD SIZE 5
one
two

LEVEL NODE SIZE 1
node
END
cp names.pcf a.pcf
cp names.row a.row
cat >a.prv <<'END'
#Paraver (22/11/26 at 10:00):1000_ns:1(4):2:3(1:1,2:1,1:1),2,1(1:1),0
c:1:1:3:1:2:3
c:1:2:1:2
# a comment
1:0:1:2:2:0:50:2
1:1:1:1:1:0:100:1
2:1:1:1:1:0:60000019:1:42000050:7
1:2:1:2:1:0:80:1
2:2:1:2:1:0:50000001:0
1:3:1:3:1:10:10:9
2:1:1:1:1:20:60000019:2:70000001:4:42000050:100
2:1:1:1:1:30:60000019:0:50000001:3:12345:77
2:1:1:1:1:40:50000001:0:44224275:18446744073709551615:12345:-3
1:3:1:2:2:50:100:5
# another
3:1:1:1:1:35:37:2:1:2:1:60:66:1024:9
3:1:1:1:1:36:38:1:1:1:1:30:66:2048:9
1:4:2:1:1:60:120:1
2:4:2:1:1:60:40000003:1
2:4:2:1:1:70:40000003:2
2:4:2:1:1:90:40000003:0
4:1:1:1:1:5:6:7
1:1:1:1:1:100:200:9
2:1:1:1:1:200:60000019:0:42000050:5
END

# What awk counts: records and events by type, time by state, messages and bytes.
count() {
    awk -F : 'FNR == 1 { next }
        NF == 0 { next }
        /^#/ { n["#"]++; next }
        { n[$1]++ }
        $1 == 1 && !($6 == 0 && $8 == 2) { time += $7 - $6; zero += $6 == $7 }
        $1 == 2 { for (i = 7; i < NF; i += 2) n["2:" $i]++ }
        $1 == 3 { bytes += $14; messages++ }
        END {
            for (k in n) print "record " k, n[k]
            printf "states %.0f\n", time
            printf "messages %d %.0f\n", messages, bytes
        }' "$1" | sort
}
counted() {
    cli info --json "$1" >info.json
    jq -r '.source.records | to_entries[] | "record \(.key) \(.value)"' info.json
    ask "$1" "SELECT 'states ' || cast(round(coalesce(sum(duration), 0) * 1e9) AS integer)
        FROM events WHERE type = 'State'"
    ask "$1" "SELECT 'messages ' || count(*) || ' ' || coalesce(sum(
        json_extract(attributes, '\$.size')), 0) AS told FROM events WHERE type = 'Communication'"
}
# sums PRV TYPES: what each counter of each thread has counted in all.
sums() {
    awk -F : -v types=" $2 " '$1 == 2 { for (i = 7; i < NF; i += 2)
            if (index(types, " " $i " ")) sum[$3 "." $4 "." $5 " " $i] += $(i + 1) }
        END { for (which in sum) printf "%.9g\n", sum[which] }' "$1" | sort -g | line
}
agrees_on_counters() {
    local types
    types=$(cli info "$2" | awk '$3 == "variable:" && /2:/ { print substr($2, 3) }' | line)
    same "$1: counters" "$(sums "$1" "$types")" "$(ask "$2" "SELECT
        printf('%.9g', max(value)) FROM events WHERE category = 'variable'
        GROUP BY resource, type" | sort -g | line)"
}
for archive in "$OCELOTL_ROOT"/../shared/traces/formats/paraver/*.tar.zst; do
    [ ! -e "$archive" ] || tar --zstd -xf "$archive"
done
for trace in a.prv epoch*.prv.gz lulesh*.prv test1.prv; do
    [ -e "$trace" ] || continue
    agrees "$trace"
    agrees_on_counters agrees.text agrees.db
done

# --- States, events, messages

quiet a.prv -o a.db
rows() {
    ask a.db "SELECT resource, value, cast(round(begin * 1e9) AS integer) AS b,
        cast(round(end * 1e9) AS integer) FROM events WHERE type = '$1'
        ORDER BY b, resource, 4 DESC" | sed 's/[^,]*\///' | line
}
same "functions nest" "one,main,0,200 one,solve,20,30" "$(rows 'User function')"
same "MPI is one type" "one,MPI_Isend,30,40" "$(rows MPI)"
same "a value replaces another" "THREAD 2.1.1,First,60,70 THREAD 2.1.1,Second,70,90" "$(rows Phase)"
same "states" "one,Running,0,100 two,Running,0,80 THREAD 1.3.1,Group Communication,10,10 \
THREAD 1.2.2,State 5,50,100 THREAD 2.1.1,Running,60,120 one,Group Communication,100,200" \
    "$(rows State)"
same "messages" "one,Message,35,60 one,Message,36,30" "$(rows Communication)"
same "values without a name" "77 -3" "$(ask a.db "SELECT json_extract(attributes, '\$.value')
    FROM events WHERE type = '12345' ORDER BY begin" | line)"
cli info a.db >a.txt 2>&1
for oddity in 'link that ends before' 'end of a state without its begin' 'state without a name' \
    'another number of names' 'another value replaces' 'duration in the header' 'line of a .pcf'; do
    has a.txt "$oddity"
done

# --- Values that nest and values that replace: pairs of type and value at 10, 20, .. of a thread

cat >families.txt <<'END'
60000006:3 60000006:6 60000006:5 60000006:0|3,10,20 6,20,30 5,30,40
60000007:6 60000007:3 60000007:6 60000007:0|6,10,20 3,20,30 6,30,40
60000033:3 60000033:6 60000033:5 60000033:0|3,10,20 6,20,30 5,30,40
60000001:3 60000006:3 60000006:6 60000006:0 60000001:0|3,10,50 3,20,30 6,30,40
60000001:3 60000001:1 60000001:0 60000001:0|3,10,40 1,20,30
60000022:1 60000022:2 60000022:0 60000022:0|1,10,40 2,20,30
60000023:1 60000023:2 60000023:0 60000023:0|1,10,40 2,20,30
61000008:1 61000008:2 61000008:0|1,10,20 2,20,30
61000002:1 61000008:2 61000008:0 61000002:0|1,10,40 2,20,30
63000001:1 63000001:2 63000001:0 63000001:0|1,10,40 2,20,30
50000001:1 50000001:2 50000001:0|1,10,20 2,20,30
50000001:1 50000003:2 50000003:0 50000001:0|1,10,40 2,20,30
40000040:1 40000040:2 40000040:0|1,10,20 2,20,30
END
awk -F'[| ]' '{ for (i = 1; index($i, ":"); i++) print "2:0:1:1:" NR ":" 10 * i ":" $i }' \
    families.txt | sort -t: -s -n -k6 | sed "1i #Paraver (22/11/2026 at 10:00):90_ns:0:1:1($(wc -l \
    <families.txt):1)" >families.prv
grep -o '[0-9]\{8\}' families.txt | sort -u | while read -r number; do
    printf 'EVENT_TYPE\n0 %s type\nVALUES\n0 End\n1 1\n2 2\n3 3\n5 5\n6 6\n\n' "$number"
done >families.pcf
quiet families.prv -o families.db
number=0
while IFS='|' read -r pairs wanted; do
    number=$((number + 1))
    same "states of $pairs" "$wanted" "$(ask families.db "SELECT value,
        cast(round(begin * 1e9) AS integer) AS b, cast(round(end * 1e9) AS integer) FROM events
        WHERE resource LIKE '%/THREAD 1.1.$number' ORDER BY b" | line)"
done <families.txt
same "a lock that changes is not odd" "3" "$(cli info --json families.db |
    jq '[.warnings[] | select(.kind | contains("replaces")).count] | add')"

# --- By CPU

quiet --by cpu a.prv -o c.db
same "by CPU" "node/1.node/one node/2.node/two node/3.node/THREAD 1.2.2 node/3.node/THREAD 1.3.1 \
node/4.node/THREAD 2.1.1" "$(ask c.db "SELECT DISTINCT resource FROM events ORDER BY 1" | line)"
totals='SELECT type, value, round(sum(duration) * 1e9), count(*) FROM events GROUP BY 1, 2'
same "the same by CPU" "$(ask a.db "$totals")" "$(ask c.db "$totals")"
cat >moves.prv <<'END'
#Paraver (22/11/2026 at 10:00):90_ns:2(2,2):1:1(1:2)
2:1:1:1:1:10:60000019:1:42000050:5
2:4:1:1:1:50:60000019:2:42000050:6
2:4:1:1:1:60:60000019:0
2:4:1:1:1:70:60000019:0
1:0:1:1:1:80:90:1
END
cp names.pcf moves.pcf
quiet --by cpu moves.prv -o moves.db
same "a thread that moves" "NODE 1/CPU 1.1/THREAD 1.1.1,main,60 \
NODE 2/CPU 2.2/THREAD 1.1.1,solve,10 \
NODE 2/no CPU/THREAD 1.1.1,Running,10" "$(ask moves.db "SELECT resource, value,
    cast(round(duration * 1e9) AS integer) FROM events WHERE category = 'state' ORDER BY begin" |
    line)"

same "counters of a thread that moves" "NODE 1/CPU 1.1/THREAD 1.1.1,0,0 \
NODE 1/CPU 1.1/THREAD 1.1.1,5,10 NODE 2/CPU 2.2/THREAD 1.1.1,0,0 \
NODE 2/CPU 2.2/THREAD 1.1.1,0,10 NODE 2/CPU 2.2/THREAD 1.1.1,6,50" "$(ask moves.db "SELECT resource,
    cast(value AS integer), cast(round(begin * 1e9) AS integer) AS b
    FROM events WHERE category = 'variable' ORDER BY resource, b" | line)"

# Whatever command opens the trace itself takes --by, and the cache keeps both apart.
export XDG_CACHE_HOME=$PWD/cache
same "a trace that is opened by CPU" "$(cli export c.db | md5sum)" \
    "$(cli export --by cpu a.prv 2>/dev/null | md5sum)"
same "and by thread" "$(cli export a.db | md5sum)" "$(cli export a.prv 2>/dev/null | md5sum)"
cli info --by cpu a.prv 2>by.err >/dev/null
# stats has groups by the same option: a word chooses the hierarchy, a type makes groups in it.
same "statistics by cpu" "$(cli stats --csv c.db)" "$(cli stats --csv --by cpu a.prv 2>/dev/null)"
same "statistics of CPUs" "$(cli stats --csv --at CPU c.db)" \
    "$(cli stats --csv --by cpu --at CPU a.prv 2>/dev/null)"
same "statistics by thread" "$(cli stats --csv a.db)" \
    "$(cli stats --csv --by thread a.prv 2>/dev/null)"
has by.err 'was imported before'
cli info --by cpu a.db 2>by.err >/dev/null
has by.err 'a.db was imported before: --by changes nothing, give it to import'

# --- Types whose names come to the same

printf '%s\n' '#Paraver ():9_ns:1(1):1:1(1:1)' 2:1:1:1:1:1:7:1:9:1:8:1 2:1:1:1:1:2:7:0:9:0:8:0 \
    >alike.prv
printf '%s\n' EVENT_TYPE '0 7 phase' '0 9 phase (8)' '0 8 phase' VALUES '0 End' '1 one' >alike.pcf
quiet alike.prv -o alike.db
same "types of like names" "phase,1 phase (8),1 phase (8) (8),1" \
    "$(ask alike.db "SELECT type, count(*) FROM events GROUP BY 1 ORDER BY 1" | line)"

# --- Order, compression, folders, pipes: the same trace

expected=$(exported a.db)
for suffix in pcf row; do
    cp names.$suffix b.$suffix
    cp names.$suffix p.$suffix
    sed 's/$/\r/' names.$suffix >crlf.$suffix
done
# Events at one instant of one type keep their order: here none are.
{ head -n 3 a.prv && tail -n +4 a.prv | tac; } >b.prv
quiet b.prv -o b.db
same "records backwards" "$expected" "$(exported b.db)"
says b.db 'record out of order'
mkdir packed
gzip -c a.prv >packed/a.prv.gz
gzip -c a.pcf >packed/a.pcf.gz
cp a.row packed
quiet packed/a.prv.gz -o packed.db
same "gzip" "$expected" "$(exported packed.db)"
quiet packed -o packed.db
same "a folder" "$expected" "$(exported packed.db)"
sed 's/$/\r/' a.prv >crlf.prv
quiet crlf.prv -o crlf.db
same "lines of Windows" "$expected" "$(exported crlf.db)"
quiet - -o in.db <a.prv
mkdir alone
cp a.prv alone
quiet alone/a.prv -o alone.db
same "the uid of what came through a pipe" "$(uid alone.db)" "$(uid in.db)"
same "standard input has no names" "State 1" "$(ask in.db "SELECT value FROM events
    WHERE type = 'State' ORDER BY begin LIMIT 1")"
{
    head -n 1 a.prv
    printf '%s\n' 1:1:1:1:1:0:50:1 1:1:1:1:1:0:100:9 1:1:1:1:1:60:120:1
} >cross.prv
quiet cross.prv -o cross.db
same "states that cross" "0,100 0,50 60,120" "$(ask cross.db "SELECT
    cast(round(begin * 1e9) AS integer) AS b, cast(round(end * 1e9) AS integer) AS e FROM events
    ORDER BY b, e DESC" | line)"

# --- Several files: a node for each, in ticks of the finest unit

mkdir two
cp a.prv two/a2.prv
cp a.pcf two/a2.pcf
cp a.row two/a2.row
sed 's/1000_ns/1000_us/' b.prv >two/a10.prv # out of order
sed 's/1  *main/1 other/; s/Phase/Stage/' a.pcf >two/a10.pcf
cp a.row two/a10.row
quiet two -o two.db
cli export two.db >two.csv
same "the first of two" "$(cli export a.db | grep -E ',(state|event|link),' | sort | md5sum)" \
    "$(grep -E '^a2/.*,(state|event|link),' two.csv | sed 's|a2/||g' | sort | md5sum)"
same "the other has other names" "MPI 1 Stage 2 State 6 User function 2" "$(ask two.db "SELECT
    type, count(*) FROM events WHERE resource LIKE 'a10/%' AND category = 'state' GROUP BY 1" |
    tr ',' ' ' | line)"
same "and another unit" "0.02,0.03" "$(ask two.db "SELECT
    round(begin * 1000, 9), round(end * 1000, 9) FROM events
    WHERE resource LIKE 'a10/%' AND value = 'solve'")"
quiet two/a2.prv two/a10.prv -o given.db
same "as files" "$(uid two.db)" "$(uid given.db)"
quiet --by cpu two -o cpus.db
same "by CPU" "a10 a2" "$(cli export cpus.db | sed '1d; /,resource,/d; s|/.*||' | sort -u | line)"

# One root for all: a thread that both have has a lane for the second, as both begin at 0.
happens() { cli export "$1" | grep -E ',(state|event|link),'; }
quiet --same-root two -o root.db
same "one root" "$(happens a.db | sort | md5sum)" \
    "$(happens root.db | grep -v '~a10' | sort | md5sum)"
same "the other's rows" "$(happens two.db | sed -n 's|^a10/||p' | cut -d, -f1,3-8 | sort | md5sum)" \
    "$(happens root.db | grep '^[^,]*~a10' | sed 's|/~a10||' | cut -d, -f1,3-8 | sort | md5sum)"
same "it is said" 1 "$(cli info root.db | grep -c 'several files have at one time')"
cli verify root.db >verify.txt || fail "one root: $(cat verify.txt)"
quiet --same-root --by cpu two -o root.db
same "one root by CPU" "$(happens cpus.db | sed -n 's|^a2/||p' | cut -d, -f1,3-8 | sort | md5sum)" \
    "$(happens root.db | grep -v '~a10' | cut -d, -f1,3-8 | sort | md5sum)"
mkdir named
cp a.prv a.pcf a.row b.prv named
quiet --same-root named -o root.db
same "threads of other names below the same task" "THREAD 1.1.1,one" "$(ask root.db "SELECT name
    FROM resources WHERE parent = 'APPL 1/TASK 1.1' AND name NOT LIKE '%2' ORDER BY name" |
    paste -sd,)"
same "no task twice" "$(ask a.db "SELECT count(*) FROM resources WHERE type = 'Task'")" \
    "$(ask root.db "SELECT count(*) FROM resources WHERE type = 'Task'")"

# --- Headers

# read_as HEADER TICKS RESOURCES: with one record.
read_as() {
    printf '%s\n1:1:1:1:1:0:5:1\n' "$1" >h.prv
    quiet h.prv -o h.db
    cli info --json h.db >h.json
    holds "$1" h.json ".tick_denominator == $2 and ([.resource_types[].resources] | add) == $3"
}
read_as '#Paraver (21/01/2022 at 16:37):5_ns:1(20):1:1(1:1),1' 1000000000 3
read_as '#Paraver (21/01/22 at 16:37):5:1(20):1:1(1:1)' 1000000 3
read_as '#Paraver (21/01/22 at 16:37):5_us:1:1:1(1:1),0' 1000000 3
read_as '#Paraver (21/01/22 at 16:37):5_ms:0:1:2(1:0,3:0)' 1000 7
read_as '#Paraver ():5_ns:2(4,4):2:1(1:1),3:1(1:2),4 ' 1000000000 6

# --- Broken files

head='#Paraver (22/11/26 at 10:00):9_ns:1(4):1:1(1:1)'
# broken MESSAGE LINE...: is refused, and the line is skipped by --lenient where others are left.
broken() {
    local message=$1
    shift
    printf '%s\n' "$@" >x.prv
    refused 1 "$message" import x.prv -o x.db
    [ ! -e x.db ] || fail "$message: left a file"
}
skipped() {
    broken "x.prv:2: $1" "$head" "$2" 1:1:1:1:1:0:5:1
    quiet --lenient x.prv -o x.db
    says x.db 'skipped line'
    same "$2" 1 "$(ask x.db 'SELECT count(*) FROM events')"
    rm x.db
}
broken 'x.prv:1: the header goes on with "x", expected the duration of the trace' '#Paraver (1):x'
broken 'x.prv:1: the header goes on with "h:1:1:1(1:1)", expected a unit: ns, us, ms or s' \
    '#Paraver (1):5_h:1:1:1(1:1)'
broken 'x.prv:1: the header lists 1 applications, expected the 2 that it counts' \
    '#Paraver (1):5:1:2:1(1:1)'
broken 'x.prv:1: the header has more than 1048576 threads, expected fewer' \
    '#Paraver (1):5:1:1:2(1048576:1,1:1)'
broken 'x.prv: holds a header alone, expected records' "$head"
broken 'x.prv: holds a header and 2 other lines, such as comments, expected records' "$head" \
    '# nothing' c:1:1:1:1
for line in hello 1:1:1:1:1:x:5:1 2:1:1:1:1:0:7:1:8 3:1:1 4:1:1:1:1:x; do
    broken 'x.prv:2: ' "$head" "$line" c:1:1:1:1
    refused 1 'x.prv: holds nothing that can be read: x.prv:2: ' import --lenient x.prv -o x.db
done
skipped 'the record begins with "hello", expected 1, 2, 3, 4, c, i or #' hello
skipped 'a state of 7 fields, expected 1:cpu:application:task:thread:begin:end:state' 1:1:1:1:1:0:5
skipped 'an event of 9 fields, expected 2:cpu:' 2:1:1:1:1:0:7:1:8
skipped 'a communication of 3 fields, expected 3, of sender' 3:1:1
skipped 'field 6 is "x", expected an integer of 64 bits' 1:1:1:1:1:x:5:1
skipped 'field 8 is "99999999999999999999", expected an integer' 2:1:1:1:1:0:7:99999999999999999999
skipped 'the application is 2, expected 1 to 1 as in the header' 1:1:2:1:1:0:5:1
skipped 'the thread is 0, expected 1 to 1 as in the header' 1:1:1:1:0:0:5:1
skipped 'the state ends at 3 and begins at 5, expected an end that is not earlier' 1:1:1:1:1:5:3:1
skipped 'the time is -1, expected 0 to 2^63 - 1' 2:1:1:1:1:-1:7:1
skipped 'a communicator lists 1 tasks, expected 3' c:1:1:3:1
# Pairs that make nothing are left out, with the reason.
{
    echo "$head"
    printf '2:1:1:1:1:0:60000019:0:42000050:7\n2:1:1:1:1:5:42000050:2:60000019:1\n'
    echo 2:1:1:1:1:9:60000019:0
} >nothing.prv
cp names.pcf nothing.pcf
quiet nothing.prv -o nothing.db
same "left out" "2:60000019 1 it ends what did not begin" \
    "$(cli info --json nothing.db | jq -r '.source.left_out | to_entries |
        map("\(.key) \(.value.count) \(.value.why)") | sort | join(",")')"
same "records" "2:42000050 2,2:60000019 3" "$(cli info --json nothing.db | jq -r '.source.records |
    to_entries | map(select(.key | startswith("2:")) | "\(.key) \(.value)") | sort | join(",")')"
# Names that are cut are told, too.
mkdir part && cp a.prv part && head -c 60 packed/a.pcf.gz >part/a.pcf.gz
refused 1 'part/a.pcf.gz:1: the compressed data ends too early' import part/a.prv -o x.db
cli import --lenient part/a.prv -o part.db >/dev/null 2>&1
cli info part.db | grep -q 'skipped rest of the names; part/a.pcf.gz:' || fail "names were lost"
awk 'BEGIN {
    print "#Paraver ():2_ns:1(1):1:1(8000:1)"
    printf "2:1:1:1:1:1"
    for (i = 1; i <= 20000; i++) printf ":%d:1", i
    print ""
    for (i = 2; i <= 8000; i++) print "2:1:1:1:" i ":2:20000:1"
}' >wide.prv
# A sanitizer takes more of the address space than that by itself.
if (ulimit -v 4000000 && cli --version >/dev/null 2>&1); then
    (ulimit -v 4000000 && cli import --force wide.prv -o wide.db >/dev/null 2>&1) ||
        fail "memory grows with threads times types"
fi

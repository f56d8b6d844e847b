# Reading and showing a trace that stresses one data structure costs in proportion to its size:
# twice the size takes at most 2.9 times the processor time. OCELOTL_TEST_GROWTH sets the size;
# without it the traces are small and no time is measured.
need awk bash

size=${OCELOTL_TEST_GROWTH-}
most=2.9
printf 'resource,path\n*,x/*\n' >star.csv

# seconds ARGUMENT...: of the processor in the program, the best of two, since others use the
# machine, too; what the system takes to find memory depends on them most.
seconds() {
    local best=1000000 run
    for run in 1 2; do
        run=$({ TIMEFORMAT=%U && time OMP_WAIT_POLICY=passive cli "$@" >out.txt 2>err.txt; } 2>&1)
        best=$(awk -v a="$best" -v b="$run" 'BEGIN { print b < a ? b : a }')
    done
    echo "$best"
}

# grows KIND N ARGUMENT...: TRACE in an argument is the trace.db of N, and of 2 N. A run of
# less than a tenth of a second with the larger one is mostly the start of the program, and passes.
grows() {
    local kind=$1 n=$2 once twice
    shift 2
    once=$(seconds "${@//TRACE/$kind-$n.db}")
    twice=$(seconds "${@//TRACE/$kind-$((2 * n)).db}")
    awk -v a="$once" -v b="$twice" -v most="$most" 'BEGIN { exit !(b > 0.2 && b > most * a) }' ||
        return 0
    fail "$kind: $n: $once s, twice as much: $twice s: $*"
}

# works KIND N ARGUMENT...
works() {
    local kind=$1 n=$2
    shift 2
    cli "${@//TRACE/$kind-$n.db}" >out.txt 2>err.txt || fail "$kind: $* $(head -c 300 err.txt)"
}

# ask KIND N COMMAND...: runs each command with a trace of KIND, and its own arguments.
ask() {
    local kind=$1 n=$2 check=works command
    [ -z "$size" ] || check=grows
    shift 2
    for command in "$@"; do
        case $command in
        import) "$check" "$kind" "$n" import --force "TRACE.trace" -o TRACE ;;
        overview) "$check" "$kind" "$n" --force TRACE -o out.svg ;;
        report) "$check" "$kind" "$n" --force TRACE -o out.html ;;
        auto) "$check" "$kind" "$n" --force --hierarchy auto TRACE -o out.svg ;;
        listed) "$check" "$kind" "$n" --force --hierarchy star.csv TRACE -o out.svg ;;
        flight)
            "$check" "$kind" "$n" --force --metric link-count-in-flight --slices 8 TRACE -o out.svg
            ;;
        gantt | treemap) "$check" "$kind" "$n" "$command" --force TRACE -o out.svg ;;
        compare) "$check" "$kind" "$n" compare --force TRACE TRACE -o out.svg ;;
        sql) "$check" "$kind" "$n" sql TRACE "SELECT value, count(*) FROM events GROUP BY value" ;;
        *) "$check" "$kind" "$n" "$command" TRACE ;;
        esac
    done
}

# try KIND SHARE COMMAND...: with traces of that share of the size.
try() {
    local kind=$1 n=$((${size:-200} / $2)) m
    shift 2
    for m in "$n" $((2 * n)); do
        awk -v kind="$kind" -v n="$m" -f "$OCELOTL_ROOT/tests/growth/trace.awk" >"$kind-$m.db.trace"
        cli import "$kind-$m.db.trace" -o "$kind-$m.db" >out.txt 2>err.txt ||
            fail "$kind: $(cat err.txt)"
    done
    ask "$kind" "$n" "$@"
    rm -f "$kind"-*
}

# describe KIND N: the metadata of a CTF trace with N names of types that are used, sequences that
# refer to one number, or options of a variant.
describe() {
    awk -v kind="$1" -v n="$2" 'BEGIN {
        print "/* CTF 1.8 */\ntypealias integer { size = 8; align = 8; } := u8;"
        print "trace { major = 1; minor = 8; byte_order = le; };"
        if (kind == "aliases")
            for (i = 0; i < n; i++)
                print "typealias integer { size = 8; align = 8; } := type" i ";"
        print "stream { event.header := struct { u8 id; }; };"
        print "event { name = \"e\"; id = 0; fields := struct { u8 length;"
        if (kind == "options") {
            print "enum : u8 {"
            for (i = 0; i < n; i++)
                print "option" i ","
            print "} tag; variant <tag> {"
        }
        for (i = 0; i < n; i++)
            print kind == "aliases" ? "type" i " field" i ";" \
                : kind == "options" ? "u8 option" i ";" : "u8 field" i "[length];"
        print (kind == "options" ? "} chosen; " : "") "}; };"
    }'
}

# try_metadata KIND...
try_metadata() {
    local kind n=$((${size:-200} * 4)) m check=works
    [ -z "$size" ] || check=grows
    for kind in "$@"; do
        for m in "$n" $((2 * n)); do
            mkdir -p "$kind-$m.db.ctf"
            describe "$kind" "$m" >"$kind-$m.db.ctf/metadata"
        done
        "$check" "$kind" "$n" import --force TRACE.ctf -o TRACE
        rm -rf "$kind"-*
    done
}

try_metadata aliases sequences options
all=(import info overview report gantt stats export compare sql treemap parts series)
try push 1 "${all[@]}"
try values 1 import info overview report gantt stats export sql treemap parts
try samekey 1 import info overview gantt stats export sql
try keys 1 import info overview flight gantt stats export sql
try linkvalues 1 import info overview flight gantt stats export sql
try recreate 2 import info stats export sql
try wide 2 "${all[@]}" listed
try samename 2 "${all[@]}" listed
try suffixed 2 import info overview export listed
try states 1 import info overview stats export sql treemap
try variables 1 import info gantt stats export
try events 1 import info stats export
try linktypes 1 import info stats export
try twins 2 import info stats
try families 2 import info stats export
try deep 1 "${all[@]}"
try deepstates 16 "${all[@]}"
try spans 1 import info
try instant 1 gantt
try apart 16 auto
try long 1 import info overview report gantt stats export compare sql treemap parts

# Several files of each format as one trace: all begin at once where that is asked for, `info` says
# what was done to each, with nodes and without; a clock is asked of formats that have one.
need jq

mkdir csv dump prv log samples paje otf2

# In each folder two files: the second begins 2.5 s later, and both last 1 s. Rows of tables are not
# in order, and have other digits.
printf 'resource,type,value,begin,end\na,S,late,1.5,2\na,S,early,1,1.25\n' >csv/one.csv
printf 'resource,type,value,begin,end\na,S,late,4,4.5\na,S,early,3.5,3.875\n' >csv/two.csv
for pair in one:1 two:3.5; do
    name=${pair%:*} begin=${pair#*:}
    end=$(awk -v b="$begin" 'BEGIN { print b + 1 }')
    {
        echo "Container, 0, 0, $begin, $end, 1, 0"
        echo "Container, 0, P, $begin, $end, 1, a"
        echo "State, a, S, $begin, $end, 1, 0, early"
    } >"dump/$name.csv"
    {
        paje_definitions SetState DestroyContainer
        printf '%s\n' '0 P 0 P' '1 S P S' "2 $begin a P 0 a" "3 $begin S a early" "4 $end P a"
    } >"paje/$name.trace"
    {
        echo "run 1/1 [000] ${begin%.*}.${begin#*.}00000: cpu-clock: 1 main (run)"
        echo "run 1/1 [000] ${end%.*}.${end#*.}00000: cpu-clock: 1 main (run)"
    } | sed 's/ 1\.100000:/ 1.000000:/; s/ 2\.200000:/ 2.000000:/' >"samples/$name.txt"
    for at in "$begin" "$end"; do
        LC_ALL=C awk -v t="$at" 'BEGIN { printf "0:00:%012.9f  100 0x2192200 INFO GST_INIT " \
            "gst.c:584:init_pre: text\n", t }'
    done >"log/$name.log"
    {
        echo '#Paraver (01/02/2024 at 10:00):4000000000_ns:1(1):1:1(1:1)'
        awk -v b="$begin" -v e="$end" 'BEGIN {
            printf "1:1:1:1:1:%d:%d:1\n", b * 1000000000, e * 1000000000 }'
    } >"prv/$name.prv"
done

# begins WHAT DIFFERENCE TRACE.db: how far the two files are apart, by their last event.
begins() {
    same "$1" "$2" "$(ask "$3" "SELECT printf('%g', max(t) - min(t)) FROM
        (SELECT max(begin) AS t FROM events GROUP BY substr(resource, 1, 3))")"
}

# told WHAT TRACE.db TEXT TEXT: what `info` says of the two files, by lines and in JSON.
told() {
    cli info "$2" >info.txt
    sed -n '/^aligned/,/^[a-z]/p' info.txt | sed -n '1s/^aligned *//p; 2s/^ *//p' >told.txt
    same "$1" "$3, $4" "$(paste -sd'|' told.txt | sed 's/|/, /')"
    same "$1 in JSON" "$3, $4" "$(cli info --json "$2" | jq -r '.source.aligned | join(", ")')"
}

for format in csv dump paje samples log; do
    files=("$format"/one.* "$format"/two.*)
    quiet "${files[@]}" -o t.db
    told "$format" t.db "one: not aligned, +0.000000000 s" "two: not aligned, +0.000000000 s"
    quiet --align begin "${files[@]}" -o t.db
    begins "$format: at once" 0 t.db
    told "$format" t.db "one: by its begin, +0.000000000 s" "two: by its begin, -2.500000000 s"
    quiet --align begin "$format" -o folder.db
    same "$format: a folder" "$(cli info --json t.db | jq -r .uid)" \
        "$(cli info --json folder.db | jq -r .uid)"
    quiet --align begin --same-root "${files[@]}" -o t.db
    same "$format: merged" 0 "$(ask t.db "SELECT count(*) FROM resources WHERE type = 'File'")"
    told "$format, merged" t.db "one: by its begin, +0.000000000 s" \
        "two: by its begin, -2.500000000 s"
    quiet --align none --same-root "${files[@]}" -o t.db
    told "$format, as they are" t.db "one: not aligned, +0.000000000 s" \
        "two: not aligned, +0.000000000 s"
    refused 1 "do not say when they were recorded, expected --align begin or none" import \
        --align clock "${files[@]}" -o no.db
done

# Files may have a first time that is negative for the others, and a finer tick than the first.
quiet --align begin csv/two.csv csv/one.csv -o t.db
same "the other way" "3.5 4 3.5 4" "$(ask t.db "SELECT begin FROM events ORDER BY resource DESC,
    begin" | tr '\n' ' ' | sed 's/ $//')"
refused 1 'standard input: can be read once, and --align begin reads tables twice' import \
    --align begin - csv/two.csv -o no.db <csv/one.csv

for i in 5 100; do printf 'resource,value,begin,duration\na,x,%s,1.5\n' $i >lasting-$i.csv; done
quiet --align begin lasting-*.csv -o t.db
same "durations" "100 101.5 100 101.5" "$(ask t.db "SELECT begin, begin + duration FROM events" |
    tr '\n,' '  ' | sed 's/ $//')"

# The times of Paraver begin with the run in each file.
quiet --align begin prv/one.prv prv/two.prv -o t.db
told paraver t.db "one: by its begin, +0.000000000 s" "two: by its begin, +0.000000000 s"
refused 1 "do not say when they were recorded" import --align clock prv -o no.db

# Two recordings of perf: threads of one number in two files are two, unless they are merged; each
# knows for itself whether the scheduler is traced.
quiet samples -o t.db
same "threads of perf" "one/run/run 2,two/run/run 2" "$(ask t.db "SELECT resource || ' ' ||
    count(*) FROM events GROUP BY resource ORDER BY 1" | paste -sd,)"
quiet --same-root samples -o t.db
same "one thread of perf" "run/run 4" "$(ask t.db "SELECT resource || ' ' || count(*) FROM events
    GROUP BY resource")"
cat >samples/switch.txt <<'END'
run 1/1 [000] 1.000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=run next_pid=1 next_prio=120
run 1/1 [000] 2.000000: sched:sched_switch: prev_comm=run prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
run 1/1 [000] 3.000000: sched:sched_wakeup: comm=run pid=1 prio=120 target_cpu=000
END
printf 'run 1/1 [000] 3.000000: sched:sched_wakeup: comm=run pid=1 prio=120 target_cpu=000\n' \
    >>samples/two.txt
quiet samples/switch.txt samples/two.txt -o t.db
same "one of them traces the scheduler" "switch/CPUs/CPU 0,switch/run/run" \
    "$(ask t.db "SELECT DISTINCT resource FROM events WHERE category = 'state' ORDER BY 1" | paste -sd,)"
cli info --json t.db | jq -c '.source.records' >records.json
holds "counts of both" records.json '."sched:sched_wakeup" == 2 and ."sched:sched_switch" == 2'
same "what became of them" "1 1" "$(ask t.db "SELECT count(*) FROM events WHERE type =
    'sched:sched_wakeup'") $(cli info t.db | grep -c 'sched:sched_wakeup *.*event' || true)"

# Formats with a clock say how files were aligned without nodes, too.
for number in 0 1; do
    echo "{\"baseTimeNanoseconds\":170000000${number}000000000,\"traceEvents\":[{\"ph\":\"X\",
        \"pid\":1,\"tid\":1,\"ts\":1.5,\"dur\":2,\"name\":\"a\"}]}" >"$number.json"
done
quiet --same-root 0.json 1.json -o t.db
told "chrome, merged" t.db "0: by its clock, +0.000000000 s" "1: by its clock, +1.000000000 s"

refused 1 'prv/one.prv: is of the format paraver, and csv/one.csv of csv, expected files of one format' \
    import csv/one.csv prv/one.prv -o no.db

# Event logs of Spark: what an import counts and sums up equals what a literal reader of the same
# lines does; lives, slots, what is open at the end, clocks and broken lines. The log is made by a
# script from the documented fields: no cluster ran it.
need jq python3 zstd

python3 "$OCELOTL_ROOT/tests/spark_maker.py" >run.eventlog
truth() { python3 "$OCELOTL_ROOT/tests/spark_reader.py" "$1" | sort; }
found() {
    ask "$1" "SELECT type, value, count(*), CAST(round(1000 * sum(duration)) AS integer)
        FROM events WHERE category = 'state' GROUP BY type, value" | sort
}
quiet run.eventlog -o run.db
same "counts and times" "$(truth run.eventlog)" "$(found run.db)"
same "each kind of record" "$(sed 's/^{"Event":"\([^"]*\).*/\1/' run.eventlog | sort | uniq -c |
    awk '{ print $2, $1 }')" "$(cli info --json run.db |
    jq -r '.source | .records + (.left_out | map_values(.count)) | to_entries[] |
        "\(.key) \(.value)"' | sort)"
says run.db 'origin     2023-11-14T22:13:20Z' 'nothing odd'
same "slots and lives" "12 0.9 13.341" "$(ask run.db "SELECT (SELECT count(*) FROM resources
    WHERE type = 'Slot') || ' ' || min(begin) || ' ' || min(end) FROM resources
    WHERE type = 'Executor'")"
same "a failed task" "1 java.io.IOException 40" "$(ask run.db "SELECT
    json_extract(attributes, '\$.stage') || ' ' || substr(value, 19) || ' ' || (SELECT
    count(DISTINCT json_extract(attributes, '\$.task')) FROM events WHERE type = 'Task' AND
    json_extract(attributes, '\$.stage') = 0) FROM events WHERE type = 'Failed task' LIMIT 1")"
zstd -q run.eventlog -o packed
quiet packed -o packed.db
same "compressed" "$(found run.db)" "$(found packed.db)"
quiet run.eventlog packed -o both.db
same "two logs" "$(ask run.db "SELECT 2 * count(*) FROM events")" \
    "$(ask both.db "SELECT count(*) FROM events")"
quiet --fold-names ' at .*' run.eventlog -o folded.db
same "folded" "collect* groupBy* map*" "$(ask folded.db "SELECT DISTINCT value FROM events
    WHERE type = 'Stage' ORDER BY value" | line)"

# A log that ends while tasks run: they last to the end.
grep -v -e ApplicationEnd -e '"SparkListenerTaskEnd".*"Task ID":23[0-9],' run.eventlog \
    >open.eventlog
quiet open.eventlog -o open.db
says open.db '10  state open at the end of the trace'
same "open tasks" 10 "$(ask open.db "SELECT count(*) FROM events WHERE type = 'Task' AND
    json_extract(attributes, '\$.open') IS NOT NULL")"
# An end alone is a task, too.
grep -v TaskStart run.eventlog >ends.eventlog
quiet ends.eventlog -o ends.db
says ends.db '240  end of a task whose start is not in the log'
same "ends alone" "$(truth ends.eventlog)" "$(found ends.db)"

# --- Broken lines

good='{"Event":"SparkListenerExecutorAdded","Timestamp":1700000000000,"Executor ID":"1"}'
good+=$'\n''{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task Info":{"Task ID":1,'
good+='"Executor ID":"1",'
good+='"Launch Time":1700000000001,"Finish Time":1700000000009},'
good+='"Task End Reason":{"Reason":"Success"}}'
while IFS='|' read -r text expected; do
    printf '%s\n%s\n' "$good" "$text" >x
    refused 1 "x:3: $expected" import x -o no.db
    quiet --lenient x -o x.db
    says x.db 'skipped line'
    same "what is whole" 1 "$(ask x.db "SELECT count(*) FROM events")"
done <<'END'
{"Event":"SparkListenerTaskEnd",|the line is no JSON at byte 32, expected the rest of its object
{"Event" "x"}|the line is no JSON at byte 9, expected a colon
[1]|the line is no JSON at byte 3, expected an object with "Event"
{"event":1}|the line has no "Event", expected its name
{"Event":"SparkListenerApplicationStart"}|"Timestamp" is "", expected milliseconds since 1970
{"Event":"SparkListenerJobStart","Submission Time":"x"}|"Submission Time" is "x", expected milliseconds
{"Event":"SparkListenerTaskEnd","Task Info":{"Launch Time":9,"Finish Time":5}}|the task finishes before its launch
END
head -1 <<<"$good" >x
quiet x -o x.db
printf '{"Event":"SparkListenerLogStart"}\n' >x
refused 1 'x: holds no task, expected some' import x -o no.db

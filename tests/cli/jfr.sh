# What `jfr print --json` prints of Java's flight recorder: an import counts and sums up what a
# literal reader of the same JSON does; lives, samples, stacks, broken events. A real recording is
# printed where the tool and the recording are there.
need jq python3

found() {
    ask "$1" "SELECT CASE category WHEN 'variable' THEN 'variable' ELSE type END || '|' ||
        CASE WHEN type IN ('State', 'Event') THEN resource ELSE '' END || '|' ||
        CASE category WHEN 'variable' THEN '' ELSE value END || '|' || count(*) || '|' ||
        CASE category WHEN 'variable' THEN 0 ELSE CAST(round(sum(duration) * 1e9) AS integer) END
        FROM events GROUP BY CASE category WHEN 'variable' THEN 'variable' ELSE type END,
        CASE WHEN type IN ('State', 'Event') THEN resource ELSE '' END,
        CASE category WHEN 'variable' THEN '' ELSE value END" | sort
}
agrees() {
    quiet "$1" -o agrees.db
    same "$1" "$(python3 "$OCELOTL_ROOT/tests/jfr_reader.py" "$1" | sort)" "$(found agrees.db)"
}

python3 - >run.jfr.json <<'END'
import json
events = []
def thread(number, name):
    return {"osName": name, "osThreadId": 100 + number, "javaName": name, "javaThreadId": number,
            "group": {"parent": None, "name": "main"}, "virtual": False}
def say(kind, at, duration=None, of=None, **values):
    values["startTime"] = "2024-09-17T19:%02d:%012.9f+01:00" % (51 + at // 60, at % 60)
    if duration:
        values["duration"] = duration
    if of:
        values["eventThread"] = of
    events.append({"type": "jdk." + kind, "values": values})
def frame(name):
    return {"method": {"type": {"name": "java/util/List", "classLoader": None}, "name": name,
                       "descriptor": "()V"}, "lineNumber": 5, "type": "Interpreted"}
main, worker = thread(1, "main"), thread(2, "wörker \\ 2")
gc = {"osName": "VM Thread", "osThreadId": 7, "javaName": None, "javaThreadId": 0, "group": None}
say("ActiveSetting", 1, "PT0S", main, name="period", value="20 ms")
say("ThreadStart", 1.5, None, worker, thread=worker, parentThread=main)
say("ThreadSleep", 2, "PT0.5S", main, time="PT0.5S", stackTrace=None)
say("JavaMonitorEnter", 1.75, "PT0.000000123S", worker, monitorClass={"name": "a/B"})
say("ThreadPark", 3, "PT1M0.25S", worker, parkedClass=None)
say("SocketRead", 3.5, "PT0.125S", main, host="h", bytesRead=77)
say("GarbageCollection", 4, "PT0.25S", None, name="G1New", cause="x / y")
say("GCPhasePause", 4.1, "PT0.1S", gc, name="GC Pause", gcId=1)
say("JavaExceptionThrow", 4.5, None, main, message="no")
say("CPULoad", 5, jvmUser=0.5, jvmSystem=0.25, machineTotal=1.0)
say("GCHeapSummary", 5, gcId=1, when="After GC", heapUsed=123456)
say("OSInformation", 5, osVersion="Linux")
for i, names in enumerate([["a", "main"], ["b", "a", "main"], [], ["b", "a", "main"]]):
    say("ExecutionSample", 6 + i / 50, None, None, sampledThread=main, state="STATE_RUNNABLE",
        stackTrace={"truncated": False, "frames": [frame(name) for name in names]})
say("ThreadEnd", 64, None, worker, thread=worker)
say("ResidentSetSize", 70, size=5, peak=6)
text = json.dumps({"recording": {"events": events}}, indent=2, ensure_ascii=False)
print(text.replace("/", "\\/"))
END
agrees run.jfr.json
says agrees.db 'origin     2024-09-17T18:51:01Z' 'sample without a stack (left out)' \
    'it is of no thread and does not last'
same "lives" 'wörker \ 2' "$(ask agrees.db "SELECT path FROM resources WHERE end = 63")"
same "attributes" "77 h" "$(ask agrees.db "SELECT json_extract(attributes, '\$.bytesRead') || ' '
    || json_extract(attributes, '\$.host') FROM events WHERE value = 'SocketRead'")"
same "stacks" "java.util.List.a 1 0.08,java.util.List.b 1 0.06,java.util.List.main 1 0.08" \
    "$(ask agrees.db "SELECT value || ' ' || count(*) || ' ' || round(sum(duration), 3) FROM events
        WHERE type = 'Stack' GROUP BY value" | paste -sd,)"
cp run.jfr.json other
quiet run.jfr.json other -o both.db
same "two" "$(ask agrees.db "SELECT 2 * count(*) FROM events")" \
    "$(ask both.db "SELECT count(*) FROM events")"

recording=$OCELOTL_ROOT/../shared/traces/crowds/stacks/heavy.jfr
if [ -e "$recording" ]; then
    refused 1 "heavy.jfr: is a recording of Java's flight recorder, which cannot be read, \
expected the JSON that \`jfr print --json --stack-depth 64 FILE\` prints" \
        import "$recording" -o no.db
    if command -v jfr >/dev/null; then
        jfr print --json --stack-depth 64 "$recording" >heavy.json
        agrees heavy.json
    fi
fi

# --- Broken events

while IFS='|' read -r text expected; do
    printf '{"recording":{"events":[\n%s,\n%s\n]}}\n' "$(jq -c '.recording.events[2]' \
        run.jfr.json)" "$text" >x
    refused 1 "x:3: $expected" import x -o no.db
    quiet --lenient x -o x.db
    same "what is whole" 1 "$(ask x.db "SELECT count(*) FROM events")"
done <<'END'
7|an event is no object with "type" and "values"
{"type":"jdk.X","values":{}}|startTime is "", expected a date and a time
{"type":"jdk.X","values":{"startTime":"2024-09-17T19:51:05Z","duration":"1 s"}}|duration is "1 s", expected one as PT0.5S
{"type":"jdk.X","values":{"startTime":"2024-09-17T19:51:05Z","duration":"PT-1S"}}|duration is "PT-1S", expected
{"type":"jdk.CPULoad","values":{"startTime":"2024-09-17T19:51:05Z"}}|jvmUser of CPULoad is "", expected a number
{"type" 5}|is no JSON at byte
END
head -c 2000 run.jfr.json >x
refused 1 ': the file ends too early, expected the rest of its JSON' import x -o no.db
quiet --lenient x -o x.db
says x.db 'expected the rest of its JSON'
printf '{"recording":{"events":[],"startTime":1}}' >x
refused 1 'x: holds no event, expected some' import x -o no.db

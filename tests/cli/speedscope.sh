# Profiles of speedscope: an import agrees with a literal reader in Python over the same JSON, in
# any order of members; broken ones give their errors, and with --lenient what is whole.
need jq python3

cat >account.py <<'END'
import collections, decimal, json, sys

UNITS = {"none": -6, "bytes": -6, "nanoseconds": -9, "microseconds": -6, "milliseconds": -3,
         "seconds": 0}
with open(sys.argv[1], encoding="utf-8") as file:
    whole = json.load(file, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
names = [frame["name"] for frame in whole["shared"]["frames"]]
counts, times, seen = collections.Counter(), collections.Counter(), collections.Counter()
for profile in whole["profiles"]:
    seen[profile["name"]] += 1
    number = seen[profile["name"]]
    row = profile["name"] + (f" ({number})" if number > 1 else "")
    stack = []  # (frame, begin)

    def shut(now):
        frame, begin = stack.pop()
        counts[row, names[frame]] += 1
        times[row, names[frame]] += (now - begin).scaleb(UNITS[profile["unit"]] + 11)

    if profile["type"] == "evented":
        for event in profile["events"]:
            if event["type"] == "O":
                stack.append((int(event["frame"]), event["at"]))
            else:
                assert stack[-1][0] == event["frame"]
                shut(event["at"])
        continue
    now = profile["startValue"]
    for sample, weight in zip(profile["samples"], profile["weights"], strict=True):
        if weight > 0:
            while [frame for frame, _ in stack] != sample[:len(stack)]:
                shut(now)
            stack += [(int(frame), now) for frame in sample[len(stack):]]
            now += weight
    while stack:
        shut(now)
for row, name in sorted(counts):
    print(row, name, counts[row, name], round(times[row, name]))
END
count() { python3 account.py "$1"; }
counted() { ask "$1" "SELECT resource || ' ' || value || ' ' || count(*) || ' ' ||
    CAST(round(sum(duration) * 1e11) AS INTEGER) FROM events GROUP BY resource, value"; }

cat >small.py <<'END'
import json, sys
shared = {"frames": [{"name": "main", "file": "a.c", "line": 7}, {"name": "work \u00e9"},
                     {"name": "wait", "file": "b.c"}]}
profiles = [
    {"type": "evented", "name": "one", "unit": "milliseconds", "startValue": 0.5, "endValue": 9,
     "events": [{"type": t, "frame": f, "at": a} for t, f, a in (
         ("O", 0, 1), ("O", 0, 1), ("O", 1, 1.5), ("C", 1, 1.5), ("O", 1, 1.5), ("C", 1, 2.25),
         ("C", 0, 4), ("C", 0, 8))]},
    {"type": "sampled", "name": "one", "unit": "microseconds", "startValue": 2, "endValue": 17.5,
     "samples": [[0, 1], [0, 1, 1], [], [0, 2], [0, 2], [1, 2]], "weights": [1, 2.5, 3, 0, 4, 5]},
]
whole = {"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": shared,
         "profiles": profiles, "exporter": "a test"}
if sys.argv[1] == "late":
    whole = {key: whole[key] for key in ("profiles", "exporter", "shared")}
    whole["profiles"] = [dict(sorted(profile.items())) for profile in profiles]
print(json.dumps(whole, indent=1))
END
python3 small.py soon >small.json
agrees small.json
says agrees.db 'format     speedscope'
same "oddities" "states of one name in each other" "$(cli info --json agrees.db |
    jq -r '.warnings[].kind' | cut -c 1-32)"
cp agrees.db small.db
same "where it lies in the code" "main a.c 7,wait b.c -,work é - -," \
    "$(cli sql --json small.db "SELECT DISTINCT value, attributes ->> 'file' AS file,
        attributes ->> 'line' AS line FROM events ORDER BY value" |
        jq -r '.[] | "\(.value) \(.file // "-") \(.line // "-")"' | tr '\n' ,)"
same "the order" "one one (2)" "$(ask small.db "SELECT path FROM resources
    WHERE type = 'Profile' ORDER BY id" | line)"
# A call of no time lies in the one that begins with it.
same "depth" "3 2" "$(ask small.db "SELECT max(depth) FROM events GROUP BY resource" | line)"
python3 small.py late >late.json
agrees late.json
same "profiles before their frames" "$(exported small.db)" "$(exported agrees.db)"

# Many of all kinds, drawn from a seed, in one line or in many; larger than what is read at once.
python3 - <<'END'
import json, random
random.seed(7)
UNITS = ["none", "bytes", "nanoseconds", "microseconds", "milliseconds", "seconds"]
frames = [{"name": f"f{i}", "file": f"{i % 5}.c", "line": i} for i in range(60)]
profiles = []
for number in range(40):
    unit, now = random.choice(UNITS), random.randrange(100)
    profile = {"type": "sampled", "name": f"p{number % 30}", "unit": unit, "startValue": now}
    stack, events, samples, weights = [], [], [], []
    for _ in range(random.choice((0, 10, 3000))):
        if number % 2:
            now += random.choice((0, 1, 0.5))
            if stack and random.random() < 0.5:
                events.append({"type": "C", "frame": stack.pop(), "at": now})
            else:
                stack.append(random.randrange(60))
                events.append({"type": "O", "frame": stack[-1], "at": now})
        else:
            del stack[random.randrange(len(stack) + 1):]
            stack += [random.randrange(60) for _ in range(random.randrange(5))]
            samples.append(stack[:])
            weights.append(random.choice((0, 1, 2, 0.25, 1.5)))
    if number % 2:
        events += [{"type": "C", "frame": frame, "at": now} for frame in reversed(stack)]
        profile.update(type="evented", events=events)
    else:
        profile.update(samples=samples, weights=weights)
    items = list({**profile, "endValue": now}.items())
    random.shuffle(items)
    profiles.append(dict(items))
for name, indent in ("many", None), ("lines", 1):
    with open(f"{name}.json", "w") as file:
        json.dump({"profiles": profiles, "shared": {"frames": frames}}, file, indent=indent)
END
agrees many.json
cp agrees.db many.db
says many.db 'profile whose unit is no time (one of it is a microsecond); first at many.json:1'
agrees lines.json
same "lines" "$(exported many.db)" "$(exported agrees.db)"

crowd=$OCELOTL_ROOT/../shared/traces/crowds/stacks
if [ -d "$crowd" ]; then
    for file in "$crowd"/*.speedscope.json; do agrees "$file"; done
fi

# Several files, a pipe, and trace events that hold such words.
cp small.json small.speedscope.json
cp small.json other.speedscope.json
quiet small.speedscope.json other.speedscope.json -o both.db
same "several" "other/one other/one (2) small/one small/one (2)" "$(ask both.db "SELECT path FROM
    resources WHERE type = 'Profile' ORDER BY path" | line)"
quiet --same-root small.speedscope.json other.speedscope.json -o both.db
same "several that share their rows" "one one (2)" "$(ask both.db "SELECT path FROM
    resources WHERE type = 'Profile' ORDER BY path" | line)"
quiet - -o piped.db <late.json
same "a pipe" "$(exported small.db)" "$(exported piped.db)"
echo '{"traceEvents":[{"ph":"X","ts":1,"dur":1,"name":"speedscope.app/file-format-schema"}]}' \
    >events.json
quiet events.json -o events.db
says events.db 'format     chrome'

# scope PROFILES [FRAMES]: a file of such elements. evented EVENTS: a profile, for O and C with a
# frame and a time. sampled SAMPLES WEIGHTS: one of samples.
scope() {
    local names='{"name":"a"},{"name":"b"}'
    printf '{"profiles":[%s],\n"shared":{"frames":[%s]}}\n' "$1" "${2-$names}"
}
evented() {
    printf '{"type":"evented","name":"p","unit":"seconds","startValue":0,"endValue":9,"events":[\n'
    sed -E 's/([OCX]) ([^ ]+) ([^ ]+) ?/{"type":"\1","frame":\2,"at":\3},/g; s/,$//' <<<"$1"
    printf ']}'
}
sampled() {
    printf '{"type":"sampled","name":"p","unit":"seconds","samples":[\n%s],"weights":[%s]}' "$1" "$2"
}

# What is odd, but kept: odd ODDITY EVENTS STATES.
odd() {
    scope "$(evented "$2")" >odd.json
    quiet odd.json -o odd.db
    says odd.db "$1"
    same "$2" "$3" "$(ask odd.db "SELECT value || ' ' || begin || ' ' || \"end\" FROM events
        ORDER BY begin, value" | tr '\n' ,)"
}
odd 'event before the one that precedes it (sorted); first at odd.json:2' \
    'O 0 1 C 0 4 O 1 3 C 1 3.5' 'a 1.0 4.0,b 3.0 3.5,'
odd 'state' 'O 0 1 O 1 2 C 1 3' 'a 1.0 9.0,b 2.0 3.0,'
odd 'without' 'C 1 1 O 0 2 C 0 3' 'a 2.0 3.0,'
odd 'left out' 'O 0 1 C 1 2 C 0 3' 'a 1.0 3.0,'
odd 'finer than a tick can be (rounded)' 'O 0 1.00000000049 C 0 2' 'a 1.0 2.0,'

# Broken in a part: the error has its place; with --lenient what is whole is read.
broken() { # LINE MESSAGE STATES PROFILES [FRAMES]
    scope "${@:4}" >broken.json
    refused 1 "broken.json:$1: $2" import broken.json -o no.db
    quiet --lenient broken.json -o broken.db
    same "$2" "$3" "$(ask broken.db "SELECT count(*) FROM events")"
    cli info broken.db | grep -q 'broken.json:' || fail "$2: is not said: $(cli info broken.db)"
}
whole=$(evented 'O 0 1 C 0 2')
broken 2 'the type of an event is "X", expected O or C' 1 "$(evented 'O 0 1 C 0 2 X 1 3')"
broken 2 'the frame is "-1", expected its number' 1 "$(evented 'O 0 1 C 0 2 O -1 3 C 0 4')"
broken 2 'the frame is "99999999999", expected' 1 "$(evented 'O 0 1 C 0 2 O 99999999999 3')"
broken 2 'at is "true", expected a number of seconds' 1 "$(evented 'O 0 1 C 0 2 O 0 true C 0 4')"
broken 2 'frame 2 has no name, expected one of the 2 in "shared" that has' 2 \
    "$(evented 'O 0 1 O 2 2 C 2 3 C 0 4')"
for name in '"file":"x"' '"name":null' '"name":5' '"name":""'; do
    broken 2 'frame 1 has no name, expected one of the 2 in "shared" that has' 2 \
        "$(evented 'O 0 1 O 1 2 C 1 3 C 0 4')" "{\"name\":\"a\"},{$name}"
done
broken 1 'endValue is before startValue, expected one that is not' 0 \
    "$(evented 'O 0 1 C 0 2' | sed 's/"startValue":0/"startValue":19/')"
broken 2 'a profile has fewer weights than samples, expected as many as samples' 2 \
    "$(sampled '[0],[0,1],[1]' '1,2')"
broken 2 'a profile has fewer samples than weights, expected as many as weights' 2 \
    "$(sampled '[0],[0,1]' '1,2,3')"
broken 2 'a weight is negative, expected at least 0' 1 "$(sampled '[0],[0]' '1,-2')"
broken 2 'a weight is "NaN", expected a number of seconds' 1 "$(sampled '[0],[0]' '1,NaN')"
broken 2 'a sample is no list, expected one of frames' 1 "$(sampled '[0],7' '1,2')"
broken 2 'the weights are too large, expected a sum' 1 "$(sampled '[0],[0],[0]' \
    '1,9000000000000000000,9000000000000000000')"
broken 1 'a profile is no object, expected one with a type' 1 "7,$whole"
broken 1 'the type of a profile is "x", expected evented or sampled' 1 "{\"type\":\"x\"},$whole"
broken 1 'a profile has no list of events, expected one' 1 "{\"type\":\"evented\"},$whole"
broken 1 'the unit is "hours", expected none, bytes, nanoseconds' 1 \
    "{\"type\":\"evented\",\"events\":[],\"unit\":\"hours\"},$whole"
broken 4 'frame 1 is no object, expected one with a name' 1 "$whole" '{"name":"a"},"b"'
scope '' >broken.json
refused 1 'broken.json: holds no profile, expected some' import --format speedscope broken.json \
    -o no.db
printf '{"profiles":7,"evented":"evented"}' >broken.json
refused 1 'broken.json:1: "profiles" is no list, expected one of objects' \
    import --format speedscope broken.json -o no.db
printf '[]' >broken.json
refused 1 'broken.json:1: is no object, expected {' import --format speedscope broken.json -o no.db

# No JSON somewhere, and an end too early: what comes before is kept.
sed '/"name": "one"/s/,$//' small.json >broken.json
refused 1 'is no JSON at byte ' import broken.json -o no.db
like refused.err 'broken.json:[0-9]+: is no JSON at byte [0-9]+, expected a comma or };'
head -c 1000 small.json >broken.json
refused 1 'the file ends too early, expected the rest of its JSON' import broken.json -o no.db
head -c $(($(stat -c %s late.json) - 170)) late.json >broken.json
refused 1 'the file ends too early' import --format speedscope broken.json -o no.db
quiet --lenient --format speedscope broken.json -o broken.db
says broken.db 'frame that the file does not name (named by its number)' 'frame 0'
rest='SELECT begin, "end", depth FROM events ORDER BY 1, 2, 3'
same "without names" "$(ask small.db "$rest")" "$(ask broken.db "$rest")"

# Deep, and long: 100,000 lists in each other, a stack of 20,000, a name of a megabyte.
python3 - <<'END'
TEXT = '{"profiles":[{"type":"sampled","name":"p","unit":"none","samples":[%s],"weights":[1]}],' \
    '"shared":{"frames":[{"name":"%s"}]}}'
for name, words in {"lists": ("[" * 100000, "a"), "stack": ("[" + "0," * 19999 + "0]", "a"),
                    "name": ("[0]", "n" * 1000000)}.items():
    with open(name + ".json", "w") as file:
        file.write(TEXT % words)
END
refused 1 'lists.json:1: is no JSON at byte ' import lists.json -o no.db
quiet stack.json -o stack.db
same "a deep stack" 20000 "$(ask stack.db 'SELECT count(*) FROM events')"
quiet name.json -o name.db
same "a long name" 1000000 "$(ask name.db 'SELECT length(value) FROM events')"

# Archives that python3-otf2 writes: several as one trace, aligned or not, and metrics at what their
# scope says, as otf2-print shows it.
need_format otf2
need jq otf2-print
python=/usr/bin/python3
"$python" -c 'import otf2' 2>/dev/null || { echo "skipped: python3-otf2 is missing" && exit 77; }

# Three archives whose clocks tick differently: one of microseconds from 1000 on, one of 2 GHz from
# 5 s on, recorded 2 s later, and one that does not say when it was recorded.
cat >make.py <<'END_OF_PYTHON'
import otf2
from otf2.enums import MetricMode, Type

def make(folder, resolution, first, epoch):
    with otf2.writer.open(folder, timer_resolution=resolution) as trace:
        own = trace.definitions
        root = own.system_tree_node("node")
        group = own.location_group("Process", system_tree_parent=root)
        thread, other = own.location("main", group=group), own.location("other", group=group)
        work, wait = own.region("work"), own.region("wait")
        watts = own.metric_member("power", unit="W", value_type=Type.DOUBLE)
        count = own.metric_member("pages", unit="#", value_type=Type.UINT64,
                                  metric_mode=MetricMode.ACCUMULATED_POINT)
        of_class = own.metric_class((watts, count))
        scoped = {scope: own.metric_instance(metric_class=of_class, recorder=thread, scope=scope)
                  for scope in (root, group, other, thread)}
        writer = trace.event_writer_from_location(thread)
        at = lambda seconds: first + round(seconds * resolution)
        writer.enter(at(0), work)
        for number, instance in enumerate(scoped.values()):
            writer.metric(at(.1), instance, (number + 1., 0))
        for number, instance in enumerate(scoped.values()):
            writer.metric(at(.3), instance, (number + 1.5, 20 * (number + 1)))
        writer.metric(at(.4), of_class, (9, 0))
        writer.leave(at(1), work)
        second = trace.event_writer_from_location(other)
        second.enter(at(.25), wait)
        second.metric(at(.35), scoped[root], (7., 0))
        second.leave(at(.5), wait)
        trace._realtime_timestamp = epoch

make("a", 1000000, 1000, 1700000000)
make("b", 2000000000, 10000000000, 1700000002)
make("c", 1000, 0, 0)
END_OF_PYTHON
"$python" make.py

# --- Scopes

quiet a -o a.db
[ "$(otf2-print -G a/traces.otf2 2>/dev/null | grep -c 'METRIC_INSTANCE.*Scope: ')" -eq 4 ] ||
    fail "otf2-print shows other scopes: $(otf2-print -G a/traces.otf2 | grep METRIC_INSTANCE)"
same "power by resource" "node 1 1.5,node/Process 2 2.5,node/Process/main 4 4.5 9,node/Process/other 3 3.5 7" \
    "$(ask a.db "SELECT resource || ' ' || group_concat(printf('%g', value), ' ') FROM (SELECT * FROM
        events WHERE type = 'power' ORDER BY resource, begin) GROUP BY resource ORDER BY 1" |
        paste -sd,)"
same "pages" "node 20,node/Process 40,node/Process/main 80,node/Process/other 60" \
    "$(ask a.db "SELECT resource || ' ' || printf('%g', max(value)) FROM events WHERE
        type = 'pages' GROUP BY resource ORDER BY resource" | paste -sd,)"
holds "records" <(cli info --json a.db) '.source.records.METRIC == 10'

# --- Several

bounds() { ask "$1" "SELECT substr(resource, 1, 1) || ' ' || printf('%.4f %.4f', min(begin),
    max(end)) FROM events WHERE category = 'state' GROUP BY substr(resource, 1, 1) ORDER BY 1" |
    paste -sd,; }
aligned() { cli info --json "$1" | jq -r '.source.aligned | join(",")'; }
quiet a b -o t.db
same "by their clocks" "a 0.0000 1.0000,b 2.0000 3.0000" "$(bounds t.db)"
same "it is said" "a: by its clock, +0.000000000 s,b: by its clock, +2.000000000 s" "$(aligned t.db)"
same "the first says when" 2023-11-14T22:13:20Z "$(cli info --json t.db | jq -r .origin)"
same "types are one for all" "Region power pages" "$(cli info --json t.db |
    jq -r '[.event_types[].name | sub(".*:"; "")] | unique_by(.) | sort_by(. == "pages", . == "power") | join(" ")')"
same "values are one for all" 2 "$(ask t.db "SELECT count(DISTINCT value) FROM events WHERE
    type = 'Region'")"
same "the same metrics" "$(ask a.db "SELECT resource, type, value, printf('%.6f', begin) FROM events
    WHERE category = 'variable' ORDER BY 1, 2, 4")" \
    "$(ask t.db "SELECT substr(resource, 3), type, value, printf('%.6f', begin) FROM events WHERE
        category = 'variable' AND resource LIKE 'a/%' ORDER BY 1, 2, 4")"
quiet --align none a b -o t.db
same "as they are" "a 0.0000 1.0000,b 0.0000 1.0000" "$(bounds t.db)"
quiet a c -o t.db
same "one has no date" "a: not aligned, +0.000000000 s,c: not aligned, +0.000000000 s" \
    "$(aligned t.db)"
quiet --align begin c/traces.otf2 b/traces.otf2 -o t.db
same "by begin" "b 0.0000 1.0000,c 0.0000 1.0000" "$(bounds t.db)"
refused 1 "c: does not say when it was recorded" import --align clock a c -o no.db

# One root for all: what was over before goes on, what is at the same time has a lane.
quiet --same-root a b -o t.db
same "one after the other" "node/Process/main 0.0000 1.0000,node/Process/main 2.0000 3.0000" \
    "$(ask t.db "SELECT resource || ' ' || printf('%.4f %.4f', begin, end) FROM events
        WHERE value = 'work' ORDER BY begin" | paste -sd,)"
quiet --same-root --align begin a b -o t.db
same "at the same time" "node/Process/main 0.0000 1.0000,node/Process/main/~b 0.0000 1.0000" \
    "$(ask t.db "SELECT resource || ' ' || printf('%.4f %.4f', begin, end) FROM events
        WHERE value = 'work' ORDER BY resource" | paste -sd,)"
same "the same metrics on lanes" "$(ask a.db "SELECT resource, type, value, printf('%.6f', begin)
    FROM events WHERE category = 'variable' ORDER BY 1, 2, 4")" \
    "$(ask t.db "SELECT substr(resource, 1, length(resource) - 3), type, value,
        printf('%.6f', begin) FROM events WHERE category = 'variable' AND resource LIKE '%~b'
        ORDER BY 1, 2, 4")"
cli verify t.db >verify.txt || fail "one root: $(cat verify.txt)"

# A folder of archives is all of them.
mkdir both
cp -r a both/a
cp -r b both/b
quiet both -o t.db
same "a folder" "a 0.0000 1.0000,b 2.0000 3.0000" "$(bounds t.db)"
same "its anchors" "both/a/traces.otf2 both/b/traces.otf2" "$(cli info t.db |
    grep -o 'both/./traces.otf2' | paste -sd' ')"
quiet both/ -o t.db
same "with a slash behind" both "$(cli info t.db | sed -n 's/^name *//p')"
quiet a/ b// -o t.db
same "names of folders with slashes" "a 0.0000 1.0000,b 2.0000 3.0000" "$(bounds t.db)"
same "the first's name" "a and 1 more" "$(cli info t.db | sed -n 's/^name *//p')"
mkdir flat
cp -r a/. flat
cp b/traces.otf2 flat/second.otf2
cp b/traces.def flat/second.def
cp -r b/traces flat/second
quiet --same-root --align begin flat -o t.db
same "anchors side by side" 2 "$(ask t.db "SELECT count(*) FROM events WHERE value = 'work'")"

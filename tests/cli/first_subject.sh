# What a picture is of where nobody says it: made traces of one kind of story each, real ones where
# they are there, and the options that take the choice back.
need python3 jq

# Each is a Paje trace of 100 s: two CPUs, and two threads of a process.
paje_definitions DefineEventType NewEvent DefineVariableType SetVariable DefineLinkType StartLink \
    EndLink SetState PushState PopState DestroyContainer >definitions
python3 - <<'END'
HEAD = """0 M 0 MACHINE
0 C M CPU
0 P M PROCESS
0 T P THREAD
1 CS C CPU
1 TS T THREAD
1 TW T WAIT
3 TE T MARK
5 TV T load
5 TU T heat
7 L M T T LINK
2 0 m M 0 machine
2 0 c0 C m c0
2 0 c1 C m c1
2 0 p P m p
2 0 t0 T p t0
2 0 t1 T p t1"""


def states(kind, length, times=range(0, 100, 5), threads=("t0", "t1")):
    """States of two values in turn; time between them is in none."""
    for who in threads:
        for i, time in enumerate(times):
            yield time, f"11 {time} {kind} {who} {'ab'[i % 2]}"
            yield time + length - 1e-6, f"12 {time + length - 1e-6} {kind} {who}"


def marks(times=range(100)):
    return [(time, f"4 {time} TE {who} mark") for who in ("t0", "t1") for time in times]


def moves(kind, *values):
    return [(time, f"6 {time} {kind} {who} {values[time % len(values)]}")
            for who in ("t0", "t1") for time in range(100)]


def links(length):
    for time in range(1, 100, 20):
        yield time, f"8 {time} L m x t0 {time}"
        yield time + length, f"9 {time + length} L m x t1 {time}"


bursts = 0, 1, 2, 90000, 90001
still = [(0, f"10 0 TS {who} a") for who in ("t0", "t1")]
mostly = [(time + t, f"10 {time + t} TS {who} {v}") for who in ("t0", "t1")
          for time in range(0, 100, 5) for t, v in ((0, "a"), (4.5, "b"))]
once = [(5, "11 5 TS t0 a"), (80, "12 80 TS t0")]
for name, *parts in (
        ("states", states("TS", 5), moves("TV", 1, 9)),
        ("both", states("TS", 5), states("CS", 5, threads=("c0", "c1"))),
        ("same", states("TS", 5), states("TW", 1)),
        ("faint", states("TS", .001), marks()),
        ("bursts", states("TS", 1, bursts), marks(bursts)),
        ("idle", [(0, f"10 0 TS {who} idle") for who in ("t0", "t1")]),
        ("still", still, moves("TV", 10, 14, 19)),
        ("mostly", mostly, states("TW", 5)),
        ("once", once, marks(range(85, 100))),
        ("variables", moves("TV", 5), moves("TU", 0, 5, 8)),
        ("below", moves("TV", 5), moves("TU", 0, -5, 8)),
        ("links", links(15)),
        ("instant", links(0))):
    lines = sorted((line for part in parts for line in part), key=lambda line: line[0])
    with open(name + ".trace", "w") as file:
        print(open("definitions").read().rstrip(), HEAD, *(line[1] for line in lines), sep="\n",
              file=file)
        for who in "t0", "t1", "p", "c0", "c1", "m":
            print(f"13 {max(100, lines[-1][0])} {who[0].upper()} {who}", file=file)
END

# chosen TRACE OPTION...: the metric, the filter, and the words of the rule.
chosen() {
    cli --no-cache --p 1 --json "$@" 2>chosen.err |
        jq -r '[.metric, .filters, .chosen.subject // ""] | join("|")' || fail "$*"
}
while IFS='|' read -r name wanted; do
    same "$name" "$wanted" "$(chosen "$name.trace")"
done <<'END'
states|state-duration||
both|state-duration||states of CPU and THREAD
same|state-duration||
faint|event-count||events that begin in a slice, which tell most
bursts|state-duration||
idle|state-duration||
still|variable-mean|only load|mean of the variable load, which changes most
variables|variable-mean|only heat|mean of the variable heat, which changes most; others: load
below|variable-mean|only heat|mean of the variable heat, from its least value on, which changes most; others: load
mostly|state-duration||states of WAIT
once|event-count||events that begin in a slice, which tell most
links|link-count-in-flight||links under way, by sender, which tell most
instant|link-count||
END

# A window, a part, and chosen resources are of the same; what is asked for is as it was.
cli import both.trace -o both.db >/dev/null
cli import variables.trace -o variables.db >/dev/null
cli info both.db >info.txt
has info.txt 'picture    subject: states of CPU and THREAD'
cli info --json variables.db >info.json
holds "info" info.json \
    '.picture == {"subject": "mean of the variable heat, which changes most; others: load"}'
while read -r rows metric trace options; do
    # shellcheck disable=SC2086
    cli parts --p 0 --json $options "$trace.db" >parts.json 2>/dev/null || fail "$options"
    same "rows of $trace $options" "$rows" "$(jq '.parts |
        (map(.leaves * (.last - .first + 1)) | add) / (map(.last + 1) | max)' parts.json)"
    # shellcheck disable=SC2086
    same "metric of $trace $options" "$metric" "$(cli --json $options "$trace.db" 2>/dev/null |
        jq -r '.metric + .filters' | tr ' ' _)"
done <<'END'
4 state-duration both
4 state-duration both --from 20 --to 60
2 state-duration both --resource machine/c0 --resource machine/c1
2 state-duration both --kind spatial --resource machine/p
2 variable-meanonly_heat variables --from 20 --to 60
END
for options in --plain '--metric state-duration' '--nesting inclusive' '--except none*'; do
    # shellcheck disable=SC2086
    same "$options" "" "$(chosen both.db $options 2>/dev/null | cut -d '|' -f 3)"
done
cli both.db -o both.svg
has both.svg 'states of CPU and THREAD'
lacks both.svg 'state type'
cli both.db --state-type THREAD --state-type CPU -o named.svg
has named.svg 'state types THREAD, CPU'

# A variable that moves by little of its value has one shade; half of its cells are as many as all
# of one that is seen.
python3 - >jitter.csv <<'END'
print("resource,category,type,value,begin,end")
for at in range(200):
    print(f"r,variable,memory,{8e9 + at % 7 * 1e3},{at},{at + 1}")
    print(f"r,variable,load,{at // 20 % 5},{at},{at + 1}")
END
same "jitter" 'variable-mean|only load' \
    "$(chosen jitter.csv 2>/dev/null | cut -d '|' -f 1,2)"

# Real traces.
while read -r metric trace; do
    [ ! -f "$shared/$trace" ] ||
        same "$trace" "$metric" "$(chosen "$shared/$trace" | cut -d '|' -f 1)"
done <<'END'
state-duration smpi-lu-700.trace.zst
state-duration pajeng-simu-mardi.trace
variable-mean pajeng-categories.trace
link-count-in-flight pajeng-links.trace
event-count pajeng-events.trace
END

# One violation of each kind, each beside what just is none: all are found, and nothing else.
need python3 jq

# Latency 10 us and 1 us a byte, clocks that differ by less than 50 us. Processes a and b are on one
# host, c is on another.
{
    paje_events DefineContainerType DefineStateType DefineLinkType CreateContainer \
        PushState PopState StartLink+size+tag+communicator EndLink
    cat <<'END_OF_HEAD'
0 H 0 host
0 P H proc
1 S P state
2 L 0 P P message
2 V 0 P P lock
3 0 one H 0 one
3 0 two H 0 two
3 0 a P one a
3 0 b P one b
3 0 c P two c
END_OF_HEAD
    python3 - <<'END_OF_LINKS'
lines = []
number = 0

def link(begin, end, source="a", target="c", size=0, tag=0, communicator="world", kind="L"):
    """A link from and to instants in microseconds; None is not in the trace."""
    global number
    number += 1
    if begin is not None:
        lines.append((begin, 1, f"6 {begin / 1e6:.6f} {kind} 0 v {source} k{number} "
                                f"{size} {tag} {communicator}"))
    if end is not None:
        late = begin is None or end >= begin
        lines.append((end, 2 if late else 0, f"7 {end / 1e6:.6f} {kind} 0 v {target} k{number}"))

def state(begin, end, process):
    lines.append((begin, 3, f"4 {begin / 1e6:.6f} S {process} Barrier"))
    lines.append((end, 4, f"5 {end / 1e6:.6f} S {process}"))

link(1100, 1060)                                        # a tachyon
link(1500, 1550)                                        # none
link(2100, 2050, kind="V")                              # a lock taken before it was released
link(2500, 2550, kind="V")                              # after that
link(3100, 3090, target="a")                            # to itself, backwards
link(3500, 3500, target="a")                            # to itself, in no time
link(4000, 4009)                                        # too fast by a tick, and uncertain
link(4500, 4550)                                        # not
link(5000, 5059, size=50)                               # too fast for its size
link(5500, 5560, size=50)                               # not
link(6000, 6049)                                        # not too fast, but uncertain
link(6500, 6550)                                        # certain
link(7000, 7200, tag=1)                                 # overtaken
link(7010, 7150, tag=1)                                 # by this one
link(7020, 7140, tag=2)                                 # of another tag,
link(7030, 7130, tag=1, communicator="half")            # communicator,
link(7040, 7120, tag=1, source="b")                     # source,
link(7050, 7110, tag=1, target="b")                     # target
link(7060, 7125, tag=1, kind="V")                       # and type
link(7300, 7400, tag=1)                                 # of two that end at one instant
link(7310, 7400, tag=1)
link(7500, 7700, tag=1)                                 # and two that begin at one
link(7500, 7600, tag=1)
state(8000, 8100, "a")                                  # leaves before the last one has entered
state(8050, 8200, "b")
state(8101, 8200, "c")
state(8500, 8600, "a")                                  # as it enters
state(8550, 8700, "b")
state(8600, 8700, "c")
link(9000, None, tag=7)
link(9100, None, tag=7)
link(9200, None, tag=8)
link(None, 9300)
for line in sorted(lines):
    print(line[2])
END_OF_LINKS
} >all.trace
cli import all.trace -o all.db >/dev/null 2>&1

asked=(--collective Barrier=barrier --latency 10us --latency-per-byte 1us --clock-error 50us)
violations='[.violations[] | [.kind, .type, .source, .target, (.begin * 1e6 | round),
    (.end * 1e6 | round), (.amount * 1e6 | round)]]'
expected='[["tachyon","message","one/a","two/c",1100,1060,-40],
    ["tachyon","lock","one/a","two/c",2100,2050,-50],
    ["self","message","one/a","one/a",3100,3090,-10],
    ["too fast","message","one/a","two/c",4000,4009,9],
    ["uncertain","message","one/a","two/c",4000,4009,9],
    ["too fast","message","one/a","two/c",5000,5059,59],
    ["uncertain","message","one/a","two/c",6000,6049,49],
    ["overtaking","message","one/a","two/c",7010,7150,-50],
    ["collective","state","two/c","one/a",8101,8100,-1]]'
cli causality --json "${asked[@]}" all.db >found.json
holds "each of them" found.json "$violations == $expected"
holds "counts" found.json '.tachyons == 2 and .self == 1 and .too_fast == 2 and .uncertain == 2 and
    .overtaking == 1 and .collective == 1 and .links == 23 and .without_end == 3 and
    .without_begin == 1'
holds "ends alone" found.json '[.unmatched[] | [.resource, .type, .tag, .known, .count]] ==
    [["one/a","message","7","begin",2],["one/a","message","8","begin",1],
    ["two/c","message","","end",1]]'
same "rows" 9 "$(cli causality --csv "${asked[@]}" all.db | tail -n +2 | wc -l)"
holds "each type" <(cli causality --json --type lock all.db) '[.violations[].begin] == [0.0021]'

# Between hosts nothing changes; b is of the clock of a, whose links no latency bounds.
holds "hosts" <(cli causality --json --at host "${asked[@]}" all.db) "$violations == $expected"
same "a host is a clock" 0 "$(cli causality --json --at host --latency 1ms all.db |
    jq '[.pairs[] | select(.source == .target) | .too_fast] | add')"

# Nothing else knows less, or more.
same "matrix" 3 "$(cli matrix --at all --csv all.db | tail -n +2 | cut -d , -f 12 |
    awk '{ sum += $1 } END { print sum }')"
same "info" 3 "$(cli info --json all.db | jq '[.event_types[].tachyons // 0] | add')"
same "gantt" 3 "$(cli gantt --json all.db | jq .links_wrong)"
cli gantt all.db -o all.svg
has all.svg '3 end before they begin'
cli causality "${asked[@]}" all.db -o wrong.db
same "instants" "collective 1,overtaking 1,self 1,tachyon 2,too fast 2,uncertain 2" \
    "$(cli sql --csv wrong.db "SELECT value || ' ' || count(*) FROM events GROUP BY value
    ORDER BY value" | tail -n +2 | paste -sd ,)"

# Each is in the window in which the later of its instants is; of an overtaking one that of the
# overtaken, too.
for at in 1100 2100 3100 4009 5059 6049 7200 8101; do
    holds "alone at $at" <(cli causality --json "${asked[@]}" --from "$((at - 160))us" \
        --to "$((at + 1))us" all.db) '.violations | map(.begin) | unique | length == 1'
    holds "not before $at" <(cli causality --json "${asked[@]}" --from "$((at - 160))us" \
        --to "${at}us" all.db || echo '{"violations":[]}') '.violations == []'
done

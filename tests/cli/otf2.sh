# Archives of real tracers: what the importer makes of them is compared with otf2-print's account.
archives=$OCELOTL_ROOT/../shared/traces/formats/otf2
[ -d "$archives" ] || { echo "skipped: the archives are missing" && exit 77; }
need_format otf2
need otf2-print python3 zstd jq

# What otf2-print tells: how many records of each kind, the time in each region, the messages that
# match, in ticks.
cat >account.py <<'END'
import collections, re, sys
counts, times, stacks = collections.Counter(), collections.Counter(), collections.defaultdict(list)
halves, matched, backward = collections.defaultdict(list), 0, 0
sends, receives, sent, pairs = [], [], 0, collections.defaultdict(list)
for line in sys.stdin:
    word = line.split(None, 3)
    if len(word) < 3 or not re.fullmatch("[A-Z_]+", word[0]) or not word[1].isdigit():
        continue
    kind, location, time = word[0], int(word[1]), int(word[2])
    counts[kind] += 1
    region = re.search(r'Region: "(.*)" <\d+>', line)
    if kind == "ENTER":
        stacks[location].append((region[1], time))
    elif kind == "LEAVE":
        stack = stacks[location]
        place = max(i for i, (name, _) in enumerate(stack) if name == region[1])
        times[region[1]] += time - stack.pop(place)[1]
    elif kind in ("MPI_SEND", "MPI_ISEND", "MPI_RECV", "MPI_IRECV"):
        peer = int(re.search(r'(?:Receiver|Sender): \d+ \(".*?" <(\d+)>\)', line)[1])
        group = re.search(r'Communicator: .*? <(\d+)>, Tag: (\d+), Length: (\d+)', line)
        is_send = "SEND" in kind
        pair = (location, peer) if is_send else (peer, location)
        (sends if is_send else receives).append((pair + (group[1], group[2]), time))
        sent += int(group[3]) if is_send else 0
for key, time in sends:
    halves[key].append(time)
for key, time in receives:
    if halves[key]:
        matched += 1
        taken = time - halves[key].pop(0)
        backward += taken < 0
        pairs[key[:2]].append(taken)
for kind in sorted(counts):
    print("records", kind, counts[kind])
for name in sorted(times):
    print("time", name, times[name])
print("messages", len(sends) + len(receives) - matched, matched, backward, sent)
with open("expected_pairs.txt", "w") as file:
    for taken in sorted([len(taken), sum(one < 0 for one in taken), min(taken)] for taken in pairs.values()):
        print(*taken, file=file)
END

# compare ANCHOR TICKS_PER_SECOND
compare() {
    otf2-print "$1" 2>/dev/null | python3 account.py >expected.txt
    cli import --force "$1" -o run.db >/dev/null 2>&1 || fail "import of $1"
    {
        cli sql --csv run.db "SELECT 'records', kind, sum(count) FROM source_kinds
            WHERE fate <> 'definition' AND kind <> 'CLOCK_OFFSET' AND why NOT LIKE 'nothing%'
            GROUP BY kind ORDER BY kind" | tail -n +2 | tr , ' '
        cli sql --json run.db "SELECT 'time ' || value || ' ' || CAST(round(sum(duration) * $2)
            AS INTEGER) AS line FROM events WHERE type = 'Region' GROUP BY value ORDER BY value" |
            jq -r '.. | strings | select(startswith("time "))'
        cli sql --csv run.db "SELECT 'messages', count(*),
            coalesce(sum(source IS NOT NULL AND target IS NOT NULL AND source <> '' AND
            target <> ''), 0), coalesce(sum(end < begin AND source <> '' AND target <> ''), 0),
            coalesce(sum(json_extract(attributes, '\$.size') * (source <> '')), 0) FROM events
            WHERE type = 'Message'" | tail -n 1 | tr , ' '
    } >got.txt
    cmp -s expected.txt got.txt || fail "$1: $(diff expected.txt got.txt)"
    # The matrix of messages, and the clocks that contradict each other: the number of messages of
    # each pair, how many of them arrive too early, and the least time, in ticks.
    cli causality --json run.db | jq -r ".pairs[] | [.links, .tachyons + .self,
        (.least * $2 | round)] | map(tostring) | join(\" \")" | sort >pairs.txt
    cmp -s <(sort expected_pairs.txt) pairs.txt || fail "$1: pairs of causality"
    cli matrix --json run.db | jq -r '[.rows, .columns] as [$rows, $columns] | .cells[] |
        select($rows[.row].group != "(unknown)" and $columns[.column].group != "(unknown)") |
        "\(.count) \(.violations)"' | sort >cells.txt
    cmp -s <(cut -d " " -f 1,2 expected_pairs.txt | sort) cells.txt || fail "$1: cells of matrix"
    [ -s cells.txt ] || fail "$1: no messages"
}

for archive in "$archives"/*.tar.zst; do
    zstd -dcq "$archive" | tar -xf -
done
compare hpcc4_trace/eztrace_log.otf2 1000000000
compare ping-pong-otf2/traces.otf2 2095197216

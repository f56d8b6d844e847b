#!/usr/bin/env bash
# Times the search for waits, delays and the critical path, and its memory for each message.
#
#     bench/waiting.sh [MESSAGES...]       default: 100000 and 1000000
#
# A hundred ranks work for random times and send to the next one in a ring. A line a number of
# messages: those of `info`, seconds of the processor for `waiting`, the same for each message, and
# peak memory in bytes for each message. OCELOTL_CLI is the program.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cli=${OCELOTL_CLI:-$root/build/ocelotl-cli}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 100000 1000000
printf '%10s %8s %12s %14s\n' messages seconds us/message bytes/message
for messages in "$@"; do
    awk -v messages="$messages" 'BEGIN {
        ranks = 100
        srand(1)
        print "resource,category,type,value,begin,end,source,target"
        for (k = 0; k < messages; k += ranks) {
            for (r = 0; r < ranks; r++)
                sent[r] = now[r] + 10 + int(rand() * 90)
            for (r = 0; r < ranks; r++) {
                from = (r + ranks - 1) % ranks
                arrives = (sent[from] > sent[r] ? sent[from] : sent[r]) + 2
                printf "r%d,state,S,work,%d,%d,,\n", r, now[r], sent[r]
                printf "r%d,state,S,MPI_Recv,%d,%d,,\n", r, sent[r], arrives
                printf "r%d,link,L,m,%d,%d,r%d,r%d\n", from, sent[from], arrives, from, r
                next_time[r] = arrives
            }
            for (r = 0; r < ranks; r++)
                now[r] = next_time[r]
        }
    }' >"$work/ring.csv"
    "$cli" import --force "$work/ring.csv" -o "$work/ring.db" >"$work/log" 2>&1
    env time -f '%U %S %M' "$cli" waiting --json "$work/ring.db" >"$work/found.json" 2>"$work/time"
    python3 - "$work" <<'END'
import json, sys
user, system, peak = map(float, open(sys.argv[1] + "/time").read().split()[-3:])
messages = json.load(open(sys.argv[1] + "/found.json"))["messages"]
print(f"{messages:10} {user + system:8.2f} {1e6 * (user + system) / messages:12.2f} "
      f"{1024 * peak / messages:14.0f}")
END
done

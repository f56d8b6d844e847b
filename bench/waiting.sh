#!/usr/bin/env bash
# Times the search for waits, delays and the critical path, or the correction of a trace; measures
# memory and temporary disk.
#
#     bench/waiting.sh [MESSAGES...]       default: 100000, 1000000, 10000000 and 100000000
#
# A hundred ranks work for random times and send to the next one in a ring. A line a number of
# messages: MB of the trace.db, seconds and seconds of the processor for `waiting`, or another
# COMMAND ("correct --cost 1us"), microseconds of the processor for each message, the most memory at
# once in MB without the pages of files, which the system writes out where it needs memory, and with
# them; and MB of files without a name. OCELOTL_BUILD is the build, with -DOCELOTL_BENCH=ON; TMPDIR
# has room for 300 bytes a message.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${OCELOTL_BUILD:-$root/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 100000 1000000 10000000 100000000
printf '%10s %8s %8s %8s %10s %10s %10s %10s\n' \
    messages trace/MB seconds cpu/s us/message memory/MB all/MB disk/MB
for messages in "$@"; do
    "$build/bench/ocelotl-bench" --make-ring "$messages" "$work/ring.db"
    python3 - "$messages" "$work/ring.db" "$build/ocelotl-cli" <<'END_OF_PYTHON'
import os
import resource
import subprocess
import sys
import time

messages, trace, program = int(sys.argv[1]), sys.argv[2], sys.argv[3]
own = all_pages = disk = 0
began = time.monotonic()
command = os.environ.get("COMMAND", "waiting").split()
run = subprocess.Popen([program, *command, "--no-cache", "--csv", trace],
                       stdout=subprocess.DEVNULL)
while run.poll() is None:
    try:
        with open(f"/proc/{run.pid}/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        own = max(own, int(fields.get("RssAnon", "0 kB").split()[0]))
        all_pages = max(all_pages, int(fields.get("VmHWM", "0 kB").split()[0]))
        files = f"/proc/{run.pid}/fd"
        found = [os.stat(f"{files}/{file}") for file in os.listdir(files)]
        disk = max(disk, sum(512 * file.st_blocks for file in found if file.st_nlink == 0))
    except OSError:
        pass  # it has ended, or closed a file
    time.sleep(0.02)
wall = time.monotonic() - began
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = used.ru_utime + used.ru_stime
assert run.returncode == 0
print(f"{messages:10} {os.path.getsize(trace) / 1e6:8.0f} {wall:8.1f} {cpu:8.1f} "
      f"{1e6 * cpu / messages:10.2f} {own / 1e3:10.0f} {all_pages / 1e3:10.0f} "
      f"{disk / 1e6:10.0f}", flush=True)
END_OF_PYTHON
    rm "$work/ring.db"
done

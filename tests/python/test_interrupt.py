"""Ctrl-C ends long calls soon."""
import os
import signal
import subprocess
import sys
import time

import pytest

SLOW = {
    "model": "len(t.overview(slices=1500, p=0.01))",
    "levels": "t.overview(slices=400).levels.columns",
    "query": "t.sql('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
             "i < 1000000000) SELECT max(i) FROM n').columns",
}

PROGRAM = """
import sys, time, ocelotl
t = ocelotl.open(sys.argv[1], no_cache=True)
print("begins", flush=True)
try:
    {}
    print("ended")
except KeyboardInterrupt:
    print("interrupted", time.monotonic())
"""


@pytest.mark.parametrize("what", sorted(SLOW))
def test_interrupt(run_db, what):
    program = subprocess.Popen([sys.executable, "-c", PROGRAM.format(SLOW[what]), run_db],
                               stdout=subprocess.PIPE, text=True, env=os.environ)
    try:
        assert program.stdout.readline() == "begins\n"
        time.sleep(0.3)
        program.send_signal(signal.SIGINT)
        said, _ = program.communicate(timeout=600)
    finally:
        program.kill()
    assert said.startswith("interrupted"), said

"""Ctrl-C ends long calls soon."""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest

SLOW = {
    "import": "ocelotl.open([sys.argv[2]], format='csv', target=sys.argv[3])",
    "model": "t.overview(slices=1500, p=0.01)",
    "solve": "[o.at(i / 1e6) for i in range(1000000)]",
    "levels": "o.levels",
    "query": "t.sql('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
             "i < 1000000000) SELECT max(i) FROM n').columns",
    "events": "[len(t.events()) for i in range(1000000)]",
    "compare": "[t.compare(t, to='50%', from2='50%', slices=1500).svg() for i in range(1000)]",
    "statistics": "[u.stats(quantiles=True) for i in range(100)]",
    "series": "[u.series().save(sys.argv[3] + '.csv') for i in range(100)]",
    "sweep": "t.sweep(slices=1500)",
    "hierarchies": "t.hierarchies(slices=1500)",
    "page": "t.overview(p=0.5, slices=1500).html()",
    "snapshot": "t.snapshot(sys.argv[3] + '.zip', slices=1500)",
    "export": "[u.export(sys.argv[3] + '.csv', 'paje') for i in range(100)]",
    "cells written": "[t.export(sys.argv[3] + '.csv', 'matrix', slices=1500) for i in range(100)]",
    "rows": "[u.events().to_dict() for i in range(100)]",
}

# Later than at once: what comes after the events were read.
LATER = {"statistics": 0.6, "cells written": 1.0, "series": 0.5}

PROGRAM = """
import sys, time, ocelotl
t = ocelotl.open(sys.argv[1], no_cache=True)
u = ocelotl.open(sys.argv[4])
o = t.overview(p=0.5, slices=400)
print("begins", flush=True)
try:
    {}
    print("ended")
except KeyboardInterrupt:
    print("interrupted", time.process_time())
"""

# One processor for all threads: what they take together is then what a person waits at most.
SECONDS = 0.5


def cpu_of(pid):
    """CPU seconds that a process has taken."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
def long_table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "long.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write("resource,type,value,begin,end\n")
        for i in range(3000000):
            file.write(f"a,S,x,{i},{i + 1}\n")
    return path


@pytest.fixture(scope="module")
def long_db(long_table, cli):
    path = long_table.with_suffix(".db")
    cli("import", long_table, "-o", path)
    return path


# All of them are asked everywhere, every other one of each change.
@pytest.mark.parametrize("what", sorted(SLOW)[::int(os.environ.get("OCELOTL_TEST_FULL", "2"))])
def test_interrupt(run_db, long_table, long_db, tmp_path, what):
    words = [sys.executable, "-c", PROGRAM.format(SLOW[what]), run_db, long_table,
             tmp_path / "made.db", long_db]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        assert program.stdout.readline() == "begins\n"
        begun = cpu_of(program.pid)
        while program.poll() is None and cpu_of(program.pid) < begun + LATER.get(what, 0.1):
            time.sleep(0.01)
        before = cpu_of(program.pid)
        program.send_signal(signal.SIGINT)
        said, _ = program.communicate(timeout=60)
    finally:
        program.kill()
    assert said.startswith("interrupted"), said
    assert float(said.split()[1]) - before < SECONDS
    assert {path.name for path in tmp_path.iterdir()} <= {"made.db.csv"}, "what was begun is gone"


def test_a_bar_where_tqdm_is(long_table, tmp_path):
    """A person at a terminal sees how far an import is."""
    pytest.importorskip("tqdm")
    if shutil.which("script") is None:
        pytest.skip("script is missing")
    program = ("import ocelotl, sys\n"
               "ocelotl._calls.Bar.delay = 0\n"
               "t = ocelotl.open([sys.argv[1]], format='csv', target=sys.argv[2])\n"
               "print('bar', t._progress.bar)\n")
    words = "stty rows 24 cols 80; " + shlex.join(
        [sys.executable, "-c", program, str(long_table), str(tmp_path / "run.db")])
    said = subprocess.run(["script", "-qefc", words, "/dev/null"], check=True, capture_output=True,
                          stdin=subprocess.DEVNULL, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1", "TERM": "xterm"}).stdout
    assert "bar None" in said, "it ends with its step"
    shares = [int(share) for share in re.findall(r"importing: +(\d+)%", said)]
    assert shares and shares == sorted(shares) and shares[-1] <= 100, said

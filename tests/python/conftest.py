"""What the tests of the package share: a trace, and the program that answers the same."""
import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ["OCELOTL_ROOT"])
CLI = os.environ["OCELOTL_CLI"]


@pytest.fixture(scope="session")
def run_db(tmp_path_factory):
    """The sample trace as a trace.db."""
    path = tmp_path_factory.mktemp("trace") / "run.db"
    subprocess.run([CLI, "import", ROOT / "examples/smpi-stencil-96.trace.zst", "-o", path],
                   check=True, capture_output=True)
    return path


@pytest.fixture(scope="session")
def cli():
    """Runs the program and gives what it prints."""
    def run(*words):
        return subprocess.run([CLI, *map(str, words)], check=True, capture_output=True,
                              text=True).stdout
    return run


@pytest.fixture(scope="session")
def ask(cli):
    """Runs the program and gives its JSON."""
    def run(*words):
        return json.loads(cli(*words))
    return run


@pytest.fixture
def trace(run_db):
    import ocelotl
    with ocelotl.open(run_db) as opened:
        yield opened

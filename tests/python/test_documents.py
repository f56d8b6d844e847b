"""What the documents and the docstrings show works."""
import doctest
import importlib
import os
import re
import subprocess

import pytest

from conftest import ROOT


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the trace that documents call run.trace, and the folder that they list."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with open("run.trace", "wb") as file:
        subprocess.run(["zstd", "-dc", ROOT / "examples/smpi-stencil-96.trace.zst"], check=True,
                       stdout=file)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/first.trace").symlink_to(tmp_path / "run.trace")
    return tmp_path


def test_page(folder, capsys):
    pytest.importorskip("numpy")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text("utf-8"),
                        re.DOTALL)
    assert len(blocks) >= 6
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    said = capsys.readouterr().out
    assert "PMPI_" in said and "the nearest is --slices" in said
    for made in ("overview.svg", "part.png", "mine.db"):
        assert os.path.getsize(made) > 0


def test_readme(folder):
    text = (ROOT / "README.md").read_text("utf-8")
    block, = re.findall(r"((?:    .*\n)*    import ocelotl\n(?:    .*\n)+)", text)
    exec(compile(re.sub("^    ", "", block, flags=re.MULTILINE), "README.md", "exec"), {})
    assert os.path.getsize("overview.svg") > 0


@pytest.mark.parametrize("name", ["_model", "_writer"])
def test_docstrings(name):
    pytest.importorskip("numpy")
    failed, tried = doctest.testmod(importlib.import_module("ocelotl." + name))
    assert tried > 0 and failed == 0


def test_keywords_have_the_help_of_their_rows():
    import ocelotl
    assert "slices: cut time into N slices" in ocelotl.Trace.overview.__doc__
    assert "reduce: count the resources in each state" in ocelotl.Trace.series.__doc__
    assert ocelotl.version().startswith("ocelotl " + ocelotl.__version__ + ", reads paje")

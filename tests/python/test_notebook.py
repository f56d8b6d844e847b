"""Notebooks: that of examples/ runs, and shows what it says; none keeps a bar of progress."""
import os
from pathlib import Path

import pytest

import ocelotl
from conftest import ROOT


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a notebook, and gives what its cells show."""
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    # The kernel is that of the system, and has to find what is installed here.
    monkeypatch.setenv("PYTHONPATH", str(Path(ocelotl.__file__).parent.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("OCELOTL_ROOT", str(ROOT))
    monkeypatch.chdir(tmp_path)

    def run(notebook):
        nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
        return [cell.get("outputs", []) for cell in notebook.cells]
    return run


def test_notebook(run, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("numpy")
    if not (ROOT / "tests/data/smpi-stencil-700.trace.zst").exists():
        pytest.skip("no trace of 700 processes")
    notebook = nbformat.read(ROOT / "examples/smpi-stencil-700.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "kept without its outputs"
    shown = [output for outputs in run(notebook) for output in outputs]
    data = [output.get("data", {}) for output in shown]
    pictures = [one["image/svg+xml"] for one in data if "image/svg+xml" in one]
    assert len(pictures) >= 2 and max(map(len, pictures)) < 200_000, "pictures"
    assert sum("<table>" in one.get("text/html", "") for one in data) >= 3, "tables"
    assert not any("<iframe" in one.get("text/html", "") for one in data)
    assert os.listdir(tmp_path)


def test_progress_leaves_nothing_in_a_notebook(run):
    nbformat = pytest.importorskip("nbformat")
    cells = ["import ocelotl\nocelotl._calls.Bar.delay = 0\n"
             "with open('run.csv', 'w') as file:\n"
             "    file.write('resource,type,value,begin,end\\n')\n"
             "    for i in range(400000):\n"
             "        file.write(f'r{i % 50},S,x,{i // 50},{i // 50 + 1}\\n')\n"
             "began = []\nseen = ocelotl._calls._NotebookBar\n"
             "class Noted(seen):\n    def __init__(self, *given):\n"
             "        super().__init__(*given)\n        began.append(self.step)\n"
             "ocelotl._calls._NotebookBar = Noted",
             "print('before')\nt = ocelotl.open('run.csv', target='run.db')\nprint('after')",
             "began"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in cells])
    _, opened, began = run(notebook)
    assert "importing" in began[0]["data"]["text/plain"]
    assert [one for one in opened if one.get("name") == "stderr"] == []
    assert "".join(one.get("text", "") for one in opened) == "before\nafter\n"
    assert [one["data"] for one in opened if "data" in one] == [{"text/plain": ""}]

"""The notebook of examples/ runs, and shows what it says."""
import os
from pathlib import Path

import pytest

import ocelotl
from conftest import ROOT


def test_notebook(tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("numpy")
    if not (ROOT / "tests/data/smpi-stencil-700.trace.zst").exists():
        pytest.skip("no trace of 700 processes")
    # The kernel is that of the system, and has to find what is installed here.
    monkeypatch.setenv("PYTHONPATH", str(Path(ocelotl.__file__).parent.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("OCELOTL_ROOT", str(ROOT))
    monkeypatch.chdir(tmp_path)
    notebook = nbformat.read(ROOT / "examples/smpi-stencil-700.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "kept without its outputs"
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    data = [output.get("data", {}) for output in shown]
    assert sum("image/svg+xml" in one for one in data) >= 2, "pictures"
    assert sum("<table>" in one.get("text/html", "") for one in data) >= 3, "tables"
    assert os.listdir(tmp_path)

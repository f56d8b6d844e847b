"""The package speaks Python 3.9, the earliest that it promises."""
import ast
import subprocess
import sys

import pytest

from conftest import ROOT

SOURCES = sorted([*(ROOT / "python").glob("*.py"), *(ROOT / "python/ocelotl").glob("*.py"),
                  *(ROOT / "python/ocelotl").glob("*.pyi")])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_syntax(path):
    tree = ast.parse(path.read_text("utf-8"), str(path), feature_version=(3, 9))
    later = tuple(getattr(ast, name) for name in ("Match", "TryStar", "TypeAlias")
                  if hasattr(ast, name))
    assert not any(isinstance(node, later) for node in ast.walk(tree))


def test_standard_library(tmp_path):
    """What the package takes from it is there, and what it evaluates has a meaning there."""
    command = [sys.executable, "-m", "mypy"]
    if subprocess.run([*command, "--version"], capture_output=True).returncode != 0:
        pytest.skip("no mypy")
    said = subprocess.run([*command, "--python-version", "3.9", "--cache-dir", tmp_path, "-p",
                           "ocelotl"], cwd=ROOT / "python", capture_output=True, text=True)
    assert said.returncode == 0, said.stdout


def test_promise():
    text = (ROOT / "python/pyproject.toml").read_text("utf-8")
    assert 'requires-python = ">=3.9"' in text and 'python_version = "3.9"' in text

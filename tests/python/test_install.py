"""What building the package says where something is missing."""
import subprocess
import sys

import pytest

from conftest import ROOT

PROGRAM = """
import runpy, sys
for name in sys.argv[1].split(): sys.modules[name] = None
sys.base_prefix = sys.argv[2]
import setuptools
setuptools.__version__ = sys.argv[3]
sys.argv = ["setup.py", "--version"]
runpy.run_path("setup.py")
"""


def build(missing, prefix, setuptools="66.1.1"):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM, missing, prefix,
                           setuptools], cwd=ROOT / "python", capture_output=True, text=True)


@pytest.mark.parametrize("missing, prefix, advice", [
    ("wheel", "/usr", "building needs wheel, which is missing here: apt-get install python3-wheel"),
    ("cffi wheel", "/usr", "apt-get install python3-cffi python3-wheel"),
    ("cffi wheel", "/opt/python", "-m pip install cffi wheel"),
])
def test_a_missing_module_has_one_line(missing, prefix, advice):
    said = build(missing, prefix)
    assert said.returncode == 1
    line, = said.stderr.splitlines()
    assert advice in line


def test_old_setuptools_would_install_nothing():
    said = build("", sys.base_prefix, "58.1.0")
    assert said.returncode == 1
    line, = said.stderr.splitlines()
    assert "needs setuptools of version 61 or later, and this is 58.1.0" in line


def test_nothing_is_missing():
    import ocelotl
    said = build("", sys.base_prefix)
    assert said.returncode == 0, said.stderr
    assert said.stdout.split()[-1] == ocelotl.__version__

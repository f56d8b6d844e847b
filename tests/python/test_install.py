"""What building the package says where something is missing."""
import os
import subprocess
import sys
import tarfile

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


def pack(folder, target):
    """The source as the folder's backend packs it: the names of what is in it."""
    program = ("import sys; sys.path.insert(0, 'python'); import {0} as backend; "
               "backend.build_sdist(sys.argv[1])")
    backend = "backend" if folder == ROOT else "setuptools.build_meta"
    subprocess.run([sys.executable, "-c", program.format(backend), target], cwd=folder, check=True,
                   capture_output=True)
    packed, = target.iterdir()
    with tarfile.open(packed) as tar:
        return {name.split("/", 1)[1] for name in tar.getnames() if "/" in name}


def test_the_source_has_all_that_it_is_built_of(tmp_path):
    before = set(os.listdir(ROOT)) | set(os.listdir(ROOT / "python"))
    (tmp_path / "root").mkdir()
    (tmp_path / "python").mkdir()
    packed = pack(ROOT, tmp_path / "root")
    assert packed == pack(ROOT / "python", tmp_path / "python")
    known = {str(path.relative_to(ROOT)) for room in ("cli", "engine", "importers", "include",
                                                      "request", "server", "viz")
             for path in (ROOT / room).rglob("*") if path.is_file()}
    known |= {"PKG-INFO", "LICENSE", "CMakeLists.txt", "pyproject.toml", "python/build_native.py",
              "python/declarations.py", "python/keywords.py", "python/native.c", "python/LICENSE",
              "python/ocelotl/py.typed", "python/ocelotl/_keywords.pyi"}
    assert not known - packed
    assert not [name for name in packed if "egg-info" in name or name.startswith("build")]
    assert set(os.listdir(ROOT)) | set(os.listdir(ROOT / "python")) == before


def test_root_and_package_are_built_by_the_same():
    wanted = [next(line for line in (folder / "pyproject.toml").read_text().splitlines()
                   if line.startswith("requires ")) for folder in (ROOT, ROOT / "python")]
    assert wanted[0] == wanted[1]

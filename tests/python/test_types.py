"""The types of the package, as mypy checks them."""
import subprocess
import sys

import pytest

from conftest import ROOT

PROGRAM = """
import ocelotl

t = ocelotl.open(["a", "b"], align="begin")
o = t.overview(p=0.5, slices=30, from_="10%", to=2.5, except_=["a", "b"], theme="dark")
n: int = len(o.at(level=3))
t.stats(only="x", to=1.0)
t.matrix(at="MACHINE", cell="bytes")
t.compare(t, from2="50%").changes.to_dict()
t.overview(slcies=30)  # wrong
t.overview(slices="many")  # wrong
t.matrix(cell="size")  # wrong
t.series(slices=3)  # wrong
"""


@pytest.fixture(scope="module")
def mypy():
    command = [sys.executable, "-m", "mypy"]
    if subprocess.run([*command, "--version"], capture_output=True).returncode != 0:
        pytest.skip("no mypy")
    return command


def test_types_of_keywords(mypy, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    said = subprocess.run([*mypy, "--strict", "--enable-incomplete-feature=Unpack",
                           "--cache-dir", tmp_path / "cache", path],
                          cwd=tmp_path, capture_output=True, text=True)
    wrong = [number for number, line in enumerate(PROGRAM.split("\n"), 1) if "# wrong" in line]
    found = [int(line.split(":")[1]) for line in said.stdout.splitlines() if ": error:" in line]
    assert found == wrong, said.stdout


def test_types_are_those_of_the_rows():
    said = subprocess.run([sys.executable, ROOT / "python/keywords.py"], check=True,
                          capture_output=True, text=True).stdout
    assert said == (ROOT / "python/ocelotl/_keywords.pyi").read_text("utf-8"), \
        "run python/keywords.py >python/ocelotl/_keywords.pyi"

#!/usr/bin/env python3
"""Draws the pictures of docs/serve.md and docs/report.md with Chromium.

Needs a build in build/: page_pictures.py"""
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
os.environ.setdefault("OCELOTL_CLI", str(root / "build/ocelotl-cli"))
os.environ.setdefault("OCELOTL_BUILD", str(root / "build"))
sys.path.insert(0, str(root / "tests"))
from browser import Browser  # noqa: E402
from served import CLI, Page  # noqa: E402

TRACE = "smpi-stencil-96"


def draw(page):
    """The first view, a region that is selected, and what is below it."""
    docs = root / "docs"
    page.levels()
    page.picture(docs / "serve.png")
    left, top, width, height = page.run("const box = document.querySelector('#plots canvas')"
                                        ".getBoundingClientRect();"
                                        "return [box.x, box.y, box.width, box.height]")
    page.drag((left + 0.56 * width, top + 0.3 * height), (left + 0.72 * width, top + 0.8 * height))
    page.press("z")
    page.until("location.hash.includes('resource=')")
    page.settled()
    page.levels()
    page.click("[data-panel=gantt]")
    page.until("document.querySelector('#panel-body svg') !== null")
    page.picture(docs / "serve-region.png")


def draw_report(folder):
    """A region of a report, enlarged."""
    path = pathlib.Path(folder, "report.html")
    subprocess.run([CLI, "--slices", "60", f"{TRACE}.db", "-o", path.name], cwd=folder, check=True)
    with Browser(width=1280, height=880) as page:
        page.go(path.as_uri() + "#p=0.35&view=12-20&below=nancy/griffon")
        page.until("document.querySelector('#crumbs [title^=\"the time\"]') !== null")
        page.picture(root / "docs/report-zoom.png")


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([CLI, "import", root / f"examples/{TRACE}.trace.zst", "-o", f"{TRACE}.db"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    draw_report(folder)
    server = subprocess.Popen([CLI, "serve", f"{TRACE}.db"], cwd=folder, stdout=subprocess.PIPE,
                              text=True)
    try:
        with Page(server.stdout.readline().split()[0], pathlib.Path(folder), width=1400,
                  height=940) as shown:
            draw(shown)
    finally:
        server.terminate()
        server.wait()

"""Names that are no plain words, many children, a server that ends:
served_names.py ADDRESS FOLDER PID."""
import os
import pathlib
import signal
import sys

from served import Page, same

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    # Names are text, whatever they say.
    same("scripts", 2, page.run("return document.scripts.length + document.images.length + 1"))
    same("what a name ran", None, page.run("return window.stolen ?? null"))
    page.until("document.querySelectorAll('#tree-list bdi').length > 0")
    names = page.run("return [...document.querySelectorAll('#tree-list bdi')].map("
                     "one => one.textContent)")
    assert any("<script>" in name for name in names), names[:5]
    assert any("\u05d0" in name for name in names), names[:5]

    # Of many children some are listed, and the others are one press away.
    page.until("document.querySelectorAll('[role=treeitem]').length > 100")
    assert page.run("return document.querySelectorAll('[role=treeitem]').length") < 300
    before = page.run("return document.querySelectorAll('[role=treeitem]').length")
    page.run("document.querySelector('[role=treeitem]:not([data-path])').click()")
    page.until(f"document.querySelectorAll('[role=treeitem]').length > {before} + 1000")
    page.keep("names")
    page.quiet()

    # A server that ended is told, and what was shown stays.
    os.kill(int(sys.argv[3]), signal.SIGKILL)
    page.type("#p", "0.123\ue007")
    page.until("!document.getElementById('problem').hidden")
    assert "has ended" in page.problem(), page.problem()
    same("what was shown", True, page.run("return document.querySelector('#plots svg') !== null"))
    page.keep("ended")

"""Names that are no plain words, many children, a server that ends:
served_names.py ADDRESS FOLDER PID."""
import os
import pathlib
import signal
import subprocess
import sys

from served import CLI, Page, same

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    # Names are text, whatever they say.
    same("scripts", 2, page.run("return document.scripts.length + document.images.length + 1"))
    same("what a name ran", None, page.run("return window.stolen ?? null"))
    page.tree()
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

    # It begins again, and prints another address: the page goes on where it was, whether that is
    # opened in its place or beside it.
    port = sys.argv[1].split(":")[2].split("/")[0]
    was = page.place()

    def begin():
        server = subprocess.Popen([CLI, "serve", "--port", port, "--slices", "30", "names.db"],
                                  cwd=page.folder, stdout=subprocess.PIPE, text=True)
        return server, server.stdout.readline().split()[0]

    def ended(server):
        server.kill()
        server.wait()

    def goes_on(where):
        page.until("document.getElementById('problem').hidden && "
                   "document.getElementById('command').textContent !== ''")
        page.settled()
        same(f"what is shown, opened {where}", was, page.place())
        page.show(lambda: page.type("#p", "0.5\ue007"))
        page.show(lambda: page.click("#back"))

    server, again = begin()
    page.run("location.href = arguments[0]", again)
    goes_on("in its place")
    ended(server)
    server, again = begin()
    here = page.call("GET", "/window")
    page.call("POST", "/window", {"handle": page.call("POST", "/window/new",
                                                      {"type": "tab"})["handle"]})
    page.go(again)
    page.settled()
    page.call("POST", "/window", {"handle": here})
    goes_on("beside it")
    ended(server)

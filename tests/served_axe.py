"""Nothing that axe-core finds wrong, whatever is open: served_axe.py ADDRESS FOLDER."""
import pathlib
import sys

from served import Page, same

AXE = pathlib.Path(__file__).parent.glob("vendor/axe-core-*/axe.min.js")
FOUND = """return axe.run(document, {resultTypes: ['violations']}).then(({violations}) =>
    violations.flatMap(({id, help, nodes}) => nodes.slice(0, 3).map(
        node => id + ': ' + help + ': ' + node.html.slice(0, 160) + ' ' +
            (node.any[0] || node.all[0] || node.none[0] || {message: ''}).message)))"""

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    script = next(AXE).read_text(encoding="utf-8")
    wrong = {}

    def look(what):
        page.settled()
        if not page.run("return 'axe' in window"):
            page.run(script)
        for one in page.run(FOUND):
            wrong.setdefault(one, what)

    def looks(tabs):
        """The page with each thing open that there is."""
        look("plain")
        for tab in tabs:
            page.open(tab)
            look("tab " + tab)
        page.close()
        for name in page.run("return [...document.querySelectorAll('[popover]')].map("
                             "one => one.id)"):
            page.run("document.getElementById(arguments[0]).showPopover()", name)
            look(name)
            page.run("document.getElementById(arguments[0]).hidePopover()", name)
        page.run("document.getElementById('help-open').click()")
        look("help")
        page.press("Escape")

    looks(page.tabs())
    page.click("#palette-open")
    look("palette")
    page.press("Escape")
    page.click("#tree-open")
    page.until("document.querySelector('[role=treeitem]') !== null")
    look("tree")
    page.theme("dark")
    looks(["selection", "gantt", "parts"])
    page.size(500, 900)
    look("small and dark")
    page.theme("light")
    look("small")
    page.click("#tree-open")
    same("what axe finds", {}, wrong)
    page.quiet()

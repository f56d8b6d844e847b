"""The tree, hover, and answers that come late: served_answers.py ADDRESS FOLDER."""
import csv
import pathlib
import subprocess
import sys

from served import CLI, Page, round_share, same


def resources(folder):
    """The paths of all resources but the root, as the program says them."""
    said = subprocess.run([CLI, "sql", "--csv", "small.db", "SELECT path FROM resources"],
                          cwd=folder, check=True, capture_output=True, text=True).stdout
    return {row["path"] for row in csv.DictReader(said.splitlines())} - {""}


# Holds back answers that begin with a path until they are let go, as a slow machine does.
HOLD = """
window.held = [];
window.fetched = window.fetched || window.fetch;
window.fetch = (address, ...more) => {
    const answer = window.fetched(address, ...more);
    return address.startsWith('/api/v1/' + arguments[0]) && address.includes(arguments[1]) ?
        new Promise(done => window.held.push(() => done(answer))) : answer;
};"""

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    # The tree: all resources, by its keys alone.
    def lines():
        return page.run("return [...document.querySelectorAll('[role=treeitem]')].map("
                        "one => one.dataset.path)")

    page.tree()
    page.run("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
    seen = []
    while True:
        here = page.run("return document.activeElement.dataset.path")
        if here in seen:
            break
        seen.append(here)
        if page.run("return document.activeElement.getAttribute('aria-expanded') === 'false'"):
            page.press("Right")
            same("the focus stays", here, page.run("return document.activeElement.dataset.path"))
        page.press("Down")
    same("resources in the tree", resources(page.folder), set(seen))
    same("lines", seen, lines())

    # An inner one is folded, left out, and gone to.
    page.run("document.querySelector('[data-path=\"nancy/graphene\"]').focus()")
    page.press("Left")
    same("what is folded", [], [path for path in lines() if path.startswith("nancy/graphene/")])
    page.show(lambda: page.press(" "))
    same("what is left out", "nancy/graphene", dict(page.options())["except-resources"])
    assert not any(part["node"].startswith("nancy/graphene") for part in page.said()["parts"])
    same("its tick", "false", page.run("return document.querySelector("
         "'[data-path=\"nancy/graphene\"]').getAttribute('aria-checked')"))
    page.show(lambda: page.press(" "))
    page.show(lambda: page.press("Enter"))
    same("what is shown", "nancy/graphene", dict(page.options())["resource"])
    page.show(lambda: page.whole())

    # Hover says what the program says of the part that is there, and asks nobody.
    page.show(lambda: page.type("#p", "0.7\ue007"))
    page.run("document.activeElement.blur(); scrollTo(0, 0)")
    parts = page.said()["parts"]
    page.requests()
    found = set()
    for row in (0.05, 0.3, 0.55, 0.8, 0.95):
        for slice_ in (1, 13, 30, 46, 59):
            page.point((2, 2))
            page.until("document.querySelector('.hover').hidden")
            box = page.run("const box = document.querySelector('#plots canvas')"
                           ".getBoundingClientRect(); return [box.x, box.y, box.width, box.height]")
            page.point((box[0] + box[2] * (slice_ + 0.5) / 60, box[1] + box[3] * row))
            page.until("!document.querySelector('.hover').hidden")
            words = page.text(".hover").split(" · ")
            if not words[3].startswith("part "):
                continue
            part = parts[int(words[3][5:])]
            found.add(part["id"])
            same("the node", part["node"] or "(whole)", words[0])
            share, name = max((value, name) for name, value in part["shares"].items()
                              if name != "(no state)")
            same("the share", name + (" > 99.9 %" if 0.9995 <= share < 1 else
                                      f" {round_share(share)}"), words[1])
            assert part["first"] <= slice_ <= part["last"], (part, slice_)
    assert len(found) > 5, found
    # What is likely next and sentences are asked for ahead, whatever the pointer does.
    ahead = ("ahead=1", "/nodes?", "/likely?", "/explained?", "/findings?")
    same("requests while hovering", [], [one for one in page.requests() if "/api/" in one and
                                         not any(word in one for word in ahead)])
    page.point((2, 2))
    page.until("document.querySelector('.hover').hidden")

    # An answer that comes after that of a later question is not shown.
    page.run(HOLD, "records", "p=0.31")
    page.run("const p = document.getElementById('p'); p.value = '0.31';"
             "p.dispatchEvent(new Event('change', {bubbles: true}))")
    page.until("window.held.length === 1")
    page.show(lambda: page.run("const p = document.getElementById('p'); p.value = '0.62';"
                               "p.dispatchEvent(new Event('change', {bubbles: true}))"))
    drawn = page.run("return document.querySelector('#plots canvas').toDataURL()")
    same("p", "0.62", dict(page.options())["p"])
    page.run("window.held.forEach(go => go())")
    page.run("return new Promise(done => setTimeout(done, 200))")
    page.settled()
    same("what is shown after a late answer", ("0.62", drawn),
         (page.value("#p"), page.run("return document.querySelector('#plots canvas').toDataURL()")))
    same("its address", "0.62", dict(page.options())["p"])
    same("its parts", len(page.said()["parts"]), page.parts())

    # The same of a search, a level list and a comparison of panels.
    page.run(HOLD, "search", "q=griffon-sw1")
    page.press("/")
    page.until("document.activeElement.type === 'search'")
    page.type("#palette-field", "griffon-sw1")
    page.until("window.held.length === 1")
    page.type("#palette-field", "graphene")
    page.until("document.querySelector('#palette li bdi')?.textContent.includes('graphene')")
    listed = page.text("#palette-list")
    page.run("window.held.forEach(go => go())")
    page.run("return new Promise(done => setTimeout(done, 200))")
    same("what is found after a late answer", listed, page.text("#palette-list"))
    page.quiet()

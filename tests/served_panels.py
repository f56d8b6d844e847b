"""The panels of the served page in a browser: served_panels.py ADDRESS FOLDER."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import xml.etree.ElementTree as tree

from browser import Browser

address, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def same(what, wanted, got):
    assert wanted == got, f"{what}: {got!r}, expected {wanted!r}"


with Browser() as browser:
    def settled():
        browser.until("!document.getElementById('plots').classList.contains('waiting') && "
                      "document.getElementById('details').getAttribute('aria-busy') !== 'true'")

    def options():
        """What is shown, as the address says it."""
        pairs = browser.run("return [...new URLSearchParams(location.hash.slice(1))]")
        return [pair for pair in pairs if not pair[0].startswith("gantt.")]

    def command():
        return browser.run("return document.getElementById('command').textContent")

    def opened(name, ready):
        """Opens a panel by its button, and waits for what it shows."""
        browser.click(f"[data-panel={name}]")
        browser.until(f"document.querySelector({json.dumps('#panel-body ' + ready)}) !== null")
        settled()

    def problem():
        return browser.run("const box = document.getElementById('problem');"
                           "return box.hidden ? '' : box.textContent")

    browser.go(address)
    browser.until("document.querySelectorAll('#plots [data-part]').length > 0")
    settled()

    # Search: a slash, some letters, Enter goes there; a value is lit.
    browser.press("/")
    browser.until("document.activeElement.type === 'search'")
    browser.press(*"rank-17", "Enter")
    browser.until("location.hash.includes('resource=')")
    settled()
    found = dict(options())["resource"]
    assert found.endswith("rank-17"), found
    same("the picture is of it", True, browser.run(
        "return document.getElementById('command').textContent.includes('rank-17')"))
    browser.type("#panel-body input", "pmpi_wait")
    browser.until("document.querySelector('#panel-body li button').textContent === 'PMPI_Wait'")
    plain = browser.run("return document.querySelector('#plots canvas').toDataURL()")
    browser.click("#panel-body li button")
    browser.until(f"document.querySelector('#plots canvas').toDataURL() !== {json.dumps(plain)}")
    browser.click("#whole")
    browser.until("!location.hash.includes('resource=')")
    settled()
    same("a problem", "", problem())

    # Details: of the whole, then of a part that is chosen; tables tell it without the picture.
    def tables():
        return browser.run("return [...document.querySelectorAll('#panel-body table')].map("
                           "one => [one.caption.textContent, one.tBodies[0].rows.length])")

    opened("part", "table")
    names = dict(tables())
    assert names["What its types gain and lose"] > 2, names
    browser.run("document.querySelector('#plots [tabindex=\"0\"]').focus()")
    browser.press("Right", "Right", "Down", "Enter")
    browser.until("document.querySelector('#panel-body pre') !== null")
    settled()
    names = dict(tables())
    assert names["What else it could be"] >= 2, names
    assert any(name.startswith("Its siblings") for name in names), names
    same("a problem", "", problem())

    # A node is folded by a key, which is an option of the program; and unfolded again.
    browser.press("f")
    browser.until("location.hash.includes('fold=')")
    settled()
    node = dict(options())["fold"]
    assert f"--fold {node}" in command(), command()
    same("no part below it", False, browser.run(
        "return [...document.querySelectorAll('#plots title')].some("
        "one => one.textContent.includes(arguments[0] + '/'))", node))
    same("a problem", "", problem())
    browser.press("f")
    browser.until("!location.hash.includes('fold=')")
    settled()

    # Events and parts as tables.
    opened("events", "table")
    same("events", True, browser.run("return document.querySelector('#panel-body caption')"
                                     ".textContent.startsWith('Events 1 to ')"))
    opened("parts", "[data-kept='parts.csv']")
    assert list(dict(tables()).values())[0] > 5, tables()
    same("a problem", "", problem())

    # Charts, each with a table that says the same.
    for name, ready in (("stats", "table"), ("series", "table"), ("treemap", "table"),
                        ("durations", "table")):
        opened(name, ready)
        assert list(dict(tables()).values())[0] >= 1, (name, tables())
        same(f"a note of {name}", [], browser.run("return [...document.querySelectorAll("
             "'#panel-body > div > p.note:only-child')].map(one => one.textContent)"))
    same("a problem", "", problem())

    # Messages: the matrix, at another level, and the Gantt chart of a pair: by its button,
    # and by its cell in the picture.
    def choose(name, value):
        browser.run("const field = document.querySelector("
                    "`#panel-body [data-choice='${arguments[0]}']`); field.value = arguments[1];"
                    "field.dispatchEvent(new Event('change'))", name, value)

    browser.press("Escape")
    browser.until("!location.hash.includes('page.part=')")
    settled()
    opened("matrix", "table")
    same("pairs", ["192 pairs", 192], tables()[0])
    choose("rows", "SWITCH")
    browser.until("document.querySelector('#panel-body caption').textContent === '14 pairs'")
    choose("cells", "mean")
    browser.until("document.querySelector('#panel-body pre').textContent.includes('--cell mean')")
    means = browser.run("return [...document.querySelectorAll('#panel-body tbody tr')].map("
                        "row => Number(row.cells[3].title))")
    same("the largest mean first", sorted(means, reverse=True), means)
    button = "document.querySelector('#panel-body tbody button')"
    pair = browser.run(f"return {button}.textContent")
    browser.run(button + ".click()")
    chart = "document.querySelector('#panel-body .pair pre')"
    browser.until(chart + " !== null")
    for path in pair.split(" \u2192 "):
        assert "--resource " + path in browser.run(f"return {chart}.textContent"), pair
    cell = ("[...document.querySelectorAll('#panel-body svg title')].find(one => "
            "one.textContent.startsWith("
            "'nancy/griffon/griffon-sw1 \u2192 nancy/griffon/griffon-sw2\\n'))")
    browser.run(f"{cell}.parentElement.dispatchEvent(new Event('click', {{bubbles: true}}))")
    browser.until(f"{chart}.textContent.includes('griffon-sw2')")
    same("the chart of a cell", True, browser.run(
        f"return {chart}.textContent.includes('--resource nancy/griffon/griffon-sw1 "
        "--resource nancy/griffon/griffon-sw2')"))
    same("a problem", "", problem())
    choose("cells", "bytes")
    browser.until("document.querySelector('#panel-body .note') !== null && "
                  "document.querySelector('#panel-body .note').textContent.includes("
                  "'no link carries')")
    choose("cells", "count")

    # The hierarchy of the page is that of its matrix: its command draws the same picture.
    before = browser.run("return location.hash")
    for level, hierarchy in (("SWITCH", "order=activity"), ("MACHINE", "order=traffic"),
                             ("SWITCH", "drop-level=MACHINE&order=traffic"),
                             ("group", "group=*%2Fgriffon*%3Dnew&group=*%2Fgraph*%3Dold"
                                       "&order=name")):
        choose("rows", "")  # which every hierarchy has
        browser.until("document.querySelector('#panel-body pre') !== null && !document."
                      "querySelector('#panel-body pre').textContent.includes('--at')")
        browser.run("const now = new URLSearchParams(location.hash.slice(1));"
                    "['order', 'drop-level', 'group'].forEach(name => now.delete(name));"
                    "location.hash = '#' + now + '&' + arguments[0]", hierarchy)
        browser.until("document.getElementById('command').textContent.includes("
                      f"'--order {hierarchy.split('order=')[1]}')")
        settled()
        if level == "group":  # the page offers the types of the trace alone
            browser.run("const field = document.querySelector("
                        "`#panel-body [data-choice='rows']`);"
                        "if (![...field.options].some(one => one.value === 'group'))"
                        "    field.append(new Option('group', 'group'))")
        choose("rows", level)
        said = "document.querySelector('#panel-body pre').textContent"
        browser.until(f"document.querySelector('#panel-body pre') !== null && {said}.includes("
                      f"'--at {level}') && {said}.includes('--order "
                      f"{hierarchy.split('order=')[1]}')")
        settled()
        line = shlex.split(browser.run("return " + said))
        same("the program", ["ocelotl-cli", "matrix"], line[:2])
        width, height = browser.run("const box = document.querySelector('#panel-body svg')"
                                    ".viewBox.baseVal; return [box.width, box.height]")
        subprocess.run([os.environ["OCELOTL_CLI"], *line[1:], "--force", "--width", str(width),
                        "--height", str(height)], check=True, cwd=folder, capture_output=True)
        drawn = tree.parse(folder / line[line.index("-o") + 1]).getroot()
        names = "{http://www.w3.org/2000/svg}"
        same(f"the picture of {hierarchy}",
             ["".join(one.itertext()) for one in drawn.iter(names + "title")], browser.run(
                 "return [...document.querySelectorAll('#panel-body svg title')].map("
                 "one => one.textContent)"))
    choose("rows", "")
    browser.until("!document.querySelector('#panel-body pre').textContent.includes('--at')")
    browser.run("location.hash = arguments[0]", before)
    browser.until("!document.getElementById('command').textContent.includes('--order')")
    settled()
    choose("rows", "")
    browser.until("document.querySelector('#panel-body caption') !== null && "
                  "document.querySelector('#panel-body caption').textContent === '192 pairs'")
    # Letters of pictures are as large as meant, 11 pixels, however wide the panel is.
    for name in ("stats", "gantt", "matrix", "treemap", "durations"):
        opened(name, "svg text")
        least = browser.run("""return Math.min(...[...document.querySelectorAll('main svg text')]
            .filter(one => one.textContent !== '').map(one => {
                const {c, d} = one.getScreenCTM(); // some are upright
                return parseFloat(getComputedStyle(one).fontSize) * Math.hypot(c, d);
            }))""")
        assert least >= 11, (name, least)

    browser.run("document.querySelector('#plots [tabindex=\"0\"]').focus()")
    browser.press("Right", "Right", "Down", "Enter")
    browser.until("location.hash.includes('page.part=')")
    settled()

    # What is chosen in a panel is in its address: it is there after a reload, and back takes it.
    opened("stats", "table")
    line = "document.querySelector('#panel-body pre').textContent"
    for name, value, words in (("of", "MPI_STATE", "--type MPI_STATE"),
                               ("groups", "SWITCH", "--at SWITCH")):
        choose(name, value)
        browser.until(f"document.querySelector('#panel-body pre') !== null && "
                      f"{line}.includes({json.dumps(words)})")
    said = browser.run("return " + line)
    assert "stats.type=MPI_STATE" in browser.run("return location.hash")
    browser.call("POST", "/refresh")
    browser.until(f"document.querySelector('#panel-body pre') !== null && "
                  f"{line} === {json.dumps(said)}")
    settled()
    same("the field", "SWITCH", browser.value("#panel-body [data-choice=groups]"))
    browser.run("history.back()")
    browser.until(f"document.querySelector('#panel-body pre') !== null && "
                  f"!{line}.includes('--at') && {line}.includes('--type')")
    settled()
    browser.run("history.back()")
    browser.until(f"document.querySelector('#panel-body pre') !== null && "
                  f"!{line}.includes('--type')")
    settled()
    same("a problem", "", problem())

    # A Gantt chart moves by itself: later, closer, and back to what is chosen.
    opened("gantt", "svg")
    line = "document.querySelector('#panel-body pre').textContent"
    before = browser.run("return " + line)
    place = options()
    for button in ("earlier", "closer"):
        browser.run("[...document.querySelectorAll('#panel-body button')].find("
                    "one => one.textContent === arguments[0]).click()", button)
        browser.until(f"{line} !== {json.dumps(before)}")
        same(f"what is shown after {button}", place, options())
        assert "--from" in browser.run("return " + line)
        before = browser.run("return " + line)
    same("a problem", "", problem())

    # Another window beside this one.
    opened("compare", "input")
    browser.type("#panel-body input", "50")
    before = command()
    browser.until("!document.getElementById('coarser').disabled")
    browser.run("document.getElementById('coarser').click()")
    browser.until("document.getElementById('command').textContent !== "
                  f"{json.dumps(before)}")
    settled()
    same("what is typed meanwhile", "50", browser.value("#panel-body input"))
    browser.press("%", "Tab")
    browser.until("document.querySelector('#panel-body table') !== null")
    browser.click("#panel-body input[type=checkbox]")
    browser.until("document.querySelector('#panel-body pre').textContent.includes('difference')")
    same("a problem", "", problem())

    # A question in SQL.
    opened("sql", "textarea")
    browser.type("#panel-body textarea", "select count(*) as n from events")
    browser.click("#panel-body button")
    browser.until("document.querySelector('#panel-body tbody') !== null")
    assert int(browser.run("return document.querySelector('#panel-body tbody th').textContent")) > 9

    # A note at what is chosen: kept, listed, drawn with its number; and kept although a note
    # without a place was added to the file by hand meanwhile.
    browser.run("document.querySelector('#plots [tabindex=\"0\"]').focus()")
    browser.press("Enter")
    opened("notes", "textarea")
    drawn = "document.querySelectorAll('#plots text.noted').length"
    before = browser.run("return " + drawn)
    sidecar = folder / "trace.db.notes.json"
    others = json.loads(sidecar.read_text())
    others["notes"].append({"text": "by hand"})
    sidecar.write_text(json.dumps(others))
    browser.type("#panel-body textarea", "begins late")
    browser.run("document.querySelector('#panel-body button').click()")
    browser.type("#panel-body textarea", "the next one")
    browser.until("document.querySelectorAll('#panel-body tbody tr').length === 3")
    browser.until(f"{drawn} === {before + 1}")
    kept = json.loads(sidecar.read_text())["notes"]
    same("the notes", others["notes"][0]["text"], kept[0]["text"])
    same("what others wrote", "by hand", kept[1]["text"])
    same("the note", "begins late", kept[2]["text"])
    same("what is typed while a note is kept", "the next one",
         browser.value("#panel-body textarea"))
    same("a problem", "", problem())

    # Saved pictures number it, as the command says, until that is not wanted; the part stays.
    browser.until("document.getElementById('command').textContent.includes(' --notes ')")
    browser.until("document.querySelector('.numbered input').checked")
    browser.until("location.hash.includes('page.part=')")
    browser.run("document.querySelector('.numbered input').click()")
    browser.until("!document.getElementById('command').textContent.includes(' --notes ')")

    browser.picture(folder / "panels.png")
    same("the console", [], [entry for entry in browser.console()
                             if "409 (Conflict)" not in entry["message"]
                             and "cell=bytes" not in entry["message"]])

"""The panels of the served page in a browser: served_panels.py ADDRESS FOLDER."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import xml.etree.ElementTree as tree

from served import Page, same

address, folder = sys.argv[1], pathlib.Path(sys.argv[2])
with Page(address, folder) as page:
    def options():
        return [pair for pair in page.options() if not pair[0].startswith("gantt.")]

    def opened(name, ready):
        """Opens a panel by its button, and waits for what it shows."""
        page.click(f"[data-panel={name}]")
        page.until(f"document.querySelector({json.dumps('#panel-body ' + ready)}) !== null")
        page.settled()

    svg_of = "{http://www.w3.org/2000/svg}"

    def draw_again(line):
        """The picture that the command of a panel draws, as large as the panel shows it."""
        words = shlex.split(line)
        width, height = page.run("const box = document.querySelector('#panel-body svg')"
                                 ".viewBox.baseVal; return [box.width, box.height]")
        subprocess.run([os.environ["OCELOTL_CLI"], *words[1:], "--force", "--width", str(width),
                        "--height", str(height)], check=True, cwd=folder, capture_output=True)
        return tree.parse(folder / words[words.index("-o") + 1]).getroot()

    # Why: of the whole, then of a part that is chosen; tables tell it without the picture.
    def tables(within="#panel-body"):
        """Captions and the numbers of lines of tables, once there are some."""
        return page.until(
            f"(found => found.length > 0 && found)([...document.querySelectorAll('{within} .list')]"
            ".map(one => [one.caption.textContent, one.tBodies[0].rows.length]))")

    page.click("[data-panel=selection]")
    names = dict(tables("#panel .why"))
    assert names["What its types gain and lose"] > 2, names
    assert names["What cuts it"] > 10, names
    page.until("document.querySelector('#panel .why p').textContent.includes('because of')")
    page.run("document.querySelector('#plots [tabindex=\"0\"]').focus()")
    page.press("Right", "Right", "Down", "Enter")
    page.settled()
    names = dict(tables("#panel .part .why"))
    assert any(name.startswith("What cuts it from ") for name in names), names
    assert any(name.startswith("Its siblings") for name in names), names
    same("a problem", "", page.problem())

    # A node is folded by a key, which is an option of the program; and unfolded again.
    page.press("o")
    page.until("location.hash.includes('fold=')")
    page.settled()
    node = dict(options())["fold"]
    assert f"--fold {node}" in page.text("#command"), page.text("#command")
    same("no part below it", False, page.run(
        "return [...document.querySelectorAll('#plots title')].some("
        "one => one.textContent.includes(arguments[0] + '/'))", node))
    same("a problem", "", page.problem())
    page.press("o")
    page.until("!location.hash.includes('fold=')")
    page.settled()

    # Events and parts as tables.
    opened("events", "table")
    same("events", True, page.run("return document.querySelector('#panel-body caption')"
                                  ".textContent.startsWith('Events 1 to ')"))
    opened("parts", "[data-kept='parts.csv']")
    assert list(dict(tables()).values())[0] > 5, tables()
    same("a problem", "", page.problem())

    # Charts, each with a table that says the same.
    for name, ready in (("stats", "table"), ("series", "table"), ("treemap", "table"),
                        ("durations", "table")):
        opened(name, ready)
        assert list(dict(tables()).values())[0] >= 1, (name, tables())
        same(f"a note of {name}", [], page.run("return [...document.querySelectorAll("
             "'#panel-body > div > p.note:only-child')].map(one => one.textContent)"))
    same("a problem", "", page.problem())

    # Messages: the matrix, at another level, and the Gantt chart of a pair: by its button,
    # and by its cell in the picture.
    def choose(name, value):
        page.run("const field = document.querySelector("
                 "`#panel-body [data-choice='${arguments[0]}']`); field.value = arguments[1];"
                 "field.dispatchEvent(new Event('change'))", name, value)

    page.press("Escape")
    page.until("!location.hash.includes('page.part=')")
    page.settled()
    opened("matrix", "table")
    same("pairs", ["192 pairs", 192], tables()[0])
    choose("rows", "SWITCH")
    page.until("document.querySelector('#panel-body caption').textContent === '14 pairs'")
    choose("cells", "mean")
    page.until("document.querySelector('#panel-body pre').textContent.includes('--cell mean')")
    means = page.run("return [...document.querySelectorAll('#panel-body tbody tr')].map("
                     "row => Number(row.cells[3].title))")
    same("the largest mean first", sorted(means, reverse=True), means)
    button = "document.querySelector('#panel-body tbody button')"
    pair = page.run(f"return {button}.textContent")
    page.run(button + ".click()")
    chart = "document.querySelector('#panel-body .pair pre')"
    page.until(chart + " !== null")
    for path in pair.split(" \u2192 "):
        assert "--resource " + path in page.run(f"return {chart}.textContent"), pair
    cell = ("[...document.querySelectorAll('#panel-body svg title')].find(one => "
            "one.textContent.startsWith("
            "'nancy/griffon/griffon-sw1 \u2192 nancy/griffon/griffon-sw2\\n'))")
    page.run(f"{cell}.parentElement.dispatchEvent(new Event('click', {{bubbles: true}}))")
    page.until(f"{chart}.textContent.includes('griffon-sw2')")
    same("the chart of a cell", True, page.run(
        f"return {chart}.textContent.includes('--resource nancy/griffon/griffon-sw1 "
        "--resource nancy/griffon/griffon-sw2')"))
    same("a problem", "", page.problem())
    choose("cells", "bytes")
    page.until("document.querySelector('#panel-body .note') !== null && "
               "document.querySelector('#panel-body .note').textContent.includes("
               "'no link carries')")
    choose("cells", "count")

    # The hierarchy of the page is that of its matrix: its command draws the same picture.
    before = page.place()
    for level, hierarchy in (("SWITCH", "order=activity"), ("MACHINE", "order=traffic"),
                             ("SWITCH", "drop-level=MACHINE&order=traffic"),
                             ("group", "group=*%2Fgriffon*%3Dnew&group=*%2Fgraph*%3Dold"
                                       "&order=name")):
        choose("rows", "")  # which every hierarchy has
        page.until("document.querySelector('#panel-body pre') !== null && !document."
                   "querySelector('#panel-body pre').textContent.includes('--at')")
        page.run("const now = new URLSearchParams(location.hash.slice(1));"
                 "['order', 'drop-level', 'group'].forEach(name => now.delete(name));"
                 "location.hash = '#' + now + '&' + arguments[0]", hierarchy)
        page.until("document.getElementById('command').textContent.includes("
                   f"'--order {hierarchy.split('order=')[1]}')")
        page.settled()
        if level == "group":  # the page offers the types of the trace alone
            page.run("const field = document.querySelector("
                     "`#panel-body [data-choice='rows']`);"
                     "if (![...field.options].some(one => one.value === 'group'))"
                     "    field.append(new Option('group', 'group'))")
        choose("rows", level)
        said = "document.querySelector('#panel-body pre').textContent"
        page.until(f"document.querySelector('#panel-body pre') !== null && {said}.includes("
                   f"'--at {level}') && {said}.includes('--order "
                   f"{hierarchy.split('order=')[1]}')")
        page.settled()
        line = page.run("return " + said)
        same("the program", ["ocelotl-cli", "matrix"], shlex.split(line)[:2])
        # The page leaves out what it has itself, so that its picture has other room for names.
        drawn, shown = ([name for name in dict.fromkeys(titles) if "\n" not in name] for titles in (
            ["".join(one.itertext()) for one in draw_again(line).iter(svg_of + "title")],
            page.run("return [...document.querySelectorAll('#panel-body svg title')].map("
                     "one => one.textContent)")))
        both = [name for name in drawn if name in shown]
        assert len(both) > 1, (drawn, shown)
        same(f"the order of {hierarchy}", both, [name for name in shown if name in drawn])
    choose("rows", "")
    page.until("!document.querySelector('#panel-body pre').textContent.includes('--at')")
    page.run("location.hash = arguments[0]", before)
    page.until("!document.getElementById('command').textContent.includes('--order')")
    page.settled()
    choose("rows", "")
    page.until("document.querySelector('#panel-body caption') !== null && "
               "document.querySelector('#panel-body caption').textContent === '192 pairs'")
    # Letters of pictures are as large as meant, 11 pixels, however wide the panel is.
    for name in ("gantt", "matrix", "treemap", "durations"):
        opened(name, "svg text")
        least = page.run("""return Math.min(...[...document.querySelectorAll('main svg text')]
            .filter(one => one.textContent !== '').map(one => {
                const {c, d} = one.getScreenCTM(); // some are upright
                return parseFloat(getComputedStyle(one).fontSize) * Math.hypot(c, d);
            }))""")
        assert least >= 11, (name, least)

    # The critical path is a line.
    opened("gantt", "svg")
    page.click("#panel-body [data-choice='critical path']")
    line = "(document.querySelector('#panel-body pre')?.textContent ?? '')"
    page.until(f"{line}.includes('--critical-path')")
    page.settled()
    shown = page.run("return [...document.querySelectorAll('#panel-body svg .critical-path "
                     "polyline')].map(one => one.getAttribute('points'))")
    assert shown, "no line"
    page.click("#panel-body [data-choice='critical path']")
    page.until(f"{line} !== '' && !{line}.includes('--critical-path')")
    page.settled()

    page.run("document.querySelector('#plots [tabindex=\"0\"]').focus()")
    page.press("Right", "Right", "Down", "Enter")
    page.until("location.hash.includes('page.part=')")
    page.settled()

    # What is chosen in a panel is in its address: it is there after a reload, and back takes it.
    opened("stats", "table")
    line = "document.querySelector('#panel-body pre').textContent"
    for name, value, words in (("of", "MPI_STATE", "--type MPI_STATE"),
                               ("groups", "SWITCH", "--at SWITCH")):
        choose(name, value)
        page.until(f"document.querySelector('#panel-body pre') !== null && "
                   f"{line}.includes({json.dumps(words)})")
    said = page.run("return " + line)
    assert "stats.type=MPI_STATE" in page.place()
    page.call("POST", "/refresh")
    page.until(f"document.querySelector('#panel-body pre') !== null && "
               f"{line} === {json.dumps(said)}")
    page.settled()
    same("the field", "SWITCH", page.value("#panel-body [data-choice=groups]"))
    page.run("history.back()")
    page.until(f"document.querySelector('#panel-body pre') !== null && "
               f"!{line}.includes('--at') && {line}.includes('--type')")
    page.settled()
    page.run("history.back()")
    page.until(f"document.querySelector('#panel-body pre') !== null && "
               f"!{line}.includes('--type')")
    page.settled()
    same("a problem", "", page.problem())

    # Another window beside this one.
    opened("compare", "input")
    page.type("#panel-body input", "50")
    before = page.text("#command")
    page.until("!document.getElementById('coarser').disabled")
    page.run("document.getElementById('coarser').click()")
    page.until("document.getElementById('command').textContent !== "
               f"{json.dumps(before)}")
    page.settled()
    same("what is typed meanwhile", "50", page.value("#panel-body input"))
    page.press("%", "Tab")
    page.until("document.querySelector('#panel-body table') !== null")
    page.click("#panel-body input[type=checkbox]")
    page.until("document.querySelector('#panel-body pre').textContent.includes('difference')")
    same("a problem", "", page.problem())

    # A question in SQL.
    opened("sql", "textarea")
    page.type("#panel-body textarea", "select count(*) as n from events")
    page.click("#panel-body button")
    page.until("document.querySelector('#panel-body tbody') !== null")
    assert int(page.run("return document.querySelector('#panel-body tbody th').textContent")) > 9

    # A note at what is chosen: kept, listed, drawn with its number; and kept although a note
    # without a place was added to the file by hand meanwhile.
    page.run("document.querySelector('#plots [tabindex=\"0\"]').focus()")
    page.press("Enter")
    opened("notes", "textarea")
    drawn = "document.querySelectorAll('#plots text.noted').length"
    before = page.run("return " + drawn)
    sidecar = folder / "trace.db.notes.json"
    others = json.loads(sidecar.read_text())
    others["notes"].append({"text": "by hand"})
    sidecar.write_text(json.dumps(others))
    page.type("#panel-body textarea", "begins late")
    page.run("document.querySelector('#panel-body button').click()")
    page.type("#panel-body textarea", "the next one")
    page.until("document.querySelectorAll('#panel-body tbody tr').length === 3")
    page.until(f"{drawn} === {before + 1}")
    kept = json.loads(sidecar.read_text())["notes"]
    same("the notes", others["notes"][0]["text"], kept[0]["text"])
    same("what others wrote", "by hand", kept[1]["text"])
    same("the note", "begins late", kept[2]["text"])
    same("what is typed while a note is kept", "the next one",
         page.value("#panel-body textarea"))
    same("a problem", "", page.problem())

    # Saved pictures number it, as the command says, until that is not wanted; the part stays.
    page.until("document.getElementById('command').textContent.includes(' --notes ')")
    page.until("document.querySelector('.numbered input').checked")
    page.until("location.hash.includes('page.part=')")
    page.run("document.querySelector('.numbered input').click()")
    page.until("!document.getElementById('command').textContent.includes(' --notes ')")

    page.picture(folder / "panels.png")
    page.quiet(refused=("409 (Conflict)", "cell=bytes"))

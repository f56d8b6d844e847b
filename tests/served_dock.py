"""Details below the picture in a browser: served_dock.py ADDRESS FOLDER."""
import json
import pathlib
import shlex
import sys
import time

from served import Page, round_share, same

address, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def near(what, wanted, got, by=1.01):
    assert all(abs(one - other) <= by for one, other in zip(wanted, got)) and \
        len(wanted) == len(got), f"{what}: {got}, expected {wanted}"


with Page(address, folder, width=1400, height=900) as page:
    BOX = "const box = {}.getBoundingClientRect(); return [box.left, box.right];"
    CLIP = "document.querySelector('#plots canvas').parentNode"
    LANES = "document.querySelector('#panel-body .lanes')"

    def box(element):
        return page.run(BOX.format(element))

    def place(across, down):
        """A place of the picture's plot, from 0 to 1."""
        left, top, width, height = page.run(
            f"const box = {CLIP}.getBoundingClientRect();"
            "return [box.left, box.top, box.width, box.height]")
        return [left + across * width, top + down * height]

    def opened(name, ready):
        page.click(f"[data-panel={name}]")
        page.until(f"document.querySelector({json.dumps('#panel-body ' + ready)}) !== null")
        page.settled()

    def command():
        return shlex.split(page.text("#panel-body pre"))

    # A part: where it is, its shares, why it is cut; its numbers are those of the program.
    page.point(place(0.6, 0.4), "down", "up")
    page.until("document.querySelector('#panel .why p') !== null")
    page.settled()
    number = int(dict(page.run("return [...new URLSearchParams(location.hash.slice(1))]"))
                 ["page.part"])
    line = shlex.split(page.text("#command"))
    part = page.program("parts", *line[1:-2], "--json")["parts"][number]
    hover = page.text(".hover").split(" · ")
    same("the tooltip is one line", 4, len(hover))
    name, share, unit = hover[1].rsplit(" ", 2)
    share += " " + unit
    same("the share of the tooltip", [part["state"], round_share(part["share"])], [name, share])
    row = page.run("const row = document.querySelector('#panel .shares tr');"
                   "return [row.cells[0].textContent, row.cells[2].textContent,"
                   "row.querySelector('data').title, row.querySelector('.track div')"
                   ".getBoundingClientRect().width / row.querySelector('.track').clientWidth]")
    same("the share of the dock", [name, share], row[:2])
    near("all digits of it, and its bar", [part["share"]] * 2, [float(row[2]), row[3]], 0.01)
    copied = page.run("""
        const data = new DataTransfer();
        getSelection().selectAllChildren(document.querySelector('#panel .shares'));
        document.querySelector('#panel .shares').dispatchEvent(
            new ClipboardEvent('copy', {clipboardData: data, bubbles: true, cancelable: true}));
        getSelection().removeAllRanges();
        return data.getData('text/plain');""")
    assert row[2] in copied.split("\n")[0].split("\t"), copied
    page.press("Escape")
    page.until("!location.hash.includes('page.part=')")

    # Charts over time have the edges of the picture, and one cursor with it.
    for name, plot in (("series", ".lane svg"), ("gantt", ".lanes svg svg")):
        opened(name, plot)
        page.until(f"Math.abs({CLIP}.getBoundingClientRect().left - document.querySelector("
                   f"'#panel-body {plot}').getBoundingClientRect().left) < 1.01")
        near(f"the edges of {name}", box(CLIP),
             box(f"document.querySelector('#panel-body {plot}')"))
        x, y = place(0.3, 0.5)
        page.point([x, y])
        cursors = page.run("return [...document.querySelectorAll('.cursor')].map(one => "
                           "one.hidden ? -1 : one.getBoundingClientRect().left)")
        near(f"cursors of {name}", [x, x], cursors, 1.6)
        below = page.run(f"const box = {LANES}.getBoundingClientRect();"
                         "return box.top + box.height / 2")
        page.point([x + 200, below])
        near(f"the cursor from {name}", [x + 200],
             box("document.querySelector('#stage .cursor')")[:1], 1.6)
    same("no title above", None, page.text("#panel-body svg .caption"))
    same("names beyond the edge", [], page.run(
        "return [...document.querySelectorAll('#panel-body .hierarchy text')].filter("
        "one => one.getBoundingClientRect().left < 0).map(one => one.textContent)"))

    # The chart moves by the hand: at once, then it is asked for; pressed twice it is as chosen.
    view = "document.querySelector('#panel-body .lanes svg svg').getAttribute('viewBox')"
    before = page.run("return " + view)
    page.wheel([x, below], -400)
    page.until(f"{view} !== {json.dumps(before)} || location.hash.includes('gantt.window=')")
    page.until("location.hash.includes('gantt.window=')")
    page.until("document.querySelector('#panel-body pre').textContent.includes('--from @')")
    near("its edges", box(CLIP), page.run(
        "const [outer, inner] = document.querySelectorAll('#panel-body .lanes svg');"
        "const left = outer.getBoundingClientRect().left + inner.x.baseVal.value;"
        "return [left, left + inner.width.baseVal.value]"))
    words, line = command(), page.text("#panel-body pre")
    window = [float(words[words.index(end) + 1].strip("@s")) for end in ("--from", "--to")]
    page.drag([x, below], [x - 100, below])
    page.until("document.querySelector('#panel-body pre').textContent !== " + json.dumps(line))
    words = command()
    moved = [float(words[words.index(end) + 1].strip("@s")) for end in ("--from", "--to")]
    assert moved[0] > window[0], (window, moved)
    near("its length", [1], [(moved[1] - moved[0]) / (window[1] - window[0])], 0.01)
    same("where it is", True, page.run("return [...document.querySelectorAll('#plots .noted')]"
                                       ".some(one => one.textContent === 'Gantt')"))
    page.double([x, below])
    page.until("!location.hash.includes('gantt.window=')")
    page.until("!document.querySelector('#panel-body pre').textContent.includes('--from')")
    same("a problem", "", page.problem())

    # A is pinned, B is selected: both are outlined, and compared as the program counts them.
    def letters():
        return page.run("return [...document.querySelectorAll('#plots text.noted')].map("
                        "one => one.textContent)")

    page.point(place(0.2, 0.3), "down", "up")
    page.until("location.hash.includes('page.part=')")
    page.hold("Control", lambda: page.point(place(0.8, 0.7), "down", "up"))
    page.until("location.hash.includes('page.panel=compare')")
    page.until("document.querySelector('#panel-body .scrolled') !== null")
    page.settled()
    same("letters", ["A", "B"], letters())
    assert "page.pin=" in page.place(), page.place()
    lines = page.run("return [...document.querySelectorAll('#panel-body pre')].map("
                     "one => one.textContent)")
    rows = page.run("return [...document.querySelector('#panel-body tbody').rows].map("
                    "row => [0, 1, 3].map(at => row.cells[at].textContent))")
    for column, line in ((1, lines[0]), (2, lines[1])):
        words = shlex.split(line)
        said = page.program(*words[1:words.index("-o")], "--json")
        shares = {value["name"]: value["share"] for kind in said["types"]
                  if kind["category"] == "state" for value in kind["values"]}
        for row in rows:
            same(f"{row[0]} by {line}", round_share(shares.get(row[0], 0)), row[column])
    page.press("Escape")
    page.until("!location.hash.includes('page.part=')")
    same("A alone", ["A"], letters())
    page.press("Escape")
    page.until("!location.hash.includes('page.pin=')")
    same("no letters", [], letters())
    page.point(place(0.2, 0.3), "down", "up")
    page.until("location.hash.includes('page.part=')")
    page.press("m")
    page.until("location.hash.includes('page.pin=')")
    page.press("m", "Escape")
    page.until("!location.hash.includes('page.p')  || location.hash.includes('page.panel=')")
    same("a problem", "", page.problem())

    # Of a long table there are only the lines that are seen; its head stays.
    opened("sql", "textarea")
    page.type("#panel-body textarea", "with recursive n(i) as (select 1 union all select i + 1 "
              "from n where i < 9000) select i, 'row ' || i as name from n")
    page.click("#panel-body button")
    page.until("document.querySelector('#panel-body .scrolled') !== null")
    lines = "document.querySelectorAll('#panel-body tbody tr:not(.room)')"
    page.until(f"{lines}.length > 0 && {lines}.length < 200")
    page.run("const box = document.querySelector('#panel-body .scrolled');"
             "box.scrollTop = box.scrollHeight")
    page.until(f"[...{lines}].at(-1).cells[1].textContent === 'row 9000'")
    assert page.run(f"return {lines}.length") < 200
    head = page.run("const [box, head] = ['.scrolled', 'thead th'].map(one => "
                    "document.querySelector('#panel-body ' + one).getBoundingClientRect());"
                    "return [head.top - box.top, head.bottom <= box.bottom]")
    assert -1 <= head[0] <= 2 and head[1], head
    same("a problem", "", page.problem())

    # Over time a part is all of the time and the resources that it has. Once it is fitted into the
    # picture, what was said of it at the pointer is gone, and no other part is looked at instead.
    page.point(place(0.6, 0.4), "down", "up")
    page.until("location.hash.includes('page.part=')")
    number = int(dict(page.run("return [...new URLSearchParams(location.hash.slice(1))]"))
                 ["page.part"])
    part = page.program("parts", *shlex.split(page.text("#command"))[1:-2], "--json")["parts"][
        number]
    opened("series", ".lane svg")
    words = command()
    near("the window of the part", [part["begin"], part["end"]],
         [float(words[words.index(end) + 1].strip("@s")) for end in ("--from", "--to")], 1e-6)
    page.point(place(0.6, 0.4))
    page.show(lambda: page.press("f"))
    page.settled()
    pointed = "return [...document.querySelectorAll('.hover:not([hidden])')].map(" \
              "one => one.textContent)"
    same("a part that is focused", [], page.run(
        "return [...document.querySelectorAll('#plots .focused')].map(one => one.className)"))
    before = page.run(pointed)
    page.point(place(0.6, 0.4))
    same("what is said at the pointer", page.run(pointed), before)
    page.until("document.querySelector('#panel-body .lane') !== null")
    words = command()
    near("the window that is fitted", [part["begin"], part["end"]],
         [float(words[words.index(end) + 1].strip("@s")) for end in ("--from", "--to")], 1e-6)

    # The sentence that is shown stays, with its place in the picture.
    page.run("document.activeElement.blur()")
    page.show(lambda: page.press("Home"))
    page.until("document.querySelector('#said > button') !== null")
    sentence = page.text("#explained")
    page.show(lambda: page.click("#said > button"))
    page.until("document.querySelector('#plots .found') !== null")
    same("the sentence", [sentence] * 2, page.run(
        "const line = document.getElementById('explained'); return [line.textContent, line.title]"))
    page.until("document.querySelector('#said > button').hidden")
    page.show(lambda: page.press("Home"))

    # However long a double click takes, the region is what it is in.
    page.drag(place(0.3, 0.3), place(0.5, 0.5))
    page.until("location.hash.includes('page.slices=')")
    region = dict(page.run("return [...new URLSearchParams(location.hash.slice(1))]"))
    x, y = place(0.4, 0.4)
    for clicks in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            page.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      clickCount=clicks)
        time.sleep(1.2)
    page.until("location.hash.includes('from=')")
    page.settled()
    assert region["page.node"] in (dict(page.options()).get("resource", ""), ""), page.place()
    assert "part" not in dict(page.options()), page.place()
    same("a problem", "", page.problem())
    page.quiet()

"""The palette, keys, options, tree and sizes of the served page: served_keys.py ADDRESS FOLDER."""
import pathlib
import sys

from served import Page, same


def entries(page):
    return page.run("return [...document.querySelectorAll('#palette li')].map("
                    "one => one.querySelector('bdi').textContent)")


def seek(page, text, first, opener="/"):
    """Types into the palette, and waits for what comes first."""
    if not page.run("return document.getElementById('palette').open"):
        page.press(opener)
        page.until("document.getElementById('palette').open")
    page.type("#palette-field", text)
    page.until("document.querySelector('#palette [aria-selected=true] bdi')?.textContent"
               f".startsWith({first!r})")


def chord(page, held, key):
    """Presses a key while another one is held."""
    page.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": [
        {"type": kind, "value": value} for kind, value in (
            ("keyDown", held), ("keyDown", key), ("keyUp", key), ("keyUp", held))]}]})


ALT, CONTROL, SHIFT, ENTER, RIGHT = "\ue00a", "\ue009", "\ue008", "\ue007", "\ue014"


def focused(page):
    return page.run("const on = document.activeElement;"
                    "return on.dataset.option || on.dataset.path || on.id || on.tagName")


with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    page.levels()

    # --- The palette: every action, each once, with its key; words in any order, parts of words.
    page.press("/")
    page.until("document.getElementById('palette').open")
    all_entries = entries(page)
    same("entries twice", len(set(all_entries)), len(all_entries))
    page.press("Down", "Down", "Up")
    same("what is marked", "palette-1", page.run(
        "return document.activeElement.getAttribute('aria-activedescendant')"))
    page.press("Escape")
    page.until("!document.getElementById('palette').open")
    seek(page, "trace whole", "shows the whole trace")
    page.press("Escape")
    seek(page, "txtr", "texture")
    page.press("Escape")

    # A command; the focus returns to what opened it.
    page.click("#palette-open")
    seek(page, "theme dark", "theme: dark")
    page.press("Enter")
    page.until("document.documentElement.dataset.theme === 'dark'")
    same("the focus after a command", "palette-open", focused(page))
    page.settled()
    page.run("document.activeElement.blur()")
    seek(page, "theme system", "theme: of the system")
    page.press("Enter")
    page.settled()

    # A tab of the details.
    seek(page, "messages", "Messages:")
    page.press("Enter")
    page.until("document.querySelector('#tab-matrix').getAttribute('aria-selected') === 'true'")
    page.settled()

    # An option of words offers them; Esc goes a step back; another opens the drawer at its field.
    seek(page, "hierarchy", "hierarchy")
    page.press("Enter")
    page.until("document.querySelector('#palette li bdi').textContent === 'of the trace'")
    page.press("Escape")
    page.until("document.querySelectorAll('#palette li').length > 20")
    seek(page, "hierarchy", "hierarchy")
    page.press("Enter")
    page.until("document.querySelector('#palette li bdi').textContent === 'of the trace'")
    seek(page, "behaviour", "by behaviour")
    page.show(lambda: page.press("Enter"))
    same("the option", "auto", dict(page.options())["hierarchy"])
    page.show(lambda: page.press("Backspace"))
    seek(page, "metric event", "event-count")
    page.show(lambda: page.press("Enter"))
    same("the metric", "event-count", dict(page.options())["metric"])
    page.show(lambda: page.press("Backspace"))
    seek(page, "finest", "level: finest")
    page.show(lambda: page.press("Enter"))
    same("the rule", "auto:finest", dict(page.options())["p"])
    page.show(lambda: page.press("Backspace"))
    seek(page, "max-groups", "max-groups")
    page.press("Enter")
    page.until("document.activeElement.dataset.option === 'max-groups'")
    page.press("Escape")
    page.until("!document.getElementById('options').matches(':popover-open') && "
               "document.activeElement.dataset.option === undefined")
    assert "page.panel=matrix" in page.place(), page.place()  # one step alone

    # A resource is zoomed into, with Alt selected.
    page.press("Escape")
    page.until("!location.hash.includes('page.panel')")
    seek(page, "griffon-sw2", "nancy/griffon/griffon-sw2")
    chord(page, ALT, ENTER)
    page.until("location.hash.includes('page.node=nancy%2Fgriffon%2Fgriffon-sw2')")
    page.press("Escape")
    page.until("!location.hash.includes('page.node')")
    seek(page, "griffon-sw2", "nancy/griffon/griffon-sw2")
    page.show(lambda: page.press("Enter"))
    same("the resource", "nancy/griffon/griffon-sw2", dict(page.options())["resource"])

    # The tree shows where that is, and finds names.
    page.press("e")
    page.until("document.querySelector('#tree [aria-selected=true]')?.dataset.path === "
               "'nancy/griffon/griffon-sw2'")
    same("whether that is seen", True, page.run("""
        const line = document.querySelector('#tree [aria-selected=true]').getBoundingClientRect(),
              box = document.getElementById('tree').getBoundingClientRect();
        return line.top >= box.top && line.bottom <= box.bottom"""))
    page.type("#tree-find", "sw1")
    page.until("[...document.querySelectorAll('#tree li')].some(one => "
               "one.dataset.path.endsWith('griffon-sw1'))")
    same("what else is listed", [], page.run("""
        return [...document.querySelectorAll('#tree li')].map(one => one.dataset.path).filter(
            path => !path.includes('sw1') && !['nancy', 'nancy/griffon', 'nancy/graphene',
                'nancy/graphite'].includes(path))"""))
    page.type("#tree-find", "\ue003")
    page.run("document.activeElement.blur()")
    page.press("e")
    page.until("document.getElementById('tree').hidden")
    page.show(lambda: page.press("Home"))

    # A part is selected, or zoomed into; a type is lit, and alone.
    seek(page, "part 2", "part 2")
    chord(page, ALT, ENTER)
    page.until("location.hash.includes('page.part=2')")
    page.press("Escape")
    page.until("!location.hash.includes('page.part')")
    plain = page.run("return document.querySelector('#plots canvas').toDataURL()")
    page.press("Escape")
    page.settled()
    seek(page, "pmpi_wait", "PMPI_Wait")
    page.press("Enter")
    page.until("document.querySelector('#plots canvas').toDataURL() !== " + repr(plain))
    seek(page, "pmpi_wait", "PMPI_Wait")
    page.show(lambda: chord(page, ALT, ENTER))
    same("types alone", ["PMPI_Wait"], [value for name, value in page.options() if name == "only"])
    page.show(lambda: page.press("Backspace"))

    chord(page, CONTROL, "k")
    page.until("document.getElementById('palette').open")
    page.press("Escape")

    # The part that has the focus keeps it where the picture is drawn anew in another room.
    page.run("document.querySelector('#plots [data-part][tabindex=\"0\"]').focus()")
    page.press("Right", "Right")
    label = "return document.activeElement.getAttribute('aria-label')"
    reached, drawn = page.run(label), "document.querySelector('#plots svg').viewBox.baseVal.width"
    assert reached, "no part has the focus"
    width = page.run("return " + drawn)
    page.size(1100, 700)
    page.until(f"{drawn} !== {width}")
    page.settled()
    same("the part that has the focus", reached, page.run(label))
    page.tell("Emulation.clearDeviceMetricsOverride")
    page.until(f"{drawn} === {width}")
    page.settled()

    # A region from the part that has the focus, by Shift and arrows.
    page.run("document.querySelector('#plots [data-part][tabindex=\"0\"]').focus()")
    chord(page, SHIFT, RIGHT)
    page.until("location.hash.includes('page.slices=')")
    first = page.place()
    chord(page, SHIFT, RIGHT)
    page.until(f"location.hash !== {first!r}")
    same("the focus stays on a part", True,
         page.run("return document.activeElement.dataset.part !== undefined"))
    page.press("Escape")
    page.until("!location.hash.includes('page.slices=')")
    page.run("document.activeElement.blur()")
    page.run("document.getElementById('details').hidden || "
             "document.getElementById('panel-close').click()")

    # --- Keys: letters in both cases, arrows, levels, tabs; one step out with Esc.
    for there, back in (("w", "s"), ("W", "S"), ("+", "-"), ("Up", "Down")):
        page.show(lambda: page.press(there))
        assert "from" in dict(page.options()), (there, page.place())
        page.show(lambda: page.press("Home"))
    page.levels()
    page.show(lambda: page.press("["))
    page.show(lambda: page.press("]"))
    page.press("1")
    page.until("document.querySelector('#tab-selection').getAttribute('aria-selected') === 'true'")
    page.press("1")
    page.until("document.getElementById('details').hidden")

    # Esc closes a tab, and does not open it again.
    page.press("7")
    page.until("!document.getElementById('details').hidden")
    for _ in range(2):
        page.press("Escape")
        page.settled()
        same("whether the tab is closed", True, page.run(
            "return document.getElementById('details').hidden"))
    page.show(lambda: page.run("location.hash = '#slices=60&resource=nancy/griffon'"))
    page.show(lambda: page.press("u"))
    same("the resources around", "nancy", dict(page.options()).get("resource"))
    page.show(lambda: page.press("Home"))

    # A type that is kept alone leaves the others in the legend, and comes back with them.
    boxes = ("return [...document.querySelectorAll('#legend label')].filter("
             "one => one.querySelector('input')).map("
             "one => [one.textContent, one.querySelector('input').checked])")
    names = page.run(boxes)
    page.show(lambda: page.run(
        "document.querySelector('#legend label').dispatchEvent(new MouseEvent('click', "
        "{altKey: true, bubbles: true, cancelable: true}))"))
    page.until("document.querySelectorAll('#legend input:checked').length === 1")
    same("names beside one alone", [name for name, _ in names],
         [name for name, _ in page.run(boxes)])
    for box in (1, 0, 1):
        page.show(lambda box=box: page.run(
            "document.querySelectorAll('#legend input')[arguments[0]].click()", box))
    page.until("document.querySelector('#legend input:not(:checked)') === null")
    same("names again", names, page.run(boxes))

    # Arrows on the slider are the slider's.
    page.levels()
    before = page.options()
    page.run("document.getElementById('level').focus()")
    page.show(lambda: page.press("Left"))
    same("the place", [pair for pair in before if pair[0] == "from"],
         [pair for pair in page.options() if pair[0] == "from"])
    page.run("document.activeElement.blur()")

    # The help lists each key once, and rows of its own once.
    page.press("?")
    page.until("document.getElementById('help').open")
    rows = page.run("return [...document.querySelectorAll('#help dt')].map("
                    "one => [one.textContent.trim(), one.nextSibling.textContent])")
    same("rows twice", len({text for _, text in rows}), len(rows))
    same("nine tabs", 1, len([names for names, _ in rows if names.startswith("1")]))
    page.press("Escape")
    page.until("!document.getElementById('help').open")

    # --- Options: each once; found by name and by help; they take effect at once.
    page.click("#options-open")
    page.until("document.getElementById('options').matches(':popover-open')")
    same("options twice", [], page.run("""
        const names = [...document.querySelectorAll('#options [data-option]')].map(
            one => one.dataset.option);
        return names.filter((name, at) => names.indexOf(name) !== at)"""))
    page.type("#options-find", "pale background")
    same("what is found", ["background"], page.run("""
        return [...document.querySelectorAll('#options [data-option]')].filter(
            one => one.checkVisibility()).map(one => one.dataset.option)"""))
    page.type("#options-find", "slices")
    page.show(lambda: page.type("[data-option=slices]", "30\ue007"))
    same("the slices", "30", dict(page.options())["slices"])
    page.press("Escape")
    page.until("!document.getElementById('options').matches(':popover-open')")
    same("the focus after the drawer", "options-open", focused(page))

    # --- The parts as a table, some at a time, which selects them.
    page.run("document.getElementById('spoken-open').focus()")
    page.press("Enter")
    page.until("document.querySelector('#spoken table') !== null")
    same("rows", min(100, page.parts()), page.run(
        "return document.querySelectorAll('#spoken tbody tr').length"))
    page.press("Enter")
    page.until("location.hash.includes('page.part=')")
    page.run("document.querySelector('#spoken button').focus()")
    page.press("Escape")
    same("the focus after the table", "spoken-open", focused(page))
    same("no rows", None, page.text("#spoken table"))
    page.run("document.activeElement.blur()")
    page.press("Escape")

    # --- Small windows: sheets that are closed by hand; bars keep within.
    for width, height in ((500, 900), (1024, 640)):
        page.size(width, height)
        page.settled()
        before = page.run("return document.getElementById('plots').clientHeight")
        page.click("#tree-open")
        page.until("!document.getElementById('tree').hidden")
        page.press("3")
        page.until("!document.getElementById('details').hidden")
        page.settled()
        same(f"the room of the picture at {width}", before, page.run(
            "return document.getElementById('plots').clientHeight"))
        same(f"what is wider than {width}", [], page.run("""
            return [...document.querySelectorAll('.bar, .bar > *, .line, .line > *, .said > *')]
                .filter(one => one.checkVisibility() &&
                    one.getBoundingClientRect().right > innerWidth + 1)
                .map(one => one.outerHTML.slice(0, 80))"""))
        page.keep(f"sheets-{width}")
        page.press("Escape")
        page.until("document.getElementById('details').hidden")
        page.run("document.activeElement.blur()")
        page.press("Escape")
        page.until("document.getElementById('tree').hidden")
    page.click("#tree-open")
    page.call("POST", "/refresh")
    page.settled()
    same("whether a sheet is open at first", True,
         page.run("return document.getElementById('tree').hidden"))
    page.quiet()

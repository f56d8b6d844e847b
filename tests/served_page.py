"""The served page in a browser, as a person uses it: served_page.py ADDRESS FOLDER."""
import json
import pathlib
import sys

from served import Page, same

address, folder = sys.argv[1], pathlib.Path(sys.argv[2])
with Page(address, folder) as page:
    def drawn_as_said():
        said = page.said()
        same("parts of " + page.text("#command"), len(said["parts"]), page.parts())
        shades = page.text("#legend .shades")
        full = said["chosen"].get("full_colour", 1)
        same("shades", ("full colour: " if full < 1 else "shades: ") + f"{100 * full:g} % of",
             shades.split(" the")[0])
        assert ("or less" in shades) or full == 1, shades

    def show(change):
        page.show(change)
        drawn_as_said()

    same("the key in the address", False, "k=" in page.place())
    drawn_as_said()
    page.levels()

    # Levels, by key, button, number and slider.
    show(lambda: page.press("]"))
    show(lambda: page.click("#finer"))
    show(lambda: page.type("#p", "0.25\ue007"))
    same("p in the address", "#slices=60&p=0.25", page.place())
    kept = page.place()

    # A part is selected, and zoomed into; back leads to where it was.
    page.run("document.querySelector('#plots [tabindex=\"0\"]').focus()")
    page.press("Right", "Right", "Enter")
    page.until("document.querySelector('#panel section.part') !== null")
    show(lambda: page.press("z"))
    assert "part=" in page.place(), page.place()
    before = page.place()
    page.press("Backspace")
    page.until(f"location.hash !== {json.dumps(before)}")
    page.settled()
    same("back", kept, page.place().split("&page.")[0])

    # A range of time is dragged over, and zoomed into.
    box = page.run("""const box = document.querySelector('#plots svg').getBoundingClientRect();
        return [box.x, box.y, box.width, box.height]""")
    across = [box[0] + box[2] * share for share in (0.4, 0.5, 0.6)]
    down = box[1] + box[3] / 2
    page.point((across[0], down), "down", (across[1], down), (across[2], down), "up")
    page.until("document.querySelector('#panel section.range rect') === null && "
               "document.querySelector('#plots .overlay .range') !== null")
    show(lambda: page.press("z"))
    assert "from=" in page.place() and "to=" in page.place(), page.place()

    # The same address is the same picture in another visit.
    drawn = """return [...document.querySelectorAll('#plots [data-part]')].map(
        one => [one.dataset.part, one.textContent, JSON.stringify(one.getBBox())])"""
    picture = page.run(drawn)
    there = page.run("return location.href")
    page.go("about:blank")
    page.go(there)
    page.settled()
    same("the picture by its address", picture, page.run(drawn))

    # An address without options is the bare trace, whatever the command line of the server says.
    page.go("about:blank")
    page.go(address.split("#")[0])
    page.settled()
    same("the bare trace", "ocelotl-cli trace.db -o overview.svg", page.text("#command"))
    drawn_as_said()
    page.go("about:blank")
    page.go(there)
    page.settled()

    # Details, an option, and what is wrong.
    page.press("4")  # the fourth tab
    page.until("document.querySelector('#panel-body table') !== null")
    assert "page.panel=stats" in page.place(), page.place()
    page.press("2")
    page.until("document.querySelector('#details pre')?.textContent.includes('gantt')")
    show(lambda: page.type("[data-option=slices]", "30\ue004"))
    before = page.place()
    page.type("[data-option=only]", "nothing-of-this-name\ue004")
    page.until("!document.getElementById('problem').hidden")
    assert "nothing-of-this-name" in page.problem(), page.problem()
    same("after a problem", before, page.place())
    page.picture(folder / "page.png")

    # Nothing leaves the machine, and the console stays empty but for what was refused.
    page.quiet(refused=("400 (Bad Request)",))

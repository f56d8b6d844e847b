"""The served page in a browser, as a person uses it: served_page.py ADDRESS FOLDER."""
import json
import pathlib
import subprocess
import sys
import os

from browser import Browser

address, folder = sys.argv[1], pathlib.Path(sys.argv[2])
cli = os.environ["OCELOTL_CLI"]


def program(*arguments):
    return json.loads(subprocess.run([cli, *arguments], cwd=folder, check=True,
                                     capture_output=True, text=True).stdout)


def same(what, wanted, got):
    assert wanted == got, f"{what}: {got!r}, expected {wanted!r}"


with Browser() as browser:
    def parts():
        """How many parts the line above the picture tells."""
        words = browser.run("return document.getElementById('which').textContent")
        return int(words.split(" part")[0].split()[-1].replace(",", ""))

    def command():
        return browser.run("return document.getElementById('command').textContent").split()

    def settled(before=None):
        browser.until("!document.getElementById('plots').classList.contains('waiting')")
        if before is not None:
            browser.until(f"location.hash !== {json.dumps(before)}")

    def place():
        return browser.run("return location.hash")

    def problem():
        return browser.run("const box = document.getElementById('problem');"
                           "return box.hidden ? '' : box.textContent")

    def said():
        """What the command that is shown draws."""
        words = command()
        return program(*words[1:-2], "--json")

    def show(change):
        before = place()
        change()
        browser.until(f"location.hash !== {json.dumps(before)}")
        settled()
        same("a problem", "", problem())
        same("parts of " + " ".join(command()), len(said()["parts"]), parts())

    browser.requests()
    browser.go(address)
    browser.until("document.querySelectorAll('#plots [data-part]').length > 0")
    same("the key in the address", False, "k=" in place())
    same("parts", len(said()["parts"]), parts())
    browser.until("!document.getElementById('coarser').disabled")

    # Levels, by key, button, number and slider.
    show(lambda: browser.press("-"))
    show(lambda: browser.click("#finer"))
    show(lambda: browser.type("#p", "0.25\ue007"))
    same("p in the address", "#slices=60&p=0.25", place())
    kept = place()

    # A part is selected, and zoomed into; back leads to where it was.
    browser.run("document.querySelector('#plots [tabindex=\"0\"]').focus()")
    browser.press("Right", "Right", "Enter")
    browser.until("document.querySelector('#panel section.part') !== null")
    show(lambda: browser.press("z"))
    assert "zoom=" in place(), place()
    before = place()
    browser.press("Backspace")
    browser.until(f"location.hash !== {json.dumps(before)}")
    settled()
    same("back", kept, place().split("&page.")[0])

    # A range of time is dragged over, and zoomed into.
    box = browser.run("""const box = document.querySelector('#plots svg').getBoundingClientRect();
        return [box.x, box.y, box.width, box.height]""")
    across = [box[0] + box[2] * share for share in (0.4, 0.5, 0.6)]
    down = box[1] + box[3] / 2
    browser.point((across[0], down), "down", (across[1], down), (across[2], down), "up")
    browser.until("document.querySelector('#panel section.range rect') === null && "
                  "document.querySelector('#panel section.range h2').textContent.includes('range')")
    show(lambda: browser.press("z"))
    assert "from=" in place() and "to=" in place(), place()

    # The same address is the same picture in another visit.
    drawn = """return [...document.querySelectorAll('#plots [data-part]')].map(
        one => [one.dataset.part, one.textContent, JSON.stringify(one.getBBox())])"""
    picture = browser.run(drawn)
    there = browser.run("return location.href")
    browser.go("about:blank")
    browser.go(there)
    browser.until("document.querySelectorAll('#plots [data-part]').length > 0")
    settled()
    same("the picture by its address", picture, browser.run(drawn))

    # An address without options is the bare trace, whatever the command line of the server says.
    browser.go("about:blank")
    browser.go(address.split("#")[0])
    browser.until("document.querySelectorAll('#plots [data-part]').length > 0")
    settled()
    same("the bare trace", ["ocelotl-cli", "trace.db", "-o", "overview.svg"], command())
    same("its parts", len(said()["parts"]), parts())
    browser.go("about:blank")
    browser.go(there)
    browser.until("document.querySelectorAll('#plots [data-part]').length > 0")
    settled()

    # Details, an option, and what is wrong.
    browser.press("s")
    browser.until("document.querySelector('#details svg') !== null")
    assert "page.panel=stats" in place(), place()
    browser.press("g")
    browser.until("document.querySelector('#details pre')?.textContent.includes('gantt')")
    browser.click("#options summary")
    show(lambda: browser.type("[data-option=slices]", "30\ue004"))
    before = place()
    browser.type("[data-option=only]", "nothing-of-this-name\ue004")
    browser.until("!document.getElementById('problem').hidden")
    assert "nothing-of-this-name" in problem(), problem()
    same("after a problem", before, place())
    browser.picture(folder / "page.png")

    # Nothing leaves the machine, and the console stays empty but for what was refused.
    errors = [entry for entry in browser.console() if "400 (Bad Request)" not in entry["message"]]
    same("the console", [], errors)
    home = address.split("/#")[0]
    same("requests to others", [], [one for one in browser.requests()
                                    if not one.startswith((home, "chrome", "data:", "about:",
                                                           "blob:"))])

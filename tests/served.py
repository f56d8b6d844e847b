"""What tests of the served page share: a page that is looked at, and what it shows."""
import json
import os
import pathlib
import subprocess

from browser import Browser

CLI = os.environ["OCELOTL_CLI"]
KEPT = pathlib.Path(os.environ["OCELOTL_BUILD"], "screenshots")
HELD = {"Alt": "\ue00a", "Shift": "\ue008", "Control": "\ue009"}


def same(what, wanted, got):
    assert wanted == got, f"{what}: {got!r}, expected {wanted!r}"


def round_share(share):
    """A share as the page writes it: three digits of its hundredths of a percent."""
    hundredths = round(float(f"{100 * share:.2f}") * 100)
    if hundredths >= 1000:
        hundredths = int(hundredths / 10 + 0.5) * 10
    return f"{hundredths / 100:g} %"


class Page(Browser):
    """The page of a server, which is at ADDRESS, of traces in FOLDER."""

    def __init__(self, address, folder, **options):
        super().__init__(**options)
        self.address, self.folder, self.actions = address, folder, 0
        self.requests()
        self.go(address)
        self.settled()

    def settled(self):
        """Waits until what was asked for is there."""
        self.until("!document.getElementById('plots').classList.contains('waiting') && "
                   "document.getElementById('command').textContent !== '' && "
                   "document.getElementById('details').getAttribute('aria-busy') !== 'true'")

    def levels(self):
        """Waits until levels are known."""
        self.until("!document.getElementById('level').disabled")

    def reach(self, selector):
        """Opens the box or the tree that something is in; whether that was closed."""
        return self.run("""const one = document.querySelector(arguments[0]);
            const box = one?.closest('[popover]:not(:popover-open)') ?? null;
            if (box !== null)
                document.querySelector(`[popovertarget=${box.id}]`).click();
            if (one?.closest('#tree[hidden]'))
                document.getElementById('tree-open').click();
            return box !== null""", selector)

    def type(self, selector, text):
        """Types into a field, and closes the box that it is in where Enter ends that."""
        if self.reach(selector) and text.endswith("\ue007"):
            super().type(selector, text)
            self.run("document.querySelector(arguments[0]).closest('[popover]').hidePopover()",
                     selector)
        else:
            super().type(selector, text)

    def click(self, selector):
        """Clicks on what may be made anew meanwhile."""
        self.reach(selector)
        try:
            super().click(selector)
        except AssertionError as error:
            if "stale element" not in str(error):
                raise
            super().click(selector)

    def fitted(self, script):
        """What a script gives once it goes on giving the same: once the page has settled in its
        window."""
        found = []
        while len(found) < 4 or found[-4:] != found[-1:] * 4:
            self.settled()
            found.append(self.run(script))
            self.run("return new Promise(done => setTimeout(done, 300))")
        return found[-1]

    def tabs(self):
        return self.run("return [...document.querySelectorAll('#panel-bar [data-panel]')].map("
                        "one => one.dataset.panel)")

    def open(self, panel):
        """Opens a tab of the dock, if it is not open."""
        if self.run("return document.querySelector(`[data-panel=${arguments[0]}]`)"
                    ".getAttribute('aria-selected')", panel) != "true":
            self.click(f"[data-panel={panel}]")
        self.until(f"document.querySelector('[data-panel={panel}][aria-selected=true]') !== null")
        self.settled()

    def close(self):
        """Closes the dock, if it is open."""
        self.run("document.getElementById('panel-close').click()")
        self.until("document.getElementById('details').hidden")

    def theme(self, name):
        self.run("const theme = document.getElementById('theme'); theme.value = arguments[0];"
                 "theme.dispatchEvent(new Event('change'))", name)
        self.settled()

    def place(self):
        return self.run("return location.hash")

    def options(self):
        """What is shown, as the address says it, without what is the page's own."""
        return [pair for pair in self.run("return [...new URLSearchParams(location.hash.slice(1))]")
                if not pair[0].startswith("page.")]

    def tree(self):
        """Opens the tree, if it is not open, and waits for its lines."""
        if self.run("return document.getElementById('tree').hidden"):
            self.click("#tree-open")
        self.until("document.querySelectorAll('[role=treeitem][data-path]').length > 1")

    def whole(self):
        """Goes to the whole trace, by the way that is shown above the picture."""
        self.click("#crumbs button")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null",
                        selector)

    def problem(self):
        return self.run("const box = document.getElementById('problem');"
                        "return box.hidden ? '' : box.textContent")

    def parts(self):
        words = self.text("#which")
        return int(words.split(" part")[0].split()[-1].replace(",", ""))

    def show(self, change):
        """Does what shows something else, and waits for it."""
        before = json.dumps(self.options())
        change()
        self.until("JSON.stringify([...new URLSearchParams(location.hash.slice(1))].filter("
                   "pair => !pair[0].startsWith('page.'))) !== "
                   f"JSON.stringify({before})")
        self.settled()
        same("a problem", "", self.problem())

    def program(self, *arguments):
        return json.loads(subprocess.run([CLI, *arguments], cwd=self.folder, check=True,
                                         capture_output=True, text=True).stdout)

    def said(self):
        """What the command that is shown draws, as JSON."""
        words = subprocess.run(["bash", "-c", "printf '%s\\0' " + self.text("#command")],
                               check=True, capture_output=True, text=True).stdout.split("\0")
        return self.program(*words[1:-3], "--json")

    def label(self, name):
        """The middle of a label of the picture."""
        return self.run("""
            const text = [...document.querySelectorAll('#plots svg text')].find(
                one => one.textContent === arguments[0]);
            const box = text.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];""", name)

    def drag(self, start, end, held=None):
        middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]
        self.hold(held, lambda: self.point(start, "down", middle, end, "up"))

    def hold(self, key, act):
        """Does something while a key is held."""
        press = {"type": "key", "id": "held", "actions": []}
        if key is not None:
            press["actions"] = [{"type": "keyDown", "value": HELD[key]}]
            self.call("POST", "/actions", {"actions": [press]})
        act()
        if key is not None:
            press["actions"] = [{"type": "keyUp", "value": HELD[key]}]
            self.call("POST", "/actions", {"actions": [press]})

    def wheel(self, place, turned, held=None):
        self.hold(held, lambda: self.call("POST", "/actions", {"actions": [
            {"type": "wheel", "id": "wheel", "actions": [
                {"type": "scroll", "x": int(place[0]), "y": int(place[1]), "deltaX": 0,
                 "deltaY": turned, "origin": "viewport"}]}]}))

    def double(self, place, again=lambda: None):
        """Presses twice, again where the machine was too slow for that to be a double click."""
        self.run("if (window.doubled === undefined) document.addEventListener('dblclick', "
                 "() => { window.doubled++; }, {capture: true}); window.doubled = 0")
        for _ in range(20):
            self.point(place, "down", "up", "down", "up")
            if self.run("return window.doubled") > 0:
                break
            again()

    def keep(self, name):
        """Keeps a picture of the page beside what is built."""
        KEPT.mkdir(parents=True, exist_ok=True)
        self.picture(KEPT / f"{name}.png")

    def quiet(self, refused=()):
        """Nothing left the machine, and nothing is in the console but what was refused."""
        errors = [entry["message"] for entry in self.console()
                  if not any(text in entry["message"] for text in refused)]
        same("the console", [], errors)
        home = (self.address.split("/#")[0], "chrome", "data:", "about:", "blob:")
        same("requests to others", [],
             [one for one in self.requests() if not one.startswith(home)])

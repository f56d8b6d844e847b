"""Zoom in a report: what is enlarged is what --expand draws of the same partition."""
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

from browser import Browser
from served import CLI, KEPT, same

SVG = "{http://www.w3.org/2000/svg}"
PARTS = 40  # how many of a picture are looked at


def numbers(element, *names):
    return [float(element.get(name)) for name in names]


def box_of(element):
    """The box of a rectangle, or of a path that is one."""
    if element.tag == SVG + "rect":
        return numbers(element, "x", "y", "width", "height")
    found = re.fullmatch(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z", element.get("d"))
    return None if found is None else [float(one) for one in found.groups()]


def drawn(folder, *options):
    """The parts that the program draws: number, what is in their middle, from 0 to 1 of the
    plot, and their colour over white."""
    picture = pathlib.Path(folder, "expanded.svg")
    subprocess.run([CLI, *options, "--theme", "light", "-o", picture], cwd=folder, check=True,
                   capture_output=True)
    root = xml.parse(picture).getroot()
    frame = next(one for one in root.findall(SVG + "rect") if one.get("stroke") is not None)
    left, top, width, height = numbers(frame, "x", "y", "width", "height")
    parts = []
    for group in root.iter(SVG + "g"):
        if group.get("class") not in ("parts", "edges"):
            continue
        above = {child: parent for parent in group.iter() for child in parent}
        for element in group.iter():
            title = element.find(SVG + "title")
            number = re.match(r"part (\d+)\n", title.text) if title is not None else None
            box = box_of(element) if number is not None else None
            if box is None:
                continue
            fill, opacity = [element.get(name) or above[element].get(name)
                             for name in ("fill", "fill-opacity")]
            opacity = float(opacity or 1)
            rgb = [int(fill[at:at + 2], 16) * opacity + 255 * (1 - opacity) for at in (1, 3, 5)]
            parts.append((int(number[1]), (box[0] + box[2] / 2 - left) / width,
                          (box[1] + box[3] / 2 - top) / height, rgb, box[2] * box[3]))
    return sorted(parts, key=lambda part: -part[4])


class Report(Browser):
    def show(self, path):
        self.requests()
        self.go(pathlib.Path(path).as_uri())
        self.until("document.getElementById('which').textContent !== ''")

    def data(self, what):
        return self.run("const data = JSON.parse(document.getElementById('data').textContent);"
                        "const level = data.levels[Number(document.getElementById('level').value)];"
                        "return " + what)

    def place(self, x, y):
        """A place of the screen, from one of the plot from 0 to 1."""
        return self.data(f"""(() => {{
            const svg = document.querySelector('.level:not([hidden]) svg');
            const [left, top, width, height] = level.frame,
                  seen = svg.getBoundingClientRect(), all = svg.viewBox.baseVal;
            return [seen.x + (left + {x} * width) * seen.width / all.width,
                seen.y + (top + {y} * height) * seen.height / all.height]; }})()""")

    def drag(self, start, end):
        self.point(self.place(*start), "down", self.place(*end), "up")

    def view(self):
        """The time that is said to be shown, "" for all."""
        return self.run("return [...document.querySelectorAll('#crumbs [title^=\"the time\"]')]"
                        ".map(one => one.textContent).join(' ')")

    def hash(self):
        return dict(self.run("return [...new URLSearchParams(location.hash.slice(1))]"))

    def places(self):
        return self.run("return [...document.querySelectorAll('.level:not([hidden]) [data-part]')]"
                        ".map(one => one.getAttribute('d')).join(' ')")

    def twice(self, place):
        self.run("window.doubled = 0; document.addEventListener('dblclick', () => "
                 "{ window.doubled++; }, {capture: true, once: true})")
        for _ in range(20):
            self.point(place, "down", "up", "down", "up")
            if self.run("return window.doubled") > 0:
                return
        raise AssertionError("no double click")

    def compare(self, what, folder, p, place, view, trace):
        """The parts are those that the program draws; they keep the colours of the whole."""
        options = ["--p", p, "--slices", "60", "--view", view, *trace.split()]
        colours = {part[0]: part[3] for part in drawn(folder, *options)}
        parts = drawn(folder, "--expand", place, *options)
        assert len(parts) > 1, f"{what}: {len(parts)} parts to compare"
        for number, x, y, _, area in parts[:PARTS]:
            rgb = colours.get(number)
            self.point(self.place(x, y))
            same(f"{what}: the part at {x:.3f}, {y:.3f}", f"part {number}", self.run(
                "const hover = document.querySelector('.hover');"
                "return hover.hidden ? '' : hover.textContent.split(' · ').at(-1)"))
            if area < 40 or rgb is None:
                continue
            seen = self.run("""
                const canvas = document.querySelector('.level:not([hidden]) canvas');
                const [x, y] = arguments;
                const [red, green, blue, alpha] = canvas.getContext('2d').getImageData(
                    Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data;
                return [red, green, blue].map(one => one * alpha / 255 + 255 - alpha);""", x, y)
            assert all(abs(a - b) < 6 for a, b in zip(seen, rgb)), \
                f"{what}: part {number} is {seen}, expected {rgb}"


def check_zoom(page, folder, name, view, trace, seconds, *corners):
    """A drag, the key, another level, an address: each as --expand draws it."""
    page.show(f"{folder}/{name}.html")
    whole = page.places()
    page.drag(*corners)
    chosen = page.hash()
    page.press("z")
    shown = page.hash()
    same("what is zoomed into", (chosen["slices"], chosen["node"]),
         (shown["view"], shown["below"]))
    assert "node" not in shown, shown
    first, last = map(int, shown["view"].split("-"))
    slice = float(seconds) / 60
    place = f"{shown['below']},{(first + 0.01) * slice:.9f},{(last + 0.99) * slice:.9f}"
    page.compare(f"{name} zoomed", folder, shown["p"], place, view, trace)
    page.press("[")
    finer = page.hash()
    assert float(finer["p"]) < float(shown["p"]) and finer["view"] == shown["view"], finer
    page.compare(f"{name} finer", folder, finer["p"], place, view, trace)
    address = page.run("return location.href")
    page.go("about:blank")
    page.go(address)
    page.until("document.querySelector('#crumbs [title^=\"the time\"]') !== null")
    page.compare(f"{name} by its address", folder, finer["p"], place, view, trace)
    page.picture(KEPT / f"report-zoom-{name}.png")
    page.press("]", "Home")
    same("the whole again", whole, page.places())


def check_gestures(page, folder):
    page.show(f"{folder}/mode.html")
    same("the begin", "", page.view())
    page.twice(page.place(0.52, 0.5))
    first = page.hash()
    assert "view" in first, first
    page.press("Backspace")
    page.until("!location.hash.includes('view=')")
    same("back", "", page.view())
    page.click("#finer")
    page.press("w")
    same("seven tenths of the time", "9-50", page.hash()["view"])
    page.press(".")
    moved = page.hash()["view"]
    assert int(moved.split("-")[0]) > 9, moved
    page.press("<")
    assert int(page.hash()["view"].split("-")[0]) < 9, page.hash()
    page.press("s", "s")
    assert "view" not in page.hash(), page.hash()
    x, y = page.place(0.25, 0.5)
    page.call("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [
        {"type": "scroll", "x": int(x), "y": int(y), "deltaX": 0, "deltaY": -120,
         "origin": "viewport"}]}]})
    page.until("location.hash.includes('view=')")
    page.click("#crumbs button")
    # By the keyboard alone: a part, what it has, the part in it, and what is around.
    page.run("document.querySelector('.level:not([hidden]) [tabindex=\"0\"]').focus()")
    page.press("Right", "Right", "Right", "Down", "Enter")
    part = page.hash()["part"]
    page.press("Enter")
    assert "below" in page.hash() and "part" not in page.hash(), page.hash()
    around = page.run("return document.activeElement.closest('#plots') !== null")
    same("the focus stays in the plot", True, around)
    page.press("u")
    page.run("history.go(-2)")
    page.until(f"location.hash.includes('part={part}')")
    # Esc: first the selection, then what was shown before.
    if page.view() != "":
        page.click("#crumbs button")
    page.drag((0.2, 0.3), (0.4, 0.5))
    page.press("z")
    page.drag((0.2, 0.3), (0.4, 0.5))
    assert "slices" in page.hash(), page.hash()
    page.press("Escape")
    assert "slices" not in page.hash() and "view" in page.hash(), page.hash()


def check_columns(page, folder):
    """Of columns time alone is enlarged: every type stays as high as it was."""
    page.show(f"{folder}/temporal.html")
    columns = """(() => { const found = {};
        for (const one of document.querySelectorAll('.level:not([hidden]) .columns [data-part]'))
            (found[one.dataset.part] ||= []).push([one.getAttribute('y'),
                one.getAttribute('height')].join(' '));
        return found; })()"""
    before = page.run("return " + columns)
    page.press("w")
    after = page.run("return " + columns)
    assert 0 < len(after) < len(before), f"{len(after)} of {len(before)} columns"
    for part, heights in after.items():
        same(f"column {part}", before[part], heights)
    page.press("Home")
    same("all columns", before, page.run("return " + columns))


def check_strip(page, folder):
    """The window in the strip of the whole trace is what is seen of it."""
    page.show(f"{folder}/window.html")
    marked = """(() => { const strip = document.querySelector('.level:not([hidden]) .whole');
        const box = strip.querySelector('.window polygon').getBBox();
        const all = strip.querySelector(':scope > rect').getBBox();
        return [(box.x - all.x) / all.width, box.width / all.width]; })()"""
    before = page.run("return " + marked)
    page.press("w")
    first, last = map(int, page.hash()["view"].split("-"))
    after = page.run("return " + marked)
    wanted = [before[0] + first / 20 * before[1], (last - first + 1) / 20 * before[1]]
    assert all(abs(one - other) < 0.005 for one, other in zip(after, wanted)), (after, wanted)
    page.press("Home")
    same("the window again", before, page.run("return " + marked))


def check_steps(page, folder):
    """Steps are enlarged across alone: whole pixels, so that edges are a few of them off."""
    page.show(f"{folder}/steps.html")
    page.run("location.hash = 'view=62-135'")
    page.until("document.querySelector('#crumbs [title^=\"the time\"]') !== null")
    seen = page.run("""return [...document.querySelectorAll('.level:not([hidden]) .steps rect')]
        .map(one => [one.querySelector('title').textContent.split('\\n')[0],
            ...['x', 'y', 'width', 'height'].map(of => Number(one.getAttribute(of)))])""")
    made = subprocess.run([CLI, "steps.db", "--json"], cwd=folder, check=True, capture_output=True)
    one, other = json.loads(made.stdout)["pieces"]
    slice = (one["end"] - one["begin"]) / other["first"]
    place = f",{one['begin'] + 62 * slice},{other['begin'] + (136 - other['first']) * slice}"
    subprocess.run([CLI, "steps.db", "--expand", place, "-o", "steps.svg"], cwd=folder,
                   check=True, capture_output=True)
    root = xml.parse(pathlib.Path(folder, "steps.svg")).getroot()
    wanted = [[one.find(SVG + "title").text.split("\n")[0],
               *numbers(one, "x", "y", "width", "height")]
              for group in root.iter(SVG + "g") if group.get("class") == "steps"
              for one in group.iter(SVG + "rect")]
    same("the steps that are seen", [one[0] for one in wanted], [one[0] for one in seen])
    ends = [[[one[1] - steps[0][1], one[3]] for one in steps] for steps in (wanted, seen)]
    wide = [steps[-1][1] + steps[-1][3] - steps[0][1] for steps in (wanted, seen)]
    for one, other in zip(*ends):
        assert all(abs(a / wide[0] - b / wide[1]) < 0.01 for a, b in zip(one, other)), ends
    same("as high as before", [wanted[0][4]], sorted({one[4] for one in seen}))


def main():
    folder = sys.argv[1]
    KEPT.mkdir(parents=True, exist_ok=True)
    with Report(width=1280, height=1000) as page:
        for view in ("mode", "partition", "amplitude"):
            check_zoom(page, folder, view, view, "trace.db", sys.argv[2], (0.21, 0.15),
                       (0.40, 0.23))
        check_zoom(page, folder, "folded", "mode", sys.argv[4], sys.argv[3], (0.21, 0.3),
                   (0.60, 0.9))
        check_gestures(page, folder)
        check_columns(page, folder)
        check_strip(page, folder)
        check_steps(page, folder)
        same("the console", [], [one["message"] for one in page.console()
                                 if "willReadFrequently" not in one["message"]])
        same("requests", [], [one for one in page.requests()
                              if not one.startswith(("file:", "chrome", "data:", "about:"))])


main()

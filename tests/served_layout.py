"""The picture is the page, at any size of the window: served_layout.py ADDRESS FOLDER."""
import pathlib
import sys

from served import Page, same

SIZES = ((1024, 640), (1400, 800), (1920, 1080), (2560, 1440), (500, 900))
# What of the window the frame of the plot has, and whether the page can be scrolled.
SHARES = """
const frame = document.querySelector('#plots svg > rect[stroke]').getBoundingClientRect();
const all = document.scrollingElement;
return {share: frame.width * frame.height / innerWidth / innerHeight,
    scrolls: [all.scrollWidth - innerWidth, all.scrollHeight - innerHeight].map(
        over => Math.max(0, over)),
    cut: [...document.querySelectorAll('.bar button, .bar input, .line button')].filter(
        one => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth).map(
            one => one.id || one.textContent),
    within: frame.left >= 0 && frame.top >= 0 && frame.right <= innerWidth &&
        frame.bottom <= innerHeight}"""
# Whether one element lies over another.
OVER = """const [one, other] = arguments.length > 0 && [...arguments].map(
        name => document.querySelector(name).getBoundingClientRect());
    return one.left < other.right - 1 && other.left < one.right - 1 &&
        one.top < other.bottom - 1 && other.top < one.bottom - 1"""

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    wrong = []

    def holds(what, wanted, got):
        if wanted != got:
            wrong.append(f"{what}: {got!r}, expected {wanted!r}")

    def looked(what, least):
        """The plot has so much of the window, all of it can be seen, and nothing scrolls."""
        found = page.fitted(SHARES)
        holds(f"what scrolls of {what}", [0, 0], found["scrolls"])
        holds(f"all of the plot is in the window: {what}", True, found["within"])
        share = round(found["share"], 3)
        holds(f"share of {what}", max(least, share), share)
        holds(f"what is cut off of the bars: {what}", [], found["cut"])

    for width, height in SIZES:
        page.size(width, height)
        large, name = width >= 1400, f"{width} x {height}"
        looked(name, 0.65 if large else 0.3)
        page.keep(f"layout-{width}")
        page.open("gantt")
        looked(name + " with the dock", 0.45 if large else 0)
        page.keep(f"layout-{width}-dock")
        if width == 500:  # a sheet over the picture, which is as it was
            holds("the dock over the plot", True, page.run(OVER, "#details", "#plots"))
        page.close()
        page.click("#tree-open")
        page.until("document.querySelector('[role=treeitem]') !== null")
        looked(name + " with the tree", 0)
        page.keep(f"layout-{width}-tree")
        holds(f"the tree over the plot at {name}", width < 1100, page.run(OVER, "#tree", "#plots"))
        page.click("#tree-open")
        for opener, box in (("#options-open", "#options"), ("#level-open", "#level-box"),
                            ("#save-open", "#save-box"), ("#title", "#about")):
            page.click(opener)
            page.until(f"document.querySelector('{box}:popover-open') !== null")
            holds(f"{box} at {name}", [True, True, 0], page.run("""
                const box = document.querySelector(arguments[0]).getBoundingClientRect();
                return [box.left >= 0 && box.right <= innerWidth + 0.5,
                    box.top >= 0 && box.bottom <= innerHeight + 0.5,
                    Math.max(0, document.scrollingElement.scrollHeight - innerHeight)]""", box))
            page.press("Escape")
    same("what is wrong", [], wrong)
    page.quiet()

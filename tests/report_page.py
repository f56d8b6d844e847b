"""The page around the pictures of a report: it fills any window, and its bars, minimap, legend and
details work without a server."""
import pathlib
import sys

from browser import Browser
from served import same

SIZES = ((1400, 800), (1920, 1080), (1024, 640), (500, 900))


def open_report(page, path):
    page.go(pathlib.Path(path).as_uri())
    page.until("document.getElementById('which').textContent !== ''")


def resize(page, width, height):
    seen = page.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
    page.call("POST", "/window/rect", {"width": width + seen[0], "height": height + seen[1]})
    page.until(f"innerWidth === {width} && innerHeight === {height}")


def view(page):
    return page.run("return new URLSearchParams(location.hash.slice(1)).get('view') || ''")


def check_layout(page):
    """The window is filled, nothing scrolls, and letters are as high as they are wide."""
    for width, height in SIZES:
        resize(page, width, height)
        for opened, least in ((True, 0.45), (False, 0.65)):
            if page.run("return document.getElementById('details').hidden") == opened:
                page.click("#tab-selection")
            # The picture follows its room a moment later.
            page.until("""(() => { const svg = document.querySelector('.level:not([hidden]) svg');
                const text = [...svg.querySelectorAll('text')].filter(one =>
                    one.textContent !== '' && one.getAttribute('visibility') !== 'hidden');
                return text.length > 3 && text.every(one => {
                    const {width, height} = one.getBoundingClientRect();
                    return Math.abs(Math.min(width, height) - 12.5) < 2.5; }); })()""")
            room = page.run("""const {scrollWidth, scrollHeight} = document.scrollingElement;
                const {width, height} = document.getElementById('plots').getBoundingClientRect();
                return [scrollWidth, scrollHeight, width * height / innerWidth / innerHeight]""")
            same(f"{width} x {height}", [width, height], room[:2])
            assert room[2] >= (least if width >= 1400 else 0.4), (width, height, opened, room)
    resize(page, *SIZES[0])
    page.click("#tab-selection")


def check_bars(page):
    """The crumbs, the brush, the levels, and Esc, which closes what is above the page alone."""
    crumbs = "return [...document.querySelectorAll('#crumbs button')].map(one => one.textContent)"
    same("the crumbs", ["whole", "nancy"], page.run(crumbs))
    page.press("w")
    before = view(page)
    same("they have the time", 3, len(page.run(crumbs)))
    page.click("#level-open")
    page.press("Escape")
    same("Esc closes the levels alone", before, view(page))
    same("they are closed", False,
         page.run("return document.getElementById('level-box').matches(':popover-open')"))
    box = page.run("""const {x, y, width, height} = document.getElementById('brush')
        .getBoundingClientRect(); return [x + width / 2, y + height / 2]""")
    page.point(box, "down", [box[0] + 100, box[1]], "up")
    after = view(page)
    first, last = [int(at) for at in before.split("-")], [int(at) for at in after.split("-")]
    assert first[0] + 2 <= last[0] <= first[0] + 6, (before, after)
    same("as long as before", first[1] - first[0], last[1] - last[0])
    page.click("#crumbs button")
    same("the whole", "", view(page))


def check_legend(page):
    """What is clicked in the legend stays lit."""
    faint = """return [...document.querySelectorAll('.level:not([hidden]) [data-part]')]
        .filter(one => Number(one.style.opacity || 1) < 1).length"""
    same("nothing is lit", 0, page.run(faint))
    page.click("#legend .types:not([hidden]) button")
    page.point(page.run("return [innerWidth / 2, 5]"))
    assert page.run(faint) > 0, "nothing is lit"
    same("its chip", 1,
         page.run("return document.querySelectorAll('.types:not([hidden]) [aria-pressed=true]')"
                  ".length"))
    page.click("#legend .types:not([hidden]) button")
    page.point(page.run("return [innerWidth / 2, 5]"))
    same("nothing is lit again", 0, page.run(faint))


def check_details(page):
    """Shares are bars, the parts of the level are a table, and the paper follows the theme."""
    share, bar = page.run("""const row = document.querySelector('#panel tbody tr');
        const wide = one => row.querySelector(one).getBoundingClientRect().width;
        return [parseFloat(row.querySelector('td:last-child').textContent) / 100,
            wide('.track div') / wide('.track')]""")
    assert abs(share - bar) < 0.01, (share, bar)
    page.click("#tab-parts")
    listed = "document.querySelectorAll('#panel-body tbody tr').length"
    shown = """(() => { const data = JSON.parse(document.getElementById('data').textContent);
        return data.levels[data.start - %d].shown.length; })()"""
    page.until(f"{listed} === {shown % 0}")
    page.press("[")
    page.until(f"{listed} === {shown % 1}")
    page.press("]")
    page.click("#tab-selection")
    page.run("const field = document.getElementById('theme'); field.value = 'dark';"
             "field.dispatchEvent(new Event('change'))")
    same("the paper", "rgb(20, 23, 27)",
         page.run("return getComputedStyle(document.documentElement).backgroundColor"))
    page.press("?")
    page.until("document.getElementById('help').open")
    page.press("Escape")


def check_without_script(path):
    """One level, and what the types take of it."""
    with Browser(1400, 800, ("--blink-settings=scriptEnabled=false",)) as page:
        page.go(pathlib.Path(path).as_uri())
        same("levels", 1, page.run("return [...document.querySelectorAll('.level')].filter("
                                   "one => one.getClientRects().length > 0).length"))
        names = page.run("return document.querySelector('#panel').innerText")
        assert "PMPI_Allreduce" in names and " %" in names, names


def main():
    path = sys.argv[1]
    with Browser(1400, 800) as page:
        open_report(page, path)
        check_layout(page)
        check_bars(page)
        check_legend(page)
        check_details(page)
        assert len(page.call("POST", "/print", {"background": True})) > 10000, "no print"
        same("the console", [], [one["message"] for one in page.console()])
    check_without_script(path)


main()

"""Every level of the page against the program's, to the last digit:
served_levels.py ADDRESS FOLDER."""
import pathlib
import re
import sys

from served import Page, same

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    listed = page.program("sweep", "--slices", "60", "--json", "small.db")["levels"]
    shown = [level for level in listed if level["plateau"] is not None]
    page.until(f"document.getElementById('level').max === '{len(shown) - 1}' && "
               "document.getElementById('level').ariaBusy === 'false'")  # they are known to the end
    page.show(lambda: page.type("#p", "0.123456\ue007"))
    page.run("document.activeElement.blur()")
    for number in (*range(len(shown)), *range(len(shown) - 3, -1, -7)):
        page.show(lambda number=number: page.run(
            "const slider = document.getElementById('level'); slider.value = arguments[0];"
            "slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change'))",
            number))
        wanted = shown[number]
        gain, loss = re.findall("[0-9.e+-]{2,}|[0-9]", page.run(
            "return document.getElementById('which').title"))
        same("p", wanted["p"], float(page.value("#p")))
        same("p of the address", wanted["p"], float(dict(page.options())["p"]))
        same("gain", wanted["gain"], float(gain))
        same("loss", wanted["loss"], float(loss))
        same("parts", wanted["parts"], page.parts())
        same("parts in the field", str(wanted["parts"]), page.value("#parts"))
        same("where the slider is", str(number), page.value("#level"))

    # What is beside a picture is asked for once it is there, and once.
    page.run("performance.clearResourceTimings(); performance.clearMarks()")
    page.show(lambda: page.run("const words = new URLSearchParams(location.hash.slice(1));"
                               "words.set('metric', 'event-count'); location.hash = '#' + words"))
    page.until("performance.getEntriesByType('resource').some("
               "one => /findings.*event-count/.test(one.name))")
    beside = page.run("""const full = performance.getEntriesByName('ocelotl full').at(-1).startTime;
        return performance.getEntriesByType('resource').filter(
            one => /api.v1.(found|explained|findings).*event-count/.test(one.name)).map(
            one => [one.name.replace(/.*v1.|[?].*/g, ''), one.startTime >= full])""")
    assert all(behind for _, behind in beside), beside
    same("sentences asked for", 1, sum(name == "explained" for name, _ in beside))
    page.show(lambda: page.run("history.back()"))

    # What differs from the level before is outlined for a moment, and then no more.
    def parts_at(p):
        return {(part["node"], part["first"], part["last"], part["leaves"])
                for part in page.program("--slices", "60", "--p", str(p), "--json",
                                         "small.db")["parts"]}

    def outlined(p):
        """How many parts are outlined once a p is typed; None: none are."""
        page.run("""window.outlined = null; window.watching?.disconnect();
            window.watching = new MutationObserver(changes => changes.forEach(one =>
                one.addedNodes.forEach(added => {
                    if (added.dataset?.changed)
                        window.outlined = Number(added.dataset.changed);
                })));
            window.watching.observe(document.getElementById('plots'),
                {childList: true, subtree: true});""")
        page.show(lambda: page.type("#p", f"{p}\ue007"))
        page.until("document.querySelector('canvas[data-changed]') === null")
        return page.run("return window.outlined")

    page.show(lambda: page.type("#p", "0.95\ue007"))
    assert parts_at(0.7) - parts_at(0.95)
    same("outlined parts", len(parts_at(0.7) - parts_at(0.95)), outlined(0.7))
    same("outlined parts of the same", len(parts_at(0.95) - parts_at(0.7)), outlined(0.95))
    page.prefer(prefers_reduced_motion="reduce")
    same("outlined parts where nothing is to move", None, outlined(0.7))
    page.quiet()

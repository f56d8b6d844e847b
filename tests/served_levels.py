"""Every level of the page against the program's, to the last digit:
served_levels.py ADDRESS FOLDER."""
import pathlib
import re
import sys

from served import Page, same

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    listed = page.program("sweep", "--slices", "60", "--json", "small.db")["levels"]
    shown = [level for level in listed if level["plateau"] is not None]
    page.until(f"document.getElementById('level').max === '{len(shown) - 1}'")
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
    page.quiet()

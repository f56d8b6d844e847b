"""States of the served page: address, history, selections, controls:
served_state.py ADDRESS FOLDER."""
import json
import pathlib
import subprocess
import sys

from served import CLI, Page, same

DRAWN = "return document.getElementById('command').textContent + " \
        "document.getElementById('which').textContent.replace(/^level[^·]*· /, '')"

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    first = page.options()

    # Parts have the colours of their types.
    colours = page.run("""
        const canvas = document.querySelector('#plots canvas');
        const context = canvas.getContext('2d');
        const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
        let coloured = 0;
        for (let i = 0; i < pixels.length; i += 4)
            coloured += Math.max(pixels[i], pixels[i + 1], pixels[i + 2]) -
                Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) > 60 ? 1 : 0;
        return coloured / (pixels.length / 4)""")
    assert colours > 0.3, colours
    top = page.label("griffon-sw1")
    low = page.label("griffon-sw3")
    slices = page.run("""const box = document.querySelector('#plots svg').getBoundingClientRect();
        return [box.x + box.width * 0.45, box.x + box.width * 0.6]""")

    def selected():
        return page.text("#panel section.range h2"), page.text("#panel section.range .facts")

    # A drag over two switches selects whole slices of the node above both.
    page.drag((slices[0], top[1]), (slices[1], low[1]))
    page.until("document.querySelector('#plots .overlay .range') !== null")
    name, facts = selected()
    same("the node", "nancy/griffon", name)
    assert "slices" in facts, facts
    address = page.place()
    assert "page.slices=" in address, address

    # An edge of it is dragged; then what is selected is zoomed into, as the command line does.
    box = page.run("const box = document.querySelector('#plots .overlay .range')"
                   ".getBoundingClientRect(); return [box.x, box.y, box.width, box.height]")
    page.drag((box[0] + box[2], box[1] + box[3] / 2), (box[0] + box[2] + 60, box[1] + box[3] / 2))
    page.until(f"document.querySelector('#panel section.range .facts').textContent !== "
               f"{facts!r}")
    wider = dict(pair.split("=") for pair in page.place()[1:].split("&"))["page.slices"].split("-")
    narrow = dict(pair.split("=") for pair in address[1:].split("&"))["page.slices"].split("-")
    same("the other edge", narrow[0], wider[0])
    assert int(wider[1]) > int(narrow[1]), (narrow, wider)
    page.show(lambda: page.press("z"))
    options = dict(page.options())
    assert {"from", "to"} <= set(options), options
    begin, end = options["from"], options["to"]
    wanted = page.program("--slices", "60", "--from", begin, "--to", end,
                          *(["--resource", options["resource"]] if "resource" in options else []),
                          "--json", "small.db")
    same("parts of the window", len(wanted["parts"]), page.parts())

    # The same drag with Alt is not of whole slices; Esc takes it back.
    page.drag((slices[0] + 3, top[1]), (slices[1] + 3, low[1]), held="Alt")
    page.until("document.querySelector('#plots .overlay .range') !== null")
    assert "page.slices" not in page.place(), page.place()
    page.press("Escape")
    page.until("document.querySelector('#plots .overlay .range') === null")

    # Reload is the same state.
    page.show(lambda: page.type("#p", "0.2\ue007"))
    page.run("document.activeElement.blur()")
    seen, address = page.run(DRAWN), page.place()
    page.call("POST", "/refresh")
    page.settled()
    same("after a reload", (seen, address), (page.run(DRAWN), page.place()))

    # Five steps, and five times back; not further than the first. Esc closes the details first.
    if page.run("return !document.getElementById('panel-close').hidden"):
        page.click("#panel-close")
    states = []
    for step in ("level", "w", "u", "level", "level"):
        page.levels()
        if step == "level":  # at that side where there is one
            page.until("document.querySelector('#coarser:enabled, #finer:enabled') !== null")
            step = page.run("return document.getElementById('coarser').disabled ? '[' : ']'")
        states.append((page.options(), page.run(DRAWN)))
        page.show(lambda step=step: page.press(step))
    for number, wanted in enumerate(reversed(states)):
        page.show(lambda number=number: page.press("Escape" if number % 2 else "Backspace"))
        same("back", wanted, (page.options(), page.run(DRAWN)))
    while not page.run("return document.getElementById('back').disabled"):
        before = page.run("return history.state.depth")
        page.click("#back")
        page.until(f"history.state.depth < {before}")
        page.settled()
    same("the first", first, page.options())
    page.press("Backspace")
    same("no further", first, page.options())

    # The wheel zooms time, with Shift resources.
    page.show(lambda: page.wheel((slices[0], top[1]), -240))
    assert {"from", "to"} <= set(dict(page.options())), page.options()
    page.show(lambda: page.press("Backspace"))
    page.show(lambda: page.wheel((slices[0], top[1]), -240, held="Shift"))
    assert "resource" in dict(page.options()), page.options()
    page.show(lambda: page.whole())

    # Typed p, number of parts, and the slider by another scale.
    page.show(lambda: page.type("#p", "0.3\ue007"))
    same("p", "0.3", dict(page.options())["p"])
    page.show(lambda: page.type("#parts", "50\ue007"))
    same("parts", "50", dict(page.options())["parts"])
    assert page.parts() <= 50, page.parts()

    # A field that is typed into stays as it is, whatever is answered; Escape gives what is shown.
    page.levels()
    page.type("#parts", "4")
    page.until("!document.getElementById('finer').disabled")
    page.show(lambda: page.run("document.getElementById('finer').click()"))
    same("what is typed", "4", page.value("#parts"))
    page.press("Escape")
    same("what Escape gives", str(page.parts()), page.value("#parts"))
    page.type("#parts", "4")
    page.until("!document.getElementById('finer').disabled")
    page.show(lambda: page.run("document.getElementById('finer').click()"))
    page.show(lambda: page.add("0\ue007"))
    same("what was typed on", "40", dict(page.options())["parts"])
    page.run("document.getElementById('p').focus()")
    kept = page.value("#p")
    page.until("!document.getElementById('finer').disabled")
    page.show(lambda: page.run("document.getElementById('finer').click()"))
    same("p of a field that has the focus", kept, page.value("#p"))
    page.press("Tab")
    same("p of a field that is left", dict(page.options())["p"], page.value("#p"))
    page.type("[data-option=slices]", "7")
    page.until("!document.getElementById('finer').disabled")
    page.show(lambda: page.run("document.getElementById('finer').click()"))
    same("an option that is typed", "7", page.value("[data-option=slices]"))
    page.press("Escape")
    same("an option by Escape", "60", page.value("[data-option=slices]"))
    page.press("Tab")
    page.settled()
    same("what is shown then", "60", dict(page.options())["slices"])
    page.run("document.getElementById('options').hidePopover()")
    page.run("document.activeElement.blur(); scrollTo(0, 0)")
    page.levels()
    for scale in ("p", "parts"):
        page.run("const scale = document.getElementById('scale'); scale.value = arguments[0];"
                 "scale.dispatchEvent(new Event('change'))", scale)
        page.show(lambda: page.run(
            "const slider = document.getElementById('level');"
            "slider.value = slider.value > 500 ? 200 : 900;"
            "slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change'))"))
        same("parts by " + scale, len(page.said()["parts"]), page.parts())

    # Controls are options: aggregation, hierarchy, types, resources.
    for name, value in (("kind", "temporal"), ("hierarchy", "auto"),
                        ("metric", "event-count")):
        page.show(lambda name=name, value=value: page.run(
            "const field = document.querySelector(`[data-option=${arguments[0]}]`);"
            "field.value = arguments[1]; field.dispatchEvent(new Event('change'))", name, value))
        same(name, value, dict(page.options())[name])
        same("parts", len(page.said()["parts"]), page.parts())
        page.keep(f"{name}-{value}")
        page.show(lambda: page.click("#back"))
    page.show(lambda: page.click("#legend label:nth-child(1) bdi"))
    assert "except" in dict(page.options()), page.options()
    page.show(lambda: page.click("#legend label:nth-child(1) bdi"))
    page.show(lambda: page.click('[data-path="nancy/graphene"] input'))
    same("left out", "nancy/graphene", dict(page.options())["except-resources"])
    page.show(lambda: page.click("#back"))

    # A rule chooses p.
    for rule in ("auto:coarsest", "auto:gap", "auto:plateau:2"):
        page.show(lambda rule=rule: page.run(
            "const field = document.getElementById('rule'); field.value = arguments[0];"
            "field.dispatchEvent(new Event('change'))", rule))
        said = page.program("parts", "--slices", "60", "--p", rule, "--json", "small.db")["parts"]
        same(f"parts by {rule}", len(said), page.parts())
        same("the rule", rule, page.value("#rule"))
    page.show(lambda: page.type("#p", "0.5\ue007"))
    same("the rule of a p of one's own", "", page.value("#rule"))
    page.run("document.activeElement.blur()")

    # What is in colour, and curves of what is left, change no part.
    page.levels()
    page.until("document.querySelector('#curve svg') !== null")
    parts, curve = page.parts(), page.run("return document.querySelector('#curve svg').outerHTML")
    for name, value in (("show", "PMPI_Wait"), ("curves", "falling")):
        page.show(lambda name=name, value=value: page.run(
            "const field = document.querySelector(`[data-option=${arguments[0]}]`);"
            "field.value = arguments[1]; field.dispatchEvent(new Event('change'))", name, value))
        assert f"--{name} {value}" in page.text("#command"), page.text("#command")
        same("parts", parts, page.parts())
    page.until("document.querySelector('#curve svg') !== null && "
               f"document.querySelector('#curve svg').outerHTML !== {json.dumps(curve)}")

    # A step in time is the program's.
    page.run("location.hash = '#slices=60&from=10%25&to=30%25&p=0.5'")
    page.until("document.getElementById('command').textContent.includes('--from')")
    page.settled()
    page.show(lambda: page.press(">"))
    window = dict(page.options())
    said = page.program("stats", "--from", "10%", "--to", "30%", "--move", "100%", "--json",
                        "small.db")
    here = page.program("stats", "--from", window["from"], "--to", window["to"], "--json",
                        "small.db")
    same("the next window", (said["from"], said["to"]), (here["from"], here["to"]))

    # Resources alone are in a panel, whose picture is the program's.
    page.run("const field = document.querySelector('[data-option=kind]');"
             "field.value = 'spatial'; field.dispatchEvent(new Event('change'))")
    line = "document.querySelector('#panel-body pre').textContent"
    page.until("document.querySelector('#panel-body pre') !== null && "
               f"{line}.startsWith('ocelotl-cli treemap')")
    for name, value, words in (("parts", "at:SWITCH", "--at SWITCH"),
                               ("areas", "traced", "--area traced"),
                               ("drawn as", "mode", "--kind spatial --view mode"),
                               ("parts", "auto", "small.db -o overview.svg")):
        page.run("const field = document.querySelector("
                 "`#panel-body [data-choice='${arguments[0]}']`); field.value = arguments[1];"
                 "field.dispatchEvent(new Event('change'))", name, value)
        page.until(f"{line}.includes({json.dumps(words)})")
        page.settled()
        drawn = page.run("return document.querySelectorAll('#panel-body tbody tr').length")
        line_now = page.run(f"return {line}").split()
        file = line_now.index("-o")
        said = page.program(*line_now[1:file], "--json")
        same(f"parts by {words}", len(said["parts"]), drawn)
    page.run("location.hash = '#slices=60&kind=spatial&p=0.5'")
    page.call("POST", "/refresh")
    page.settled()
    same("an address of resources alone", [["slices", "60"], ["p", "0.5"]], page.options())
    page.until(f"document.querySelector('#panel-body pre') !== null && {line} !== ''")
    page.run("document.getElementById('panel-close').click()")

    # The inside of the part that loses most is prepared: zooming there asks for no picture.
    page.run("""window.asked = [];
             const ask = window.fetch;
             window.fetch = (...words) => {
                 window.asked.push(words[0]);
                 return ask(...words);
             };""")
    page.run("location.hash = '#slices=40&p=0.6'")
    page.until("document.getElementById('command').textContent.includes('--slices 40')")
    page.settled()
    inside = page.program("parts", "--slices", "40", "--p", "0.6", "--sort", "loss", "--json",
                          "small.db")["parts"][0]["id"]
    asked = ("window.asked.filter(one => /%s[?].*part=" + str(inside) +
             "&look/.test(one)).length")
    page.until(asked % "records" + " > 0")
    before = page.run("return " + asked % "(frame|records)")
    page.show(lambda: page.run(f"location.hash = '#slices=40&p=0.6&part={inside}'"))
    same("questions for it", before, page.run("return " + asked % "(frame|records)"))
    assert f"--part {inside}" in page.text("#command"), page.text("#command")

    # The ruler says times.
    page.run("document.activeElement.blur()")
    page.press("r")
    page.point((slices[0], top[1]), "down", "up", (slices[1], top[1]))
    page.until("/ ms from /.test(document.getElementById('ruler').textContent)")
    page.press("r")

    # What is saved is what the program writes.
    saved = page.run("""return (async () => {
        const blobs = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = blob => { blobs.push(blob); return make.call(URL, blob); };
        const click = HTMLAnchorElement.prototype.click;
        HTMLAnchorElement.prototype.click = () => {};
        document.querySelector('[data-save=svg]').click();
        while (blobs.length === 0)
            await new Promise(done => setTimeout(done, 50));
        URL.createObjectURL = make;
        HTMLAnchorElement.prototype.click = click;
        return blobs[0].text();
    })()""")
    line = page.text("#command").split()
    subprocess.run([CLI, *line[1:]], cwd=page.folder, check=True)
    assert saved == (page.folder / line[-1]).read_text(), "the file that is saved differs"

    # An address that is entered while the page begins is the one that counts.
    page.go("about:blank")
    page.go(sys.argv[1].split("#")[0] + "#slices=60&p=0.1")
    page.run("location.hash = '#slices=60&p=0.3'")
    page.until("document.getElementById('command').textContent.includes('--p 0.3')")
    page.settled()
    same("a problem", "", page.problem())
    same("what is shown", [["slices", "60"], ["p", "0.3"]], page.options())

    # For an address of another trace the page says what is wrong, beside what it shows at first.
    page.run("location.hash = '#resource=no-such-resource'")
    page.call("POST", "/refresh")
    page.settled()
    page.until("!document.getElementById('problem').hidden")
    assert "does not fit the trace: " in page.problem(), page.problem()
    assert "no-such-resource" in page.problem(), page.problem()
    same("what is shown instead", first, page.options())
    page.quiet(refused=("400 (Bad Request)",))

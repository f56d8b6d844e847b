"""What is lost, as dots over each part: served_texture.py ADDRESS FOLDER."""
import pathlib
import re
import subprocess
import sys

from served import CLI, Page, same


def dots_of(svg):
    """The corners of the dots of a picture, from its paths of squares."""
    dots = set()
    for path in re.findall(r'<path fill="#[0-9a-f]{6}" fill-opacity="0\.6"[^>]* d="([^"]*)"', svg):
        x = y = 0
        for how, across, down in re.findall(r"([Mm])(-?[\d.]+) (-?[\d.]+)h2v2h-2z", path):
            x, y = (float(across), float(down)) if how == "M" else (x + float(across),
                                                                    y + float(down))
            dots.add((round(x), round(y)))
    return dots


with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    page.show(lambda: page.type("#p", "0.7\ue007"))
    page.run("""
        document.activeElement.blur();
        window.filled = [];
        const fill = CanvasRenderingContext2D.prototype.fillRect;
        CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
            if (Math.abs(this.globalAlpha - 0.6) < 1e-6 &&
                    /^#(000000|ffffff)$/.test(this.fillStyle))
                window.filled.push([x / this.canvas.width, y / this.canvas.height]);
            fill.call(this, x, y, width, height);
        };""")
    page.show(lambda: page.press("t"))
    same("what is shown", [["slices", "60"], ["texture", "loss"], ["p", "0.7"]], page.options())
    same("the control", "loss", page.value("[data-option=texture]"))
    assert "--texture loss" in page.text("#command"), page.text("#command")

    # As dense in each part as in the program's picture, whose plot has another place and size.
    picture = page.folder / "dots.svg"
    subprocess.run([CLI, "--slices", "60", "--texture", "loss", "--p", "0.7", "--theme", "light",
                    "small.db", "-o", picture], cwd=page.folder, check=True, capture_output=True)
    svg = picture.read_text(encoding="utf-8")
    left, top, width, height = map(float, re.search(
        r'<rect x="([\d.]+)" y="([\d.]+)" width="(\d+)" height="(\d+)" fill="#ffffff" stroke=',
        svg).groups())
    plot = svg[:svg.index('class="legend"')]
    wanted = [((x - left) / width, (y - top) / height) for x, y in dots_of(plot)]
    seen = {tuple(dot) for dot in page.run("return window.filled")}
    size = page.run("const box = document.querySelector('#plots canvas').getBoundingClientRect();"
                    "const svg = document.querySelector('#plots svg');"
                    "const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;"
                    "return box.width * box.height / scale / scale")
    compared = 0
    for box in re.findall(r'd="M(\d+) (\d+)h(\d+)v(\d+)h-\d+z" data-part', plot) or \
            re.findall(r'd="M(\d+) (\d+)h(\d+)v(\d+)h-\d+z"><title>part', plot):
        x, y, across, down = map(float, box)
        share = across * down / width / height
        if share < 0.02:
            continue
        inside = [sum((x - left) / width <= one < (x - left + across) / width and
                      (y - top) / height <= other < (y - top + down) / height
                      for one, other in dots) for dots in (wanted, seen)]
        dense = [count / share / area for count, area in zip(inside, (width * height, size))]
        assert abs(dense[0] - dense[1]) <= 0.08 * max(dense) + 2 / (share * size), \
            f"a part of {share:.3f} of the plot: {inside} dots, a pixel {dense}"
        compared += inside[0] > 0
    assert compared > 3, f"{compared} parts with dots compared"
    page.keep("texture")
    page.show(lambda: page.press("t"))
    same("without it", [["slices", "60"], ["p", "0.7"]], page.options())
    page.quiet()

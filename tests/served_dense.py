"""A level of 100,000 parts, drawn on one canvas: served_dense.py ADDRESS FOLDER."""
import pathlib
import sys

from served import Page, same

# How often something is filled in what is seen, and whether that is where the hand has it.
WATCH = """
window.filled = 0;
const fill = CanvasRenderingContext2D.prototype.fillRect;
CanvasRenderingContext2D.prototype.fillRect = function(...box) {
    window.filled += this.canvas.closest('#plots') ? 1 : 0;
    return fill.apply(this, box);
};
window.frames_seen = [];
document.getElementById('plots').addEventListener('wheel', () => {
    const before = window.filled;
    const canvas = document.querySelector('#plots canvas:last-of-type');
    requestAnimationFrame(() => requestAnimationFrame(() =>
        window.frames_seen.push([window.filled - before, canvas.style.transform])));
}, {capture: true});"""

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    assert page.parts() > 100000, page.parts()
    elements = page.run("return document.querySelectorAll('#plots *').length")
    assert elements < 2000, f"{elements} elements"
    page.keep("dense")

    # Each is found under the pointer.
    box = page.run("const box = document.querySelector('#plots canvas').getBoundingClientRect();"
                   "return [box.x, box.y, box.width, box.height]")
    found = set()
    for share in (0.1, 0.35, 0.6, 0.85):
        page.point((box[0] + box[2] * share, box[1] + box[3] * share))
        page.until("!document.querySelector('.hover').hidden")
        found.add(page.text(".hover").split("\n")[0])
    assert len(found) == 4, found

    # Their list is as long.
    page.open("parts")
    page.until("document.querySelector('#details .scrolled table') !== null")
    same("lines of the list", page.parts() + 1, int(page.run(
        "return document.querySelector('#details .scrolled table').ariaRowCount")))
    page.close()

    # The wheel moves what is drawn, and draws none of it again before there is an answer; that
    # comes however often a coarse one was there before.
    for _ in range(3):
        page.show(lambda: page.wheel((box[0] + box[2] / 2, box[1] + box[3] / 2), -20))
    page.run(WATCH)
    page.show(lambda: page.wheel((box[0] + box[2] / 2, box[1] + box[3] / 2), -120))
    drawn, transform = page.run("return window.frames_seen[0]")
    same("what is drawn again in the next frame", 0, drawn)
    assert transform.startswith("translate("), transform
    page.quiet()

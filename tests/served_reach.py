"""The slow switch is reached with few actions: served_reach.py ADDRESS FOLDER."""
import pathlib
import sys

from served import Page, same

SWITCH = "nancy/griffon/griffon-sw2"


def arrived(page):
    same("the resource", SWITCH, dict(page.options())["resource"])
    nodes = {part["node"] for part in page.said()["parts"]}
    assert all(node == "" or node.startswith(SWITCH) for node in nodes), sorted(nodes)[:5]


with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    # With the mouse: a click on its label selects it, a double click there looks into it.
    page.keep("first")

    def beside():
        x, y = page.label("griffon-sw2")
        return x + 300, y

    def select():
        page.point(page.label("griffon-sw2"), "down", "up")
        page.until("document.querySelector('#panel section.range h2').textContent.includes("
                   "'griffon-sw2')")
        page.fitted("return document.getElementById('plots').clientHeight")  # beside the dock

    actions = [select, lambda: page.double(beside(), again=select)]
    actions[0]()
    page.keep("selected")
    page.show(actions[1])
    assert len(actions) <= 6
    arrived(page)
    page.keep("reached")

    # Back with the mouse, and by the tree.
    page.show(lambda: page.click("#back"))
    page.tree()
    clicks = ['[data-path="nancy/griffon"] .fold', f'[data-path="{SWITCH}"] bdi']
    if page.run("return document.querySelector(arguments[0]) === null", clicks[1]):
        page.click(clicks[0])
    page.show(lambda: page.click(clicks[1]))
    assert len(clicks) <= 6
    arrived(page)

    # With the keyboard: the search.
    page.run("document.activeElement.blur()")
    page.show(lambda: page.press("Home"))
    keys = ["/", "n", "-", "s", "w", "2"]
    page.press(keys[0])
    page.until("document.activeElement.type === 'search'")
    page.press(*keys[1:])
    page.until("document.querySelector('#palette li bdi')?.textContent.includes('griffon')")
    keys.append("Enter")
    page.show(lambda: page.press(keys[-1]))
    assert len(keys) <= 12
    arrived(page)
    page.quiet()

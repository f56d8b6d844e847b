"""Whoever has no mouse, no colours, or a small window: served_access.py ADDRESS FOLDER."""
import pathlib
import sys

from served import Page, same

# Elements that can be used without a name, roles without what they need, names given twice.
WRONG = """
const seen = element => element.checkVisibility();
const name = element => (element.getAttribute('aria-label') || element.textContent ||
    element.title || (element.labels && [...element.labels].map(one => one.textContent).join('')) ||
    element.placeholder || '').trim();
const wrong = [];
for (const element of document.querySelectorAll('button, input, select, textarea, a[href], summary,'
        + ' [role=button], [role=treeitem], [role=region], dialog, section, aside, nav'))
    if (seen(element) && name(element) === '' && !element.hasAttribute('aria-labelledby'))
        wrong.push('no name: ' + element.outerHTML.slice(0, 120));
for (const element of document.querySelectorAll('[aria-controls], [aria-labelledby]'))
    for (const id of (element.getAttribute('aria-controls') ||
            element.getAttribute('aria-labelledby')).split(' '))
        if (document.getElementById(id) === null)
            wrong.push('no element ' + id);
const ids = [...document.querySelectorAll('[id]')].map(one => one.id);
for (const id of ids.filter((one, at) => ids.indexOf(one) !== at))
    wrong.push('twice: ' + id);
for (const element of document.querySelectorAll('[tabindex]'))
    if (element.tabIndex > 0)
        wrong.push('a tab index of its own: ' + element.outerHTML.slice(0, 120));
const inside = {treeitem: 'tree', option: 'listbox', row: 'table', tab: 'tablist', gridcell: 'row'};
for (const element of document.querySelectorAll('[role]'))
    if (inside[element.getAttribute('role')] !== undefined && element.closest(
            '[role=' + inside[element.getAttribute('role')] + ']') === null)
        wrong.push('outside of what it belongs to: ' + element.outerHTML.slice(0, 120));
const words = {'aria-expanded': ['true', 'false'], 'aria-selected': ['true', 'false'],
    'aria-pressed': ['true', 'false', 'mixed'], 'aria-checked': ['true', 'false', 'mixed'],
    'aria-hidden': ['true', 'false'], 'aria-busy': ['true', 'false'],
    'aria-live': ['off', 'polite', 'assertive']};
for (const [key, values] of Object.entries(words))
    for (const element of document.querySelectorAll('[' + key + ']'))
        if (!values.includes(element.getAttribute(key)))
            wrong.push(key + ': ' + element.outerHTML.slice(0, 120));
for (const element of document.querySelectorAll('[aria-hidden=true]'))
    if (element.matches('button, input, a') || element.querySelector(
            'button, input, select, textarea, a[href], [tabindex="0"]') !== null)
        wrong.push('hidden, and can have the focus: ' + element.outerHTML.slice(0, 120));
let depth = 0;
for (const heading of [...document.querySelectorAll('h1, h2, h3, h4')].filter(seen)) {
    const level = Number(heading.tagName[1]);
    if (level > depth + 1 || heading.textContent.trim() === '')
        wrong.push('heading: ' + heading.outerHTML.slice(0, 120));
    depth = level;
}
for (const table of [...document.querySelectorAll('table')].filter(seen))
    if (table.caption === null || [...table.querySelectorAll('th')].some(one => one.scope === '' &&
            one.textContent.trim() !== ''))
        wrong.push('a table without a caption, or a head of nothing: ' +
            table.outerHTML.slice(0, 120));
const names = new Map();
for (const element of document.querySelectorAll('section, aside, nav, [role=region]'))
    if (seen(element))
        names.set(name(element), (names.get(name(element)) || 0) + 1);
for (const [what, times] of names)
    if (times > 1)
        wrong.push('landmarks of one name: ' + what.slice(0, 60));
const only = name => document.querySelectorAll(name).length === 1;
if (document.documentElement.lang === '' || document.title === '' || !only('h1') || !only('main'))
    wrong.push('language, title, heading or main');
return wrong;
"""

# Places that lie over one another; sheets do, and are closed.
OVER = """
const over = [];
const places = [...document.querySelectorAll(
    'body > header, body > section, main, #plots, #legend, #said, body > footer')].filter(
        one => one.checkVisibility());
places.forEach((place, i) => places.slice(i + 1).forEach(other => {
    const [box, its] = [place, other].map(one => one.getBoundingClientRect());
    if (!place.contains(other) && box.left < its.right - 1 && its.left < box.right - 1 &&
            box.top < its.bottom - 1 && its.top < box.bottom - 1)
        over.push((place.id || place.className) + ' and ' + (other.id || other.className));
}));
return over;
"""

# Contrast of text with its background, as WCAG 2 defines it; reports what is below 4.5.
FAINT = """
const channels = text => (text.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v =>
    v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) =>
    sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = element => {
    for (let one = element; one !== null; one = one.parentElement) {
        const colour = channels(getComputedStyle(one).backgroundColor);
        if (colour.length === 3 || colour[3] === 1)
            return colour;
    }
    return [255, 255, 255];
};
const faint = [];
for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(one => one.nodeType === 3 && one.data.trim() !== '');
    if (!own || !element.checkVisibility() || element.closest('svg, :disabled, option, .unseen'))
        continue;
    const [one, other] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5)
        faint.push(ratio.toFixed(2) + ' ' + element.outerHTML.slice(0, 100));
}
return faint;
"""


# What has the focus, and whether that can be seen.
FOCUSED = """const on = document.activeElement;
    if (on === document.body) return null;
    const ringed = one => one !== null && getComputedStyle(one).outlineStyle !== 'none';
    return [on.id || on.dataset.part && 'part' || on.dataset.panel || on.dataset.option ||
        on.dataset.save || on.getAttribute('role') || on.type || on.tagName,
        ringed(on) || ringed(on.closest('label')) || on.matches('[data-part], .below')]"""


def tabbed(page, most=80):
    """What Tab reaches from where the focus is, each of which shows that it has it."""
    reached = []
    for _ in range(most):
        page.press("Tab")
        what = page.run(FOCUSED)
        if what is None or (len(reached) > 3 and what[0] == reached[0]):
            break
        assert what[1], f"{what[0]} has the focus, and nothing shows it"
        reached.append(what[0])
    return reached


with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    same("what has no name", [], page.run(WRONG))
    same("what is faint", [], page.run(FAINT))

    page.levels()

    # All is reached by Tab, and where the focus is can be seen: the bars, the picture, types, and
    # one tab, from which arrows lead to the others.
    reached = tabbed(page)
    for wanted in ("tree-open", "title", "level", "level-open", "palette-open", "help-open",
                   "brush", "part", "checkbox", "tab-selection", "command", "save-open",
                   "options-open"):
        assert wanted in reached, (wanted, reached)
    tabs = page.tabs()
    page.run("document.querySelector('#panel-bar [tabindex=\"0\"]').focus()")
    for name in tabs[1:] + tabs[:1]:
        page.press("Right")
        same("the tab that has the focus", name,
             page.run("return document.activeElement.dataset.panel"))

    # What a button opens is next, and Escape leads back to the button.
    for button, box, within in (("level-open", "level-box", {"p", "parts", "rule", "scale"}),
                                ("title", "about", {"theme"}),
                                ("save-open", "save-box", {"svg", "html"}),
                                ("options-open", "options", {"options-find", "kind", "metric"})):
        page.run("document.getElementById(arguments[0]).focus()", button)
        page.press("Enter")
        page.until(f"document.querySelector('#{box}:popover-open') !== null")
        reached = tabbed(page, 8)
        assert within <= set(reached), (box, reached)
        page.press("Escape")
        page.until(f"document.querySelector('#{box}:popover-open') === null")
    page.tree()
    page.run("document.getElementById('brush').focus()")
    assert "treeitem" in tabbed(page, 6)

    # The focus goes from left to right and down, as the page is read: never back up a column.
    order = page.run("""
        const places = [...document.querySelectorAll(
            'body > header, body > section, main > *, body > footer')].filter(
            one => one.checkVisibility()).map(one => one.getBoundingClientRect());
        return places.map(place => [Math.round(place.x), Math.round(place.y)]);""")
    for before, after in zip(order, order[1:]):
        assert after[0] > before[0] or after[1] > before[1], (before, after, order)

    # Each tab, with what it shows.
    for name in tabs:
        page.open(name)
        same(f"what is wrong in {name}", [], page.run(WRONG))
        same(f"what is faint in {name}", [], page.run(FAINT))
    page.close()

    # The tree by its keys; the help by its own.
    page.run("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
    page.press("Right", "Right")
    page.until("document.activeElement.dataset.path.split('/').length > 1")
    page.run("document.activeElement.blur()")
    page.press("?")
    page.until("document.getElementById('help').open")
    same("what has no name in the help", [], page.run(WRONG))
    page.keep("help")
    page.press("Escape")
    page.until("!document.getElementById('help').open")

    # A live region reports what happens.
    page.press("]")
    page.settled()
    assert "parts" in page.text("#status"), page.text("#status")

    # Dark by preference, and by the switch; colours of the system; small, and twice as large.
    page.prefer(prefers_color_scheme="dark")
    page.settled()
    page.until("getComputedStyle(document.documentElement).backgroundColor !== "
               "'rgb(255, 255, 255)'")
    same("what is faint in the dark", [], page.run(FAINT))
    page.keep("dark")
    page.prefer()
    for theme in ("dark", "light"):
        page.theme(theme)
        same("what is faint", [], page.run(FAINT))
    page.prefer(forced_colors="active", prefers_reduced_motion="reduce")
    page.keep("forced")
    page.prefer()
    for width, name in ((320, "narrow"), (500, "small"), (720, "twice"), (1280, "common")):
        page.size(width, 900)
        same(f"what lies over something at {width}", [], page.run(OVER))
        same(f"where the parts are beside their plot at {width}", [0, 0, 0, 0], page.fitted("""
            const [parts, plot] = ['#plots canvas', '#plots svg > rect[stroke]'].map(
                name => document.querySelector(name).getBoundingClientRect());
            return ['left', 'right', 'top', 'bottom'].map(side =>
                Math.max(0, Math.floor(Math.abs(parts[side] - plot[side]) - 1)));"""))
        same(f"what is wider than {width}", [], page.run("""
            return document.documentElement.scrollWidth <= arguments[0] ? [] :
                [...document.querySelectorAll('body *')].filter(one =>
                    one.getBoundingClientRect().right > arguments[0] + 1 &&
                    one.closest('#plots, #crumbs, .below, .tablist') === null).map(
                    one => one.outerHTML.slice(0, 80)).slice(0, 5)""", width))
        page.keep(name)
    # Letters of pictures can be read in a window of a common size.
    page.show(lambda: page.press("w"))
    letters = page.run("""
        const svg = document.querySelector('#plots svg');
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        return Math.min(...[...svg.querySelectorAll('text')].map(
            one => one.getAttribute('font-size') * scale));""")
    assert letters >= 9, f"letters of {letters:.1f} pixels"
    page.quiet()

"""Full figures of panels (titles, where cells are short) against the program's JSON, digit by
digit: served_digits.py ADDRESS FOLDER.

The server answers questions in SQL."""
import json
import pathlib
import sys

from served import Page, same


def numbers(rows):
    """What rows of texts say, as numbers where they are some."""
    found = []
    for row in rows:
        found.append([])
        for cell in row:
            try:
                found[-1].append(float(cell))
            except ValueError:
                found[-1].append(cell)
    return found


with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    def table():
        """The lines that are seen of the first table, and the number of all."""
        return page.run("const one = document.querySelector('#panel-body table');"
                        "const lines = [...one.tBodies[0].rows].filter("
                        "row => row.cells.length > 1);"
                        "return [lines.map(row => [...row.cells].map("
                        "cell => cell.title || cell.textContent)),"
                        "one.hasAttribute('aria-rowcount') ? one.getAttribute('aria-rowcount') - 1"
                        " : lines.length]")

    def lists(what, wanted, bars=0):
        """The table has these rows; bars in its last columns are not looked at."""
        lines, count = table()
        same(what + ": rows", len(wanted), count)
        same(what, wanted[:len(lines)], numbers(line[:len(line) - bars] for line in lines))

    def opened(name):
        page.click(f"[data-panel={name}]")
        page.until("document.querySelector('#panel-body table, #panel-body textarea') !== null")
        page.settled()

    columns = ["innermost", "share", "inclusive", "begun", "ended", "mean", "min", "median", "p90",
               "p99", "max"]

    def listed(*options):
        """The rows of the program's totals, in its order."""
        found = []
        for kind in page.program("stats", "--json", *options, "trace.db")["types"]:
            name = kind["name"] + (", " + kind["group"] if "group" in kind else "")
            for row in kind["values"] + [dict(kind, name="all")]:
                time = row[{"state": "innermost", "link": "ended_time"}.get(kind["category"],
                                                                            "inclusive")]
                found.append([row["name"] or "(no value)", name, time] +
                             ["" if row[one] is None else row[one] for one in columns[1:]])
        return found

    def choose(name, value):
        page.run("const field = document.querySelector("
                 "`#panel-body [data-choice='${arguments[0]}']`);"
                 "field[field.type === 'checkbox' ? 'checked' : 'value'] = arguments[1];"
                 "field.dispatchEvent(new Event('change'))", name, value)

    def shows(*words):
        """Waits until the panel has the answer to these words."""
        page.until("document.querySelector('#panel-body pre') !== null && document.querySelector("
                   "'#panel-body pre').textContent === " + json.dumps(
                       " ".join(["ocelotl-cli stats", *words, "trace.db -o stats.svg"])))
        page.settled()
        wanted = listed(*words)
        assert len(wanted) > 5 and any(len(str(row[3])) > 12 for row in wanted), wanted
        lists(f"totals by {words}", wanted, 1)

    opened("stats")
    shows()
    same("sorted by", "time", page.run(
        "return document.querySelector('#panel-body [aria-sort] button').dataset.sort"))
    choose("shares of", "active")
    shows("--of", "active")
    page.run("document.querySelector('#panel-body [data-sort=p90]').click()")
    shows("--of", "active", "--sort", "p90")
    page.until("document.activeElement.dataset.sort === 'p90'")
    choose("groups", "SWITCH")
    shows("--of", "active", "--at", "SWITCH", "--sort", "p90")
    choose("quantiles", True)
    shows("--of", "active", "--at", "SWITCH", "--sort", "p90", "--quantiles")
    choose("groups", "resource")
    choose("shares of", "")
    choose("quantiles", False)
    page.run("document.querySelector('#panel-body [data-sort=name]').click()")
    shows("--at", "resource", "--sort", "name")

    opened("sql")
    question = "SELECT value, sum(duration) / 3, count(*), begin FROM events GROUP BY value"
    page.type("#panel-body textarea", question)
    page.click("#panel-body button")
    page.until("document.querySelector('#panel-body table') !== null")
    rows = page.program("sql", "--json", "trace.db", question)
    lists("rows", [list(row.values()) for row in rows])

    # With the borders that the table says each event is in the row that counts it.
    opened("durations")
    line = "document.querySelector('#panel-body pre').textContent"
    name = page.run("return document.querySelector(`#panel-body [data-choice='of']`)[1].value")
    choose("of", name)
    page.until(f"{line}.includes('--durations {name} ')")
    page.settled()
    rows = page.program("sql", "--json", "trace.db",
                        f"SELECT duration FROM events WHERE value = '{name}'")
    for begin, end, events, total, _ in numbers(table()[0]):
        inside = [row["duration"] for row in rows if begin <= row["duration"] < end or
                  begin == end == row["duration"]]
        same(f"events from {begin} to {end}", events, len(inside))
        assert abs(sum(inside) - total) <= 1e-13 * total, (sum(inside), total)

    # By group, over time, beside another window; a number opens the question for its events.
    choose("of", "PMPI_Wait")
    choose("groups", "CLUSTER")
    page.until(f"{line} === 'ocelotl-cli stats --durations PMPI_Wait --at CLUSTER trace.db "
               "-o stats.svg'")
    page.settled()
    answer = page.program("stats", "--json", "--durations", "PMPI_Wait", "--at", "CLUSTER",
                          "trace.db")
    lists("counts of groups", [border + [
        sum(one["count"] for one in column["bins"] if [one["begin"], one["end"]] == border)
        for column in answer["columns"]] for border in answer["borders"]])
    choose("over time", True)
    page.until(f"{line}.includes('--over-time 60')")
    choose("over time", False)
    choose("groups", "")
    page.type("#panel-body input[type=text]", "50%")
    page.press("Tab")
    page.until(f"{line} === 'ocelotl-cli stats --durations PMPI_Wait --from2 50% trace.db "
               "-o stats.svg'")
    page.settled()
    button = "document.querySelector('#panel-body tbody button')"
    count = int(page.run(f"return {button}.textContent"))
    page.run(button + ".click()")
    page.until("document.querySelector('#panel-body textarea') !== null")
    page.run("document.querySelector('#panel-body button').click()")
    page.until("document.querySelector('#panel-body table') !== null")
    same("the events behind a number", count, table()[1])
    page.quiet()

"""Numbers of panels against the program's JSON, digit by digit: served_digits.py ADDRESS FOLDER.

The server answers questions in SQL."""
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
    def table(number=0):
        return page.run("const one = document.querySelectorAll('#panel-body table')[arguments[0]];"
                        "return [...one.tBodies[0].rows].map(row => [...row.cells].map("
                        "cell => cell.textContent))", number)

    def opened(name):
        page.click(f"[data-panel={name}]")
        page.until("document.querySelector('#panel-body table, #panel-body textarea') !== null")
        page.settled()

    opened("stats")
    said = page.program("stats", "--json", "trace.db")
    wanted = [[value["name"] or "(no value)", kind["name"], value.get("begun", value.get("count")),
               value["innermost"], value["share"], value["mean"]]
              for kind in said["types"] if kind["category"] == "state"
              for value in kind["values"]]
    got = [row for row in numbers(table()) if row[1] == said["types"][0]["name"]]
    assert len(wanted) > 5 and any(len(str(row[4])) > 12 for row in wanted), wanted
    same("totals", [row for row in wanted if row[1] == said["types"][0]["name"]], got)

    opened("sql")
    question = "SELECT value, sum(duration) / 3, count(*), begin FROM events GROUP BY value"
    page.type("#panel-body textarea", question)
    page.click("#panel-body button")
    page.until("document.querySelector('#panel-body table') !== null")
    rows = page.program("sql", "--json", "trace.db", question)
    same("rows", [list(row.values()) for row in rows], numbers(table()))

    # With the borders that the table says each event is in the row that counts it.
    opened("durations")
    name = page.run("return document.querySelector('#panel-body select').value")
    rows = page.program("sql", "--json", "trace.db",
                        f"SELECT duration FROM events WHERE value = '{name}'")
    for begin, end, events, total, _ in numbers(table()):
        inside = [row["duration"] for row in rows if begin <= row["duration"] < end]
        same(f"events from {begin} to {end}", events, len(inside))
        assert abs(sum(inside) - total) <= 1e-13 * total, (sum(inside), total)
    page.quiet()

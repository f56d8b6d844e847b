"""Two pages of one trace that keep notes: served_both.py ADDRESS FOLDER."""
import json
import pathlib
import sys

from served import Page, same

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    first = page.call("GET", "/window")
    second = page.call("POST", "/window/new", {"type": "tab"})["handle"]

    def switch(window):
        page.call("POST", "/window", {"handle": window})

    def listed():
        """The notes of the table."""
        return page.run("return [...document.querySelectorAll('#panel-body tbody tr')].map("
                        "row => row.cells[1].textContent)")

    def keep(text, wanted):
        page.type("#panel-body textarea", text)
        page.click("#panel-body button")
        page.until(f"document.querySelectorAll('#panel-body tbody tr').length === {wanted}")
        same("a problem", "", page.problem())

    switch(second)
    page.go(page.address)
    page.settled()
    for window in (first, second):
        switch(window)
        page.click("[data-panel=notes]")
        page.until("document.querySelector('#panel-body textarea') !== null")
        same("notes at first", [], listed())

    # Each keeps what it did not know of the other: what was refused is done again with that.
    switch(first)
    keep("one", 1)
    switch(second)
    page.requests()
    keep("two", 2)
    same("what the second page lists", ["one", "two"], listed())
    asked = [one for one in page.requests() if one.endswith("/notes")]
    same("kept, read again, kept", 3, len(asked))
    switch(first)
    keep("three", 3)
    same("what the first page lists", ["one", "two", "three"], listed())

    # What one removes, the other does not bring back.
    page.run("document.querySelector("
             "'#panel-body tbody tr:nth-child(2) button:last-child').click()")
    page.until("document.querySelectorAll('#panel-body tbody tr').length === 2")
    switch(second)
    keep("four", 3)
    same("after one was removed", ["one", "three", "four"], listed())
    with open(page.folder / "small.db.notes.json", encoding="utf-8") as file:
        same("the file", ["one", "three", "four"],
             [one["text"] for one in json.load(file)["notes"]])
    same("marks in the picture", "123", page.run(
        "return [...document.querySelectorAll('#plots text.noted')].map("
        "one => one.textContent).join('')"))
    page.quiet(refused=("409 (Conflict)",))

"""Trees of types in the served page: served_types.py ADDRESS FOLDER."""
import pathlib
import sys

from served import Page, same

CHOOSE = "const field = document.querySelector(`[data-option=${arguments[0]}]`);" \
         "field.value = arguments[1]; field.dispatchEvent(new Event('change'))"
BOXES = "return [...document.querySelectorAll('#legend .groups, #legend label:has(input)')].map(" \
        "one => (one.className === 'groups' ? '# ' : '') + one.textContent)"

with Page(sys.argv[1], pathlib.Path(sys.argv[2])) as page:
    def choose(name, value):
        page.show(lambda: page.run(CHOOSE, name, value))

    choose("type-tree", "mpi")
    same("the tree", "mpi", dict(page.options())["type-tree"])
    boxes = page.run(BOXES)
    for above, name in (("# Point-to-point › Completing", "PMPI_Wait"),
                        ("# Collective › All to all", "PMPI_Allreduce")):
        same(f"what stands above {name}", above, boxes[boxes.index(name) - 1])
    same("parts with a tree", len(page.said()["parts"]), page.parts())

    # Types of the level are those that the program says.
    choose("type-level", "1")
    said = page.said()
    same("parts of the level", len(said["parts"]), page.parts())
    names = {name for part in said["parts"] for name in part["shares"]} - {"(no state)"}
    same("types of the level", sorted(names), sorted(page.run(BOXES)))
    box = "[...document.querySelectorAll('#legend label')].find(one => one.textContent === " \
          "'Collective').querySelector('input')"
    page.until(f"!{box}.disabled")

    # A group is left out with all of its types, and comes back.
    page.show(lambda: page.run(f"{box}.click()"))
    left = [value for name, value in page.options() if name == "except"]
    assert len(left) > 1 and "PMPI_Allreduce" in left and "PMPI_Wait" not in left, left
    same("parts without a group", len(page.said()["parts"]), page.parts())
    page.until(f"!{box}.checked")
    page.show(lambda: page.run(f"{box}.click()"))
    same("the groups", [], [value for name, value in page.options() if name == "except"])
    page.until(f"{box}.checked")

    # All of them cannot go: the box says so.
    page.show(lambda: page.run(f"{box}.click()"))
    last = box.replace("Collective", "Point-to-point")
    page.until(f"!{last}.disabled")
    page.run(f"{last}.click()")
    page.until("!document.getElementById('problem').hidden")
    page.until(f"{last}.checked")
    page.show(lambda: page.run(f"{box}.click()"))
    assert "other" not in page.text("#panel"), page.text("#panel")
    page.keep("types")

    # Another tree has other levels.
    choose("type-tree", "cuda")
    assert "type-level" not in dict(page.options()), page.options()
    choose("type-tree", "")
    assert "type-tree" not in dict(page.options()), page.options()
    assert "# Point-to-point › Completing" not in page.run(BOXES)
    page.quiet(refused=("400 (Bad Request)",))

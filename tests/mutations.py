#!/usr/bin/env python3
"""Counts how many small mistakes in the program the tests find.

    tests/mutations.py [--label fast] [--count 40] [--seed 1] [--only ROOM] [BASE]
    tests/mutations.py [--label fast] --again OUTPUT [BASE]

Each mutation changes one operator or number in a line of code of BASE (default: the checkout as it
is committed), builds it in a copy in a temporary folder, and runs the tests of a label until one
fails. The same seed gives the same mutations of the same code. A line for each says what was
changed and which test found it; the last line counts. A mutation that does not compile is drawn
anew. --again makes the mutations of an earlier output once more, wherever their lines stand now, so
that two states of the tests can be compared.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("engine/", "importers/", "viz/", "request/", "cli/", "server/")
# What stands in a line, and what takes its place.
SWAPS = ((r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
         (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "), (r" \+ 1\b", ""),
         (r" - 1\b", ""), (r" \+ ", " - "), (r" - ", " + "), (r"\btrue\b", "false"),
         (r"\bfalse\b", "true"), (r"\b0\b", "1"), (r"\+\+", "--"), (r"\?(.*):(.*);", r"?\2:\1;"))


def run(*command, folder):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False)


def code_lines(folder, only):
    """Lists lines inside functions that may be changed: not comments, declarations or messages."""
    for path in sorted(folder.rglob("*.c")):
        name = str(path.relative_to(folder))
        if not name.startswith(ROOMS) or not name.startswith(only):
            continue
        for number, line in enumerate(path.read_text("utf-8").split("\n")):
            plain = line.strip()
            if line.startswith("    ") and '"' not in line and \
                    not plain.startswith(("*", "/*", "static const", "enum", "#", "//")):
                yield path, number, line


def draw(folder, lines, chosen):
    """Changes one of the lines; gives the file, its text before, and what was changed."""
    while True:
        path, number, line = chosen.choice(lines)
        found = [(match, to) for of, to in SWAPS for match in re.finditer(of, line)]
        if not found:
            continue
        match, to = chosen.choice(found)
        changed = line[:match.start()] + match.expand(to) + line[match.end():]
        before = path.read_text("utf-8")
        text = before.split("\n")
        text[number] = changed
        path.write_text("\n".join(text), "utf-8")
        return path, before, f"{path.relative_to(folder)}:{number + 1}: {line.strip()} -> " \
            f"{changed.strip()}"


def repeat(folder, lines, earlier):
    """Makes a mutation of an earlier output again; gives the same as draw, or None."""
    name, line, changed = re.match(r".*?: (\S+):\d+: (.*) -> (?!.* -> )(.*)", earlier).groups()
    places = [(path, number) for path, number, found in lines if found.strip() == line]
    places.sort(key=lambda place: str(place[0].relative_to(folder)) != name)
    if not places:
        return None
    path, number = places[0]
    before = path.read_text("utf-8")
    text = before.split("\n")
    text[number] = text[number].replace(line, changed)
    path.write_text("\n".join(text), "utf-8")
    return path, before, f"{path.relative_to(folder)}:{number + 1}: {line} -> {changed}"


def first_failure(folder, label):
    """Runs the tests of a label until one fails; gives its name, "" where all pass."""
    said = run("ctest", "--test-dir", "build", "-L", label, "--stop-on-failure", "--timeout", "300",
               "-j2", folder=folder).stdout
    failed = re.search(r"Test +#\d+: (\S+) \.*\*\*\*", said)
    return failed.group(1) if failed else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--label", default="fast")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--again", type=argparse.FileType("r"))
    parser.add_argument("base", nargs="?", default="HEAD")
    given = parser.parse_args()
    chosen = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "code"
        folder.mkdir()
        archive = subprocess.Popen(["git", "archive", given.base], cwd=ROOT, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
        shared = ROOT.parent / "shared"
        if shared.is_dir():
            (pathlib.Path(temporary) / "shared").symlink_to(shared)
        if run("scripts/build.sh", "build", "-DOCELOTL_TESTS=ON", folder=folder).returncode != 0 \
                or first_failure(folder, given.label):
            sys.exit("the tests fail without a mutation")
        lines = list(code_lines(folder, given.only))
        earlier = [line for line in given.again or () if " -> " in line]
        caught = done = 0
        while earlier or not given.again and done < given.count:
            made = repeat(folder, lines, earlier.pop(0)) if given.again else \
                draw(folder, lines, chosen)
            if not made:
                continue
            path, before, what = made
            if run("cmake", "--build", "build", folder=folder).returncode == 0:
                found = first_failure(folder, given.label)
                caught += found != ""
                done += 1
                print(f"{'found by ' + found if found else 'survives'}: {what}", flush=True)
            path.write_text(before, "utf-8")
        print(f"{caught} of {done} mutations found by the tests of the label {given.label}")


if __name__ == "__main__":
    main()

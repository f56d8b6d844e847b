#!/usr/bin/env python3
"""Finds circles: files, folders or headers that use each other, directly or round.

    scripts/circles.py BUILD

A source uses another if its object lacks a symbol that the other one has, so calls, tables and data
count alike. A header uses those that it includes. A folder and its sub-folder count as two. Prints
each circle with the arrows that make it, and fails if it finds one.
"""
import os
import re
import subprocess
import sys

ROOMS = ("engine", "importers", "viz", "request", "cli", "server")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INSTRUCTIONS = re.compile(r"_(plain|avx2|avx512)$")


def objects(build):
    """The source and the object of each file of the library and the program that exists."""
    pattern = re.compile(r"/(?:ocelotl_objects|ocelotl_vector_\w+|ocelotl-cli)\.dir/"
                         r"((?:%s)/.*\.c)\.o$" % "|".join(ROOMS))
    for folder, _, names in os.walk(build):
        for name in names:
            path = os.path.join(folder, name)
            found = pattern.search(path)
            if found and os.path.exists(os.path.join(ROOT, found.group(1))):
                yield found.group(1), path


def symbols(path):
    """What an object has, and what it lacks."""
    has, lacks = set(), set()
    listed = subprocess.run(["nm", "--portability", path], capture_output=True, text=True,
                            check=True).stdout
    for line in listed.splitlines():
        name, kind = line.split()[:2]
        if kind == "U":
            lacks.add(name)
        elif kind.isupper():
            has.update((name, INSTRUCTIONS.sub("", name)))
    return has, lacks


def arrows_of_sources(build):
    """Maps each source to those whose symbols it uses, with one such symbol."""
    owner, wanted = {}, {}
    for source, path in sorted(objects(build)):
        has, lacks = symbols(path)
        wanted.setdefault(source, set()).update(lacks)
        for name in has:
            owner.setdefault(name, source)
    if not wanted:
        sys.exit(f"circles.py: {build} holds no object of {', '.join(ROOMS)}, expected a build")
    return {
        (source, owner[name]): name
        for source, names in wanted.items()
        for name in sorted(names)
        if owner.get(name, source) != source
    }


def arrows_of_headers():
    """From each header to those that it includes."""
    arrows = {}
    places = ("", "engine", "include")
    for room in (*ROOMS, "include"):
        for folder, _, names in os.walk(os.path.join(ROOT, room)):
            for name in names:
                if not name.endswith(".h"):
                    continue
                header = os.path.relpath(os.path.join(folder, name), ROOT)
                with open(os.path.join(ROOT, header), encoding="utf-8") as file:
                    included = re.findall(r'^ *# *include *["<]([^">]+)[">]', file.read(),
                                          re.MULTILINE)
                for other in included:
                    for place in (*places, os.path.dirname(header)):
                        path = os.path.normpath(os.path.join(place, other))
                        if os.path.exists(os.path.join(ROOT, path)) and path != header:
                            arrows[header, path] = "include"
                            break
    return arrows


def circles(arrows):
    """The sets of more than one that can all reach each other (Tarjan)."""
    uses = {}
    for a, b in arrows:
        uses.setdefault(a, set()).add(b)
    index, low, path, found = {}, {}, [], []

    def visit(one):
        index[one] = low[one] = len(index)
        path.append(one)
        for other in sorted(uses.get(one, ())):
            if other not in index:
                visit(other)
                low[one] = min(low[one], low[other])
            elif other in path:
                low[one] = min(low[one], index[other])
        if low[one] == index[one]:
            place = path.index(one)
            if len(path) - place > 1:
                found.append(sorted(path[place:]))
            del path[place:]

    sys.setrecursionlimit(100000)
    for one in sorted(uses):
        if one not in index:
            visit(one)
    return found


def report(what, arrows):
    """Prints the circles of some arrows, and counts them."""
    found = circles(arrows)
    for circle in found:
        print(f"a circle of {what}: {' '.join(circle)}", file=sys.stderr)
        for (a, b), why in sorted(arrows.items()):
            if a in circle and b in circle:
                print(f"  {a} uses {b}: {why}", file=sys.stderr)
    return len(found)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/circles.py BUILD")
    sources = arrows_of_sources(sys.argv[1])
    folders = {}
    for (a, b), why in sources.items():
        if os.path.dirname(a) != os.path.dirname(b):
            folders.setdefault((os.path.dirname(a), os.path.dirname(b)), f"{a} uses {why} of {b}")
    found = report("sources", sources) + report("folders", folders)
    found += report("headers", arrows_of_headers())
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

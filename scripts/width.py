#!/usr/bin/env python3
"""Lists lines of more than 100 columns and fails if it finds one: scripts/width.py FILE...

Accepted are lines with a string that takes most of them (a message, a pattern), and documents that
a shell script holds (<<'END' .. END): these are programs and data of other languages.
"""
import re
import sys

COLUMNS = 100
LONG_STRING = re.compile(r"""'[^']{60,}'?|"([^"\\]|\\.){60,}"?""")
DOCUMENT = re.compile(r"""<<-?\s*['"]?([A-Z_]+)['"]?""")


def too_long(path):
    """The numbers of the lines of a file that are too long."""
    end = None
    shell = path.endswith((".sh", ".inc"))
    has_strings = shell or path.endswith(".js")
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if end is not None:
                end = None if line == end else end
                continue
            if len(line) > COLUMNS and not (has_strings and LONG_STRING.search(line)):
                yield number
            begun = DOCUMENT.search(line) if shell and "<<<" not in line else None
            end = begun.group(1) if begun else None


def main(paths):
    found = [f"{path}:{number}" for path in paths for number in too_long(path)]
    for place in found:
        print(f"{place}: more than {COLUMNS} columns", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

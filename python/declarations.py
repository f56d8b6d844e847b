#!/usr/bin/env python3
"""Reads the declarations of the public headers, as cffi wants them.

    declarations.py FOLDER      prints those of the headers in FOLDER/ocelotl

Types, functions and whole numbers come as they stand there; inline functions, text and what is for
C++ alone stay away. Nothing is declared by hand.
"""
import re
import sys
from pathlib import Path


def without_comments(text):
    """Texts in quotes hold no comments in these headers."""
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def logical_lines(text):
    """Lines, each with those that a backslash adds to it."""
    return text.replace("\\\n", " ").splitlines()


class Conditions:
    """Which lines of a header count: all but those for C++, and those for no compiler we know."""

    def __init__(self):
        self.stack = []

    def take(self, directive, argument):
        if directive == "ifdef":
            self.stack.append(argument != "__cplusplus")
        elif directive in ("ifndef", "if"):
            self.stack.append(True)
        elif directive == "else":
            self.stack[-1] = not self.stack[-1]
        elif directive == "endif":
            self.stack.pop()

    def hold(self):
        return all(self.stack)


def read_header(path):
    """Gives the code of a header, and the numbers that it defines."""
    conditions = Conditions()
    code = []
    numbers = []
    for line in logical_lines(without_comments(path.read_text(encoding="utf-8"))):
        found = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if found is None:
            if conditions.hold():
                code.append(line)
            continue
        directive, rest = found.groups()
        conditions.take(directive, rest.strip())
        number = re.fullmatch(r"(OCELOTL_\w+|ARROW_\w+)\s+(\d+|UINT32_MAX)\s*", rest)
        if directive == "define" and number is not None and conditions.hold():
            numbers.append(number.groups())
    return "\n".join(code), numbers


def without_inline_functions(code):
    """Their bodies have no braces inside."""
    return re.sub(r"static inline [^{;]*\{[^{}]*\}", "", code)


def ordered_headers(folder):
    """The headers, each behind those that it includes."""
    done = []

    def visit(name):
        path = folder / name
        if path in done:
            return
        for included in re.findall(r"#include <(ocelotl/\w+\.h)>", path.read_text("utf-8")):
            visit(included)
        done.append(path)

    visit("ocelotl/ocelotl.h")
    return done


def read(folder):
    """Gives the declarations of all headers in a folder as one text."""
    text = []
    for path in ordered_headers(Path(folder)):
        code, numbers = read_header(path)
        for name, value in numbers:
            text.append(f"#define {name} {value if value.isdigit() else '...'}")
        code = without_inline_functions(code).replace("OCELOTL_API ", "")
        text += [line.rstrip() for line in code.splitlines() if line.strip()]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(read(sys.argv[1]))

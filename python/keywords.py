#!/usr/bin/env python3
"""Writes the types of the keywords, ocelotl/_keywords.pyi, from the rows of the commands.

    python/keywords.py >python/ocelotl/_keywords.pyi

It asks the package that Python imports.
"""
import sys
from pathlib import Path
from textwrap import fill

# The classes of the methods' keywords, by command; what a method takes as an argument of its own.
CLASSES = (("OverviewKeywords", "overview", {"p"}),
           ("StatsKeywords", "stats", {"durations", "over-time", "from2", "to2"}),
           ("DurationsKeywords", "stats", {"durations", "of", "quantiles", "extremes"}),
           ("EventsKeywords", "export", set()), ("SeriesKeywords", "series", set()),
           ("CompareKeywords", "compare", set()), ("CheckKeywords", "check", set()),
           ("MatrixKeywords", "matrix", set()),
           ("CausalityKeywords", "causality", set()), ("ClocksKeywords", "clocks", set()),
           ("CorrectKeywords", "correct", set()),
           ("HierarchiesKeywords", "hierarchies", set()), ("SweepKeywords", "sweep", set()),
           ("GanttKeywords", "gantt", set()), ("TreemapKeywords", "treemap", {"p"}),
           ("SnapshotKeywords", "snapshot", {"p"}))

HEAD = '''# Written by python/keywords.py.
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from os import PathLike
from typing import Literal, Sequence, TypedDict, Union

_Time = Union[float, str, timedelta, Fraction, Decimal]
_Part = Union[int, str]
_Path = Union[str, PathLike[str]]
'''

TYPES = {"": "bool", "X": "float", "N": "int", "T": "_Time", "PART": "_Part", "FILE": "_Path",
         "max": 'Literal["max"]', "LEVEL": 'Union[int, Literal["auto"]]'}


def type_of(row, value):
    """The type of a row's value; what may be given again may be a list."""
    words = value.split("|")
    if len(words) > 1:
        one = f"Literal[{', '.join(repr(word) for word in words)}]".replace("'", '"')
    else:
        one = TYPES.get(value, "str")
    return f"Union[{one}, Sequence[{one}]]" if row.repeatable else one


def find_fields(command, without):
    """The keywords that a class has, with their types, as lines."""
    from ocelotl._calls import text
    from ocelotl._requests import is_elsewhere, keyword_of, rows
    return [f"    {keyword_of(option)}: {type_of(row, text(row.value))}"
            for option, row in rows(command).items()
            if not is_elsewhere(command, option) and option not in without]


def share_fields(fields):
    """Lines by the classes that have them: one class above these holds them, if they are several.
    """
    holders = {}
    for name, lines in fields.items():
        for line in lines:
            holders.setdefault(line, []).append(name)
    shared = {}
    for line, names in holders.items():
        shared.setdefault(tuple(names), []).append(line)
    return {names: lines for names, lines in shared.items() if len(names) > 1 and len(lines) > 1}


def write_classes():
    fields = {name: find_fields(command, without) for name, command, without in CLASSES}
    above = {name: [] for name in fields}
    for names, lines in share_fields(fields).items():
        parent = "_Shared" + lines[0].split(":")[0].strip().title().replace("_", "")
        yield "\n".join([f"\nclass {parent}(TypedDict, total=False):", *lines])
        for name in names:
            above[name].append(parent)
            fields[name] = [line for line in fields[name] if line not in lines]
    for name, lines in fields.items():
        parents = ", ".join(above[name] or ["TypedDict"])
        begin = fill(f"class {name}({parents}, total=False):", 100, subsequent_indent=" " * 8)
        yield "\n".join(["\n" + begin, *(lines or ["    ..."])])


if __name__ == "__main__":
    # The source beside this script has no library.
    here = Path(__file__).resolve().parent
    sys.path = [one for one in sys.path if Path(one).resolve() != here]
    print(HEAD + "\n".join(write_classes()))

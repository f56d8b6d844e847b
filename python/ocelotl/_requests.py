"""Requests: what a command is asked, made of keywords.

The keywords are the rows that the command line has, with "_" for "-": ``state_type="MPI_STATE"`` is
``--state-type MPI_STATE``. A list gives an option several times, True one without a value. A number
for an instant or a duration is in seconds.
"""
from __future__ import annotations

from decimal import Decimal
from keyword import iskeyword
from math import isfinite
from numbers import Rational
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, TypeVar

from ocelotl._calls import ArgumentError, call, encode, own, text
from ocelotl._native import ffi, lib

Option = Tuple[str, Optional[str]]
Options = List[Option]
Method = TypeVar("Method", bound=Callable[..., Any])

# No keyword names where answers go.
ELSEWHERE = {"output", "force", "json", "csv", "format", "digits", "with-parts", "help",
             "every-node", "junit", "others", "sort", "clear", "again", "no-defaults"}
_DETAILS = ("p", "p-raw", "level", "parts")
# Names of these that say something else to these commands.
_ANSWERED = {("import", "format")}


def rows(command: str) -> Dict[str, Any]:
    """The rows of a command by name, the first of each name."""
    found: Dict[str, Any] = {}
    for index in range(lib.ocelotl_parameter_count(command.encode())):
        row = lib.ocelotl_parameter_at(command.encode(), index)
        found.setdefault(text(row.name), row)
    return found


def groups(command: str) -> Dict[str, str]:
    """The headings that the rows of a command stand below, by their names."""
    return {name: text(row.group) for name, row in rows(command).items()}


def is_elsewhere(command: str, name: str) -> bool:
    """Whether an option says where an answer of a command goes, or how it is written."""
    return name in ELSEWHERE and (command, name) not in _ANSWERED


def option_name(keyword: str) -> str:
    """``from_`` is --from, which Python keeps for itself."""
    return keyword.rstrip("_").replace("_", "-")


def keyword_of(name: str) -> str:
    """The keyword of an option: ``from_`` for --from."""
    return name.replace("-", "_") + ("_" if iskeyword(name) else "")


def _is_time(row: Any) -> bool:
    return row is not None and text(row.value) == "T"


def _write(keyword: str, value: Any, row: Any) -> str:
    if isinstance(value, (bytes, str)) or hasattr(value, "__fspath__"):
        return encode(value).decode("utf-8", "surrogateescape")
    if hasattr(value, "dtype") and hasattr(value, "item"):
        value = value.item()
    if _is_time(row):
        return _write_seconds(keyword, value)
    return repr(float(value)) if isinstance(value, float) else str(value)


def _write_seconds(keyword: str, value: Any) -> str:
    """A time as the program takes it: a number of seconds, or a duration of Python."""
    if hasattr(value, "total_seconds"):
        value = value.total_seconds()
    if isinstance(value, Rational) and not isinstance(value, int):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)) \
            or not isfinite(value):
        raise ArgumentError(f"{keyword} is {value!r}, expected a finite number of seconds, or a "
                            "text as the program takes it")
    return (repr(float(value)) if isinstance(value, float) else str(value)) + "s"


def from_keywords(command: str, keywords: Mapping[str, object]) -> Options:
    """Options in the order of the keywords."""
    known = rows(command)
    options: Options = []
    for keyword, value in keywords.items():
        name = option_name(keyword)
        if is_elsewhere(command, name):
            raise ArgumentError(f"{keyword} says where an answer goes, expected the method for it")
        if value is None or value is False:
            continue
        if value is True:
            options.append((name, None))
            continue
        if getattr(value, "ndim", 0) > 0 and hasattr(value, "tolist"):
            value = value.tolist()
        several: Iterable[Any] = value if isinstance(value, (list, tuple, set, frozenset)) \
            else [value]
        words = [_write(keyword, one, known.get(name)) for one in several]
        if len(words) != 1 and name in known and not known[name].repeatable:
            raise ArgumentError(f"{keyword} has {len(words)} values, expected one")
        options += [(name, word) for word in words]
    return options


def with_p(command: str, p: Any, keywords: Mapping[str, object]) -> Options:
    """The same with p behind them, unless the library is to choose it."""
    chosen = {} if p is None or isinstance(p, str) and p == "auto" else {"p": p}
    return from_keywords(command, keywords) + from_keywords(command, chosen)


class Request:
    """A request of the library, and what it was made of."""

    def __init__(self, command: str, options: Options, operands: Iterable[str] = ()) -> None:
        made = ffi.new("ocelotl_request **")
        call(lib.ocelotl_request_new, made, command.encode())
        self.pointer = own(made[0], lib.ocelotl_request_free)
        self.command = command
        self.options = options
        for name, value in options:
            given = ffi.NULL if value is None else value.encode("utf-8", "surrogateescape")
            call(lib.ocelotl_request_set, self.pointer, encode(name), given)
        self.operands = list(operands)
        if self.operands:
            words = [ffi.new("char[]", encode(word)) for word in ["--", *self.operands]]
            call(lib.ocelotl_request_parse, self.pointer, len(words),
                 ffi.new("const char *[]", words))
            call(lib.ocelotl_request_check, self.pointer)

    def line(self) -> str:
        """The command line that asks for the same."""
        line = ffi.new("char **")
        call(lib.ocelotl_request_write_line, line, self.pointer)
        try:
            return str(ffi.string(line[0]), "utf-8", "surrogateescape")
        finally:
            lib.free(line[0])


def split_detail(options: Options) -> Tuple[Options, Options]:
    """The options, and those that choose the level of detail."""
    return ([option for option in options if option[0] not in _DETAILS],
            [option for option in options if option[0] in _DETAILS])


def described(command: str, first: str) -> Callable[[Method], Method]:
    """A method whose docstring says what it does, and its keywords with the help of their rows."""
    lines = [first + " Keywords:", ""]
    waiting: List[str] = []
    for name, row in rows(command).items():
        if is_elsewhere(command, name):
            continue
        waiting.append(keyword_of(name))
        help_text = " ".join(text(row.help).split())
        if help_text:
            lines.append(f"{', '.join(waiting)}: {help_text}")
            waiting = []

    def describe(method: Method) -> Method:
        method.__doc__ = "\n".join(lines)
        return method

    return describe

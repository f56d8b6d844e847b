"""Requests: what a command is asked, made of keywords.

The keywords are the rows that the command line has, with "_" for "-": ``state_type="MPI_STATE"`` is
``--state-type MPI_STATE``. A list gives an option several times, True one without a value. A number
for an instant or a duration is in seconds.
"""
from __future__ import annotations

from keyword import iskeyword
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from ocelotl._calls import ArgumentError, call, encode, own, text
from ocelotl._native import ffi, lib

Options = List[Tuple[str, Optional[str]]]

# No keyword names where answers go.
ELSEWHERE = {"output", "force", "json", "csv", "format", "digits", "plot", "with-parts", "help",
             "all", "sort", "clear", "again", "no-defaults"}
_DETAILS = ("p", "p-raw", "level", "parts")


def rows(command: str) -> Dict[str, Any]:
    """The rows of a command by name, the first of each name."""
    found: Dict[str, Any] = {}
    for index in range(lib.ocelotl_parameter_count(command.encode())):
        row = lib.ocelotl_parameter_at(command.encode(), index)
        found.setdefault(text(row.name), row)
    return found


def option_name(keyword: str) -> str:
    """``from_`` is --from, which Python keeps for itself."""
    return keyword.rstrip("_").replace("_", "-")


def keyword_of(name: str) -> str:
    """The keyword of an option: ``from_`` for --from."""
    return name.replace("-", "_") + ("_" if iskeyword(name) else "")


def _is_time(row: Any) -> bool:
    return row is not None and text(row.value) == "T"


def _write(value: Any, row: Any) -> str:
    if isinstance(value, (bytes, str)) or hasattr(value, "__fspath__"):
        return encode(value).decode("utf-8", "surrogateescape")
    if isinstance(value, float) or hasattr(value, "dtype"):
        value = value.item() if hasattr(value, "item") else value
        written = repr(float(value)) if isinstance(value, float) else str(value)
    else:
        written = str(value)
    return written + "s" if _is_time(row) else written


def from_keywords(command: str, keywords: Mapping[str, object]) -> Options:
    """Options in the order of the keywords."""
    known = rows(command)
    options: Options = []
    for keyword, value in keywords.items():
        name = option_name(keyword)
        if name in ELSEWHERE and (command, name) != ("import", "format"):
            raise ArgumentError(f"{keyword} says where an answer goes, expected the method for it")
        if value is None or value is False:
            continue
        if value is True:
            options.append((name, None))
            continue
        several: Iterable[Any] = value if isinstance(value, (list, tuple, set, frozenset)) \
            else [value]
        for one in several:
            options.append((name, _write(one, known.get(name))))
    return options


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

    def line(self, *more: str) -> str:
        """The command line that asks for the same."""
        words = ["ocelotl-cli"]
        if self.command != "overview":
            words.append(self.command)
        for name, value in self.options:
            words.append("--" + name)
            if value is not None and value.startswith("-"):
                words[-1] += "=" + value
            elif value is not None:
                words.append(value)
        return join([*words, *self.operands, *more])


def join(words: List[str]) -> str:
    """Words as a shell takes them."""
    kept = [ffi.new("char[]", encode(word)) for word in words]
    line = ffi.new("char **")
    call(lib.ocelotl_words_write, line, len(kept), ffi.new("const char *[]", kept))
    try:
        return str(ffi.string(line[0]), "utf-8", "surrogateescape")
    finally:
        lib.free(line[0])


def split_detail(options: Options) -> Tuple[Options, Options]:
    """The options, and those that choose the level of detail."""
    return ([option for option in options if option[0] not in _DETAILS],
            [option for option in options if option[0] in _DETAILS])


def describe(command: str, first: str) -> str:
    """A docstring: what a method does, and its keywords with the help of their rows."""
    lines = [first, ""]
    waiting: List[str] = []
    for name, row in rows(command).items():
        if name in ELSEWHERE:
            continue
        waiting.append(keyword_of(name))
        help_text = " ".join(text(row.help).split())
        if help_text:
            lines.append(f"{', '.join(waiting)}: {help_text}")
            waiting = []
    return "\n".join(lines)


__all__ = ["ELSEWHERE", "Request", "describe", "from_keywords", "join", "keyword_of", "rows",
           "split_detail"]

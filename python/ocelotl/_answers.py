"""Answers that are no tables: dictionaries, as the program gives them in JSON."""
from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterator, Mapping, Optional

from ocelotl._native import lib
from ocelotl._output import Result, Shown
from ocelotl._table import MOST_ROWS, Table, html_of_rows, make_stream, shown


def html_of_answer(found: Mapping[str, Any]) -> str:
    """What the program says in JSON as tables: single values, and lists of records."""
    plain = [[key, shown(value)] for key, value in found.items()
             if not isinstance(value, (dict, list)) and value not in (None, "")]
    pieces = [html_of_rows(["", ""], plain, len(plain))]
    for key, records in found.items():
        if isinstance(records, list) and records and isinstance(records[0], dict):
            names = [name for name, value in records[0].items()
                     if not isinstance(value, (dict, list))]
            rows = [[shown(record.get(name)) for name in names] for record in records[:MOST_ROWS]]
            pieces.append(f"<p>{key}</p>" + html_of_rows(names, rows, len(records)))
    return "".join(pieces)


def stream_of(result: Result, answer: Optional[Callable[[], Any]] = None) -> Callable[[], Any]:
    """What makes a stream of an answer's rows: of one that is found anew, where that is given."""

    def stream() -> Any:
        read = answer() if answer is not None else result.answer
        return make_stream(lib.ocelotl_answer_to_arrow, read, lock=result.lock, keeps=read)

    return stream


class Info(Dict[str, Any]):
    """What is in a trace: a dictionary. ``print(info)`` shows what the program says."""

    def __init__(self, found: Mapping[str, Any], said: str) -> None:
        super().__init__(found)
        self._said = said

    def __repr__(self) -> str:
        return self._said

    def _repr_html_(self) -> str:
        return html_of_answer(self)


class Kept:
    """What the library found, which can be asked for again or saved."""

    def __init__(self, result: Result) -> None:
        self._result = result

    @property
    def command(self) -> str:
        """The command line that says the same."""
        return self._result.request.line()

    def save(self, path: Any, overwrite: bool = False, **keywords: Any) -> None:
        """Writes it to a file: .json, .csv or .txt; a picture (.svg, .png, .pdf) where it has one,
        with keywords as width and theme; a trace.db (.db) where it makes one, over another file if
        ``overwrite`` says so."""
        self._result.save(path, overwrite, keywords)


class Drawable(Shown, Kept):
    """One that has a picture, which a notebook shows."""

    def svg(self, **keywords: Any) -> str:
        """The picture as SVG; keywords: width, height, theme, title, .."""
        return self._result.svg(keywords)

    def _picture(self, suffix: str) -> bytes:
        return self._result.draw(suffix, {})


class Answer(Kept, Mapping[str, Any]):
    """What the library found: a dictionary with what the program says in JSON.

    ``print(answer)`` shows the table of the program.
    """

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self._found: Optional[Dict[str, Any]] = None

    def _read(self) -> Dict[str, Any]:
        if self._found is None:
            self._found = json.loads(self._result.read(".json"))
        return self._found

    def __getitem__(self, key: str) -> Any:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return self._result.read(".txt").decode("utf-8").rstrip("\n")

    def _repr_html_(self) -> Optional[str]:
        return html_of_answer(self)


class Picture(Drawable, Answer):
    """An answer that shows itself as a picture in a notebook."""


class Diagram(Picture):
    """A Gantt chart: the events of a window, a row for each resource."""

    def __repr__(self) -> str:
        return f"<ocelotl.Diagram of {' and '.join(self._result.request.operands)}>"


class Answered(Kept, Table):
    """A table that can be drawn or saved, too."""

    def __init__(self, result: Result, answer: Optional[Callable[[], Any]] = None) -> None:
        Kept.__init__(self, result)
        Table.__init__(self, stream_of(result, answer))

    def svg(self, **keywords: Any) -> str:
        """The picture as SVG; keywords: width, height, theme, title, .."""
        return self._result.svg(keywords)


class Drawn(Drawable, Answered):
    """One that shows itself as a picture in a notebook."""


class Matrix(Answered):
    """The matrix of messages: a row for each cell that holds something."""


class Comparison(Drawable):
    """What differs between two traces, or two windows of one. Its picture shows both side by side,
    or one where view="difference"."""

    @property
    def changes(self) -> Table:
        """Every change, the largest first: what a leaf has in the first and in the second."""
        return Table(stream_of(self._result))

    def to_dict(self) -> Dict[str, Any]:
        """What the program says in JSON: phases as well as changes."""
        return json.loads(self._result.read(".json"))  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<ocelotl.Comparison of {' and '.join(self._result.request.operands)}>"

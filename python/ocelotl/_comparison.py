"""Comparisons of two traces, or of two windows of one."""
from __future__ import annotations

import json
from typing import Any, Dict

from ocelotl._answers import stream_of
from ocelotl._output import Result, Shown
from ocelotl._table import Table


class Comparison(Shown):
    """What differs between two traces, or two windows of one."""

    def __init__(self, result: Result) -> None:
        self._result = result

    @property
    def changes(self) -> Table:
        """Every change, the largest first: what a leaf has in the first and in the second."""
        return Table(stream_of(self._result))

    def to_dict(self) -> Dict[str, Any]:
        """What the program says in JSON: phases as well as changes."""
        return json.loads(self._result.read(".json"))  # type: ignore[no-any-return]

    @property
    def command(self) -> str:
        """The command line that says the same."""
        return self._result.request.line()

    def svg(self, **keywords: Any) -> str:
        """Both side by side as SVG, or in one picture where view="difference"."""
        return self._result.svg(keywords)

    def save(self, path: Any, **keywords: Any) -> None:
        """Draws both (.svg, .png, .pdf), in one picture where view="difference"; or writes the
        changes (.json, .csv, .txt)."""
        self._result.save(path, True, keywords)

    def _picture(self, suffix: str) -> bytes:
        return self._result.draw(suffix, {})

    def __repr__(self) -> str:
        return f"<ocelotl.Comparison of {' and '.join(self._result.request.operands)}>"


__all__ = ["Comparison"]

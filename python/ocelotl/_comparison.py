"""Comparisons of two traces, or of two windows of one."""
from __future__ import annotations

import json
from typing import Any, Dict

from ocelotl._calls import encode, make, text
from ocelotl._native import ffi, lib
from ocelotl._output import Result, Shown
from ocelotl._requests import Request
from ocelotl._table import Table, make_stream


class Comparison(Shown):
    """What differs between two traces, or two windows of one."""

    def __init__(self, lock: Any, request: Request, pair: Any) -> None:
        self._lock = lock
        self._pair = pair
        comparison = lib.ocelotl_pair_comparison(pair)
        phases = make("ocelotl_phases", lib.ocelotl_phases_free, lib.ocelotl_phases_find,
                      comparison, needed=(pair,))
        self._names = [ffi.new("char[]", encode(path)) for path in request.operands]
        names = ffi.new("const char *[]", self._names)

        def write_json(sink: Any) -> int:
            return int(lib.ocelotl_comparison_write_json(sink, comparison, phases, names))

        def write_text(sink: Any) -> int:
            return int(lib.ocelotl_comparison_write_text(sink, comparison, phases, names,
                                                         request.pointer.all))

        def draw(path: bytes, _request: Request, view: Any) -> int:
            difference = view.view != ffi.NULL and text(view.view) == "difference"
            render = lib.ocelotl_pair_render_difference if difference else lib.ocelotl_pair_render
            return int(render(path, pair, view))

        self._result = Result(lock, request, {
            ".json": write_json, ".txt": write_text,
            ".csv": lambda sink: int(lib.ocelotl_comparison_write_csv(sink, comparison, phases))},
            draw)

    @property
    def changes(self) -> Table:
        """Every change, the largest first: what a leaf has in the first and in the second."""
        comparison = lib.ocelotl_pair_comparison(self._pair)

        def stream() -> Any:
            return make_stream(lib.ocelotl_comparison_to_arrow, comparison, lock=self._lock,
                               keeps=(self, self._pair))

        return Table(stream)

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

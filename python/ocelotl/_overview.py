"""Overviews: partitions of a model, with what they are of."""
from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Tuple

from ocelotl._calls import ArgumentError, LimitError, call, encode, make, text
from ocelotl._native import ffi, lib
from ocelotl._output import Buffer, Shown, drawn, info_of, suffix_of, write_file
from ocelotl._requests import Request, from_keywords, split_detail
from ocelotl._table import Table, make_stream

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ocelotl._keywords import OverviewKeywords

_KINDS = ("spatiotemporal", "temporal", "spatial")
_LEVELS_OF_PAGE = 13  # that do not depend on how many there are


class Measures:
    """The measures of a model, which every search for a partition reads."""

    def __init__(self, aggregation: Any, keeps: Any, progress: Any, plain: bool) -> None:
        self.aggregation = aggregation
        self.keeps = keeps
        self.progress = progress
        self.plain = plain  # auto is the knee
        self.model = lib.ocelotl_aggregation_model(aggregation)
        self.cells: Any = None
        self._levels: Any = None

    def levels(self) -> Any:
        """The levels that matter most."""
        if self._levels is None:
            self._levels = self._find_levels(0)
        return self._levels

    def some_levels(self) -> Any:
        """Levels that are soon found."""
        return self._levels if self._levels is not None else self._find_levels(_LEVELS_OF_PAGE)

    def _find_levels(self, most: int) -> Any:
        options = ffi.new("ocelotl_levels_options *")
        options.size = ffi.sizeof("ocelotl_levels_options")
        options.max_levels = most
        options.knee = self.plain
        options.work.progress = lib.python_watch()
        return make("ocelotl_levels", lib.ocelotl_levels_free, lib.ocelotl_levels_find,
                    self.aggregation, options, needed=(self,), progress=self.progress)

    def solve(self, detail: Any) -> Any:
        """The partition that a request's level of detail means."""
        functions = {lib.OCELOTL_DETAIL_P: (lib.ocelotl_solve, detail.p),
                     lib.OCELOTL_DETAIL_P_RAW: (lib.ocelotl_solve_raw, detail.p),
                     lib.OCELOTL_DETAIL_PARTS: (lib.ocelotl_solve_parts, detail.count)}
        arguments: Tuple[Any, ...] = ()
        if detail.kind == lib.OCELOTL_DETAIL_LEVEL:
            function, arguments = lib.ocelotl_solve, (self.level_p(detail.count),)
        elif detail.kind in functions:
            function, argument = functions[detail.kind]
            arguments = (argument,)
        else:
            knee = self.plain and detail.rule == lib.OCELOTL_RULE_FIRST
            rule = lib.OCELOTL_RULE_KNEE if knee else detail.rule
            function, arguments = lib.ocelotl_solve_rule, (rule, detail.count)
        return make("ocelotl_partition", lib.ocelotl_partition_free, function, self.aggregation,
                    *arguments, needed=(self,), progress=self.progress)

    def level_p(self, number: int) -> float:
        levels = self.levels()
        count = info_of("ocelotl_levels_info", lib.ocelotl_levels_get_info, levels).count
        if number > count:
            raise ArgumentError(f"--level is {number}, expected at most {count}, as listed by "
                                "levels")
        return float(lib.ocelotl_levels_at(levels, number - 1).p)


class Overview(Shown):
    """A partition of a model: what a picture of it shows.

    Other levels of detail (:meth:`at`) share the measures: they cost a solve, not a model.
    """

    def __init__(self, source: Any, request: Request, measures: Measures, partition: Any) -> None:
        self._source = source
        self._request = request
        self._measures = measures
        self._partition = partition
        self._info = info_of("ocelotl_partition_info", lib.ocelotl_partition_get_info, partition)
        self._model = info_of("ocelotl_model_info", lib.ocelotl_model_get_info, measures.model)

    # --- What it is

    @property
    def kind(self) -> str:
        """spatiotemporal, temporal or spatial."""
        return _KINDS[self._info.kind]

    @property
    def p(self) -> float:
        """The trade-off that it is best at, from 0 (nothing is lost) to 1 (one block)."""
        return float(self._info.p)

    @property
    def p_raw(self) -> float:
        """The same, not normalised."""
        return float(self._info.p_raw)

    @property
    def gain(self) -> float:
        """The information that it saves, as a share of what one block saves."""
        whole = self._info.whole_gain
        return float(self._info.gain / whole) if whole > 0 else 0.0

    @property
    def loss(self) -> float:
        """The information that it loses, as a share of what one block loses."""
        whole = self._info.whole_loss
        return float(self._info.loss / whole) if whole > 0 else 0.0

    def __len__(self) -> int:
        return int(self._info.part_count)

    @property
    def parts(self) -> Table:
        """The parts: place and time of each, its main type, its gain and loss."""
        return self._table(lib.ocelotl_parts_to_arrow, self._partition)

    @property
    def levels(self) -> Table:
        """The levels of detail, from the most detailed to one block."""
        return self._table(lib.ocelotl_levels_to_arrow, self._measures.levels())

    def _table(self, function: Any, pointer: Any) -> Table:
        lock = self._source._lock

        def stream() -> Any:
            return make_stream(function, pointer, lock=lock, keeps=(self, pointer))

        return Table(stream)

    # --- Other overviews

    def at(self, p: Any = None, **detail: Any) -> "Overview":
        """The overview at another p, or level=N, parts=N, p_raw=X."""
        if p is not None:
            detail["p"] = p
        if len(detail) != 1:
            raise ArgumentError("expected one of p, p_raw, level and parts")
        options, _ = split_detail(self._request.options)
        command = self._request.command
        chosen = from_keywords(command, detail)
        if split_detail(chosen)[0]:
            raise ArgumentError(f"unknown level of detail {chosen[0][0]}, expected one of p, "
                                "p_raw, level and parts")
        request = Request(command, options + chosen, self._request.operands)
        partition = self._measures.solve(request.pointer.detail)
        return Overview(self._source, request, self._measures, partition)

    def zoom(self, part: int, /, **keywords: Unpack[OverviewKeywords]) -> "Overview":
        """The overview of one part, by its number; keywords as for ``overview``."""
        number = _number_of(part, len(self))
        if self._request.command != "overview":
            raise ArgumentError(f"a {self._request.command} has no parts to zoom into, expected "
                                "an overview")
        options, detail = split_detail(self._request.options)
        options += detail or [("p", "auto")]
        options.append(("part", str(number)))
        more = from_keywords("overview", keywords)
        if not split_detail(more)[1]:
            more.append(("p", "auto"))
        return self._source._overview(options + more)  # type: ignore[no-any-return]

    # --- The model

    @property
    def types(self) -> List[str]:
        """The names of the types, as ``cells`` has them."""
        return [text(lib.ocelotl_model_type_at(self._measures.model, i).name)
                for i in range(self._model.type_count)]

    def _leaf_nodes(self) -> List[int]:
        model = self._measures.model
        found: Dict[int, int] = {}
        for node in range(self._model.node_count):
            at = lib.ocelotl_model_node_at(model, node)
            if at.leaf_count == 1:
                found[at.leaf_first] = node  # the deepest: parents come first
        return [found[leaf] for leaf in sorted(found)]

    @property
    def leaves(self) -> List[str]:
        """The paths of the leaves, as ``cells`` has them."""
        model = self._measures.model
        return [text(lib.ocelotl_model_node_at(model, node).path) for node in self._leaf_nodes()]

    @property
    def slices(self) -> List[float]:
        """Where the slices begin and the last one ends, in seconds; without time, numbers."""
        info = self._model
        count = info.slice_count
        if not info.has_time:
            return [float(i) for i in range(count + 1)]
        return [lib.ocelotl_slice_begin(info, i) for i in range(count + 1)]

    @property
    def cells(self) -> Any:
        """The microscopic model, slices x leaves x types, as an array of NumPy.

        It is filled once, by the library; all overviews of the model share its memory.
        """
        if self._measures.cells is None:
            self._measures.cells = self._fill()
        return self._measures.cells

    def _fill(self) -> Any:
        import numpy
        nodes, info = self._leaf_nodes(), self._model
        shape = (len(nodes), info.slice_count, info.type_count)
        size = 8 * shape[0] * shape[1] * shape[2]
        if size > os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2:
            raise LimitError(f"cells take {size / 1e9:.1f} GB, expected fewer slices or max_leaves")
        cells = numpy.zeros(shape)
        for index, node in enumerate(nodes):
            call(lib.ocelotl_model_sums, ffi.from_buffer("double[]", cells[index]),
                 self._measures.model, node, 0, info.slice_count - 1)
        cells.flags.writeable = False
        return cells.transpose(1, 0, 2)

    def to_xarray(self) -> Any:
        """The cells with their names, as xarray has them."""
        import xarray
        return xarray.DataArray(self.cells, dims=("slice", "leaf", "type"),
                                coords={"slice": self.slices[:-1], "leaf": self.leaves,
                                        "type": self.types})

    # --- Pictures

    @property
    def command(self) -> str:
        """The command line that draws it; of a trace."""
        if not self._request.operands:
            raise ArgumentError("a model of your own data has no command line, expected one of a "
                                "trace")
        return self._request.line()

    def _view(self, keywords: Mapping[str, object]) -> Tuple[Request, Any, Any]:
        """A request with how it is drawn, the view, and what that refers to."""
        request, view, line = drawn(self._request, keywords)
        call(lib.ocelotl_request_fit_view, view, request.pointer, self._measures.model)
        return request, view, line

    def _picture(self, suffix: str) -> bytes:
        kind = lib.OCELOTL_PICTURE_PNG if suffix == ".png" else lib.OCELOTL_PICTURE_SVG
        return self._draw(kind, {})

    def svg(self, **keywords: Unpack[OverviewKeywords]) -> str:
        """The picture as SVG; keywords as for ``overview``: width, title, theme, .."""
        return self._draw(lib.OCELOTL_PICTURE_SVG, keywords).decode("utf-8")

    def png(self, **keywords: Unpack[OverviewKeywords]) -> bytes:
        """The picture as PNG."""
        return self._draw(lib.OCELOTL_PICTURE_PNG, keywords)

    def _write_picture(self, sink: Any, kind: int, keywords: Mapping[str, object]) -> int:
        request, view, kept = self._view(keywords)
        self._source._write_overview(sink, kind, request, self._partition, view)
        del kept
        return int(lib.OCELOTL_OK)

    def _draw(self, kind: int, keywords: Mapping[str, object]) -> bytes:
        out = Buffer()
        self._write_picture(out.sink, kind, keywords)
        return out.take()

    def html(self, **keywords: Unpack[OverviewKeywords]) -> str:
        """The page of all levels, with what a reader can choose."""
        out = Buffer()
        self._write_page(out.sink, keywords)
        return out.take().decode("utf-8")

    def _write_page(self, sink: Any, keywords: Mapping[str, object]) -> int:
        request, view, kept = self._view(keywords)
        self._source._write_report(sink, request, self._measures, self.p, view)
        del kept
        return int(lib.OCELOTL_OK)

    def page(self, **keywords: Unpack[OverviewKeywords]) -> "Page":
        """The page of some levels in a frame, for a notebook that is read where it was made."""
        _request, view, kept = self._view(keywords)
        out = Buffer()
        call(lib.ocelotl_report_draw, out.sink, self._measures.aggregation,
             self._measures.some_levels(), self.p, view, progress=self._measures.progress)
        del kept
        return Page(out.take().decode("utf-8"))

    def save(self, path: Any, **keywords: Unpack[OverviewKeywords]) -> None:
        """Writes a picture (.svg, .png, .pdf), the page (.html), the partition (.json), or the
        parts (.csv)."""
        suffix = suffix_of(path, ".svg", ".png", ".pdf", ".html", ".htm", ".json", ".csv")
        _request, view, _kept = self._view(keywords)  # refuses what no picture takes
        if suffix == ".json":
            write_file(path, lib.ocelotl_partition_write_json, self._partition, view)
        elif suffix == ".csv":
            write_file(path, lib.ocelotl_parts_write, lib.OCELOTL_FORM_CSV, self._partition, 0)
        elif suffix in (".html", ".htm"):
            write_file(path, self._write_page, keywords)
        else:
            kind = ffi.new("ocelotl_picture_format *")
            call(lib.ocelotl_picture_find_format, kind, encode(path))
            write_file(path, self._write_picture, kind[0], keywords)

    def __repr__(self) -> str:
        return (f"<ocelotl.Overview of {text(self._model.name)}: {len(self)} parts at p "
                f"{self.p:.6g}, gain {self.gain:.1%}, loss {self.loss:.1%}>")


class Page:
    """A page that shows itself in a notebook."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        page = self.html.replace("&", "&amp;").replace("'", "&#39;")
        return (f"<iframe srcdoc='{page}' width=\"100%\" height=\"800\" "
                'style="border: 0"></iframe>')

    def __repr__(self) -> str:
        return f"<ocelotl.Page of {len(self.html)} characters>"


def _number_of(part: Any, count: int) -> int:
    try:
        number = operator.index(part)
    except TypeError:
        number = -1
    if not 0 <= number < count or isinstance(part, bool):
        raise ArgumentError(f"part is {part!r}, expected one of the parts 0 to {count - 1}")
    return number

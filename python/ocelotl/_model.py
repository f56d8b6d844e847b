"""Models of one's own data: arrays of NumPy, frames of pandas, sparse matrices of scipy."""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

from ocelotl._calls import ArgumentError, call, default_progress, encode, make, text
from ocelotl._cells import (array_of, cells_of_array, cells_of_frame, cells_of_sparse, is_frame,
                            is_sparse)
from ocelotl._native import ffi, lib
from ocelotl._overview import Measures, Overview
from ocelotl._requests import Options, Request, rows, with_p
from ocelotl._tree import Tree, list_of, make_tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ocelotl._keywords import OverviewKeywords

# Besides those of a picture.
_TAKEN = {"p", "p-raw", "level", "parts", "kind", "threads", "statistic", "type-tree", "plain"}


class Model:
    """A model of one's own data, made by :func:`ocelotl.model`."""

    def __init__(self, pointer: Any) -> None:
        self._lock = threading.RLock()
        self._pointer = pointer
        self._measures: Dict[Tuple[int, int, bool], Measures] = {}

    def overview(self, p: Any = "auto", **keywords: Unpack[OverviewKeywords]) -> Overview:
        """The overview at p; or at level=N, parts=N, p_raw=X.

        kind: "temporal" or "spatial"; threads; how it is drawn: width, height, title, theme, view.
        """
        return self._overview(with_p("overview", p, keywords))

    def _overview(self, options: Options) -> Overview:
        request = Request("overview", options)
        known = rows("overview")
        for name, _value in options:
            if name not in _TAKEN and text(known[name].group) != "Picture":
                raise ArgumentError(f"--{name} needs a trace, and this is a model of your own data")
        with self._lock:
            measures = self._measure(request.pointer.model.kind, request.pointer.threads,
                                     request.pointer.percentile, request.pointer.view.plain)
        return Overview(self, request, measures, measures.solve(request.pointer.detail))

    def _measure(self, kind: int, threads: int, percentile: int = 0, plain: bool = False) \
            -> Measures:
        key = (kind, percentile, plain)
        if key not in self._measures:
            progress = default_progress()
            options = ffi.new("ocelotl_aggregation_options *")
            options.size = ffi.sizeof("ocelotl_aggregation_options")
            options.kind = kind
            options.percentile = percentile
            options.work.threads = threads
            options.work.progress = lib.python_watch()
            made = make("ocelotl_aggregation", lib.ocelotl_aggregation_free,
                        lib.ocelotl_aggregation_create, self._pointer, options,
                        needed=(self._pointer,), progress=progress)
            self._measures[key] = Measures(made, made, progress, plain)
        return self._measures[key]

    def _write_overview(self, sink: Any, kind: int, request: Request, partition: Any, view: Any) \
            -> None:
        del request
        call(lib.ocelotl_overview_draw, sink, kind, partition, view)

    def _write_report(self, sink: Any, request: Request, measures: Measures, p: float, view: Any) \
            -> None:
        del request
        call(lib.ocelotl_report_draw, sink, measures.aggregation, measures.levels(), p, view,
             progress=measures.progress)

    def __repr__(self) -> str:
        return "<ocelotl.Model>"


def _texts(names: Sequence[str]) -> Tuple[Any, Any]:
    kept = [ffi.new("char[]", encode(name)) for name in names]
    return ffi.new("const char *[]", kept or [ffi.NULL]), kept


def _build(cells: Any, shape: Tuple[int, int, int], tree: Tree, leaves: List[int],
           types: List[str], name: str) -> Model:
    import numpy
    cells["node"] = numpy.array(leaves, dtype="<u4")[cells["node"]]
    arrays = ffi.new("ocelotl_model_arrays *")
    arrays.size = ffi.sizeof("ocelotl_model_arrays")
    title = ffi.new("char[]", encode(name))
    parents = ffi.new("uint32_t[]", tree.parents)
    arrays.name, arrays.parents, arrays.node_count = title, parents, len(tree.parents)
    # What a structure points to lives as long as these.
    kept_names, kept_types = _texts(tree.names), _texts(types)
    arrays.names, arrays.types = kept_names[0], kept_types[0]
    arrays.type_count, arrays.slice_count = len(types), shape[0]
    arrays.cell_count = len(cells)
    kept_cells = ffi.from_buffer("ocelotl_cell[]", cells) if len(cells) else ffi.NULL
    arrays.cells = kept_cells
    made = Model(make("ocelotl_model", lib.ocelotl_model_free, lib.ocelotl_model_from_arrays,
                      arrays))
    del kept_names, kept_types
    return made


def model(data: Any, tree: Any = None, types: Optional[Sequence[str]] = None,
          name: str = "model") -> Model:
    """Makes a model of one's own data: values of 0 or more, in any unit.

    data: an array of slices x leaves (x types); a sparse matrix of scipy, whose rows are slices and
    whose columns are leaves x types; or a frame of pandas whose columns are types and whose index
    is a path in several levels and, as its last level, the slice.

    tree: where the leaves are: a list of paths ("site/machine", or tuples of names), or a
    dictionary of dictionaries whose innermost are lists of names. Default: all below the root.

    types: the names of the types.

    >>> import numpy, ocelotl
    >>> cells = numpy.zeros((8, 2, 2))
    >>> cells[:, :, 0] = 1
    >>> cells[4:, 1] = (0.25, 0.75)
    >>> o = ocelotl.model(cells, ["a/x", "a/y"], ["runs", "waits"]).overview(p=0)
    >>> len(o)
    3
    """
    if types is not None:
        types = [str(one) for one in list_of(types, "types are", "a list of names")]
    if is_sparse(data):
        cells, shape = cells_of_sparse(data, types)
    elif is_frame(data):
        cells, shape, paths, own_types = cells_of_frame(data)
        tree = paths if tree is None else tree
        types = own_types if types is None else types
    else:
        cells, shape = cells_of_array(array_of(data))
    given = [str(i) for i in range(shape[2])] if types is None else list(types)
    if len(given) != shape[2]:
        raise ArgumentError(f"types are {len(given)}, expected {shape[2]} as the data has")
    made, leaves = make_tree(tree, shape[1])
    return _build(cells, shape, made, leaves, given, name)

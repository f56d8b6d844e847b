"""Models of one's own data: arrays of NumPy, frames of pandas, sparse matrices of scipy."""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

from ocelotl._calls import (ArgumentError, default_progress, encode, make)
from ocelotl._native import ffi, lib
from ocelotl._overview import Measures, Overview
from ocelotl._requests import Options, Request, from_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ocelotl._keywords import OverviewKeywords

_CELL = [("node", "<u4"), ("type", "<u4"), ("slice", "<u4"), ("pad", "<u4"), ("value", "<f8")]
_DRAWN = {"width", "height", "dpi", "theme", "palette", "smallest", "title", "view", "type",
          "expand", "curves", "show", "type-tree"}
_SOLVED = {"p", "p-raw", "level", "parts", "kind", "threads", "statistic"}


class Model:
    """A model of one's own data, made by :func:`ocelotl.model`."""

    def __init__(self, pointer: Any) -> None:
        self._lock = threading.RLock()
        self._pointer = pointer
        self._measures: Dict[Tuple[int, int], Measures] = {}

    def overview(self, p: Any = "auto", **keywords: Unpack[OverviewKeywords]) -> Overview:
        """The overview at p; or at level=N, parts=N, p_raw=X.

        kind: "temporal" or "spatial"; threads; how it is drawn: width, height, title, theme, view.
        """
        detail = [] if p is None or p == "auto" else from_keywords("overview", {"p": p})
        return self._overview(from_keywords("overview", keywords) + detail)

    def _overview(self, options: Options) -> Overview:
        request = Request("overview", options)
        for name, _value in options:
            if name not in _DRAWN | _SOLVED:
                raise ArgumentError(f"--{name} needs a trace, and this is a model of your own data")
        with self._lock:
            measures = self._measure(request.pointer.model.kind, request.pointer.threads,
                                     request.pointer.percentile)
        return Overview(self, request, measures, measures.solve(request.pointer.detail))

    def _measure(self, kind: int, threads: int, percentile: int = 0) -> Measures:
        key = (kind, percentile)
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
            self._measures[key] = Measures(made, made, progress)
        return self._measures[key]

    def _write_overview(self, sink: Any, kind: int, request: Request, partition: Any, view: Any) \
            -> None:
        from ocelotl._calls import call
        del request
        call(lib.ocelotl_overview_write, sink, kind, partition, view)

    def __repr__(self) -> str:
        return "<ocelotl.Model>"


class Tree:
    """A tree of nodes by their paths; leaves keep their order."""

    def __init__(self) -> None:
        self.parents: List[int] = [lib.OCELOTL_ROOT]
        self.names: List[str] = ["all"]
        self.places: Dict[Tuple[str, ...], int] = {(): 0}

    def node(self, path: Tuple[str, ...]) -> int:
        """The node of a path, made where it is new."""
        if path not in self.places:
            if path[-1] == "":
                raise ArgumentError(f"tree has {'/'.join(path)!r}, expected names that are not "
                                    "empty")
            parent = self.node(path[:-1])
            self.places[path] = len(self.parents)
            self.parents.append(parent)
            self.names.append(path[-1])
        return self.places[path]


def _leaves_of_paths(tree: Tree, paths: Sequence[Any], count: int) -> List[int]:
    if len(paths) != count:
        raise ArgumentError(f"tree has {len(paths)} paths, expected one for each of {count} leaves")
    leaves = []
    for path in paths:
        steps = tuple(str(step) for step in path) if isinstance(path, (tuple, list)) \
            else tuple(str(path).split("/"))
        known = len(tree.parents)
        leaves.append(tree.node(steps))
        if leaves[-1] < known:
            raise ArgumentError(f"tree has {'/'.join(steps)} twice, or as a leaf with others below "
                                "it, expected a path for each leaf")
    return leaves


def _walk(tree: Tree, above: Tuple[str, ...], branch: Any, leaves: List[int], seen: List[int]) \
        -> None:
    """Adds what a dictionary of children, or a list of names, has."""
    if id(branch) in seen:
        raise ArgumentError(f"tree has a cycle below {'/'.join(above) or 'the root'}, expected a "
                            "tree")
    for name in branch:
        path = (*above, str(name))
        if path in tree.places:
            raise ArgumentError(f"tree has {'/'.join(path)} twice, expected names that differ")
        node = tree.node(path)
        below = branch[name] if isinstance(branch, dict) else None
        if below:
            _walk(tree, path, below, leaves, [*seen, id(branch)])
        else:
            leaves.append(node)


def _make_tree(given: Any, count: int) -> Tuple[Tree, List[int]]:
    tree = Tree()
    if given is None:
        given = [str(i) for i in range(count)]
    if isinstance(given, dict):
        leaves: List[int] = []
        _walk(tree, (), given, leaves, [])
        if len(leaves) != count:
            raise ArgumentError(f"tree has {len(leaves)} leaves, expected {count} as the array has")
        return tree, leaves
    return tree, _leaves_of_paths(tree, list(given), count)


def _cells_of_array(array: Any) -> Tuple[Any, Tuple[int, int, int]]:
    import numpy
    if array.dtype == object or array.dtype.kind not in "fiub":
        raise ArgumentError(f"array is of {array.dtype}, expected numbers")
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3:
        raise ArgumentError(f"array has {array.ndim} dimensions, expected slices x leaves x types")
    if 0 in array.shape:
        raise ArgumentError(f"array is {' x '.join(map(str, array.shape))}, expected at least one "
                            "slice, leaf and type")
    _refuse_bad(numpy, array, lambda at: "slice {}, leaf {}, type {}".format(*at))
    at = numpy.nonzero(array)
    cells = numpy.zeros(len(at[0]), dtype=_CELL)
    cells["slice"], cells["node"], cells["type"] = at
    cells["value"] = array[at]
    return cells, array.shape


def _refuse_bad(numpy: Any, values: Any, name: Any) -> None:
    bad = ~(numpy.isfinite(values) & (values >= 0))
    if bad.any():
        at = tuple(int(i) for i in numpy.argwhere(bad)[0])
        raise ArgumentError(f"{name(at)} is {values[at]}, expected a finite number, 0 or more")


def _is_sparse(data: Any) -> bool:
    return hasattr(data, "tocoo")


def _cells_of_sparse(data: Any, types: Optional[Sequence[str]]) -> Tuple[Any, Tuple[int, int, int]]:
    """Rows are slices; columns are leaves x types, the types of a leaf side by side."""
    import numpy
    coo = data.tocoo()
    coo.sum_duplicates()
    count = len(types) if types is not None else 1
    if count == 0 or coo.shape[1] % count != 0:
        raise ArgumentError(f"matrix has {coo.shape[1]} columns, expected leaves x {count} types")
    _refuse_bad(numpy, coo.data,
                lambda at: f"row {coo.row[at[0]]}, column {coo.col[at[0]]}")
    there = coo.data != 0
    cells = numpy.zeros(int(there.sum()), dtype=_CELL)
    cells["slice"], cells["value"] = coo.row[there], coo.data[there]
    cells["node"], cells["type"] = coo.col[there] // count, coo.col[there] % count
    return cells, (coo.shape[0], coo.shape[1] // count, count)


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "index") and hasattr(data, "to_numpy")


def _cells_of_frame(frame: Any) -> Tuple[Any, Tuple[int, int, int], List[Any], List[str]]:
    """The last level of the index is the slice, those before it the path; columns are types."""
    import numpy
    levels = getattr(frame.index, "nlevels", 1)
    if levels < 2:
        raise ArgumentError("frame has an index of one level, expected a MultiIndex: path.., slice")
    if len(frame) == 0 or len(frame.columns) == 0:
        raise ArgumentError("frame is empty, expected rows of path.., slice and columns of types")
    values = frame.to_numpy()
    if values.dtype == object:
        values = _numbers_of(frame, numpy)
    _refuse_bad(numpy, values, lambda at: f"row {at[0]} {frame.index[at[0]]!r}, column "
                                          f"{frame.columns[at[1]]!r}")
    slices = frame.index.get_level_values(levels - 1)
    if slices.dtype.kind not in "iu" or slices.min() < 0:
        raise ArgumentError("slices of the index are no whole numbers from 0 on, expected such as "
                            "its last level")
    if frame.index.has_duplicates:
        row = int(numpy.argmax(frame.index.duplicated()))
        raise ArgumentError(f"row {row} {frame.index[row]!r} is there twice, expected one row a "
                            "leaf and slice")
    codes, paths = frame.index.droplevel(levels - 1).factorize()
    at = numpy.nonzero(values)
    cells = numpy.zeros(len(at[0]), dtype=_CELL)
    cells["node"], cells["type"] = codes[at[0]], at[1]
    cells["slice"], cells["value"] = slices.to_numpy()[at[0]], values[at]
    shape = (int(slices.max()) + 1, len(paths), values.shape[1])
    return cells, shape, list(paths), [str(name) for name in frame.columns]


def _numbers_of(frame: Any, numpy: Any) -> Any:
    """The numbers of a frame that has objects; says which one is none."""
    for column in range(frame.shape[1]):
        for row, cell in enumerate(frame.iloc[:, column]):
            if isinstance(cell, bool) or not isinstance(cell, (int, float, numpy.number)):
                raise ArgumentError(f"row {row} {frame.index[row]!r}, column "
                                    f"{frame.columns[column]!r} is {cell!r}, expected a number")
    return frame.to_numpy(dtype="f8")


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
    given: List[str]
    if _is_sparse(data):
        cells, shape = _cells_of_sparse(data, types)
    elif _is_frame(data):
        cells, shape, paths, own_types = _cells_of_frame(data)
        tree = paths if tree is None else tree
        types = own_types if types is None else types
    else:
        import numpy
        cells, shape = _cells_of_array(numpy.asarray(data))
    given = [str(one) for one in types] if types is not None else \
        [str(i) for i in range(shape[2])]
    if len(given) != shape[2]:
        raise ArgumentError(f"types are {len(given)}, expected {shape[2]} as the data has")
    made, leaves = _make_tree(tree, shape[1])
    return _build(cells, shape, made, leaves, given, name)

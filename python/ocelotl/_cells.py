"""The cells of a model: of arrays of NumPy, frames of pandas, sparse matrices of scipy."""
from __future__ import annotations

import sys
from typing import Any, List, Optional, Sequence, Tuple

from ocelotl._calls import ArgumentError
from ocelotl._native import lib

_CELL = [("node", "<u4"), ("type", "<u4"), ("slice", "<u4"), ("pad", "<u4"), ("value", "<f8")]


def _refuse_no_numbers(what: str, dtype: Any) -> None:
    if dtype.kind not in "fiub":
        raise ArgumentError(f"{what} is of {dtype}, expected numbers")


def array_of(data: Any) -> Any:
    """An array of NumPy; what is masked is 0."""
    import numpy
    try:
        array = numpy.asarray(data.filled(0) if hasattr(data, "filled") else data)
    except ValueError as refused:
        raise ArgumentError(f"data is no array: {refused}; expected slices x leaves x types") \
            from None
    _refuse_no_numbers("array", array.dtype)
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        with numpy.errstate(over="ignore"):
            array = array.astype("f8")
    return array


def cells_of_array(array: Any) -> Tuple[Any, Tuple[int, int, int]]:
    import numpy
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3:
        raise ArgumentError(f"array has {array.ndim} dimensions, expected slices x leaves x types")
    _refuse_empty("array", array.shape)
    _refuse_bad(numpy, array, lambda at: "slice {}, leaf {}, type {}".format(*at))
    at = numpy.nonzero(array)
    cells = numpy.zeros(len(at[0]), dtype=_CELL)
    cells["slice"], cells["node"], cells["type"] = at
    cells["value"] = array[at]
    return cells, array.shape


def _refuse_empty(what: str, shape: Sequence[int]) -> None:
    if 0 in shape:
        raise ArgumentError(f"{what} is {' x '.join(map(str, shape))}, expected at least one "
                            "slice, leaf and type")


def _refuse_bad(numpy: Any, values: Any, name: Any) -> None:
    bad = ~(numpy.isfinite(values) & (values >= 0))
    if bad.any():
        at = tuple(int(i) for i in numpy.argwhere(bad)[0])
        raise ArgumentError(f"{name(at)} is {values[at]}, expected a finite number, 0 or more")


def is_sparse(data: Any) -> bool:
    return hasattr(data, "tocoo")


def cells_of_sparse(data: Any, types: Optional[Sequence[str]]) -> Tuple[Any, Tuple[int, int, int]]:
    """Rows are slices; columns are leaves x types, the types of a leaf side by side."""
    import numpy
    coo = data.tocoo()
    if coo.ndim != 2:
        raise ArgumentError(f"matrix has {coo.ndim} dimensions, expected rows of slices, and "
                            "columns of leaves x types")
    _refuse_no_numbers("matrix", coo.dtype)
    _refuse_empty("matrix", coo.shape)
    coo = coo.copy() if coo is data else coo  # what is given stays as it is
    coo.sum_duplicates()
    count = len(types) if types is not None else 1
    if count == 0 or coo.shape[1] % count != 0:
        raise ArgumentError(f"matrix has {coo.shape[1]} columns, expected leaves x {count} types")
    _refuse_bad(numpy, coo.data,
                lambda at: f"row {coo.row[at[0]]}, column {coo.col[at[0]]}")
    _refuse_far_slice(coo.shape[0] - 1, f"matrix has {coo.shape[0]} rows")
    there = coo.data != 0
    cells = numpy.zeros(int(there.sum()), dtype=_CELL)
    cells["slice"], cells["value"] = coo.row[there], coo.data[there]
    cells["node"], cells["type"] = coo.col[there] // count, coo.col[there] % count
    return cells, (coo.shape[0], coo.shape[1] // count, count)


def is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "index") and hasattr(data, "to_numpy")


def _plain(label: Any) -> Any:
    """A label as Python writes it, whatever numbers it is made of."""
    if isinstance(label, tuple):
        return tuple(_plain(one) for one in label)
    return label.item() if hasattr(label, "item") else label


def _cell_name(frame: Any, row: int, column: int) -> str:
    return f"row {row} {_plain(frame.index[row])!r}, column {_plain(frame.columns[column])!r}"


def cells_of_frame(frame: Any) -> Tuple[Any, Tuple[int, int, int], List[Any], List[str]]:
    """The last level of the index is the slice, those before it the path; columns are types."""
    import numpy
    levels = getattr(frame.index, "nlevels", 1)
    if levels < 2:
        raise ArgumentError("frame has an index of one level, expected a MultiIndex: path.., slice")
    if len(frame) == 0 or len(frame.columns) == 0:
        raise ArgumentError("frame is empty, expected rows of path.., slice and columns of types")
    values = frame.to_numpy()
    if values.dtype.kind not in "fiub":
        values = _numbers_of(frame, numpy)
    _refuse_bad(numpy, values, lambda at: _cell_name(frame, *at))
    slices = _slices_of(frame, numpy)
    if frame.index.has_duplicates:
        row = int(numpy.argmax(frame.index.duplicated()))
        raise ArgumentError(f"row {row} {_plain(frame.index[row])!r} is there twice, expected one "
                            "row a leaf and slice")
    _refuse_missing_steps(frame)
    codes, paths = frame.index.droplevel(levels - 1).factorize()
    at = numpy.nonzero(values)
    cells = numpy.zeros(len(at[0]), dtype=_CELL)
    cells["node"], cells["type"] = codes[at[0]], at[1]
    cells["slice"], cells["value"] = slices[at[0]], values[at]
    shape = (int(slices.max()) + 1, len(paths), values.shape[1])
    return cells, shape, list(paths), [str(name) for name in frame.columns]


def _refuse_far_slice(last: int, what: str) -> None:
    if last >= lib.OCELOTL_NONE:
        raise ArgumentError(f"{what}, expected slices below {lib.OCELOTL_NONE}")


def _slices_of(frame: Any, numpy: Any) -> Any:
    """The last level of the index, checked."""
    slices = frame.index.get_level_values(frame.index.nlevels - 1)
    for row, one in enumerate(slices if slices.dtype.kind not in "iu" else ()):
        if isinstance(one, bool) or not isinstance(one, (int, numpy.integer)):
            raise ArgumentError(f"row {row} {_plain(frame.index[row])!r} has the slice "
                                f"{_plain(one)!r}, expected a whole number, 0 or more")
    if slices.min() < 0:
        row = int(numpy.argmax(slices < 0))
        raise ArgumentError(f"row {row} {_plain(frame.index[row])!r} has the slice {slices[row]}, "
                            "expected a whole number, 0 or more")
    row = int(numpy.argmax(slices))
    _refuse_far_slice(int(slices[row]), f"row {row} has the slice {slices[row]}")
    return slices.to_numpy()


def _refuse_missing_steps(frame: Any) -> None:
    """A step of a path that is not there has no name."""
    for level in range(frame.index.nlevels - 1):
        missing = frame.index.get_level_values(level).isna()
        if missing.any():
            row = int(missing.argmax())
            raise ArgumentError(f"row {row} {_plain(frame.index[row])!r} has no name at level "
                                f"{level} of its path, expected one")


def _is_number(cell: Any, numpy: Any) -> bool:
    """Whether a cell is one that fits a float of 64 bits."""
    if isinstance(cell, (bool, numpy.timedelta64)):
        return False
    if isinstance(cell, int):
        return abs(cell) <= sys.float_info.max
    return isinstance(cell, (float, numpy.integer, numpy.floating))


def _numbers_of(frame: Any, numpy: Any) -> Any:
    """The numbers of a frame that has objects; says which one is none."""
    for column in range(frame.shape[1]):
        for row, cell in enumerate(frame.iloc[:, column]):
            if not _is_number(cell, numpy):
                raise ArgumentError(f"{_cell_name(frame, row, column)} is {cell!r}, expected a "
                                    "number")
    return frame.to_numpy(dtype="f8")

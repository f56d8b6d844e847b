"""Tables, as the library makes them by the Arrow C data interface."""
from __future__ import annotations

import threading
from html import escape
from struct import calcsize
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from ocelotl._calls import (_CLASSES, ArgumentError, call, failure_is_there, note_failure, own,
                            take_failure, text)
from ocelotl._native import ffi, lib

# Formats of numbers in Arrow, as memoryviews and NumPy call them.
_NUMBERS = {b"I": "I", b"L": "Q", b"l": "q", b"g": "d", b"i": "i"}


class _Reader:
    """What a stream reads: it is locked while that is read, and kept until the stream is released.
    """

    def __init__(self, lock: Any, keeps: Any) -> None:
        self.lock = lock
        self.keeps = keeps
        self.held = False


_readers: Dict[int, Tuple[Any, _Reader]] = {}
_readers_lock = threading.Lock()


@ffi.def_extern(error=0, onerror=note_failure)  # type: ignore[misc]
def ocelotl_python_enter(handle: Any) -> int:
    reader = ffi.from_handle(handle)
    while not reader.held:
        try:
            reader.held = reader.lock.acquire()
        except KeyboardInterrupt as failure:
            note_failure(None, failure, None)
    # Ctrl-C may have come here, or as the batch before was left.
    return 0 if failure_is_there() else 1


@ffi.def_extern(onerror=note_failure)  # type: ignore[misc]
def ocelotl_python_leave(handle: Any) -> None:
    reader = ffi.from_handle(handle)
    reader.held = False
    reader.lock.release()


@ffi.def_extern(onerror=note_failure)  # type: ignore[misc]
def ocelotl_python_release(handle: Any) -> None:
    with _readers_lock:
        gone = _readers.pop(int(ffi.cast("uintptr_t", handle)), None)
    del gone


def make_stream(function: Callable[..., int], *arguments: Any, lock: Any, keeps: Any) -> Any:
    """A stream of the library in memory of its own, for a capsule."""
    take_failure()  # of another program's call, which had no use for it
    reader = _Reader(lock, keeps)
    handle = ffi.new_handle(reader)
    with _readers_lock:
        _readers[int(ffi.cast("uintptr_t", handle))] = (handle, reader)
    stream = ffi.cast("struct ArrowArrayStream *",
                      lib.new_structure(ffi.sizeof("struct ArrowArrayStream")))
    options = ffi.new("ocelotl_arrow_options *", lib.python_arrow_options(handle))
    try:
        with lock:
            call(function, stream, *arguments, options)
    except BaseException:
        lib.free(stream)
        raise
    return stream


def end_stream(stream: Any) -> None:
    if stream.release != ffi.NULL:
        stream.release(stream)
    lib.free(stream)


def _capsule(pointer: Any, name: bytes, destructor: int) -> Any:
    import ctypes
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    # The name has to outlive the capsule.
    return new(int(ffi.cast("uintptr_t", pointer)), _NAMES[name], destructor)


_NAMES = {name: name for name in (b"arrow_array_stream", b"arrow_schema")}


def _check(stream: Any, status: int) -> None:
    failure = take_failure()
    if failure is not None:
        raise failure
    if status != 0:
        import errno
        kind = {errno.EIO: lib.OCELOTL_ERROR_IO, errno.ENOMEM: lib.OCELOTL_ERROR_MEMORY,
                errno.ECANCELED: lib.OCELOTL_ERROR_CANCELLED}.get(status, lib.OCELOTL_ERROR_INPUT)
        raise _CLASSES[kind](text(stream.get_last_error(stream)))


class _Field:
    """A column of a schema."""

    def __init__(self, schema: Any) -> None:
        self.name = text(schema.name)
        self.format = ffi.string(schema.format)
        self.is_name = schema.dictionary != ffi.NULL


def _read_schema(stream: Any) -> List[_Field]:
    schema = ffi.new("struct ArrowSchema *")
    _check(stream, stream.get_schema(stream, schema))
    fields = [_Field(schema.children[i]) for i in range(schema.n_children)]
    schema.release(schema)
    return fields


class _Batch:
    """A batch of rows, and views of its bytes."""

    def __init__(self, stream: Any) -> None:
        self.array = own(ffi.new("struct ArrowArray *"), lib.end_array)
        _check(stream, stream.get_next(stream, self.array))
        self.ended = self.array.release == ffi.NULL
        self.length = 0 if self.ended else self.array.length

    def view(self, pointer: Any, size: int) -> Any:
        """Bytes that live in the batch, which they keep."""
        if size == 0 or pointer == ffi.NULL:
            return memoryview(b"")
        held = own(ffi.cast("char *", pointer), lib.end_view, self.array)
        return memoryview(ffi.buffer(held, size))

    def flags(self, pointer: Any) -> Optional[List[bool]]:
        """A bit for each row; None where there are none, as where all rows have something."""
        if pointer == ffi.NULL:
            return None
        bits = bytes(self.view(pointer, (self.length + 7) // 8))
        return [bool(bits[i // 8] >> i % 8 & 1) for i in range(self.length)]

    def bits(self, numpy: Any, pointer: Any) -> Any:
        """The same as an array of NumPy."""
        if pointer == ffi.NULL:
            return None
        octets = numpy.frombuffer(self.view(pointer, (self.length + 7) // 8), "u1")
        return numpy.unpackbits(octets, count=self.length, bitorder="little").view(bool)

    def texts(self, array: Any, binary: bool = False) -> List[Any]:
        count = array.length
        offsets = self.view(array.buffers[1], 4 * (count + 1)).cast("i") if count > 0 else [0]
        content: bytes = bytes(self.view(array.buffers[2], offsets[count]))
        between = zip(offsets, offsets[1:])
        if binary:
            return [content[begin:end] for begin, end in between]
        decoded = str(content, "utf-8")
        if len(decoded) == len(content):
            return [decoded[begin:end] for begin, end in between]
        return [str(content[begin:end], "utf-8") for begin, end in between]

    def values(self, field: _Field, index: int) -> List[Any]:
        """The cells of a column as objects, None for what is missing."""
        column = self.array.children[index]
        cells: List[Any]
        if column.null_count == self.length:
            return [None] * self.length
        if field.is_name:
            names: List[Any] = self.texts(column.dictionary)
            cells = [names[i] if names else None for i in self.numbers(column, b"i")]
        elif field.format in (b"u", b"z"):
            cells = self.texts(column, field.format == b"z")
        elif field.format == b"b":
            cells = self.flags(column.buffers[1]) or []
        else:
            cells = list(self.numbers(column, field.format))
        valid = self.flags(column.buffers[0])
        if valid is not None:
            cells = [cell if there else None for cell, there in zip(cells, valid)]
        return cells

    def numbers(self, column: Any, kind: bytes) -> Any:
        size = calcsize(_NUMBERS[kind])
        return self.view(column.buffers[1], self.length * size).cast(_NUMBERS[kind])

    def array_of(self, numpy: Any, field: _Field, index: int) -> Any:
        """The cells of a column as NumPy has them: numbers without a copy where none is missing."""
        column = self.array.children[index]
        valid = self.bits(numpy, column.buffers[0])
        if field.format == b"b" and valid is None:
            return self.bits(numpy, column.buffers[1])
        if field.is_name or field.format not in _NUMBERS:
            return numpy.array(self.values(field, index), dtype=object)
        numbers = numpy.asarray(self.numbers(column, field.format))
        if valid is None:
            return numbers
        numbers = numbers.astype("f8")
        numbers[~valid] = numpy.nan
        return numbers

    def codes_of(self, numpy: Any, index: int) -> Any:
        """The cells of a column of names as their numbers in its dictionary, -1 for none."""
        column = self.array.children[index]
        codes = numpy.asarray(self.numbers(column, b"i"))
        valid = self.bits(numpy, column.buffers[0])
        return codes if valid is None else numpy.where(valid, codes, -1)


class Table:
    """Rows and columns that the library has made.

    Whatever takes Arrow takes a table as it is, without a copy: ``pyarrow.table(t)``,
    ``polars.DataFrame(t)``, DuckDB. A column is ``table["gain"]``, an array of NumPy where that is
    installed, else a list. A column of integers in which some are missing becomes one of floats.
    """

    def __init__(self, stream: Callable[[], Any]) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._fields: Optional[List[_Field]] = None
        self._batches: List[_Batch] = []
        self._is_whole = True

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A new stream of the rows, for programs that take Arrow."""
        if not self._is_whole:
            raise ArgumentError("a batch is read in Python alone, expected the whole table, which "
                                "Arrow reads batch by batch, too")
        return _capsule(self._stream(), b"arrow_array_stream", lib.end_stream_address())

    def __arrow_c_schema__(self) -> Any:
        """What the columns are, for programs that take Arrow."""
        stream = self._stream()
        schema = ffi.cast("struct ArrowSchema *",
                          lib.new_structure(ffi.sizeof("struct ArrowSchema")))
        try:
            _check(stream, stream.get_schema(stream, schema))
        finally:
            end_stream(stream)
        return _capsule(schema, b"arrow_schema", lib.end_schema_address())

    def _read(self) -> List[_Field]:
        with self._lock:
            if self._fields is None:
                stream = self._stream()
                try:
                    self._fields = self._read_all(stream)
                finally:
                    end_stream(stream)
            return self._fields

    def _read_all(self, stream: Any) -> List[_Field]:
        fields = _read_schema(stream)
        batches = []
        while True:
            batch = _Batch(stream)
            if batch.ended:
                break
            batches.append(batch)
        self._batches = batches
        return fields

    def batches(self) -> Iterator["Table"]:
        """The rows in tables of some ten thousand, read as one goes: for more than memory holds."""
        stream = self._stream()
        try:
            fields = _read_schema(stream)
            while True:
                batch = _Batch(stream)
                if batch.ended:
                    return
                piece = Table(self._stream)
                piece._fields, piece._batches, piece._is_whole = fields, [batch], False
                yield piece
        finally:
            end_stream(stream)

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return [field.name for field in self._read()]

    def __len__(self) -> int:
        self._read()
        return sum(batch.length for batch in self._batches)

    def _find(self, name: str) -> int:
        names = self.columns
        if name not in names:
            raise KeyError(f"{name!r}: no such column, expected one of {', '.join(names)}")
        return names.index(name)

    def _list(self, index: int) -> List[Any]:
        field = self._read()[index]
        return [cell for batch in self._batches for cell in batch.values(field, index)]

    def __getitem__(self, name: str) -> Any:
        index = self._find(name)
        try:
            import numpy
        except ImportError:
            return self._list(index)
        return self._array(numpy, index)

    def _array(self, numpy: Any, index: int) -> Any:
        field = self._read()[index]
        pieces = [batch.array_of(numpy, field, index) for batch in self._batches]
        if len(pieces) == 1:
            return pieces[0]
        return numpy.concatenate(pieces) if pieces else numpy.array([], _NUMBERS.get(field.format))

    def to_dict(self) -> Dict[str, List[Any]]:
        """The columns as lists, by their names."""
        return {name: self._list(index) for index, name in enumerate(self.columns)}

    def rows(self) -> Iterator[Tuple[Any, ...]]:
        """The rows, one after the other."""
        return zip(*self.to_dict().values())

    def __iter__(self) -> Iterator[Tuple[Any, ...]]:
        return self.rows()

    def to_pandas(self) -> Any:
        """The table as a frame of pandas; names are categories."""
        import pandas
        if self._is_whole and hasattr(pandas.DataFrame, "from_arrow") and _has_pyarrow():
            return pandas.DataFrame.from_arrow(self)
        import numpy
        texts = "str" if int(pandas.__version__.split(".", maxsplit=1)[0]) >= 3 else object
        columns: List[Any] = []
        for index, field in enumerate(self._read()):
            if field.is_name:
                columns.append(pandas.Series(self._categories(numpy, pandas, index)))
            elif field.format == b"u":
                columns.append(pandas.Series(self._list(index), dtype=texts))
            else:
                columns.append(pandas.Series(self._array(numpy, index)))
        frame = pandas.concat(columns, axis=1)
        frame.columns = self.columns
        return frame

    def _categories(self, numpy: Any, pandas: Any, index: int) -> Any:
        """Every batch has the same dictionary."""
        if not self._batches:
            return pandas.Categorical([])
        names = self._batches[0].texts(self._batches[0].array.children[index].dictionary)
        codes = [batch.codes_of(numpy, index) for batch in self._batches]
        return pandas.Categorical.from_codes(numpy.concatenate(codes), names)

    def _show(self, most: int) -> Tuple[List[str], List[List[str]], int]:
        names = self.columns
        cells = [self._list(i)[:most] for i in range(len(names))]
        rows = [[shown(column[r]) for column in cells] for r in range(min(len(self), most))]
        return names, rows, len(self)

    def __repr__(self) -> str:
        names, rows, count = self._show(10)
        widths = [max(len(line[i]) for line in [names, *rows]) for i in range(len(names))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
                 for line in [names, *rows]]
        if count > len(rows):
            lines.append(f"... {count} rows")
        return "\n".join(lines)

    def _repr_html_(self) -> Optional[str]:
        return html_of_rows(*self._show(MOST_ROWS))


MOST_ROWS = 20  # of a table in a notebook


def html_of_rows(names: List[str], rows: List[List[str]], count: int) -> str:
    """A table of HTML: the first rows of some."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
                   for row in rows)
    foot = f"<p>{count} rows</p>" if count > len(rows) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{foot}"


def _has_pyarrow() -> bool:
    """Whether pandas can take Arrow."""
    from importlib.util import find_spec
    return find_spec("pyarrow") is not None


def shown(cell: Any) -> str:
    """A cell as text."""
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)

"""Tables as other programs read them: by the layout of the specification, with ctypes alone."""
import ctypes
import errno
import gc
import struct

import pytest

import ocelotl

pointer = ctypes.c_void_p


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


EndSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
EndArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
EndStream = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", pointer),
                   ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
                   ("dictionary", ctypes.POINTER(Schema)), ("release", EndSchema),
                   ("private", pointer)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64),
                  ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                  ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(pointer)),
                  ("children", ctypes.POINTER(ctypes.POINTER(Array))),
                  ("dictionary", ctypes.POINTER(Array)), ("release", EndArray),
                  ("private", pointer)]
Stream._fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream),
                                                   ctypes.POINTER(Schema))),
                   ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream),
                                                 ctypes.POINTER(Array))),
                   ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
                   ("release", EndStream), ("private", pointer)]


def open_stream(table):
    """The stream in the capsule of a table, and the capsule."""
    capsule = table.__arrow_c_stream__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = pointer, (ctypes.py_object, ctypes.c_char_p)
    return Stream.from_address(get(capsule, b"arrow_array_stream")), capsule


def read_bits(address, count):
    data = ctypes.string_at(address, (count + 7) // 8)
    return [data[i // 8] >> i % 8 & 1 == 1 for i in range(count)]


def read_texts(array, binary):
    offsets = struct.unpack(f"={array.length + 1}i",
                            ctypes.string_at(array.buffers[1], 4 * (array.length + 1)))
    assert offsets[0] == 0 and list(offsets) == sorted(offsets)
    data = ctypes.string_at(array.buffers[2], offsets[-1])
    pieces = [data[a:b] for a, b in zip(offsets, offsets[1:])]
    return pieces if binary else [piece.decode("utf-8", "strict") for piece in pieces]


def read_column(schema, array):
    """The cells of a column, None for nulls."""
    assert array.offset == 0 and array.n_children == 0
    kind = schema.format
    if kind in (b"u", b"z"):
        assert array.n_buffers == 3
        cells = read_texts(array, kind == b"z")
    else:
        assert array.n_buffers == 2
        if kind == b"b":
            cells = read_bits(array.buffers[1], array.length)
        else:
            letter = {b"I": "I", b"L": "Q", b"l": "q", b"g": "d", b"i": "i"}[kind]
            size = struct.calcsize("=" + letter)
            data = ctypes.string_at(array.buffers[1], size * array.length)
            cells = list(struct.unpack(f"={array.length}{letter}", data))
    valid = [True] * array.length
    if array.buffers[0]:
        valid = read_bits(array.buffers[0], array.length)
        assert schema.flags & 2, "nullable"
    assert array.null_count == valid.count(False)
    if schema.dictionary:
        names = read_column(schema.dictionary.contents, array.dictionary.contents)
        assert len(set(names)) == len(names), "names of a dictionary differ"
        cells = [names[cell] if there else None for cell, there in zip(cells, valid)]
    else:
        assert not array.dictionary
    return [cell if there else None for cell, there in zip(cells, valid)]


def read_table(table):
    """All rows, by column; everything is released once, the stream before its last batch."""
    stream, capsule = open_stream(table)
    schema = Schema()
    assert stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)) == 0
    assert schema.format == b"+s" and not schema.dictionary
    fields = [schema.children[i].contents for i in range(schema.n_children)]
    columns = {field.name.decode(): [] for field in fields}
    batches = []
    while True:
        array = Array()
        assert stream.get_next(ctypes.byref(stream), ctypes.byref(array)) == 0
        if not array.release:
            break
        assert array.n_buffers == 1 and not array.buffers[0]
        assert array.n_children == schema.n_children and array.length > 0
        batches.append(array)
    stream.release(ctypes.byref(stream))
    assert not stream.release
    del capsule
    gc.collect()
    for array in batches:
        for i, field in enumerate(fields):
            child = array.children[i].contents
            assert child.length == array.length
            columns[field.name.decode()] += read_column(field, child)
        array.release(ctypes.byref(array))
        assert not array.release
    schema.release(ctypes.byref(schema))
    assert not schema.release
    return columns


TABLES = {
    "parts": lambda t: t.overview(p=0.2).parts,
    "levels": lambda t: t.overview().levels,
    "stats": lambda t: t.stats(),
    "events": lambda t: t.events(),
    "series": lambda t: t.series(),
    "sql": lambda t: t.sql("SELECT type, value, begin, NULL AS n FROM events LIMIT 1000"),
    "changes": lambda t: t.compare(t, to="50%", from2="50%").changes,
    "resources": lambda t: t.resources,
}


@pytest.mark.parametrize("what", sorted(TABLES))
def test_layout(trace, what):
    table = TABLES[what](trace)
    columns = read_table(table)
    assert len(next(iter(columns.values()))) == len(table) > 0
    assert columns == table.to_dict()


def test_child_that_is_moved_out(trace):
    stream, capsule = open_stream(trace.overview().parts)
    array = Array()
    assert stream.get_next(ctypes.byref(stream), ctypes.byref(array)) == 0
    child = Array()
    ctypes.memmove(ctypes.byref(child), array.children[1], ctypes.sizeof(Array))
    array.children[1].contents.release = EndArray()
    array.release(ctypes.byref(array))
    assert child.length > 0 and child.dictionary.contents.length > 0
    child.release(ctypes.byref(child))
    del capsule


def test_streams_that_nobody_reads(run_db):
    with ocelotl.open(run_db) as t:
        for make in TABLES.values():
            make(t).__arrow_c_stream__()
            make(t).__arrow_c_schema__()
    gc.collect()


def test_a_failure_has_a_message(trace):
    table = trace.sql("SELECT abs(-9223372036854775807 - column1) AS a FROM (VALUES (1))")
    with pytest.raises(ocelotl.Error, match="SQL"):
        table.columns


class Interrupted:
    """A lock at which Ctrl-C comes once."""

    def __init__(self, lock):
        self.lock, self.release = lock, lock.release
        self.waits = True

    def acquire(self):
        if self.waits:
            self.waits = False
            raise KeyboardInterrupt
        return self.lock.acquire()


def interrupt(table, monkeypatch):
    """Lets Ctrl-C come as the next stream of a table reads its first batch."""
    from ocelotl import _table
    made = _table._Reader.__init__

    def begin(reader, lock, keeps):
        made(reader, Interrupted(lock), keeps)

    monkeypatch.setattr(_table._Reader, "__init__", begin)
    return table


def test_ctrl_c_ends_a_stream(trace, monkeypatch):
    with monkeypatch.context() as patch:
        stream, capsule = open_stream(interrupt(trace.events(), patch))
    array = Array()
    assert stream.get_next(ctypes.byref(stream), ctypes.byref(array)) == errno.ECANCELED
    assert not array.release
    del capsule
    assert len(trace.events()) > 0, "what another program left is no failure of the next call"


def test_ctrl_c_ends_a_stream_in_pyarrow(trace, monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    with monkeypatch.context() as patch:
        reader = pyarrow.RecordBatchReader.from_stream(interrupt(trace.events(), patch))
    with pytest.raises((OSError, pyarrow.ArrowException)):
        reader.read_all()
    assert len(trace.events()) > 0


@pytest.mark.parametrize("what", sorted(TABLES))
def test_pyarrow(trace, what):
    pyarrow = pytest.importorskip("pyarrow")
    table = TABLES[what](trace)
    read = pyarrow.RecordBatchReader.from_stream(table).read_all()
    read.validate(full=True)
    assert read.to_pydict() == table.to_dict()


def test_polars(trace):
    polars = pytest.importorskip("polars")
    table = trace.events()
    frame = polars.DataFrame(table)
    assert frame["begin"].to_list() == table.to_dict()["begin"]
    assert frame["value"].cast(polars.String).to_list() == table.to_dict()["value"]


def test_duckdb(trace):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    events = trace.events()
    said = duckdb.sql("SELECT value, count(*) FROM events WHERE category = 'state' GROUP BY 1")
    expected = trace.sql("SELECT value, count(*) AS n FROM events WHERE category = 'state' "
                         "GROUP BY 1")
    assert sorted(said.fetchall()) == sorted(expected.rows())
    del events

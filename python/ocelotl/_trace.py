"""Traces, and questions about them."""
from __future__ import annotations

import json
import os
import tempfile
import threading
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional

from ocelotl._calls import (ArgumentError, Progress, call, default_progress, encode, make, own,
                            text)
from ocelotl._importing import OF_IMPORT, import_files, paths_of
from ocelotl._native import ffi, lib
from ocelotl._overview import Buffer, Measures, Overview, write_file
from ocelotl._requests import Options, Request, describe, from_keywords, rows
from ocelotl._table import Table, make_stream

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ocelotl._keywords import (CompareKeywords, DurationsKeywords, EventsKeywords,
                                   MatrixKeywords, OverviewKeywords, SeriesKeywords, StatsKeywords)

_READING = ("lenient", "time-unit", "by", "value", "stacks", "collectives", "columns",
            "fold-names", "pair", "no-cache")


class Trace:
    """An open trace, made by :func:`ocelotl.open`.

    Threads may share it: one at a time reads. Overviews, tables and comparisons keep what they
    need, so all may be closed in any order.
    """

    def __init__(self, path: Any, reading: Options, progress: Optional[Progress],
                 keeps: Any = None) -> None:
        self.path = os.fspath(path)
        self._keeps = keeps
        self._lock = threading.RLock()
        self._progress = progress
        self._reading = reading
        self._session: Any = None
        self._open()

    def _open(self) -> None:
        request = Request("overview", self._reading, [self.path])
        options = ffi.new("ocelotl_session_options *", lib.python_session_options())
        self._session = make("ocelotl_session", lib.ocelotl_session_free, lib.ocelotl_session_open,
                             encode(self.path), request.pointer, options, needed=(self._keeps,),
                             progress=self._progress)

    def close(self) -> None:
        """Closes the trace. Objects made from it stay valid."""
        with self._lock:
            self._session = None

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def _held(self) -> Any:
        session = self._session
        if session is None:
            raise ArgumentError(f"{self.path}: the trace is closed, expected an open one")
        return session

    def _request(self, command: str, keywords: Mapping[str, object],
                 operands: Iterable[str] = ()) -> Request:
        # A command may have an option of its own of the same name.
        known = rows(command)
        reading = [option for option in self._reading
                   if option[0] in known and text(known[option[0]].group) == "Reading"]
        return Request(command, reading + from_keywords(command, keywords), [self.path, *operands])

    def _pointer(self) -> Any:
        trace = ffi.new("ocelotl_trace **")
        call(lib.ocelotl_session_trace, trace, self._held())
        return trace[0]

    # --- What it is

    @property
    def info(self) -> Dict[str, Any]:
        """What is in the trace: its format, its times, types of resources and of events, and what
        is noted on it."""
        with self._lock:
            out = Buffer()
            notes = self._notes(lib.ocelotl_notes_read)
            call(lib.ocelotl_info_write_json, out.sink, self._pointer(), notes)
        return json.loads(out.take())  # type: ignore[no-any-return]

    def _notes(self, function: Any) -> Any:
        return make("ocelotl_notes", lib.ocelotl_notes_free, function, encode(self.path))

    @property
    def metadata(self) -> Dict[str, str]:
        """Values of one's own by key, kept beside the trace."""
        notes = self._notes(lib.ocelotl_notes_read)
        pairs = [lib.ocelotl_notes_metadata_at(notes, index)
                 for index in range(lib.ocelotl_notes_metadata_count(notes))]
        return {text(pair.key): text(pair.value) for pair in pairs}

    def set_metadata(self, values: Mapping[str, Optional[str]]) -> None:
        """Keeps values of one's own beside the trace, which does not change; None drops a key."""
        notes = self._notes(lib.ocelotl_notes_begin)
        try:
            for key, value in values.items():
                call(lib.ocelotl_notes_set, notes, key.encode(),
                     ffi.NULL if value is None else value.encode())
            call(lib.ocelotl_notes_commit, notes)
        finally:
            ffi.release(notes)  # others may change them again

    @property
    def resources(self) -> Table:
        """The resources, with their paths and lifetimes."""
        session = self._held()

        def stream() -> Any:
            trace = ffi.new("ocelotl_trace **")
            call(lib.ocelotl_session_trace, trace, session)
            return make_stream(lib.ocelotl_resources_to_arrow, trace[0], lock=self._lock,
                               keeps=session)

        return Table(stream)

    # --- Overviews

    def overview(self, p: Any = "auto", **keywords: Unpack[OverviewKeywords]) -> Overview:
        detail = [] if p is None or p == "auto" else from_keywords("overview", {"p": p})
        return self._overview(from_keywords("overview", keywords) + detail)

    def _overview(self, options: Options) -> Overview:
        new = [option for option in self._reading if option not in options]
        request = Request("overview", new + options, [self.path])
        with self._lock:
            session = self._held()
            measured = make("ocelotl_measured", lib.ocelotl_measured_free, lib.ocelotl_session_keep,
                            session, request.pointer, progress=self._progress)
            aggregation = lib.ocelotl_measured_aggregation(measured)
            measures = Measures(aggregation, measured, self._progress)
            partition = make("ocelotl_partition", lib.ocelotl_partition_free,
                             lib.ocelotl_session_partition, session, request.pointer,
                             needed=(measures,), progress=self._progress)
        return Overview(_Drawn(self, session), request, measures, partition)

    # --- Tables

    def stats(self, **keywords: Unpack[StatsKeywords]) -> Table:
        request = self._request("stats", keywords)
        with self._lock:
            session = self._held()
            trace = self._pointer()
            made = make("ocelotl_statistics", lib.ocelotl_statistics_free,
                        lib.ocelotl_session_statistics, session, request.pointer, needed=(session,),
                        progress=self._progress)

        def stream() -> Any:
            return make_stream(lib.ocelotl_statistics_to_arrow, made, trace, lock=self._lock,
                               keeps=(made, session))

        return Table(stream)

    def durations(self, patterns: Any = "*", **keywords: Unpack[DurationsKeywords]) -> Table:
        """How long states and links last, by name or glob: a row for each bin that has some."""
        request = self._request("stats", {"durations": patterns, **keywords})
        with self._lock:
            session = self._held()
            trace = self._pointer()
            made = make("ocelotl_durations", lib.ocelotl_durations_free,
                        lib.ocelotl_session_durations, session, request.pointer, needed=(session,),
                        progress=self._progress)

        def stream() -> Any:
            return make_stream(lib.ocelotl_durations_to_arrow, made, trace, lock=self._lock,
                               keeps=(made, session))

        return Table(stream)

    def events(self, **keywords: Unpack[EventsKeywords]) -> Table:
        request = self._request("export", keywords)
        session = self._held()

        def stream() -> Any:
            with self._lock:
                selection = ffi.new("ocelotl_selection *")
                opened = ffi.new("ocelotl_events **")
                call(lib.ocelotl_session_events, opened, selection, session, request.pointer,
                     progress=self._progress)
                events = own(opened[0], lib.ocelotl_events_free, session)
                trace = ffi.new("ocelotl_trace **")
                call(lib.ocelotl_session_trace, trace, session)
            return make_stream(lib.ocelotl_events_to_arrow, events, trace[0], lock=self._lock,
                               keeps=(events, session))

        return Table(stream)

    def series(self, **keywords: Unpack[SeriesKeywords]) -> Table:
        request = self._request("series", keywords)
        session = self._held()

        def stream() -> Any:
            with self._lock:
                series = make("ocelotl_series", lib.ocelotl_series_free, lib.ocelotl_session_series,
                              session, request.pointer, True, needed=(session,),
                              progress=self._progress)
                trace = ffi.new("ocelotl_trace **")
                call(lib.ocelotl_session_trace, trace, session)
            return make_stream(lib.ocelotl_series_to_arrow, series, trace[0], lock=self._lock,
                               keeps=(series, session))

        return Table(stream)

    def matrix(self, **keywords: Unpack[MatrixKeywords]) -> "Matrix":
        request = self._request("matrix", keywords)
        with self._lock:
            session = self._held()
            trace = self._pointer()
            made = make("ocelotl_messages", lib.ocelotl_messages_free, lib.ocelotl_session_messages,
                        session, request.pointer, needed=(session,), progress=self._progress)
        return Matrix(self._lock, request, made, trace)

    def sql(self, query: str) -> Table:
        """The rows of a query in SQL; docs/programs.md names the tables. They are read at once."""
        with self._lock:
            self._held()
            made = make("ocelotl_query", lib.ocelotl_query_free, lib.ocelotl_query_open,
                        self._pointer(), encode(query), needed=(self._session,))
        del made
        session = self._session

        def stream() -> Any:
            with self._lock:
                trace = ffi.new("ocelotl_trace **")
                call(lib.ocelotl_session_trace, trace, session)
                asked = make("ocelotl_query", lib.ocelotl_query_free, lib.ocelotl_query_open,
                             trace[0], encode(query), needed=(session,))
                work = ffi.new("ocelotl_work *")
                work.progress = lib.python_watch()
                lib.ocelotl_query_watch(asked, work)
                return make_stream(lib.ocelotl_query_to_arrow, asked, lock=self._lock,
                                   keeps=(asked, session))

        return Table(stream)

    def compare(self, other: Any, **keywords: Unpack[CompareKeywords]) -> "Comparison":
        second = other.path if isinstance(other, Trace) else os.fspath(other)
        request = self._request("compare", keywords, [second])
        with self._lock:
            session = self._held()
            pair = make("ocelotl_pair", lib.ocelotl_pair_free, lib.ocelotl_session_compare, session,
                        request.pointer, needed=(session, request), progress=self._progress)
        return Comparison(self._lock, request, pair)

    def __repr__(self) -> str:
        state = "closed " if self._session is None else ""
        return f"<{state}ocelotl.Trace {self.path}>"


class _Drawn:
    """What draws the overviews of a trace, which may be closed."""

    def __init__(self, trace: Trace, session: Any) -> None:
        self._lock = trace._lock
        self._trace = trace
        self._session = session

    def _overview(self, options: Options) -> Overview:
        return self._trace._overview(options)

    def _write_overview(self, sink: Any, kind: int, request: Request, partition: Any, view: Any) \
            -> None:
        with self._lock:
            call(lib.ocelotl_session_write_overview, sink, kind, self._session, request.pointer,
                 partition, view, progress=self._trace._progress)


class Matrix(Table):
    """The matrix of messages: a row for each cell that holds something."""

    def __init__(self, lock: Any, request: Request, messages: Any, trace: Any) -> None:
        def stream() -> Any:
            return make_stream(lib.ocelotl_messages_to_arrow, messages, trace, lock=lock,
                               keeps=messages)

        super().__init__(stream)
        self._request = request
        self._messages = messages
        self._trace = trace

    @property
    def command(self) -> str:
        """The command line that says the same."""
        return self._request.line()

    def save(self, path: Any, **keywords: Any) -> None:
        """Draws the matrix (.svg, .png, .pdf), or writes it (.json, .csv)."""
        suffix = os.path.splitext(os.fspath(path))[1].lower()
        if suffix == ".json":
            write_file(path, lib.ocelotl_messages_write_json, self._messages, self._trace)
        elif suffix == ".csv":
            write_file(path, lib.ocelotl_messages_write_csv, self._messages, self._trace)
        else:
            request, view, kept = drawn(self._request, keywords)
            call(lib.ocelotl_messages_render, encode(path), self._trace, self._messages,
                 request.pointer.measure, request.pointer.linear, view)
            del kept


def drawn(request: Request, keywords: Mapping[str, object]) -> Any:
    """A request with more keywords, how it is drawn, and what that refers to."""
    options = request.options + from_keywords(request.command, keywords)
    more = Request(request.command, options, request.operands)
    line = ffi.new("char[]", encode(more.line()))
    view = ffi.new("ocelotl_picture_options *", more.pointer.view)
    view.command = line
    return more, view, line


class Comparison:
    """What differs between two traces, or two windows of one."""

    def __init__(self, lock: Any, request: Request, pair: Any) -> None:
        self._lock = lock
        self._request = request
        self._pair = pair

    @property
    def changes(self) -> Table:
        """Every change, the largest first: what a leaf has in the first and in the second."""
        comparison = lib.ocelotl_pair_comparison(self._pair)

        def stream() -> Any:
            return make_stream(lib.ocelotl_comparison_to_arrow, comparison, lock=self._lock,
                               keeps=(self, self._pair))

        return Table(stream)

    @property
    def command(self) -> str:
        """The command line that says the same."""
        return self._request.line()

    def save(self, path: Any, **keywords: Any) -> None:
        """Draws both (.svg, .png, .pdf), in one picture where view="difference"; or writes the
        changes (.json, .csv)."""
        suffix = os.path.splitext(os.fspath(path))[1].lower()
        comparison = lib.ocelotl_pair_comparison(self._pair)
        if suffix == ".json":
            write_file(path, lib.ocelotl_comparison_write_json, comparison, ffi.NULL, ffi.NULL)
        elif suffix == ".csv":
            write_file(path, lib.ocelotl_comparison_write_csv, comparison, ffi.NULL)
        else:
            self._render(path, keywords)

    def _render(self, path: Any, keywords: Dict[str, Any]) -> None:
        _request, view, kept = drawn(self._request, keywords)
        difference = view.view != ffi.NULL and text(view.view) == "difference"
        render = lib.ocelotl_pair_render_difference if difference else lib.ocelotl_pair_render
        with self._lock:
            call(render, encode(path), self._pair, view)
        del kept

    def _repr_svg_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "both.svg")
            self.save(path)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def __repr__(self) -> str:
        return f"<ocelotl.Comparison of {' and '.join(self._request.operands)}>"


def open_trace(path: Any, progress: Any = None, target: Any = None, overwrite: bool = False,
               **reading: Any) -> Trace:
    """Opens a trace.db, a table of a model, or a trace: a file, a folder, or a list of them.

    One trace is imported into the cache. Several are imported as one into ``target``, a trace.db
    that stays; or into a temporary file, without it.

    progress: called as progress(step, done, total), False from it cancels; default: a bar of tqdm
    where that is there and somebody can see it; False: none.

    Keywords say how a trace is read: lenient, time_unit, by, value, stacks, collectives, columns,
    fold_names, pair, no_cache; and align, same_root, format, name, which import it anew.
    ``ocelotl-cli import --help`` explains them.
    """
    options = from_keywords("import", reading)
    for option, _value in options:
        if option not in _READING + OF_IMPORT and option in rows("overview"):
            raise ArgumentError(f"{option} is no option of reading, expected one of "
                                f"{', '.join(_READING + OF_IMPORT)}")
    if progress is None:
        progress = default_progress()
    paths = paths_of(path)
    alone = len(paths) == 1 and not any(option in OF_IMPORT for option, _value in options)
    if alone and target is None:
        return Trace(paths[0], options, progress or None)
    options = [option for option in options if option[0] != "no-cache"]
    made, folder = import_files(paths, options, target, overwrite, progress or None)
    return Trace(made, [], progress or None, folder)


Trace.overview.__doc__ = describe(
    "overview", "The overview at p, from 0 (nothing is lost) to 1 (one block). Keywords:")
Trace.stats.__doc__ = describe(
    "stats", "What a window adds up to, by event type and value. Keywords:")
Trace.events.__doc__ = describe(
    "export", "The events, read as they are asked for. Keywords:")
Trace.series.__doc__ = describe(
    "series", "Derived series: how many resources are in each state over time. Keywords:")
Trace.matrix.__doc__ = describe(
    "matrix", "The matrix of messages: links by where they begin and end. Keywords:")
Trace.compare.__doc__ = describe(
    "compare", "What differs in another trace, or its path. Keywords:")

__all__: List[str] = ["Comparison", "Matrix", "Trace", "open_trace"]


def list_traces(folder: Any = ".", recursive: bool = False,
                where: Iterable[str] = ()) -> List[Dict[str, Any]]:
    """The traces in a folder, as ``ocelotl-cli list --json`` has them; nothing is imported."""
    conditions = [where] if isinstance(where, str) else where
    options: Options = [("where", one) for one in conditions]
    options += [("recursive", None)] if recursive else []
    request = Request("list", options, [os.fspath(folder)])
    wanted = ffi.new("ocelotl_folder_options *", {"size": ffi.sizeof("ocelotl_folder_options")})
    lib.ocelotl_request_folder_options(wanted, request.pointer)
    found = make("ocelotl_folder", lib.ocelotl_folder_free, lib.ocelotl_folder_read,
                 encode(folder), wanted)
    out = Buffer()
    call(lib.ocelotl_folder_write_json, out.sink, found)
    return json.loads(out.take())["traces"]  # type: ignore[no-any-return]

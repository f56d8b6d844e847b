"""Traces, and questions about them."""
from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, Optional

from ocelotl._answers import (Answer, Answered, Comparison, Diagram, Drawn, Info, Matrix,
                              Picture)
from ocelotl._calls import (ArgumentError, Progress, call, default_progress, encode, make, text)
from ocelotl._exporting import export_trace, open_events, write_snapshot
from ocelotl._importing import OF_IMPORT, import_files, paths_of
from ocelotl._native import ffi, lib
from ocelotl._output import Buffer, Result
from ocelotl._overview import Measures, Overview
from ocelotl._requests import (Option, Options, Request, described, from_keywords, groups,
                               rows, with_p)
from ocelotl._table import Table, make_stream

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ocelotl._keywords import (CausalityKeywords, CheckKeywords, ClocksKeywords,
                                   CompareKeywords, CorrectKeywords, DurationsKeywords,
                                   EventsKeywords,
                                   GanttKeywords, HierarchiesKeywords, MatrixKeywords,
                                   OverviewKeywords, SeriesKeywords, SnapshotKeywords,
                                   StatsKeywords, SweepKeywords, TreemapKeywords)

_READING = ("lenient", "time-unit", "by", "value", "stacks", "collectives", "columns",
            "fold-names", "pair", "counter", "increment", "no-cache")


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
                 operands: Iterable[str] = (), more: Iterable[Option] = ()) -> Request:
        # A command may have an option of its own of the same name.
        known = groups(command)
        reading = [option for option in self._reading if known.get(option[0]) == "Reading"]
        options = [*reading, *from_keywords(command, keywords), *more]
        return Request(command, options, [self.path, *operands])

    def _find(self, request: Request, form: int, session: Any = None) -> Any:
        """The answer to a request; of a session that is given, which may be closed here."""
        with self._lock:
            session = self._held() if session is None else session
            return make("ocelotl_answer", lib.ocelotl_answer_free, lib.ocelotl_answer_find,
                        session, request.pointer, form, needed=(session, request),
                        progress=self._progress)

    def _ask(self, command: str, keywords: Mapping[str, object], operands: Iterable[str] = (),
             form: int = lib.OCELOTL_FORM_JSON, **more: Any) -> Result:
        """What the library answers to a command."""
        request = self._request(command, keywords, operands)
        return Result(self._lock, request, self._find(request, form), progress=self._progress,
                      **more)

    def _pointer(self, session: Any = None) -> Any:
        """The trace of the session, or of one that may be closed here."""
        trace = ffi.new("ocelotl_trace **")
        with self._lock:
            call(lib.ocelotl_session_trace, trace, self._held() if session is None else session)
        return trace[0]

    # --- What it is

    @property
    def info(self) -> Info:
        """What is in the trace: its format, its times, types of resources and of events, and what
        is noted on it."""
        with self._lock:
            out, said = Buffer(), Buffer()
            notes = self._notes(lib.ocelotl_notes_read)
            choices = ffi.new("char const **")
            call(lib.ocelotl_session_choices, choices, self._held())
            for to, form in (out, lib.OCELOTL_FORM_JSON), (said, lib.OCELOTL_FORM_TEXT):
                call(lib.ocelotl_info_write, to.sink, form, self._pointer(), notes, choices[0])
        return Info(json.loads(out.take()), said.take().decode("utf-8").rstrip("\n"))

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
            return make_stream(lib.ocelotl_resources_to_arrow, self._pointer(session),
                               lock=self._lock, keeps=session)

        return Table(stream)

    # --- Overviews

    @described("overview", "The overview at p, from 0 (nothing is lost) to 1 (one block).")
    def overview(self, p: Any = "auto", **keywords: Unpack[OverviewKeywords]) -> Overview:
        return self._overview(with_p("overview", p, keywords))

    @described("treemap", "The resources as nested rectangles, at p.")
    def treemap(self, p: Any = "auto", **keywords: Unpack[TreemapKeywords]) -> Overview:
        return self._overview(with_p("treemap", p, keywords), "treemap")

    def _overview(self, options: Options, command: str = "overview") -> Overview:
        new = [option for option in self._reading if option not in options]
        request = Request(command, new + options, [self.path])
        with self._lock:
            session = self._held()
            measured = make("ocelotl_measured", lib.ocelotl_measured_free, lib.ocelotl_session_keep,
                            session, request.pointer, progress=self._progress)
            aggregation = lib.ocelotl_measured_aggregation(measured)
            measures = Measures(aggregation, measured, self._progress,
                                request.pointer.view.plain)
            partition = make("ocelotl_partition", lib.ocelotl_partition_free,
                             lib.ocelotl_session_partition, session, request.pointer,
                             needed=(measures,), progress=self._progress)
        return Overview(_Drawing(self, session), request, measures, partition)

    # --- Tables

    def ask(self, command: str, **keywords: Any) -> Answered:
        """What a command of the program lists: ``ask("busiest", only="MPI_Recv")``. Keywords are
        its options."""
        return Answered(self._ask(command, keywords))

    @described("stats", "What a window adds up to, by event type and value.")
    def stats(self, **keywords: Unpack[StatsKeywords]) -> Answered:
        return Answered(self._ask("stats", keywords))

    def durations(self, patterns: Any = "*", **keywords: Unpack[DurationsKeywords]) -> Drawn:
        """How long states and links last, by name or glob: a row for each bin that has some."""
        return Drawn(self._ask("stats", {"durations": patterns, **keywords}))

    @described("export", "The events, read as they are asked for.")
    def events(self, **keywords: Unpack[EventsKeywords]) -> Table:
        request = self._request("export", keywords)
        session = self._held()

        def stream() -> Any:
            with self._lock:
                events, _selection = open_events(self, request, session)
            return make_stream(lib.ocelotl_events_to_arrow, events, self._pointer(session),
                               lock=self._lock, keeps=(events, session))

        return Table(stream)

    @described("series", "Derived series: how many resources are in each state over time.")
    def series(self, **keywords: Unpack[SeriesKeywords]) -> Drawn:
        result = self._ask("series", keywords, form=lib.OCELOTL_FORM_TRACE)
        session, request = self._held(), result.request
        # Series are read once, by whoever asks for the rows.
        return Drawn(result, lambda: self._find(request, lib.OCELOTL_FORM_TRACE, session))

    @described("matrix", "The matrix of messages: links by where they begin and end.")
    def matrix(self, **keywords: Unpack[MatrixKeywords]) -> Matrix:
        return Matrix(self._ask("matrix", keywords))

    def sql(self, query: str) -> Table:
        """The rows of a query in SQL; docs/programs.md names the tables. They are read at once."""
        session = self._held()

        def find() -> Any:
            return make("ocelotl_query", lib.ocelotl_query_free, lib.ocelotl_query_open,
                        self._pointer(session), encode(query), needed=(session,))

        def stream() -> Any:
            with self._lock:
                asked = find()
                work = ffi.new("ocelotl_work *")
                work.progress = lib.python_watch()
                lib.ocelotl_query_watch(asked, work)
                return make_stream(lib.ocelotl_query_to_arrow, asked, lock=self._lock,
                                   keeps=(asked, session))

        with self._lock:
            find()  # refuses what is no question
        return Table(stream)

    @described("compare", "What differs in another trace, or its path.")
    def compare(self, other: Any, **keywords: Unpack[CompareKeywords]) -> Comparison:
        return Comparison(self._ask("compare", keywords, [path_of(other)]))

    @described("check",
               "Whether the last of other traces, or their paths, is like this one and those "
               "before it. to_dict()[\"passed\"] says so; save(\"x.xml\") writes JUnit XML.")
    def check(self, *others: Any, **keywords: Unpack[CheckKeywords]) -> Comparison:
        return Comparison(self._ask("check", keywords, [path_of(other) for other in others]))

    @described("causality",
               "Whether the order of events can be trusted: links that end before they begin. "
               "save(\"x.db\") keeps these as a trace.")
    def causality(self, **keywords: Unpack[CausalityKeywords]) -> Answer:
        return Answer(self._ask("causality", keywords))

    @described("clocks",
               "How the clocks of a trace differ, by its messages. save(\"x.db\") writes the trace "
               "in the time of one.")
    def clocks(self, **keywords: Unpack[ClocksKeywords]) -> Picture:
        return Picture(self._ask("clocks", keywords))

    @described("correct",
               "A run without what tracing cost, or on another machine. save(\"x.db\") writes the "
               "trace with the new times.")
    def correct(self, **keywords: Unpack[CorrectKeywords]) -> Answer:
        return Answer(self._ask("correct", keywords))

    @described("hierarchies", "Which hierarchy of the resources loses least.")
    def hierarchies(self, **keywords: Unpack[HierarchiesKeywords]) -> Picture:
        return Picture(self._ask("hierarchies", keywords))

    @described("sweep", "The levels of detail, and their curves as a picture.")
    def sweep(self, **keywords: Unpack[SweepKeywords]) -> Picture:
        return Picture(self._ask("sweep", keywords))

    @described("gantt", "The events of a window over time, a row for each resource.")
    def gantt(self, **keywords: Unpack[GanttKeywords]) -> Diagram:
        return Diagram(self._ask("gantt", keywords))

    @described("snapshot",
               "Writes a picture, its levels, parts, totals and parameters into a folder, or a "
               "file .zip.")
    def snapshot(self, path: Any, p: Any = "auto", **keywords: Unpack[SnapshotKeywords]) -> None:
        write_snapshot(self, path, p, keywords)

    @described("export",
               "Writes the events to a file: csv (default), json, pjdump, chrome, paje, picl, "
               "picl1, perfetto; or the model: matrix. Gives what the format cannot say, and how "
               "often. with_parts: chrome, perfetto: the parts of the overview, too; digits: of "
               "pjdump.")
    def export(self, path: Any, format: Optional[str] = None, with_parts: bool = False,
               digits: Optional[int] = None, **keywords: Unpack[EventsKeywords]) -> Dict[str, int]:
        suffix = os.path.splitext(os.fsdecode(path))[1].lower()
        chosen = format if format is not None else "json" if suffix == ".json" else "csv"
        options: Options = [("format", chosen), ("output", os.fsdecode(path))]
        options += [("with-parts", None)] if with_parts else []
        options += [("digits", str(digits))] if digits is not None else []
        return export_trace(self, path, chosen, options, keywords)

    def __repr__(self) -> str:
        state = "closed " if self._session is None else ""
        return f"<{state}ocelotl.Trace {self.path}>"

    def _repr_html_(self) -> Optional[str]:
        return None if self._session is None else self.info._repr_html_()


class _Drawing:
    """What draws the overviews of a trace, which may be closed."""

    def __init__(self, trace: Trace, session: Any) -> None:
        self._lock = trace._lock
        self._trace = trace
        self._session = session

    def _overview(self, options: Options) -> Overview:
        return self._trace._overview(options)

    def _write_report(self, sink: Any, request: Request, measures: Measures, p: float,
                      view: Any) -> None:
        del measures, p  # the session finds them
        with self._lock:
            call(lib.ocelotl_session_draw_report, sink, self._session, request.pointer, view,
                 progress=self._trace._progress)

    def _write_overview(self, sink: Any, kind: int, request: Request, partition: Any, view: Any) \
            -> None:
        with self._lock:
            call(lib.ocelotl_session_draw_overview, sink, kind, self._session, request.pointer,
                 partition, view, progress=self._trace._progress)


def path_of(trace: Any) -> str:
    """Where a trace is that another one is compared with."""
    if isinstance(trace, Trace):
        trace._held()
        return str(trace.path)
    return os.fsdecode(trace)


def open_trace(path: Any, progress: Any = None, target: Any = None, overwrite: bool = False,
               **reading: Any) -> Trace:
    """Opens a trace.db, a table of a model, or a trace: a file, a folder, or a list of them.

    One trace is imported into the cache. Several are imported as one into ``target``, a trace.db
    that stays; or into a temporary file, without it.

    progress: called as progress(step, done, total), False from it cancels; default: a bar of tqdm
    where that is there and somebody can see it; False: none.

    Keywords say how a trace is read: lenient, time_unit, by, value, stacks, collectives, columns,
    fold_names, pair, counter, increment, no_cache; and align, same_root, format, name, which
    import it anew.
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

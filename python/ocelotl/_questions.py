"""What else a trace is asked: its order, its clocks, its hierarchies, its diagrams; exports."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional

from ocelotl._answers import Answer, Diagram, Picture
from ocelotl._calls import ArgumentError, Progress, call, encode, make, own, text
from ocelotl._native import ffi, lib
from ocelotl._output import Result, info_of, write_file
from ocelotl._requests import Option, Options, Request, describe, from_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ocelotl._keywords import (CausalityKeywords, ClocksKeywords, EventsKeywords,
                                   GanttKeywords, HierarchiesKeywords, SnapshotKeywords,
                                   SweepKeywords)


class Questions:
    """Those questions of a trace that are answered by no table."""

    path: str
    _lock: Any
    _progress: Optional[Progress]

    def _held(self) -> Any:
        raise NotImplementedError

    def _pointer(self) -> Any:
        raise NotImplementedError

    def _request(self, command: str, keywords: Mapping[str, object],
                 operands: Iterable[str] = (), more: Iterable[Option] = ()) -> Request:
        raise NotImplementedError

    def _find(self, what: str, request: Request, session: Any = None) -> Any:
        """What the session finds for a request; one that is given may be closed here."""
        with self._lock:
            session = self._held() if session is None else session
            return make(f"ocelotl_{what}", getattr(lib, f"ocelotl_{what}_free"),
                        getattr(lib, f"ocelotl_session_{what}"), session, request.pointer,
                        needed=(session, request), progress=self._progress)

    def _result(self, what: str, request: Request, found: Any, *of_text: Any,
                of_trace: bool = True, **more: Any) -> Result:
        """What was found, with the functions that write it; that of text takes more."""
        arguments = (found, self._pointer()) if of_trace else (found,)

        def writer(form: str, *others: Any) -> Callable[[Any], int]:
            function = getattr(lib, f"ocelotl_{what}_write_{form}")
            return lambda sink: int(function(sink, *arguments, *others))

        writers = {".json": writer("json"), ".csv": writer("csv"),
                   ".txt": writer("text", *of_text)}
        return Result(self._lock, request, writers, progress=self._progress, **more)

    def causality(self, **keywords: Unpack[CausalityKeywords]) -> Answer:
        request = self._request("causality", keywords)
        found = self._find("causality", request)

        def derive(path: bytes, overwrite: bool) -> int:
            return int(lib.ocelotl_causality_write(path, found, ffi.NULL, overwrite))

        return Answer(self._result("causality", request, found, derive=derive))

    def clocks(self, **keywords: Unpack[ClocksKeywords]) -> Picture:
        request = self._request("clocks", keywords)
        found = self._find("clocks", request)
        count = info_of("ocelotl_clocks_info", lib.ocelotl_clocks_get_info, found).groups

        def derive(path: bytes, overwrite: bool) -> int:
            if count > 1 and request.pointer.groups == 0:
                raise ArgumentError(f"{self.path}: its clocks are in {count} groups that no "
                                    "messages join, expected messages between them, collective, "
                                    "samples, at, or groups=\"apart\"")
            return int(lib.ocelotl_clocks_write_trace(path, found, ffi.NULL, overwrite))

        trace = self._pointer()

        def draw(path: bytes, drawn: Request, view: Any) -> int:
            if drawn.pointer.pair == ffi.NULL:
                return int(lib.ocelotl_clocks_render(path, trace, found, view))
            points = make("ocelotl_clock_points", lib.ocelotl_clock_points_free,
                          lib.ocelotl_clock_points_find, found, drawn.pointer.pair,
                          needed=(found,))
            return int(lib.ocelotl_clock_points_render(path, trace, points, view))

        return Picture(self._result("clocks", request, found, derive=derive, draw=draw))

    def hierarchies(self, **keywords: Unpack[HierarchiesKeywords]) -> Picture:
        request = self._request("hierarchies", keywords)
        found = self._find("hierarchies", request)

        def draw(path: bytes, drawn: Request, view: Any) -> int:
            model = ffi.new("ocelotl_model **")
            call(lib.ocelotl_session_model, model, session, drawn.pointer)
            return int(lib.ocelotl_hierarchies_render(path, found, model[0], view))

        session = self._held()
        return Picture(self._result("hierarchies", request, found, of_trace=False, draw=draw))

    def sweep(self, **keywords: Unpack[SweepKeywords]) -> Picture:
        request = self._request("sweep", keywords)
        with self._lock:
            session = self._held()
            measured = make("ocelotl_measured", lib.ocelotl_measured_free, lib.ocelotl_session_keep,
                            session, request.pointer, progress=self._progress)
            found = make("ocelotl_levels", lib.ocelotl_levels_free, lib.ocelotl_session_levels,
                         session, request.pointer, needed=(measured, session),
                         progress=self._progress)
        aggregation = lib.ocelotl_measured_aggregation(measured)

        def draw(path: bytes, drawn: Request, view: Any) -> int:
            return int(lib.ocelotl_session_render_levels(path, session, drawn.pointer, found, view))

        writers = {".json": lambda sink: int(lib.ocelotl_levels_write_json(sink, found)),
                   ".csv": lambda sink: int(lib.ocelotl_levels_write_csv(sink, found)),
                   ".txt": lambda sink: int(lib.ocelotl_levels_write_text(sink, found,
                                                                          aggregation))}
        return Picture(Result(self._lock, request, writers, draw, progress=self._progress,
                              of_pictures=[("plot", "levels.svg")]))

    def gantt(self, **keywords: Unpack[GanttKeywords]) -> Diagram:
        request = self._request("gantt", keywords)
        session, trace = self._held(), self._pointer()
        found = self._find("drawables", request)

        def write_json(sink: Any) -> int:
            return int(lib.ocelotl_drawables_write_json(sink, found, trace))

        def draw(path: bytes, drawn: Request, view: Any) -> int:
            fitting = self._find("drawables", drawn, session)  # as fine as the picture can show
            return int(lib.ocelotl_gantt_render(path, trace, fitting, view))

        return Diagram(Result(self._lock, request, {".json": write_json}, draw,
                              progress=self._progress))

    def snapshot(self, path: Any, p: Any = "auto", **keywords: Unpack[SnapshotKeywords]) -> None:
        detail = [] if p is None or p == "auto" else from_keywords("snapshot", {"p": p})
        target = os.fsdecode(path)
        zipped = target.lower().endswith(".zip")
        request = self._request("snapshot", keywords, [] if zipped else [target],
                                [*detail, *([("output", target)] if zipped else [])])
        with self._lock:
            session = self._held()
            model = ffi.new("ocelotl_model **")
            call(lib.ocelotl_session_model, model, session, request.pointer,
                 progress=self._progress)
            view = ffi.new("ocelotl_picture_options *", request.pointer.view)
            call(lib.ocelotl_request_fit_view, view, request.pointer, model[0])
            if zipped:
                write_file(path, lib.ocelotl_session_zip_snapshot, session, request.pointer, view,
                           progress=self._progress)
            else:
                call(lib.ocelotl_session_write_snapshot, encode(path), session, request.pointer,
                     view, progress=self._progress)

    def export(self, path: Any, format: Optional[str] = None, with_parts: bool = False,
               digits: Optional[int] = None, **keywords: Unpack[EventsKeywords]) -> Dict[str, int]:
        suffix = os.path.splitext(os.fsdecode(path))[1].lower()
        chosen = format if format is not None else "json" if suffix == ".json" else "csv"
        options: Options = [("format", chosen), ("output", os.fsdecode(path))]
        options += [("with-parts", None)] if with_parts else []
        options += [("digits", str(digits))] if digits is not None else []
        request = self._request("export", keywords, more=options)
        with self._lock:
            if chosen == "matrix":
                return self._export_model(path, request)
            return self._export_events(path, request, chosen)

    def _export_model(self, path: Any, request: Request) -> Dict[str, int]:
        model = ffi.new("ocelotl_model **")
        call(lib.ocelotl_session_model, model, self._held(), request.pointer,
             progress=self._progress)
        write_file(path, lib.ocelotl_model_write_csv, model[0], progress=self._progress)
        return {}

    def _export_events(self, path: Any, request: Request, form: str) -> Dict[str, int]:
        session, trace = self._held(), self._pointer()
        partition = self._find("partition", request) if request.pointer.with_parts else ffi.NULL
        selection = ffi.new("ocelotl_selection *")
        opened = ffi.new("ocelotl_events **")
        call(lib.ocelotl_session_events, opened, selection, session, request.pointer,
             progress=self._progress)
        events = own(opened[0], lib.ocelotl_events_free, session)
        losses = ffi.new("ocelotl_losses *")
        whole = selection if request.pointer.type == ffi.NULL else ffi.NULL
        arguments: Dict[str, List[Any]] = {
            "chrome": [lib.ocelotl_events_write_chrome, events, trace, partition, losses],
            "paje": [lib.ocelotl_events_write_paje, events, trace, selection, losses],
            "picl": [lib.ocelotl_events_write_picl, events, trace, False, losses],
            "picl1": [lib.ocelotl_events_write_picl, events, trace, True, losses],
            "pjdump": [lib.ocelotl_events_write_pjdump, events, trace, selection,
                       request.pointer.digits, losses],
            "json": [lib.ocelotl_events_write_json, events, trace, whole, losses],
            "csv": [lib.ocelotl_events_write_csv, events, trace, whole, losses]}
        write_file(path, *arguments[form], progress=self._progress)
        if form in ("picl", "picl1"):
            write_file(os.fsdecode(path) + ".names", lib.ocelotl_picl_write_names, trace)
        return {text(losses.losses[i].what): int(losses.losses[i].count)
                for i in range(losses.count)}


Questions.causality.__doc__ = describe(
    "causality", "Whether the order of events can be trusted: links that end before they begin. "
    "save(\"x.db\") keeps these as a trace. Keywords:")
Questions.clocks.__doc__ = describe(
    "clocks", "How the clocks of a trace differ, by its messages. save(\"x.db\") writes the trace "
    "in the time of one. Keywords:")
Questions.hierarchies.__doc__ = describe(
    "hierarchies", "Which hierarchy of the resources loses least. Keywords:")
Questions.sweep.__doc__ = describe(
    "sweep", "The levels of detail, and their curves as a picture. Keywords:")
Questions.gantt.__doc__ = describe(
    "gantt", "The events of a window over time, a row for each resource. Keywords:")
Questions.snapshot.__doc__ = describe(
    "snapshot", "Writes a picture, its levels, parts, totals and parameters into a folder, or a "
    "file .zip. Keywords:")
Questions.export.__doc__ = describe(
    "export", "Writes the events to a file: csv (default), json, pjdump, chrome, paje, picl, "
    "picl1; or the model: matrix. Gives what the format cannot say, and how often. with_parts: "
    "chrome: the parts of the overview, too; digits: of pjdump. Keywords:")

__all__ = ["Questions"]

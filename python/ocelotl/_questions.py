"""What else a trace is asked: its order, its clocks, its hierarchies, its diagrams; exports."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional

from ocelotl._answers import Answer, Diagram, Picture
from ocelotl._calls import Progress, call, encode, make, own, text
from ocelotl._native import ffi, lib
from ocelotl._output import Result, write_file
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

    def _pointer(self, session: Any = None) -> Any:
        raise NotImplementedError

    def _request(self, command: str, keywords: Mapping[str, object],
                 operands: Iterable[str] = (), more: Iterable[Option] = ()) -> Request:
        raise NotImplementedError

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

    def causality(self, **keywords: Unpack[CausalityKeywords]) -> Answer:
        return Answer(self._ask("causality", keywords))

    def clocks(self, **keywords: Unpack[ClocksKeywords]) -> Picture:
        return Picture(self._ask("clocks", keywords))

    def hierarchies(self, **keywords: Unpack[HierarchiesKeywords]) -> Picture:
        return Picture(self._ask("hierarchies", keywords))

    def sweep(self, **keywords: Unpack[SweepKeywords]) -> Picture:
        return Picture(self._ask("sweep", keywords, of_pictures=[("plot", "levels.svg")]))

    def gantt(self, **keywords: Unpack[GanttKeywords]) -> Diagram:
        return Diagram(self._ask("gantt", keywords))

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
        partition = ffi.NULL
        if request.pointer.with_parts:
            partition = make("ocelotl_partition", lib.ocelotl_partition_free,
                             lib.ocelotl_session_partition, session, request.pointer,
                             needed=(session, request), progress=self._progress)
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

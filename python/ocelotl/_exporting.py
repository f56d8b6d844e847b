"""Writing a trace for others: its events in other formats, its model, a snapshot."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional

from ocelotl._calls import call, encode, make, own, text
from ocelotl._native import ffi, lib
from ocelotl._output import write_file
from ocelotl._requests import Options, Request, with_p


def open_events(trace: Any, request: Request, session: Any) -> Any:
    """The events that a request chooses, and what it chooses them by."""
    selection = ffi.new("ocelotl_selection *")
    opened = ffi.new("ocelotl_events **")
    call(lib.ocelotl_session_events, opened, selection, session, request.pointer,
         progress=trace._progress)
    return own(opened[0], lib.ocelotl_events_free, session), selection


def _find_model(trace: Any, request: Request) -> Any:
    model = ffi.new("ocelotl_model **")
    call(lib.ocelotl_session_model, model, trace._held(), request.pointer,
         progress=trace._progress)
    return model[0]


def write_snapshot(trace: Any, path: Any, p: Any, keywords: Mapping[str, object]) -> None:
    """Writes a snapshot, into a folder or a zip."""
    target = os.fsdecode(path)
    zipped = target.lower().endswith(".zip")
    more = with_p("snapshot", p, {}) + ([("output", target)] if zipped else [])
    request = trace._request("snapshot", keywords, [] if zipped else [target], more)
    with trace._lock:
        model = _find_model(trace, request)
        view = ffi.new("ocelotl_picture_options *", request.pointer.view)
        call(lib.ocelotl_request_fit_view, view, request.pointer, model)
        if zipped:
            write_file(path, lib.ocelotl_session_zip_snapshot, trace._held(), request.pointer,
                       view, progress=trace._progress)
        else:
            call(lib.ocelotl_session_write_snapshot, encode(path), trace._held(), request.pointer,
                 view, progress=trace._progress)


def export_trace(trace: Any, path: Any, chosen: str, options: Options,
                 keywords: Mapping[str, object]) -> Dict[str, int]:
    """Writes events, or the model, in a format; gives what that cannot say, and how often."""
    request = trace._request("export", keywords, more=options)
    with trace._lock:
        if chosen != "matrix":
            return _export_events(trace, path, request, chosen)
        write_file(path, lib.ocelotl_model_write_csv, _find_model(trace, request),
                   progress=trace._progress)
        return {}


def _export_events(trace: Any, path: Any, request: Request, form: str) -> Dict[str, int]:
    session, pointer = trace._held(), trace._pointer()
    partition: Optional[Any] = ffi.NULL
    if request.pointer.with_parts:
        partition = make("ocelotl_partition", lib.ocelotl_partition_free,
                         lib.ocelotl_session_partition, session, request.pointer,
                         needed=(session, request), progress=trace._progress)
    events, selection = open_events(trace, request, session)
    losses = ffi.new("ocelotl_losses *")
    whole = selection if request.pointer.type == ffi.NULL else ffi.NULL
    arguments: Dict[str, List[Any]] = {
        "chrome": [lib.ocelotl_events_write_chrome, events, pointer, partition, losses],
        "perfetto": [lib.ocelotl_events_write_perfetto, events, pointer, partition, losses],
        "paje": [lib.ocelotl_events_write_paje, events, pointer, selection, losses],
        "picl": [lib.ocelotl_events_write_picl, events, pointer, False, losses],
        "picl1": [lib.ocelotl_events_write_picl, events, pointer, True, losses],
        "pjdump": [lib.ocelotl_events_write_pjdump, events, pointer, selection,
                   request.pointer.digits, losses],
        "json": [lib.ocelotl_events_write_json, events, pointer, whole, losses],
        "csv": [lib.ocelotl_events_write_csv, events, pointer, whole, losses]}
    write_file(path, *arguments[form], progress=trace._progress)
    if form in ("picl", "picl1"):
        write_file(os.fsdecode(path) + ".names", lib.ocelotl_picl_write_names, pointer)
    return {text(losses.losses[i].what): int(losses.losses[i].count)
            for i in range(losses.count)}

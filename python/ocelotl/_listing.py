"""What is there without an open trace: formats, folders, the cache, the damage of a file."""
from __future__ import annotations

import json
import os
import threading
from typing import Any, Dict, Iterable, List

from ocelotl._answers import Answer
from ocelotl._calls import call, default_progress, encode, make
from ocelotl._native import ffi, lib
from ocelotl._output import Buffer, Result
from ocelotl._requests import Options, Request


def _read(function: Any, *arguments: Any) -> Any:
    out = Buffer()
    call(function, out.sink, lib.OCELOTL_FORM_JSON, *arguments)
    return json.loads(out.take())


def formats() -> List[Dict[str, Any]]:
    """The formats that can be read, as ``ocelotl-cli formats --json`` has them."""
    return _read(lib.ocelotl_formats_write)["formats"]  # type: ignore[no-any-return]


def list_traces(folder: Any = ".", recursive: bool = False,
                where: Iterable[str] = ()) -> List[Dict[str, Any]]:
    """The traces in a folder, as ``ocelotl-cli list --json`` has them; nothing is imported."""
    conditions = [where] if isinstance(where, str) else where
    options: Options = [("where", one) for one in conditions]
    options += [("recursive", None)] if recursive else []
    request = Request("list", options, [os.fsdecode(folder)])
    wanted = ffi.new("ocelotl_folder_options *", {"size": ffi.sizeof("ocelotl_folder_options")})
    lib.ocelotl_request_folder_options(wanted, request.pointer)
    wanted.work.progress = lib.python_watch()
    found = make("ocelotl_folder", lib.ocelotl_folder_free, lib.ocelotl_folder_read,
                 encode(folder), wanted)
    return _read(lib.ocelotl_folder_write, found)["traces"]  # type: ignore[no-any-return]


def verify(path: Any) -> Answer:
    """Whether a trace.db is as it was written: its damage, as ``ocelotl-cli verify`` lists it."""
    request = Request("verify", [], [os.fsdecode(path)])
    told = ffi.new("ocelotl_session_options *", lib.python_session_options())
    progress = default_progress()
    found = make("ocelotl_verification", lib.ocelotl_verification_free, lib.ocelotl_session_verify,
                 encode(path), told, progress=progress)

    def write(sink: Any, form: int, _drawn: Any, _view: Any) -> int:
        return int(lib.ocelotl_verification_write(sink, form, found))

    return Answer(Result(threading.RLock(), request, write=write))


def merge(path: Any, target: Any, force: bool = False) -> None:
    """Writes a run, which is a trace in several files, as one trace.db with the same uid."""
    trace = make("ocelotl_trace", lib.ocelotl_trace_free, lib.ocelotl_trace_open, encode(path))
    work = ffi.new("ocelotl_work *", {"progress": lib.python_watch()})
    call(lib.ocelotl_trace_merge, encode(target), trace, force, work, progress=default_progress())


def list_cache() -> Dict[str, Any]:
    """What is kept between runs, as ``ocelotl-cli cache --json`` has it."""
    cache = make("ocelotl_cache", lib.ocelotl_cache_free, lib.ocelotl_cache_read)
    return _read(lib.ocelotl_cache_write, cache)  # type: ignore[no-any-return]


def clear_cache() -> int:
    """Removes what is kept between runs and no program uses; gives the number of files."""
    cache = make("ocelotl_cache", lib.ocelotl_cache_free, lib.ocelotl_cache_read)
    return int(lib.ocelotl_cache_clear(cache))

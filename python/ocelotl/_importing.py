"""Importing: several files as one trace, or one to a place of its own."""
from __future__ import annotations

import os
import weakref
from typing import Any, List, Optional, Tuple

from ocelotl._calls import ArgumentError, Progress, call, encode
from ocelotl._native import ffi, lib
from ocelotl._requests import Options, Request

# What needs an import of its own: the cache knows files that are read one by one.
OF_IMPORT = ("align", "same-root", "format", "name")


class Folder:
    """A temporary folder, which goes with the object."""

    def __init__(self) -> None:
        import shutil
        import tempfile
        self.path = tempfile.mkdtemp(prefix="ocelotl-")
        self._end = weakref.finalize(self, shutil.rmtree, self.path, True)


def paths_of(given: Any) -> List[str]:
    """The path, or the paths, that a trace is opened by."""
    several = isinstance(given, (list, tuple))
    paths = [os.fsdecode(one) for one in (given if several else [given])]
    if not paths:
        raise ArgumentError("no file is given, expected at least one")
    return paths


def import_files(paths: List[str], options: Options, target: Any, overwrite: bool,
                 progress: Optional[Progress]) -> Tuple[str, Optional[Folder]]:
    """Imports files as one trace; gives the trace.db, and the folder that it is kept in."""
    folder = Folder() if target is None else None
    made = os.path.join(folder.path, "trace.db") if folder is not None else os.fsdecode(target)
    request = Request("import", [*options, ("output", made)], paths)
    reading = ffi.new("ocelotl_import_options *")
    reading.size = ffi.sizeof("ocelotl_import_options")
    lib.ocelotl_request_import_options(reading, request.pointer)
    reading.format, reading.name = request.pointer.format, request.pointer.name
    reading.overwrite = overwrite
    reading.work.progress = lib.python_watch()
    words = [ffi.new("char[]", encode(path)) for path in paths]
    call(lib.ocelotl_import_files, encode(made), ffi.new("const char *[]", words), len(words),
         reading, progress=progress, step="importing")
    return made, folder

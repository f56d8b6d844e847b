"""Where answers go: into Python, into files, into pictures."""
from __future__ import annotations

import base64
import os
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from ocelotl._calls import ArgumentError, Error, Progress, call, encode, make
from ocelotl._native import ffi, lib
from ocelotl._requests import Options, Request, from_keywords, groups

_PICTURES = (".svg", ".png", ".pdf")
# In the order in which messages name them.
_FORMS = {".svg": lib.OCELOTL_FORM_SVG, ".png": lib.OCELOTL_FORM_PNG,
          ".pdf": lib.OCELOTL_FORM_PDF, ".json": lib.OCELOTL_FORM_JSON,
          ".csv": lib.OCELOTL_FORM_CSV, ".txt": lib.OCELOTL_FORM_TEXT,
          ".db": lib.OCELOTL_FORM_TRACE, ".xml": lib.OCELOTL_FORM_XML}
_LARGEST_SVG = 1 << 18  # that a notebook keeps without a look at the PNG
# Options that say how something is drawn, besides those of pictures.
_OF_DRAWING = {"matrix": ("cell", "linear"), "compare": ("view", "type")}


def info_of(kind: str, function: Any, pointer: Any) -> Any:
    """A structure that describes an object."""
    info = ffi.new(kind + " *")
    info.size = ffi.sizeof(kind)
    function(info, pointer)
    return info


class Buffer:
    """A sink of the library that writes to Python."""

    def __init__(self) -> None:
        self.buffer = ffi.gc(ffi.new("ocelotl_buffer *"), lib.ocelotl_buffer_free)
        self.inner = ffi.new("ocelotl_sink *", lib.ocelotl_buffer_sink(self.buffer))
        self.sink = ffi.new("ocelotl_sink *", lib.watched_sink(self.inner))

    def take(self) -> bytes:
        if self.buffer.bytes == ffi.NULL:
            return b""
        return bytes(ffi.buffer(self.buffer.bytes, self.buffer.size))


def write_file(path: Any, function: Any, *arguments: Any, progress: Optional[Progress] = None) \
        -> None:
    """Writes an answer to a file, which is whole or absent."""
    file = make("ocelotl_file", lib.ocelotl_file_free, lib.ocelotl_file_open, encode(path), True)
    inner = ffi.new("ocelotl_sink *", lib.ocelotl_file_sink(file))
    sink = ffi.new("ocelotl_sink *", lib.watched_sink(inner))
    call(function, sink, *arguments, progress=progress)
    call(lib.ocelotl_file_commit, file)


def suffix_of(path: Any, *known: str) -> str:
    """The suffix of a file that is to be written, one of those known."""
    name = os.fsdecode(path)
    suffix = os.path.splitext(name)[1].lower()
    if suffix not in known:
        said = f'suffix is "{suffix}"' if suffix else "has no suffix"
        raise ArgumentError(f"{name}: {said}, expected {', '.join(known[:-1])} or {known[-1]}")
    return suffix


def drawing_options(command: str, keywords: Mapping[str, object]) -> Options:
    """Options of how an answer is drawn; others would make it another one."""
    options = from_keywords(command, keywords)
    group = groups(command)
    for name, _value in options:
        if group.get(name, "Picture") != "Picture" and name not in _OF_DRAWING.get(command, ()):
            raise ArgumentError(f"--{name} says what is drawn, expected an option of how, such as "
                                "width, height, theme, title")
    return options


def drawn(request: Request, keywords: Mapping[str, object]) \
        -> Tuple[Request, Any, Any]:
    """A request with how it is drawn, the view of it, and what that refers to."""
    options = [*request.options, *drawing_options(request.command, keywords)]
    more = Request(request.command, options, request.operands)
    line = ffi.new("char[]", encode(more.line()))
    view = ffi.new("ocelotl_picture_options *", more.pointer.view)
    view.command = line if request.operands else ffi.NULL
    return more, view, line


class Result:
    """The answer to a request, in every form that it has.

    write: writes it to a sink in a form, with a request and a view that say how it is drawn; by
    default that of the library's answer.
    """

    def __init__(self, lock: Any, request: Request, answer: Any = None,
                 write: Optional[Callable[[Any, int, Any, Any], int]] = None,
                 progress: Optional[Progress] = None) -> None:
        self.request = request
        self.lock = lock
        self.answer = answer
        self._writer = write
        self._progress = progress
        forms = lib.ocelotl_command_answering(request.command.encode()).forms
        self._suffixes = [suffix for suffix, form in _FORMS.items() if forms >> form & 1] \
            if write is None else [".json", ".txt"]

    def _write(self, sink: Any, form: int, drawn_by: Any, view: Any) -> int:
        if self._writer is not None:
            return self._writer(sink, form, drawn_by, view)
        return int(lib.ocelotl_answer_write(sink, self.answer, form, drawn_by, view))

    def read(self, suffix: str) -> bytes:
        """What a file of a suffix would have."""
        out = Buffer()
        with self.lock:
            call(self._write, out.sink, _FORMS[suffix], ffi.NULL, ffi.NULL,
                 progress=self._progress)
        return out.take()

    def save(self, path: Any, overwrite: bool, keywords: Dict[str, Any]) -> None:
        """Writes it to a file; only a trace.db is not written over another file."""
        suffix = suffix_of(path, *self._suffixes)
        request, view, kept = None, ffi.NULL, None
        if suffix in _PICTURES:
            request, view, kept = drawn(self.request, keywords)
        elif keywords:
            raise ArgumentError(f"{os.fsdecode(path)}: is no picture, and {next(iter(keywords))} "
                                "is of pictures, expected .svg, .png or .pdf")
        with self.lock:
            if suffix == ".db":
                call(lib.ocelotl_answer_derive, encode(path), self.answer, ffi.NULL, overwrite,
                     progress=self._progress)
            else:
                write_file(path, self._write, _FORMS[suffix],
                           ffi.NULL if request is None else request.pointer, view,
                           progress=self._progress)
        del kept

    def draw(self, suffix: str, keywords: Dict[str, Any]) -> bytes:
        """Its picture, of a suffix."""
        request, view, kept = drawn(self.request, keywords)
        out = Buffer()
        with self.lock:
            call(self._write, out.sink, _FORMS[suffix], request.pointer, view,
                 progress=self._progress)
        del kept
        return out.take()

    def svg(self, keywords: Dict[str, Any]) -> str:
        """Its picture as SVG."""
        return self.draw(".svg", keywords).decode("utf-8")


class Shown:
    """What a notebook shows as a picture: so do a forge and a mail with the notebook."""

    def _picture(self, suffix: str) -> bytes:
        raise NotImplementedError

    def _repr_html_(self) -> Optional[str]:
        """No table, which a notebook would show and not the picture."""
        return None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, Any]:
        """An SVG, a PNG where that is smaller, or what there is where nothing can be drawn."""
        del include, exclude
        bundle: Dict[str, Any] = {"text/plain": repr(self)}
        try:
            svg = self._picture(".svg")
            png = base64.b64encode(self._picture(".png")) if len(svg) > _LARGEST_SVG else svg
            if len(png) < len(svg):
                bundle["image/png"] = png.decode("ascii")
            else:
                bundle["image/svg+xml"] = svg.decode("utf-8")
        except Error:
            table = getattr(super(), "_repr_html_", None)
            if table is not None:
                bundle["text/html"] = table()
        return bundle

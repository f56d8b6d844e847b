"""Calls of the library: errors become exceptions, and long calls can be watched and interrupted.

cffi lets go of the interpreter's lock in each call. The library asks from time to time whether to
go on: an exception then, such as KeyboardInterrupt, ends the call and is raised from it.
"""
from __future__ import annotations

import functools
import sys
import threading
import time
from typing import Any, Callable, Dict, Optional

from ocelotl._native import ffi, lib


class Error(Exception):
    """What the library could not do. Each kind of failure is a class of its own."""


class ArgumentError(Error, ValueError):
    """The request is wrong: an option, a range, a name that does not exist."""


class InputError(Error, ValueError):
    """What a file holds is wrong, damaged, or of another format."""


class SystemFailure(Error, OSError):
    """The system refused to open, read, write or rename a file."""


class LimitError(Error):
    """The request would need more memory than it may use; the message estimates it."""


class OutOfMemoryError(Error, MemoryError):
    """The system refused memory."""


class CancelledError(Error):
    """The progress function asked to stop."""


class InternalError(Error):
    """A defect of the library."""


class EmptyError(Error, LookupError):
    """The selection leaves nothing of the trace."""


_CLASSES = {
    lib.OCELOTL_ERROR_ARGUMENT: ArgumentError,
    lib.OCELOTL_ERROR_INPUT: InputError,
    lib.OCELOTL_ERROR_IO: SystemFailure,
    lib.OCELOTL_ERROR_LIMIT: LimitError,
    lib.OCELOTL_ERROR_MEMORY: OutOfMemoryError,
    lib.OCELOTL_ERROR_CANCELLED: CancelledError,
    lib.OCELOTL_ERROR_INTERNAL: InternalError,
    lib.OCELOTL_ERROR_EMPTY: EmptyError,
}

_STEPS = ("importing", "comparing resources", "measuring", "solving", "finding levels", "verifying",
          "drawing levels", "reading")


def text(pointer: Any) -> str:
    """A text of the library. What is not UTF-8 is shown as it is escaped."""
    return "" if pointer == ffi.NULL else str(ffi.string(pointer), "utf-8", "backslashreplace")


class _Watch(threading.local):
    """What the thread's call tells, and the exception that ended it."""

    progress: Any = None
    step: Optional[str] = None
    failure: Optional[BaseException] = None


_watch = _Watch()

Progress = Callable[[str, int, int], Any]


class _NotebookBar:
    """A bar below a cell of a notebook, which keeps nothing of it that can be seen."""

    EMPTY = {"text/plain": ""}
    pause = 0.2  # seconds between pictures of it

    def __init__(self, step: str, handle: Any = None) -> None:
        from IPython.display import display
        self.step = step
        self.n = 0
        self.total: Optional[int] = None
        self.drawn = time.monotonic()
        if handle is None:
            handle = display(self._bundle(), raw=True, display_id=True)
        self.handle = handle

    def _bundle(self) -> Dict[str, str]:
        share = f' value="{self.n}" max="{self.total}"' if self.total else ""
        return {"text/html": f"{self.step} <progress{share}></progress>",
                "text/plain": f"{self.step}: {self.n}"}

    def update(self, more: int) -> None:
        self.n += more
        if time.monotonic() - self.drawn > self.pause:
            self.drawn = time.monotonic()
            self.handle.update(self._bundle(), raw=True)

    def close(self) -> None:
        self.handle.update(self.EMPTY, raw=True)


class Bar:
    """A bar for each step that lasts: in a notebook, or by tqdm where that is there."""

    delay = 0.5  # seconds

    def __init__(self) -> None:
        self.bar: Any = None
        self.begun = 0.0
        self.missing = False
        self.cell: Any = None  # of the notebook that has a bar, and the bar
        self.below: Any = None

    def begin(self) -> None:
        self.end()
        self.begun = time.monotonic()

    def end(self) -> None:
        if self.bar is not None:
            self.bar.close()
        self.bar = None

    def __call__(self, step: str, done: int, total: int) -> None:
        if self.bar is None and not self.missing and time.monotonic() - self.begun > self.delay:
            self.open(step)
        if self.bar is not None:
            self.bar.total = total or None
            self.bar.update(max(0, done - self.bar.n))

    def open(self, step: str) -> None:
        shell = notebook()
        if shell is not None:
            if self.cell != shell.execution_count:
                self.cell, self.below = shell.execution_count, None
            self.bar = _NotebookBar(step, self.below)
            self.below = self.bar.handle
            return
        try:
            from tqdm import tqdm
        except ImportError:
            self.missing = True
            return
        self.bar = tqdm(desc=step, leave=False, unit_scale=True)


def note_failure(kind: Any, exception: Any, traceback: Any) -> None:
    """Keeps what ended a function that the library called, until the call is back."""
    _watch.failure = exception


@ffi.def_extern(error=0, onerror=note_failure)  # type: ignore[misc]
def ocelotl_python_progress(done: int, total: int) -> int:
    go_on = _watch.failure is None  # what told of a step or a line may have failed before
    if go_on and _watch.progress is not None:
        go_on = _watch.progress(_watch.step or "working", done, total) is not False
    return 1 if go_on else 0


@ffi.def_extern(error=0, onerror=note_failure)  # type: ignore[misc]
def ocelotl_python_goes_on() -> int:
    return 1 if _watch.failure is None else 0


@ffi.def_extern(onerror=note_failure)  # type: ignore[misc]
def ocelotl_python_say(line: Any) -> None:
    import logging
    logging.getLogger("ocelotl").info("%s", text(line))


def _tell(progress: Any, what: str) -> None:
    """Tells a progress bar that a step begins or ends; a function has no ear for it."""
    function = getattr(progress, what, None)
    if function is not None:
        function()


@ffi.def_extern(onerror=note_failure)  # type: ignore[misc]
def ocelotl_python_begin_step(step: int) -> None:
    _watch.step = _STEPS[step]
    _tell(_watch.progress, "begin")


@ffi.def_extern(onerror=note_failure)  # type: ignore[misc]
def ocelotl_python_end_step() -> None:
    _watch.step = None
    _tell(_watch.progress, "end")


def call(function: Callable[..., int], *arguments: Any, progress: Optional[Progress] = None,
         step: Optional[str] = None) -> None:
    """Calls a function that gives a status, and raises what it says. A function that names no steps
    is one."""
    before = (_watch.progress, _watch.step, _watch.failure)
    _watch.progress, _watch.step, _watch.failure = progress, step, None
    _tell(progress, "begin")
    lib.begin_watching()
    try:
        status = function(*arguments)
        failure = _watch.failure
    finally:
        _watch.progress, _watch.step, _watch.failure = before
        _tell(progress, "end")
    if failure is not None:
        raise failure
    if status != lib.OCELOTL_OK:
        raise _CLASSES.get(status, InternalError)(text(lib.ocelotl_error_message()))


def take_failure() -> Optional[BaseException]:
    """The exception that ended a call that gave no status."""
    failure, _watch.failure = _watch.failure, None
    return failure


def failure_is_there() -> bool:
    """Whether an exception waits for the end of a call."""
    return _watch.failure is not None


def own(pointer: Any, free: Callable[[Any], None], *needed: Any) -> Any:
    """A pointer that is freed when nobody has it any more, before what it needs goes.

    The function is one of C: Ctrl-C that came while Python ran there would be lost.
    """
    end = functools.partial(free)
    end.needed = needed  # type: ignore[attr-defined]
    return ffi.gc(pointer, end)


def make(kind: str, free: Callable[[Any], None], function: Callable[..., int], *arguments: Any,
         needed: Any = (), progress: Optional[Progress] = None) -> Any:
    """Calls a function whose first argument takes what it makes."""
    made = ffi.new(kind + " **")
    call(function, made, *arguments, progress=progress)
    return own(made[0], free, *needed)


def encode(path: Any) -> bytes:
    """A path or a text as the library takes it."""
    import os
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise ArgumentError(f"{path!r}: is no text of Unicode, expected one") from None
    if b"\0" in encoded:
        raise ArgumentError(f"{path!r}: has a byte of value 0, expected a text without one")
    return encoded


def notebook() -> Any:
    """The shell of the notebook that runs this, if one does."""
    if "ipykernel" not in sys.modules:
        return None
    from IPython import get_ipython
    shell = get_ipython()
    return shell if hasattr(shell, "kernel") else None


def default_progress() -> Optional[Progress]:
    """Returns a progress bar if a person can see it."""
    seen = notebook() is not None or (sys.stderr is not None and sys.stderr.isatty())
    return Bar() if seen else None

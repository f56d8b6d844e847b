"""Overviews of execution traces: where a run changes its behaviour, over time and resources.

    t = ocelotl.open("run.db")      # or any trace that ocelotl-cli reads
    o = t.overview(p="auto")        # shows itself in a notebook
    o.parts                         # a table

docs/python.md tells the rest.
"""
from ocelotl._answers import (Answer, Answered, Comparison, Diagram, Drawn, Info, Matrix,
                              Picture)
from ocelotl._calls import (ArgumentError, CancelledError, EmptyError, Error, InputError,
                            InternalError, LimitError, OutOfMemoryError, SystemFailure, text)
from ocelotl._listing import clear_cache, formats, list_cache, list_traces, merge, verify
from ocelotl._model import Model, model
from ocelotl._native import lib
from ocelotl._overview import Overview, Page
from ocelotl._table import Table
from ocelotl._trace import Trace
from ocelotl._trace import open_trace as open  # pylint: disable=redefined-builtin
from ocelotl._writer import Writer

__version__ = text(lib.ocelotl_version())


for _class in (ArgumentError, CancelledError, EmptyError, Error, InputError, InternalError,
               LimitError, OutOfMemoryError, SystemFailure):
    _class.__module__ = __name__


def version() -> str:
    """The version of the library, and the formats that it can read."""
    read = [text(lib.ocelotl_format_at(i).name) for i in range(lib.ocelotl_format_count())]
    missing = [text(lib.ocelotl_missing_format_at(i).format.name)
               for i in range(lib.ocelotl_missing_format_count())]
    line = f"ocelotl {__version__}, reads {', '.join(read)}"
    return line + (f"; not built to read {', '.join(missing)}" if missing else "")


__all__ = ["Answer", "Answered", "ArgumentError", "CancelledError", "Comparison", "Diagram",
           "Drawn", "EmptyError", "Error", "Info", "InputError", "InternalError", "LimitError",
           "Matrix", "Model", "OutOfMemoryError", "Overview", "Page", "Picture", "SystemFailure",
           "Table", "Trace", "Writer", "__version__", "clear_cache", "formats", "list_cache",
           "list_traces", "merge", "model", "open", "verify", "version"]

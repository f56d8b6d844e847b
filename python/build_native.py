"""Writes the C source of the module that calls the library: its declarations are those of the
headers."""
from pathlib import Path

import cffi

import declarations

HERE = Path(__file__).resolve().parent

# What native.c calls in Python.
CALLED = """
int ocelotl_python_progress(uint64_t done, uint64_t total);
int ocelotl_python_goes_on(void);
void ocelotl_python_say(const char *text);
void ocelotl_python_begin_step(int step);
void ocelotl_python_end_step(void);
int ocelotl_python_enter(void *handle);
void ocelotl_python_leave(void *handle);
void ocelotl_python_release(void *handle);
"""

# What it has for Python.
OWN = """
static void begin_watching(void);
static ocelotl_sink watched_sink(ocelotl_sink *to);
static ocelotl_session_options python_session_options(void);
static ocelotl_progress python_watch(void);
static ocelotl_arrow_options python_arrow_options(void *handle);
static void end_array(struct ArrowArray *array);
static void end_view(char *view);
static uintptr_t end_stream_address(void);
static uintptr_t end_schema_address(void);
static void *new_structure(size_t size);
void free(void *memory);
"""


def prefixed(prefix, text):
    return "".join(f"{prefix} {line}\n" for line in text.split("\n") if line)


def write(path, include):
    """Writes the source for the headers in a folder."""
    builder = cffi.FFI()
    builder.cdef("typedef int... time_t;\n" + declarations.read(include) + OWN
                 + prefixed('extern "Python"', CALLED))
    source = (HERE / "native.c").read_text(encoding="utf-8")
    builder.set_source("ocelotl._native",
                       "#include <stdint.h>\n" + prefixed("static", CALLED) + source)
    builder.emit_c_code(str(path))

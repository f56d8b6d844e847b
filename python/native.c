/* What Python cannot do itself: be asked about progress without being held up by it, and own a
 * stream of Arrow in a capsule. */
#include <ocelotl/ocelotl.h>

#include <stdlib.h>
#include <time.h>

/* Python is asked so often only: each time it has to wait for the interpreter. */
static const double seconds_between = 0.05;

/* Of the call that this thread makes: when it told how far it is, and when it wrote. */
static __thread struct timespec last_asked, last_written;

/* Whether it is time again, which is noted. */
static bool is_time(struct timespec *last)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double passed =
        (double)(now.tv_sec - last->tv_sec) + 1e-9 * (double)(now.tv_nsec - last->tv_nsec);
    if (passed < seconds_between)
        return false;
    *last = now;
    return true;
}

static bool ask_python(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    return !is_time(&last_asked) || ocelotl_python_progress(done, total) != 0;
}

/* The first question comes after a while, too. */
static void begin_watching(void)
{
    clock_gettime(CLOCK_MONOTONIC, &last_asked);
    last_written = last_asked;
}

/* What writes an answer may tell nothing for long: it is asked as it writes. */
static ocelotl_status write_watched(void *context, const void *bytes, size_t size)
{
    const ocelotl_sink *to = context;
    if (is_time(&last_written) && ocelotl_python_goes_on() == 0)
        return OCELOTL_ERROR_CANCELLED;
    return to->write(to->context, bytes, size);
}

/* Makes a sink that writes to another one, which must outlive it, until Ctrl-C. */
static ocelotl_sink watched_sink(ocelotl_sink *to)
{
    return (ocelotl_sink){.write = write_watched, .context = to};
}

static void tell_python(void *context, const char *text)
{
    (void)context;
    ocelotl_python_say(text);
}

static void begin_step(void *context, ocelotl_step step)
{
    (void)context;
    begin_watching();
    ocelotl_python_begin_step((int)step);
}

static void end_step(void *context)
{
    (void)context;
    ocelotl_python_end_step();
}

static ocelotl_session_options python_session_options(void)
{
    ocelotl_session_options options = OCELOTL_SESSION_OPTIONS_INIT;
    options.say = tell_python;
    options.begin_step = begin_step;
    options.end_step = end_step;
    options.progress = ask_python;
    options.within = ask_python;
    options.watches_events = true;
    return options;
}

static ocelotl_progress python_watch(void)
{
    return ask_python;
}

/* --- Streams. Once the interpreter has ended, no Python code can be called. */

/* Calls a function of Python. A consumer may end a stream on its way out of an exception, which is
 * to go on as it was. */
static bool call_python(int (*asked)(void *handle), void (*function)(void *handle), void *handle)
{
    bool done = true;
    if (!Py_IsInitialized())
        return done;
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &trace);
    if (asked != NULL)
        done = asked(handle) != 0;
    else
        function(handle);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(state);
    return done;
}

static void enter(void *context)
{
    if (call_python(ocelotl_python_enter, NULL, context))
        begin_watching();
    else
        last_asked = (struct timespec){0}; /* the first question gets its no */
}

static void leave(void *context)
{
    (void)call_python(NULL, ocelotl_python_leave, context);
}

static void let_go(void *context)
{
    (void)call_python(NULL, ocelotl_python_release, context);
}

static ocelotl_arrow_options python_arrow_options(void *handle)
{
    ocelotl_arrow_options options = OCELOTL_ARROW_OPTIONS_INIT;
    options.context = handle;
    options.enter = enter;
    options.leave = leave;
    options.release = let_go;
    return options;
}

/* Ends a stream, unless a consumer has taken it and marked it as released. */
static void end_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream != NULL && stream->release != NULL)
        stream->release(stream);
    free(stream);
}

static void end_schema(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema != NULL && schema->release != NULL)
        schema->release(schema);
    free(schema);
}

static void end_array(struct ArrowArray *array)
{
    if (array->release != NULL)
        array->release(array);
}

/* What it refers to is kept by Python. */
static void end_view(char *view)
{
    (void)view;
}

static uintptr_t end_stream_address(void)
{
    return (uintptr_t)end_stream;
}

static uintptr_t end_schema_address(void)
{
    return (uintptr_t)end_schema;
}

static void *new_structure(size_t size)
{
    return calloc(1, size);
}

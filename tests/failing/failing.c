/* Makes requests for memory and threads fail, by the program (the linker wraps each of these calls,
 * see tests/CMakeLists.txt) and by SQLite. OCELOTL_TEST_FAIL=n: the n-th request fails, from 0; n-:
 * each from there on. OCELOTL_TEST_COUNT=FILE: writes the number of requests there.
 * OCELOTL_TEST_SHOW=1: prints which one fails (with the sanitizers). A test sets these by the
 * functions of failing.h. */
#define _GNU_SOURCE
#include "failing.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long requests;
static long fails_from = -1;
static long fails_until = -1;

#ifdef __SANITIZE_ADDRESS__
void __sanitizer_print_stack_trace(void);

static void show(void)
{
    if (getenv("OCELOTL_TEST_SHOW") != NULL)
        __sanitizer_print_stack_trace();
}
#else
static void show(void)
{
}
#endif

static bool fails(void)
{
    const long request = atomic_fetch_add(&requests, 1);
    if (request < fails_from || request >= fails_until)
        return false;
    show();
    errno = ENOMEM;
    return true;
}

void failing_begin(long number)
{
    atomic_store(&requests, 0);
    fails_from = number;
    fails_until = number + 1;
}

bool failing_end(void)
{
    const bool reached = atomic_load(&requests) > fails_from;
    fails_from = fails_until = -1;
    return reached;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__real_strndup(const char *text, size_t length);
char *__wrap_strndup(const char *text, size_t length);
char *__wrap_strndup(const char *text, size_t length)
{
    return fails() ? NULL : __real_strndup(text, length);
}

int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    if (fails())
        return -1;
    va_start(arguments, format);
    const int length = vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

char *__real_realpath(const char *path, char *resolved);
char *__wrap_realpath(const char *path, char *resolved);
char *__wrap_realpath(const char *path, char *resolved)
{
    return resolved == NULL && fails() ? NULL : __real_realpath(path, resolved);
}

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return fails() ? NULL : __real_fopen(path, mode);
}

FILE *__real_fdopen(int file, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode)
{
    return fails() ? NULL : __real_fdopen(file, mode);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *context)
{
    return fails() ? EAGAIN : __real_pthread_create(thread, attributes, run, context);
}

struct __dirstream;
struct __dirstream *__real_opendir(const char *path);
struct __dirstream *__wrap_opendir(const char *path);
struct __dirstream *__wrap_opendir(const char *path)
{
    return fails() ? NULL : __real_opendir(path);
}

/* --- A stream into memory: opening it fails, or it ends short of what is written to it. */

typedef struct memory_stream {
    char **bytes;
    size_t *length;
} memory_stream;

static ssize_t write_to_memory(void *cookie, const char *bytes, size_t length)
{
    memory_stream *stream = cookie;
    char *grown = fails() ? NULL : __real_realloc(*stream->bytes, *stream->length + length + 1);
    if (grown == NULL)
        return 0;
    memcpy(grown + *stream->length, bytes, length);
    *stream->length += length;
    grown[*stream->length] = '\0';
    *stream->bytes = grown;
    return (ssize_t)length;
}

static int close_memory(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *__wrap_open_memstream(char **bytes, size_t *length);
FILE *__wrap_open_memstream(char **bytes, size_t *length)
{
    const cookie_io_functions_t functions = {.write = write_to_memory, .close = close_memory};
    memory_stream *stream = fails() ? NULL : __real_malloc(sizeof *stream);
    if (stream == NULL)
        return NULL;
    *stream = (memory_stream){bytes, length};
    *length = 0;
    *bytes = __real_calloc(1, 1);
    FILE *file = fopencookie(stream, "w", functions);
    if (file == NULL)
        free(stream);
    return file;
}

/* --- SQLite */

static sqlite3_mem_methods usual;

static void *sqlite_malloc(int size)
{
    return fails() ? NULL : usual.xMalloc(size);
}

static void *sqlite_realloc(void *block, int size)
{
    return fails() ? NULL : usual.xRealloc(block, size);
}

__attribute__((constructor)) static void begin(void)
{
    const char *fail = getenv("OCELOTL_TEST_FAIL");
    char *end = NULL;
    if (fail != NULL) {
        fails_from = strtol(fail, &end, 10);
        fails_until = *end == '-' ? LONG_MAX : fails_from + 1;
    }
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
    sqlite3_mem_methods failing = usual;
    failing.xMalloc = sqlite_malloc;
    failing.xRealloc = sqlite_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("OCELOTL_TEST_COUNT");
    FILE *file = path != NULL ? __real_fopen(path, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", (long)requests);
    fclose(file);
}

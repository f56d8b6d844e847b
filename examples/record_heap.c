/* Records what a program allocates, and who frees it: a library that stands in front of malloc.
 *
 *     OCELOTL_HEAP=heap.db LD_PRELOAD=./librecord_heap.so PROGRAM ..
 *
 * A block is a link from the thread that allocates it to the one that frees it, and each call is a
 * state of its thread. Threads write to buffers of their own, without locks; the trace is written
 * when the program exits, and there is none if it is killed. Programs that it starts are not
 * recorded. Needs glibc, whose functions it calls by their inner names. */
#define _GNU_SOURCE
#include <ocelotl/ocelotl.h>

#include <dlfcn.h>
#include <errno.h>
#include <search.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TRY(call)                           \
    do {                                    \
        const ocelotl_status failed = call; \
        if (failed != OCELOTL_OK)           \
            return failed;                  \
    } while (0)

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), __libc_free(void *);

typedef enum kind { MALLOC, CALLOC, REALLOC, POSIX_MEMALIGN, ALIGNED_ALLOC, FREE, KINDS } kind;
static const char *const names[KINDS] = {"malloc",         "calloc",        "realloc",
                                         "posix_memalign", "aligned_alloc", "free"};

/* A block comes or goes (its size is 0) during a call, in nanoseconds. A call that replaces a block
 * has two, and is told by the second. */
typedef struct change {
    int64_t time, begin, end;
    void *block, *caller;
    size_t size;
    uint32_t thread, number; /* of the thread's changes */
    uint32_t kind, is_call;
} change;

enum { BUFFER_CHANGES = 5000 };

typedef struct buffer {
    struct buffer *before; /* of any thread */
    _Atomic size_t count;
    change changes[BUFFER_CHANGES];
} buffer;

static buffer *_Atomic buffers;
static _Atomic uint32_t thread_count;
static _Thread_local uint32_t own, changed; /* a thread's number, from 1 on, and its changes */
static _Thread_local buffer *last;
static _Atomic bool is_recording;
static char *path;
static pid_t process;
static int64_t start;

/* --- While the program runs */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return is_recording ? time.tv_sec * 1000000000LL + time.tv_nsec - start : -1;
}

/* Notes a change of the calling thread; none where there is no memory for it. */
static void record(change is)
{
    if (last == NULL || last->count == BUFFER_CHANGES) {
        buffer *more = mmap(NULL, sizeof *more, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (more == MAP_FAILED)
            return;
        own = own == 0 ? ++thread_count : own;
        more->before = buffers;
        while (!atomic_compare_exchange_weak(&buffers, &more->before, more)) {
        }
        last = more;
    }
    is.thread = own - 1;
    is.number = changed++;
    last->changes[last->count] = is;
    atomic_store_explicit(&last->count, last->count + 1, memory_order_release);
}

/* Notes a call: its old block goes when it begins, its new one comes when it ends; one that stays
 * where it is goes and comes then. */
static void *note(int64_t begin, kind is, void *old, void *block, size_t size, void *caller)
{
    const int error = errno;
    const int64_t end = begin < 0 ? -1 : now();
    change what = {old == block ? end : begin, begin, end, old, caller, 0, 0, 0, is, block == NULL};
    if (end >= 0 && old != NULL)
        record(what);
    what.time = end;
    what.block = block;
    what.size = size + 1;
    what.is_call = true;
    if (end >= 0 && block != NULL)
        record(what);
    errno = error;
    return block;
}

#define NOTE(kind, old, call, size) \
    const int64_t begin = now();    \
    void *made = call;              \
    return note(begin, kind, old, made, size, __builtin_return_address(0))

void *malloc(size_t size)
{
    NOTE(MALLOC, NULL, __libc_malloc(size), size);
}

void *calloc(size_t count, size_t size)
{
    NOTE(CALLOC, NULL, __libc_calloc(count, size), count * size);
}

void *realloc(void *old, size_t size)
{
    NOTE(REALLOC, made == NULL && size > 0 ? NULL : old, __libc_realloc(old, size), size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    NOTE(ALIGNED_ALLOC, NULL, __libc_memalign(alignment, size), size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    const int64_t begin = now();
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (note(begin, POSIX_MEMALIGN, NULL, made, size, __builtin_return_address(0)) == NULL)
        return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block)
{
    const int64_t begin = now();
    __libc_free(block);
    note(begin, FREE, block, NULL, 0, __builtin_return_address(0));
}

/* --- When it ends */

static ocelotl_writer *writer;
static uint32_t *resources, calls, blocks, attributes[3], values[2][KINDS];
static void *live; /* a tree of blocks by address */
static uint64_t unknown;

typedef struct block {
    void *address; /* first, as it is what they are found by */
    uint64_t link;
} block;

static int compare_blocks(const void *a, const void *b)
{
    const char *first = *(void *const *)a, *second = *(void *const *)b;
    return (first > second) - (first < second);
}

static ocelotl_status end_block(const change *is)
{
    block **found = tfind(&is->block, &live, compare_blocks);
    if (found == NULL) {
        unknown++;
        return OCELOTL_OK;
    }
    block *ended = *found;
    tdelete(&is->block, &live, compare_blocks);
    return ocelotl_writer_link_end(writer, ended->link, resources[is->thread], is->time, NULL, 0);
}

/* What was allocated, and where: "main+0x2f", or "program+0x1139" where no symbol is known. */
static ocelotl_status begin_block(const change *is)
{
    char texts[3][256];
    ocelotl_attribute_value carried[3];
    Dl_info at = {.dli_fname = "unknown"};
    dladdr(is->caller, &at);
    const char *name = at.dli_sname != NULL ? at.dli_sname : basename(at.dli_fname);
    const char *from = at.dli_sname != NULL ? at.dli_saddr : at.dli_fbase;
    snprintf(texts[0], sizeof *texts, "%zu", is->size - 1);
    snprintf(texts[1], sizeof *texts, "%p", is->block);
    snprintf(texts[2], sizeof *texts, "%.200s+0x%tx", name, (char *)is->caller - from);
    for (int i = 0; i < 3; i++)
        carried[i] = (ocelotl_attribute_value){attributes[i], texts[i], strlen(texts[i])};
    block *made = malloc(sizeof *made);
    if (made == NULL)
        return OCELOTL_ERROR_MEMORY;
    made->address = is->block; /* one that was never freed may be there: then the last one counts */
    made = *(block **)tsearch(made, &live, compare_blocks);
    return ocelotl_writer_link_begin(&made->link, writer, resources[is->thread], blocks,
                                     values[1][is->kind], is->time, carried, 3);
}

static int compare_changes(const void *a, const void *b)
{
    const change *first = *(change *const *)a, *second = *(change *const *)b;
    if (first->time != second->time)
        return first->time < second->time ? -1 : 1;
    if (first->thread != second->thread)
        return first->thread < second->thread ? -1 : 1;
    return first->number < second->number ? -1 : 1;
}

/* Declares all names, and writes all changes in order of time. */
static ocelotl_status write_all(change **all, size_t count)
{
    static const char *const carried[] = {"size", "address", "caller"};
    const char *name = program_invocation_short_name;
    uint32_t type, around;
    TRY(ocelotl_writer_resource_type(&type, writer, OCELOTL_ROOT, "process"));
    TRY(ocelotl_writer_resource(&around, writer, type, OCELOTL_ROOT, name, 0));
    TRY(ocelotl_writer_resource_type(&type, writer, type, "thread"));
    if ((resources = calloc(thread_count + 1, sizeof *resources)) == NULL)
        return OCELOTL_ERROR_MEMORY;
    for (uint32_t i = 0; i < thread_count; i++) {
        char text[32];
        snprintf(text, sizeof text, "thread %u", i);
        TRY(ocelotl_writer_resource(&resources[i], writer, type, around, text, 0));
    }
    TRY(ocelotl_writer_event_type(&calls, writer, OCELOTL_STATE, type, "call", -1));
    TRY(ocelotl_writer_event_type(&blocks, writer, OCELOTL_LINK, type, "allocation", -1));
    for (int i = 0; i < 3; i++)
        TRY(ocelotl_writer_attribute(&attributes[i], writer, blocks, carried[i]));
    for (int i = 0; i < KINDS; i++) {
        TRY(ocelotl_writer_value(&values[0][i], writer, calls, names[i], -1));
        TRY(ocelotl_writer_value(&values[1][i], writer, blocks, names[i], -1));
    }
    for (; count > 0; all++, count--) {
        const change *is = *all;
        const uint32_t in = resources[is->thread];
        TRY(is->size == 0 ? end_block(is) : begin_block(is));
        if (is->is_call) {
            TRY(ocelotl_writer_push(writer, in, calls, values[0][is->kind], is->begin, NULL, 0));
            TRY(ocelotl_writer_pop(writer, in, calls, 0, is->end, NULL, 0));
        }
    }
    if (unknown > 0)
        TRY(ocelotl_writer_warning(writer, "free of a block allocated before the trace (left out)",
                                   unknown, ""));
    return ocelotl_writer_finish(writer);
}

static ocelotl_status write_trace(void)
{
    size_t count = 0;
    change **all = NULL;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = program_invocation_short_name;
    options.overwrite = true;
    for (buffer *in = buffers; in != NULL; in = in->before) {
        const size_t more = in->count; /* a thread that lives on may add one */
        if ((all = realloc(all, (count + more) * sizeof *all)) == NULL)
            return OCELOTL_ERROR_MEMORY;
        for (size_t c = 0; c < more; c++)
            all[count++] = &in->changes[c];
    }
    qsort(all, count, sizeof *all, compare_changes);
    TRY(ocelotl_writer_open(&writer, path, &options));
    return write_all(all, count);
}

__attribute__((constructor)) static void begin_recording(void)
{
    const char *given = getenv("OCELOTL_HEAP");
    if (given == NULL || (path = strdup(given)) == NULL)
        return;
    unsetenv("OCELOTL_HEAP");
    process = getpid();
    is_recording = true;
    start = now();
}

__attribute__((destructor)) static void end_recording(void)
{
    if (!is_recording || getpid() != process)
        return;
    is_recording = false;
    if (write_trace() != OCELOTL_OK)
        fprintf(stderr, "record_heap: %s\n", ocelotl_error_message());
    ocelotl_writer_free(writer);
}

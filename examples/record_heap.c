/* Records what a program allocates, and who frees it: a library that stands in front of malloc.
 *
 *     OCELOTL_HEAP=heap.db LD_PRELOAD=./librecord_heap.so PROGRAM ..
 *
 * A block is a link from the thread that allocates it to the one that frees it, and each call is a
 * state of its thread. Blocks of 64 KiB or more carry the node that their first page is on when
 * they are freed, or in the end. Threads write to buffers of their own, without locks; the trace is
 * written when the program exits, and there is none if it is killed, unless the buffers are in a
 * file, which is removed once there is a trace:
 *
 *     OCELOTL_HEAP_RAW=heap.raw LD_PRELOAD=./librecord_heap.so PROGRAM ..
 *     OCELOTL_HEAP_CONVERT=heap.raw OCELOTL_HEAP=heap.db LD_PRELOAD=./librecord_heap.so /bin/true
 *
 * Programs that it starts are not recorded. Needs glibc, whose functions it calls by their inner
 * names. */
#define _GNU_SOURCE
#include <ocelotl/ocelotl.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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
    void *block; /* first, as it is what blocks are found by */
    void *caller;
    int64_t begin, end;
    size_t size;
    union {
        uint64_t link;
        struct change *came; /* of a block that goes */
    };
    uint32_t thread, number; /* of the thread's changes */
    uint8_t kind, is_call, is_at_begin;
    int16_t node; /* of a large block that goes; -1: not known */
} change;

enum { BUFFER_CHANGES = 4095, LARGE = 65536 };

typedef struct buffer {
    struct buffer *before; /* of any thread */
    _Atomic size_t count;
    _Alignas(64) change changes[BUFFER_CHANGES];
} buffer;

/* What a file of buffers begins with: names, and /proc/self/maps to name callers by. */
typedef struct head {
    char what[16], name[64], maps[sizeof(buffer) - 80];
} head;

static const char raw_file[16] = "ocelotl heap 1";

static buffer *_Atomic buffers;
static _Atomic uint32_t thread_count;
static _Thread_local uint32_t own, changed; /* a thread's number, from 1 on, and its changes */
static _Thread_local buffer *last;
static _Atomic bool is_recording;
static char *path, *raw_path;
static int raw = -1; /* the file of buffers, */
static _Atomic size_t raw_size;
static head *top;          /* and its begin */
static bool is_converting; /* what another process recorded */
static int64_t start;

/* --- While the program runs */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return is_recording ? time.tv_sec * 1000000000LL + time.tv_nsec - start : -1;
}

/* Memory for a buffer, in the file if there is one. */
static void *map_buffer(void)
{
    const bool in_file = raw >= 0;
    const off_t at = in_file ? (off_t)atomic_fetch_add(&raw_size, sizeof(buffer)) : 0;
    if (in_file && posix_fallocate(raw, at, sizeof(buffer)) != 0)
        return MAP_FAILED;
    void *made = mmap(NULL, sizeof(buffer), PROT_READ | PROT_WRITE,
                      in_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, raw, at);
    if (made != MAP_FAILED)
        madvise(made, sizeof(buffer), 23); /* MADV_POPULATE_WRITE, where the kernel knows it */
    return made;
}

/* Keeps what is mapped where, as later there is no process to ask. */
static void keep_maps(void)
{
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length < sizeof top->maps - 1; length += (size_t)got)
        got = read(maps, top->maps + length, sizeof top->maps - 1 - length);
    close(maps);
}

/* The node that a block begins on, which has been touched by now. */
static int16_t node_of(void *block)
{
    const int error = errno;
    int node = -1;
    if (syscall(SYS_get_mempolicy, &node, NULL, 0, block, 1 | 2) != 0) /* MPOL_F_NODE, _ADDR */
        node = -1;
    errno = error;
    return (int16_t)node;
}

/* Notes a change of the calling thread; none where there is no memory for it. */
static void record(change is)
{
    if (last == NULL || last->count == BUFFER_CHANGES) {
        buffer *more = map_buffer();
        if (more == MAP_FAILED)
            return;
        own = own == 0 ? ++thread_count : own;
        more->before = buffers;
        while (!atomic_compare_exchange_weak(&buffers, &more->before, more)) {
        }
        last = more;
        if (raw >= 0)
            keep_maps();
    }
    is.thread = own - 1;
    is.number = changed++;
    last->changes[last->count] = is;
    atomic_store_explicit(&last->count, last->count + 1, memory_order_release);
}

/* Notes a call: its old block goes when it begins, its new one comes when it ends; one that stays
 * where it is goes and comes then. */
static void *note(int64_t begin, kind is, void *old, int16_t node, void *block, size_t size,
                  void *caller)
{
    const int error = errno;
    const int64_t end = begin < 0 ? -1 : now();
    change what = {.block = old,
                   .caller = caller,
                   .begin = begin,
                   .end = end,
                   .kind = (uint8_t)is,
                   .is_call = block == NULL,
                   .is_at_begin = old != block,
                   .node = node};
    if (end >= 0 && old != NULL)
        record(what);
    what.block = block;
    what.size = size + 1;
    what.node = -1;
    what.is_call = true;
    what.is_at_begin = false;
    if (end >= 0 && block != NULL)
        record(what);
    errno = error;
    return block;
}

#define NODE(block) (is_recording && malloc_usable_size(block) >= LARGE ? node_of(block) : -1)
#define NOTE(kind, old, node, call, size) \
    const int64_t begin = now();          \
    void *made = call;                    \
    return note(begin, kind, old, node, made, size, __builtin_return_address(0))

void *malloc(size_t size)
{
    NOTE(MALLOC, NULL, -1, __libc_malloc(size), size);
}

void *calloc(size_t count, size_t size)
{
    NOTE(CALLOC, NULL, -1, __libc_calloc(count, size), count * size);
}

void *realloc(void *old, size_t size)
{
    const int16_t node = NODE(old);
    NOTE(REALLOC, made == NULL && size > 0 ? NULL : old, node, __libc_realloc(old, size), size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    NOTE(ALIGNED_ALLOC, NULL, -1, __libc_memalign(alignment, size), size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    const int64_t begin = now();
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (note(begin, POSIX_MEMALIGN, NULL, -1, made, size, __builtin_return_address(0)) == NULL)
        return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block)
{
    const int16_t node = NODE(block);
    const int64_t begin = now();
    __libc_free(block);
    note(begin, FREE, block, node, NULL, 0, __builtin_return_address(0));
}

/* --- When it ends */

static ocelotl_writer *writer;
static uint32_t *resources, calls, blocks, attributes[4], values[2][KINDS];
static int64_t time_of(const change *is)
{
    return is->is_at_begin ? is->begin : is->end;
}

static uint64_t unknown; /* blocks that go */
static void *live;       /* a tree of those that came, by address */

static int compare_blocks(const void *a, const void *b)
{
    const char *first = *(void *const *)a, *second = *(void *const *)b;
    return (first > second) - (first < second);
}

/* Finds what came where a block goes, and tells it the node. One that was never freed may be at an
 * address that is given again: then the last one counts. */
static void pair(change *is)
{
    change **found =
        is->size > 0 ? tsearch(is, &live, compare_blocks) : tfind(is, &live, compare_blocks);
    if (is->size > 0 && found != NULL) {
        *found = is;
    } else if (is->size == 0 && (is->came = found != NULL ? *found : NULL) != NULL) {
        is->came->node = is->node;
        tdelete(is, &live, compare_blocks);
    }
}

/* Large blocks that are there still have their nodes now. */
static void ask_node(const void *found, VISIT visit, int depth)
{
    (void)depth;
    change *is = *(change *const *)found;
    if ((visit == preorder || visit == leaf) && is->size > LARGE)
        is->node = node_of(is->block);
}

/* Names a caller as "main+0x2f", or "program+0x1139" where no symbol is known, as in a file. */
static void name_caller(char name[256], const char *caller)
{
    Dl_info at = {.dli_fname = "unknown"};
    char file[256] = "unknown", other[256];
    uint64_t begin, end, base = 0;
    if (is_converting) {
        for (char *line = top->maps; line != NULL; line = strchr(line + 1, '\n')) {
            other[0] = '\0';
            if (sscanf(line, "%lx-%lx %*s %*s %*s %*s%*[ ]%255[^\n]", &begin, &end, other) < 2)
                break;
            base = strcmp(other, file) != 0 ? begin : base;
            memcpy(file, other, sizeof file);
            if ((uint64_t)caller >= begin && (uint64_t)caller < end)
                break;
        }
        at = (Dl_info){.dli_fname = file, .dli_fbase = (void *)base};
    } else {
        dladdr(caller, &at);
    }
    snprintf(name, 256, "%.200s+0x%tx",
             at.dli_sname != NULL ? at.dli_sname : basename(at.dli_fname),
             caller - (const char *)(at.dli_sname != NULL ? at.dli_saddr : at.dli_fbase));
}

static ocelotl_status begin_block(change *is)
{
    char texts[4][256];
    ocelotl_attribute_value carried[4];
    snprintf(texts[0], sizeof *texts, "%zu", is->size - 1);
    snprintf(texts[1], sizeof *texts, "%p", is->block);
    name_caller(texts[2], is->caller);
    snprintf(texts[3], sizeof *texts, "%d", is->node);
    for (int i = 0; i < 4; i++)
        carried[i] = (ocelotl_attribute_value){attributes[i], texts[i], strlen(texts[i])};
    return ocelotl_writer_link_begin(&is->link, writer, resources[is->thread], blocks,
                                     values[1][is->kind], is->end, carried, 3 + (is->node >= 0));
}

static ocelotl_status end_block(const change *is)
{
    if (is->came != NULL)
        return ocelotl_writer_link_end(writer, is->came->link, resources[is->thread], time_of(is),
                                       NULL, 0);
    unknown++;
    return OCELOTL_OK;
}

static int compare_changes(const void *a, const void *b)
{
    const change *first = *(change *const *)a, *second = *(change *const *)b;
    if (time_of(first) != time_of(second))
        return time_of(first) < time_of(second) ? -1 : 1;
    if (first->thread != second->thread)
        return first->thread < second->thread ? -1 : 1;
    return first->number < second->number ? -1 : 1;
}

/* Declares all names, and writes all changes in order of time. */
static ocelotl_status write_all(change **all, size_t count)
{
    static const char *const carried[] = {"size", "address", "caller", "node"};
    const char *name = is_converting ? top->name : program_invocation_short_name;
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
    for (int i = 0; i < 4; i++)
        TRY(ocelotl_writer_attribute(&attributes[i], writer, blocks, carried[i]));
    for (int i = 0; i < KINDS; i++) {
        TRY(ocelotl_writer_value(&values[0][i], writer, calls, names[i], -1));
        TRY(ocelotl_writer_value(&values[1][i], writer, blocks, names[i], -1));
    }
    for (; count > 0; all++, count--) {
        change *is = *all;
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
    options.name = is_converting ? top->name : program_invocation_short_name;
    options.overwrite = true;
    for (buffer *in = buffers; in != NULL; in = in->before) {
        const size_t more = in->count; /* a thread that lives on may add one */
        if ((all = realloc(all, (count + more) * sizeof *all)) == NULL)
            return OCELOTL_ERROR_MEMORY;
        for (size_t c = 0; c < more; c++)
            all[count++] = &in->changes[c];
    }
    qsort(all, count, sizeof *all, compare_changes);
    for (size_t i = 0; i < count; i++)
        pair(all[i]);
    if (!is_converting)
        twalk(live, ask_node);
    TRY(ocelotl_writer_open(&writer, path, &options));
    return write_all(all, count);
}

static bool end(void)
{
    const bool is_written = write_trace() == OCELOTL_OK;
    if (!is_written)
        fprintf(stderr, "record_heap: %s\n", ocelotl_error_message());
    ocelotl_writer_free(writer);
    return is_written;
}

/* Writes the trace of a file of buffers, and ends the program. */
static void convert(const char *name)
{
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    const off_t size = lseek(file, 0, SEEK_END) / (off_t)sizeof *top * (off_t)sizeof *top;
    top = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    is_converting = top != MAP_FAILED && memcmp(top, raw_file, sizeof raw_file) == 0;
    for (buffer *in = (buffer *)top + 1; is_converting && (char *)in < (char *)top + size; in++) {
        in->before = buffers;
        buffers = in;
        is_converting = in->count <= BUFFER_CHANGES;
        for (size_t i = 0; is_converting && i < in->count; i++) {
            const change *is = &in->changes[i];
            thread_count = is->thread >= thread_count ? is->thread + 1 : thread_count;
            is_converting = is->kind < KINDS && is->thread < size / (off_t)sizeof *in;
        }
    }
    if (!is_converting)
        fprintf(stderr, "record_heap: %s: is no file of OCELOTL_HEAP_RAW\n", name);
    _exit(!is_converting || !end());
}

static void stop(void)
{
    is_recording = false;
}

__attribute__((constructor)) static void begin_recording(void)
{
    const char *from = getenv("OCELOTL_HEAP_CONVERT");
    path = getenv("OCELOTL_HEAP") != NULL ? strdup(getenv("OCELOTL_HEAP")) : NULL;
    raw_path = getenv("OCELOTL_HEAP_RAW") != NULL ? strdup(getenv("OCELOTL_HEAP_RAW")) : NULL;
    if (from != NULL && path != NULL)
        convert(from);
    if (raw_path != NULL) {
        raw = open(raw_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (raw < 0 || (top = map_buffer()) == MAP_FAILED) {
            fprintf(stderr, "record_heap: %s: cannot be written\n", raw_path);
            return;
        }
        snprintf(top->name, sizeof top->name, "%s", program_invocation_short_name);
        memcpy(top->what, raw_file, sizeof raw_file);
    }
    unsetenv("OCELOTL_HEAP");
    unsetenv("OCELOTL_HEAP_RAW");
    pthread_atfork(NULL, NULL, stop); /* buffers are of one process */
    is_recording = path != NULL || raw_path != NULL;
    start = now();
}

__attribute__((destructor)) static void end_recording(void)
{
    if (!is_recording)
        return;
    is_recording = false;
    if (path != NULL && end() && raw_path != NULL)
        unlink(raw_path);
}

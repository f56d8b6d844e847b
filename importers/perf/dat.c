/* The file that trace-cmd record writes, trace.dat: a header with what the kernel says of its
 * events, then the pages of its buffers, those of each CPU behind each other. What becomes of it is
 * described in docs/formats/trace_dat.md. */
#define _GNU_SOURCE
#include "importers/perf/dat.h"

#include "base/file/bulk.h"
#include "base/file/compression.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the file in version 7, options in both. */
enum {
    DONE,
    DATE,
    BUFFER = 3,
    CLOCK = 4,
    OFFSET = 7,
    VERSION = 9,
    TSC = 14,
    HEADERS = 16,
    OWN_EVENTS,
    EVENTS,
    FUNCTIONS,
    TEXTS,
    COMMANDS
};

/* Kinds of events in a page, by the length that they have; others are records. */
enum { LONG, PADDING = 29, LATER, AT };

__extension__ typedef unsigned __int128 wide;

static const uint64_t most_unpacked = (uint64_t)256 << 20;
static const char magic[] = "\x17\x08\x44tracing";

/* What is left of the buffer of a CPU, and its record at hand. */
typedef struct dat_cpu {
    uint32_t number;
    dat_bytes rest;  /* of the file */
    bool is_packed;  /* that is chunks, each pages when it is unpacked */
    uint32_t chunks; /* that follow */
    oc_text unpacked;
    dat_bytes pages, page; /* that follow */
    const unsigned char *place;
    uint64_t base, time; /* of the page, of the record */
    dat_bytes record;    /* without bytes: there is no further one */
} dat_cpu;

typedef struct dat_file {
    perf_reader *reader;
    unsigned char *bytes;
    size_t length, capacity;
    dat_format format;
    bool is_big;
    unsigned version;
    size_t page_size;
    uint32_t data;     /* where a page has its events */
    uint64_t size;     /* of all buffers */
    uint64_t unpacked; /* bytes of the header, of all its parts */
    uint32_t seen;     /* a bit a part */
    dat_cpu *cpus;
    size_t cpu_count, cpu_capacity;
    uint64_t pages; /* that were read */
    int64_t offset; /* of times */
    uint32_t multiplier, shift;
    bool counts;      /* the clock does, and not time */
    const char *lost; /* what a cut file lacks, or NULL */
} dat_file;

static ocelotl_status fail_place(const dat_file *file, const unsigned char *at, const char *what)
{
    const unsigned char *end = file->bytes + file->length; /* what is unpacked is elsewhere */
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: byte %td: %s", file->reader->ingest.path,
                   (at >= file->bytes && at <= end ? at : end) - file->bytes, what);
}

static ocelotl_status check(const dat_file *file, const dat_bytes *bytes, const char *what)
{
    char words[96];
    snprintf(words, sizeof words, "%s is cut or broken, expected more", what);
    return bytes->failed ? fail_place(file, bytes->at, words) : OCELOTL_OK;
}

static dat_bytes part_from(const dat_file *file, uint64_t offset)
{
    const uint64_t at = offset < file->length ? offset : file->length;
    return (dat_bytes){.at = file->bytes + at,
                       .end = file->bytes + file->length,
                       .is_big = file->is_big,
                       .failed = offset > file->length};
}

/* --- The header: what stands in it in version 6, and in parts of their own in version 7 */

static ocelotl_status read_headers(dat_file *file, dat_bytes *rest)
{
    if (!perf_text_is(dat_string(rest), "header_page"))
        rest->failed = true;
    dat_read_page(&file->data, &file->format.word, dat_cut(rest, dat_number(rest, 8)));
    if (!perf_text_is(dat_string(rest), "header_event"))
        rest->failed = true;
    (void)dat_cut(rest, dat_number(rest, 8));
    return check(file, rest, "the header of the kernel's pages");
}

static ocelotl_status read_formats(dat_file *file, dat_bytes *rest, uint64_t count)
{
    for (uint64_t i = 0; i < count && !rest->failed; i++)
        OC_TRY(dat_add_event(&file->format, dat_cut(rest, dat_number(rest, 8))));
    return check(file, rest, "the list of events");
}

static ocelotl_status read_systems(dat_file *file, dat_bytes *rest)
{
    for (uint64_t left = dat_number(rest, 4); left > 0 && !rest->failed; left--) {
        (void)dat_string(rest);
        OC_TRY(read_formats(file, rest, dat_number(rest, 4)));
    }
    return check(file, rest, "the list of events");
}

/* Reads one of the parts by its number. */
static ocelotl_status read_part(dat_file *file, unsigned number, dat_bytes *rest)
{
    dat_format *format = &file->format;
    switch (number) {
    case HEADERS:
        return read_headers(file, rest);
    case OWN_EVENTS:
        return read_formats(file, rest, dat_number(rest, 4));
    case EVENTS:
        return read_systems(file, rest);
    case FUNCTIONS:
        OC_TRY(dat_add_functions(format, dat_cut(rest, dat_number(rest, 4))));
        return check(file, rest, "the list of functions");
    case TEXTS:
        OC_TRY(dat_add_texts(format, dat_cut(rest, dat_number(rest, 4))));
        return check(file, rest, "the list of printed texts");
    default:
        OC_TRY(dat_add_commands(format, dat_cut(rest, dat_number(rest, 8))));
        return check(file, rest, "the list of commands");
    }
}

/* --- Buffers */

/* Adds the buffer of a CPU, whose place the header says. */
static ocelotl_status add_cpu(dat_file *file, uint64_t number, uint64_t offset, uint64_t size,
                              bool is_packed)
{
    enum { MOST = 1 << 16 };
    dat_bytes from = part_from(file, offset);
    const uint64_t there = (uint64_t)(from.end - from.at);
    if (size == 0)
        return OCELOTL_OK;
    size += is_packed && size < there ? 4 : 0; /* how many chunks follow */
    if (size > there) {
        file->lost = "a buffer ends behind the file, expected all of it";
        size = there;
    }
    file->size += size;
    if (file->size > file->length || file->cpu_count >= MOST)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: its buffers are larger than the file, expected some behind each other",
                       file->reader->ingest.path);
    OC_TRY(oc_arena_grow(&file->cpus, &file->cpu_capacity, &file->format.arena, file->cpu_count + 1,
                         sizeof *file->cpus));
    dat_cpu *cpu = &file->cpus[file->cpu_count++];
    *cpu = (dat_cpu){.number = (uint32_t)number, .is_packed = is_packed};
    cpu->rest = dat_cut(&from, size);
    cpu->pages = cpu->page = (dat_bytes){.is_big = file->is_big};
    if (is_packed)
        cpu->chunks = (uint32_t)dat_number(&cpu->rest, 4);
    else
        cpu->pages = cpu->rest;
    return OCELOTL_OK;
}

static void note_clock(dat_file *file, perf_text clock)
{
    static const char *const counters[] = {"counter", "uptime", "x86-tsc", "ppc-tb"};
    const char *open = clock.length > 0 ? memchr(clock.bytes, '[', clock.length) : NULL;
    const char *close = clock.length > 0 ? memchr(clock.bytes, ']', clock.length) : NULL;
    if (open != NULL && close > open)
        clock = (perf_text){open + 1, (size_t)(close - open - 1)};
    while (clock.length > 0 && clock.bytes[clock.length - 1] == '\n')
        clock.length--;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        file->counts = file->counts || perf_text_is(clock, counters[i]);
}

/* The pages of version 6: "flyrecord", then where each CPU's are. */
static ocelotl_status read_flyrecord(dat_file *file, dat_bytes *rest, uint64_t cpus)
{
    if (!perf_text_is(dat_string(rest), "flyrecord"))
        return fail_place(file, rest->at,
                          "no pages of the kernel's buffers follow, expected \"flyrecord\" (a "
                          "trace of latencies is text)");
    for (uint64_t i = 0; i < cpus && !rest->failed; i++) {
        const uint64_t offset = dat_number(rest, 8);
        OC_TRY(add_cpu(file, i, offset, dat_number(rest, 8), false));
    }
    return check(file, rest, "the list of buffers");
}

/* The pages of version 7, which an option describes. */
static ocelotl_status read_buffer(dat_file *file, dat_bytes *option)
{
    dat_bytes section = part_from(file, dat_number(option, 8));
    (void)dat_string(option);
    note_clock(file, dat_string(option));
    const uint64_t page_size = dat_number(option, 4);
    const uint64_t cpus = dat_number(option, 4);
    (void)dat_number(&section, 2);
    const bool is_packed = (dat_number(&section, 2) & 1) != 0;
    OC_TRY(check(file, &section, "a list of buffers"));
    file->page_size = page_size;
    for (uint64_t i = 0; i < cpus && !option->failed; i++) {
        const uint64_t number = dat_number(option, 4);
        const uint64_t offset = dat_number(option, 8);
        OC_TRY(add_cpu(file, number, offset, dat_number(option, 8), is_packed));
    }
    return check(file, option, "the list of buffers");
}

/* Shifts the times by what an option says, in a unit of some ns. */
static ocelotl_status shift_times(dat_file *file, dat_bytes option, int64_t unit)
{
    char text[40] = "";
    int64_t shift;
    const size_t length = (size_t)(option.end - option.at);
    memcpy(text, option.at, length < sizeof text - 1 ? length : sizeof text - 1);
    return !__builtin_mul_overflow(strtoll(text, NULL, 0), unit, &shift) &&
                   oc_add_times(&file->offset, file->offset, shift)
               ? OCELOTL_OK
               : fail_place(file, option.at, "times are shifted out of range, expected less");
}

/* --- Parts and options of version 7 */

/* Opens a part of the file: its bytes, or what they are unpacked. */
static ocelotl_status open_part(dat_file *file, dat_bytes *part, uint64_t offset, unsigned number)
{
    dat_bytes rest = part_from(file, offset);
    const bool is_right = dat_number(&rest, 2) == number;
    const bool is_packed = (dat_number(&rest, 2) & 1) != 0;
    (void)dat_number(&rest, 4);
    *part = dat_cut(&rest, dat_number(&rest, 8));
    if (part->failed)
        return fail_place(file, file->bytes + file->length,
                          "the file ends before a part of its header, expected the whole file");
    if (!is_right)
        return fail_place(file, part_from(file, offset).at, "no part of the header, expected one");
    if (!is_packed)
        return OCELOTL_OK;
    const uint64_t size = dat_number(part, 4);
    const uint64_t unpacked = dat_number(part, 4);
    const dat_bytes packed = dat_cut(part, size);
    const uint64_t most = most_unpacked - file->unpacked;
    oc_text text = {0};
    OC_TRY(check(file, &packed, "a compressed part of the header"));
    ocelotl_status status = oc_decode_bytes(&text, (const char *)packed.at, (size_t)size,
                                            (size_t)(unpacked < most ? unpacked : most));
    if (status == OCELOTL_ERROR_INPUT)
        status = oc_fail_within(status, "%s: byte %td", file->reader->ingest.path,
                                packed.at - file->bytes);
    if (status == OCELOTL_OK) {
        file->unpacked += text.length;
        const char *copy = oc_arena_copy_bytes(&file->format.arena, text.bytes, text.length);
        *part = (dat_bytes){.at = (const unsigned char *)copy,
                            .end = (const unsigned char *)copy + text.length,
                            .is_big = file->is_big};
        status = oc_arena_status(&file->format.arena);
    }
    oc_text_free(&text);
    return status;
}

static ocelotl_status take_option(dat_file *file, unsigned number, dat_bytes option)
{
    char producer[64];
    dat_bytes part;
    const perf_text text = {(const char *)option.at, (size_t)(option.end - option.at)};
    switch (number) {
    case DATE:
        return shift_times(file, option, 1000);
    case OFFSET:
        return shift_times(file, option, 1);
    case CLOCK:
        note_clock(file, (perf_text){text.bytes, strnlen(text.bytes, text.length)});
        return OCELOTL_OK;
    case VERSION:
        snprintf(producer, sizeof producer, "trace-cmd %.*s",
                 (int)(text.length < 40 ? text.length : 40), text.bytes);
        return ocelotl_writer_producer(file->reader->ingest.writer, producer);
    case TSC:
        file->multiplier = (uint32_t)dat_number(&option, 4);
        file->shift = (uint32_t)dat_number(&option, 4) & 63;
        return OCELOTL_OK;
    case BUFFER:
        return file->version > 6 ? read_buffer(file, &option) : OCELOTL_OK;
    default:
        if (file->version < 7 || number < HEADERS || number > COMMANDS)
            return OCELOTL_OK;
        if ((file->seen >> number & 1) != 0)
            return fail_place(file, option.at,
                              "a part of the header comes again, expected it once");
        file->seen |= 1u << number;
        OC_TRY(open_part(file, &part, dat_number(&option, 8), number));
        return read_part(file, number, &part);
    }
}

static ocelotl_status read_options(dat_file *file, dat_bytes *rest, uint64_t *next)
{
    for (unsigned number; (number = (unsigned)dat_number(rest, 2)) != DONE;) {
        const dat_bytes option = dat_cut(rest, dat_number(rest, 4));
        OC_TRY(check(file, rest, "the list of options"));
        OC_TRY(take_option(file, number, option));
    }
    *next = 0;
    if (file->version > 6) {
        (void)dat_number(rest, 4);
        *next = dat_number(rest, 8);
    }
    return check(file, rest, "the list of options");
}

static ocelotl_status read_version_6(dat_file *file, dat_bytes *rest)
{
    uint64_t next;
    for (unsigned part = HEADERS; part <= COMMANDS; part++)
        OC_TRY(read_part(file, part, rest));
    const uint64_t cpus = dat_number(rest, 4);
    dat_bytes ahead = *rest;
    if (perf_text_is(dat_string(&ahead), "options  ")) {
        *rest = ahead;
        OC_TRY(read_options(file, rest, &next));
    }
    return read_flyrecord(file, rest, cpus);
}

static ocelotl_status read_version_7(dat_file *file, dat_bytes *rest)
{
    enum { MOST = 256 };
    dat_bytes part;
    (void)dat_string(rest);
    (void)dat_string(rest);
    uint64_t offset = dat_number(rest, 8);
    OC_TRY(check(file, rest, "the header"));
    for (int i = 0; i < MOST && offset != 0; i++) {
        OC_TRY(open_part(file, &part, offset, 0));
        OC_TRY(read_options(file, &part, &offset));
    }
    return offset == 0 ? OCELOTL_OK
                       : fail_place(file, part_from(file, offset).at,
                                    "more lists of options follow, expected fewer than 256");
}

static ocelotl_status read_header(dat_file *file)
{
    dat_bytes rest = part_from(file, 0);
    const dat_bytes first = dat_cut(&rest, sizeof magic - 1);
    const perf_text version = dat_string(&rest);
    if (first.failed || memcmp(first.at, magic, sizeof magic - 1) != 0)
        return fail_place(file, rest.at, "no recording of trace-cmd, expected one");
    file->version = version.length == 1 ? (unsigned)version.bytes[0] - '0' : 0;
    if (file->version != 6 && file->version != 7)
        return fail_place(file, rest.at, "of another version, expected 6 or 7");
    file->is_big = rest.is_big = dat_number(&rest, 1) == 1;
    (void)dat_number(&rest, 1);
    file->page_size = dat_number(&rest, 4);
    OC_TRY(file->version == 6 ? read_version_6(file, &rest) : read_version_7(file, &rest));
    if (file->page_size <= file->data || file->page_size > most_unpacked)
        return fail_place(file, file->bytes, "a page has no room for events, expected some");
    if (file->counts && file->multiplier == 0)
        return fail_place(file, file->bytes,
                          "the clock counts, and does not say the time, expected another one "
                          "(trace-cmd record -C mono)");
    return OCELOTL_OK;
}

/* --- Pages and their records */

static ocelotl_status skip(dat_file *file, const dat_cpu *cpu, const char *what)
{
    perf_reader *reader = file->reader;
    const bool is_in_file = cpu->place >= file->bytes && cpu->place < file->bytes + file->length;
    reader->ingest.line = is_in_file
                              ? oc_place_in_line(file->pages, (uint64_t)(cpu->place - file->bytes))
                              : file->pages;
    return oc_oddities_skip(&reader->ingest.oddities, oc_fail(OCELOTL_ERROR_INPUT, "%s", what),
                            reader->ingest.path, reader->ingest.line);
}

/* Unpacks the next chunk of pages. */
static ocelotl_status unpack(dat_file *file, dat_cpu *cpu)
{
    cpu->chunks--;
    cpu->place = cpu->rest.at;
    const uint64_t size = dat_number(&cpu->rest, 4);
    const uint64_t unpacked = dat_number(&cpu->rest, 4);
    const dat_bytes packed = dat_cut(&cpu->rest, size);
    oc_text_clear(&cpu->unpacked);
    cpu->pages = (dat_bytes){.is_big = file->is_big};
    if (packed.failed || unpacked > most_unpacked) {
        cpu->chunks = 0;
        return skip(file, cpu, "compressed pages are cut, expected all of them");
    }
    const ocelotl_status status =
        oc_decode_bytes(&cpu->unpacked, (const char *)packed.at, (size_t)size, (size_t)unpacked);
    if (status != OCELOTL_OK)
        return status == OCELOTL_ERROR_INPUT
                   ? skip(file, cpu, "compressed pages are damaged, expected sound ones")
                   : status;
    cpu->pages.at = (const unsigned char *)cpu->unpacked.bytes;
    cpu->pages.end = cpu->pages.at + cpu->unpacked.length;
    return OCELOTL_OK;
}

/* Begins the next page: its time, and how many bytes of events it has, with what was lost before.
 */
static ocelotl_status begin_page(dat_file *file, dat_cpu *cpu)
{
    const uint64_t left = (uint64_t)(cpu->pages.end - cpu->pages.at);
    dat_bytes page = dat_cut(&cpu->pages, left < file->page_size ? left : file->page_size);
    if (!cpu->is_packed)
        cpu->place = page.at;
    file->pages++;
    if (file->pages % 1024 == 0)
        OC_TRY(oc_ingest_report(
            &file->reader->ingest,
            file->reader->ingest.import->sources[file->reader->ingest.file].input));
    dat_bytes data = page;
    (void)dat_cut(&data, file->data);
    cpu->base = cpu->time = dat_number(&page, 8);
    const uint64_t commit = dat_number(&page, file->format.word);
    const uint64_t length = commit & ((1 << 27) - 1);
    if ((commit >> 31 & 1) != 0)
        oc_ingest_note(&file->reader->ingest, PERF_LOST_EVENTS);
    cpu->page = dat_cut(&data, length);
    if (page.failed || cpu->page.failed) {
        cpu->page.at = cpu->page.end;
        cpu->page.failed = false;
        return file->lost != NULL ? OCELOTL_OK
                                  : skip(file, cpu, "a page has more than its size, expected less");
    }
    return OCELOTL_OK;
}

/* Finds the next record of a CPU. */
static ocelotl_status next_record(dat_file *file, dat_cpu *cpu)
{
    cpu->record = (dat_bytes){0};
    for (;;) {
        dat_bytes *page = &cpu->page;
        if (page->at == page->end) {
            if (cpu->pages.at < cpu->pages.end)
                OC_TRY(begin_page(file, cpu));
            else if (cpu->chunks > 0)
                OC_TRY(unpack(file, cpu));
            else
                return OCELOTL_OK;
            continue;
        }
        const uint64_t head = dat_number(page, 4);
        const uint64_t kind = file->is_big ? head >> 27 : head & 31;
        const uint64_t delta = file->is_big ? head & ((1 << 27) - 1) : head >> 5;
        uint64_t more = 0, length = 4 * kind;
        if (kind == LONG || kind >= PADDING)
            more = dat_number(page, kind == PADDING && delta == 0 ? 0 : 4);
        if (kind == LONG)
            length = more >= 4 ? (more - 1) / 4 * 4 : UINT64_MAX;
        else if (kind == PADDING)
            length = delta == 0 ? (uint64_t)(page->end - page->at) : more >= 4 ? more - 4 : 0;
        else if (kind > PADDING)
            length = 0;
        if (kind == AT)
            cpu->time = (more << 27 | delta) | (cpu->base >> 59 << 59);
        else
            cpu->time += kind == LATER ? more << 27 | delta : delta;
        const dat_bytes record = dat_cut(page, length);
        if (page->failed) {
            page->failed = false;
            page->at = page->end;
            OC_TRY(skip(file, cpu, "an event is longer than its page, expected a shorter one"));
        } else if (kind < PADDING) {
            cpu->record = record;
            return OCELOTL_OK;
        }
    }
}

/* --- Samples */

static ocelotl_status take_record(dat_file *file, const dat_cpu *cpu)
{
    perf_reader *reader = file->reader;
    const dat_format *format = &file->format;
    perf_line *line = &reader->line;
    const uint64_t number = dat_field_number(&format->type, cpu->record);
    const dat_event *event = number < format->event_count ? &format->events[number] : NULL;
    const uint64_t flags = dat_field_number(&format->flags, cpu->record);
    uint64_t time = cpu->time;
    if (event == NULL || event->name.length == 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "an event has the number %" PRIu64 ", expected one of the header", number);
    if (file->multiplier != 0) {
        const wide scaled = (wide)time * file->multiplier >> file->shift;
        time = scaled < UINT64_MAX ? (uint64_t)scaled : UINT64_MAX;
    }
    *line = (perf_line){.process = -1,
                        .thread = (int64_t)dat_field_number(&format->thread, cpu->record),
                        .cpu = cpu->number,
                        .event = event->name,
                        .is_function = event->role == DAT_FUNCTION,
                        .in_interrupt = (flags & (8 | 16)) != 0};
    if (time > INT64_MAX || !oc_add_times(&line->time, (int64_t)time, file->offset))
        line->time = -1;
    line->command = line->thread == 0 ? (perf_text){"<idle>", 6}
                                      : dat_find(&format->commands, (uint64_t)line->thread, false);
    oc_text_clear(&reader->key);
    dat_describe(&reader->key, format, event, cpu->record);
    if (reader->key.failed)
        return oc_fail_memory();
    line->rest =
        (perf_text){reader->key.bytes != NULL ? reader->key.bytes : "", reader->key.length};
    return perf_take(reader);
}

/* The CPU whose record is next, and until when it is; NULL: there is none. */
static dat_cpu *find_next(uint64_t *until, dat_file *file)
{
    dat_cpu *next = NULL;
    *until = UINT64_MAX;
    for (size_t i = 0; i < file->cpu_count; i++) {
        dat_cpu *cpu = &file->cpus[i];
        if (cpu->record.at == NULL)
            continue;
        if (next == NULL || cpu->time < next->time) {
            *until = next != NULL ? next->time : *until;
            next = cpu;
        } else if (cpu->time < *until)
            *until = cpu->time;
    }
    return next;
}

static ocelotl_status read_records(dat_file *file)
{
    oc_ingest *ingest = &file->reader->ingest;
    uint64_t until;
    for (size_t i = 0; i < file->cpu_count; i++)
        OC_TRY(next_record(file, &file->cpus[i]));
    for (dat_cpu *cpu; (cpu = find_next(&until, file)) != NULL;)
        do {
            ingest->line = oc_place_in_line(file->pages, (uint64_t)(cpu->place - file->bytes));
            const ocelotl_status status = take_record(file, cpu);
            if (status != OCELOTL_OK)
                OC_TRY(oc_oddities_skip(&ingest->oddities, status, ingest->path, ingest->line));
            OC_TRY(next_record(file, cpu));
        } while (cpu->record.at != NULL && cpu->time < until);
    return OCELOTL_OK;
}

static ocelotl_status read_bytes(dat_file *file, oc_input *input)
{
    enum { STEP = 1 << 20 };
    size_t read;
    do {
        if (file->capacity - file->length < STEP)
            OC_TRY(oc_bulk_grow(&file->bytes, &file->capacity, file->length + STEP, 1));
        OC_TRY(oc_ingest_report(&file->reader->ingest, input));
        OC_TRY(oc_input_read(input, (char *)file->bytes + file->length,
                             file->capacity - file->length, &read));
        file->length += read;
    } while (read > 0);
    return OCELOTL_OK;
}

static ocelotl_status read_all(dat_file *file, const oc_source *source)
{
    oc_ingest *ingest = &file->reader->ingest;
    OC_TRY(read_bytes(file, source->input));
    OC_TRY(read_header(file));
    if (oc_input_loss(source->input) != NULL)
        file->lost = oc_input_loss(source->input);
    if (file->lost != NULL) {
        const ocelotl_status status = fail_place(file, file->bytes + file->length, file->lost);
        if (!ingest->oddities.lenient)
            return status;
        OC_TRY(oc_oddities_lose_rest(&ingest->oddities, "trace"));
    }
    return read_records(file);
}

ocelotl_status perf_read_dat(perf_reader *reader, const oc_source *source)
{
    dat_file file = {.reader = reader, .data = 16, .format = {.word = 8}};
    const ocelotl_status status = read_all(&file, source);
    for (size_t i = 0; i < file.cpu_count; i++)
        oc_text_free(&file.cpus[i].unpacked);
    oc_arena_free(&file.format.arena);
    oc_bulk_free(file.bytes);
    return status;
}

/* --- The format */

static int recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    return head->length >= sizeof magic && memcmp(head->bytes, magic, sizeof magic - 1) == 0
               ? OC_SURE
               : OC_NO;
}

static ocelotl_status import_trace_dat(const oc_import *import)
{
    static const perf_way way = {.file = perf_read_dat};
    return perf_import(import, oc_trace_dat_importer.format.name, &way);
}

const oc_importer oc_trace_dat_importer = {
    .format = {.name = "trace_dat",
               .description = "Recordings of trace-cmd: trace.dat of versions 6 and 7 (.dat, plain "
                              "or compressed)",
               .suffixes = (const char *const[]){".dat", NULL}},
    .takes_several = true,
    .takes = OC_TAKES_FOLD_NAMES,
    .recognises = recognises,
    .import = import_trace_dat,
};

/* Recordings of heaptrack: a letter on each line, and numbers in hexadecimal that name earlier
 * lines, from 1 on. docs/formats/heaptrack.md says what becomes of each. */
#include "base/memory.h"
#include "importers/ingest/ingest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Later versions may mean something else. */
enum { HEAPTRACK_NEWEST = 3, HEAPTRACK_LAST_MS = 0x7fffffff };

static const char no_block[] = "holds no allocation, expected some";

/* What the letters are: `why` of those that are left out. */
static const struct {
    const char *name, *why;
    ocelotl_fate fate;
    char letter;
    bool is_number; /* it begins with one */
} lines[] = {
    {"version", NULL, OCELOTL_FATE_DEFINITION, 'v'},
    {"command", NULL, OCELOTL_FATE_DEFINITION, 'X'},
    {"page size", NULL, OCELOTL_FATE_DEFINITION, 'I', true},
    {"text", NULL, OCELOTL_FATE_DEFINITION, 's'},
    {"instruction", NULL, OCELOTL_FATE_DEFINITION, 'i', true},
    {"stack", NULL, OCELOTL_FATE_DEFINITION, 't', true},
    {"size and stack", NULL, OCELOTL_FATE_DEFINITION, 'a', true},
    {"time", NULL, OCELOTL_FATE_DEFINITION, 'c', true},
    {"allocation", NULL, OCELOTL_FATE_LINK, '+', true},
    {"free", NULL, OCELOTL_FATE_LINK, '-', true},
    {"resident memory", NULL, OCELOTL_FATE_VARIABLE, 'R', true},
    {"#", "a comment", OCELOTL_FATE_LEFT_OUT, '#'},
};

/* 32-bit numbers. */
typedef struct heaptrack_list {
    uint32_t *items;
    size_t count, capacity;
} heaptrack_list;

typedef struct heaptrack_reader {
    oc_ingest ingest;
    uint32_t process_type, link_type, size_attribute, memory_type;
    bool has_block;
    /* of the file at hand: */
    uint32_t row;
    uint64_t version, page;
    int64_t time;             /* of what is read last */
    oc_text texts;            /* one behind another, each ended by '\0', */
    heaptrack_list places;    /* and where each begins */
    heaptrack_list functions; /* of instructions: the value of a link */
    heaptrack_list nodes;     /* of stacks: the value of the innermost instruction */
    uint64_t *sizes;          /* of blocks, by kind, */
    size_t size_capacity;
    heaptrack_list kinds; /* and their values */
} heaptrack_reader;

static ocelotl_status add_to_list(heaptrack_list *list, size_t item)
{
    OC_TRY(oc_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items));
    list->items[list->count++] = (uint32_t)item;
    return OCELOTL_OK;
}

/* Takes the next number of a line, 0 where there is none. */
static uint64_t take_number(const char **line)
{
    char *end;
    const uint64_t number = strtoull(*line, &end, 16);
    *line = end;
    return number;
}

/* Takes the place of an earlier line, 0 for none. */
static ocelotl_status take_place(uint64_t *place, const char **line, const heaptrack_list *list,
                                 const char *what)
{
    *place = take_number(line);
    return *place <= list->count
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "there is no %s %llx, expected at most %zx", what,
                         (unsigned long long)*place, list->count);
}

/* --- Names */

/* "LENGTH TEXT", before version 3 "TEXT". */
static ocelotl_status read_text(heaptrack_reader *reader, const char *line)
{
    const uint64_t length = reader->version >= 3 ? take_number(&line) : strlen(line);
    line += reader->version >= 3 && *line == ' ';
    if (strlen(line) != length)
        return oc_fail(OCELOTL_ERROR_INPUT, "the text has %zu bytes, expected %llu", strlen(line),
                       (unsigned long long)length);
    if (reader->texts.length > UINT32_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT, "there are more than 4 GiB of texts");
    OC_TRY(add_to_list(&reader->places, reader->texts.length));
    oc_text_append(&reader->texts, line, length + 1);
    return reader->texts.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status add_function(heaptrack_reader *reader, const char *name)
{
    uint32_t value;
    OC_TRY(oc_ingest_value(&value, &reader->ingest, reader->link_type, name, strlen(name)));
    return add_to_list(&reader->functions, value);
}

/* "ADDRESS MODULE [FUNCTION ..]": without a function it is called as its module. */
static ocelotl_status read_instruction(heaptrack_reader *reader, const char *line)
{
    uint64_t module, function;
    char address[32];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)take_number(&line));
    OC_TRY(take_place(&module, &line, &reader->places, "text"));
    OC_TRY(take_place(&function, &line, &reader->places, "text"));
    if (function > 0)
        return add_function(reader, reader->texts.bytes + reader->places.items[function - 1]);
    if (module == 0)
        return add_function(reader, address);
    const char *path = reader->texts.bytes + reader->places.items[module - 1];
    const char *last = strrchr(path, '/');
    return add_function(reader, last != NULL ? last + 1 : path);
}

/* "INSTRUCTION PARENT" */
static ocelotl_status read_stack(heaptrack_reader *reader, const char *line)
{
    uint64_t place;
    OC_TRY(take_place(&place, &line, &reader->functions, "instruction"));
    return add_to_list(&reader->nodes,
                       place > 0 ? reader->functions.items[place - 1] : OCELOTL_NONE);
}

/* "SIZE STACK" */
static ocelotl_status read_kind(heaptrack_reader *reader, const char *line)
{
    uint64_t place;
    const size_t count = reader->kinds.count;
    OC_TRY(oc_grow(&reader->sizes, &reader->size_capacity, count + 1, sizeof *reader->sizes));
    reader->sizes[count] = take_number(&line);
    if (reader->sizes[count] > INT64_MAX)
        return oc_fail(OCELOTL_ERROR_INPUT, "the size is %llx, expected at most %llx",
                       (unsigned long long)reader->sizes[count], (unsigned long long)INT64_MAX);
    OC_TRY(take_place(&place, &line, &reader->nodes, "stack"));
    return add_to_list(&reader->kinds, place > 0 ? reader->nodes.items[place - 1] : OCELOTL_NONE);
}

/* --- What happens */

/* A block of a kind comes or goes: they are alike, so the first that comes goes first. Between two
 * readings of the clock all is a nanosecond apart, as its order is all that is known. */
static ocelotl_status read_block(heaptrack_reader *reader, bool comes, const char *line)
{
    char size[24];
    const uint64_t kind = take_number(&line); /* from 0 on */
    const uint64_t key[] = {reader->ingest.file, kind};
    if (kind >= reader->kinds.count)
        return oc_fail(OCELOTL_ERROR_INPUT, "there is no block %llx, expected less than %zx",
                       (unsigned long long)kind, reader->kinds.count);
    const ocelotl_attribute_value carried = {
        reader->size_attribute, size,
        (size_t)snprintf(size, sizeof size, "%llu", (unsigned long long)reader->sizes[kind])};
    const oc_sorted side = {.stream = reader->row,
                            .kind = comes ? OC_SORTED_LINK_BEGIN : OC_SORTED_LINK_END,
                            .time = ++reader->time,
                            .type = reader->link_type,
                            .value = reader->kinds.items[kind],
                            .attributes = &carried,
                            .attribute_count = comes};
    reader->has_block = true;
    return oc_ingest_side(&reader->ingest, &side, key, sizeof key);
}

static ocelotl_status read_clock(heaptrack_reader *reader, const char *line)
{
    const uint64_t ms = take_number(&line);
    if (ms > HEAPTRACK_LAST_MS)
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is %llx ms, expected at most %x",
                       (unsigned long long)ms, HEAPTRACK_LAST_MS);
    const int64_t time = (int64_t)ms * 1000000;
    reader->time = time > reader->time ? time : reader->time;
    oc_ingest_row_see(&reader->ingest, reader->row, reader->time);
    return OCELOTL_OK;
}

static ocelotl_status read_line(void *decoder, char *line, size_t length)
{
    heaptrack_reader *reader = decoder;
    const char *rest = line + (length > 1 ? 2 : length);
    size_t kind = 0;
    while (kind < sizeof lines / sizeof *lines && lines[kind].letter != line[0])
        kind++;
    if (line[0] == 'x' || line[0] == 'm')
        return oc_fail(OCELOTL_ERROR_INPUT, "the recording is raw, expected what "
                                            "heaptrack_interpret makes of it");
    if (kind == sizeof lines / sizeof *lines)
        return oc_ingest_count(&reader->ingest, "other line", OCELOTL_FATE_LEFT_OUT, "not known");
    if (lines[kind].is_number && !isxdigit((unsigned char)*rest))
        return oc_fail(OCELOTL_ERROR_INPUT, "the line of %s is \"%.80s\", expected %c and a number",
                       lines[kind].name, line, line[0]);
    OC_TRY(oc_ingest_count(&reader->ingest, lines[kind].name, lines[kind].fate, lines[kind].why));
    switch (line[0]) {
    case 'v':
        take_number(&rest); /* of the program */
        reader->version = take_number(&rest);
        if (reader->version > HEAPTRACK_NEWEST)
            return oc_fail(OCELOTL_ERROR_INPUT, "the file is of version %llx, expected at most %x",
                           (unsigned long long)reader->version, HEAPTRACK_NEWEST);
        return OCELOTL_OK;
    case 'X': /* the process is called as its program */
        line[2 + strcspn(rest, " ")] = '\0';
        rest = strrchr(rest, '/') != NULL ? strrchr(rest, '/') + 1 : rest;
        return *rest != '\0' ? oc_ingest_row_name(&reader->ingest, reader->row, rest) : OCELOTL_OK;
    case 'I':
        reader->page = take_number(&rest);
        return OCELOTL_OK;
    case 's':
        return read_text(reader, rest);
    case 'i':
        return read_instruction(reader, rest);
    case 't':
        return read_stack(reader, rest);
    case 'a':
        return read_kind(reader, rest);
    case 'c':
        return read_clock(reader, rest);
    case 'R':
        return oc_ingest_add(&reader->ingest, &(oc_sorted){.stream = reader->row,
                                                           .kind = OC_SORTED_VARIABLE,
                                                           .time = reader->time,
                                                           .type = reader->memory_type,
                                                           .value = OCELOTL_NONE,
                                                           .number = (double)take_number(&rest) *
                                                                     (double)reader->page});
    case '#':
        return OCELOTL_OK;
    default:
        return read_block(reader, line[0] == '+', rest);
    }
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    heaptrack_reader *reader = decoder;
    reader->version = 0;
    reader->page = 4096;
    reader->time = 0;
    reader->places.count = reader->functions.count = reader->nodes.count = reader->kinds.count = 0;
    oc_text_clear(&reader->texts);
    OC_TRY(oc_ingest_row_find(&reader->row, &reader->ingest, OCELOTL_NONE, reader->process_type,
                              "process", strlen("process")));
    OC_TRY(oc_ingest_lines(&reader->ingest, source, "recording", read_line, reader));
    const bool is_last = reader->ingest.file + 1 == reader->ingest.import->source_count;
    return reader->has_block || !is_last
               ? OCELOTL_OK
               : oc_oddities_fail_empty(&reader->ingest.oddities,
                                        reader->ingest.import->sources[0].path, no_block);
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    heaptrack_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    OC_TRY(oc_ingest_open(ingest, import, "heaptrack", NULL, OC_COMMON_ODDITIES));
    OC_TRY(oc_ingest_resource_type(&reader->process_type, ingest, ingest->file_type, "Process"));
    OC_TRY(oc_ingest_event_type(&reader->link_type, ingest, OCELOTL_LINK, OCELOTL_ROOT,
                                "allocation", OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_attribute(&reader->size_attribute, ingest, reader->link_type, "size", 4));
    OC_TRY(oc_ingest_event_type(&reader->memory_type, ingest, OCELOTL_VARIABLE, OCELOTL_ROOT,
                                "resident memory", OC_NEST_BY_TIME));
    return ocelotl_writer_unit(ingest->writer, reader->memory_type, "bytes");
}

static void free_lists(void *decoder)
{
    heaptrack_reader *reader = decoder;
    oc_text_free(&reader->texts);
    free(reader->places.items);
    free(reader->functions.items);
    free(reader->nodes.items);
    free(reader->kinds.items);
    free(reader->sizes);
}

static const oc_ingest_decoder decoder = {.size = sizeof(heaptrack_reader),
                                          .open = open,
                                          .read = read_file,
                                          .free = free_lists,
                                          .empty = no_block};

/* By its first line, "v 10400 3" or without the 3, and the letter of the next. */
static int recognises_heaptrack(const oc_source *source)
{
    char line[32] = "";
    const size_t length = source->head.length < 31 ? source->head.length : 31;
    memcpy(line, source->head.bytes, length);
    const size_t first = strspn(line, "v 0123456789abcdef");
    const char *next = line + first + (line[first] == '\r');
    return line[0] == 'v' && line[1] == ' ' && first > 3 && strrchr(line, 'v') == line &&
                   next[0] == '\n' && next[1] != '\0' && strchr("XxIsmA#", next[1]) != NULL &&
                   next[2] == ' '
               ? OC_SURE
               : OC_NO;
}

const oc_importer oc_heaptrack_importer = {
    .format = {.name = "heaptrack",
               .description = "Recordings of heaptrack (plain, .gz, .zst or .xz)",
               .suffixes = (const char *const[]){NULL}},
    .takes_several = true,
    .recognises = recognises_heaptrack,
    .decoder = &decoder,
};

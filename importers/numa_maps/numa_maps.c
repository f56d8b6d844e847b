/* Snapshots of where the pages of processes lie: lines of /proc/PID/numa_maps behind a line
 * "@ seconds pid command". docs/formats/numa_maps.md says what becomes of each. */
#include "base/memory.h"
#include "base/text.h"
#include "importers/ingest/ingest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMA_FINE_TIME = OC_COMMON_ODDITIES, NUMA_ODDITY_END };

static const char *const oddity_names[] = {
    [NUMA_FINE_TIME - OC_COMMON_ODDITIES] = "time finer than a nanosecond (rounded)",
};

enum { NODES = 1024, ATTRIBUTES = 24 }; /* the kernel has no more nodes */

/* A range of addresses of a process, by the `detail` of its row. */
typedef struct numa_mapping {
    uint32_t row;
    uint64_t snapshot;    /* it was seen in last */
    uint64_t begin, size; /* when its line was another last */
    oc_text line;         /* what was said of it last; empty: it is gone */
} numa_mapping;

/* A mapping that is not gone. */
typedef struct numa_live {
    uint64_t begin;
    uint32_t number;
} numa_live;

typedef struct numa_process {
    uint32_t row, named;  /* named: the row around mappings that have names */
    int64_t time, before; /* of the snapshot at hand, and of the one before it */
    uint64_t snapshot;    /* its number, from 1 */
    numa_live *live;      /* in order of addresses when a snapshot begins, new ones behind */
    size_t live_count, live_capacity, next, sorted;
} numa_process;

typedef struct numa_reader {
    oc_ingest ingest;
    uint32_t process_type, kind_type, mapping_type, policy_type, counted;
    uint32_t node_types[NODES], node_count;
    uint64_t snapshots;
    numa_mapping *mappings;
    size_t mapping_count, mapping_capacity;
    numa_process *processes;
    size_t process_count, process_capacity;
    numa_process *process; /* of the snapshot at hand, or NULL */
} numa_reader;

/* What follows the policy of a line. */
typedef struct numa_words {
    double bytes[NODES];
    ocelotl_attribute_value attributes[ATTRIBUTES];
    size_t attribute_count;
} numa_words;

static ocelotl_status fail_word(const char *what, const char *word, const char *expected)
{
    const size_t length = strcspn(word, " ");
    return oc_fail(OCELOTL_ERROR_INPUT, "the %s is \"%.*s\", expected %s", what,
                   (int)(length < 80 ? length : 80), word, expected);
}

/* Reads the number at the begin of a text, behind which `stop`, a blank or the end is. */
static bool read_number(uint64_t *number, const char *text, int base, char stop)
{
    char *end;
    if (!isxdigit((unsigned char)*text) || strspn(text, "0123456789abcdefABCDEF") > 16)
        return false;
    *number = strtoull(text, &end, base);
    return *end == '\0' || *end == ' ' || *end == stop;
}

/* --- Mappings */

/* Sorts out "N3=17", pages of a node, and "dirty=4", which becomes an attribute. */
static ocelotl_status read_words(numa_words *words, numa_reader *reader, const char *line)
{
    char name[24];
    size_t length;
    uint64_t node, pages, kilobytes = 4;
    oc_ingest *ingest = &reader->ingest;
    const char *size = strstr(line, " kernelpagesize_kB=");
    if (size != NULL && !read_number(&kilobytes, strchr(size, '=') + 1, 10, ' '))
        return fail_word("size of pages", size + 1, "a number");
    memset(words, 0, sizeof *words);
    for (const char *word; word = oc_line_word(&length, &line), length > 0;) {
        const char *equals = memchr(word, '=', length);
        if (equals == NULL || strncmp(word, "file=", 5) == 0)
            continue;
        if (word[0] != 'N') {
            ocelotl_attribute_value *value = &words->attributes[words->attribute_count];
            if (words->attribute_count++ == ATTRIBUTES)
                return fail_word("word", word, "fewer in a line");
            *value = (ocelotl_attribute_value){.text = equals + 1,
                                               .length = (size_t)(word + length - equals - 1)};
            OC_TRY(oc_ingest_attribute(&value->attribute, ingest, reader->policy_type, word,
                                       (size_t)(equals - word)));
            continue;
        }
        if (!read_number(&node, word + 1, 10, '=') || node >= NODES ||
            !read_number(&pages, equals + 1, 10, ' '))
            return fail_word("number of pages", word, "that of a node from N0= to N1023=");
        words->bytes[node] = 1024.0 * (double)kilobytes * (double)pages;
        for (; reader->node_count <= node; reader->node_count++) { /* in their order */
            uint32_t *type = &reader->node_types[reader->node_count];
            snprintf(name, sizeof name, "node %u", reader->node_count);
            OC_TRY(oc_ingest_event_type(type, ingest, OCELOTL_VARIABLE, reader->mapping_type, name,
                                        OC_NEST_BY_TIME));
            OC_TRY(ocelotl_writer_unit(ingest->writer, *type, "bytes"));
        }
    }
    return OCELOTL_OK;
}

/* Adds what a mapping has on each node from now on, and its policy; NULL: it is gone. */
static ocelotl_status add_line(numa_reader *reader, uint32_t row, const char *policy)
{
    numa_words words = {.attribute_count = 0};
    oc_sorted record = {
        .stream = row, .order = row, .time = reader->process->time, .value = OCELOTL_NONE};
    const char *line = policy;
    size_t length;
    record.type = reader->policy_type;
    record.kind = policy != NULL ? OC_SORTED_BEGIN : OC_SORTED_END;
    if (policy != NULL) {
        oc_line_word(&length, &line);
        if (strncmp(policy, "weighted ", 9) == 0 || strncmp(line, " (many)", 7) == 0)
            oc_line_word(&length, &line); /* policies of two words */
        OC_TRY(oc_ingest_value(&record.value, &reader->ingest, record.type, policy,
                               (size_t)(line - policy)));
        OC_TRY(read_words(&words, reader, line));
        record.attributes = words.attributes;
        record.attribute_count = words.attribute_count;
    }
    OC_TRY(oc_ingest_add(&reader->ingest, &record));
    record = (oc_sorted){.stream = row, .kind = OC_SORTED_VARIABLE, .time = record.time};
    for (uint32_t node = 0; node < reader->node_count; node++) {
        record.type = reader->node_types[node];
        record.number = words.bytes[node];
        OC_TRY(oc_ingest_add(&reader->ingest, &record));
    }
    return OCELOTL_OK;
}

/* The row of heap, stack, anonymous or a file, which is called as the file is. */
static ocelotl_status find_kind(uint32_t *kind, numa_reader *reader, const char *line)
{
    oc_ingest *ingest = &reader->ingest;
    const char *id = strstr(line, " file=");
    id = id != NULL ? id : strstr(line, " heap");
    id = id != NULL ? id : strstr(line, " stack");
    id = id != NULL ? id : " anonymous";
    OC_TRY(oc_ingest_row_find(kind, ingest, reader->process->row, reader->kind_type, id + 1,
                              strcspn(id + 1, " ")));
    const char *path = strchr(ingest->rows[*kind].id, '=');
    if (path == NULL || ingest->rows[*kind].label != NULL)
        return OCELOTL_OK;
    const char *slash = strrchr(path, '/');
    OC_TRY(oc_ingest_row_label(ingest, *kind, path + 1));
    return oc_ingest_row_name(ingest, *kind, slash != NULL && slash[1] != '\0' ? slash + 1 : path);
}

/* How large a mapping is: as the recorder says it, or at least what of it is there. */
static uint64_t size_of(const char *line)
{
    uint64_t pages, sum = 0, kilobytes = 4;
    const char *said = strstr(line, " size_kB="), *page = strstr(line, " kernelpagesize_kB=");
    if (said != NULL && read_number(&sum, strchr(said, '=') + 1, 10, ' '))
        return sum << 10;
    if (page != NULL)
        read_number(&kilobytes, strchr(page, '=') + 1, 10, ' ');
    while ((line = strstr(line, " N")) != NULL && (line += strcspn(line, "="))[0] == '=')
        sum += read_number(&pages, line + 1, 10, ' ') ? pages : 0;
    return sum * kilobytes << 10;
}

/* The row of a mapping of the snapshot before that is not at its address any more, if the one at
 * this address has half of it or more: it grew, or lost its begin. Lines are in order. */
static uint32_t find_overlap(numa_reader *reader, uint32_t kind, uint64_t begin, const char *line)
{
    numa_process *process = reader->process;
    const uint64_t size = size_of(line);
    const uint64_t end = size < UINT64_MAX - begin ? begin + size : UINT64_MAX;
    for (; process->next < process->sorted; process->next++) {
        const numa_mapping *old = &reader->mappings[process->live[process->next].number];
        const uint64_t low = old->begin > begin ? old->begin : begin;
        const uint64_t high = old->size < end - old->begin ? old->begin + old->size : end;
        if (old->snapshot != process->snapshot && old->begin < end && low < high &&
            high - low >= old->size / 2 && reader->ingest.rows[old->row].parent == kind)
            return old->row;
        if (old->begin >= end || old->size > end - old->begin)
            break; /* what follows may overlap it, too */
    }
    return OC_MAP_NONE;
}

/* The mapping at an address, in its kind; the only stack moves as it grows. */
static ocelotl_status find_mapping(uint32_t *number, numa_reader *reader, uint64_t address,
                                   const char *line)
{
    uint32_t kind;
    oc_ingest *ingest = &reader->ingest;
    const numa_process *process = reader->process;
    const size_t length = strcspn(line, " ");
    OC_TRY(find_kind(&kind, reader, line + length));
    const bool is_stack = strcmp(ingest->rows[kind].id, "stack") == 0;
    const size_t before = ingest->row_count;
    const char *id = is_stack ? "stack" : line;
    const size_t id_length = is_stack ? strlen(id) : length;
    uint32_t row = oc_ingest_own(ingest, 1, kind, 0, id, id_length);
    if (row != OC_MAP_NONE) {
        const numa_mapping *known = &reader->mappings[ingest->rows[row].detail];
        if (known->snapshot == process->snapshot && known->begin != address && !is_stack)
            row = OC_MAP_NONE; /* it is elsewhere by now */
    }
    const bool is_known = row != OC_MAP_NONE;
    if (!is_known && !is_stack)
        row = find_overlap(reader, kind, address, line);
    if (row == OC_MAP_NONE)
        OC_TRY(oc_ingest_row_add(&row, ingest, kind, reader->mapping_type, id, id_length));
    if (!is_known) {
        OC_TRY(oc_ingest_own_set(ingest, 1, kind, id, id_length, row));
        OC_TRY(oc_ingest_own_set(ingest, 0, process->row, line, length, row)); /* for its name */
    }
    if (ingest->row_count > before) {
        OC_TRY(oc_grow(&reader->mappings, &reader->mapping_capacity, reader->mapping_count + 1,
                       sizeof *reader->mappings));
        reader->mappings[reader->mapping_count] = (numa_mapping){.row = row};
        ingest->rows[row].detail = (int64_t)reader->mapping_count++;
    }
    *number = (uint32_t)ingest->rows[row].detail;
    return OCELOTL_OK;
}

/* A line as in the snapshot before says nothing new. */
static ocelotl_status take_mapping(numa_reader *reader, const char *line, size_t length)
{
    uint64_t address;
    uint32_t number;
    numa_process *process = reader->process;
    const char *policy = line + strcspn(line, " ");
    policy += strspn(policy, " ");
    if (!read_number(&address, line, 16, ' ') || *policy == '\0')
        return fail_word("line", line, "an address to base 16, and a policy");
    if (process == NULL)
        return fail_word("mapping", line, "a line \"@ seconds pid command\" before it");
    OC_TRY(find_mapping(&number, reader, address, line));
    numa_mapping *mapping = &reader->mappings[number];
    const bool is_new = mapping->line.length == 0;
    if (mapping->snapshot == process->snapshot)
        return fail_word("mapping", line, "each once in a snapshot");
    if (is_new || strcmp(mapping->line.bytes, line) != 0) {
        OC_TRY(oc_grow(&process->live, &process->live_capacity, process->live_count + 1,
                       sizeof *process->live));
        OC_TRY(add_line(reader, mapping->row, policy));
        mapping->begin = address;
        mapping->size = size_of(policy - 1);
        oc_text_clear(&mapping->line);
        oc_text_append(&mapping->line, line, length);
        if (mapping->line.failed)
            return oc_fail_memory();
        if (is_new)
            process->live[process->live_count++].number = number;
    }
    mapping->snapshot = process->snapshot;
    oc_ingest_row_see(&reader->ingest, mapping->row, process->time);
    oc_kinds_add(&reader->ingest.kinds, reader->counted);
    return OCELOTL_OK;
}

/* "name BEGIN END text": the mapping at BEGIN is called so. */
static ocelotl_status take_name(numa_reader *reader, const char *line)
{
    size_t length, end;
    oc_ingest *ingest = &reader->ingest;
    const char *begin = oc_line_word(&length, &line);
    oc_line_word(&end, &line);
    line += strspn(line, " ");
    const uint32_t row = reader->process != NULL
                             ? oc_ingest_own(ingest, 0, reader->process->row, 0, begin, length)
                             : OC_MAP_NONE;
    if (row == OC_MAP_NONE || *line == '\0')
        return fail_word("mapping of a name", begin,
                         "one before it: name BEGIN END TEXT, behind the mapping at BEGIN");
    ingest->rows[row].parent = reader->process->named;
    OC_TRY(oc_ingest_row_name(ingest, row, line));
    return oc_ingest_count(ingest, "name", OCELOTL_FATE_DEFINITION, NULL);
}

/* --- Snapshots */

static int compare_live(const void *left, const void *right)
{
    const numa_live *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Ends the mappings that are gone in the snapshot at hand of a process. */
static ocelotl_status end_snapshot(numa_reader *reader, numa_process *process)
{
    size_t kept = 0;
    reader->process = process;
    for (size_t i = 0; i < process->live_count; i++) {
        const uint32_t number = process->live[i].number;
        numa_mapping *mapping = &reader->mappings[number];
        process->live[kept] = (numa_live){mapping->begin, number};
        kept += mapping->snapshot == process->snapshot;
        if (mapping->snapshot == process->snapshot)
            continue;
        OC_TRY(add_line(reader, mapping->row, NULL));
        oc_text_clear(&mapping->line);
    }
    process->live_count = process->sorted = kept;
    process->next = 0;
    if (kept > 1)
        qsort(process->live, kept, sizeof *process->live, compare_live);
    return OCELOTL_OK;
}

static ocelotl_status find_process(numa_process **process, numa_reader *reader, const char *id,
                                   size_t length)
{
    uint32_t row;
    oc_ingest *ingest = &reader->ingest;
    const size_t before = ingest->row_count;
    OC_TRY(oc_ingest_row_find(&row, ingest, OCELOTL_NONE, reader->process_type, id, length));
    if (ingest->row_count > before) {
        OC_TRY(oc_grow(&reader->processes, &reader->process_capacity, reader->process_count + 1,
                       sizeof *reader->processes));
        numa_process *added = &reader->processes[reader->process_count];
        *added = (numa_process){.row = row, .time = INT64_MIN};
        ingest->rows[row].detail = (int64_t)reader->process_count++;
        OC_TRY(oc_ingest_row_find(&added->named, ingest, row, reader->kind_type, "named", 5));
    }
    *process = &reader->processes[ingest->rows[row].detail];
    return OCELOTL_OK;
}

/* "seconds pid command"; without a number all of it is about one process. */
static ocelotl_status take_snapshot(numa_reader *reader, const char *line)
{
    oc_decimal seconds;
    int64_t time;
    size_t length;
    numa_process *process;
    oc_text name = {0};
    oc_ingest *ingest = &reader->ingest;
    reader->process = NULL;
    const char *id = oc_line_word(&length, &line);
    if (!oc_decimal_read(&seconds, id, length, 9))
        return fail_word("time", id, "seconds");
    OC_TRY(oc_ingest_time(&time, ingest, &seconds, NUMA_FINE_TIME));
    id = oc_line_word(&length, &line);
    const bool has_id = length > 0 && strspn(id, "0123456789") == length;
    OC_TRY(find_process(&process, reader, has_id ? id : "process", has_id ? length : 7));
    if (time < process->time)
        return fail_word("process", has_id ? id : "", "its snapshots in order of time");
    OC_TRY(end_snapshot(reader, process));
    process->before = process->snapshot > 0 ? process->time : time;
    process->time = time;
    process->snapshot = ++reader->snapshots;
    OC_TRY(oc_ingest_count(ingest, "@", OCELOTL_FATE_DEFINITION, NULL));
    line += strspn(line, " ");
    if (!has_id || *line == '\0')
        return OCELOTL_OK;
    oc_text_format(&name, "%s %.*s", line, (int)length, id);
    const ocelotl_status status =
        name.failed ? oc_fail_memory() : oc_ingest_row_name(ingest, process->row, name.bytes);
    oc_text_free(&name);
    return status;
}

static ocelotl_status read_line(void *decoder, char *line, size_t length)
{
    numa_reader *reader = decoder;
    return strncmp(line, "@ ", 2) == 0      ? take_snapshot(reader, line + 2)
           : strncmp(line, "name ", 5) == 0 ? take_name(reader, line + 5)
                                            : take_mapping(reader, line, length);
}

/* The last snapshot of a process holds for as long as the one before it did. */
static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    numa_reader *reader = decoder;
    const size_t first = reader->process_count;
    OC_TRY(oc_ingest_lines(&reader->ingest, source, "snapshots", read_line, reader));
    for (size_t i = first; i < reader->process_count; i++) {
        int64_t end;
        numa_process *process = &reader->processes[i];
        OC_TRY(end_snapshot(reader, process));
        if (!oc_add_times(&end, process->time, process->time - process->before))
            end = process->time;
        for (size_t k = 0; k < process->live_count; k++)
            oc_ingest_row_see(&reader->ingest, reader->mappings[process->live[k].number].row, end);
    }
    reader->process = NULL;
    return OCELOTL_OK;
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    numa_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    ingest->life = OC_LIVES_WITH_CONTENT;
    OC_TRY(oc_ingest_open(ingest, import, oc_numa_maps_importer.format.name, oddity_names,
                          NUMA_ODDITY_END));
    OC_TRY(oc_ingest_resource_type(&reader->process_type, ingest, ingest->file_type, "Process"));
    OC_TRY(oc_ingest_resource_type(&reader->kind_type, ingest, reader->process_type, "Kind"));
    OC_TRY(oc_ingest_resource_type(&reader->mapping_type, ingest, reader->kind_type, "Mapping"));
    OC_TRY(oc_ingest_event_type(&reader->policy_type, ingest, OCELOTL_STATE, reader->mapping_type,
                                "Policy", OC_NEST_REPLACE));
    return oc_kinds_find(&reader->counted, &ingest->kinds, "mapping", strlen("mapping"),
                         OCELOTL_FATE_STATE, NULL);
}

static void free_lists(void *decoder)
{
    numa_reader *reader = decoder;
    for (size_t i = 0; i < reader->mapping_count; i++)
        oc_text_free(&reader->mappings[i].line);
    for (size_t i = 0; i < reader->process_count; i++)
        free(reader->processes[i].live);
    free(reader->mappings);
    free(reader->processes);
}

static const oc_ingest_decoder decoder = {.size = sizeof(numa_reader),
                                          .open = open,
                                          .read = read_file,
                                          .free = free_lists,
                                          .empty = "holds no mapping, expected some"};

/* By its first line, "@ " and a number. */
static int recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    return head->length > 2 && memcmp(head->bytes, "@ ", 2) == 0 &&
                   isdigit((unsigned char)head->bytes[2])
               ? OC_SURE
               : OC_NO;
}

const oc_importer oc_numa_maps_importer = {
    .format = {.name = "numa_maps",
               .description = "Snapshots of /proc/PID/numa_maps: where pages lie (.pages, plain, "
                              ".gz, .zst or .xz)",
               .suffixes = (const char *const[]){".pages", NULL}},
    .takes_several = true,
    .recognises = recognises,
    .decoder = &decoder,
};

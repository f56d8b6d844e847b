#include "store/copy/unite.h"

#include "base/map.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How far a part has been read: what it declared, in its order. */
typedef struct reading {
    oc_part *part;
    const char *next;     /* in its text of turns; NULL: at its end */
    uint64_t turn;        /* that begins there */
    uint32_t declared[6]; /* by place in `kinds` */
    uint32_t *attributes; /* declared, by event type */
} reading;

static const char kinds[] = "TREVSW"; /* but for attributes */

typedef struct uniting {
    oc_union *whole;
    reading *readings;
    oc_map known; /* from what a name is, and where, to its number in the whole */
    oc_text key;
    size_t capacities[6];      /* by place in `kinds` */
    size_t attribute_capacity; /* of the catalogue */
} uniting;

/* --- Names: each is found, or made */

/* Finds the number of what the key says; where it is new, it is `count`. */
static ocelotl_status find(uint32_t *number, bool *is_new, uniting *of, uint32_t count)
{
    if (of->key.failed)
        return oc_fail_memory();
    *number = oc_map_get(&of->known, of->key.bytes, of->key.length);
    *is_new = *number == OC_MAP_NONE;
    if (!*is_new)
        return OCELOTL_OK;
    *number = count;
    return oc_map_set(&of->known, of->key.bytes, of->key.length, count);
}

/* The number of a parent in the whole, which was declared before. */
static uint32_t up(const uint32_t *numbers, uint32_t parent)
{
    return parent == OCELOTL_ROOT ? parent : numbers[parent];
}

static ocelotl_status add_resource_type(uniting *of, const reading *from, uint32_t n)
{
    bool is_new;
    ocelotl_trace *trace = &of->whole->trace;
    const oc_numbers *numbers = &from->part->numbers;
    ocelotl_resource_type made = from->part->trace->resource_types[n];
    made.parent = up(numbers->resource_types, made.parent);
    oc_text_format(&of->key, "T%" PRIu32 " %s", made.parent, made.name);
    OC_TRY(find(&numbers->resource_types[n], &is_new, of, trace->resource_type_count));
    if (!is_new)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&trace->resource_types, &of->capacities[0], &of->whole->arena,
                         (size_t)trace->resource_type_count + 1, sizeof made));
    trace->resource_types[trace->resource_type_count++] = made;
    return OCELOTL_OK;
}

/* The part that a resource is of knows when it begins and ends. */
static ocelotl_status add_resource(uniting *of, const reading *from, uint32_t n, bool is_own)
{
    bool is_new;
    ocelotl_trace *trace = &of->whole->trace;
    const oc_numbers *numbers = &from->part->numbers;
    ocelotl_resource made = from->part->trace->resources[n];
    made.type = up(numbers->resource_types, made.type);
    made.parent = up(numbers->resources, made.parent);
    oc_text_format(&of->key, "R%" PRIu32 " %" PRIu32 " %s", made.parent, made.type, made.name);
    OC_TRY(find(&numbers->resources[n], &is_new, of, trace->resource_count));
    if (is_new) {
        OC_TRY(oc_arena_grow(&trace->resources, &of->capacities[1], &of->whole->arena,
                             (size_t)trace->resource_count + 1, sizeof made));
        trace->resource_count++;
    }
    if (is_new || is_own)
        trace->resources[numbers->resources[n]] = made;
    return OCELOTL_OK;
}

static ocelotl_status add_event_type(uniting *of, const reading *from, uint32_t n)
{
    bool is_new;
    oc_union *whole = of->whole;
    ocelotl_trace *trace = &whole->trace;
    const oc_numbers *numbers = &from->part->numbers;
    ocelotl_event_type made = from->part->trace->event_types[n];
    made.resource_type = up(numbers->resource_types, made.resource_type);
    oc_text_format(&of->key, "E%" PRIu32 " %d %d %s\t%s", made.resource_type, (int)made.category,
                   (int)made.kind, made.name, made.unit);
    OC_TRY(find(&numbers->event_types[n], &is_new, of, trace->event_type_count));
    if (!is_new)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&trace->event_types, &of->capacities[2], &whole->arena,
                         (size_t)trace->event_type_count + 1, sizeof made));
    OC_TRY(oc_arena_grow(&whole->catalogue.attributes, &of->attribute_capacity, &whole->arena,
                         (size_t)trace->event_type_count + 1, sizeof *whole->catalogue.attributes));
    whole->catalogue.attributes[trace->event_type_count] = (oc_attribute_names){0};
    trace->event_types[trace->event_type_count++] = made;
    return OCELOTL_OK;
}

static ocelotl_status add_value(uniting *of, const reading *from, uint32_t n)
{
    bool is_new;
    ocelotl_trace *trace = &of->whole->trace;
    const oc_numbers *numbers = &from->part->numbers;
    ocelotl_value made = from->part->trace->values[n];
    made.event_type = numbers->event_types[made.event_type];
    oc_text_format(&of->key, "V%" PRIu32 " %s", made.event_type, made.name);
    OC_TRY(find(&numbers->values[n], &is_new, of, trace->value_count));
    if (!is_new)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&trace->values, &of->capacities[3], &of->whole->arena,
                         (size_t)trace->value_count + 1, sizeof made));
    trace->values[trace->value_count++] = made;
    return OCELOTL_OK;
}

static ocelotl_status add_attribute(uniting *of, const reading *from, uint32_t type, uint32_t n)
{
    bool is_new;
    const oc_part *part = from->part;
    const uint32_t there = part->numbers.event_types[type];
    const char *name = part->catalogue.attributes[type].names[n];
    oc_attribute_names *names = &of->whole->catalogue.attributes[there];
    oc_text_format(&of->key, "A%" PRIu32 " %s", there, name);
    OC_TRY(find(&part->numbers.attributes[type][n], &is_new, of, (uint32_t)names->count));
    if (!is_new)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&names->names, &names->capacity, &of->whole->arena, names->count + 1,
                         sizeof *names->names));
    names->names[names->count++] = name;
    return OCELOTL_OK;
}

/* A stream is there in its order, whichever part declares it, read from its resource's. */
static ocelotl_status add_stream(uniting *of, const reading *from, uint32_t n, const bool *is_own)
{
    uint32_t number;
    bool is_new;
    ocelotl_trace *trace = &of->whole->trace;
    const oc_numbers *numbers = &from->part->numbers;
    oc_stream made = from->part->trace->streams[n];
    const bool has = is_own[made.resource];
    made.resource = numbers->resources[made.resource];
    made.event_type = numbers->event_types[made.event_type];
    made.shard = (uint32_t)(from->part - of->whole->parts);
    made.stored = n;
    oc_text_format(&of->key, "S%" PRIu32 " %" PRIu32 " %d", made.resource, made.event_type,
                   (int)made.role);
    OC_TRY(find(&number, &is_new, of, trace->stream_count));
    if (is_new) {
        OC_TRY(oc_arena_grow(&trace->streams, &of->capacities[4], &of->whole->arena,
                             (size_t)trace->stream_count + 1, sizeof made));
        trace->stream_count++;
    }
    if (is_new || has)
        trace->streams[number] = made;
    return OCELOTL_OK;
}

/* What is of streams is counted by each part for its own, all else by all alike. */
static ocelotl_status add_warning(uniting *of, const reading *from, uint32_t n, bool of_streams)
{
    uint32_t number;
    bool is_new;
    ocelotl_trace *trace = &of->whole->trace;
    const ocelotl_warning *made = &from->part->trace->warnings[n];
    oc_text_format(&of->key, "W%s", made->kind);
    OC_TRY(find(&number, &is_new, of, trace->warning_count));
    if (!is_new) {
        trace->warnings[number].count += of_streams ? made->count : 0;
        return OCELOTL_OK;
    }
    OC_TRY(oc_arena_grow(&trace->warnings, &of->capacities[5], &of->whole->arena,
                         (size_t)trace->warning_count + 1, sizeof *made));
    trace->warnings[trace->warning_count++] = *made;
    return OCELOTL_OK;
}

/* --- Turns */

/* Goes behind the number of the turn that begins at `next`. */
static void begin_turn(reading *from)
{
    char *end;
    if (*from->next == '#') {
        from->turn = strtoull(from->next + 1, &end, 10);
        from->next = end;
    }
    if (*from->next == '\0')
        from->next = NULL;
}

static ocelotl_status fail_turns(const reading *from)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is no part of a run that is being written",
                   from->part->trace->path);
}

/* Takes one declaration. */
static ocelotl_status take(uniting *of, reading *from, bool *is_own)
{
    const char named = *from->next++;
    char kind = named;
    if (named == 'X' || named == 'w')
        kind = named == 'X' ? 'R' : 'W';
    const ocelotl_trace *trace = from->part->trace;
    const uint32_t counts[] = {trace->resource_type_count, trace->resource_count,
                               trace->event_type_count,    trace->value_count,
                               trace->stream_count,        trace->warning_count};
    const char *place = strchr(kinds, kind);
    oc_text_clear(&of->key);
    if (kind == 'A') {
        char *end;
        const uint64_t type = strtoull(from->next, &end, 10);
        from->next = end;
        if (type >= trace->event_type_count ||
            from->attributes[type] >= from->part->catalogue.attributes[type].count)
            return fail_turns(from);
        return add_attribute(of, from, (uint32_t)type, from->attributes[type]++);
    }
    if (place == NULL || from->declared[place - kinds] >= counts[place - kinds])
        return fail_turns(from);
    const uint32_t n = from->declared[place - kinds]++;
    switch (kind) {
    case 'T':
        return add_resource_type(of, from, n);
    case 'R':
        is_own[n] = named == 'R';
        return add_resource(of, from, n, is_own[n]);
    case 'E':
        return add_event_type(of, from, n);
    case 'V':
        return add_value(of, from, n);
    case 'W':
        return add_warning(of, from, n, named == 'w');
    default:
        return add_stream(of, from, n, is_own);
    }
}

static ocelotl_status read_turns(void *context, const oc_row *row)
{
    reading *from = context;
    return oc_row_text(&from->next, &from->part->catalogue.arena, row, 0);
}

/* Begins to read a part, whose numbers are not known yet. */
static ocelotl_status begin(reading *from, bool **is_own, oc_arena *arena)
{
    oc_part *part = from->part;
    const ocelotl_trace *trace = part->trace;
    oc_numbers *numbers = &part->numbers;
    uint64_t text_left = trace->info.file_size;
    oc_row row = {.path = trace->path, .what = "turn", .text_left = &text_left};
    OC_TRY(oc_catalogue_read(&part->catalogue, part->trace));
    OC_TRY(oc_rows_read(&row, trace->database,
                        "SELECT value FROM meta WHERE key = '" OC_STORE_TURNS_KEY "'", read_turns,
                        from));
    const size_t types = trace->event_type_count;
    OC_TRY(oc_arena_allocate(&numbers->resource_types, arena, trace->resource_type_count, 4));
    OC_TRY(oc_arena_allocate(&numbers->resources, arena, trace->resource_count, 4));
    OC_TRY(oc_arena_allocate(&numbers->event_types, arena, types, 4));
    OC_TRY(oc_arena_allocate(&numbers->values, arena, trace->value_count, 4));
    OC_TRY(oc_arena_allocate(&numbers->attributes, arena, types, sizeof *numbers->attributes));
    for (size_t t = 0; t < types; t++)
        OC_TRY(oc_arena_allocate(&numbers->attributes[t], arena,
                                 part->catalogue.attributes[t].count, 4));
    OC_TRY(oc_arena_allocate(&from->attributes, arena, types, 4));
    OC_TRY(oc_arena_allocate(is_own, arena, trace->resource_count, sizeof **is_own));
    if (from->next == NULL)
        return fail_turns(from);
    begin_turn(from);
    return OCELOTL_OK;
}

/* Goes through what the parts declared, turn by turn. */
static ocelotl_status take_turns(uniting *of)
{
    oc_arena *arena = &of->whole->arena;
    const uint32_t count = of->whole->count;
    bool **is_own = NULL;
    OC_TRY(oc_arena_allocate(&of->readings, arena, count, sizeof *of->readings));
    OC_TRY(oc_arena_allocate(&is_own, arena, count, sizeof *is_own));
    for (uint32_t p = 0; p < count; p++) {
        of->readings[p].part = &of->whole->parts[p];
        OC_TRY(begin(&of->readings[p], &is_own[p], arena));
    }
    for (;;) {
        uint32_t first = count;
        for (uint32_t p = 0; p < count; p++)
            if (of->readings[p].next != NULL &&
                (first == count || of->readings[p].turn < of->readings[first].turn))
                first = p;
        if (first == count)
            return OCELOTL_OK;
        reading *from = &of->readings[first];
        while (*from->next != '#' && *from->next != '\0')
            OC_TRY(take(of, from, is_own[first]));
        begin_turn(from);
    }
}

/* --- The whole */

ocelotl_status oc_unite(oc_union *whole, const char *const *paths, uint32_t count)
{
    uniting of = {.whole = whole};
    OC_TRY(oc_arena_allocate(&whole->parts, &whole->arena, count, sizeof *whole->parts));
    for (; whole->count < count; whole->count++)
        OC_TRY(ocelotl_trace_open(&whole->parts[whole->count].trace, paths[whole->count]));
    const ocelotl_trace *first = whole->parts[0].trace;
    whole->trace = (ocelotl_trace){.path = first->path,
                                   .label = first->label,
                                   .database = first->database,
                                   .info = first->info,
                                   .files = first->files,
                                   .file_count = first->file_count,
                                   .notes = first->notes,
                                   .source_kinds = first->source_kinds,
                                   .source_kind_count = first->source_kind_count};
    whole->catalogue.trace = &whole->trace;
    const ocelotl_status status = take_turns(&of);
    oc_map_free(&of.known);
    oc_text_free(&of.key);
    return status;
}

void oc_union_free(oc_union *whole)
{
    for (uint32_t p = 0; p < whole->count; p++) {
        oc_catalogue_free(&whole->parts[p].catalogue);
        ocelotl_trace_free(whole->parts[p].trace);
    }
    oc_arena_free(&whole->arena);
    *whole = (oc_union){0};
}

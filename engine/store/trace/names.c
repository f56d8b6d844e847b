#include "store/trace/names.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Messages show the last steps of a path, as far as users type them: a hostile trace nests types by
 * the thousand. */
enum { MOST_STEPS = 16, LONGEST_PATH = 256 };

/* Writes "Program/Thread:"; *place is where "Thread" begins. */
static void add_path(oc_text *text, uint32_t *place, const ocelotl_trace *trace,
                     uint32_t resource_type)
{
    uint32_t steps[MOST_STEPS];
    size_t count = 0;
    size_t length = 0;
    for (uint32_t t = resource_type; t != OCELOTL_ROOT && count < MOST_STEPS;
         t = trace->resource_types[t].parent) {
        length += strlen(trace->resource_types[t].name) + 1;
        if (length > LONGEST_PATH)
            break;
        steps[count++] = t;
    }
    for (; count > 0; count--) {
        *place = (uint32_t)text->length;
        oc_text_format(text, "%s%c", trace->resource_types[steps[count - 1]].name,
                       count > 1 ? '/' : ':');
    }
}

/* Appends the longest spelling, and says where in it the others begin. */
static void write_spelling(oc_text *text, oc_spelling *spelling, const ocelotl_trace *trace,
                           uint32_t event_type, uint32_t value)
{
    const ocelotl_event_type *type = &trace->event_types[event_type];
    spelling->place = 0;
    add_path(text, &spelling->place, trace, type->resource_type);
    spelling->type = (uint32_t)text->length;
    oc_text_add(text, type->name);
    spelling->name = spelling->type;
    if (value != OCELOTL_NONE) {
        oc_text_add(text, ":");
        spelling->name = (uint32_t)text->length;
        oc_text_add(text, trace->values[value].name);
    }
}

ocelotl_status oc_spelling_make(oc_spelling *spelling, const ocelotl_trace *trace,
                                uint32_t event_type, uint32_t value)
{
    oc_text text = {0};
    write_spelling(&text, spelling, trace, event_type, value);
    return oc_text_give(&spelling->full, &text);
}

ocelotl_status oc_copy_spelling(oc_spelling *copy, const oc_spelling *spelling)
{
    *copy = *spelling;
    copy->full = NULL;
    return oc_copy_text(&copy->full, spelling->full);
}

void oc_spelling_free(oc_spelling *spelling)
{
    free(spelling->full);
    *spelling = (oc_spelling){0};
}

bool oc_spelling_is(const oc_spelling *spelling, const char *given)
{
    const char *full = spelling->full;
    return strcmp(full + spelling->name, given) == 0 || strcmp(full + spelling->type, given) == 0 ||
           strcmp(full + spelling->place, given) == 0 || strcmp(full, given) == 0;
}

bool oc_spelling_matches(const oc_spelling *spelling, const char *pattern)
{
    const char *full = spelling->full;
    if (oc_pattern_matches(pattern, full + spelling->name))
        return true;
    return strchr(pattern, ':') != NULL && (oc_pattern_matches(pattern, full + spelling->type) ||
                                            oc_pattern_matches(pattern, full + spelling->place) ||
                                            oc_pattern_matches(pattern, full));
}

bool oc_type_matches(const ocelotl_trace *trace, uint32_t event_type, const char *pattern)
{
    return oc_spelling_matches(&trace->spellings[event_type], pattern);
}

ocelotl_status oc_value_matches(bool *matches, const ocelotl_trace *trace, uint32_t value,
                                const char *pattern)
{
    oc_spelling spelling = {0};
    *matches = oc_pattern_matches(pattern, trace->values[value].name);
    if (*matches || strchr(pattern, ':') == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_spelling_make(&spelling, trace, trace->values[value].event_type, value));
    *matches = oc_spelling_matches(&spelling, pattern);
    oc_spelling_free(&spelling);
    return OCELOTL_OK;
}

bool oc_type_is(const ocelotl_trace *trace, uint32_t event_type, const char *name)
{
    return oc_spelling_is(&trace->spellings[event_type], name);
}

const char *oc_type_spelling(const ocelotl_trace *trace, uint32_t event_type)
{
    return trace->spellings[event_type].full + trace->spelled_from[event_type];
}

/* --- Of all event types of a trace */

/* Lengthens the spellings that clash, among those of this length so far; the category is part of
 * the key. */
static ocelotl_status lengthen(ocelotl_trace *trace, bool *clashes, bool whole)
{
    oc_map map = {0};
    oc_text key = {0};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t e = 0; e < trace->event_type_count && status == OCELOTL_OK; e++) {
        clashes[e] = false;
        if (trace->event_types[e].count == 0)
            continue;
        oc_text_clear(&key);
        oc_text_format(&key, "%d%s", (int)trace->event_types[e].category,
                       oc_type_spelling(trace, e));
        const uint32_t found = key.failed ? e : oc_map_get(&map, key.bytes, key.length);
        if (found == OC_MAP_NONE)
            status = oc_map_set(&map, key.bytes, key.length, e);
        else
            clashes[e] = clashes[found] = true;
    }
    if (key.failed)
        status = oc_fail_memory();
    oc_map_free(&map);
    oc_text_free(&key);
    for (uint32_t e = 0; e < trace->event_type_count && status == OCELOTL_OK; e++)
        if (clashes[e])
            trace->spelled_from[e] = whole ? 0 : trace->spellings[e].place;
    return status;
}

ocelotl_status oc_trace_spell(ocelotl_trace *trace, oc_arena *scratch)
{
    oc_arena *arena = &trace->arena;
    const size_t count = trace->event_type_count;
    bool *clashes = NULL;
    OC_TRY(oc_arena_allocate(&trace->spellings, arena, count, sizeof *trace->spellings));
    OC_TRY(oc_arena_allocate(&trace->spelled_from, arena, count, sizeof *trace->spelled_from));
    OC_TRY(oc_arena_allocate(&clashes, scratch, count, sizeof *clashes));
    for (uint32_t e = 0; e < count; e++) {
        oc_spelling *spelling = &trace->spellings[e];
        oc_text text = {0};
        write_spelling(&text, spelling, trace, e, OCELOTL_NONE);
        arena->failed = arena->failed || text.failed;
        ocelotl_status status = oc_arena_allocate(&spelling->full, arena, text.length + 1, 1);
        if (status == OCELOTL_OK)
            memcpy(spelling->full, text.bytes, text.length);
        oc_text_free(&text);
        OC_TRY(status);
        trace->spelled_from[e] = spelling->name;
    }
    OC_TRY(lengthen(trace, clashes, false));
    return lengthen(trace, clashes, true);
}

const char *ocelotl_trace_event_type_spelling(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->event_type_count ? oc_type_spelling(trace, index) : "";
}

/* --- Gathered, those of one name together */

/* One name, with the sums of all that are called so. */
typedef struct named {
    const char *name;
    int32_t colour;
    uint32_t types;
    uint32_t rank;
    double innermost, inclusive, count;
} named;

struct ocelotl_type_names {
    oc_arena arena; /* that it lives in, with its names */
    named *names;
    size_t count, capacity;
    oc_map numbers; /* of the names, while they are added */
};

ocelotl_status oc_type_names_begin(ocelotl_type_names **names)
{
    return oc_arena_make(names, sizeof **names);
}

static ocelotl_status find(named **found, ocelotl_type_names *names, const char *name)
{
    const size_t length = strlen(name);
    const uint32_t number = oc_map_get(&names->numbers, name, length);
    if (number != OC_MAP_NONE) {
        *found = &names->names[number];
        return OCELOTL_OK;
    }
    if (names->count == OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_LIMIT, "more than 2^32 - 1 names of types");
    OC_TRY(oc_arena_grow(&names->names, &names->capacity, &names->arena, names->count + 1,
                         sizeof *names->names));
    OC_TRY(oc_map_set(&names->numbers, name, length, (uint32_t)names->count));
    *found = &names->names[names->count++];
    **found = (named){.name = oc_arena_copy_bytes(&names->arena, name, length), .colour = -1};
    return oc_arena_status(&names->arena);
}

ocelotl_status oc_type_names_add(ocelotl_type_names *names, const oc_named_type *type)
{
    named *same = NULL;
    char *name = NULL;
    OC_TRY(oc_copy_utf8(&name, type->name));
    const ocelotl_status status = find(&same, names, name);
    free(name);
    OC_TRY(status);
    if (same->colour < 0)
        same->colour = type->colour;
    same->types++;
    same->innermost += type->innermost;
    same->inclusive += type->inclusive;
    same->count += type->count;
    return OCELOTL_OK;
}

ocelotl_status oc_type_names_append(ocelotl_type_names *names, const ocelotl_type_name *name)
{
    const size_t before = names->count;
    named *same = NULL;
    OC_TRY(find(&same, names, name->name));
    if (names->count > before) {
        same->colour = name->colour;
        same->types = name->types;
    }
    return OCELOTL_OK;
}

static int falling(double a, double b)
{
    return a > b ? -1 : a < b;
}

static int compare_names(const named *a, const named *b)
{
    const int by_count = falling(a->count, b->count);
    return by_count != 0 ? by_count : strcmp(a->name, b->name);
}

static int compare_innermost(const void *left, const void *right)
{
    const named *a = left;
    const named *b = right;
    const int by_time = falling(a->innermost, b->innermost);
    return by_time != 0 ? by_time : compare_names(a, b);
}

static int compare_inclusive(const void *left, const void *right)
{
    const named *a = left;
    const named *b = right;
    const int by_time = falling(a->inclusive, b->inclusive);
    return by_time != 0 ? by_time : compare_names(a, b);
}

/* Ranks differ, but for those of two names that are first in one order each. */
static int compare_ranks(const void *left, const void *right)
{
    const named *a = left;
    const named *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return compare_innermost(a, b);
}

/* Ends the list. Some nested states are long as the innermost, others with their contents: the
 * first n of either order are among the first 2 n. */
ocelotl_status oc_type_names_end(ocelotl_type_names *names)
{
    oc_map_free(&names->numbers);
    if (names->count == 0)
        return OCELOTL_OK;
    qsort(names->names, names->count, sizeof *names->names, compare_innermost);
    for (size_t i = 0; i < names->count; i++)
        names->names[i].rank = (uint32_t)i;
    qsort(names->names, names->count, sizeof *names->names, compare_inclusive);
    for (size_t i = 0; i < names->count; i++)
        if (i < names->names[i].rank)
            names->names[i].rank = (uint32_t)i;
    qsort(names->names, names->count, sizeof *names->names, compare_ranks);
    return OCELOTL_OK;
}

static ocelotl_status gather(ocelotl_type_names *names, const ocelotl_trace *trace)
{
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const ocelotl_value *value = &trace->values[v];
        OC_TRY(oc_type_names_add(
            names, &(oc_named_type){value->name, value->colour, (double)value->innermost_ticks,
                                    (double)value->inclusive_ticks, (double)value->count}));
    }
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        const ocelotl_event_type *type = &trace->event_types[e];
        const bool shown =
            type->category != OCELOTL_STATE; /* states as a whole are in no picture */
        /* Where names clash models and pictures have the longer one. */
        OC_TRY(oc_type_names_add(names, &(oc_named_type){oc_type_spelling(trace, e), type->colour,
                                                         0, 0, shown ? (double)type->count : 0}));
    }
    return oc_type_names_end(names);
}

ocelotl_status ocelotl_trace_type_names(ocelotl_type_names **names, const ocelotl_trace *trace)
{
    ocelotl_type_names *made = NULL;
    OC_TRY(oc_type_names_begin(&made));
    const ocelotl_status status = gather(made, trace);
    if (status == OCELOTL_OK)
        *names = made;
    else
        ocelotl_type_names_free(made);
    return status;
}

void ocelotl_type_names_free(ocelotl_type_names *names)
{
    if (names == NULL)
        return;
    oc_map_free(&names->numbers);
    oc_arena_free(&names->arena);
}

uint32_t ocelotl_type_names_count(const ocelotl_type_names *names)
{
    return names != NULL ? (uint32_t)names->count : 0;
}

ocelotl_type_name ocelotl_type_names_at(const ocelotl_type_names *names, uint32_t index)
{
    if (index >= ocelotl_type_names_count(names))
        return (ocelotl_type_name){.name = "", .colour = -1};
    const named *found = &names->names[index];
    return (ocelotl_type_name){found->name, found->colour, found->types};
}

#include "store/trace/type_names.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* One name, with the sums of all that are called so. */
typedef struct named {
    char *name;
    int32_t colour;
    uint32_t types;
    uint32_t rank;
    double innermost, inclusive, count;
} named;

struct ocelotl_type_names {
    named *names;
    size_t count, capacity;
    oc_map numbers; /* of the names, while they are added */
};

ocelotl_status oc_type_names_begin(ocelotl_type_names **names)
{
    return oc_allocate(names, 1, sizeof **names);
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
    OC_TRY(oc_grow(&names->names, &names->capacity, names->count + 1, sizeof *names->names));
    OC_TRY(oc_map_set(&names->numbers, name, length, (uint32_t)names->count));
    named *added = &names->names[names->count];
    *added = (named){.colour = -1};
    OC_TRY(oc_copy_text(&added->name, name));
    names->count++;
    *found = added;
    return OCELOTL_OK;
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

/* Of nested states some are long as the innermost, others with what is in them: the first n of
 * either order are among the first 2 n. */
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
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++) {
        const ocelotl_value value = ocelotl_trace_value(trace, v);
        OC_TRY(oc_type_names_add(
            names, &(oc_named_type){value.name, value.colour, (double)value.innermost_ticks,
                                    (double)value.inclusive_ticks, (double)value.count}));
    }
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++) {
        const ocelotl_event_type type = ocelotl_trace_event_type(trace, e);
        const bool shown = type.category != OCELOTL_STATE; /* states as a whole are in no picture */
        /* Where names clash models and pictures have the longer one. */
        const char *name = ocelotl_trace_event_type_spelling(trace, e);
        OC_TRY(oc_type_names_add(
            names, &(oc_named_type){name, type.colour, 0, 0, shown ? (double)type.count : 0}));
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
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i].name);
    free(names->names);
    oc_map_free(&names->numbers);
    free(names);
}

uint32_t ocelotl_type_names_count(const ocelotl_type_names *names)
{
    return names != NULL ? (uint32_t)names->count : 0;
}

ocelotl_type_name ocelotl_type_names_get(const ocelotl_type_names *names, uint32_t index)
{
    if (index >= ocelotl_type_names_count(names))
        return (ocelotl_type_name){.name = "", .colour = -1};
    const named *found = &names->names[index];
    return (ocelotl_type_name){found->name, found->colour, found->types};
}

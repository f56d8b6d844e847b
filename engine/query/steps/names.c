/* Names of states that differ in numbers alone. */
#include "query/steps.h"

#include <stdlib.h>
#include <string.h>

/* docs/first.md gives the reason of each. */
enum {
    NUMBERED_LEAST = 3, /* names that differ in a number: two may be two things */
    SLOW_MOST = 4       /* one in so many is slow: more are no outliers */
};
static const double slow = 1.5; /* so many times the median of the stem */

/* Returns a name with a # for each number, NULL for one without. */
static const char *make_stem(oc_arena *arena, const char *name)
{
    static const char digits[] = "0123456789";
    char *stem;
    if (strpbrk(name, digits) == NULL || strpbrk(name, "=\n") != NULL ||
        oc_arena_allocate(&stem, arena, strlen(name) + 1, 1) != OCELOTL_OK)
        return NULL;
    for (char *end = stem; *name != '\0';) {
        const size_t number = strspn(name, digits);
        if (number == 0 || end == stem || end[-1] != '#')
            *end++ = number > 0 ? '#' : *name;
        name += number > 0 ? number : 1;
    }
    return stem;
}

static ocelotl_status add_value(oc_state_names *names, const ocelotl_value *value, uint32_t *place)
{
    const size_t length = strlen(value->name);
    *place = oc_map_get(&names->places, value->name, length);
    names->nests = names->nests || value->inclusive_ticks > value->innermost_ticks;
    if (*place == OC_MAP_NONE) {
        *place = (uint32_t)names->count++;
        names->all[*place].name = value->name;
        OC_TRY(oc_map_set(&names->places, value->name, length, *place));
    }
    names->all[*place].count += value->count;
    names->all[*place].ticks += (double)value->inclusive_ticks;
    return OCELOTL_OK;
}

static double mean_of(const oc_state_name *one)
{
    return one->ticks / (double)one->count;
}

/* By stem, then by mean. */
static int compare(const void *left, const void *right)
{
    const oc_state_name *a = *(oc_state_name *const *)left;
    const oc_state_name *b = *(oc_state_name *const *)right;
    const int stems = strcmp(a->stem, b->stem);
    return stems != 0 ? stems : (mean_of(a) > mean_of(b)) - (mean_of(a) < mean_of(b));
}

/* Looks at the names of one stem. */
static void end_stem(oc_state_name **of, size_t count)
{
    const double median = (mean_of(of[(count - 1) / 2]) + mean_of(of[count / 2])) / 2;
    double ticks = 0;
    size_t quick = count;
    while (quick > 0 && mean_of(of[quick - 1]) >= slow * median)
        quick--;
    for (size_t i = 0; i < count; i++)
        ticks += of[i]->ticks;
    for (size_t i = 0; i < count; i++) {
        of[i]->stem = count < NUMBERED_LEAST ? NULL : of[0]->stem;
        of[i]->stem_ticks = ticks;
        of[i]->slow = i >= quick && (count - quick) * SLOW_MOST <= count;
    }
}

/* A number that tells occurrences apart comes once in each resource; where it comes again and
 * again, it tells things apart. */
ocelotl_status oc_state_names_list(oc_state_names *names, const ocelotl_trace *trace)
{
    const uint32_t values = ocelotl_trace_value_count(trace);
    oc_state_name **order;
    size_t count = 0;
    OC_TRY(oc_arena_allocate(&names->all, &names->arena, values, sizeof *names->all));
    OC_TRY(oc_arena_allocate(&names->of_values, &names->arena, values, sizeof *names->of_values));
    OC_TRY(oc_arena_allocate(&order, &names->arena, values, sizeof(oc_state_name *)));
    names->numbered = order; /* those of few names are left out */
    for (uint32_t v = 0; v < values; v++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, v);
        names->of_values[v] = OCELOTL_NONE;
        if (value.count > 0 &&
            ocelotl_trace_event_type_at(trace, value.event_type).category == OCELOTL_STATE)
            OC_TRY(add_value(names, &value, &names->of_values[v]));
    }
    for (size_t i = 0; i < names->count; i++) {
        oc_state_name *one = &names->all[i];
        if (one->count <= ocelotl_trace_resource_count(trace))
            one->stem = make_stem(&names->arena, one->name);
        if (one->stem != NULL)
            order[count++] = one;
    }
    qsort(order, count, sizeof *order, compare);
    for (size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && strcmp(order[end]->stem, order[first]->stem) == 0)
            end++;
        end_stem(order + first, end - first);
        for (size_t i = first; i < end && order[i]->stem != NULL; i++)
            names->numbered[names->numbered_count++] = order[i];
    }
    return oc_arena_status(&names->arena);
}

void oc_state_names_free(oc_state_names *names)
{
    oc_map_free(&names->places);
    oc_arena_free(&names->arena);
}

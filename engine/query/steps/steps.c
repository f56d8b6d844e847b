/* Finds the steps of a program: numbers that follow each other in time. */
#include "query/steps.h"
#include "query/events.h"

#include <stdlib.h>
#include <string.h>

/* docs/first.md gives the reason of each. */
enum { EVENTS_READ = 2 * 1000000 /* of the types of the steps; of more, none are found */ };
static const double covered = 0.5; /* of the time that is drawn */
static const double overlap = 0.1; /* of what they cover */

/* A number, from its first begin to its last end. */
typedef struct extent {
    int64_t begin, end;
    const oc_state_name *is; /* NULL: nothing was read of it */
} extent;

typedef struct finding {
    oc_state_names names;
    ocelotl_trace *trace;
    const ocelotl_model_options *options;
    double drawn;    /* ticks */
    extent *extents; /* by name */
} finding;

static double between(int64_t from, int64_t to)
{
    return to > from ? (double)((uint64_t)to - (uint64_t)from) : 0;
}

/* How much of a span is drawn. */
static double count_drawn(const ocelotl_model_options *of, int64_t from, int64_t to)
{
    double sum = of->piece_count > 0 ? 0 : between(from, to);
    for (size_t i = 0; i < of->piece_count; i++)
        sum += between(from > of->pieces[i].from ? from : of->pieces[i].from,
                       to < of->pieces[i].to ? to : of->pieces[i].to);
    return sum;
}

/* Where the name of a value is that may be a step: those of its stem last for long enough. */
static uint32_t find_place(const finding *with, uint32_t value)
{
    const uint32_t place = value != OCELOTL_NONE ? with->names.of_values[value] : OCELOTL_NONE;
    const oc_state_name *name = place != OCELOTL_NONE ? &with->names.all[place] : NULL;
    const bool may =
        name != NULL && name->stem != NULL && name->stem_ticks >= covered * with->drawn;
    return may ? place : OCELOTL_NONE;
}

static ocelotl_status read_events(finding *with, ocelotl_events *events)
{
    ocelotl_event block[256];
    uint32_t count;
    do {
        OC_TRY(ocelotl_events_next_block(&count, block, 256, events));
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t place = find_place(with, block[i].value);
            if (place == OCELOTL_NONE)
                continue;
            extent *of = &with->extents[place];
            const bool first = of->is == NULL;
            of->is = &with->names.all[place];
            of->begin = first || block[i].begin < of->begin ? block[i].begin : of->begin;
            of->end = first || block[i].end > of->end ? block[i].end : of->end;
        }
    } while (count > 0);
    return OCELOTL_OK;
}

/* Reads the types of events that have what may be steps. */
static ocelotl_status read_types(finding *with)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events = NULL;
    const char **types;
    const uint32_t values = ocelotl_trace_value_count(with->trace);
    uint32_t last = OCELOTL_NONE;
    uint64_t size = 0;
    OC_TRY(oc_arena_allocate(&types, &with->names.arena, values, sizeof *types));
    for (uint32_t v = 0; v < values; v++) {
        const uint32_t type = ocelotl_trace_value_at(with->trace, v).event_type;
        if (type == last || find_place(with, v) == OCELOTL_NONE)
            continue;
        types[options.selection.only.count++] =
            ocelotl_trace_event_type_spelling(with->trace, type);
        size += ocelotl_trace_event_type_at(with->trace, type).count;
        last = type;
    }
    if (size == 0 || size > EVENTS_READ)
        return OCELOTL_OK;
    options.without_attributes = true;
    options.selection.only.names = types;
    options.work = with->options->work;
    OC_TRY(ocelotl_events_open(&events, with->trace, &options));
    const ocelotl_status status = read_events(with, events);
    ocelotl_events_free(events);
    return status;
}

/* By stem, then by time. */
static int compare(const void *left, const void *right)
{
    const extent *a = left;
    const extent *b = right;
    const int stems = strcmp(a->is->stem, b->is->stem);
    return stems != 0 ? stems : (a->begin > b->begin) - (a->begin < b->begin);
}

/* How much of what is drawn the numbers of a stem cover; 0 where that is little, or they overlap.
 */
static double measure(const finding *with, const extent *first, const extent *end)
{
    double lasting = 0;
    double spanned = 0;
    double sum = 0;
    for (int64_t reach = first->begin; first < end; first++) {
        const int64_t from = first->begin > reach ? first->begin : reach;
        lasting += between(first->begin, first->end);
        spanned += between(from, first->end);
        sum += count_drawn(with->options, from, first->end);
        reach = first->end > reach ? first->end : reach;
    }
    return lasting - spanned <= overlap * spanned && sum >= covered * with->drawn ? sum : 0;
}

/* Writes those of the stem that covers most. */
static void choose(oc_text *lines, finding *with)
{
    extent *end = with->extents;
    double most = 0;
    for (size_t i = 0; i < with->names.count; i++)
        if (with->extents[i].is != NULL)
            *end++ = with->extents[i];
    qsort(with->extents, (size_t)(end - with->extents), sizeof *end, compare);
    for (const extent *first = with->extents, *next = first; first < end; first = next) {
        while (next < end && strcmp(next->is->stem, first->is->stem) == 0)
            next++;
        const double sum = measure(with, first, next);
        if (sum <= most)
            continue;
        most = sum;
        oc_text_clear(lines);
        oc_text_add(lines, first->is->stem);
        for (const extent *at = first; at < next; at++)
            oc_text_format(lines, "\n%.17g %.17g %s", ocelotl_trace_seconds(with->trace, at->begin),
                           ocelotl_trace_seconds(with->trace, at->end), at->is->name);
    }
}

ocelotl_status oc_steps_find(oc_text *lines, ocelotl_trace *trace,
                             const ocelotl_model_options *options)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    finding with = {.trace = trace, .options = options};
    oc_arena *arena = &with.names.arena;
    with.drawn = count_drawn(options, info.begin, info.end);
    ocelotl_status status = oc_state_names_list(&with.names, trace);
    if (status == OCELOTL_OK)
        status = oc_arena_allocate(&with.extents, arena, with.names.count, sizeof *with.extents);
    if (status == OCELOTL_OK)
        status = read_types(&with);
    if (status == OCELOTL_OK)
        choose(lines, &with);
    oc_state_names_free(&with.names);
    return status;
}

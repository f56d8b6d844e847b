/* Names of states that differ in numbers alone, and steps: those that follow each other in time. */
#include "query/steps.h"
#include "query/events.h"

#include <stdlib.h>
#include <string.h>

/* docs/first.md gives the reason of each. */
enum {
    NUMBERED_LEAST = 3,       /* names that differ in a number: two may be two things, */
    STEPS_LEAST = 2,          /* unless the producer says that they are steps */
    SLOW_MOST = 4,            /* one in so many is slow: more are no outliers */
    EVENTS_READ = 2 * 1000000 /* of the types of steps; of more, none are found */
};
static const double slow = 1.5;    /* so many times the median of the stem */
static const double covered = 0.5; /* by steps, of the time that is drawn */
static const double overlap = 0.1; /* of steps, of what they cover */

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
            *end++ = *name;
        if (number > 0)
            end[-1] = '#';
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
        names->all[*place] =
            (oc_state_name){.name = value->name, .begin = INT64_MAX, .end = INT64_MIN};
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
static int compare_means(const void *left, const void *right)
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
    const bool said = strcmp(of[0]->stem, "ProfilerStep#") == 0; /* PyTorch */
    double ticks = 0;
    size_t quick = count;
    while (quick > 0 && mean_of(of[quick - 1]) >= slow * median)
        quick--;
    for (size_t i = 0; i < count; i++)
        ticks += of[i]->ticks;
    for (size_t i = 0; i < count; i++) {
        of[i]->stem = count < (said ? STEPS_LEAST : NUMBERED_LEAST) ? NULL : of[0]->stem;
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
    qsort(order, count, sizeof(oc_state_name *), compare_means);
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

/* --- Steps */

typedef struct finding {
    oc_state_names names;
    ocelotl_trace *trace;
    const ocelotl_model_options *options;
    double drawn; /* ticks */
} finding;

static double between(int64_t from, int64_t to)
{
    return to > from ? (double)((uint64_t)to - (uint64_t)from) : 0;
}

/* The name of a value that may be a step: those of its stem last for long enough; NULL: none. */
static oc_state_name *find_name(const finding *with, uint32_t value)
{
    const uint32_t place = value != OCELOTL_NONE ? with->names.of_values[value] : OCELOTL_NONE;
    oc_state_name *name = place != OCELOTL_NONE ? &with->names.all[place] : NULL;
    const bool may =
        name != NULL && name->stem != NULL && name->stem_ticks >= covered * with->drawn;
    return may ? name : NULL;
}

static ocelotl_status read_events(const finding *with, ocelotl_events *events)
{
    enum { BLOCK = 256 };
    ocelotl_event block[BLOCK];
    uint32_t count;
    do {
        OC_TRY(ocelotl_events_next_block(&count, block, BLOCK, events));
        for (uint32_t i = 0; i < count; i++) {
            oc_state_name *name = find_name(with, block[i].value);
            if (name == NULL)
                continue;
            name->begin = block[i].begin < name->begin ? block[i].begin : name->begin;
            name->end = block[i].end > name->end ? block[i].end : name->end;
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
    OC_TRY(oc_arena_allocate(&types, &with->names.arena, values, sizeof(const char *)));
    for (uint32_t v = 0; v < values; v++) {
        const uint32_t type = ocelotl_trace_value_at(with->trace, v).event_type;
        if (type == last || find_name(with, v) == NULL)
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

static int compare_begins(const void *left, const void *right)
{
    const oc_state_name *a = *(oc_state_name *const *)left;
    const oc_state_name *b = *(oc_state_name *const *)right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* How long names last in turn; 0 where that is little, or they overlap. */
static double measure(const finding *with, oc_state_name *const *of, size_t count)
{
    double lasting = 0;
    double spanned = 0;
    int64_t reach = of[0]->begin;
    for (size_t i = 0; i < count; i++) {
        const int64_t from = of[i]->begin > reach ? of[i]->begin : reach;
        lasting += between(of[i]->begin, of[i]->end);
        spanned += between(from, of[i]->end);
        reach = of[i]->end > reach ? of[i]->end : reach;
    }
    return lasting - spanned <= overlap * spanned && spanned >= covered * with->drawn ? spanned : 0;
}

/* Writes those of the stem that covers most, of those that were read. */
static void choose(oc_text *lines, const finding *with)
{
    const size_t all = with->names.numbered_count;
    double most = 0;
    for (size_t first = 0, end = 0; first < all; first = end) {
        oc_state_name **of = with->names.numbered + first;
        while (end < all && with->names.numbered[end]->stem == of[0]->stem)
            end++;
        qsort(of, end - first, sizeof(oc_state_name *), compare_begins);
        const double sum = of[0]->begin <= of[0]->end ? measure(with, of, end - first) : 0;
        if (sum <= most)
            continue;
        most = sum;
        oc_text_clear(lines);
        oc_text_add(lines, of[0]->stem);
        for (size_t i = 0; i < end - first; i++)
            oc_text_format(lines, "\n%.17g %.17g %s",
                           ocelotl_trace_seconds(with->trace, of[i]->begin),
                           ocelotl_trace_seconds(with->trace, of[i]->end), of[i]->name);
    }
}

ocelotl_status oc_steps_find(oc_text *lines, ocelotl_trace *trace,
                             const ocelotl_model_options *options)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    finding with = {.trace = trace, .options = options};
    with.drawn = options->piece_count > 0 ? 0 : between(info.begin, info.end);
    for (size_t i = 0; i < options->piece_count; i++)
        with.drawn += between(options->pieces[i].from, options->pieces[i].to);
    ocelotl_status status = oc_state_names_list(&with.names, trace);
    if (status == OCELOTL_OK)
        status = read_types(&with);
    if (status == OCELOTL_OK)
        choose(lines, &with);
    oc_state_names_free(&with.names);
    return status;
}

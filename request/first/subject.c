/* The subject: what a picture is of, where nobody said it. That is states by default; but some
 * cover hardly anything beside events that are everywhere, some never change, and several types of
 * states may be of different resources. What could be shown is compared by how many cells of a
 * coarse model of the whole trace it has something to say of (docs/first.md). */
#include "request/first/first.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/weighed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICES = 64, /* of the models that are compared: they tell a burst from the whole */
    TYPES = 64,  /* of events that are compared, those with most */
    STATES = 8,  /* types of states that are compared, those with most time */
    BURSTS = 8,  /* one of so many slices with anything is looked at alone, so many times */
    NAMED = 3    /* other variables that are named */
};

/* States that cover this share of the time of their resources are what a picture is of. */
static const double clear = 0.1;
/* A cell that states cover by less is hardly seen: it counts by as much less. What moves by less of
 * its range stands still. */
static const double visible = 0.01;
/* A variable whose range is less than that of its largest value has one shade: its cells count by
 * as much less. */
static const double shaded = 0.1;
/* Where all leaves are in one and the same state for this share of the time, it tells nothing. */
static const double still = 0.9;
/* Types of states with at most this share of their resources in common are shown together. */
static const double in_common = 0.1;
/* What an event counts, and a state that comes no more often. */
#define ONCE 0.5
/* A type with a value of this share of its time is drawn in one colour. It gives way to one that
 * has none, and is of nearly as many cells. */
static const double uniform = 0.85;
static const double nearly = 0.9;
/* Others have to say so many times more than states of most time. */
static const double better = 2;

/* What could be shown in place of states, and what a cell of it is worth: how long or how much says
 * more than how often. */
static const struct {
    const char *metric;
    ocelotl_category category;
    double worth;
    const char *words;
} others[] = {{"variable-mean", OCELOTL_VARIABLE, 1, "mean of the variable"},
              {"counter", OCELOTL_VARIABLE, ONCE, "growth of the counter"},
              {"link-count-in-flight", OCELOTL_LINK, 1, "links under way, by sender"},
              {"event-count", OCELOTL_EVENT, ONCE, "events that begin in a slice"},
              {"link-count", OCELOTL_LINK, ONCE, "links that begin in a slice, by sender"}};

/* What a picture can be of. */
typedef struct subject {
    const char *metric; /* NULL: as without the rule */
    uint32_t types[STATES];
    uint32_t count; /* of the event types that it is of; 0: of all */
    bool shift;
    double score;
} subject;

typedef struct search {
    const oc_choosing *choosing;
    ocelotl_trace *trace;
    subject best;
    ocelotl_model *models[STATES]; /* of types of states */
    double begun;                  /* cells in which anything begins */
    int64_t from, to;              /* the window that is looked at */
    bool any[SLICES];              /* the slice has something */
    unsigned char *taken;          /* by resource: OWN, ABOVE of those whose states are shown */
} search;

enum { OWN = 1, ABOVE = 2 };

/* --- Coarse models */

static uint32_t slices_of(const search *with)
{
    const uint64_t ticks = (uint64_t)with->to - (uint64_t)with->from;
    return ticks < SLICES ? (uint32_t)ticks : SLICES;
}

/* Makes the model of some event types: NULL where the trace has nothing of the metric. */
static ocelotl_status build(ocelotl_model **model, const search *with, const char *metric,
                            const uint32_t *types, uint32_t count, bool shift)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    const char *names[TYPES];
    for (uint32_t i = 0; i < count; i++)
        names[i] = ocelotl_trace_event_type_spelling(with->trace, types[i]);
    options.work = with->choosing->options->work;
    options.slices = slices_of(with);
    options.selection.from = with->from;
    options.selection.to = with->to;
    options.hierarchy.bare = true;
    options.cells.metric = metric;
    options.cells.untraced = OCELOTL_UNTRACED_IGNORE;
    options.cells.shift = options.cells.scale = shift;
    if (strcmp(metric, "state-duration") == 0)
        options.state_types = (ocelotl_names){names, count};
    else
        options.selection.only = (ocelotl_names){names, count};
    const ocelotl_status status = ocelotl_model_from_trace(model, with->trace, &options);
    return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_CANCELLED ? status
                                                                               : OCELOTL_OK;
}

/* The cells of a leaf in which states are. *state is the one that is in nearly all, OCELOTL_NONE
 * for a leaf that changes. Slices with any are marked. */
static double score_states(uint32_t *state, bool *any, const double *sums,
                           const ocelotl_model_info *info)
{
    double covered = 0;
    uint32_t seen = 0;
    uint32_t flips = 0;
    for (uint32_t slice = 0; slice < info->slice_count; slice++) {
        double share = 0;
        for (uint32_t x = 0; x < info->type_count; x++)
            share += sums[(size_t)slice * info->type_count + x];
        covered += fmin(1, share / visible);
        any[slice] = any[slice] || share > 0;
    }
    for (uint32_t x = 0; x < info->type_count; x++) {
        bool here = false;
        const uint32_t before = flips;
        for (uint32_t slice = 0; slice < info->slice_count; slice++) {
            const bool there = sums[(size_t)slice * info->type_count + x] > visible;
            flips += there != here;
            here = there;
        }
        seen += flips > before;
        *state = flips > before ? x : *state;
    }
    if (seen > 1 || flips > 2 || covered < still * info->slice_count)
        *state = OCELOTL_NONE;
    return covered;
}

/* Adds to the scores of the types what they tell of a leaf: a variable where it moves, and a count
 * where it is not 0, of all types. Slices with any are marked. */
static void score_others(double *scores, bool *any, const double *sums,
                         const ocelotl_model_info *info, bool moves)
{
    for (uint32_t slice = moves; slice < info->slice_count; slice++) {
        const double *cells = sums + (size_t)slice * info->type_count;
        bool here = false;
        for (uint32_t x = 0; x < info->type_count; x++) {
            here = here || cells[x] > 0;
            if (moves)
                scores[x] += fabs(cells[x] - (cells - info->type_count)[x]) > visible;
        }
        any[slice] = any[slice] || here;
        if (!moves)
            scores[0] += here;
    }
}

static ocelotl_status score(double *scores, search *with, const ocelotl_model *model,
                            const char *metric)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const bool moves = strcmp(metric, "variable-mean") == 0;
    const bool states = strcmp(metric, "state-duration") == 0;
    bool tells = false; /* not all leaves are in one and the same state */
    uint32_t state = OCELOTL_NONE;
    uint32_t before = OCELOTL_NONE;
    double *sums = NULL;
    ocelotl_status status =
        oc_allocate(&sums, (size_t)info.slice_count * info.type_count, sizeof *sums);
    for (uint32_t k = 0; k < info.node_count && status == OCELOTL_OK; k++) {
        if (!oc_is_leaf_of(model, k))
            continue;
        status = ocelotl_model_sums(sums, model, k, 0, info.slice_count - 1);
        if (status == OCELOTL_OK && states) {
            const double covered = score_states(&state, with->any, sums, &info);
            tells = tells ||
                    (covered > 0 && (state == OCELOTL_NONE || (scores[0] > 0 && state != before)));
            before = covered > 0 ? state : before;
            scores[0] += covered;
        } else if (status == OCELOTL_OK) {
            score_others(scores, with->any, sums, &info, moves);
        }
    }
    if (states && !tells)
        scores[0] = 0;
    free(sums);
    return status;
}

/* --- Types */

static double time_in(const ocelotl_trace *trace, uint32_t event_type)
{
    double time = 0;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(trace, event_type); i++) {
        const uint32_t value = ocelotl_trace_event_type_value_at(trace, event_type, i);
        time += (double)ocelotl_trace_value_at(trace, value).innermost_ticks;
    }
    return time;
}

/* The value with most time. */
static ocelotl_value largest_in(const ocelotl_trace *trace, uint32_t event_type)
{
    ocelotl_value largest = {.count = 0};
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(trace, event_type); i++) {
        const uint32_t value = ocelotl_trace_event_type_value_at(trace, event_type, i);
        const ocelotl_value one = ocelotl_trace_value_at(trace, value);
        largest = one.innermost_ticks > largest.innermost_ticks ? one : largest;
    }
    return largest;
}

static bool is_uniform(const ocelotl_trace *trace, uint32_t event_type)
{
    return (double)largest_in(trace, event_type).innermost_ticks >
           uniform * time_in(trace, event_type);
}

/* Lists the event types of a category: of states those with most time, that first; of others those
 * with most events, in the order of the trace. What is counted are states, too. */
static ocelotl_status list_types(uint32_t types[TYPES], uint32_t *count, const ocelotl_trace *trace,
                                 ocelotl_category category, ocelotl_variable_kind kind)
{
    const bool states = category == OCELOTL_STATE;
    oc_weighed *all = NULL;
    *count = 0;
    OC_TRY(oc_allocate(&all, ocelotl_trace_event_type_count(trace), sizeof *all));
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, e);
        const double weight = states ? time_in(trace, e) : (double)type.count;
        if (weight > 0 && type.kind == kind &&
            (type.category == category ||
             (category == OCELOTL_EVENT && type.category == OCELOTL_STATE)))
            all[(*count)++] = (oc_weighed){weight, e};
    }
    oc_sort_weighed(all, *count);
    *count = *count < TYPES ? *count : TYPES;
    for (uint32_t i = 0; i < *count; i++)
        types[i] = (uint32_t)all[i].place;
    if (!states && *count > 1)
        qsort(types, *count, sizeof *types, oc_compare_indices);
    free(all);
    return OCELOTL_OK;
}

/* --- States */

/* How many leaves of a model are, or are above or below, what is shown. Takes them where asked. */
static double share_taken(const search *with, const ocelotl_model *model, bool take)
{
    uint32_t leaves = 0;
    uint32_t taken = 0;
    for (uint32_t k = 0; k < ocelotl_model_info_of(model).node_count; k++) {
        uint32_t resource = ocelotl_model_node_at(model, k).source;
        if (!oc_is_leaf_of(model, k) || resource == OCELOTL_NONE)
            continue;
        leaves++;
        bool met = with->taken[resource] != 0;
        with->taken[resource] |= take ? OWN : 0;
        while ((resource = ocelotl_trace_resource_at(with->trace, resource).parent) !=
               OCELOTL_ROOT) {
            met = met || (with->taken[resource] & OWN) != 0;
            with->taken[resource] |= take ? ABOVE : 0;
        }
        taken += met;
    }
    return leaves > 0 ? (double)taken / leaves : 1;
}

/* Narrows the window to its longest burst, where hardly any slice has anything. */
static bool narrow(search *with)
{
    const uint32_t slices = slices_of(with);
    if (slices == 0)
        return false;
    const int64_t length = (int64_t)(((uint64_t)with->to - (uint64_t)with->from) / slices);
    uint32_t all = 0;
    uint32_t run = 0;
    uint32_t longest = 0;
    uint32_t end = 0;
    for (uint32_t slice = 0; slice < slices; slice++) {
        all += with->any[slice];
        run = with->any[slice] ? run + 1 : 0;
        end = run > longest ? slice + 1 : end;
        longest = run > longest ? run : longest;
    }
    if (all == 0 || all * BURSTS >= slices || length < SLICES)
        return false;
    with->from += length * (int64_t)(end - longest);
    with->to = with->from + length * (int64_t)longest;
    return true;
}

/* What cells of a type of states count at most. A state that is all of its type, and that no
 * resource has again, says no more than when it began, as an event does. */
static double most_of(const ocelotl_trace *trace, uint32_t event_type)
{
    const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, event_type);
    const uint32_t resources = ocelotl_trace_resource_type_at(trace, type.resource_type).resources;
    const uint64_t largest = largest_in(trace, event_type).count;
    return type.count > resources || type.count > largest ? INFINITY : ONCE * (double)type.count;
}

/* Makes the models of types of states, and marks the slices with anything. */
static ocelotl_status look_at_states(double *scores, search *with, const uint32_t *types,
                                     uint32_t count)
{
    ocelotl_model *all = NULL;
    memset(with->any, 0, sizeof with->any);
    with->begun = 0;
    OC_TRY(build(&all, with, "event-count", NULL, 0, false));
    const ocelotl_status status =
        all != NULL ? score(&with->begun, with, all, "event-count") : OCELOTL_OK;
    ocelotl_model_free(all);
    OC_TRY(status);
    for (uint32_t i = 0; i < count; i++) {
        ocelotl_model_free(with->models[i]);
        with->models[i] = NULL;
        scores[i] = 0;
        OC_TRY(build(&with->models[i], with, "state-duration", &types[i], 1, false));
        if (with->models[i] != NULL)
            OC_TRY(score(&scores[i], with, with->models[i], "state-duration"));
        scores[i] = fmin(scores[i], most_of(with->trace, types[i]));
    }
    return OCELOTL_OK;
}

/* The states with most time, unless others say more of it; and those of other resources. */
static ocelotl_status find_states(search *with)
{
    uint32_t types[TYPES];
    double scores[STATES];
    subject *best = &with->best;
    uint32_t first = 0;
    uint32_t count;
    OC_TRY(list_types(types, &count, with->trace, OCELOTL_STATE, OCELOTL_LEVEL));
    count = count < STATES ? count : STATES;
    OC_TRY(look_at_states(scores, with, types, count));
    for (uint32_t i = 0; i < BURSTS && narrow(with); i++)
        OC_TRY(look_at_states(scores, with, types, count));
    for (uint32_t i = 1; i < count; i++)
        if (scores[i] > better * scores[first] ||
            (scores[first] > 0 && scores[i] > nearly * scores[first] &&
             is_uniform(with->trace, types[first]) && !is_uniform(with->trace, types[i])))
            first = i;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = n == 0 ? first : n - (n <= first);
        if (with->models[i] == NULL || (n > 0 && scores[i] <= 0) ||
            share_taken(with, with->models[i], false) > in_common)
            continue;
        (void)share_taken(with, with->models[i], true);
        best->metric = "state-duration";
        best->types[best->count++] = types[i];
        best->score += scores[i];
    }
    return OCELOTL_OK;
}

/* --- Others */

/* Shades begin at zero: what moves by little of its value is not seen. */
static ocelotl_status weigh_ranges(double *scores, const search *with, const uint32_t *types,
                                   uint32_t count)
{
    ocelotl_statistics *statistics = NULL;
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    options.extremes = OCELOTL_EXTREMES_TYPES;
    OC_TRY(ocelotl_statistics_compute(&statistics, with->trace, &options));
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
        const double most = fmax(fabs(row.low), fabs(row.high));
        for (uint32_t x = 0; x < count; x++)
            if (row.whole && row.event_type == types[x] && most > 0 && row.low >= 0)
                scores[x] *= pow(fmin(1, (row.high - row.low) / (shaded * most)), 2);
    }
    ocelotl_statistics_free(statistics);
    return OCELOTL_OK;
}

/* Takes what has more to say than what was found. */
static ocelotl_status try_other(search *with, size_t which)
{
    const bool variables = others[which].category == OCELOTL_VARIABLE;
    subject other = {.metric = others[which].metric};
    uint32_t types[TYPES];
    double scores[TYPES] = {0};
    ocelotl_model *model = NULL;
    uint32_t count;
    const bool grows = strcmp(other.metric, "counter") == 0;
    OC_TRY(list_types(types, &count, with->trace, others[which].category,
                      grows ? OCELOTL_COUNTER : OCELOTL_LEVEL));
    /* A variable moves into and out of a slice in which it changes. Of links under way none needs
     * to begin in a slice. */
    if (others[which].category != OCELOTL_LINK &&
        others[which].worth * 2 * with->begun <= with->best.score)
        return OCELOTL_OK;
    /* That states begin which never change tells nothing. */
    bool own = with->best.score > 0;
    for (uint32_t i = 0; i < count; i++)
        own = own || ocelotl_trace_event_type_at(with->trace, types[i]).category != OCELOTL_STATE;
    if (own && count > 0)
        OC_TRY(build(&model, with, other.metric, types, count, variables));
    if (model == NULL)
        return OCELOTL_OK;
    ocelotl_status status = score(scores, with, model, other.metric);
    ocelotl_model_free(model);
    if (status == OCELOTL_OK && variables && !grows && count > 1)
        status = weigh_ranges(scores, with, types, count);
    OC_TRY(status);
    uint32_t best = 0;
    for (uint32_t x = 1; x < count; x++)
        best = scores[x] > scores[best] ? x : best;
    other.score = others[which].worth * scores[best];
    other.types[0] = types[best];
    other.count = variables;
    if (other.score > with->best.score)
        with->best = other;
    return OCELOTL_OK;
}

/* A variable with negative values is counted from its least. */
static ocelotl_status find_shift(search *with)
{
    ocelotl_model *model = NULL;
    OC_TRY(build(&model, with, with->best.metric, with->best.types, 1, false));
    with->best.shift = model == NULL;
    ocelotl_model_free(model);
    return OCELOTL_OK;
}

/* --- The choice */

/* Whether the states of the trace's one type are of most resources, change, and take their time. */
static bool is_clear(const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    uint32_t types = 0;
    ocelotl_event_type states = {0};
    double time = 0;
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, e);
        if (type.category != OCELOTL_STATE || type.count == 0)
            continue;
        types++;
        states = type;
        time = time_in(trace, e);
    }
    const uint32_t resources =
        ocelotl_trace_resource_type_at(trace, states.resource_type).resources;
    for (uint32_t t = 0; t < ocelotl_trace_resource_type_count(trace); t++)
        if (ocelotl_trace_resource_type_at(trace, t).resources / 2 > resources)
            return false;
    return types == 1 && resources > 0 && states.count / 2 >= resources &&
           time >= clear * resources * ((double)info.end - (double)info.begin);
}

/* Whether the model is of that without being told. */
static ocelotl_status is_default(bool *same, const search *with)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model = NULL;
    const subject *best = &with->best;
    options.slices = 1;
    options.hierarchy.bare = true;
    OC_TRY(ocelotl_model_from_trace(&model, with->trace, &options));
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const char *name = ocelotl_trace_event_type_spelling(with->trace, best->types[0]);
    *same = strcmp(info.metric, best->metric) == 0 &&
            (best->count == 0 ||
             (best->count == 1 && (info.state_type[0] != '\0' ? strcmp(info.state_type, name) == 0
                                                              : info.type_count == 1)));
    ocelotl_model_free(model);
    return OCELOTL_OK;
}

static ocelotl_status search_subject(search *with)
{
    bool same = false;
    OC_TRY(oc_allocate(&with->taken, ocelotl_trace_resource_count(with->trace), 1));
    OC_TRY(find_states(with));
    with->best.score *= better;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        OC_TRY(try_other(with, i));
    if (with->best.metric == NULL)
        return OCELOTL_OK;
    OC_TRY(is_default(&same, with));
    if (same)
        with->best.metric = NULL;
    else if (strcmp(with->best.metric, "variable-mean") == 0)
        OC_TRY(find_shift(with));
    return OCELOTL_OK;
}

/* Writes the choice: the metric, whether it is shifted, event types; nothing for the default. */
static ocelotl_status find(oc_text *text, const oc_choosing *choosing,
                           ocelotl_model_options *coarse)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(choosing->session->trace);
    search with = {.choosing = choosing,
                   .trace = choosing->session->trace,
                   .from = info.begin,
                   .to = info.end};
    (void)coarse;
    const ocelotl_status status = is_clear(with.trace) ? OCELOTL_OK : search_subject(&with);
    const bool chosen = status == OCELOTL_OK && with.best.metric != NULL;
    if (chosen)
        oc_text_format(text, "%s %d", with.best.metric, with.best.shift);
    for (uint32_t i = 0; chosen && i < with.best.count; i++)
        oc_text_format(text, " %u", with.best.types[i]);
    for (size_t i = 0; i < STATES; i++)
        ocelotl_model_free(with.models[i]);
    free(with.taken);
    return status;
}

/* Names the variables that are not shown. */
static void name_others(oc_text *what, const ocelotl_trace *trace, const char *shown)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, e);
        const char *name = ocelotl_trace_event_type_spelling(trace, e);
        if (type.category == OCELOTL_VARIABLE && type.count > 0 && strcmp(name, shown) != 0 &&
            ++count <= NAMED)
            oc_text_format(what, "%s%s", count == 1 ? "; others: " : ", ", name);
    }
    if (count > NAMED)
        oc_text_format(what, " and %u more", count - NAMED);
}

static void apply(oc_text *what, const oc_choosing *choosing, const char *choice)
{
    ocelotl_session *session = choosing->session;
    ocelotl_model_options *options = choosing->options;
    const size_t length = strcspn(choice, " ");
    char *rest = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < ocelotl_metric_count(); i++) {
        const char *metric = ocelotl_metric_at(i).name;
        if (strlen(metric) == length && strncmp(metric, choice, length) == 0)
            options->cells.metric = metric;
    }
    if (options->cells.metric == NULL)
        return;
    options->cells.shift = strtoul(choice + length, &rest, 10) != 0;
    while (*rest != '\0' && count < STATES)
        session->subjects[count++] =
            ocelotl_trace_event_type_spelling(session->trace, (uint32_t)strtoul(rest, &rest, 10));
    const ocelotl_names names = {session->subjects, count};
    if (strcmp(options->cells.metric, "state-duration") == 0) {
        options->state_types = names;
        for (uint32_t i = 0; i < count; i++)
            oc_text_format(what, "%s%s", i == 0 ? "states of " : " and ", names.names[i]);
        return;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i].metric, options->cells.metric) == 0)
            oc_text_add(what, others[i].words);
    if (count > 0) {
        options->selection.only = names;
        oc_text_format(what, " %s%s, which changes most", names.names[0],
                       options->cells.shift ? ", from its least value on" : "");
        name_others(what, session->trace, names.names[0]);
    } else {
        oc_text_add(what, ", which tell most");
    }
}

/* Whether the request says what it is of. */
static bool is_given(const ocelotl_request *request)
{
    static const char *const names[] = {
        "metric",        "state-type", "only",        "except",    "min-duration", "max-duration",
        "where",         "attribute",  "shift",       "scale",     "counter-step", "nesting",
        "nesting-depth", "untraced",   "group-types", "type-level"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (ocelotl_request_get(request, names[i]) != NULL)
            return true;
    return request->view.type != NULL;
}

ocelotl_status oc_choose_subject(oc_text *what, const oc_choosing *choosing)
{
    const char *choice = NULL;
    oc_text key = {0};
    if (is_given(choosing->request))
        return OCELOTL_OK;
    oc_text_add(&key, "subject");
    OC_TRY(oc_find_choice(&choice, &choosing->session->subject, &key, choosing, NULL, find));
    apply(what, choosing, choice);
    return OCELOTL_OK;
}

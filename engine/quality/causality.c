/* From what links say to pairs of clocks, and what is certain of their order. */
#include "quality/links.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"
#include "quality/clocks/line.h"

#include <stdlib.h>
#include <string.h>

/* --- Order */

static int compare_violations(const void *left, const void *right)
{
    const ocelotl_violation *a = left;
    const ocelotl_violation *b = right;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static int compare_pairs(const void *left, const void *right)
{
    const oc_clock_sums *a = left;
    const oc_clock_sums *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->least != b->least)
        return a->least < b->least ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static int compare_unmatched(const void *left, const void *right)
{
    const oc_unmatched *a = left;
    const oc_unmatched *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->event_type != b->event_type)
        return a->event_type < b->event_type ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin ? -1 : 1;
    return strcmp(a->tag, b->tag);
}

static void put_in_order(ocelotl_causality *c)
{
    ocelotl_causality_info *info = &c->info;
    size_t kept = 0;
    if (c->pair_count > 1)
        qsort(c->pairs, c->pair_count, sizeof *c->pairs, compare_pairs);
    for (size_t i = 0; i < c->pair_count; i++) { /* several streams may have found the same pair */
        const bool same = kept > 0 && c->pairs[kept - 1].source == c->pairs[i].source &&
                          c->pairs[kept - 1].target == c->pairs[i].target;
        if (same)
            oc_clock_sums_add(&c->pairs[kept - 1], &c->pairs[i]);
        else
            c->pairs[kept++] = c->pairs[i];
    }
    c->pair_count = kept;
    if (c->violation_count > 1)
        qsort(c->violations, c->violation_count, sizeof *c->violations, compare_violations);
    if (c->unmatched_count > 1)
        qsort(c->unmatched, c->unmatched_count, sizeof *c->unmatched, compare_unmatched);
    info->violations = c->violation_count;
    info->pairs = (uint32_t)c->pair_count;
    info->unmatched = (uint32_t)c->unmatched_count;
    info->transit = -1;
    for (size_t i = 0; i < c->pair_count; i++) {
        const oc_clock_sums *pair = &c->pairs[i];
        if (pair->links == 0)
            continue;
        info->worst = info->links == 0 || pair->least < info->worst ? pair->least : info->worst;
        if (pair->transit >= 0 && (info->transit < 0 || pair->transit < info->transit))
            info->transit = pair->transit;
        info->links += pair->links;
    }
}

/* --- Computing */

static uint32_t find_attribute(const oc_catalogue *catalogue, uint32_t event_type, const char *name)
{
    const oc_attribute_names *attributes = &catalogue->attributes[event_type];
    for (size_t i = 0; i < attributes->count; i++)
        if (oc_same_letters(attributes->names[i], name))
            return (uint32_t)i;
    return OCELOTL_NONE;
}

static ocelotl_status select_links(ocelotl_causality *c, const ocelotl_causality_options *options)
{
    const ocelotl_trace *trace = c->trace;
    ocelotl_selection given = options->selection;
    if (options->latency < 0 || options->clock_error < 0 || !(options->latency_fixed >= 0) ||
        !(options->latency_per_byte >= 0))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the latency or the error of clocks is negative, expected ticks");
    if (!(options->max_drift < 1))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the drift is %g, expected less than 1",
                       options->max_drift);
    OC_TRY(oc_check_names(&options->collectives, "collectives"));
    OC_TRY(oc_check_work(&options->work));
    oc_complete_selection(&given);
    OC_TRY(oc_window_make(&c->window, trace, given.from, given.to));
    OC_TRY(oc_catalogue_read(&c->catalogue, c->trace));
    OC_TRY(oc_choose_resources(&c->resources, &c->catalogue, &given));
    OC_TRY(oc_select_messages(&c->event_types, trace, options->type));
    OC_TRY(oc_filter_make(&c->filter, &c->event_types, &c->catalogue, &given));
    c->info.from = c->window.from;
    c->info.to = c->window.to;
    c->info.filters = c->filter.words != NULL ? c->filter.words : "";
    c->info.latency = options->latency;
    c->info.latency_fixed = options->latency_fixed;
    c->info.latency_per_byte = options->latency_per_byte;
    c->info.clock_error = options->clock_error;
    c->info.max_drift = oc_most_drift(options->max_drift);
    bool found; /* the bytes of links are no condition: an error if none has a name asked for */
    OC_TRY(oc_catalogue_find_bytes(&c->bytes, &found, &c->catalogue, NULL, options->attribute,
                                   options->attribute != NULL));
    const uint32_t count = c->trace->event_type_count;
    OC_TRY(oc_allocate(&c->tags, count, sizeof *c->tags));
    OC_TRY(oc_allocate(&c->keys, count, sizeof *c->keys));
    OC_TRY(oc_allocate(&c->communicators, count, sizeof *c->communicators));
    for (uint32_t e = 0; e < count; e++) {
        c->tags[e] = find_attribute(&c->catalogue, e, "tag");
        c->keys[e] =
            c->tags[e] == OCELOTL_NONE ? find_attribute(&c->catalogue, e, "Key") : OCELOTL_NONE;
        c->communicators[e] = find_attribute(&c->catalogue, e, "communicator");
    }
    return OCELOTL_OK;
}

static ocelotl_status find_clocks(ocelotl_causality *c, const char *at)
{
    bool *ends = NULL;
    OC_TRY(oc_find_link_ends(&ends, c->trace, c->event_types));
    const ocelotl_status status =
        oc_groups_find(&c->clocks, &(oc_group_request){c->trace, ends, c->resources, at});
    free(ends);
    OC_TRY(status);
    for (uint32_t g = 0; g < c->clocks.count; g++)
        if (c->clocks.resources[g] != OCELOTL_NONE)
            OC_TRY(oc_path_keep(&c->paths, &c->catalogue.paths, c->clocks.resources[g]));
    c->info.clocks = c->clocks.count;
    c->info.clock_type = c->clocks.type;
    return OCELOTL_OK;
}

static ocelotl_status compute(ocelotl_causality *c, const ocelotl_causality_options *options)
{
    OC_TRY(select_links(c, options));
    OC_TRY(find_clocks(c, options->at));
    OC_TRY(
        oc_clock_errors_find(&c->errors, &(oc_error_request){&c->catalogue, &c->clocks, options}));
    c->info.error_source = c->errors.source;
    OC_TRY(oc_causality_read(c, &options->work));
    OC_TRY(oc_causality_judge_collectives(c, options));
    put_in_order(c);
    const oc_transit_line line = oc_transit_find(&c->transit);
    c->info.transit_fixed = line.fixed;
    c->info.transit_per_byte = line.per_byte;
    c->info.transit_links = c->transit.links;
    for (size_t i = 0; i < c->unmatched_count; i++)
        OC_TRY(oc_path_keep(&c->paths, &c->catalogue.paths, c->unmatched[i].resource));
    return OCELOTL_OK;
}

ocelotl_status ocelotl_causality_compute(ocelotl_causality **causality, ocelotl_trace *trace,
                                         const ocelotl_causality_options *options)
{
    ocelotl_causality *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    const ocelotl_status status = compute(made, options);
    if (status == OCELOTL_OK)
        *causality = made;
    else
        ocelotl_causality_free(made);
    return status;
}

void ocelotl_causality_free(ocelotl_causality *causality)
{
    if (causality == NULL)
        return;
    for (size_t i = 0; i < causality->unmatched_count; i++)
        free(causality->unmatched[i].tag);
    oc_filter_free(&causality->filter);
    oc_kept_paths_free(&causality->paths);
    if (causality->catalogue.trace != NULL)
        oc_catalogue_free(&causality->catalogue);
    oc_groups_free(&causality->clocks);
    oc_map_free(&causality->unmatched_places);
    oc_collectives_free(&causality->collectives);
    oc_clock_errors_free(&causality->errors);
    free(causality->resources);
    free(causality->event_types);
    free(causality->tags);
    free(causality->keys);
    free(causality->communicators);
    free(causality->bytes);
    oc_transit_free(&causality->transit);
    free(causality->violations);
    free(causality->pairs);
    free(causality->unmatched);
    free(causality);
}

/* --- What is in it */

ocelotl_causality_info ocelotl_causality_info_of(const ocelotl_causality *causality)
{
    return causality->info;
}

ocelotl_violation ocelotl_causality_violation_at(const ocelotl_causality *causality, uint64_t index)
{
    return index < causality->violation_count ? causality->violations[index]
                                              : (ocelotl_violation){.event_type = OCELOTL_NONE};
}

static const char *path_of(const ocelotl_causality *c, uint32_t group)
{
    if (group >= c->clocks.count)
        return "(outside)";
    const uint32_t resource = c->clocks.resources[group];
    return resource != OCELOTL_NONE ? c->paths.of[resource] : oc_whole_group;
}

/* The sums of links from one clock to another; NULL without any. */
static const oc_clock_sums *find_pair(const ocelotl_causality *c, uint32_t source, uint32_t target)
{
    size_t low = 0;
    size_t high = c->pair_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const oc_clock_sums *pair = &c->pairs[middle];
        if (pair->source < source || (pair->source == source && pair->target < target))
            low = middle + 1;
        else
            high = middle;
    }
    const bool found =
        low < c->pair_count && c->pairs[low].source == source && c->pairs[low].target == target;
    return found ? &c->pairs[low] : NULL;
}

ocelotl_clock_pair ocelotl_causality_pair_at(const ocelotl_causality *causality, uint32_t index)
{
    if (index >= causality->pair_count)
        return (ocelotl_clock_pair){.source = "", .target = "", .transit = -1};
    const oc_clock_sums *pair = &causality->pairs[index];
    const oc_clock_sums *back = find_pair(causality, pair->target, pair->source);
    const bool one = oc_causality_is_one_clock(causality, pair->source, pair->target);
    ocelotl_clock_pair made = {.source = path_of(causality, pair->source),
                               .target = path_of(causality, pair->target),
                               .links = pair->links,
                               .least = pair->least,
                               .begin = pair->begin,
                               .from = pair->from,
                               .to = pair->to,
                               .transit = pair->transit,
                               .ahead_most = one ? 0 : pair->most_ahead,
                               .order = OCELOTL_CAUSES_UNPROVEN,
                               .clock_error = pair->clock_error};
    /* links of one clock are in its order, whatever others say */
    const double fastest = (double)pair->transit * (1 - causality->info.max_drift);
    if (pair->most_ahead < 0 || (back != NULL && back->most_ahead < 0))
        made.order = OCELOTL_CAUSES_CONTRADICTED;
    else if (one || (pair->clock_error >= 0 && (double)pair->clock_error < fastest))
        made.order = OCELOTL_CAUSES_GUARANTEED;
    if (one)
        made.ahead_least = 0;
    else if (back == NULL || back->most_ahead == INT64_MAX)
        made.ahead_least = INT64_MIN;
    else /* the least time of all has no opposite */
        made.ahead_least = back->most_ahead > INT64_MIN ? -back->most_ahead : INT64_MAX;
    memcpy(made.counts, pair->counts, sizeof made.counts);
    return made;
}

ocelotl_unmatched_links ocelotl_causality_unmatched_at(const ocelotl_causality *causality,
                                                       uint32_t index)
{
    if (index >= causality->unmatched_count)
        return (ocelotl_unmatched_links){"", OCELOTL_NONE, OCELOTL_NONE, "", false, 0};
    const oc_unmatched *is = &causality->unmatched[index];
    return (ocelotl_unmatched_links){causality->paths.of[is->resource],
                                     is->resource,
                                     is->event_type,
                                     is->tag,
                                     is->begin,
                                     is->count};
}

const char *ocelotl_violation_kind_name(ocelotl_violation_kind kind)
{
    static const char *const names[OCELOTL_VIOLATION_KINDS] = {
        "tachyon", "self", "too fast", "uncertain", "overtaking", "collective"};
    return (int)kind >= 0 && (int)kind < OCELOTL_VIOLATION_KINDS ? names[kind] : "";
}

const char *ocelotl_causality_path(const ocelotl_causality *causality, uint32_t resource)
{
    return oc_path_of(&causality->catalogue.paths, resource);
}

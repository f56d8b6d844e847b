/* Which clocks a trace has, what its messages say of them, and the trace in their time. */
#include "quality/clocks/amortise.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t most_pieces = 1024;

/* --- The clocks */

/* Those with one end alone are counted in the result. */
static uint64_t count_links(ocelotl_clocks *c)
{
    uint64_t links = 0;
    c->info.unmatched = 0;
    for (uint32_t e = 0; e < c->trace->event_type_count; e++) {
        const ocelotl_event_type *type = &c->trace->event_types[e];
        if (type->category != OCELOTL_LINK || !oc_is_selected(c->event_types, e))
            continue;
        links += type->count;
        c->info.unmatched += type->unmatched;
    }
    return links;
}

/* Links that are there but say nothing have one end, or both at one clock. */
static ocelotl_status fail_without_evidence(ocelotl_clocks *c)
{
    const uint64_t links = count_links(c);
    bool wakes = false;
    for (uint32_t e = 0; e < c->trace->event_type_count; e++)
        wakes = wakes || (oc_is_of_wakings(c->trace, e) && c->trace->event_types[e].count > 0);
    if (links == 0)
        return oc_fail(OCELOTL_ERROR_EMPTY,
                       "%s: there are no links between resources%s, so nothing says how its "
                       "clocks differ; expected messages, collective operations (--collective) or "
                       "samples (--samples)",
                       c->trace->label, wakes ? " but wakings, which are of one clock" : "");
    if (c->info.unmatched < links)
        return oc_fail(OCELOTL_ERROR_EMPTY,
                       "%s: none of its %" PRIu64 " links leads from one clock to another, so "
                       "nothing says how clocks differ; expected clocks of smaller resources "
                       "(--at), collective operations (--collective) or samples (--samples)",
                       c->trace->label, links);
    return oc_fail(OCELOTL_ERROR_EMPTY,
                   "%s: all its %" PRIu64 " links have one end alone, so nothing says how its "
                   "clocks differ; expected begins and ends with the same keys",
                   c->trace->label, links);
}

/* The type that all resources have where links begin or end. */
static ocelotl_status find_type(const char **at, ocelotl_clocks *c, const bool *ends)
{
    const ocelotl_trace *trace = c->trace;
    uint32_t type = OCELOTL_NONE;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        if (!ends[r] || trace->resources[r].type == type)
            continue;
        if (type != OCELOTL_NONE)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: links end in a %s and in a %s, expected the type of what has a "
                           "clock (--at)",
                           trace->label, trace->resource_types[type].name,
                           trace->resource_types[trace->resources[r].type].name);
        type = trace->resources[r].type;
    }
    if (type == OCELOTL_NONE)
        return fail_without_evidence(c);
    *at = trace->resource_types[type].name;
    return OCELOTL_OK;
}

static ocelotl_status find_groups(ocelotl_clocks *c, const char *at)
{
    bool *ends = NULL;
    OC_TRY(oc_find_link_ends(&ends, c->trace, c->event_types));
    for (size_t i = 0; i < c->collectives.participant_count; i++)
        ends[c->collectives.participants[i].resource] = true;
    ocelotl_status status = OCELOTL_OK;
    if (at == NULL)
        status = find_type(&at, c, ends);
    for (uint32_t r = 0; r < c->trace->resource_count; r++)
        ends[r] = true;
    if (status == OCELOTL_OK)
        status = oc_groups_find(&c->groups, &(oc_group_request){c->trace, ends, NULL, at});
    free(ends);
    OC_TRY(status);
    for (uint32_t g = 0; g < c->groups.count; g++)
        if (c->groups.resources[g] != OCELOTL_NONE)
            OC_TRY(oc_path_keep(&c->paths, &c->catalogue.paths, c->groups.resources[g]));
    c->info.clocks = c->groups.count;
    c->info.clock_type = c->groups.type;
    return OCELOTL_OK;
}

ocelotl_status oc_clocks_fail_unknown(const ocelotl_clocks *clocks, const char *path, size_t length)
{
    const uint32_t count = clocks->groups.count;
    const char **paths = NULL;
    oc_text asked = {0};
    oc_text_append(&asked, path, length);
    ocelotl_status status = asked.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        status = oc_allocate(&paths, count, sizeof *paths);
    for (uint32_t g = 0; g < count && status == OCELOTL_OK; g++)
        paths[g] = oc_clocks_path(clocks, g);
    const size_t nearest = status == OCELOTL_OK ? oc_nearest(asked.bytes, paths, count) : count;
    if (status == OCELOTL_OK)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "\"%s\" has no clock, expected one of %u, the nearest is \"%s\"",
                         asked.bytes, count, nearest < count ? paths[nearest] : "");
    oc_text_free(&asked);
    free(paths);
    return status;
}

/* --- Their times */

static ocelotl_status make_functions(ocelotl_clocks *c)
{
    const oc_network *network = &c->network;
    OC_TRY(oc_allocate(&c->pieces, network->count, sizeof *c->pieces));
    OC_TRY(oc_allocate(&c->functions, network->count, sizeof *c->functions));
    OC_TRY(oc_allocate(&c->own_pieces, network->count, sizeof(ocelotl_time_piece *)));
    double *ahead = NULL;
    OC_TRY(oc_allocate(&ahead, network->set_count, sizeof *ahead));
    oc_network_part_sets(network, ahead);
    for (uint32_t i = 0; i < network->count; i++) {
        oc_clock clock = network->clocks[i];
        c->info.parted = fmax(c->info.parted, ahead[clock.set]);
        if (ahead[clock.set] > 0)
            oc_clock_move(&clock, ahead[clock.set], 0);
        c->functions[i] = (ocelotl_time_function){&c->pieces[i], 1};
        c->pieces[i] = (ocelotl_time_piece){.from = clock.middle,
                                            .offset = -clock.offset,
                                            .fraction = -clock.rest,
                                            .drift = -clock.drift};
    }
    free(ahead);
    return OCELOTL_OK;
}

/* The limit of drifts that would do for all pairs, tried with a wide one. */
static void find_enough_drift(ocelotl_clocks *c)
{
    static const double wide = 1e-2;
    const oc_network *network = &c->network;
    double most = 0;
    for (size_t p = 0; p < network->pairing_count; p++) {
        oc_pairing tried = network->pairings[p];
        if (!(tried.width < 0))
            continue;
        oc_line_find(&tried, wide);
        if (tried.width < 0)
            return;
        most = fmax(most, fmax(tried.least_slope, -tried.most_slope));
    }
    if (most > c->info.max_drift) { /* with a little room, of two digits */
        const double digit = pow(10, floor(log10(most)) - 1);
        c->info.enough_drift = ceil(1.1 * most / digit) * digit;
    }
}

static void take_info(ocelotl_clocks *c)
{
    const oc_network *network = &c->network;
    c->info.groups = network->set_count;
    c->info.pairs = (uint32_t)network->pairing_count;
    c->info.one_way = network->one_way;
    c->info.bent = network->bent;
    c->info.bent_first = c->info.bent_second = OCELOTL_NONE;
    for (size_t p = 0; p < network->pairing_count; p++) { /* the pair that is contradicted most */
        const oc_pairing *pairing = &network->pairings[p];
        if (!(pairing->width < -c->info.bent_by))
            continue;
        c->info.bent_by = -pairing->width;
        c->info.bent_first = pairing->a;
        c->info.bent_second = pairing->b;
        c->info.bent_samples = pairing->samples;
    }
    find_enough_drift(c);
    (void)count_links(c);
    c->info.least_delay = network->least_delay;
    for (uint32_t i = 0; i < network->count; i++)
        c->info.bound = fmax(c->info.bound, network->clocks[i].bound);
    c->info.eps = network->set_count > 1 ? INFINITY : 2 * c->info.bound;
    c->info.is_ordered = c->info.still == 0 && c->info.transit >= 0 &&
                         c->info.eps < c->info.transit * (1 - c->info.max_drift);
}

static ocelotl_status check(const ocelotl_clocks_options *options)
{
    if (!(options->max_drift < 0.5))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the drift is %g, expected less than 0.5",
                       options->max_drift);
    if ((unsigned)options->drift > OCELOTL_DRIFT_PIECES)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "drift %d is unknown, expected 0 to 2",
                       (int)options->drift);
    if (options->pieces > 0 && options->drift != OCELOTL_DRIFT_PIECES)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%u pieces are asked for, expected them with a drift in pieces",
                       options->pieces);
    if (options->pieces > most_pieces)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the number of pieces is %u, expected at most %u",
                       options->pieces, most_pieces);
    if (options->latency < 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the latency is negative, expected ticks");
    if (options->latency > 0 && !options->amortise)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a latency is given, expected it with amortisation");
    OC_TRY(oc_check_names(&options->samples, "samples"));
    OC_TRY(oc_check_names(&options->collectives, "collectives"));
    return oc_check_work(&options->work);
}

static void extend_run(oc_clock *clock, int64_t begin, int64_t end)
{
    clock->begin = begin < clock->begin ? begin : clock->begin;
    clock->end = end > clock->end ? end : clock->end;
}

static ocelotl_status note_ends(void *context, const oc_message *message)
{
    const ocelotl_clocks *c = context;
    extend_run(&c->network.clocks[message->source], message->sent, message->sent);
    extend_run(&c->network.clocks[message->target], message->received, message->received);
    return OCELOTL_OK;
}

/* When each clock dates something, first and last. Streams of links have times of the other clock,
 * too: of messages that say something the network knows when they were sent and came. */
static ocelotl_status find_runs(ocelotl_clocks *c)
{
    for (uint32_t i = 0; i < c->trace->stream_count; i++) {
        const oc_stream *stream = &c->trace->streams[i];
        if (stream->count == 0 || stream->resource >= c->trace->resource_count ||
            (oc_is_of_links(stream) && oc_is_selected(c->event_types, stream->event_type)))
            continue;
        const uint32_t group = c->groups.group_of[stream->resource];
        if (group < c->groups.count)
            extend_run(&c->network.clocks[group], stream->begin, stream->end);
    }
    if ((c->info.evidence & OCELOTL_EVIDENCE_MESSAGES) != 0)
        return OCELOTL_OK;
    return oc_clocks_read(c, OCELOTL_EVIDENCE_MESSAGES, note_ends, c);
}

static uint64_t contradictions(const ocelotl_clocks_info *info)
{
    return info->still + info->collective_still;
}

/* Straight clocks that nothing contradicts are straight; pieces are no better if more contradicts
 * them. A number of pieces that was asked for is taken. */
static ocelotl_status bend(ocelotl_clocks *c, uint32_t pieces)
{
    if (c->info.evidence == OCELOTL_EVIDENCE_SAMPLES)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: speeds that change are found from messages or collective "
                       "operations, and samples are the only evidence, expected another drift",
                       c->trace->label);
    const uint64_t straight = contradictions(&c->info);
    const bool contradicted = straight > 0 || c->network.bent > 0;
    c->info.pieces = c->info.joined_pieces = 1;
    if (pieces == 0 && !contradicted)
        return OCELOTL_OK;
    OC_TRY(oc_clocks_bend(c, pieces));
    OC_TRY(oc_clocks_check(c));
    if (pieces > 0 || contradictions(&c->info) <= straight)
        return OCELOTL_OK;
    c->info.pieces = c->info.joined_pieces = 1;
    for (uint32_t i = 0; i < c->network.count; i++) {
        free(c->own_pieces[i]);
        c->own_pieces[i] = NULL;
        c->functions[i] = (ocelotl_time_function){&c->pieces[i], 1};
    }
    OC_TRY(oc_network_bound(&c->network));
    return oc_clocks_check(c);
}

static ocelotl_status solve(ocelotl_clocks *c, const ocelotl_clocks_options *options,
                            uint32_t reference)
{
    c->main = reference;
    OC_TRY(oc_network_join(&c->network, &reference, reference != OCELOTL_NONE));
    if (reference == OCELOTL_NONE) {
        /* That of the set of most clocks. */
        const oc_network *network = &c->network;
        uint32_t *members = NULL;
        OC_TRY(oc_allocate(&members, network->set_count, sizeof *members));
        uint32_t most = 0;
        for (uint32_t i = 0; i < network->count; i++)
            members[network->clocks[i].set]++;
        for (uint32_t s = 0; s < network->set_count; s++)
            most = members[s] > members[most] ? s : most;
        c->main = network->references[most];
        free(members);
    }
    OC_TRY(oc_network_solve(&c->network));
    OC_TRY(oc_network_repair(&c->network));
    OC_TRY(find_runs(c));
    if (options->drift == OCELOTL_DRIFT_NONE)
        oc_network_let_drift(&c->network, c->info.max_drift);
    OC_TRY(oc_network_bound(&c->network));
    OC_TRY(make_functions(c));
    OC_TRY(oc_clocks_check(c));
    if (options->drift == OCELOTL_DRIFT_PIECES)
        OC_TRY(bend(c, options->pieces));
    if (options->amortise) {
        OC_TRY(oc_clocks_amortise(c, options->latency));
        OC_TRY(oc_clocks_check(c));
    }
    take_info(c);
    return OCELOTL_OK;
}

/* Names alone tell no communicators: they are tried where somebody asks for them. */
static ocelotl_status find_collectives(ocelotl_clocks *c, const ocelotl_clocks_options *options)
{
    oc_watch watch = {.work = c->work};
    const bool wanted = (options->evidence & OCELOTL_EVIDENCE_COLLECTIVES) != 0;
    c->info.left_out = "";
    if (options->evidence != 0 && !wanted)
        return OCELOTL_OK;
    OC_TRY(oc_collectives_read(&c->collectives,
                               &(oc_collective_request){.trace = c->trace,
                                                        .catalogue = &c->catalogue,
                                                        .patterns = &options->collectives,
                                                        .by_name = wanted,
                                                        .watch = &watch}));
    c->info.collectives = c->collectives.count;
    if (c->collectives.left_out != NULL)
        c->info.left_out = c->collectives.left_out;
    if (options->evidence == OCELOTL_EVIDENCE_COLLECTIVES && c->collectives.count == 0)
        return oc_fail(OCELOTL_ERROR_EMPTY,
                       "%s: there are no collective operations that tell of "
                       "clocks%s%s",
                       c->trace->label, c->info.left_out[0] != '\0' ? ": " : "", c->info.left_out);
    return OCELOTL_OK;
}

static ocelotl_status check_evidence(const ocelotl_clocks_options *options)
{
    const uint32_t all =
        OCELOTL_EVIDENCE_MESSAGES | OCELOTL_EVIDENCE_SAMPLES | OCELOTL_EVIDENCE_COLLECTIVES;
    const uint32_t asked = options->evidence == 0 ? all : options->evidence;
    if ((asked & ~all) != 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the evidence is %u, expected 0 to %u", asked, all);
    if ((asked & OCELOTL_EVIDENCE_SAMPLES) == 0 && options->samples.count > 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "samples are given, but they are not among the evidence that is asked for");
    if (asked == OCELOTL_EVIDENCE_SAMPLES && options->samples.count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "samples are to be the only evidence, but no table of them is given");
    if ((asked & OCELOTL_EVIDENCE_COLLECTIVES) == 0 && options->collectives.count > 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "collective operations are named, but they are not among the evidence that "
                       "is asked for");
    return OCELOTL_OK;
}

static ocelotl_status compute(ocelotl_clocks *c, const ocelotl_clocks_options *options)
{
    uint32_t reference = OCELOTL_NONE;
    const char *path = options->reference;
    OC_TRY(check(options));
    c->work = options->work;
    c->tick_factor = options->tick_factor;
    c->info.drift = options->drift;
    c->info.asked_pieces = options->pieces;
    c->info.max_drift = oc_most_drift(options->max_drift);
    OC_TRY(oc_catalogue_read(&c->catalogue, c->trace));
    OC_TRY(oc_select_messages(&c->event_types, c->trace, options->type));
    OC_TRY(check_evidence(options));
    OC_TRY(find_collectives(c, options));
    OC_TRY(find_groups(c, options->at));
    for (uint32_t g = 0; g < c->groups.count && path != NULL; g++)
        if (strcmp(oc_clocks_path(c, g), path) == 0)
            reference = g;
    if (path != NULL && reference == OCELOTL_NONE)
        return oc_clocks_fail_unknown(c, path, strlen(path));
    OC_TRY(oc_network_make(&c->network, c->groups.count));
    c->network.most_drift = options->drift == OCELOTL_DRIFT_NONE ? 0 : c->info.max_drift;
    c->info.evidence = options->evidence != 0 ? options->evidence : UINT32_MAX;
    OC_TRY(oc_clocks_gather(c));
    OC_TRY(oc_clocks_sample(c, &options->samples, reference));
    c->info.evidence &= (c->info.messages > 0 ? OCELOTL_EVIDENCE_MESSAGES : 0) |
                        (c->info.samples > 0 ? OCELOTL_EVIDENCE_SAMPLES : 0) |
                        (c->info.collectives > 0 ? OCELOTL_EVIDENCE_COLLECTIVES : 0);
    if (c->network.pairing_count == 0)
        return fail_without_evidence(c);
    return solve(c, options, reference);
}

ocelotl_status ocelotl_clocks_compute(ocelotl_clocks **clocks, ocelotl_trace *trace,
                                      const ocelotl_clocks_options *options)
{
    ocelotl_clocks *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    const ocelotl_status status = compute(made, options);
    if (status == OCELOTL_OK)
        *clocks = made;
    else
        ocelotl_clocks_free(made);
    return status;
}

void ocelotl_clocks_free(ocelotl_clocks *clocks)
{
    if (clocks == NULL)
        return;
    oc_groups_free(&clocks->groups);
    oc_kept_paths_free(&clocks->paths);
    if (clocks->catalogue.trace != NULL)
        oc_catalogue_free(&clocks->catalogue);
    oc_collectives_free(&clocks->collectives);
    free(clocks->event_types);
    for (uint32_t i = 0; clocks->own_pieces != NULL && i < clocks->network.count; i++)
        free(clocks->own_pieces[i]);
    free(clocks->own_pieces);
    free(clocks->pieces);
    free(clocks->functions);
    oc_network_free(&clocks->network);
    free(clocks);
}

/* --- What is in them */

ocelotl_clocks_info ocelotl_clocks_info_of(const ocelotl_clocks *clocks)
{
    return clocks->info;
}

ocelotl_clock ocelotl_clocks_at(const ocelotl_clocks *clocks, uint32_t index)
{
    if (index >= clocks->network.count)
        return (ocelotl_clock){.path = "", .resource = OCELOTL_NONE};
    const oc_clock *clock = &clocks->network.clocks[index];
    const bool is_reference = clocks->network.references[clock->set] == index;
    return (ocelotl_clock){.path = oc_clocks_path(clocks, index),
                           .resource = clocks->groups.resources[index],
                           .group = clock->set,
                           .is_reference = is_reference,
                           .middle = clock->middle,
                           .offset = (double)clock->offset + clock->rest,
                           .drift = clock->drift,
                           .bound = clock->bound,
                           .residual = clock->residual,
                           .messages = clock->messages,
                           .samples = clock->samples};
}

ocelotl_time_function ocelotl_clocks_function(const ocelotl_clocks *clocks, uint32_t index)
{
    return index < clocks->network.count ? clocks->functions[index]
                                         : (ocelotl_time_function){NULL, 0};
}

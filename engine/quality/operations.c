/* Collective operations that somebody leaves before all whom it waits for have entered. */
#include "quality/links.h"

#include "base/memory.h"
#include "base/options.h"

#include <ocelotl/types.h>

typedef struct judging {
    ocelotl_causality *causality;
    const oc_collective *one;
    const oc_participant *waits; /* the one that is looked at, */
    const oc_participant *last;  /* and of all that it waits for the one that came last */
} judging;

/* The groups of clocks are by resource; what is in none has the number behind the last. */
static ocelotl_status add_violation(ocelotl_causality *c, const oc_collective *one,
                                    const oc_participant *last, const oc_participant *waits)
{
    const int64_t amount = (int64_t)((uint64_t)waits->leave - (uint64_t)last->enter);
    OC_TRY(oc_grow(&c->violations, &c->violation_capacity, c->violation_count + 1,
                   sizeof *c->violations));
    c->violations[c->violation_count++] = (ocelotl_violation){OCELOTL_VIOLATION_COLLECTIVE,
                                                              one->event_type,
                                                              last->resource,
                                                              waits->resource,
                                                              last->enter,
                                                              waits->leave,
                                                              amount};
    c->info.counts[OCELOTL_VIOLATION_COLLECTIVE]++;
    OC_TRY(oc_grow(&c->pairs, &c->pair_capacity, c->pair_count + 1, sizeof *c->pairs));
    oc_clock_sums *pair = &c->pairs[c->pair_count++];
    const uint32_t source = c->clocks.group_of[last->resource];
    const uint32_t target = c->clocks.group_of[waits->resource];
    *pair = (oc_clock_sums){.source = source,
                            .target = target,
                            .least = amount,
                            .most_ahead = amount,
                            .begin = last->enter,
                            .transit = -1,
                            .clock_error = oc_causality_error_between(c, source, target),
                            .from = last->resource,
                            .to = waits->resource};
    pair->counts[OCELOTL_VIOLATION_COLLECTIVE] = 1;
    return OCELOTL_OK;
}

static ocelotl_status finish(const judging *j)
{
    const ocelotl_causality *c = j->causality;
    if (j->waits == NULL || j->last->enter <= j->waits->leave ||
        !oc_window_has(&c->window, j->last->enter) ||
        (!oc_is_selected(c->resources, j->last->resource) &&
         !oc_is_selected(c->resources, j->waits->resource)))
        return OCELOTL_OK;
    return add_violation(j->causality, j->one, j->last, j->waits);
}

/* Pairs come one that waits after the other, but for one that waits for all. */
static ocelotl_status look(void *context, const oc_participant *first, const oc_participant *waits)
{
    judging *j = context;
    if (j->waits == waits) {
        j->last = first->enter > j->last->enter ? first : j->last;
        return OCELOTL_OK;
    }
    OC_TRY(finish(j));
    j->waits = waits;
    j->last = first;
    return OCELOTL_OK;
}

static ocelotl_status judge(ocelotl_causality *c, const oc_collective *one)
{
    judging j = {.causality = c, .one = one};
    if (one->kind != OC_ALL_TO_ALL) {
        OC_TRY(oc_collective_pairs(&c->collectives, one, look, &j));
        return finish(&j);
    }
    /* Of many that wait for each other not all pairs are compared: the last one counts for each. */
    const oc_participant *members = &c->collectives.participants[one->first];
    for (size_t i = 0; i < one->count; i++)
        if (members[i].gives && (j.last == NULL || members[i].enter > j.last->enter))
            j.last = &members[i];
    for (size_t i = 0; j.last != NULL && i < one->count; i++) {
        j.waits = &members[i];
        if (j.waits != j.last)
            OC_TRY(finish(&j));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_causality_judge_collectives(ocelotl_causality *c,
                                              const ocelotl_causality_options *options)
{
    oc_watch watch = {.work = options->work};
    c->info.left_out = "";
    /* what a selection says of links says nothing of operations */
    if ((options->type != NULL || c->info.filters[0] != '\0') && options->collectives.count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_collectives_read(&c->collectives,
                               &(oc_collective_request){.trace = c->trace,
                                                        .catalogue = &c->catalogue,
                                                        .patterns = &options->collectives,
                                                        .watch = &watch}));
    c->info.collectives = c->collectives.count;
    if (c->collectives.left_out != NULL)
        c->info.left_out = c->collectives.left_out;
    for (size_t i = 0; i < c->collectives.count; i++)
        OC_TRY(judge(c, &c->collectives.items[i]));
    return OCELOTL_OK;
}

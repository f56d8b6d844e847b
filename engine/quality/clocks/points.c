/* What messages say of two clocks, one by one, beside the lines that were found from them. */
#include "quality/clocks/clocks.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* While points are read. */
typedef struct gathering {
    ocelotl_clock_points *points;
    uint32_t first, second;
} gathering;

static ocelotl_status add(ocelotl_clock_points *p, int64_t at, double ahead, bool above,
                          bool corner)
{
    OC_TRY(oc_grow(&p->list, &p->capacity, p->count + 1, sizeof *p->list));
    p->list[p->count++] = (ocelotl_clock_point){at, ahead, above, corner};
    return OCELOTL_OK;
}

static ocelotl_status take(void *context, const oc_message *message)
{
    const gathering *g = context;
    const bool there = message->source == g->first && message->target == g->second;
    if (!there && (message->source != g->second || message->target != g->first))
        return OCELOTL_OK;
    const int64_t at = there ? message->sent : message->received;
    const int64_t other = there ? message->received : message->sent;
    return add(g->points, at, (double)(int64_t)((uint64_t)other - (uint64_t)at), there, false);
}

/* How far the second clock is ahead at a time x of the first, as all pairs say together. */
static double ahead_together(const oc_network *network, const oc_pairing *pairing, double x)
{
    const oc_clock *a = &network->clocks[pairing->a];
    const oc_clock *b = &network->clocks[pairing->b];
    const double time = x + (double)(pairing->x - a->middle);
    const double less = (double)a->offset + a->rest + a->drift * time;
    const double since = x + (double)(pairing->x - b->middle);
    return ((double)b->offset + b->rest + b->drift * since - less) / (1 - b->drift);
}

static void take_lines(ocelotl_clock_points *points, const ocelotl_clocks *c)
{
    const oc_pairing *pairing = points->pairing;
    const double x[2] = {pairing->first, pairing->last};
    const double from = (double)pairing->z;
    for (int end = 0; end < 2; end++) {
        points->ahead[end] = from + pairing->line.level + pairing->line.slope * x[end];
        points->least[end] = from + oc_line_lowest(pairing, x[end]);
        points->most[end] = from + oc_line_highest(pairing, x[end]);
        points->together[end] =
            c->info.drift == OCELOTL_DRIFT_PIECES || c->info.latency > 0 ||
                    c->network.clocks[pairing->a].set != c->network.clocks[pairing->b].set
                ? NAN
                : ahead_together(&c->network, pairing, x[end]);
    }
    points->from = pairing->x + (int64_t)pairing->first;
    points->to = pairing->x + (int64_t)pairing->last;
    points->drift = pairing->line.slope;
    points->width = pairing->width;
    points->there = pairing->there;
    points->back = pairing->back;
    points->waits = pairing->waits;
    points->samples = pairing->samples;
}

/* The names of two clocks may hold commas. */
static ocelotl_status find_clocks(uint32_t found[2], const ocelotl_clocks *c, const char *pair)
{
    const char *first_comma = strchr(pair, ',');
    for (const char *comma = first_comma; comma != NULL; comma = strchr(comma + 1, ',')) {
        found[0] = found[1] = OCELOTL_NONE;
        for (uint32_t i = 0; i < c->network.count; i++) {
            const char *path = oc_clocks_path(c, i);
            const size_t length = (size_t)(comma - pair);
            if (strlen(path) == length && strncmp(path, pair, length) == 0)
                found[0] = i;
            if (strcmp(path, comma + 1) == 0)
                found[1] = i;
        }
        if (found[0] != OCELOTL_NONE && found[1] != OCELOTL_NONE && found[0] != found[1])
            return OCELOTL_OK;
    }
    if (first_comma == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" is no pair of clocks, expected two paths with a comma between them",
                       pair);
    if (found[0] != OCELOTL_NONE && found[0] == found[1])
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is one clock, expected two", pair);
    const char *last = strrchr(pair, ',');
    return found[0] == OCELOTL_NONE ? oc_clocks_fail_unknown(c, pair, (size_t)(last - pair))
                                    : oc_clocks_fail_unknown(c, last + 1, strlen(last + 1));
}

/* Names a clock that exchanges messages with the first one. */
static ocelotl_status fail_apart(const ocelotl_clocks *c, const uint32_t clocks[2])
{
    const oc_network *network = &c->network;
    for (size_t i = 0; i < network->pairing_count; i++) {
        const oc_pairing *pairing = &network->pairings[i];
        if (pairing->a == clocks[0] || pairing->b == clocks[0])
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "nothing joins the clocks of \"%s\" and \"%s\" directly, expected two "
                           "that do exchange messages, as \"%s\" and \"%s\"",
                           oc_clocks_path(c, clocks[0]), oc_clocks_path(c, clocks[1]),
                           oc_clocks_path(c, pairing->a), oc_clocks_path(c, pairing->b));
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "nothing joins the clock of \"%s\" to any other one",
                   oc_clocks_path(c, clocks[0]));
}

static ocelotl_status find(ocelotl_clock_points *p, const ocelotl_clocks *c, const char *pair)
{
    uint32_t clocks[2];
    OC_TRY(find_clocks(clocks, c, pair));
    const oc_pairing *pairing = NULL;
    for (size_t i = 0; i < c->network.pairing_count && pairing == NULL; i++) {
        const oc_pairing *of = &c->network.pairings[i];
        if ((of->a == clocks[0] && of->b == clocks[1]) ||
            (of->a == clocks[1] && of->b == clocks[0]))
            pairing = of;
    }
    if (pairing == NULL)
        return fail_apart(c, clocks);
    p->pairing = pairing;
    p->first = oc_clocks_path(c, pairing->a);
    p->second = oc_clocks_path(c, pairing->b);
    take_lines(p, c);
    OC_TRY(oc_clocks_read(c, c->info.evidence, take, &(gathering){p, pairing->a, pairing->b}));
    for (int side = 0; side < 2; side++) {
        const oc_hull *hull = side == 0 ? &pairing->above : &pairing->below;
        for (size_t i = 0; i < hull->count; i++) {
            const double z = side == 0 ? hull->points[i].z : -hull->points[i].z;
            OC_TRY(add(p, pairing->x + (int64_t)hull->points[i].x, (double)pairing->z + z,
                       side == 0, true));
        }
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_clock_points_find(ocelotl_clock_points *points, const ocelotl_clocks *clocks,
                                         const char *pair)
{
    ocelotl_clock_points made = {.list = NULL};
    const ocelotl_status status = find(&made, clocks, pair);
    if (status == OCELOTL_OK)
        *points = made;
    else
        free(made.list);
    return status;
}

void ocelotl_clock_points_bounds(double *least, double *most, const ocelotl_clock_points *points,
                                 int64_t at)
{
    const oc_pairing *pairing = points->pairing;
    const double x = (double)(int64_t)((uint64_t)at - (uint64_t)pairing->x);
    *least = (double)pairing->z + oc_line_lowest(pairing, x);
    *most = (double)pairing->z + oc_line_highest(pairing, x);
}

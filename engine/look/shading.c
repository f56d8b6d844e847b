#include "look/shading.h"

#include "base/memory.h"
#include "base/options.h"
#include "look/idle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of docs/first.md. */
static const double background_from = 0.85; /* of all time */
static const double drawn_quantile = 0.95;  /* of the area where anything is drawn */
static const double scaled_below = 0.5;     /* there, of full colour */
static const double full_least = 0.005;     /* of all time */
static const double faint = 0.06;           /* a shade that is hardly seen */
static const double often = 0.05;           /* of the area where anything is drawn */
static const double pale_below = 0.1;       /* beside a background that covers more */

/* --- Values */

double oc_shading_unit(const oc_shading *shading, const ocelotl_part *part)
{
    double sum = 0;
    if (shading->shares)
        return 1;
    for (uint32_t type = 0; type < shading->type_count; type++)
        sum += part->shares[type];
    return sum > 0 ? sum : 1;
}

/* A value as a share of the largest that is drawn, 0 .. 1. If values may be summed, that is the
 * largest of all types, else of this type, which may have its own unit. */
static double relative(const oc_shading *shading, const ocelotl_model *model,
                       const ocelotl_part *part, uint32_t type)
{
    const double value = part->shares[type];
    if (!shading->has_unit)
        return value / oc_shading_unit(shading, part);
    const ocelotl_type is = ocelotl_model_type_at(model, type);
    const double low = shading->additive ? 0 : fmin(0, is.low);
    const double high = shading->additive ? shading->largest : is.high;
    return high > low ? (value - low) / (high - low) : value > 0;
}

/* Finds the largest value of the types that are background, or are not. */
static oc_shade find_largest(const oc_shading *shading, const ocelotl_model *model,
                             const ocelotl_part *part, bool background)
{
    oc_shade shade = {OCELOTL_NONE, 0, 0};
    for (uint32_t type = 0; type < shading->type_count; type++) {
        if (shading->background[type] != background || shading->untraced == type)
            continue;
        const double value = relative(shading, model, part, type);
        if (value > shade.share) {
            shade.share = value;
            shade.type = type;
        }
    }
    shade.share = fmin(1, shade.share);
    return shade;
}

oc_shade oc_shading_of(const oc_shading *shading, const ocelotl_model *model,
                       const ocelotl_part *part)
{
    oc_shade shade = find_largest(shading, model, part, false);
    shade.opacity = fmin(1, shade.share / shading->full);
    if (shading->any && shade.opacity < pale_below) {
        oc_shade pale = find_largest(shading, model, part, true);
        pale.opacity = pale.share;
        if (pale.share > shade.share)
            shade = pale;
    }
    if (shade.type != OCELOTL_NONE)
        shade.opacity = fmax(shade.opacity, shading->faintest);
    return shade;
}

/* --- Background */

static bool is_one(const ocelotl_names *names, const char *name)
{
    return names->count == 1 && strcmp(names->names[0], name) == 0;
}

static ocelotl_status take_named(oc_shading *shading, const ocelotl_model *model,
                                 const ocelotl_names *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        bool found = false;
        for (uint32_t type = 0; type < shading->type_count; type++)
            if (oc_pattern_matches(patterns->names[i], ocelotl_model_type_at(model, type).name))
                found = shading->background[type] = true;
        if (!found)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "the background is \"%s\", which no type shown is called",
                           patterns->names[i]);
    }
    return OCELOTL_OK;
}

/* Takes what is idle by name, and what covers nearly all, where there is something else to see.
 * `sums` are of each type over all parts. */
static void take_idle(oc_shading *shading, const ocelotl_model *model, const double *sums)
{
    double whole = 0;
    double left = 0;
    uint32_t most = OCELOTL_NONE;
    for (uint32_t type = 0; type < shading->type_count; type++)
        whole += sums[type];
    for (uint32_t type = 0; type < shading->type_count; type++) {
        if (type == shading->untraced)
            continue;
        shading->background[type] = oc_is_idle_name(ocelotl_model_type_at(model, type).name);
        if (sums[type] > background_from * whole)
            most = type;
        left += shading->background[type] || most == type ? 0 : sums[type];
    }
    if (most != OCELOTL_NONE && left >= full_least * whole)
        shading->background[most] = true;
    else if (most != OCELOTL_NONE)
        left += shading->background[most] ? 0 : sums[most];
    if (!(left > 0))
        memset(shading->background, 0, shading->type_count * sizeof *shading->background);
}

static ocelotl_status find_background(oc_shading *shading, const ocelotl_model *model,
                                      const ocelotl_part *parts, size_t count,
                                      const oc_shading_options *options)
{
    const ocelotl_names *asked = options->background;
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    if (options->plain || !shading->timed || strcmp(info.metric, "state-duration") != 0 ||
        is_one(asked, "none"))
        return OCELOTL_OK;
    if (asked->count > 0) {
        OC_TRY(take_named(shading, model, asked));
    } else {
        double *sums = NULL;
        OC_TRY(oc_allocate(&sums, shading->type_count, sizeof *sums));
        for (size_t i = 0; i < count; i++)
            for (uint32_t type = 0; type < shading->type_count; type++)
                sums[type] += parts[i].shares[type] * (double)parts[i].leaves *
                              ((double)parts[i].last - parts[i].first + 1);
        take_idle(shading, model, sums);
        free(sums);
    }
    for (uint32_t type = 0; type < shading->type_count; type++)
        shading->any = shading->any || shading->background[type];
    return OCELOTL_OK;
}

/* --- Full colour */

static int compare_drawn(const void *a, const void *b)
{
    const oc_drawn_share *left = a;
    const oc_drawn_share *right = b;
    return left->share < right->share ? -1 : left->share > right->share;
}

/* The least of 1, 2, 5 times a power of ten that is not below a value. */
static double round_up(double value)
{
    const double power = pow(10, floor(log10(value)));
    for (int step = 1; step <= 5; step += step == 1 ? 1 : 3)
        if (value <= step * power * (1 + 1e-9))
            return step * power;
    return 10 * power;
}

/* Counts values of a unit in that unit, so that the legend has round numbers. */
void oc_shading_scale(oc_shading *shading, oc_drawn_share *all, size_t count)
{
    double area = 0;
    double pale = 0;
    double seen = 0;
    size_t at = 0;
    qsort(all, count, sizeof *all, compare_drawn);
    while (at < count && !(all[at].share > 0))
        at++;
    for (size_t i = at; i < count; i++) {
        area += all[i].area;
        pale += all[i].share < faint ? all[i].area : 0;
    }
    while (at + 1 < count && seen + all[at].area < drawn_quantile * area)
        seen += all[at++].area;
    const double unit = shading->has_unit ? shading->largest : 1;
    if (at < count && all[at].share < scaled_below) {
        const double full = round_up(all[at].share * unit) / unit;
        shading->full = fmin(1, shading->has_unit ? full : fmax(full_least, full));
        shading->scaled = shading->full < 1;
    }
    if (shading->scaled || shading->any || pale > often * area)
        shading->faintest = OC_FAINTEST;
}

/* How many rows of a node are not idle, which have no room to speak of. */
static double count_busy(const bool *idle, const ocelotl_node *node)
{
    double busy = 0;
    for (uint32_t row = node->row_first; row < node->row_first + node->row_count; row++)
        busy += !idle[row];
    return busy;
}

static ocelotl_status gather_drawn(oc_drawn_share *all, const oc_shading *shading,
                                   const ocelotl_model *model, const ocelotl_part *parts,
                                   size_t count)
{
    uint32_t idle_count = 0;
    bool *idle = NULL;
    OC_TRY(oc_allocate(&idle, ocelotl_model_info_of(model).row_count, sizeof *idle));
    const ocelotl_status status = oc_idle_find(idle, &idle_count, model);
    for (size_t i = 0; i < count && status == OCELOTL_OK; i++) {
        const ocelotl_node node = ocelotl_model_node_at(model, parts[i].node);
        const double rows = idle_count == 0 || node.row_count == 0
                                ? parts[i].leaves
                                : parts[i].leaves * count_busy(idle, &node) / node.row_count;
        all[i] = (oc_drawn_share){find_largest(shading, model, &parts[i], false).share,
                                  rows * ((double)parts[i].last - parts[i].first + 1)};
    }
    free(idle);
    return status;
}

static ocelotl_status find_full(oc_shading *shading, const ocelotl_model *model,
                                const ocelotl_part *parts, size_t count,
                                const oc_shading_options *options)
{
    oc_drawn_share *all = NULL;
    if (options->plain || !shading->timed || (shading->has_unit && !shading->additive))
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&all, count, sizeof *all));
    const ocelotl_status status = gather_drawn(all, shading, model, parts, count);
    if (status == OCELOTL_OK)
        oc_shading_scale(shading, all, count);
    free(all);
    return status;
}

/* --- Both */

static ocelotl_status find(oc_shading *shading, const ocelotl_model *model,
                           const ocelotl_part *parts, size_t count,
                           const oc_shading_options *options)
{
    OC_TRY(oc_allocate(&shading->background, shading->type_count, sizeof *shading->background));
    for (uint32_t type = 0; type < shading->type_count; type++)
        if (ocelotl_model_type_at(model, type).untraced)
            shading->untraced = type;
    for (size_t i = 0; i < count; i++)
        for (uint32_t type = 0; type < shading->type_count; type++)
            if (type != shading->untraced)
                shading->largest = fmax(shading->largest, parts[i].shares[type]);
    OC_TRY(find_background(shading, model, parts, count, options));
    return find_full(shading, model, parts, count, options);
}

ocelotl_status oc_shading_find(oc_shading *shading, const ocelotl_model *model,
                               const ocelotl_part *parts, size_t count,
                               const oc_shading_options *options)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    *shading = (oc_shading){
        .type_count = info.type_count,
        .untraced = OCELOTL_NONE,
        .timed = info.has_time,
        .has_unit = info.has_time && info.metric[0] != '\0' && strcmp(info.unit, "share") != 0,
        .additive = info.additive,
        .largest = options->largest,
        .full = 1,
    };
    shading->shares = shading->timed && !shading->has_unit;
    const ocelotl_status status = find(shading, model, parts, count, options);
    if (status != OCELOTL_OK)
        oc_shading_free(shading);
    return status;
}

void oc_shading_free(oc_shading *shading)
{
    free(shading->background);
    *shading = (oc_shading){.background = NULL};
}

double oc_shading_full(const oc_shading *shading)
{
    return shading->full * (shading->has_unit ? shading->largest : 1);
}

void oc_shading_name_background(oc_text *text, const oc_shading *shading,
                                const ocelotl_model *model)
{
    const char *between = "";
    for (uint32_t type = 0; type < shading->type_count && shading->any; type++) {
        if (!shading->background[type])
            continue;
        oc_text_format(text, "%s%s", between, ocelotl_model_type_at(model, type).name);
        between = ", ";
    }
}

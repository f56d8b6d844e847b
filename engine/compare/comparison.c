/* Two models side by side: what is compared, and in which unit. */
#include "compare/comparison.h"

#include "base/memory.h"
#include "base/options.h"
#include "model/metrics/metrics.h"

#include <stdlib.h>
#include <string.h>

void ocelotl_comparison_free(ocelotl_comparison *comparison)
{
    if (comparison == NULL)
        return;
    for (int m = 0; m < 2; m++) {
        free(comparison->other[m]);
        free(comparison->other_type[m]);
        free(comparison->only[m]);
    }
    free(comparison->changes);
    free(comparison->places);
    free(comparison);
}

void ocelotl_comparison_get_info(ocelotl_comparison_info *info,
                                 const ocelotl_comparison *comparison)
{
    oc_give_info(info, &comparison->info, sizeof comparison->info);
}

ocelotl_change ocelotl_comparison_change_at(const ocelotl_comparison *comparison, size_t index)
{
    return index < comparison->info.change_count ? comparison->changes[index]
                                                 : (ocelotl_change){.path = "", .type = ""};
}

const ocelotl_model *ocelotl_comparison_model(const ocelotl_comparison *comparison, int model)
{
    return comparison->models[model == 1];
}

const char *ocelotl_comparison_only_at(const ocelotl_comparison *comparison, int model,
                                       uint32_t index)
{
    if (model < 0 || model > 1 || index >= comparison->info.only_count[model])
        return "";
    return ocelotl_model_node_at(comparison->models[model], comparison->only[model][index]).path;
}

static ocelotl_status check_metrics(const ocelotl_comparison *c)
{
    for (int m = 0; m < 2; m++)
        if (!c->infos[m].additive)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: the metric %s does not add up, expected one that can be compared",
                           c->infos[m].name, c->infos[m].metric);
    if (strcmp(c->infos[0].metric, c->infos[1].metric) != 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s has the metric \"%s\" and %s has \"%s\", expected the same",
                       c->infos[0].name, c->infos[0].metric, c->infos[1].name, c->infos[1].metric);
    return OCELOTL_OK;
}

/* Shares of time become time, counts are summed up, and what is a mean over time stays one.
 * Without time nobody knows whether cells are of one kind or the other: their means are compared,
 * and sums tell how much a change is. */
static void choose_unit(ocelotl_comparison *c)
{
    const bool timed = c->infos[0].has_time && c->infos[1].has_time;
    const bool time = timed && strcmp(c->infos[0].unit, "share") == 0;
    const bool counts = timed && !time && !oc_metric_is_mean_over_time(c->infos[0].metric);
    c->info.unit = time ? "s" : timed ? c->infos[0].unit : "";
    for (int m = 0; m < 2; m++) {
        const double slices = c->infos[m].slice_count;
        const double duration = timed ? c->infos[m].end - c->infos[m].begin : 0;
        c->info.slices[m] = c->infos[m].slice_count;
        c->info.duration[m] = duration;
        c->scale[m] = time ? duration : counts ? slices : 1;
        c->weight[m] = timed ? 1 : slices;
    }
}

static ocelotl_status compare(ocelotl_comparison *c)
{
    OC_TRY(check_metrics(c));
    choose_unit(c);
    OC_TRY(oc_comparison_match(c));
    OC_TRY(oc_comparison_find_changes(c));
    return oc_comparison_find_ratio(c);
}

ocelotl_status ocelotl_compare_models(ocelotl_comparison **comparison, const ocelotl_model *first,
                                      const ocelotl_model *second)
{
    ocelotl_comparison *c = NULL;
    OC_TRY(oc_allocate(&c, 1, sizeof *c));
    c->models[0] = first;
    c->models[1] = second;
    c->infos[0] = ocelotl_model_info_of(first);
    c->infos[1] = ocelotl_model_info_of(second);
    const ocelotl_status status = compare(c);
    if (status == OCELOTL_OK)
        *comparison = c;
    else
        ocelotl_comparison_free(c);
    return status;
}

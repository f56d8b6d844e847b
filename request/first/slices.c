/* Slices: of a few events, each in one of many slices, nearly all cells are empty. Fewer slices
 * have something in a good part of them. */
#include "request/first/first.h"

#include "answer/answer.h"
#include "base/memory.h"
#include "request/cache/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* docs/first.md gives the reason of each. */
enum {
    EVENTS_MOST = 20000, /* of more, enough cells have some */
    HALVINGS = 5,        /* from 200 to 6 */
    WAITS_LEAST = 25     /* slices */
};
static const double hidden = 0.25; /* of the variation, at most, where there are more slices */
static const double filled = 0.2;  /* of the cells of resources that have any */

/* Counts the cells that have anything, with 1, 2, 4, .. slices as one. */
static ocelotl_status count_cells(uint64_t counts[HALVINGS + 1], const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *sums = NULL;
    ocelotl_status status = oc_allocate(&sums, info.slice_count, info.type_count * sizeof *sums);
    for (uint32_t node = 0; node < info.node_count && status == OCELOTL_OK; node++) {
        uint32_t last[HALVINGS + 1];
        if (!oc_is_leaf_of(model, node))
            continue;
        memset(last, 0xff, sizeof last);
        status = ocelotl_model_sums(sums, model, node, 0, info.slice_count - 1);
        for (uint32_t slice = 0; slice < info.slice_count && status == OCELOTL_OK; slice++) {
            double sum = 0;
            for (uint32_t x = 0; x < info.type_count; x++)
                sum += sums[(size_t)slice * info.type_count + x];
            for (int i = 0; i <= HALVINGS && sum > 0; i++) {
                counts[i] += last[i] != slice >> i;
                last[i] = slice >> i;
            }
        }
    }
    free(sums);
    return status;
}

static ocelotl_status choose(oc_text *what, const oc_choosing *choosing, const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    uint64_t counts[HALVINGS + 1] = {0};
    int chosen = 0;
    OC_TRY(count_cells(counts, model));
    while (chosen < HALVINGS &&
           (double)counts[chosen] <
               filled * info.leaf_count * (double)((info.slice_count >> chosen) + 1))
        chosen++;
    if (chosen == 0 || info.slice_count >> chosen < 4)
        return OCELOTL_OK;
    choosing->options->slices = info.slice_count >> chosen;
    oc_text_add(what, "long slices, since events are few");
    return OCELOTL_OK;
}

/* A resource delays others from time to time: what is shorter than that makes many small parts, and
 * hides who does it for long. As many slices as 100 parts tell well. Where there is no model, the
 * one that is asked for says why. */
static ocelotl_status find_for_waits(oc_text *text, const oc_choosing *choosing,
                                     ocelotl_model_options *coarse)
{
    oc_told told;
    uint32_t chosen = WAITS_LEAST;
    for (coarse->slices = chosen; coarse->slices <= OCELOTL_DEFAULT_SLICES; coarse->slices *= 2) {
        OC_TRY(oc_find_told(&told, choosing, coarse));
        if (told.lost > hidden)
            break;
        chosen = coarse->slices;
    }
    if (chosen < OCELOTL_DEFAULT_SLICES)
        oc_text_format(text, "%u", chosen);
    return OCELOTL_OK;
}

static ocelotl_status choose_for_waits(oc_text *what, const oc_choosing *choosing)
{
    ocelotl_model_options coarse = *choosing->options;
    const ocelotl_selection *selection = &coarse.selection;
    const char *hierarchy = coarse.hierarchy.file;
    const char *text;
    struct stat file;
    oc_key content = {0};
    oc_text key = {0};
    char *options = NULL;
    OC_TRY(oc_request_key(&options, choosing->request, 0, false));
    if (hierarchy != NULL && stat(hierarchy, &file) == 0)
        oc_key_add_file(&content, &file, true);
    oc_text_format(&key, "slices %" PRId64 " %" PRId64 " %" PRIx64 " %s", selection->from,
                   selection->to, content.digest[0], options);
    free(options);
    for (size_t i = 0; i < selection->resources.count; i++)
        oc_text_format(&key, "\n%s", selection->resources.names[i]);
    OC_TRY(
        oc_find_choice(&text, &choosing->session->slices, &key, choosing, &coarse, find_for_waits));
    if (text[0] != '\0') {
        choosing->options->slices = (uint32_t)strtoul(text, NULL, 10);
        oc_text_add(what, "fewer slices, in which 100 parts tell who; --slices chooses");
    }
    return OCELOTL_OK;
}

ocelotl_status oc_choose_slices(oc_text *what, const oc_choosing *choosing)
{
    ocelotl_trace *trace = choosing->session->trace;
    ocelotl_metric metric;
    ocelotl_model *model = NULL;
    const ocelotl_model_options *asked = choosing->options;
    if (oc_is_of_waiting(asked->cells.metric))
        return asked->slices == 0 && asked->kind != OCELOTL_SPATIAL
                   ? choose_for_waits(what, choosing)
                   : OCELOTL_OK;
    const bool states = asked->state_types.count > 0 || asked->cells.state_type != NULL;
    OC_TRY(ocelotl_metric_find(&metric, trace,
                               asked->cells.metric == NULL && states ? "state-duration"
                                                                     : asked->cells.metric));
    if (asked->slices > 0 || asked->kind == OCELOTL_SPATIAL ||
        oc_count_events(trace) > EVENTS_MOST ||
        (strcmp(metric.unit, "events") != 0 && strcmp(metric.unit, "links") != 0))
        return OCELOTL_OK;
    ocelotl_model_options options = *asked;
    options.hierarchy.bare = true;
    ocelotl_status status = ocelotl_model_from_trace(&model, trace, &options);
    if (status != OCELOTL_OK) /* the model that is asked for says why */
        return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_CANCELLED ? status
                                                                                   : OCELOTL_OK;
    status = choose(what, choosing, model);
    ocelotl_model_free(model);
    return status;
}

/* Why a part is as it is, and what its siblings are meanwhile. */
#include "answer/answer.h"

#include "aggregate/explanation.h"
#include "base/memory.h"

#include <stdlib.h>

enum { MOST_SIBLINGS = 40, MOST_SHARES = 4 };

/* What is explained, and of what. */
typedef struct subject {
    const ocelotl_explanation *explanation;
    const ocelotl_model *model;
    ocelotl_model_info info;
    double *values; /* of a node, by type */
} subject;

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void add_measures(oc_json *json, const subject *of, double gain, double loss)
{
    oc_json_number(json, "gain", gain);
    oc_json_number(json, "loss", loss);
    oc_json_number(json, "gain_percent",
                   percent(gain, ocelotl_aggregation_whole_gain(of->explanation->aggregation)));
    oc_json_number(json, "loss_percent",
                   percent(loss, ocelotl_aggregation_whole_loss(of->explanation->aggregation)));
}

static void add_choice(oc_json *json, const subject *of, ocelotl_choice_kind kind)
{
    static const char *const names[] = {"part", "time", "resources", "parent", "siblings"};
    const ocelotl_choice choice = of->explanation->choices[kind];
    if (!choice.exists)
        return;
    oc_json_item(json, 0);
    oc_json_text(json, "choice", names[kind]);
    oc_json_text(json, "node", ocelotl_model_node_at(of->model, choice.node).path);
    oc_json_count(json, "pieces", choice.pieces);
    if (kind == OCELOTL_CHOICE_TIME) {
        oc_json_count(json, "cut", choice.cut);
        if (of->info.has_time)
            oc_json_number(json, "at", ocelotl_slice_begin(&of->info, choice.cut));
    }
    add_measures(json, of, choice.gain, choice.loss);
    oc_json_number(json, "pic", choice.pic);
    oc_json_end_object(json);
}

/* The largest values of a node, which are then 0. */
static void add_leading(oc_json *json, const subject *of)
{
    oc_json_list(json, "shares");
    for (uint32_t i = 0; i < MOST_SHARES; i++) {
        uint32_t best = 0;
        for (uint32_t type = 1; type < of->info.type_count; type++)
            if (of->values[type] > of->values[best])
                best = type;
        if (!(of->values[best] > 0))
            break;
        oc_json_list(json, NULL);
        oc_json_text(json, NULL, ocelotl_model_type_at(of->model, best).name);
        oc_json_number(json, NULL, of->values[best]);
        oc_json_end_list(json);
        of->values[best] = 0;
    }
    oc_json_end_list(json);
}

/* The node and those beside it, as many on both sides. */
static ocelotl_status add_siblings(oc_json *json, const subject *of)
{
    const uint32_t parent = ocelotl_model_node_at(of->model, of->explanation->node).parent;
    uint32_t count = 0;
    uint32_t own = 0;
    uint32_t place = 0;
    for (uint32_t i = 0; parent != OCELOTL_ROOT && i < of->info.node_count; i++) {
        own = i == of->explanation->node ? count : own;
        count += ocelotl_model_node_at(of->model, i).parent == parent;
    }
    const uint32_t first = own > MOST_SIBLINGS / 2 ? own - MOST_SIBLINGS / 2 : 0;
    oc_json_count(json, "sibling_count", count);
    oc_json_list(json, "siblings");
    for (uint32_t i = 0; count > 0 && i < of->info.node_count; i++) {
        if (ocelotl_model_node_at(of->model, i).parent != parent)
            continue;
        if (place++ < first || place > first + MOST_SIBLINGS)
            continue;
        OC_TRY(ocelotl_model_values(of->values, of->model, i, of->explanation->first,
                                    of->explanation->last));
        oc_json_item(json, 0);
        oc_json_text(json, "node", ocelotl_model_node_at(of->model, i).path);
        oc_json_count(json, "leaves", ocelotl_model_node_at(of->model, i).row_count);
        oc_json_flag(json, "own", i == of->explanation->node);
        add_leading(json, of);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status add_all(oc_json *json, const subject *of)
{
    OC_TRY(ocelotl_model_values(of->values, of->model, of->explanation->node,
                                of->explanation->first, of->explanation->last));
    const ocelotl_choice part = of->explanation->choices[OCELOTL_CHOICE_PART];
    oc_json_object(json, NULL);
    oc_json_text(json, "node", ocelotl_model_node_at(of->model, of->explanation->node).path);
    oc_json_count(json, "first", of->explanation->first);
    oc_json_count(json, "last", of->explanation->last);
    oc_json_text(json, "unit", of->info.unit);
    add_measures(json, of, part.gain, part.loss);
    oc_json_list(json, "types");
    for (uint32_t type = 0; type < of->info.type_count; type++) {
        const ocelotl_type_measure measure = of->explanation->types[type];
        if (!(measure.sum > 0))
            continue;
        oc_json_item(json, 0);
        oc_json_text(json, "type", ocelotl_model_type_at(of->model, type).name);
        oc_json_number(json, "value", of->values[type]);
        add_measures(json, of, measure.gain, measure.loss);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_list(json, "choices");
    for (ocelotl_choice_kind kind = OCELOTL_CHOICE_PART; kind < OCELOTL_CHOICE_COUNT; kind++)
        add_choice(json, of, kind);
    oc_json_end_list(json);
    OC_TRY(add_siblings(json, of));
    oc_json_end_object(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_explanation_write_json(const ocelotl_sink *sink,
                                              const ocelotl_aggregation *aggregation, uint32_t node,
                                              uint32_t first, uint32_t last, double p_raw)
{
    ocelotl_explanation *explanation;
    OC_TRY(oc_part_explain(&explanation, aggregation, node, first, last, p_raw));
    subject of = {explanation, ocelotl_aggregation_model(aggregation)};
    oc_json json = {.out = {.sink = sink}};
    of.info = ocelotl_model_info_of(of.model);
    ocelotl_status status = oc_allocate(&of.values, of.info.type_count, sizeof *of.values);
    if (status == OCELOTL_OK)
        status = oc_json_finish(&json, add_all(&json, &of));
    free(of.values);
    oc_explanation_free(explanation);
    return status;
}

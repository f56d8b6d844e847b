/* hierarchies: which hierarchy of the resources tells more. */
#include "aggregate/hierarchies.h"
#include "answer/table.h"
#include "base/memory.h"
#include "base/plain.h"
#include "request/questions/question.h"
#include "viz/pictures.h"

#include <string.h>

static void add_point(oc_json *json, const char *key, const ocelotl_hierarchy_point *point)
{
    oc_json_object(json, key);
    oc_json_count(json, "parts", point->parts);
    oc_json_number(json, "p", point->p);
    oc_json_number(json, "gain", point->gain);
    oc_json_number(json, "loss", point->loss);
    oc_json_end_object(json);
}

static ocelotl_status add_members(oc_json *json, void *answer)
{
    const ocelotl_hierarchies *of = ((ocelotl_answer *)answer)->found;
    oc_json_count(json, "ranked_at", of->parts);
    oc_json_list(json, "hierarchies");
    for (size_t i = 0; i < of->count; i++) {
        const ocelotl_hierarchy *hierarchy = &of->list[i];
        oc_json_item(json, 0);
        oc_json_count(json, "rank", hierarchy->rank);
        oc_json_text(json, "hierarchy", hierarchy->name);
        add_point(json, "ranked", &hierarchy->ranked);
        oc_json_number(json, "whole_gain", hierarchy->whole_gain);
        oc_json_number(json, "whole_loss", hierarchy->whole_loss);
        oc_json_flag(json, "complete", hierarchy->complete);
        oc_json_list(json, "points");
        for (size_t j = 0; j < hierarchy->count; j++)
            add_point(json, NULL, &hierarchy->points[j]);
        oc_json_end_list(json);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status add_points(oc_csv_table *csv, void *answer)
{
    const ocelotl_hierarchies *of = ((ocelotl_answer *)answer)->found;
    oc_csv_row(csv, "rank,hierarchy,parts,p,gain,loss");
    for (size_t i = 0; i < of->count; i++) {
        const ocelotl_hierarchy *hierarchy = &of->list[i];
        for (size_t j = 0; j < hierarchy->count; j++) {
            const ocelotl_hierarchy_point *point = &hierarchy->points[j];
            oc_csv_count(csv, hierarchy->rank);
            oc_csv_text(csv, hierarchy->name);
            oc_csv_count(csv, point->parts);
            oc_csv_number(csv, point->p);
            oc_csv_number(csv, point->gain);
            oc_csv_number(csv, point->loss);
            oc_csv_end_row(csv);
        }
    }
    return OCELOTL_OK;
}

/* --- Text, for people */

static ocelotl_status print_all(oc_output *out, void *answer)
{
    const ocelotl_hierarchies *of = ((ocelotl_answer *)answer)->found;
    oc_output_format(out, "%4s", "rank");
    for (size_t i = 0; i < of->number_count; i++)
        oc_output_format(out, of->numbers[i] == of->parts ? " %8zu*" : " %9zu", of->numbers[i]);
    oc_output_add(out, "  hierarchy\n");
    for (size_t h = 0; h < of->count; h++) {
        const double whole = of->list[h].whole_loss;
        oc_output_format(out, "%4zu", of->list[h].rank);
        for (size_t i = 0; i < of->number_count; i++)
            oc_output_format(out, " %9s",
                             oc_short_percent(whole > 0 ? of->list[h].at[i].loss / whole : 0).text);
        oc_output_format(out, "  %s\n", of->list[h].name);
    }
    oc_output_add(out, "Loss as a share of the whole's, of the best partition of at most so many "
                       "parts;\n* is the number that they are ranked at.\n");
    return OCELOTL_OK;
}

/* Makes the same request with another hierarchy. */
static void ask_for(ocelotl_request *asked, const ocelotl_request *request, const char *name)
{
    ocelotl_hierarchy_options *hierarchy = &asked->model.hierarchy;
    const bool by_role = strcmp(name, "role") == 0;
    const bool cluster = strcmp(name, "auto") == 0;
    const bool bare = strcmp(name, "trace") == 0;
    const bool own = by_role || cluster || bare || strcmp(name, "default") == 0;
    *asked = *request;
    hierarchy->by_role = by_role;
    hierarchy->cluster = cluster;
    hierarchy->regroup = cluster || request->model.hierarchy.regroup;
    hierarchy->bare = bare || request->model.hierarchy.bare;
    hierarchy->file = own ? NULL : name;
    if (!cluster)
        return;
    /* It replaces all that the others are made with. */
    hierarchy->drop_levels = hierarchy->groups = (ocelotl_names){.names = NULL};
}

static ocelotl_status add(ocelotl_hierarchies *hierarchies, ocelotl_session *session,
                          const ocelotl_request *request, const char *name)
{
    ocelotl_request asked;
    const ocelotl_aggregation *aggregation = NULL;
    ask_for(&asked, request, name);
    OC_TRY(ocelotl_session_aggregation(&aggregation, session, &asked));
    oc_session_begin(session, OCELOTL_STEP_FINDING_LEVELS);
    const ocelotl_status status = ocelotl_hierarchies_add(hierarchies, name, aggregation);
    oc_session_end(session);
    return status;
}

static ocelotl_status add_all(ocelotl_hierarchies *hierarchies, ocelotl_session *session,
                              const ocelotl_request *request)
{
    static const char *const own[OCELOTL_OWN_HIERARCHIES] = {"default", "trace", "auto", "role"};
    /* A file that is wrong is told before long work. */
    for (size_t i = 0; i < request->candidates.count; i++) {
        ocelotl_request asked;
        const ocelotl_model *model = NULL;
        ask_for(&asked, request, request->candidates.names[i]);
        OC_TRY(ocelotl_session_model(&model, session, &asked));
    }
    for (size_t i = 0; i < OCELOTL_OWN_HIERARCHIES; i++)
        OC_TRY(add(hierarchies, session, request, own[i]));
    for (size_t i = 0; i < request->candidates.count; i++)
        OC_TRY(add(hierarchies, session, request, request->candidates.names[i]));
    return OCELOTL_OK;
}

/* The number of parts that they are ranked at: of the picture that is drawn without options. */
static ocelotl_status find_parts(size_t *parts, ocelotl_session *session,
                                 const ocelotl_request *request)
{
    ocelotl_partition *partition = NULL;
    ocelotl_request asked;
    *parts = request->detail.count;
    if (request->detail.kind == OCELOTL_DETAIL_PARTS)
        return OCELOTL_OK;
    ask_for(&asked, request, "default");
    OC_TRY(ocelotl_session_partition(&partition, session, &asked));
    *parts = ocelotl_partition_info_of(partition).part_count;
    ocelotl_partition_free(partition);
    return OCELOTL_OK;
}

/* Text needs less than all that they lose. */
static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    ocelotl_trace *trace = NULL;
    ocelotl_hierarchies *made = NULL;
    OC_TRY(ocelotl_session_trace(&trace, session));
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    answer->found = made;
    OC_TRY(find_parts(&made->parts, session, answer->request));
    made->all = answer->request->all;
    made->losses_only = answer->form == OCELOTL_FORM_TEXT;
    made->work.progress = session->options.progress;
    made->work.context = session->options.context;
    return add_all(made, session, answer->request);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    const ocelotl_model *model = NULL;
    OC_TRY(ocelotl_session_model(&model, answer->session, drawn));
    return ocelotl_hierarchies_draw(sink, format, answer->found, model, view);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_hierarchies_free(answer->found);
}

const oc_question oc_hierarchies_question = {
    .command = "hierarchies",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .of_matrix = true,
    .find = find,
    .add = add_members,
    .print = print_all,
    .rows = add_points,
    .draw = draw,
    .free = free_found,
};

/* The models that requests ask for. A request that looks into parts has a model for each step: of
 * what is shown without the first part, of that, and so on. */
#include "base/memory.h"
#include "base/plain.h"
#include "quality/waiting.h"
#include "request/first/first.h"
#include "request/options/request.h"
#include "request/session.h"
#include "types/lookup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void oc_focus_free(oc_focus *place)
{
    free((void *)place->resources.names);
    free(place->texts);
    *place = (oc_focus){0};
}

/* The view of a key, or the place for one. */
static oc_view *find_view(ocelotl_session *session, const char *key)
{
    oc_view *found = NULL;
    for (size_t i = 0; i < OC_SESSION_VIEWS && found == NULL; i++)
        if (session->views[i].key != NULL && strcmp(session->views[i].key, key) == 0)
            found = &session->views[i];
    if (found == NULL)
        found = oc_session_place_for_view(session);
    oc_session_use(session, found);
    return found;
}

/* --- Making models */

/* Reading, of a total that is not known, and comparing. A step begins with what is counted: until
 * then nobody waits for its end. */
typedef struct making {
    const ocelotl_session *session;
    bool reads, compares;
} making;

static void end_step(making *step)
{
    if (step->reads || step->compares)
        oc_session_end(step->session);
    step->reads = step->compares = false;
}

static bool show_making(void *context, uint64_t done, uint64_t total)
{
    making *step = context;
    const ocelotl_session_options *options = &step->session->options;
    const bool compares = total > 0;
    if (compares ? !step->compares : !step->reads) {
        end_step(step);
        oc_session_begin(step->session, compares ? OCELOTL_STEP_COMPARING : OCELOTL_STEP_READING);
    }
    step->compares = compares;
    step->reads = !compares;
    return options->progress == NULL || options->progress(options->context, done, total);
}

/* Writes all that the choice of a level of types depends on: it is one of the whole trace, so
 * windows and parts have it, too. The caller frees *key. */
static ocelotl_status make_level_key(char **key, const ocelotl_request *request)
{
    const uint64_t command = oc_request_command(request);
    oc_text text = {0};
    oc_text_format(&text, "%" PRIx64 " %d", ocelotl_type_tree_info_of(request->type_tree).hash,
                   (int)request->model.kind);
    for (size_t i = 0; i < request->given_count; i++) {
        const ocelotl_given *given = &request->given[i];
        const oc_group group = oc_find_parameter(given->name, command)->group;
        if (group == OC_GROUP_FILTER || group == OC_GROUP_METRIC || group == OC_GROUP_TYPES ||
            group == OC_GROUP_MODEL)
            oc_text_format(&text, "\n%s=%s", given->name, given->value != NULL ? given->value : "");
    }
    return oc_text_give(key, &text);
}

/* A level that was chosen before is not searched again. */
static ocelotl_status make_at_level(oc_view *view, ocelotl_session *session,
                                    const ocelotl_request *request, ocelotl_model_options *options)
{
    char *key = NULL;
    if (options->type_level != OCELOTL_TYPE_LEVEL_AUTO || request->type_tree == NULL)
        return ocelotl_model_from_trace(&view->model, session->trace, options);
    OC_TRY(make_level_key(&key, request));
    if (session->level_key != NULL && strcmp(session->level_key, key) == 0)
        options->type_level = session->type_level;
    const ocelotl_status status = ocelotl_model_from_trace(&view->model, session->trace, options);
    if (status != OCELOTL_OK) {
        free(key);
        return status;
    }
    free(session->level_key);
    session->level_key = key;
    session->type_level = ocelotl_model_info_of(view->model).type_level;
    return OCELOTL_OK;
}

/* Waits that nobody can know of are said, not left out in silence. */
static ocelotl_status say_unknown_waits(ocelotl_session *session,
                                        const ocelotl_model_options *options)
{
    const oc_waiting *waiting;
    if (!oc_is_of_waiting(options->cells.metric))
        return OCELOTL_OK;
    OC_TRY(oc_waiting_of(&waiting, session->trace, &options->work));
    if (waiting->left_out != NULL)
        oc_session_say(session, "left out of the waits: %s", waiting->left_out);
    if (waiting->wrong > 0)
        oc_session_say(session,
                       "left out of the waits: %" PRIu64 " messages that end before they begin",
                       waiting->wrong);
    return OCELOTL_OK;
}

static ocelotl_status make_of_trace(oc_view *view, ocelotl_session *session,
                                    const ocelotl_request *request, const oc_focus *place)
{
    ocelotl_model_options options = request->model;
    making step = {session, false, false};
    const ocelotl_model *known[OC_SESSION_VIEWS];
    /* A part of the trace takes its groups from a model that is there. */
    options.hierarchy.known = known;
    for (size_t i = 0; i < OC_SESSION_VIEWS; i++)
        if (session->views[i].model != NULL)
            known[options.hierarchy.known_count++] = session->views[i].model;
    OC_TRY(oc_apply_selection(&options, request, place, session->trace));
    options.work.exchange = session->options.exchange;
    options.work.progress = show_making;
    options.work.context = &step;
    oc_text choices = {0};
    ocelotl_status status = oc_choose_first(&choices, &options, session, request, place);
    options.choices = choices.bytes;
    if (status == OCELOTL_OK)
        status = make_at_level(view, session, request, &options);
    if (status == OCELOTL_OK)
        status = oc_choose_rows(view->model, request);
    if (status == OCELOTL_OK)
        status = say_unknown_waits(session, &options);
    if (status == OCELOTL_OK) {
        /* Ranks that are left without work are worth knowing of. */
        const ocelotl_exchange *exchange = session->options.exchange;
        const uint32_t leaves = ocelotl_model_info_of(view->model).leaf_count;
        if (exchange != NULL && exchange->count > leaves)
            oc_session_say(session, "%u of %u ranks have nothing to do: there are %u leaves",
                           exchange->count - leaves, exchange->count, leaves);
    }
    end_step(&step);
    oc_text_free(&choices);
    return oc_explain(status, session, request, place->narrowed);
}

static ocelotl_status make_of_matrix(oc_view *view, const ocelotl_session *session,
                                     const ocelotl_request *request)
{
    const char *option = oc_first_given(request, OC_NEEDS_TRACE);
    const char *kept = NULL;
    if (option != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--%s needs a trace, and %s is a microscopic model",
                       option, session->label);
    if (strcmp(session->path, "-") == 0)
        OC_TRY(session->options.standard_input(session->options.context, &kept));
    return ocelotl_model_from_csv(&view->model, session->path);
}

/* Checks a view that has its model. */
static ocelotl_status finish(const oc_view *view, const ocelotl_session *session,
                             const ocelotl_request *request, const oc_focus *place)
{
    const ocelotl_model_info info = ocelotl_model_info_of(view->model);
    /* In a comparison, what only one trace has is a difference. */
    if (info.empty && (oc_request_command(request) & OC_OF_PAIRS) == 0 && oc_request_hides(request))
        return oc_explain(OCELOTL_ERROR_EMPTY, session, request, place->narrowed);
    if (info.slices_reason[0] != '\0')
        oc_session_say(session, "%u slices instead of %u: %s", info.slice_count, info.slices_wanted,
                       info.slices_reason);
    if (info.values_reason[0] != '\0')
        oc_session_say(session, "%s", info.values_reason);
    if (info.types_reason[0] != '\0')
        oc_session_say(session, "%s", info.types_reason);
    return OCELOTL_OK;
}

static ocelotl_status make_view(oc_view *view, ocelotl_session *session,
                                const ocelotl_request *request, const oc_focus *place)
{
    view->kind = request->model.kind;
    if (session->given != NULL) {
        view->model = session->given;
        session->given = NULL;
        return OCELOTL_OK;
    }
    if (session->path == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the session is of a model that was made already, "
                                               "expected the options it was asked for first");
    if (session->kind == OCELOTL_FILE_MATRIX)
        OC_TRY(make_of_matrix(view, session, request));
    else
        OC_TRY(make_of_trace(view, session, request, place));
    return finish(view, session, request, place);
}

/* Finds or makes the view after `zooms` zooms, which lead to a place. */
static ocelotl_status look(oc_view **found, ocelotl_session *session,
                           const ocelotl_request *request, const oc_focus *place, size_t zooms)
{
    char *key = NULL;
    OC_TRY(oc_request_key(&key, request, zooms, false));
    oc_view *view = find_view(session, key);
    if (view->key != NULL) {
        free(key);
        *found = view;
        return OCELOTL_OK;
    }
    const ocelotl_status status = make_view(view, session, request, place);
    view->key = key;
    view->like = request->model.hierarchy.like;
    if (status != OCELOTL_OK)
        oc_view_free(view);
    *found = view;
    return status;
}

/* --- Parts */

/* The names are the model's, which goes. */
static ocelotl_status copy_resources(oc_focus *place, const ocelotl_names *names)
{
    size_t length = 0;
    const char **list = NULL;
    for (size_t i = 0; i < names->count; i++)
        length += strlen(names->names[i]) + 1;
    OC_TRY(oc_allocate(&place->texts, length + 1, 1));
    OC_TRY(oc_allocate(&list, names->count + 1, sizeof *list));
    char *text = place->texts;
    for (size_t i = 0; i < names->count; i++) {
        const size_t size = strlen(names->names[i]) + 1;
        list[i] = memcpy(text, names->names[i], size);
        text += size;
    }
    place->resources = (ocelotl_names){list, names->count};
    return OCELOTL_OK;
}

/* A number belongs to one partition: a person sees whether it is the one that was meant. */
static void tell_part(const ocelotl_session *session, const ocelotl_partition *partition,
                      const ocelotl_part *part, uint32_t number)
{
    static const char *const kinds[] = {"spatiotemporal", "temporal", "spatial"};
    const ocelotl_partition_info of = ocelotl_partition_info_of(partition);
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const double begin = ocelotl_slice_begin(&info, part->first);
    const double length = ocelotl_slice_end(&info, part->last + 1.0) - begin;
    const char *path = ocelotl_model_node_at(model, part->node).path;
    oc_session_say(session, "part %u of %zu, %s, p %s: %s from %s to %s", number, of.part_count,
                   kinds[of.kind], oc_digits(of.p).text, path[0] != '\0' ? path : "the whole",
                   oc_short_end(begin, length).text, oc_short_end(begin + length, length).text);
}

static ocelotl_status take_place(oc_focus *place, const ocelotl_session *session,
                                 const ocelotl_partition *partition, const ocelotl_zoom *zoom)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    ocelotl_place found = {0};
    if (zoom->part >= count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--part is %u, expected one of the parts 0 to %zu",
                       zoom->part, count - 1);
    const ocelotl_part part = ocelotl_partition_part_at(partition, zoom->part);
    tell_part(session, partition, &part, zoom->part);
    OC_TRY(ocelotl_model_place(&found, ocelotl_partition_model(partition), part.node, part.first,
                               part.last));
    place->narrowed = true;
    place->window.from = (ocelotl_instant){
        .text = "the part's begin", .option = "from", .is_tick = true, .tick = found.from};
    place->window.to = (ocelotl_instant){
        .text = "the part's end", .option = "to", .is_tick = true, .tick = found.to};
    const ocelotl_status status = copy_resources(place, &found.resources);
    ocelotl_place_free(&found);
    return status;
}

/* Narrows a place to a part of it. */
static ocelotl_status narrow(oc_focus *place, ocelotl_session *session,
                             const ocelotl_request *request, size_t zoom)
{
    oc_view *view = NULL;
    oc_focus next = {0};
    ocelotl_partition *partition = NULL;
    OC_TRY(look(&view, session, request, place, zoom));
    OC_TRY(oc_view_measure(view, session, request));
    OC_TRY(oc_view_solve(&partition, session, view, oc_detail_of_zoom(request, zoom),
                         request->view.plain));
    const ocelotl_status status = take_place(&next, session, partition, &request->zooms[zoom]);
    ocelotl_partition_free(partition);
    oc_focus_free(status == OCELOTL_OK ? place : &next);
    if (status == OCELOTL_OK)
        *place = next;
    return status;
}

ocelotl_status oc_session_place(ocelotl_session *session, const ocelotl_request *request)
{
    oc_focus place = {0};
    char *key = NULL;
    OC_TRY(oc_request_key(&key, request, request->zoom_count, false));
    if (session->place_key != NULL && strcmp(session->place_key, key) == 0) {
        free(key);
        return OCELOTL_OK;
    }
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < request->zoom_count && status == OCELOTL_OK; i++)
        status = narrow(&place, session, request, i);
    if (status != OCELOTL_OK) {
        oc_focus_free(&place);
        free(key);
        return status;
    }
    oc_focus_free(&session->place);
    free(session->place_key);
    session->place = place;
    session->place_key = key;
    return OCELOTL_OK;
}

ocelotl_status oc_session_look(oc_view **view, ocelotl_session *session,
                               const ocelotl_request *request)
{
    OC_TRY(oc_session_place(session, request));
    return look(view, session, request, &session->place, request->zoom_count);
}

/* --- The whole */

static ocelotl_status make_whole(oc_view *view, ocelotl_session *session,
                                 const ocelotl_request *request, const ocelotl_model_info *window)
{
    ocelotl_model_options options = request->model;
    oc_text choices = {0};
    OC_TRY(oc_apply_selection(&options, request, &session->place, session->trace));
    const ocelotl_status status =
        oc_choose_first(&choices, &options, session, request, &session->place);
    oc_text_free(&choices);
    OC_TRY(status);
    options.selection.from = INT64_MIN;
    options.selection.to = INT64_MAX;
    options.snap = false;
    options.slices = 0;
    options.type_level = window->type_level;
    options.kind = OCELOTL_TEMPORAL;
    /* It has no resources. */
    options.hierarchy = (ocelotl_hierarchy_options){.file = NULL};
    view->kind = OCELOTL_TEMPORAL;
    return ocelotl_model_from_trace(&view->model, session->trace, &options);
}

/* The whole of a window's resources and filters: the view of a key of its own. */
static ocelotl_status look_at_whole(oc_view **found, ocelotl_session *session,
                                    const ocelotl_request *request,
                                    const ocelotl_model_info *window)
{
    char *key = NULL;
    oc_text text = {0};
    OC_TRY(oc_request_key(&key, request, request->zoom_count, false));
    oc_text_format(&text, "whole %s", key);
    free(key);
    OC_TRY(oc_text_give(&key, &text));
    oc_view *view = find_view(session, key);
    *found = view;
    if (view->key != NULL) {
        free(key);
        return OCELOTL_OK;
    }
    view->key = key;
    const ocelotl_status status = make_whole(view, session, request, window);
    if (status != OCELOTL_OK)
        oc_view_free(view);
    return status;
}

ocelotl_status ocelotl_session_whole(ocelotl_partition **partition, ocelotl_session *session,
                                     const ocelotl_request *request)
{
    const ocelotl_detail first = {.kind = request->context_level > 0 ? OCELOTL_DETAIL_LEVEL
                                                                     : OCELOTL_DETAIL_AUTO,
                                  .option = "context-level",
                                  .count = request->context_level};
    oc_view *view = NULL;
    *partition = NULL;
    OC_TRY(oc_session_look(&view, session, request));
    const ocelotl_model_info info = ocelotl_model_info_of(view->model);
    if (session->trace == NULL || !info.zoomed)
        return OCELOTL_OK;
    OC_TRY(look_at_whole(&view, session, request, &info));
    OC_TRY(oc_view_measure(view, session, request));
    return oc_view_solve(partition, session, view, &first, request->view.plain);
}

#include "store/select/question.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_question_make(oc_question *question, ocelotl_trace *trace,
                                const ocelotl_selection *given, const char *type,
                                const ocelotl_work *work)
{
    question->trace = trace;
    question->selection = *given;
    oc_complete_selection(&question->selection);
    given = &question->selection;
    OC_TRY(oc_window_make(&question->window, trace, given->from, given->to));
    OC_TRY(oc_check_work(work));
    OC_TRY(oc_catalogue_read(&question->catalogue, trace));
    OC_TRY(oc_choose_resources(&question->resources, &question->catalogue, given));
    OC_TRY(oc_select_event_types(&question->event_types, trace, type));
    OC_TRY(oc_filter_make(&question->filter, &question->event_types, &question->catalogue, given));
    OC_TRY(oc_find_orphans(&question->orphans, trace));
    question->filters = question->filter.words != NULL ? question->filter.words : "";
    for (uint32_t r = 0; r < trace->resource_count; r++)
        question->resource_count += oc_is_selected(question->resources, r);
    return OCELOTL_OK;
}

void oc_question_free(oc_question *question)
{
    oc_filter_free(&question->filter);
    oc_groups_free(&question->groups);
    oc_kept_paths_free(&question->paths);
    if (question->catalogue.trace != NULL)
        oc_catalogue_free(&question->catalogue);
    free(question->resources);
    free(question->event_types);
    free(question->orphans);
}

ocelotl_status oc_question_keep_paths(oc_question *question, const oc_groups *groups)
{
    for (uint32_t g = 0; g < groups->count && groups->nodes == NULL; g++)
        if (groups->resources[g] != OCELOTL_NONE)
            OC_TRY(
                oc_path_keep(&question->paths, &question->catalogue.paths, groups->resources[g]));
    return OCELOTL_OK;
}

ocelotl_status oc_question_group(oc_question *question, const char *at)
{
    const ocelotl_trace *trace = question->trace;
    bool *used = NULL;
    if (at == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&used, trace->resource_count, sizeof *used));
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_is_selected(question->event_types, trace->streams[s].event_type))
            used[trace->streams[s].resource] = true;
    const oc_group_request asked = {.trace = trace,
                                    .used = used,
                                    .chosen = question->resources,
                                    .at = strcmp(at, "resource") == 0 ? NULL : at};
    const ocelotl_status status = oc_groups_find(&question->groups, &asked);
    free(used);
    OC_TRY(status);
    return oc_question_keep_paths(question, &question->groups);
}

const char *oc_question_group_name(const oc_question *question, uint32_t group)
{
    if (question->groups.group_of == NULL)
        return NULL;
    if (group >= question->groups.count)
        return "(outside)";
    const uint32_t resource = question->groups.resources[group];
    return resource == OCELOTL_NONE ? "" : question->paths.of[resource];
}

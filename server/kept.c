/* What was computed for a model and may be asked for again: partitions, and the search for levels.
 */
#define _GNU_SOURCE
#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_partition(server_kept_partition *one)
{
    ocelotl_partition_free(one->partition);
    free(one->fixed);
    *one = (server_kept_partition){.model = NULL};
}

static void drop_search(server_kept_search *one)
{
    ocelotl_level_search_free(one->search);
    *one = (server_kept_search){.model = NULL};
}

void server_kept_forget(server_kept *kept, const ocelotl_model *model)
{
    for (size_t i = 0; i < SERVER_KEPT_PARTITIONS; i++)
        if (model == NULL || kept->partitions[i].model == model)
            drop_partition(&kept->partitions[i]);
    for (size_t i = 0; i < OCELOTL_SESSION_MODELS; i++)
        if (model == NULL || kept->searches[i].model == model)
            drop_search(&kept->searches[i]);
}

static bool is_same(const ocelotl_detail *a, const ocelotl_detail *b)
{
    return a->kind == b->kind && !(a->p < b->p) && !(a->p > b->p) && a->count == b->count &&
           a->rule == b->rule;
}

/* --- Partitions */

static bool is_fixed_as(const server_kept_partition *one, const char *fixed)
{
    return one->fixed != NULL && strcmp(one->fixed, fixed) == 0;
}

/* The partition of a detail, or the place for one: what was used longest ago goes. */
static server_kept_partition *place_of(server_kept *kept, const ocelotl_model *model,
                                       const ocelotl_detail *detail, const char *fixed)
{
    server_kept_partition *oldest = &kept->partitions[0];
    for (size_t i = 0; i < SERVER_KEPT_PARTITIONS; i++) {
        server_kept_partition *one = &kept->partitions[i];
        if (one->model == model && is_same(&one->detail, detail) && is_fixed_as(one, fixed))
            return one;
        if (one->used < oldest->used)
            oldest = one;
    }
    drop_partition(oldest);
    return oldest;
}

/* What says the parts of a treemap instead of a level, to be freed; NULL: memory ran out. */
static char *fixed_of(const ocelotl_request *request)
{
    static const char *const names[] = {"at", "depth"};
    char *text = NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *value = ocelotl_request_get(request, names[i]);
        if (strcmp(request->command, "treemap") == 0 && value != NULL)
            return asprintf(&text, "%s=%s", names[i], value) < 0 ? NULL : text;
    }
    return strdup("");
}

ocelotl_status server_kept_find(const ocelotl_partition **partition, server_kept *kept,
                                ocelotl_session *session, const ocelotl_request *request)
{
    const ocelotl_model *model = NULL;
    ocelotl_status status = ocelotl_session_model(&model, session, request);
    if (status != OCELOTL_OK)
        return status;
    char *fixed = fixed_of(request);
    if (fixed == NULL)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    server_kept_partition *one = place_of(kept, model, &request->detail, fixed);
    one->used = ++kept->clock;
    if (one->partition == NULL)
        status = ocelotl_session_partition(&one->partition, session, request);
    if (status != OCELOTL_OK) {
        free(fixed);
        return status;
    }
    free(one->fixed);
    one->fixed = fixed;
    one->model = model;
    one->detail = request->detail;
    *partition = one->partition;
    return OCELOTL_OK;
}

/* --- Searches */

static server_kept_search *search_of(server_kept *kept, const ocelotl_model *model)
{
    server_kept_search *oldest = &kept->searches[0];
    for (size_t i = 0; i < OCELOTL_SESSION_MODELS; i++) {
        server_kept_search *one = &kept->searches[i];
        if (one->model == model)
            return one;
        if (one->used < oldest->used)
            oldest = one;
    }
    drop_search(oldest);
    return oldest;
}

ocelotl_status server_kept_search_of(ocelotl_level_search **search, server_kept *kept,
                                     ocelotl_session *session, const ocelotl_request *request)
{
    const ocelotl_aggregation *aggregation = NULL;
    const ocelotl_model *model = NULL;
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    options.work = kept->work;
    ocelotl_status status = ocelotl_session_model(&model, session, request);
    if (status == OCELOTL_OK)
        status = ocelotl_session_aggregation(&aggregation, session, request);
    if (status != OCELOTL_OK)
        return status;
    server_kept_search *one = search_of(kept, model);
    one->used = ++kept->clock;
    if (one->search == NULL)
        status = ocelotl_level_search_begin(&one->search, aggregation, &options);
    if (status != OCELOTL_OK)
        return status;
    one->model = model;
    *search = one->search;
    return OCELOTL_OK;
}

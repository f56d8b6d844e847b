/* Which models stay: those used last, as many as memory is given for. The second trace of a
 * comparison has its models in the same memory. */
#include "request/session.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_session *owner_of(ocelotl_session *session)
{
    return session->first != NULL ? session->first : session;
}

void ocelotl_session_release(ocelotl_session *session)
{
    owner_of(session)->turn++;
}

void oc_session_use(ocelotl_session *session, oc_view *view)
{
    ocelotl_session *owner = owner_of(session);
    view->used = ++owner->clock;
    view->turn = owner->turn;
}

/* --- Dropping */

void oc_view_free(oc_view *view)
{
    if (view->kept != NULL) {
        ocelotl_measured_free(view->kept);
    } else {
        ocelotl_aggregation_free(view->aggregation);
        ocelotl_model_free(view->model);
    }
    free(view->key);
    *view = (oc_view){0};
}

static void drop_alone(const ocelotl_session *session, oc_view *view)
{
    if (view->model != NULL && session->options.forget != NULL)
        session->options.forget(session->options.context, view->model);
    oc_view_free(view);
}

/* A model made later may be where this one was, so what is like it goes, too. */
void oc_session_drop(ocelotl_session *session, oc_view *view)
{
    for (size_t i = 0; session->second != NULL && view->model != NULL && i < OC_SESSION_VIEWS; i++)
        if (session->second->views[i].like == view->model)
            drop_alone(session->second, &session->second->views[i]);
    drop_alone(session, view);
}

oc_view *oc_session_place_for_view(ocelotl_session *session)
{
    const size_t most =
        session->options.memory > 0 ? OC_SESSION_VIEWS : (size_t)OCELOTL_SESSION_MODELS;
    oc_view *oldest = &session->views[0];
    for (size_t i = 1; i < most; i++)
        if (session->views[i].used < oldest->used)
            oldest = &session->views[i];
    oc_session_drop(session, oldest);
    return oldest;
}

/* --- Bytes */

/* What a model takes, roughly: a cell has a slice, a number and its sums. */
static uint64_t bytes_of_model(const ocelotl_model *model)
{
    enum { OF_CELL = 24, OF_NODE = 256 };
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    return (uint64_t)info.cell_count * OF_CELL + (uint64_t)info.node_count * OF_NODE;
}

/* A model counts from the moment that it is made, its measures once there is room for them. */
static uint64_t bytes_of_view(const oc_view *view)
{
    return view->bytes > 0 ? view->bytes : bytes_of_model(view->model);
}

static uint64_t add_held(const ocelotl_session *session, const oc_view *but)
{
    uint64_t sum = 0;
    for (size_t i = 0; session != NULL && i < OC_SESSION_VIEWS; i++)
        if (&session->views[i] != but && session->views[i].model != NULL)
            sum += bytes_of_view(&session->views[i]);
    return sum;
}

/* The one used longest ago among those that are not in use. */
static oc_view *find_oldest(ocelotl_session *session, uint64_t turn, const oc_view *but)
{
    oc_view *oldest = NULL;
    for (size_t i = 0; session != NULL && i < OC_SESSION_VIEWS; i++) {
        oc_view *view = &session->views[i];
        const bool free_to_go = view->model != NULL && view->turn != turn && view != but;
        if (free_to_go && (oldest == NULL || view->used < oldest->used))
            oldest = view;
    }
    return oldest;
}

/* Drops the one used longest ago of both sessions; false: all are in use. */
static bool drop_oldest(ocelotl_session *owner, const oc_view *but)
{
    oc_view *own = find_oldest(owner, owner->turn, but);
    oc_view *other = find_oldest(owner->second, owner->turn, but);
    if (own == NULL && other == NULL)
        return false;
    if (own == NULL || (other != NULL && other->used < own->used))
        oc_session_drop(owner->second, other);
    else
        oc_session_drop(owner, own);
    return true;
}

ocelotl_status oc_session_make_room(uint64_t *limit, ocelotl_session *session, oc_view *view,
                                    const ocelotl_aggregation_options *options)
{
    ocelotl_session *owner = owner_of(session);
    const uint64_t memory = owner->options.memory;
    uint64_t least, most;
    *limit = 0;
    if (memory == 0)
        return OCELOTL_OK;
    OC_TRY(ocelotl_aggregation_memory(&least, &most, view->model, options));
    const uint64_t model = bytes_of_model(view->model);
    uint64_t held = add_held(owner, view) + add_held(owner->second, view);
    while (held + model + most > memory && drop_oldest(owner, view))
        held = add_held(owner, view) + add_held(owner->second, view);
    *limit = held + model < memory ? memory - held - model : 1;
    view->bytes = model + (most < *limit ? most : *limit);
    return OCELOTL_OK;
}

/* Models with their measures: which of them stay, being used last, as many as memory is given for;
 * and their partitions. The second trace of a comparison has its models in the same memory. */
#include "aggregate/memory.h"
#include "base/memory.h"
#include "base/plain.h"
#include "request/session.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* --- Models and measures that outlive the place they have in a session: they are counted */

struct ocelotl_measured {
    atomic_uint users; /* the session is one, until it forgets them */
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
};

void ocelotl_measured_free(ocelotl_measured *measured)
{
    if (measured == NULL ||
        atomic_fetch_sub_explicit(&measured->users, 1, memory_order_acq_rel) > 1)
        return;
    ocelotl_aggregation_free(measured->aggregation);
    ocelotl_model_free(measured->model);
    free(measured);
}

const ocelotl_aggregation *ocelotl_measured_aggregation(const ocelotl_measured *measured)
{
    return measured->aggregation;
}

ocelotl_status oc_view_keep(ocelotl_measured **measured, oc_view *view)
{
    ocelotl_measured *made = view->kept;
    if (made == NULL) {
        OC_TRY(oc_allocate(&made, 1, sizeof *made));
        atomic_init(&made->users, 1);
        made->model = view->model;
        made->aggregation = view->aggregation;
        view->kept = made;
    }
    atomic_fetch_add_explicit(&made->users, 1, memory_order_relaxed);
    *measured = made;
    return OCELOTL_OK;
}

/* --- Use */

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
static void session_drop(ocelotl_session *session, oc_view *view)
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
    session_drop(session, oldest);
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
        session_drop(owner->second, other);
    else
        session_drop(owner, own);
    return true;
}

/* Makes room for the measures of a view: *limit is what they and a solve may take, 0 for the
 * default. Errors: those of ocelotl_aggregation_memory. */
static ocelotl_status session_make_room(uint64_t *limit, ocelotl_session *session, oc_view *view,
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

/* --- Measures and partitions */

static ocelotl_status check_statistic(const oc_view *view, uint32_t percentile)
{
    if (percentile == 0 || ocelotl_model_info_of(view->model).additive)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "--statistic is of cells that add up, and those of this metric do not");
}

ocelotl_status oc_view_measure(oc_view *view, ocelotl_session *session,
                               const ocelotl_request *request)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    if (view->aggregation != NULL)
        return OCELOTL_OK;
    OC_TRY(check_statistic(view, request->percentile));
    options.kind = view->kind;
    options.percentile = request->percentile;
    options.work.threads = request->threads;
    options.work.exchange = session->options.exchange;
    options.work.progress = session->options.within;
    options.work.context = session->options.context;
    OC_TRY(session_make_room(&options.work.memory_limit, session, view, &options));
    oc_session_begin(session, OCELOTL_STEP_MEASURING);
    const ocelotl_status status =
        ocelotl_aggregation_create(&view->aggregation, view->model, &options);
    oc_session_end(session);
    return status;
}

/* The p that a question was answered with before. */
static bool find_p(double *p, const ocelotl_session *session, const oc_view *view,
                   const char *question)
{
    char *text = oc_answer_find(session, view, question);
    char *end = text;
    if (text != NULL)
        *p = oc_plain_number(text, &end);
    const bool found = end != text && *end == '\0' && *p >= 0 && *p <= 1;
    free(text);
    return found;
}

static void keep_p(double p, const ocelotl_session *session, const oc_view *view,
                   const char *question)
{
    const oc_digits_text digits = oc_digits(p);
    oc_answer_keep(session, view, question, digits.text, strlen(digits.text));
}

static ocelotl_status find_level(double *p, const oc_view *view, const char *option,
                                 uint32_t number, bool plain)
{
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_levels *levels = NULL;
    options.knee = plain;
    OC_TRY(ocelotl_levels_find(&levels, view->aggregation, &options));
    const size_t count = ocelotl_levels_info_of(levels).count;
    ocelotl_status status = OCELOTL_OK;
    if (number > count)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--%s is %u, expected at most %zu, as listed by ocelotl-cli sweep", option,
                         number, count);
    else
        *p = ocelotl_levels_at(levels, number - 1).p;
    ocelotl_levels_free(levels);
    return status;
}

static ocelotl_status solve_level(ocelotl_partition **partition, const ocelotl_session *session,
                                  const oc_view *view, const ocelotl_detail *detail, bool plain)
{
    const char *option = detail->option != NULL ? detail->option : "level";
    const uint32_t number = detail->count;
    char question[40];
    double p = 0;
    oc_plain_print(question, sizeof question, "level %u %d", number, plain);
    const bool known = find_p(&p, session, view, question);
    if (!known)
        OC_TRY(find_level(&p, view, option, number, plain));
    OC_TRY(ocelotl_solve(partition, view->aggregation, p));
    if (!known)
        keep_p(p, session, view, question);
    return OCELOTL_OK;
}

static ocelotl_status solve_auto(ocelotl_partition **partition, const ocelotl_session *session,
                                 const oc_view *view, const ocelotl_detail *detail, bool plain)
{
    const ocelotl_rule rule =
        plain && detail->rule == OCELOTL_RULE_FIRST ? OCELOTL_RULE_KNEE : detail->rule;
    char question[40];
    double p;
    oc_plain_print(question, sizeof question, "auto %d %u", (int)rule, detail->count);
    if (find_p(&p, session, view, question))
        return ocelotl_solve(partition, view->aggregation, p);
    OC_TRY(ocelotl_solve_rule(partition, view->aggregation, rule, detail->count));
    keep_p(ocelotl_partition_info_of(*partition).p, session, view, question);
    return OCELOTL_OK;
}

/* Asked for 100 parts and given 20, a person would look for the mistake. */
static ocelotl_status solve_parts(ocelotl_partition **partition, const ocelotl_session *session,
                                  const oc_view *view, uint32_t count)
{
    OC_TRY(ocelotl_solve_parts(partition, view->aggregation, count));
    const ocelotl_partition_info info = ocelotl_partition_info_of(*partition);
    if (info.next_count > 0)
        oc_session_say(session, "--parts %u gives %zu; the next level has %zu", count,
                       info.part_count, info.next_count);
    return OCELOTL_OK;
}

static ocelotl_status solve(ocelotl_partition **partition, const ocelotl_session *session,
                            const oc_view *view, const ocelotl_detail *detail, bool plain)
{
    switch (detail->kind) {
    case OCELOTL_DETAIL_P:
        return ocelotl_solve(partition, view->aggregation, detail->p);
    case OCELOTL_DETAIL_P_RAW:
        return ocelotl_solve_raw(partition, view->aggregation, detail->p);
    case OCELOTL_DETAIL_LEVEL:
        return solve_level(partition, session, view, detail, plain);
    case OCELOTL_DETAIL_PARTS:
        return solve_parts(partition, session, view, detail->count);
    default:
        return solve_auto(partition, session, view, detail, plain);
    }
}

ocelotl_status oc_view_solve(ocelotl_partition **partition, const ocelotl_session *session,
                             const oc_view *view, const ocelotl_detail *detail, bool plain)
{
    oc_session_begin(session, OCELOTL_STEP_SOLVING);
    const ocelotl_status status = solve(partition, session, view, detail, plain);
    oc_session_end(session);
    return status;
}

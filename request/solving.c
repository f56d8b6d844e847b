#include "request/session.h"

#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

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
    options.work.progress = session->options.within;
    options.work.context = session->options.context;
    OC_TRY(oc_session_make_room(&options.work.memory_limit, session, view, &options));
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
                                 uint32_t number)
{
    ocelotl_levels *levels = NULL;
    OC_TRY(ocelotl_levels_find(&levels, view->aggregation, NULL));
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
                                  const oc_view *view, const ocelotl_detail *detail)
{
    const uint32_t number = detail->count;
    char question[40];
    double p = 0;
    oc_plain_print(question, sizeof question, "level %u", number);
    const bool known = find_p(&p, session, view, question);
    if (!known)
        OC_TRY(find_level(&p, view, detail->option != NULL ? detail->option : "level", number));
    OC_TRY(ocelotl_solve(partition, view->aggregation, p));
    if (!known)
        keep_p(p, session, view, question);
    return OCELOTL_OK;
}

static ocelotl_status solve_auto(ocelotl_partition **partition, const ocelotl_session *session,
                                 const oc_view *view, const ocelotl_detail *detail)
{
    char question[40] = "auto";
    double p;
    if (detail->rule != OCELOTL_RULE_KNEE)
        oc_plain_print(question, sizeof question, "rule %d %u", (int)detail->rule, detail->count);
    if (find_p(&p, session, view, question))
        return ocelotl_solve(partition, view->aggregation, p);
    OC_TRY(ocelotl_solve_rule(partition, view->aggregation, detail->rule, detail->count));
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
                            const oc_view *view, const ocelotl_detail *detail)
{
    switch (detail->kind) {
    case OCELOTL_DETAIL_P:
        return ocelotl_solve(partition, view->aggregation, detail->p);
    case OCELOTL_DETAIL_P_RAW:
        return ocelotl_solve_raw(partition, view->aggregation, detail->p);
    case OCELOTL_DETAIL_LEVEL:
        return solve_level(partition, session, view, detail);
    case OCELOTL_DETAIL_PARTS:
        return solve_parts(partition, session, view, detail->count);
    default:
        return solve_auto(partition, session, view, detail);
    }
}

ocelotl_status oc_view_solve(ocelotl_partition **partition, const ocelotl_session *session,
                             const oc_view *view, const ocelotl_detail *detail)
{
    oc_session_begin(session, OCELOTL_STEP_SOLVING);
    const ocelotl_status status = solve(partition, session, view, detail);
    oc_session_end(session);
    return status;
}

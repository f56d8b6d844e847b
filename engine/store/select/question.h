/* What a sum over a part of a trace is about: a window, resources and events; and the groups that
 * the resources are in. */
#ifndef OC_STORE_SELECT_QUESTION_H
#define OC_STORE_SELECT_QUESTION_H

#include "store/select/filter.h"
#include "store/select/groups.h"
#include "store/select/resources.h"

#include <ocelotl/work.h>

/* Empty if zero-initialised. */
typedef struct oc_question {
    ocelotl_trace *trace;
    ocelotl_selection selection; /* completed; its texts are the caller's */
    oc_window window;
    oc_catalogue catalogue;
    bool *resources, *event_types; /* that are selected; NULL: all */
    uint32_t resource_count;       /* how many are */
    bool *orphans;                 /* by event type: some links have no beginning */
    oc_filter filter;
    const char *filters; /* in words, "" for none */
    oc_groups groups;    /* none: all is in one */
    oc_kept_paths paths; /* of groups */
} oc_question;

/* Makes the question of a selection and of the event types of a name (NULL: all). Free it in any
 * case. Errors: ARGUMENT (no such resource, type or name, from after to, more threads than there
 * may be; what a filter can have wrong), EMPTY. */
ocelotl_status oc_question_make(oc_question *question, ocelotl_trace *trace,
                                const ocelotl_selection *given, const char *type,
                                const ocelotl_work *work);
void oc_question_free(oc_question *question);

/* Finds the groups at a type of resources, or "resource": each that has such events; NULL: none.
 * Errors: ARGUMENT for an unknown type. */
ocelotl_status oc_question_group(oc_question *question, const char *at);

/* Keeps the paths of groups. */
ocelotl_status oc_question_keep_paths(oc_question *question, const oc_groups *groups);

/* The group of a resource, and how many there are with that of what is in none. */
static inline uint32_t oc_question_group_of(const oc_question *question, uint32_t resource)
{
    return question->groups.group_of != NULL ? question->groups.group_of[resource] : 0;
}
static inline uint32_t oc_question_group_count(const oc_question *question)
{
    return question->groups.group_of != NULL ? question->groups.count + 1 : 1;
}

/* The path of a group, "" for the whole trace, "(outside)" for what is in none; NULL without
 * groups. */
const char *oc_question_group_name(const oc_question *question, uint32_t group);

#endif

/* What a first picture is of, where nobody has said: a file a rule (docs/first.md). A rule looks at
 * the trace and at what the request asks for, and changes the options of the model. What it finds
 * of a trace it keeps in the session: windows, parts and pictures have the choices of the whole. */
#ifndef OC_REQUEST_FIRST_FIRST_H
#define OC_REQUEST_FIRST_FIRST_H

#include "look/idle.h"
#include "request/session.h"

#include <string.h>

/* What a rule sees and changes. */
typedef struct oc_choosing {
    ocelotl_session *session;
    const ocelotl_request *request;
    ocelotl_model_options *options;
    bool windowed; /* a window or a part was asked for */
    bool kept;     /* what was not found before is not looked for: rules fail with EMPTY */
} oc_choosing;

/* A rule. `what` is empty before; what is written into it is a few words for captions and JSON. */
typedef struct oc_first_rule {
    const char *name;
    ocelotl_status (*choose)(oc_text *what, const oc_choosing *choosing);
} oc_first_rule;

/* Whether a metric is one of waiting, where the question is who it is, and in few slices. */
static inline bool oc_is_of_waiting(const char *metric)
{
    return metric != NULL &&
           (strncmp(metric, "wait", 4) == 0 || strcmp(metric, "critical-path") == 0);
}

/* The rules, a file each. */
ocelotl_status oc_choose_subject(oc_text *what, const oc_choosing *choosing);
ocelotl_status oc_choose_tree(oc_text *what, const oc_choosing *choosing);
ocelotl_status oc_choose_slices(oc_text *what, const oc_choosing *choosing);
ocelotl_status oc_choose_time(oc_text *what, const oc_choosing *choosing);
ocelotl_status oc_choose_types(oc_text *what, const oc_choosing *choosing);
ocelotl_status oc_choose_steps(oc_text *what, const oc_choosing *choosing);

/* What a picture tells: of a model of few slices, in as many parts as a person takes in. */
enum { OC_PARTS_TAKEN_IN = 100 };

typedef struct oc_told {
    double told;   /* in bits: what one block loses, less what these parts lose */
    double lost;   /* of it, as a share */
    double others; /* of the time in states, the share of those too many to have a colour */
} oc_told;

ocelotl_status oc_find_told(oc_told *told, const oc_choosing *choosing,
                            const ocelotl_model_options *options);

/* Finds a choice unless the session did, or an earlier one; `text` is the session's. `find` writes
 * it, or nothing where nothing is chosen; so does its failure, but for MEMORY and CANCELLED. `key`
 * is what it depends on, and ends here. */
ocelotl_status oc_find_choice(const char **text, oc_choice_kept *kept, oc_text *key,
                              const oc_choosing *choosing, ocelotl_model_options *coarse,
                              ocelotl_status (*find)(oc_text *text, const oc_choosing *choosing,
                                                     ocelotl_model_options *coarse));

/* Applies the rules in turn, unless the request is plain; appends a line "NAME: WHAT" for each that
 * changes something. Errors: those of the rules, MEMORY. */
ocelotl_status oc_choose_first(oc_text *choices, ocelotl_model_options *options,
                               ocelotl_session *session, const ocelotl_request *request,
                               const oc_focus *place);

/* Notes on a model which of its rows are folded in pictures, unless the request is plain. */
ocelotl_status oc_choose_rows(ocelotl_model *model, const ocelotl_request *request);

#endif

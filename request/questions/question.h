/* A command's answer: how it is found, and written in each form. A row a command. */
#ifndef OC_QUESTIONS_QUESTION_H
#define OC_QUESTIONS_QUESTION_H

#include "aggregate/explanation.h"
#include "aggregate/hierarchies.h"
#include "answer/table.h"
#include "base/status.h"
#include "compare/compare.h"
#include "quality/causality.h"
#include "quality/clocks.h"
#include "quality/perturbation.h"
#include "query/drawables.h"
#include "query/durations.h"
#include "query/messages.h"
#include "request/options/request.h"
#include "request/session.h"
#include "series/derived.h"
#include "viz/pictures.h"

#include <ocelotl/answer.h>
#include <ocelotl/ask.h>
#include <ocelotl/picture.h>

#define OC_FORM(form) (1U << OCELOTL_FORM_##form)

enum {
    OC_FORMS_TABLE = OC_FORM(TEXT) | OC_FORM(CSV) | OC_FORM(JSON),
    OC_FORMS_PICTURE = OC_FORM(SVG) | OC_FORM(PNG) | OC_FORM(PDF)
};

typedef struct oc_question oc_question;

struct ocelotl_answer {
    const oc_question *question;
    ocelotl_session *session;
    const ocelotl_request *request;
    ocelotl_trace *trace; /* NULL: the session has a matrix */
    ocelotl_form form;    /* that is wanted first */
    void *found;          /* what `find` made, freed by `free` */
    char *kept;           /* the answer of an earlier session in that form; NULL: none */
    bool is_bad;
};

/* Whether tables are kept in the cache for later sessions, and what they depend on. */
typedef enum oc_keeps { OC_KEEPS_NONE, OC_KEEPS_OF_MODEL, OC_KEEPS_OF_OPTIONS } oc_keeps;

/* Members that are NULL: it has no such form. */
struct oc_question {
    const char *command;
    ocelotl_answering answering;
    bool of_matrix; /* there is an answer of a matrix, too */
    oc_keeps keeps;
    ocelotl_status (*check)(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view);
    ocelotl_status (*find)(ocelotl_answer *answer);
    ocelotl_status (*write)(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer);
    ocelotl_status (*draw)(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view);
    /* What the forms are made of instead, see oc_forms: the answer is what they are of. */
    ocelotl_status (*add)(oc_json *json, void *answer);
    ocelotl_status (*print)(oc_output *out, void *answer);
    ocelotl_status (*rows)(oc_csv_table *csv, void *answer);
    /* of Markdown; NULL: it refers to none */
    size_t (*pictures)(const ocelotl_answer *answer);
    ocelotl_status (*picture)(const ocelotl_sink *sink, ocelotl_answer *answer, size_t number);
    ocelotl_status (*derive)(const char *path, ocelotl_answer *answer, const char *title,
                             bool overwrite);
    ocelotl_status (*to_arrow)(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options);
    /* The rows, for all forms that have no function: pictures are bars of one column with the names
     * of another. */
    oc_table (*table)(ocelotl_answer *answer);
    uint32_t label, length;
    /* the models that pictures are of, and the second trace; NULL: no model */
    size_t (*sources)(ocelotl_trace *traces[2], const ocelotl_model *models[2],
                      const ocelotl_answer *answer);
    void (*free)(ocelotl_answer *answer); /* looks at nothing but what was found */
};

/* The drift of clocks that a request allows, as options take it: 0 is their default. */
static inline double oc_drift_of(const ocelotl_request *request)
{
    return request->max_drift > 0 ? request->max_drift / 1e6 : -1;
}

/* The path of a picture; NULL for another form, whose path says nothing of it. */
static inline const char *oc_picture_path(const char *path, ocelotl_form form)
{
    return (OC_FORMS_PICTURE >> form & 1) != 0 ? path : NULL;
}

/* A path as messages call it: "standard input" for "-". */
static inline const char *oc_path_as_said(const char *path)
{
    return path[0] == '-' && path[1] == '\0' ? "standard input" : path;
}

extern const oc_question oc_brief_question, oc_busiest_question, oc_causality_question,
    oc_check_question, oc_clocks_question, oc_compare_question, oc_correct_question,
    oc_explain_question, oc_gantt_question, oc_heap_question, oc_hierarchies_question,
    oc_matrix_question, oc_parts_question, oc_series_question, oc_sql_question, oc_stats_question,
    oc_sweep_question, oc_treemap_question, oc_waiting_question, oc_profile_question,
    oc_placement_question, oc_quantiles_question, oc_durations_question;

/* Adds the sentences of explain, without their commands, as many as have at most `most` bytes
 * together; none of a trace that it has nothing to say of. `of` has a trace. */
ocelotl_status oc_explain_briefly(oc_text *text, const ocelotl_answer *of, size_t most);

/* Says by what two models are matched, where paths differ. */
void oc_json_matched(oc_json *json, const ocelotl_comparison *comparison);
void oc_output_matched(oc_output *out, const ocelotl_comparison *comparison);

#endif

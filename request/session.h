/* What a session is made of. */
#ifndef OC_REQUEST_SESSION_H
#define OC_REQUEST_SESSION_H

#include "aggregate/hierarchies.h"
#include "base/status.h"
#include "base/text.h"
#include "compare/compare.h"
#include "explain/explain.h"
#include "query/drawables.h"
#include "query/silences.h"
#include "request/options/request.h"
#include "series/derived.h"

#include <ocelotl/import.h>
#include <ocelotl/session.h>

/* How a trace is read, as the request that the session began with has it. */
typedef struct oc_reading {
    bool no_cache;
    /* what an import is asked for; its texts are in `texts` */
    ocelotl_import_options import;
    char *texts[4];
    const char **lists[2];
} oc_reading;

/* Where a request looks: as its options say, or a part. Zero-initialised it is the former. */
typedef struct oc_focus {
    bool narrowed; /* to a part */
    ocelotl_interval window;
    ocelotl_names resources; /* the list and its texts are the place's */
    char *texts;
} oc_focus;

/* A model and what is computed from it. */
typedef struct oc_view {
    char *key; /* what it was asked for; NULL: unused */
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
    ocelotl_kind kind;
    uint64_t used;             /* the larger the later */
    ocelotl_measured *kept;    /* owns both where others keep them; NULL: nobody does */
    uint64_t bytes;            /* of both, roughly, where they are bounded */
    uint64_t turn;             /* the session's, when it was used last */
    const ocelotl_model *like; /* the model that it has the hierarchy of; NULL: none */
} oc_view;

/* Where memory is not bounded, OCELOTL_SESSION_MODELS of them are used. More than these would mean
 * that each new window takes fresh memory, which costs more than its model. */
enum { OC_SESSION_VIEWS = 2 * OCELOTL_SESSION_MODELS };

/* What a rule chose last; zero-initialised nothing. */
typedef struct oc_choice_kept {
    char *key; /* what for */
    char *text;
} oc_choice_kept;

struct ocelotl_session {
    ocelotl_session_options options;
    char *path;        /* as it was given */
    const char *label; /* as messages call it */
    oc_reading reading;
    ocelotl_file_kind kind;
    ocelotl_trace *trace; /* NULL for a matrix */
    ocelotl_model *given; /* the only one; NULL: they are made */
    char *database;       /* the path of the trace.db; NULL: none can be found again */
    bool imported;        /* `database` is in the cache */
    bool mending;         /* it was damaged there, and is imported anew */
    int held;             /* keeps others from removing it; -1: it is not in the cache */
    char *folder;         /* of temporary files, NULL: none was made */
    unsigned file_count;  /* in it */

    oc_view views[OC_SESSION_VIEWS];
    uint64_t clock;
    uint64_t turn;           /* what was used in it is in use */
    ocelotl_session *second; /* of the trace compared last, where memory is bounded; or NULL */
    ocelotl_session *first;  /* whose second it is, and whose memory it shares; or NULL */
    oc_focus place;          /* of the last request that looked into a part */
    char *place_key;         /* the request, NULL: none */
    char *level_key;         /* what a level of types was chosen for last; NULL: none was */
    uint32_t type_level;
    bool has_activity; /* it was found */
    oc_activity activity;
    oc_choice_kept subject;   /* see subject.c, or "" */
    const char *subjects[8];  /* the names of its types */
    oc_choice_kept tree;      /* why it is another one than the trace's, or "" */
    oc_choice_kept types;     /* see types.c, or "" */
    oc_choice_kept slices;    /* how many for waits, or "" */
    oc_choice_kept steps;     /* `steps` of ocelotl_model_options */
    char *choices;            /* of the first picture, as they were asked for last */
    const char **type_groups; /* of them, and their texts, as a model was made with last */
};

/* Prints a message by the caller's functions. */
void oc_session_say(const ocelotl_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void oc_session_begin(const ocelotl_session *session, ocelotl_step step);
void oc_session_end(const ocelotl_session *session);

/* Gives the path of a temporary file, to be freed. */
ocelotl_status oc_session_temporary(char **path, ocelotl_session *session, const char *suffix);
void oc_session_remove_folder(ocelotl_session *session);

/* A session of a model that is made already, which it frees in any case. It answers requests for
 * one model alone. Errors: ARGUMENT for a request for another one, from what is asked of it. */
ocelotl_status oc_session_of_model(ocelotl_session **session, ocelotl_model *model,
                                   const ocelotl_session_options *options);

/* Opens what the session is of, as a request asks for it; NULL: as it was asked for before. */
ocelotl_status oc_session_find(ocelotl_session *session, const ocelotl_request *request);

/* Makes the selection of a request, in a place, part of a model's options. */
ocelotl_status oc_apply_selection(ocelotl_model_options *options, const ocelotl_request *request,
                                  const oc_focus *place, const ocelotl_trace *trace);

/* Makes the resources and filters of a request, in a place, a selection; the window stays. */
ocelotl_status oc_select(ocelotl_selection *selection, const ocelotl_request *request,
                         const oc_focus *place, const ocelotl_trace *trace);

/* Says what unit may be meant by a shortest duration beyond the length of the trace. */
ocelotl_status oc_say_unit(const ocelotl_session *session, const ocelotl_request *request);

/* Makes EMPTY name what was chosen, but not the window and resources of a part. */
ocelotl_status oc_explain(ocelotl_status status, const ocelotl_session *session,
                          const ocelotl_request *request, bool narrowed);

/* --- What a request asks of a session, freed before it. Where it hides all on purpose they fail
 * with EMPTY, as ocelotl_session_events does */

/* What of the trace a request is about: window, resources, filters, or a part of an overview. The
 * lists live until the next request. Errors: as ocelotl_session_model. */
ocelotl_status oc_session_selection(ocelotl_selection *selection, ocelotl_session *session,
                                    const ocelotl_request *request, oc_interval_ends ends);

/* Explains what was found by what was chosen, where it is empty or hidden on purpose: gives
 * `status`, or EMPTY. */
ocelotl_status oc_check_found(ocelotl_status status, bool empty, const ocelotl_session *session,
                              const ocelotl_request *request);

/* Adds up the statistics of a request. */
ocelotl_status oc_session_statistics(ocelotl_statistics **statistics, ocelotl_session *session,
                                     const ocelotl_request *request);

/* Opens derived series of what a request is about; `watched` says whether going through these
 * reports progress. */
ocelotl_status oc_session_series(ocelotl_series **series, ocelotl_session *session,
                                 const ocelotl_request *request, bool watched);

/* Begins a step of reading events, which work reports. */
void oc_session_begin_reading(ocelotl_work *work, const ocelotl_session *session);

/* Makes drawables as fine as a picture of these options can show them: the names of the hierarchy
 * take a fifth of its width, about. */
void oc_drawables_fit(ocelotl_drawables_options *options, const ocelotl_picture_options *view);

/* Makes a failure to find anything say what was chosen: gives `status`, for EMPTY with a message of
 * the options that leave nothing. Other failures pass. */
ocelotl_status oc_session_explain(ocelotl_status status, const ocelotl_session *session,
                                  const ocelotl_request *request);

/* Whether a request hides something on purpose: by a filter, or a type of events. */
bool oc_request_hides(const ocelotl_request *request);

/* Finds an earlier session's answer to a question about the request's model, freed by free; NULL:
 * none. It depends on the trace, the model, and the version of the library. */
char *oc_session_find_answer(ocelotl_session *session, const ocelotl_request *request,
                             const char *question);

/* Keeps an answer for later sessions. That it cannot be kept is no failure. */
void oc_session_keep_answer(ocelotl_session *session, const ocelotl_request *request,
                            const char *question, const char *text, size_t length);

/* What explain finds, and the model that it refers to. */
typedef struct oc_found_explained {
    ocelotl_model *model;
    oc_explained *is;
} oc_found_explained;

/* Explains what is selected, whatever else a request asks of a model; freed in any case. */
ocelotl_status oc_session_explain_selected(oc_found_explained *found, ocelotl_session *session,
                                           const ocelotl_selection *selected,
                                           const ocelotl_work *work);
void oc_found_explained_free(oc_found_explained *found);

/* --- Which models stay (memory.c) */

/* The place for a view: an empty one, or that of the one used longest ago, which goes. */
oc_view *oc_session_place_for_view(ocelotl_session *session);

/* Notes that a view is in use. */
void oc_session_use(ocelotl_session *session, oc_view *view);

/* Makes the measures of a view where it has none. */
ocelotl_status oc_view_measure(oc_view *view, ocelotl_session *session,
                               const ocelotl_request *request);

/* Finds the partition of a measured view, at the knee where auto is to be plain; what takes a
 * search, auto and a level, is looked up among the answers first. */
ocelotl_status oc_view_solve(ocelotl_partition **partition, const ocelotl_session *session,
                             const oc_view *view, const ocelotl_detail *detail, bool plain);
void oc_view_free(oc_view *view);

/* Gives a measured view's model and measures to one user more. */
ocelotl_status oc_view_keep(ocelotl_measured **measured, oc_view *view);

/* Finds the view that a request looks into last, or makes it. */
ocelotl_status oc_session_look(oc_view **view, ocelotl_session *session,
                               const ocelotl_request *request);

/* What differs between a pair; it lives as long as that. */
const ocelotl_comparison *ocelotl_pair_comparison(const ocelotl_pair *pair);

/* Compares the first trace of a request with another operand, see ocelotl_session_compare. */
ocelotl_status oc_session_compare(ocelotl_pair **pair, ocelotl_session *first,
                                  const ocelotl_request *request, size_t operand);

/* The trace of a pair (0: the first, 1: the second), NULL for a matrix. */
ocelotl_trace *ocelotl_pair_trace(const ocelotl_pair *pair, int which);

/* Finds the p to mark among levels; not a number is auto, which the levels mark themselves. */
ocelotl_status oc_session_find_p(double *p, ocelotl_session *session,
                                 const ocelotl_request *request);

/* Finds the place of a request, and makes it the session's. */
ocelotl_status oc_session_place(ocelotl_session *session, const ocelotl_request *request);
void oc_focus_free(oc_focus *place);

/* --- Answers that took a while to find, kept in the cache as small files: one for each question to
 * each model */

/* The kept answer to a question ("sweep table", "auto"), to be freed; NULL: none, or a damaged one.
 * Beside the question it depends on the version of the program, the trace, the model and the kind;
 * without a view on the trace alone. */
char *oc_answer_find(const ocelotl_session *session, const oc_view *view, const char *question);

/* Keeps an answer. That it cannot be kept is no failure. */
void oc_answer_keep(const ocelotl_session *session, const oc_view *view, const char *question,
                    const char *text, size_t length);

/* Gives the trace that a file's answer belongs to, to be freed; NULL: it does not say. False:
 * memory ran out. */
bool oc_answer_source(char **source, const char *path);

#endif

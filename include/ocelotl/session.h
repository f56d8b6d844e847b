/* A session: from a trace to its model, its partition and its levels, as requests ask for them.
 *
 * A session opens a trace, imports it into the user's cache where it is no trace.db, and keeps what
 * it computed, so that another p costs a solve and another window no second model of the whole.
 * Answers that took a search are kept in the cache (docs/cache.md). It prints nothing; what is
 * worth telling goes to a function of the caller's.
 *
 * A session belongs to one thread at a time. What it gives lives as long as it does, models and
 * partitions until it is asked for OCELOTL_SESSION_MODELS others; where `memory` is bounded, until
 * ocelotl_session_release. */
#ifndef OCELOTL_SESSION_H
#define OCELOTL_SESSION_H

#include <ocelotl/query.h>
#include <ocelotl/request.h>
#include <ocelotl/selection.h>
#include <ocelotl/statistics.h>
#include <ocelotl/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OCELOTL_SESSION_MODELS 4
#define OCELOTL_MEMORY_QUARTER UINT64_MAX

/* A step of long work. */
typedef enum ocelotl_step {
    OCELOTL_STEP_IMPORTING = 0,
    OCELOTL_STEP_COMPARING = 1, /* resources, for groups of like siblings */
    OCELOTL_STEP_MEASURING = 2,
    OCELOTL_STEP_SOLVING = 3,
    OCELOTL_STEP_FINDING_LEVELS = 4,
    OCELOTL_STEP_VERIFYING = 5,
    OCELOTL_STEP_DRAWING_LEVELS = 6,
    OCELOTL_STEP_READING = 7 /* events */
} ocelotl_step;

/* What a session does with its caller. Zero is the default of each member. */
typedef struct ocelotl_session_options {
    size_t size;   /* sizeof(ocelotl_session_options), set by the initialiser */
    void *context; /* the first argument of each function */
    /* reports in one line what a person may want to know, such as an import, or which part a number
     * meant; NULL: none */
    void (*say)(void *context, const char *text);
    /* called when a step begins, and when it ends */
    void (*begin_step)(void *context, ocelotl_step step);
    void (*end_step)(void *context);
    ocelotl_progress progress; /* of the step */
    ocelotl_progress within;   /* of each solve of a step of several; NULL: none */
    /* Gives the path, freed by free, of a temporary file with this suffix, which the caller removes
     * later; NULL: the session makes a folder of its own. */
    ocelotl_status (*temporary)(void *context, char **path, const char *suffix);
    /* Gives a file with all of standard input, which it has made begin anew; NULL: standard input
     * is no trace. */
    ocelotl_status (*standard_input)(void *context, const char **path);
    /* called before a model is freed in favour of others, so that what was made from it can be
     * freed first; or NULL */
    void (*forget)(void *context, const ocelotl_model *model);
    /* `progress` is called for events, too, as they are read after ocelotl_session_events */
    bool watches_events;
    /* bytes that models and measures take together at most, roughly, of at most twice
     * OCELOTL_SESSION_MODELS; 0: not bounded, but at most OCELOTL_SESSION_MODELS are kept.
     * OCELOTL_MEMORY_QUARTER: a quarter of what is free when the session is opened */
    uint64_t memory;
    /* the ranks that share the work of models and measures, and ask the same of the same trace.db;
     * NULL: this process alone */
    const ocelotl_exchange *exchange;
} ocelotl_session_options;

#define OCELOTL_SESSION_OPTIONS_INIT OCELOTL_INIT(ocelotl_session_options)

typedef struct ocelotl_session ocelotl_session;

/* Opens a trace.db, a matrix, or a trace, which is imported: into the cache, or beside it where the
 * request says so or the cache cannot be used. "-" is standard input. Of the request the options of
 * reading count. Options may be NULL. Errors: those of ocelotl_identify, ocelotl_import and
 * ocelotl_trace_open. */
OCELOTL_API ocelotl_status ocelotl_session_open(ocelotl_session **session, const char *path,
                                                const ocelotl_request *request,
                                                const ocelotl_session_options *options);
OCELOTL_API void ocelotl_session_free(ocelotl_session *session);

/* Takes back, from a request for one trace, the names that its lists (--only @FILE) have and the
 * trace does not, and reports how many they are; *changed is whether there were any. A list with
 * none that the trace has stays as it is, and is refused. Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_session_fit_lists(bool *changed, const ocelotl_session *session,
                                                     ocelotl_request *request);

/* Lets models go that were asked for before: where `memory` is bounded, what was not used since
 * then makes room for others, that used longest ago first. Whatever the session gave is not used
 * after this. O(1). */
OCELOTL_API void ocelotl_session_release(ocelotl_session *session);

/* The trace. Errors: INPUT where it is a matrix. */
OCELOTL_API ocelotl_status ocelotl_session_trace(ocelotl_trace **trace, ocelotl_session *session);

/* Gives the sentence that ocelotl_ask says first of what a request is about for the command
 * explain: what stands out, or what the whole is. Freed by free. It is kept in the cache. NULL:
 * nothing can be said, or the trace has more than OCELOTL_EXPLAINED_MOST events, which all are
 * read. Errors: those of what the request is about, MEMORY, CANCELLED. */
#define OCELOTL_EXPLAINED_MOST 2000000
OCELOTL_API ocelotl_status ocelotl_session_explained(char **sentence, ocelotl_session *session,
                                                     const ocelotl_request *request);

/* What a first picture of the trace chooses, as the member `choices` of ocelotl_model_info has it,
 * but for rows; it lives until the next call. NULL: a large trace of which no picture was drawn
 * yet, or a matrix. Takes less than a picture. Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_session_choices(const char **choices, ocelotl_session *session);

/* The model that a request is about: of its window, or of the part that it looks into. Errors:
 * those of ocelotl_model_from_trace and ocelotl_solve; ARGUMENT (no such part, a window outside the
 * trace, an option that needs a trace and has a matrix), EMPTY. */
OCELOTL_API ocelotl_status ocelotl_session_model(const ocelotl_model **model,
                                                 ocelotl_session *session,
                                                 const ocelotl_request *request);

/* The measures of that model. */
OCELOTL_API ocelotl_status ocelotl_session_aggregation(const ocelotl_aggregation **aggregation,
                                                       ocelotl_session *session,
                                                       const ocelotl_request *request);

/* The same, kept: a model and its measures that live until they are freed, whatever the session is
 * asked for next, and beyond its end. Whoever shares them may solve at the same time as the session
 * does; the session's progress function is called for these solves, too, and must last as long. */
typedef struct ocelotl_measured ocelotl_measured;

/* Keeps the model and the measures of a request; freed by ocelotl_measured_free. Errors: as
 * ocelotl_session_aggregation. */
OCELOTL_API ocelotl_status ocelotl_session_keep(ocelotl_measured **measured,
                                                ocelotl_session *session,
                                                const ocelotl_request *request);
OCELOTL_API void ocelotl_measured_free(ocelotl_measured *measured);

/* The measures, which know their model. O(1). */
OCELOTL_API const ocelotl_aggregation *ocelotl_measured_aggregation(
    const ocelotl_measured *measured);

/* Its partition at the level of detail that the request wants, or of the resources of a type or
 * depth that a treemap wants; freed by ocelotl_partition_free before the session. */
OCELOTL_API ocelotl_status ocelotl_session_partition(ocelotl_partition **partition,
                                                     ocelotl_session *session,
                                                     const ocelotl_request *request);

/* The levels, all of them where the request wants that; freed by ocelotl_levels_free. */
OCELOTL_API ocelotl_status ocelotl_session_levels(ocelotl_levels **levels, ocelotl_session *session,
                                                  const ocelotl_request *request);

/* The hierarchies that every trace has. */
#define OCELOTL_OWN_HIERARCHIES 4

/* Finds the temporal partition of the whole trace to show first, of the same resources and types.
 * *partition is NULL if the request's model covers the whole. Freed by ocelotl_partition_free
 * before the session. */
OCELOTL_API ocelotl_status ocelotl_session_whole(ocelotl_partition **partition,
                                                 ocelotl_session *session,
                                                 const ocelotl_request *request);

/* --- What a request asks of the events of a trace. Where it hides all of them on purpose, by a
 * filter or a type, they fail with EMPTY and a message of the options that leave nothing. What they
 * give is freed before the session. Errors: those of oc_session_selection and of the functions
 * that open them. */

/* Opens the events; *selection is what they are of, as oc_session_selection gives it. */
OCELOTL_API ocelotl_status ocelotl_session_events(ocelotl_events **events,
                                                  ocelotl_selection *selection,
                                                  ocelotl_session *session,
                                                  const ocelotl_request *request);

/* Writes the mean of each of their derived series in each of `spans` equal spans of time; null
 * without a value. Going through them reports progress. O(changes + series x spans). */
OCELOTL_API ocelotl_status ocelotl_session_write_series_means(const ocelotl_sink *sink,
                                                              ocelotl_session *session,
                                                              const ocelotl_request *request,
                                                              uint32_t spans);

/* --- Pictures that take more of a session than one answer. The view is that of the request, with
 * what the caller adds to it: its colours, the command that metadata keep. Errors: those of what
 * they ask of the session, and of the functions that render. */

/* Completes a view for a model: the instants of --expand, and checks its type and node. Errors:
 * ARGUMENT (no such type or node), INPUT (a range that ends before it begins). */
OCELOTL_API ocelotl_status ocelotl_request_fit_view(ocelotl_picture_options *view,
                                                    const ocelotl_request *request,
                                                    const ocelotl_model *model);

/* Draws the overview of a partition of the request, below the whole trace of its window. */
OCELOTL_API ocelotl_status ocelotl_session_draw_overview(const ocelotl_sink *sink,
                                                         ocelotl_picture_format format,
                                                         ocelotl_session *session,
                                                         const ocelotl_request *request,
                                                         const ocelotl_partition *partition,
                                                         const ocelotl_picture_options *view);

/* Draws the page of all levels, with the commands that look into its parts. */
OCELOTL_API ocelotl_status ocelotl_session_draw_report(const ocelotl_sink *sink,
                                                       ocelotl_session *session,
                                                       const ocelotl_request *request,
                                                       const ocelotl_picture_options *view);

/* Two traces, or two windows of one, that a request compares. */
typedef struct ocelotl_pair ocelotl_pair;

/* Compares a session's trace, the request's first, with the request's second. The second model is
 * like that of the first. Session and request must outlive the pair. Errors: those of
 * ocelotl_session_open, ocelotl_session_model and ocelotl_compare_models. */
OCELOTL_API ocelotl_status ocelotl_session_compare(ocelotl_pair **pair, ocelotl_session *first,
                                                   const ocelotl_request *request);
OCELOTL_API void ocelotl_pair_free(ocelotl_pair *pair);

/* Writes the `most` largest named changes (docs/compare.md) in JSON, and the number of all.
 * O(changes). */
OCELOTL_API ocelotl_status ocelotl_pair_write_changes(const ocelotl_sink *sink,
                                                      const ocelotl_pair *pair, size_t most);

/* Draws both side by side, the second at the p of the first; or what differs, on a partition of
 * both, where that is the view's name ("difference"). */
OCELOTL_API ocelotl_status ocelotl_pair_draw(const ocelotl_sink *sink,
                                             ocelotl_picture_format format, ocelotl_pair *pair,
                                             const ocelotl_picture_options *view);

/* Whether the trace is one of the cache, and is damaged there: to be asked after a failure of
 * INPUT, whose message is kept. False once it was renewed. O(size of the trace.db). */
OCELOTL_API bool ocelotl_session_is_damaged(const ocelotl_session *session);

/* Removes the trace from the cache, imports it anew, and says so. What the session gave before must
 * be freed, and is gone. Errors: as ocelotl_session_open. */
OCELOTL_API ocelotl_status ocelotl_session_renew(ocelotl_session *session);

/* Adds to the message of an import that failed at a line how --lenient would help. Gives
 * `status`. */
OCELOTL_API ocelotl_status ocelotl_import_explain(ocelotl_status status, bool lenient);

/* Reports what a lenient import left out: lines, or the rest of the trace. Options may be NULL:
 * then it reports nothing. */
OCELOTL_API void ocelotl_say_skipped(const ocelotl_trace *trace,
                                     const ocelotl_session_options *options);

/* Verifies a trace.db, telling how far it is. Options may be NULL. Errors: those of ocelotl_verify.
 */
OCELOTL_API ocelotl_status ocelotl_session_verify(ocelotl_verification **verification,
                                                  const char *path,
                                                  const ocelotl_session_options *options);

#ifdef __cplusplus
}
#endif
#endif

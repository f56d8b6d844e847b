/* Answers: what a command finds of a request, written in any form that it has.
 *
 * The program, the served page and Python ask here; a command is one row with one file
 * (request/questions/). An answer belongs to the thread of its session. */
#ifndef OCELOTL_ASK_H
#define OCELOTL_ASK_H

#include <ocelotl/arrow.h>
#include <ocelotl/request.h>
#include <ocelotl/session.h>
#include <ocelotl/sink.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a command answers. Zero: it is none that this header answers. */
typedef struct ocelotl_answering {
    unsigned forms;   /* that it has: a bit each, 1 << form */
    bool streams;     /* text goes out as it is found, and cannot be taken back */
    bool shows_types; /* pictures have the colours of types, which a palette may choose */
    bool draws;       /* a picture, unless another form is asked for */
} ocelotl_answering;

/* Gives how a command answers. O(commands). Thread-safe. */
OCELOTL_API ocelotl_answering ocelotl_command_answering(const char *command);

/* Checks what the options of a request and a form of its answer need of each other, before any
 * work. `path` is where it goes; NULL: not to a file. Errors: ARGUMENT. */
OCELOTL_API ocelotl_status ocelotl_answer_check(const ocelotl_request *request, ocelotl_form form,
                                                const char *path,
                                                const ocelotl_picture_options *view);

typedef struct ocelotl_answer ocelotl_answer;

/* Finds the answer to a request, which is to be written in a form first: others may cost more.
 * Session and request must outlive it; freed by ocelotl_answer_free. Errors: those of the functions
 * of session.h; ARGUMENT for a command without answers; INPUT where it needs a trace and the
 * session has a matrix. */
OCELOTL_API ocelotl_status ocelotl_answer_find(ocelotl_answer **answer, ocelotl_session *session,
                                               const ocelotl_request *request, ocelotl_form form);
OCELOTL_API void ocelotl_answer_free(ocelotl_answer *answer);

/* Whether what was found is what the request says must not be, as `--strict` does. */
OCELOTL_API bool ocelotl_answer_is_bad(const ocelotl_answer *answer);

/* Gives the traces and models that its pictures are of, one or two, which live as long as it does;
 * NULL where there is none. Returns how many. O(1). */
OCELOTL_API size_t ocelotl_answer_sources(ocelotl_trace *traces[2], const ocelotl_model *models[2],
                                          const ocelotl_answer *answer);

/* Writes an answer. `drawn` is a request for the same with other options of how it is drawn, `view`
 * its view, with what the caller adds; NULL: those of the request that found it. Errors: ARGUMENT
 * (it has no such form), those of the sink, and of what is found as it goes. */
OCELOTL_API ocelotl_status ocelotl_answer_write(const ocelotl_sink *sink, ocelotl_answer *answer,
                                                ocelotl_form form, const ocelotl_request *drawn,
                                                const ocelotl_picture_options *view);

/* Draws the picture of a number from 1 as SVG that the answer refers to in Markdown: of an output
 * NAME.md it is NAME-1.svg. ARGUMENT beyond the count, which is 0 of what has none. */
OCELOTL_API size_t ocelotl_answer_picture_count(const ocelotl_answer *answer);
OCELOTL_API ocelotl_status ocelotl_answer_picture(const ocelotl_sink *sink, ocelotl_answer *answer,
                                                  size_t number);

/* Writes it as a trace.db, of OCELOTL_FORM_TRACE; a NULL title is that of the trace. Errors: IO for
 * a file that is there, unless `overwrite`. */
OCELOTL_API ocelotl_status ocelotl_answer_derive(const char *path, ocelotl_answer *answer,
                                                 const char *title, bool overwrite);

/* Makes a stream of its rows (arrow.h). What it reads lives as long as the answer. Errors: ARGUMENT
 * for one without rows. */
OCELOTL_API ocelotl_status ocelotl_answer_to_arrow(struct ArrowArrayStream *stream,
                                                   ocelotl_answer *answer,
                                                   const ocelotl_arrow_options *options);

/* Finds an answer, writes it, and frees it. */
OCELOTL_API ocelotl_status ocelotl_ask(const ocelotl_sink *sink, ocelotl_session *session,
                                       const ocelotl_request *request, ocelotl_form form);

#ifdef __cplusplus
}
#endif
#endif

/* Answers that took a while to find, kept in the cache as small files: one for each question to
 * each model. */
#ifndef OC_REQUEST_ANSWERS_H
#define OC_REQUEST_ANSWERS_H

#include "request/session.h"

/* The kept answer to a question ("sweep table", "auto"), to be freed; NULL: there is none, or only
 * a damaged one. What it depends on beside the question is the version of the program, the trace,
 * the model and the kind. */
char *oc_answer_find(const ocelotl_session *session, const oc_view *view, const char *question);

/* Keeps an answer. That it cannot be kept is no failure. */
void oc_answer_keep(const ocelotl_session *session, const oc_view *view, const char *question,
                    const char *text, size_t length);

/* Gives the trace that the answer in a file is of, to be freed; NULL: it does not say. False: there
 * is no memory. */
bool oc_answer_source(char **source, const char *path);

#endif

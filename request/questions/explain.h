/* What explain says, for other answers. */
#ifndef OC_QUESTIONS_EXPLAIN_H
#define OC_QUESTIONS_EXPLAIN_H

#include "base/text.h"
#include "request/questions/question.h"

/* Adds the sentences of explain, without their commands, as many as have at most `most` bytes
 * together; none of a trace that it has nothing to say of. `of` has a trace. */
ocelotl_status oc_explain_briefly(oc_text *text, const ocelotl_answer *of, size_t most);

#endif

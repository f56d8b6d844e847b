/* Asks a trace everything that the public interface can answer. */
#ifndef OC_TESTS_FUZZ_ASK_H
#define OC_TESTS_FUZZ_ASK_H

#include "fuzz.h"

#include <ocelotl/ocelotl.h>

/* Questions that are asked together. */
enum { ASK_MODELS = 1, ASK_EVENTS = 2, ASK_PICTURES = 4, ASK_EVERYTHING = 7 };

/* Asks a trace everything; each answer must be given, or fail by the file's fault, and be in its
 * range. `what` is a sum of questions. */
void ask(ocelotl_trace *trace, unsigned what);

/* Asks one question, below the count of all but those of pictures. Gives a hash of all that is
 * answered. Errors: why it is not. */
uint32_t ask_count(void);
ocelotl_status ask_one(uint64_t *hash, ocelotl_trace *trace, uint32_t question);

/* Checks what an import left: a sound trace, which goes, or a message and no file. */
void check_import(const char *path, ocelotl_status status);

#endif

/* Asks a trace everything that the public interface can answer. */
#ifndef OC_TESTS_FUZZ_ASK_H
#define OC_TESTS_FUZZ_ASK_H

#include "fuzz.h"

#include <ocelotl/ocelotl.h>

/* Questions that are asked together. */
typedef enum asked { ASK_MODELS = 1, ASK_EVENTS = 2, ASK_PICTURES = 4, ASK_EVERYTHING = 7 } asked;

/* Asks a trace everything; each answer must be given, or fail by the file's fault, and be in its
 * range. `what` is a sum of questions. */
void ask(ocelotl_trace *trace, unsigned what);

#endif

#ifndef OC_ANSWER_DECLARED_LOSSES_H
#define OC_ANSWER_DECLARED_LOSSES_H

#include "answer/declared.h"

/* Counts what rows of resources and events cannot say of a whole trace; nothing of a part, where
 * nobody expects it. Errors: MEMORY, INPUT for damage. */
ocelotl_status oc_declared_lose(ocelotl_losses *losses, const oc_declared *declared,
                                ocelotl_trace *trace);

/* Counts the resources with notes. Errors: MEMORY, INPUT for damage. */
ocelotl_status oc_lose_notes(ocelotl_losses *losses, ocelotl_trace *trace);

#endif

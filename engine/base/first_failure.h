/* The first failure of several threads, with its message: each thread has a message of its own. */
#ifndef OC_BASE_FIRST_FAILURE_H
#define OC_BASE_FIRST_FAILURE_H

#include "base/status.h"

#include <stdbool.h>

/* Zero-initialised nothing has failed. */
typedef struct oc_first_failure {
    int count;
    ocelotl_status status;
    char message[1024];
} oc_first_failure;

/* Keeps a failure of this thread, unless another one came before. */
void oc_first_failure_keep(oc_first_failure *failure, ocelotl_status status);

/* Whether any thread has failed, so that the others need not go on. */
bool oc_first_failure_is_there(const oc_first_failure *failure);

/* Once all threads are done: the failure as one of this thread, or OCELOTL_OK. */
ocelotl_status oc_first_failure_give(const oc_first_failure *failure);

#endif

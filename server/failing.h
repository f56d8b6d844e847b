/* What fails in the program, not in the library. */
#ifndef SERVER_FAILING_H
#define SERVER_FAILING_H

#include <ocelotl/status.h>

/* Keeps a message as the library does, and gives the status. */
ocelotl_status server_fail(ocelotl_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

/* Requests for memory, files and threads that fail when a program says so: see failing.c. */
#ifndef OC_TESTS_FAILING_H
#define OC_TESTS_FAILING_H

#include <stdbool.h>

/* Makes one request fail, this many requests from now. */
void failing_begin(long requests);

/* Ends that; whether the request came that was to fail. */
bool failing_end(void);

#endif

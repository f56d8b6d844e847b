/* The monotonic clock. */
#ifndef SERVER_CLOCK_H
#define SERVER_CLOCK_H

#include <stdint.h>

double server_milliseconds(void);

/* Whole seconds. */
int64_t server_seconds(void);

#endif

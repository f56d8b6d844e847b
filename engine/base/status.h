/* How every room reports an error. */
#ifndef OC_BASE_STATUS_H
#define OC_BASE_STATUS_H

#include <ocelotl/status.h>

/* Keeps the message for this thread and returns `status`. A trailing ": " and the like are the
 * caller's. */
ocelotl_status oc_fail(ocelotl_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the message of the last failure and returns `status`. */
ocelotl_status oc_fail_within(ocelotl_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

ocelotl_status oc_fail_memory(void);

/* How often this thread has had oc_fail_memory. What is made of many small pieces, such as a
 * picture, remembers it at its beginning and checks it at its end: then no piece can be missing in
 * silence. */
uint64_t oc_memory_failures(void);

/* MEMORY, where there were other failures than `before`. */
ocelotl_status oc_check_memory(uint64_t before);

/* Shows compilers and checkers that the returned status is the given one, and not 0. */
static inline ocelotl_status oc_given_status(ocelotl_status status)
{
    return status;
}
#define oc_fail(status, ...)        (oc_fail((status), __VA_ARGS__), oc_given_status(status))
#define oc_fail_within(status, ...) (oc_fail_within((status), __VA_ARGS__), oc_given_status(status))
#define oc_fail_memory()            (oc_fail_memory(), oc_given_status(OCELOTL_ERROR_MEMORY))

/* Returns from the enclosing function where `call` fails: for functions that own nothing yet. */
#define OC_TRY(call)                                 \
    do {                                             \
        const ocelotl_status oc_try_status = (call); \
        if (oc_try_status != OCELOTL_OK)             \
            return oc_try_status;                    \
    } while (0)

#endif

/* Status codes, error messages and the version: the same idiom in every function of the library.
 *
 * Every function that can fail returns an ocelotl_status and leaves a one-line message, without a
 * final newline, for the calling thread. Out-parameters are written only on success, unless said
 * otherwise. The library never prints, exits or aborts. Functions are thread-safe as long as two
 * threads do not change one object; any number may use a const one at once. NULL is for options,
 * for _free, and where a header says so; elsewhere what happens is undefined. */
#ifndef OCELOTL_STATUS_H
#define OCELOTL_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define OCELOTL_API __attribute__((visibility("default")))
#else
#define OCELOTL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ocelotl_status {
    OCELOTL_OK = 0,
    /* the request is wrong: p outside [0,1], no slices, an unknown type */
    OCELOTL_ERROR_ARGUMENT = 1,
    OCELOTL_ERROR_INPUT = 2, /* what a file holds is wrong, damaged, or of another format */
    OCELOTL_ERROR_IO = 3,    /* the system refused to open, read, write or rename a file */
    /* the request would need more memory than it may use; the message estimates it */
    OCELOTL_ERROR_LIMIT = 4,
    OCELOTL_ERROR_MEMORY = 5,    /* the system refused memory */
    OCELOTL_ERROR_CANCELLED = 6, /* the progress callback asked to stop */
    OCELOTL_ERROR_INTERNAL = 7,  /* a defect of the library */
    /* what was chosen of a trace (filters, resources, a window) leaves nothing of it */
    OCELOTL_ERROR_EMPTY = 8
} ocelotl_status;

/* The message of the last failure in this thread: for input "file:line: what is wrong, what was
 * expected". Never NULL; "" before any failure. Valid until the next failure in this thread. */
OCELOTL_API const char *ocelotl_error_message(void);

/* Keeps a message for this thread, as the library does, and returns `status`: for functions that
 * the library calls back. */
OCELOTL_API ocelotl_status ocelotl_fail(ocelotl_status status, const char *message);

/* The version that a program is compiled with. Until 1.0 a program must be compiled anew for
 * another minor version: the SOVERSION is MAJOR.MINOR. */
#define OCELOTL_VERSION_MAJOR 0
#define OCELOTL_VERSION_MINOR 2
#define OCELOTL_VERSION_PATCH 0

/* The version of the library that runs, as "major.minor.patch". */
OCELOTL_API const char *ocelotl_version(void);

#ifdef __cplusplus
}
#endif
#endif

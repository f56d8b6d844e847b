/* What the fuzz targets share. Each is run by libFuzzer (scripts/fuzz.sh), and by replay.c with the
 * inputs in regressions/ as a plain test. */
#ifndef OC_TESTS_FUZZ_H
#define OC_TESTS_FUZZ_H

#include "../temporary.h"

#include <stdint.h>

/* libFuzzer's names. */
int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* What is found wrong is a crash, so that libFuzzer keeps the input. */
#define FUZZ_CHECK(condition)                                                           \
    do {                                                                                \
        if (!(condition)) {                                                             \
            fprintf(stderr, "%s:%d: failed: %s (%s)\n", __FILE__, __LINE__, #condition, \
                    ocelotl_error_message());                                           \
            abort();                                                                    \
        }                                                                               \
    } while (0)

/* Failures of an input are its own fault, and have a message of one line. */
static inline void fuzz_check_failure(ocelotl_status status)
{
    FUZZ_CHECK(status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_LIMIT ||
               status == OCELOTL_ERROR_ARGUMENT);
    FUZZ_CHECK(ocelotl_error_message()[0] != '\0' && strchr(ocelotl_error_message(), '\n') == NULL);
}

#endif

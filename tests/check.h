/* The little that the tests share: checks that say where they failed, and a random generator. */
#ifndef OC_TESTS_CHECK_H
#define OC_TESTS_CHECK_H

#include <ocelotl/status.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exit code that ctest shows as "skipped". */
#define CHECK_SKIPPED 77

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

#define CHECK_OK(call)                                                    \
    do {                                                                  \
        if ((call) != OCELOTL_OK) {                                       \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                    ocelotl_error_message());                             \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

/* The call fails with this status, and its message contains this text. */
#define CHECK_FAILS(call, wanted, text)                                                         \
    do {                                                                                        \
        const ocelotl_status check_status = (call);                                             \
        if (check_status != (wanted) || strstr(ocelotl_error_message(), (text)) == NULL) {      \
            fprintf(stderr, "%s:%d: %s gave %d (%s), expected %d and \"%s\"\n", __FILE__,       \
                    __LINE__, #call, (int)check_status, ocelotl_error_message(), (int)(wanted), \
                    (text));                                                                    \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

/* It fails by what it was asked. */
#define CHECK_REFUSED(call, text) CHECK_FAILS(call, OCELOTL_ERROR_ARGUMENT, text)

#define CHECK_NEAR(a, b, tolerance)                                                             \
    do {                                                                                        \
        const double check_a = (a);                                                             \
        const double check_b = (b);                                                             \
        if (!(fabs(check_a - check_b) <= (tolerance))) {                                        \
            fprintf(stderr, "%s:%d: %s = %.17g, expected %s = %.17g\n", __FILE__, __LINE__, #a, \
                    check_a, #b, check_b);                                                      \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

#define CHECK_TEXT(a, b)                                                                     \
    do {                                                                                     \
        const char *check_a = (a);                                                           \
        const char *check_b = (b);                                                           \
        if (strcmp(check_a, check_b) != 0) {                                                 \
            fprintf(stderr, "%s:%d: %s = \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #a, \
                    check_a, check_b);                                                       \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

/* xorshift64*: the same numbers on every machine. The state must not be 0. */
static inline uint64_t check_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

/* Uniform in 0 .. bound - 1. */
static inline uint32_t check_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((check_random(state) >> 33) % bound);
}

/* Uniform in 0 .. 1. */
static inline double check_uniform(uint64_t *state)
{
    return (double)(check_random(state) >> 11) * 0x1p-53;
}

/* For qsort, of doubles. */
static inline int check_ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* How many of these rounds a loop over what is drawn or changed has: a quarter, or all of them with
 * OCELOTL_TEST_FULL, as in scripts/test.sh --full. */
static inline uint32_t check_rounds(uint32_t whole)
{
    return getenv("OCELOTL_TEST_FULL") != NULL ? whole : (whole + 3) / 4;
}

#endif

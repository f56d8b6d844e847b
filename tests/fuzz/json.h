/* Whether bytes are one value of JSON (RFC 8259) in UTF-8: a short reader that shares nothing with
 * what writes it. */
#ifndef OC_TESTS_FUZZ_JSON_H
#define OC_TESTS_FUZZ_JSON_H

#include <stdbool.h>
#include <stddef.h>

bool json_is_valid(const char *bytes, size_t length);

#endif

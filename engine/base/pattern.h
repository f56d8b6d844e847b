/* Names that stand for several: globs. */
#ifndef OC_BASE_PATTERN_H
#define OC_BASE_PATTERN_H

#include "base/status.h"

#include <ocelotl/types.h>

#include <stdbool.h>

/* Whether a name is the pattern, or matches it as a glob (SQLite's GLOB: `*` any text, `?` a
 * character, `[a-z]` one of several). */
bool oc_pattern_matches(const char *pattern, const char *name);

/* Whether one of the patterns matches. */
bool oc_patterns_match(const ocelotl_names *patterns, const char *name);

/* Whether all of them are texts. Errors: ARGUMENT. */
ocelotl_status oc_check_names(const ocelotl_names *names, const char *what);

/* Copies names with their texts into one block (freed by free). Errors: MEMORY. */
ocelotl_status oc_copy_names(const char ***copy, const ocelotl_names *names);

#endif

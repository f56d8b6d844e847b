/* Names that stand for several: globs. */
#ifndef OC_BASE_PATTERN_H
#define OC_BASE_PATTERN_H

#include <stdbool.h>

/* Whether a name is the pattern, or matches it as a glob (SQLite's GLOB: `*` any text, `?` a character, `[a-z]` one of
 * several). */
bool oc_pattern_matches(const char *pattern, const char *name);

#endif

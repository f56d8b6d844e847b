/* Names and globs that filter. */
#ifndef OC_MODEL_PATTERN_H
#define OC_MODEL_PATTERN_H

#include <ocelotl/model.h>

/* Whether one of the patterns matches. */
bool oc_patterns_match(const ocelotl_names *patterns, const char *name);

/* Whether all of them are texts. Errors: ARGUMENT. */
ocelotl_status oc_check_names(const ocelotl_names *names, const char *what);

#endif

/* Folds names that would differ for each event, by arguments or addresses, into few. */
#ifndef OC_IMPORTERS_COMMON_FOLDING_H
#define OC_IMPORTERS_COMMON_FOLDING_H

#include "base/text.h"

/* Zero-initialised it folds nothing. */
typedef struct oc_folding {
    struct oc_pattern *pattern;
    oc_text name;
} oc_folding;

/* Takes the option --fold-names: an extended regular expression of POSIX; NULL: nothing is folded.
 * Errors: ARGUMENT where it is none, or matches the empty text. */
ocelotl_status oc_folding_open(oc_folding *folding, const char *expression);

/* Puts a name with each match replaced by "*" in folding->name; *folded is false, and nothing is
 * changed, where nothing matches. The name ends in '\0'. Linear in the name, as far as the
 * expression is. Errors: MEMORY. */
ocelotl_status oc_folding_fold(bool *folded, oc_folding *folding, const char *name);

void oc_folding_free(oc_folding *folding);

#endif

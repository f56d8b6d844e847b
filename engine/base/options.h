/* How every function reads a structure of options. */
#ifndef OC_BASE_OPTIONS_H
#define OC_BASE_OPTIONS_H

#include "base/status.h"

#include <ocelotl/selection.h>

/* Copies the options of a caller over `known`, which holds the presets and is `size` bytes long.
 * Both structures begin with their size: a caller built against an older header gives fewer
 * members, and the rest keep their presets; one built against a newer header gives more, which are
 * not known here. NULL leaves the presets. Errors: ARGUMENT for a size that cannot be: the
 * initialiser was not used. */
ocelotl_status oc_read_options(void *known, size_t size, const void *given);

/* Completes a selection: a window that is not given becomes INT64_MIN to INT64_MAX, and a bound of
 * durations one to compare with. */
void oc_complete_selection(ocelotl_selection *selection);

#endif

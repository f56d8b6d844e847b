/* How every function reads a structure of options. */
#ifndef OC_BASE_OPTIONS_H
#define OC_BASE_OPTIONS_H

#include "base/status.h"

/* Copies the options of a caller over `known`, which holds the presets and is `size` bytes long.
 * Both structures begin with their size: a caller built against an older header gives fewer
 * members, and the rest keep their presets; one built against a newer header gives more, which are
 * not known here. NULL leaves the presets. Errors: ARGUMENT for a size that cannot be: the
 * initialiser was not used. */
ocelotl_status oc_read_options(void *known, size_t size, const void *given);

#endif

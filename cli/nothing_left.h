/* What is said where a selection leaves nothing of a trace, in the same words by every command. */
#ifndef CLI_NOTHING_LEFT_H
#define CLI_NOTHING_LEFT_H

#include "selection.h"

/* Whether something is hidden on purpose: by a filter, or by a type of events (NULL: all). A window
 * alone may well be empty. */
bool cli_has_filter(const cli_selection *selection, const char *type);

/* Says that all that was chosen of a trace (filters, resources, a window) leaves nothing to show.
 * Gives CLI_WRONG. */
int cli_fail_nothing_left(const char *trace, const cli_selection *selection, const char *type);

/* As cli_code, but for OCELOTL_ERROR_EMPTY these words, where anything was chosen. */
int cli_code_of_selection(ocelotl_status status, const char *trace, const cli_selection *selection,
                          const char *type);

#endif

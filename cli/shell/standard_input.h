/* Standard input as a TRACE: kept in a temporary file, so that it can be looked at, and then read.
 */
#ifndef CLI_STANDARD_INPUT_H
#define CLI_STANDARD_INPUT_H

#include "messages.h"
#include "progress.h"
#include "visible.h"

/* Reads standard input to its end, the first time, and makes it begin anew. *file is where it is
 * kept until the program ends; it may not be freed. */
ocelotl_status cli_keep_standard_input(const char **file, cli_progress *progress);

#endif

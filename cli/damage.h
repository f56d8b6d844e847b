/* Damage of a trace.db: what it is, and what is left. */
#ifndef CLI_DAMAGE_H
#define CLI_DAMAGE_H

#include "progress.h"

/* Verifies a trace.db, not standard input. Gives an exit code; free in any case. */
int cli_verify_file(ocelotl_verification **verification, const char *path, cli_progress *progress);

/* Writes a damage as people may see it, on one line: what, of what, when. */
void cli_write_damage(FILE *file, const ocelotl_verification *verification, uint32_t index);

/* Opens a trace.db, of which `label` is the name, or what is left of it: it says what is not, and
 * *salvaged is then a temporary file, to be freed. Gives an exit code. */
int cli_open_damaged(ocelotl_trace **trace, char **salvaged, const char *path, const char *label,
                     cli_progress *progress);

#endif

/* The user's own defaults: options in a file, which this program alone reads. */
#ifndef CLI_DEFAULTS_H
#define CLI_DEFAULTS_H

#include <ocelotl/request.h>

#include <stdbool.h>
#include <stddef.h>

/* An option of the file, and what became of it. */
typedef struct cli_default {
    char *command; /* whose section it is in; NULL: it is of every command that takes it */
    char *name;
    char *value; /* NULL: it takes none */
    size_t line;
    bool applied;
} cli_default;

/* Zero-initialised there are none. */
typedef struct cli_defaults {
    char *path; /* of the file; NULL: nothing says where it would be */
    bool found; /* it is there */
    cli_default *items;
    size_t count, capacity;
} cli_defaults;

/* Reads $XDG_CONFIG_HOME/ocelotl/defaults, or ~/.config/ocelotl/defaults; where it is not there are
 * none. Gives an exit code, after a message "FILE:LINE: ...". */
int cli_defaults_read(cli_defaults *defaults);
void cli_defaults_free(cli_defaults *defaults);

/* Fills a new request with the words of a command line without its command, and before them with
 * the defaults that they leave open and that go with them. Gives an exit code, after a message. */
int cli_defaults_apply(ocelotl_request **request, cli_defaults *defaults, size_t count,
                       const char *const *words);

/* Whether any was applied; and `"defaults":{"file":..,"applied":[..]}` with those, to be freed.
 * NULL: no memory. */
bool cli_defaults_any(const cli_defaults *defaults);
char *cli_defaults_json(const cli_defaults *defaults);

#endif

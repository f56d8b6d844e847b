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
    char *why;    /* it is left out though the command takes it; NULL: it is not */
    bool refused; /* by the trace: it is not chosen again */
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

/* Sets whether a default is applied, and why not; the reason is copied. NULL: the command does not
 * take it, or it is applied. Errors: MEMORY, not for NULL. */
ocelotl_status cli_default_set(cli_default *item, bool applied, const char *why);

/* Whether any was applied, or is left out; and
 * `"defaults":{"file":..,"applied":[..],"left_out":[..]}` with those, to be freed. NULL: no memory.
 */
bool cli_defaults_any(const cli_defaults *defaults, bool left);
char *cli_defaults_json(const cli_defaults *defaults);

/* --- Into a request (applying.c) */

/* How far a request can be tried without the trace: a function that gives an exit code, CLI_READY
 * where nothing is wrong, else after a message. Without one the request is checked alone. */
typedef struct cli_trial {
    int (*try)(const void *of, ocelotl_request *request);
    const void *of;
} cli_trial;

/* Chooses anew the defaults that a request, as the words of a line made it, leaves open and that go
 * with it. Those that are left out because of another default are said, unless quietly. Errors:
 * MEMORY. */
ocelotl_status cli_defaults_choose(cli_defaults *defaults, const ocelotl_request *asked,
                                   const cli_trial *trial, bool quietly);

/* Makes the request of the defaults that are applied, and then of what was asked. */
ocelotl_status cli_defaults_make(ocelotl_request **request, const cli_defaults *defaults,
                                 const ocelotl_request *asked);

/* Whether a default is left out because of others, and not because of what was asked alone. Errors:
 * MEMORY. */
ocelotl_status cli_default_contradicts(bool *contradicts, const cli_defaults *defaults,
                                       const cli_default *item, const ocelotl_request *asked,
                                       const cli_trial *trial);

/* Says where a default stands that is left out, and why. */
void cli_default_say(const cli_defaults *defaults, const cli_default *item);

/* Whether a message names the option or the value of a default that is applied. */
bool cli_defaults_are_named(const cli_defaults *defaults, const char *message);

/* Whether a default may be what a message is about: where that names options or values, those
 * alone. */
bool cli_default_is_suspect(const cli_defaults *defaults, const cli_default *item,
                            const char *message, const ocelotl_request *asked);

#endif

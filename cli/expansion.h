/* --expand: a node, and a range of time, of a picture that is drawn alone. */
#ifndef CLI_EXPANSION_H
#define CLI_EXPANSION_H

#include "window.h"

/* Zero-initialised it was not given. */
typedef struct cli_expansion {
    char *node; /* freed by free */
    bool range;
    cli_instant from, to;
} cli_expansion;

#define CLI_EXPANSION_HELP                                                                    \
    "  --expand NODE[,T1,T2] draw what is below one node, and between two times (as on the\n" \
    "                        axis; slices of a matrix), of the same partition at full size\n"

/* Reads NODE[,T1,T2] into the expansion and the options. Gives an exit code, after a message. */
int cli_read_expansion(cli_expansion *expansion, ocelotl_picture_options *options, const char *text,
                       const char *command);

/* Sets the range for this model, and says whether there is anything to expand. Gives an exit code,
 * after a message. */
int cli_apply_expansion(ocelotl_picture_options *options, const cli_expansion *expansion,
                        const ocelotl_model *model);

#endif

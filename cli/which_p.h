/* Which p: the ways in which a user names a level of detail. */
#ifndef CLI_WHICH_P_H
#define CLI_WHICH_P_H

#include "load.h"

typedef enum cli_p_kind {
    CLI_P_AUTO,
    CLI_P_NORMALISED,
    CLI_P_RAW,
    CLI_P_LEVEL,
    CLI_P_PARTS
} cli_p_kind;

typedef struct cli_which_p {
    cli_p_kind kind;
    const char *option; /* the option that chose, NULL: none yet */
    double p;
    uint32_t count; /* level or parts */
} cli_which_p;

enum { CLI_P = CLI_OWN_OPTION + 100, CLI_P_RAW_OPTION, CLI_LEVEL, CLI_PARTS };

#define CLI_P_OPTIONS                                                                            \
    {"p", required_argument, NULL, CLI_P}, {"p-raw", required_argument, NULL, CLI_P_RAW_OPTION}, \
        {"level", required_argument, NULL, CLI_LEVEL},                                           \
    {                                                                                            \
        "parts", required_argument, NULL, CLI_PARTS                                              \
    }

#define CLI_P_HELP                                                                          \
    "\nLevel of detail:\n"                                                                  \
    "  --p X                 trade-off from 0 (nothing is lost) to 1 (one block), or auto " \
    "(default): a\n"                                                                        \
    "                        picture that is simple and loses little; sweep marks it\n"     \
    "  --p-raw X             the same, not normalised\n"                                    \
    "  --level N             the N-th level that sweep lists (without --all)\n"             \
    "  --parts N             the most detailed level with at most N parts\n"

/* Takes one of the options above; *code and the result as for cli_take_model_option. */
bool cli_take_p_option(int *code, cli_which_p *which, int option, const char *command);

/* Solves as asked; what takes a search, auto and a level, is looked up among the answers first.
 * Gives an exit code. */
int cli_solve(ocelotl_partition **partition, cli_loaded *loaded, const cli_which_p *which);

#endif

/* What differs between two models, as a table, as CSV and as JSON. */
#ifndef CLI_COMPARE_PRINT_H
#define CLI_COMPARE_PRINT_H

#include "command.h"

/* Two models and what is known of them. */
typedef struct cli_compared {
    const ocelotl_model *models[2];
    const char *names[2]; /* the traces as they were given */
    const ocelotl_comparison *comparison;
    size_t most; /* rows of the table, of changes that are named; 0: all there are */
} cli_compared;

void cli_compare_table(FILE *file, const cli_compared *of);
void cli_compare_csv(FILE *file, const cli_compared *of);
void cli_compare_json(FILE *file, const cli_compared *of);

#endif

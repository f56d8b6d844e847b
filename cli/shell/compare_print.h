/* What differs between two models as a table: the numbers of the CSV and the JSON. */
#ifndef CLI_COMPARE_PRINT_H
#define CLI_COMPARE_PRINT_H

#include "messages.h"

#include <ocelotl/ocelotl.h>

/* Two models and what is known of them. */
typedef struct cli_compared {
    const ocelotl_model *models[2];
    const char *names[2]; /* the traces as they were given */
    const ocelotl_comparison *comparison;
    const ocelotl_phases *phases;
    bool all; /* the table has every change, not only those that are worth a row */
} cli_compared;

void cli_compare_table(FILE *file, const cli_compared *of);

#endif

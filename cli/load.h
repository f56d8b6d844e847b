/* From the TRACE of a command line to a trace or a model. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "options.h"

/* A model and what it was made of. Zero-initialised it is empty. */
typedef struct cli_loaded {
    ocelotl_trace *trace; /* NULL for a matrix */
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
} cli_loaded;

/* Opens a trace.db, or imports any other trace into the cache (or finds it there), saying so. Gives an exit code. */
int cli_open_trace(ocelotl_trace **trace, const char *path, const cli_model_options *options);

/* Makes the model and its measures. Gives an exit code; free in any case. */
int cli_load(cli_loaded *loaded, const char *path, const cli_model_options *options);
void cli_loaded_free(cli_loaded *loaded);

/* The file that a TRACE is imported into when it is used directly; false after a message. */
bool cli_cache_path(char **path, const char *trace, const cli_model_options *options);

#endif

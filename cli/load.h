/* From the TRACE of a command line to a trace or a model. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "options.h"

/* A model and what it was made of. Zero-initialised it is empty. */
typedef struct cli_loaded {
    const cli_model_options *options; /* as given to cli_load */
    ocelotl_trace *trace;             /* NULL for a matrix */
    char *path;                       /* of the trace.db; NULL where it came from standard input */
    const char *label;                /* the TRACE as the user calls it */
    ocelotl_model *model;
    ocelotl_kind kind; /* of the aggregation, as the options have it */
    ocelotl_aggregation *aggregation;
} cli_loaded;

/* Opens a trace.db, or imports any other trace into the cache (or finds it there), saying so;
 * without a cache, into a temporary file that is gone when the program ends, as always of standard
 * input ("-"). Gives an exit code. */
int cli_open_trace(ocelotl_trace **trace, const char *path, const cli_model_options *options);

/* Makes the model, and the measures. Gives an exit code; free in any case. What is loaded may not
 * be moved, and the options must outlive it. */
int cli_load(cli_loaded *loaded, const char *path, const cli_model_options *options);
void cli_loaded_free(cli_loaded *loaded);

/* Makes another model of the same trace, and no measures. */
int cli_load_again(cli_loaded *loaded, const cli_model_options *options);

/* The two steps of cli_load. */
int cli_load_model(cli_loaded *loaded, const char *path, const cli_model_options *options);
int cli_measure(cli_loaded *loaded);

#endif

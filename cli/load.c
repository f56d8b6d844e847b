#include "load.h"

#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int import_into_cache(const char *path, const char *cached, const cli_model_options *options)
{
    cli_progress progress;
    cli_begin_progress(&progress, "importing");
    ocelotl_import_options import = OCELOTL_IMPORT_OPTIONS_INIT;
    import.overwrite = true;
    import.lenient = options->lenient;
    import.time_unit = options->time_unit;
    import.progress = cli_show_progress;
    import.progress_context = &progress;
    const ocelotl_status status = ocelotl_import(cached, path, &import);
    cli_end_progress(&progress);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    fprintf(stderr, "ocelotl-cli: imported %s into %s\n", path, cached);
    return CLI_DONE;
}

static int open_through_cache(ocelotl_trace **trace, const char *path, const cli_model_options *options)
{
    char *cached = NULL;
    int code = CLI_DONE;
    if (!cli_cache_path(&cached, path, options))
        return CLI_WRONG;
    /* What is there but cannot be opened (an older version, say) is imported again. */
    const bool known = access(cached, R_OK) == 0 && ocelotl_trace_open(trace, cached) == OCELOTL_OK;
    if (known)
        fprintf(stderr, "ocelotl-cli: %s was imported before, using %s\n", path, cached);
    else
        code = import_into_cache(path, cached, options);
    if (code == CLI_DONE && !known) {
        const ocelotl_status status = ocelotl_trace_open(trace, cached);
        code = status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
    }
    free(cached);
    return code;
}

static int identify(ocelotl_file_kind *kind, const char *path)
{
    struct stat found;
    if (strcmp(path, "-") == 0)
        return cli_wrong("a trace from standard input cannot be read twice; import it first: "
                         "ocelotl-cli import - -o trace.db");
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
        return cli_wrong("%s: is no regular file and cannot be read twice; "
                         "import it first: ocelotl-cli import %s -o trace.db",
                         path, path);
    const ocelotl_status status = ocelotl_identify(kind, path);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

int cli_open_trace(ocelotl_trace **trace, const char *path, const cli_model_options *options)
{
    ocelotl_file_kind kind = OCELOTL_FILE_TRACE;
    const int code = identify(&kind, path);
    if (code != CLI_DONE)
        return code;
    if (kind == OCELOTL_FILE_MATRIX)
        return cli_wrong("%s: is a microscopic model, expected a trace", path);
    if (kind == OCELOTL_FILE_TRACE)
        return open_through_cache(trace, path, options);
    const ocelotl_status status = ocelotl_trace_open(trace, path);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

static int load_matrix(cli_loaded *loaded, const char *path, const cli_model_options *options)
{
    if (options->trace_option != NULL)
        return cli_wrong("%s needs a trace, and %s is a microscopic model", options->trace_option, path);
    const ocelotl_status status = ocelotl_model_from_csv(&loaded->model, path);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

static int load_model(cli_loaded *loaded, const char *path, const cli_model_options *options)
{
    ocelotl_file_kind kind = OCELOTL_FILE_TRACE;
    /* Standard input is read once, as a matrix: a trace would have to be imported. */
    if (strcmp(path, "-") == 0)
        return load_matrix(loaded, path, options);
    int code = identify(&kind, path);
    if (code != CLI_DONE)
        return code;
    if (kind == OCELOTL_FILE_MATRIX)
        return load_matrix(loaded, path, options);
    code = cli_open_trace(&loaded->trace, path, options);
    if (code != CLI_DONE)
        return code;
    const ocelotl_status status = ocelotl_model_from_trace(&loaded->model, loaded->trace, &options->model);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

int cli_load(cli_loaded *loaded, const char *path, const cli_model_options *options)
{
    ocelotl_aggregation_options aggregation = OCELOTL_AGGREGATION_OPTIONS_INIT;
    const int code = load_model(loaded, path, options);
    if (code != CLI_DONE)
        return code;
    const ocelotl_model_info info = ocelotl_model_get_info(loaded->model);
    if (info.slices_reason[0] != '\0')
        fprintf(stderr, "ocelotl-cli: %u slices instead of %u: %s\n", info.slice_count, info.slices_wanted,
                info.slices_reason);
    aggregation.kind = options->model.kind;
    aggregation.threads = options->threads;
    const ocelotl_status status = ocelotl_aggregation_create(&loaded->aggregation, loaded->model, &aggregation);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

void cli_loaded_free(cli_loaded *loaded)
{
    ocelotl_aggregation_free(loaded->aggregation);
    ocelotl_model_free(loaded->model);
    ocelotl_trace_free(loaded->trace);
}

#define _GNU_SOURCE
#include "load.h"

#include "cache.h"
#include "damage.h"
#include "nothing_left.h"
#include "standard_input.h"
#include "temporary.h"
#include "warnings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ocelotl_status import(const char *path, const char *target, const cli_model_options *options)
{
    char *whole = cli_is_standard_input(path) ? NULL : cli_whole_path(path);
    if (whole == NULL && !cli_is_standard_input(path))
        return OCELOTL_ERROR_MEMORY;
    cli_begin_step(options->progress, &cli_importing);
    ocelotl_import_options wanted = OCELOTL_IMPORT_OPTIONS_INIT;
    wanted.lenient = options->lenient;
    wanted.time_unit = options->time_unit;
    wanted.work.progress = cli_show_progress;
    wanted.work.context = options->progress;
    wanted.source_path = whole;
    const mode_t before = umask(077); /* what goes to the cache, or nowhere, is for nobody else */
    const ocelotl_status status = ocelotl_import(target, path, &wanted);
    umask(before);
    cli_end_step(options->progress);
    free(whole);
    return status;
}

/* Whether it is the file to write that was at fault, which is in the cache. */
static bool is_of_target(ocelotl_status status, const char *target)
{
    return status == OCELOTL_ERROR_IO &&
           strncmp(ocelotl_error_message(), target, strlen(target)) == 0;
}

/* Whatever it was imported into, a trace is called what the user calls it. */
static int open_database(ocelotl_trace **trace, const char *database, const char *path)
{
    return cli_code(ocelotl_trace_open_as(trace, database, cli_name_of(path)));
}

/* *database is the path of the trace.db, to be freed in any case. */
static int open_without_cache(ocelotl_trace **trace, char **database, const char *path,
                              const cli_model_options *options)
{
    int code = cli_temporary_file(database, ".db");
    if (code == CLI_DONE)
        code = cli_import_code(import(path, *database, options), path, options->lenient);
    return code == CLI_DONE ? open_database(trace, *database, path) : code;
}

/* A cache that cannot be used is no reason to fail. */
static int open_beside_cache(ocelotl_trace **trace, char **database, const char *path,
                             const cli_model_options *options, const char *reason)
{
    cli_cache_complain(reason != NULL ? reason : "out of memory", path);
    free(*database);
    *database = NULL;
    return open_without_cache(trace, database, path, options);
}

/* Other programs may remove what is in the cache until this one holds it, which it does until it
 * ends. What is there but cannot be opened (an older version, say) is removed. */
static bool open_held(ocelotl_trace **trace, const char *database, const char *path)
{
    const int held = cli_cache_hold(database);
    if (held >= 0 && ocelotl_trace_open_as(trace, database, cli_name_of(path)) == OCELOTL_OK) {
        cli_cache_touch(database);
        return true;
    }
    if (held >= 0) {
        close(held);
        (void)cli_cache_remove(database);
    }
    return false;
}

static bool is_there(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0;
}

/* Imports and opens; another program may do so as well, and the first one's is what both use.
 * *lost: neither is there any more, or can be used. */
static int import_and_open(ocelotl_trace **trace, char **database, const char *path,
                           const cli_model_options *options, bool *lost)
{
    const ocelotl_status status = import(path, *database, options);
    const bool of_target = is_of_target(status, *database);
    const bool others = (status == OCELOTL_ERROR_ARGUMENT || of_target) && is_there(*database);
    *lost = others && !open_held(trace, *database, path);
    if (others)
        return CLI_DONE;
    if (of_target)
        return open_beside_cache(trace, database, path, options, ocelotl_error_message());
    if (status != OCELOTL_OK)
        return cli_import_code(status, path, options->lenient);
    *lost = !open_held(trace, *database, path);
    if (!*lost)
        cli_say("imported %s into %s", path, *database);
    cli_cache_trim(*database);
    return CLI_DONE;
}

static int open_through_cache(ocelotl_trace **trace, char **database, const char *path,
                              const cli_model_options *options)
{
    char *reason = NULL;
    bool lost = false;
    int code = cli_cache_path(database, &reason, path, options);
    if (code == CLI_DONE && *database == NULL)
        code = open_beside_cache(trace, database, path, options, reason);
    else if (code == CLI_DONE && open_held(trace, *database, path))
        cli_say("%s was imported before, using %s", path, *database);
    else if (code == CLI_DONE)
        code = import_and_open(trace, database, path, options, &lost);
    if (lost)
        code = open_beside_cache(trace, database, path, options,
                                 "what was imported into it is gone, or not readable");
    free(reason);
    return code;
}

static int identify(ocelotl_file_kind *kind, const char *path, const cli_model_options *options)
{
    const char *kept;
    struct stat found;
    if (cli_is_standard_input(path)) {
        const int code = cli_keep_standard_input(&kept, options->progress);
        return code == CLI_DONE ? cli_code(ocelotl_identify(kind, path)) : code;
    }
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
        return cli_wrong("%s: is no regular file and cannot be read twice; "
                         "give it as standard input: cat %s | ocelotl-cli -",
                         path, path);
    return cli_code(ocelotl_identify(kind, path));
}

/* A trace.db at `file`, or what is left of it. */
static int open_given(ocelotl_trace **trace, char **database, const char *file, const char *path,
                      const cli_model_options *options)
{
    if (options->lenient) {
        const int code =
            cli_open_damaged(trace, database, file, cli_name_of(path), options->progress);
        if (code != CLI_DONE || *database != NULL)
            return code;
    }
    *database = strdup(file);
    if (*database == NULL)
        return cli_memory();
    return *trace != NULL ? CLI_DONE : open_database(trace, file, path);
}

/* It has no name by which the cache could find it again. */
static int open_standard_input(ocelotl_trace **trace, ocelotl_file_kind kind,
                               const cli_model_options *options)
{
    const char *kept;
    char *database = NULL;
    int code = cli_keep_standard_input(&kept, options->progress);
    if (code != CLI_DONE)
        return code;
    if (kind == OCELOTL_FILE_TRACE_DB) {
        code = open_given(trace, &database, kept, "-", options);
        free(database);
        return code;
    }
    code = open_without_cache(trace, &database, "-", options);
    free(database);
    return code;
}

static int open_trace(ocelotl_trace **trace, char **database, const char *path,
                      const cli_model_options *options)
{
    ocelotl_file_kind kind = OCELOTL_FILE_TRACE;
    const int code = identify(&kind, path, options);
    if (code != CLI_DONE)
        return code;
    if (kind == OCELOTL_FILE_MATRIX)
        return cli_wrong("%s: is a microscopic model, expected a trace", cli_name_of(path));
    if (cli_is_standard_input(path))
        return open_standard_input(trace, kind, options);
    if (kind == OCELOTL_FILE_TRACE && options->no_cache)
        return open_without_cache(trace, database, path, options);
    if (kind == OCELOTL_FILE_TRACE)
        return open_through_cache(trace, database, path, options);
    return open_given(trace, database, path, path, options);
}

/* Says each time what was left out, also of what was imported before. */
static int open_and_say(ocelotl_trace **trace, char **database, const char *path,
                        const cli_model_options *options)
{
    const int code = open_trace(trace, database, path, options);
    if (code == CLI_DONE && options->lenient)
        cli_say_skipped(*trace);
    return code;
}

int cli_open_trace(ocelotl_trace **trace, const char *path, const cli_model_options *options)
{
    char *database = NULL;
    const int code = open_and_say(trace, &database, path, options);
    free(database);
    return code;
}

static int load_matrix(cli_loaded *loaded, const char *path, const cli_model_options *options)
{
    const char *kept;
    if (options->trace_option != NULL)
        return cli_wrong("%s needs a trace, and %s is a microscopic model", options->trace_option,
                         cli_name_of(path));
    if (cli_is_standard_input(path)) {
        const int code = cli_keep_standard_input(&kept, options->progress);
        if (code != CLI_DONE)
            return code;
    }
    return cli_code(ocelotl_model_from_csv(&loaded->model, path));
}

/* Begins with what is counted: until then a signal ends the program as it always does. */
static bool show_comparing(void *context, uint64_t done, uint64_t total)
{
    cli_progress *progress = context;
    if (progress->what == NULL)
        cli_begin_step(progress, &cli_comparing);
    return cli_show_progress(progress, done, total);
}

static int make_model(cli_loaded *loaded, const ocelotl_model_options *options)
{
    ocelotl_model_options model = *options;
    cli_apply_hierarchy(&model, &loaded->options->hierarchy);
    model.work.progress = show_comparing;
    model.work.context = loaded->options->progress;
    const ocelotl_status status = ocelotl_model_from_trace(&loaded->model, loaded->trace, &model);
    if (loaded->options->progress->what != NULL)
        cli_end_step(loaded->options->progress);
    return cli_code_of_selection(status, loaded->label, &loaded->options->selection, NULL);
}

static int select_model(cli_loaded *loaded, const cli_model_options *options)
{
    ocelotl_model_options model = options->model;
    const int code = cli_apply_selection(&model, &options->selection, loaded->trace);
    return code == CLI_DONE ? make_model(loaded, &model) : code;
}

static int load_model(cli_loaded *loaded, const char *path, const cli_model_options *options)
{
    ocelotl_file_kind kind = OCELOTL_FILE_TRACE;
    int code = identify(&kind, path, options);
    if (code != CLI_DONE)
        return code;
    if (kind == OCELOTL_FILE_MATRIX)
        return load_matrix(loaded, path, options);
    code = open_and_say(&loaded->trace, &loaded->path, path, options);
    return code == CLI_DONE ? select_model(loaded, options) : code;
}

/* Once there is a model. */
static int finish_model(cli_loaded *loaded)
{
    const ocelotl_model_info info = ocelotl_model_get_info(loaded->model);
    const cli_selection *selection = &loaded->options->selection;
    if (info.empty && !loaded->options->may_be_empty && cli_has_filter(selection, NULL))
        return cli_fail_nothing_left(loaded->label, selection, NULL);
    if (info.slices_reason[0] != '\0')
        cli_say("%u slices instead of %u: %s", info.slice_count, info.slices_wanted,
                info.slices_reason);
    if (info.values_reason[0] != '\0')
        cli_say("%s", info.values_reason);
    return CLI_DONE;
}

int cli_load_model(cli_loaded *loaded, const char *path, const cli_model_options *options)
{
    loaded->options = options;
    loaded->label = cli_name_of(path);
    loaded->kind = options->model.kind;
    const int code = load_model(loaded, path, options);
    return code == CLI_DONE ? finish_model(loaded) : code;
}

int cli_load_again(cli_loaded *loaded, const cli_model_options *options)
{
    ocelotl_aggregation_free(loaded->aggregation);
    ocelotl_model_free(loaded->model);
    loaded->aggregation = NULL;
    loaded->model = NULL;
    loaded->options = options;
    loaded->kind = options->model.kind;
    const int code = select_model(loaded, options);
    return code == CLI_DONE ? finish_model(loaded) : code;
}

int cli_measure(cli_loaded *loaded)
{
    ocelotl_aggregation_options aggregation = OCELOTL_AGGREGATION_OPTIONS_INIT;
    aggregation.kind = loaded->kind;
    aggregation.work.threads = loaded->options->threads;
    aggregation.work.progress = cli_show_progress_within;
    aggregation.work.context = loaded->options->progress;
    cli_begin_step(loaded->options->progress, &cli_measuring);
    const ocelotl_status status =
        ocelotl_aggregation_create(&loaded->aggregation, loaded->model, &aggregation);
    cli_end_step(loaded->options->progress);
    return cli_code(status);
}

int cli_load(cli_loaded *loaded, const char *path, const cli_model_options *options)
{
    const int code = cli_load_model(loaded, path, options);
    return code == CLI_DONE ? cli_measure(loaded) : code;
}

void cli_loaded_free(cli_loaded *loaded)
{
    ocelotl_aggregation_free(loaded->aggregation);
    ocelotl_model_free(loaded->model);
    ocelotl_trace_free(loaded->trace);
    free(loaded->path);
}

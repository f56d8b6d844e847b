/* ocelotl-cli cache: what is kept between runs. */
#define _GNU_SOURCE
#include "answers.h"
#include "cache.h"
#include "cached_files.h"
#include "command_line.h"
#include "json.h"
#include "output.h"
#include "stream.h"
#include "visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_CLEAR = CLI_OWN_OPTION };

static const struct option long_options[] = {
    CLI_OUTPUT_OPTIONS,
    {"clear", no_argument, NULL, OPTION_CLEAR},
    {"csv", no_argument, NULL, CLI_CSV},
    {"json", no_argument, NULL, CLI_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_cache_options = long_options;

typedef struct cache_request {
    cli_request common;
    bool clear;
} cache_request;

static void help(FILE *file)
{
    fprintf(file, "Usage: ocelotl-cli cache [OPTIONS]\n\n"
                  "Says what is kept between runs: where, how large, and of each file what it is "
                  "made of, its size, and "
                  "when it\n"
                  "was used last. A trace was imported when it was given directly; an answer is "
                  "that of sweep, or the "
                  "level that\n"
                  "was found for a picture.\n\n"
                  "  --clear               empty it\n"
                  "  --csv, --json         print CSV or JSON instead of a table\n"
                  "  -o, --output FILE     write to a file (.csv, .json; .txt: the table) instead "
                  "of standard "
                  "output\n" CLI_FORCE_HELP "\nExamples:\n"
                  "  ocelotl-cli cache\n"
                  "  ocelotl-cli cache --clear\n");
}

/* --- What there is to say of a file */

typedef struct cached_text {
    char text[40];
} cached_text;

/* In local time, for people; else as RFC 3339 has it. */
static cached_text time_of(const struct timespec *at, bool for_people)
{
    cached_text text = {""};
    struct tm parts;
    if ((for_people ? localtime_r(&at->tv_sec, &parts) : gmtime_r(&at->tv_sec, &parts)) != NULL)
        strftime(text.text, sizeof text.text, for_people ? "%Y-%m-%d %H:%M" : "%Y-%m-%dT%H:%M:%SZ",
                 &parts);
    return text;
}

static cached_text size_of(uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    cached_text text;
    double size = (double)bytes;
    size_t unit = 0;
    while (size >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        size /= 1024;
        unit++;
    }
    snprintf(text.text, sizeof text.text, "%.*f %s", unit == 0 || size >= 100 ? 0 : 1, size,
             units[unit]);
    return text;
}

/* A trace, or the question that an answer is to. */
static cached_text kind_of(const cli_cached_file *file)
{
    cached_text kind = {"trace"};
    if (file->answer)
        snprintf(kind.text, sizeof kind.text, "%.*s", (int)strcspn(file->name, "-"), file->name);
    return kind;
}

/* False for want of memory alone: a file that cannot be read is one of another version. */
static bool read_source(char **source, const char *path, bool answer)
{
    ocelotl_trace *trace = NULL;
    if (answer)
        return cli_answer_source(source, path);
    const ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK)
        return status != OCELOTL_ERROR_MEMORY;
    *source = strdup(ocelotl_trace_get_info(trace).source);
    ocelotl_trace_free(trace);
    return *source != NULL;
}

/* What it was made of, to be freed; NULL where the file does not say. */
static char *source_of(const cli_cached *cached, const cli_cached_file *file)
{
    char *path = NULL;
    char *source = NULL;
    if (asprintf(&path, "%s/%s", cached->folder, file->name) < 0)
        path = NULL;
    if (path == NULL || !read_source(&source, path, file->answer))
        cli_output_lacks(cli_memory());
    free(path);
    return source;
}

/* --- The list, what was used last coming first */

static void print_row(FILE *out, const cli_cached_file *file, const char *source)
{
    fprintf(out, "%10s  %-16s  ", size_of(file->size).text, time_of(&file->used, true).text);
    cli_write_column(out, kind_of(file).text, 6);
    fputs("  ", out);
    cli_write_visible(out, source != NULL ? source : "(not readable by this version)");
    fputc('\n', out);
}

static void csv_row(FILE *out, const cli_cached_file *file, const char *source)
{
    cli_csv_cell(out, kind_of(file).text, strlen(kind_of(file).text));
    fputc(',', out);
    if (source != NULL)
        cli_csv_cell(out, source, strlen(source));
    fprintf(out, ",%" PRIu64 ",%s,", file->size, time_of(&file->made, false).text);
    fprintf(out, "%s,", time_of(&file->used, false).text);
    cli_csv_cell(out, file->name, strlen(file->name));
    fputc('\n', out);
}

static void json_row(FILE *out, const cli_cached_file *file, const char *source)
{
    fputs("\n {", out);
    cli_json_text_of(out, "kind", kind_of(file).text);
    if (source != NULL)
        cli_json_text_of(out, "source", source);
    else
        fputs("\"source\":null,", out);
    cli_json_text_of(out, "made", time_of(&file->made, false).text);
    cli_json_text_of(out, "used", time_of(&file->used, false).text);
    cli_json_text_of(out, "file", file->name);
    fprintf(out, "\"size\":%" PRIu64 "}", file->size);
}

static void print_head(FILE *out, const cli_cached *cached, cli_content content)
{
    const char *folder = cached->folder != NULL ? cached->folder : "";
    if (content == CLI_JSON_TEXT) {
        fputc('{', out);
        cli_json_text_of(out, "folder", folder);
        fprintf(out, "\"size\":%" PRIu64 ",\"limit\":%" PRIu64 ",\"files\":[", cached->size,
                cli_cache_limit());
    } else if (content == CLI_CSV_TEXT) {
        fputs("kind,source,size,made,used,file\n", out);
    } else {
        cli_write_visible(out, folder);
        fprintf(out, ": %s", size_of(cached->size).text);
        fprintf(out, " of at most %s, %zu %s\n", size_of(cli_cache_limit()).text, cached->count,
                cached->count == 1 ? "file" : "files");
        if (cached->count > 0)
            fprintf(out, "%10s  %-16s  %-6s  %s\n", "size", "used", "what", "of");
    }
}

static int list(const cli_cached *cached, const cli_request *request)
{
    const cli_content content = request->content;
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    print_head(output.stream, cached, content);
    for (size_t i = cached->count; i > 0; i--) {
        const cli_cached_file *file = &cached->files[i - 1];
        char *source = source_of(cached, file);
        cli_cached_restore(cached, i - 1);
        if (content == CLI_JSON_TEXT && i < cached->count)
            fputc(',', output.stream);
        (content == CLI_JSON_TEXT  ? json_row
         : content == CLI_CSV_TEXT ? csv_row
                                   : print_row)(output.stream, file, source);
        free(source);
    }
    if (content == CLI_JSON_TEXT)
        fputs("]}\n", output.stream);
    return cli_output_close(&output, request->output);
}

/* --- The command */

/* What other programs are writing stays, and so does what is not of the cache. */
static int clear(cli_cached *cached)
{
    const uint64_t before = cached->size;
    size_t removed = 0;
    for (size_t i = 0; i < cached->count; i++)
        removed += cli_cached_remove(cached, i);
    cli_write_visible(stdout, cached->folder);
    printf(": removed %zu %s, %s\n", removed, removed == 1 ? "file" : "files",
           size_of(before - cached->size).text);
    return removed == cached->count ? CLI_DONE
                                    : cli_wrong("%s: %zu files are in use, or cannot be removed",
                                                cached->folder, cached->count - removed);
}

static int run(void *given)
{
    const cache_request *request = given;
    cli_cached cached = {0};
    struct stat found;
    if (request->clear &&
        (request->common.output != NULL || request->common.json || request->common.csv))
        return cli_usage("cache",
                         "--clear lists nothing, expected neither -o nor --csv nor --json");
    (void)cli_cached_read(&cached); /* a cache that is not there yet is empty */
    int code = CLI_DONE;
    if (cached.failed)
        code = cli_memory();
    else if (cached.folder == NULL)
        code = cli_wrong("neither XDG_CACHE_HOME nor HOME says where the cache is");
    else if (cached.reason != NULL && lstat(cached.folder, &found) == 0)
        code = cli_wrong("cannot use the cache: %s", cached.reason);
    else
        code = request->clear ? clear(&cached) : list(&cached, &request->common);
    cli_cached_free(&cached);
    return code;
}

static bool take_option(int *code, void *given, int option)
{
    cache_request *request = given;
    *code = CLI_DONE;
    if (option == OPTION_CLEAR)
        request->clear = true;
    return option == OPTION_CLEAR;
}

static int check_operands(int count, char **operands)
{
    return count == 0 ? CLI_DONE : cli_usage("cache", "\"%s\" is not expected", operands[0]);
}

int cli_cache(int argc, char **argv)
{
    static const cli_command_line line = {"cache",        long_options, help,      take_option,
                                          check_operands, run,          CLI_TABLES};
    cache_request request = {.common = CLI_REQUEST_INIT};
    return cli_run_command_line(&line, &request.common, argc, argv);
}

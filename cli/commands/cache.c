/* ocelotl-cli cache: what is kept between runs. */
#define _GNU_SOURCE
#include "json.h"
#include "output.h"
#include "shell.h"
#include "visible.h"

#include <ocelotl/cache.h>

#include <inttypes.h>
#include <string.h>

/* --- What there is to say of a file */

typedef struct cached_text {
    char text[40];
} cached_text;

/* In local time, for people; else as RFC 3339 has it. */
static cached_text time_of(const time_t *at, bool for_people)
{
    cached_text text = {""};
    struct tm parts;
    if ((for_people ? localtime_r(at, &parts) : gmtime_r(at, &parts)) != NULL)
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

/* --- The list, what was used last coming first */

static void print_row(FILE *out, const ocelotl_cache_file *file)
{
    fprintf(out, "%10s  %-16s  ", size_of(file->size).text, time_of(&file->used, true).text);
    cli_write_column(out, file->kind, 6);
    fputs("  ", out);
    cli_write_visible(out, file->source != NULL ? file->source : "(not readable by this version)");
    fputc('\n', out);
}

static void csv_row(FILE *out, const ocelotl_cache_file *file)
{
    cli_csv_cell(out, file->kind, strlen(file->kind));
    fputc(',', out);
    if (file->source != NULL)
        cli_csv_cell(out, file->source, strlen(file->source));
    fprintf(out, ",%" PRIu64 ",%s,", file->size, time_of(&file->made, false).text);
    fprintf(out, "%s,", time_of(&file->used, false).text);
    cli_csv_cell(out, file->name, strlen(file->name));
    fputc('\n', out);
}

static void json_row(FILE *out, const ocelotl_cache_file *file)
{
    fputs("\n {", out);
    cli_json_text_of(out, "kind", file->kind);
    if (file->source != NULL)
        cli_json_text_of(out, "source", file->source);
    else
        fputs("\"source\":null,", out);
    cli_json_text_of(out, "made", time_of(&file->made, false).text);
    cli_json_text_of(out, "used", time_of(&file->used, false).text);
    cli_json_text_of(out, "file", file->name);
    fprintf(out, "\"size\":%" PRIu64 "}", file->size);
}

static void print_head(FILE *out, const ocelotl_cache_info *info, cli_content content)
{
    if (content == CLI_JSON_TEXT) {
        fputc('{', out);
        cli_json_text_of(out, "folder", info->folder);
        fprintf(out, "\"size\":%" PRIu64 ",\"limit\":%" PRIu64 ",\"files\":[", info->bytes,
                info->limit);
    } else if (content == CLI_CSV_TEXT) {
        fputs("kind,source,size,made,used,file\n", out);
    } else {
        cli_write_visible(out, info->folder);
        fprintf(out, ": %s", size_of(info->bytes).text);
        fprintf(out, " of at most %s, %zu %s\n", size_of(info->limit).text, info->count,
                info->count == 1 ? "file" : "files");
        if (info->count > 0)
            fprintf(out, "%10s  %-16s  %-6s  %s\n", "size", "used", "what", "of");
    }
}

static int list(ocelotl_cache *cache, const cli_job *job)
{
    const cli_content content = job->content;
    const ocelotl_cache_info info = ocelotl_cache_info_of(cache);
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    print_head(output.stream, &info, content);
    for (size_t i = 0; i < info.count; i++) {
        ocelotl_cache_file file = {.kind = ""};
        const ocelotl_status status = ocelotl_cache_file_at(&file, cache, i);
        if (status != OCELOTL_OK)
            cli_output_lacks(cli_fail(status));
        if (content == CLI_JSON_TEXT && i > 0)
            fputc(',', output.stream);
        (content == CLI_JSON_TEXT  ? json_row
         : content == CLI_CSV_TEXT ? csv_row
                                   : print_row)(output.stream, &file);
    }
    if (content == CLI_JSON_TEXT)
        fputs("]}\n", output.stream);
    return cli_output_close(&output, job->request->output);
}

/* --- The command */

/* What other programs are writing stays, and so does what is not of the cache. */
static int clear(ocelotl_cache *cache)
{
    const ocelotl_cache_info before = ocelotl_cache_info_of(cache);
    const size_t removed = ocelotl_cache_clear(cache);
    const uint64_t size = before.bytes - ocelotl_cache_info_of(cache).bytes;
    cli_write_visible(stdout, before.folder);
    printf(": removed %zu %s, %s\n", removed, removed == 1 ? "file" : "files", size_of(size).text);
    return removed == before.count ? CLI_DONE
                                   : cli_wrong("%s: %zu files are in use, or cannot be removed",
                                               before.folder, before.count - removed);
}

int cli_cache(cli_job *job)
{
    const ocelotl_request *request = job->request;
    ocelotl_cache *cache = NULL;
    if (request->clear && (request->output != NULL || request->json || request->csv))
        return cli_usage("cache",
                         "--clear lists nothing, expected neither -o nor --csv nor --json");
    int code = cli_code(ocelotl_cache_read(&cache));
    if (code == CLI_DONE)
        code = request->clear ? clear(cache) : list(cache, job);
    ocelotl_cache_free(cache);
    return code;
}

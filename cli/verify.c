/* ocelotl-cli verify: whether a trace.db is as it was written. */
#include "command_line.h"
#include "damage.h"
#include "json.h"

#include <inttypes.h>

static const struct option long_options[] = {
    CLI_OUTPUT_OPTIONS,
    {"json", no_argument, NULL, CLI_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_verify_options = long_options;

static void help(FILE *file)
{
    fprintf(file,
            "Usage: ocelotl-cli verify [OPTIONS] TRACE.db\n\n"
            "Reads all of a trace.db and says what of it is damaged: which resources and times it "
            "concerns. Other\n"
            "commands check what they read, and stop at what is damaged; with --lenient they read "
            "around it. Exit\n"
            "code 1 where anything is damaged.\n\n"
            "  --json                print JSON instead of text\n"
            "  -o, --output FILE     write to a file (JSON where it ends so) instead of standard "
            "output\n" CLI_FORCE_HELP "\nExamples:\n"
            "  ocelotl-cli verify trace.db\n"
            "  ocelotl-cli --lenient trace.db -o what-is-left.svg\n");
}

static void print_text(FILE *file, const ocelotl_verification *verification)
{
    const ocelotl_verification_info info = ocelotl_verification_get_info(verification);
    for (uint32_t i = 0; i < info.damages; i++) {
        cli_write_damage(file, verification, i);
        fputc('\n', file);
    }
    if (info.damages == 0)
        fprintf(file, "sound: %" PRIu64 " chunks of %" PRIu32 " streams, %" PRIu64 " records\n",
                info.chunks, info.streams, info.records);
}

static void json_damage(FILE *file, const ocelotl_verification *verification, uint32_t index)
{
    const ocelotl_trace *trace = ocelotl_verification_trace(verification);
    const ocelotl_damage damage = ocelotl_verification_damage(verification, index);
    fprintf(file, "%s\n {", index > 0 ? "," : "");
    if (trace != NULL && damage.event_type[0] != '\0') {
        cli_json_text_of(file, "resource", damage.resource);
        cli_json_text_of(file, "type", damage.event_type);
        cli_json_number_of(file, "from", ocelotl_trace_seconds(trace, damage.from));
        cli_json_number_of(file, "to", ocelotl_trace_seconds(trace, damage.to));
        fprintf(file, "\"records\":%" PRIu64 ",", damage.records);
    }
    fputs("\"what\":", file);
    cli_json_string(file, damage.what);
    fputc('}', file);
}

static void print_json(FILE *file, const ocelotl_verification *verification)
{
    const ocelotl_verification_info info = ocelotl_verification_get_info(verification);
    fprintf(file,
            "{\"sound\":%s,\"streams\":%" PRIu32 ",\"chunks\":%" PRIu64 ",\"records\":%" PRIu64
            ",\"damage\":[",
            info.damages == 0 ? "true" : "false", info.streams, info.chunks, info.records);
    for (uint32_t i = 0; i < info.damages; i++)
        json_damage(file, verification, i);
    fprintf(file, "]}\n");
}

static int print(const ocelotl_verification *verification, const cli_request *request)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    if (request->content == CLI_JSON_TEXT)
        print_json(output.stream, verification);
    else
        print_text(output.stream, verification);
    return cli_output_close(&output, request->output);
}

/* What is left can be read unless it is a table that is damaged. */
static int judge(const ocelotl_verification *verification, const char *path)
{
    const ocelotl_verification_info info = ocelotl_verification_get_info(verification);
    if (info.damages == 0)
        return CLI_DONE;
    return cli_wrong("%s: is damaged; import the trace again%s", path,
                     info.tables_are_sound ? ", or read what is left by --lenient" : "");
}

static int run(void *given)
{
    cli_request *request = given;
    ocelotl_verification *verification = NULL;
    int code = cli_verify_file(&verification, request->operands[0], &request->progress);
    if (code == CLI_DONE)
        code = print(verification, request);
    if (code == CLI_DONE)
        code = judge(verification, request->operands[0]);
    ocelotl_verification_free(verification);
    return code;
}

int cli_verify(int argc, char **argv)
{
    static const cli_command_line line = {
        "verify", long_options, help, NULL, NULL, run, CLI_TEXT | CLI_JSON_TEXT};
    cli_request request = CLI_REQUEST_INIT;
    return cli_run_command_line(&line, &request, argc, argv);
}

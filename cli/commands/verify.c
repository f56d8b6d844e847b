/* ocelotl-cli verify: whether a trace.db is as it was written. */
#include "json.h"
#include "output.h"
#include "shell.h"
#include "visible.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_text(FILE *file, const ocelotl_verification *verification)
{
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    for (uint32_t i = 0; i < info.damages; i++) {
        char *line = NULL;
        if (ocelotl_damage_describe(&line, verification, i) == OCELOTL_OK)
            cli_write_visible(file, line);
        else
            cli_output_lacks(cli_memory());
        fputc('\n', file);
        free(line);
    }
    if (info.damages == 0)
        fprintf(file, "sound: %" PRIu64 " chunks of %" PRIu32 " streams, %" PRIu64 " records\n",
                info.chunks, info.streams, info.records);
}

static void json_damage(FILE *file, const ocelotl_verification *verification, uint32_t index)
{
    const ocelotl_trace *trace = ocelotl_verification_trace(verification);
    const ocelotl_damage damage = ocelotl_verification_damage_at(verification, index);
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
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    fprintf(file,
            "{\"sound\":%s,\"streams\":%" PRIu32 ",\"chunks\":%" PRIu64 ",\"records\":%" PRIu64
            ",\"damage\":[",
            info.damages == 0 ? "true" : "false", info.streams, info.chunks, info.records);
    for (uint32_t i = 0; i < info.damages; i++)
        json_damage(file, verification, i);
    fprintf(file, "]}\n");
}

static int print(const ocelotl_verification *verification, const cli_job *job)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    if (job->content == CLI_JSON_TEXT)
        print_json(output.stream, verification);
    else
        print_text(output.stream, verification);
    return cli_output_close(&output, job->request->output);
}

/* What is left can be read unless it is a table that is damaged. */
static int judge(const ocelotl_verification *verification, const char *path)
{
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    if (info.damages == 0)
        return CLI_DONE;
    return cli_wrong("%s: is damaged; import the trace again%s", path,
                     info.tables_are_sound ? ", or read what is left by --lenient" : "");
}

int cli_verify(cli_job *job)
{
    const char *path = job->request->operands[0];
    ocelotl_verification *verification = NULL;
    int code = cli_code(ocelotl_session_verify(&verification, path, &job->told));
    if (code == CLI_DONE)
        code = print(verification, job);
    if (code == CLI_DONE)
        code = judge(verification, path);
    ocelotl_verification_free(verification);
    return code;
}

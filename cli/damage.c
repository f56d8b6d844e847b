#define _GNU_SOURCE
#include "damage.h"

#include "temporary.h"
#include "visible.h"

#include <inttypes.h>
#include <stdlib.h>

int cli_verify_file(ocelotl_verification **verification, const char *path, cli_progress *progress)
{
    ocelotl_verify_options options = OCELOTL_VERIFY_OPTIONS_INIT;
    options.progress = cli_show_progress;
    options.progress_context = progress;
    cli_begin_step(progress, &cli_verifying);
    const ocelotl_status status = ocelotl_verify(verification, path, &options);
    cli_end_step(progress);
    return cli_code(status);
}

void cli_write_damage(FILE *file, const ocelotl_verification *verification, uint32_t index)
{
    const ocelotl_trace *trace = ocelotl_verification_trace(verification);
    const ocelotl_damage damage = ocelotl_verification_damage(verification, index);
    cli_write_visible(file, damage.what);
    if (trace == NULL || damage.event_type[0] == '\0')
        return;
    fprintf(file, ", %" PRIu64 " records of \"", damage.records);
    cli_write_visible(file, damage.event_type);
    fputs("\" at \"", file);
    cli_write_visible(file, damage.resource);
    fprintf(file, "\", from %.9g s to %.9g s", ocelotl_trace_seconds(trace, damage.from),
            ocelotl_trace_seconds(trace, damage.to));
}

/* A file may be damaged everywhere. */
static void warn(const ocelotl_verification *verification, const char *path, const char *label)
{
    enum { MOST = 10 };
    const uint32_t count = ocelotl_verification_get_info(verification).damages;
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *file = open_memstream(&text, &length);
        if (file != NULL)
            cli_write_damage(file, verification, i);
        const bool written = file != NULL && fclose(file) == 0;
        cli_say("%s is damaged, read around%s%s", label, written ? ": " : "", written ? text : "");
        free(text);
    }
    if (count > MOST)
        cli_say("and %" PRIu32 " more; ocelotl-cli verify %s lists them", count - MOST, path);
}

static int open_left(ocelotl_trace **trace, char **salvaged, ocelotl_verification *verification,
                     const char *path, const char *label)
{
    if (ocelotl_verification_get_info(verification).damages == 0)
        return cli_code(ocelotl_trace_open_as(trace, path, label));
    int code = cli_temporary_file(salvaged, ".db");
    if (code == CLI_DONE)
        code = cli_code(ocelotl_salvage(*salvaged, verification));
    if (code == CLI_DONE)
        warn(verification, path, label);
    return code == CLI_DONE ? cli_code(ocelotl_trace_open_as(trace, *salvaged, label)) : code;
}

int cli_open_damaged(ocelotl_trace **trace, char **salvaged, const char *path, const char *label,
                     cli_progress *progress)
{
    ocelotl_verification *verification = NULL;
    int code = cli_verify_file(&verification, path, progress);
    if (code == CLI_DONE)
        code = open_left(trace, salvaged, verification, path, label);
    ocelotl_verification_free(verification);
    return code;
}

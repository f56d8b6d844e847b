#include "report_page.h"

#include "part_commands.h"
#include "whole.h"

#include <math.h>

/* Not a number is auto, which the levels themselves mark. */
static int find_p(double *p, cli_loaded *loaded, const cli_which_p *which)
{
    ocelotl_partition *partition = NULL;
    *p = which->kind == CLI_P_NORMALISED ? which->p : (double)NAN;
    if (which->kind == CLI_P_NORMALISED || which->kind == CLI_P_AUTO)
        return CLI_DONE;
    const int code = cli_solve(&partition, loaded, which);
    if (code == CLI_DONE)
        *p = ocelotl_partition_get_info(partition).p;
    ocelotl_partition_free(partition);
    return code;
}

static int find_levels(ocelotl_levels **levels, cli_loaded *loaded)
{
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    options.work.progress = cli_show_progress;
    options.work.context = loaded->options->progress;
    cli_begin_step(loaded->options->progress, &cli_finding_levels);
    const ocelotl_status status = ocelotl_levels_find(levels, loaded->aggregation, &options);
    cli_end_step(loaded->options->progress);
    return cli_code(status);
}

static int write_page(const char *path, cli_loaded *loaded, const ocelotl_levels *levels, double p,
                      const ocelotl_picture_options *options)
{
    cli_whole whole = {0};
    cli_part_commands commands = {0};
    ocelotl_picture_options view = *options;
    int code = cli_part_commands_make(&commands, options->command, loaded->trace != NULL);
    if (code == CLI_DONE)
        code = cli_whole_find(&whole, loaded);
    view.whole = whole.partition;
    view.part_commands = commands.commands;
    view.part_command_count = commands.count;
    if (code == CLI_DONE) {
        cli_begin_step(loaded->options->progress, &cli_drawing_levels);
        const ocelotl_status status =
            ocelotl_report_render(path, loaded->aggregation, levels, p, &view);
        cli_end_step(loaded->options->progress);
        code = cli_code(status);
    }
    cli_whole_free(&whole);
    cli_part_commands_free(&commands);
    return code;
}

int cli_write_report(const char *path, cli_loaded *loaded, const cli_which_p *which,
                     const ocelotl_picture_options *options)
{
    ocelotl_levels *levels = NULL;
    double p = (double)NAN;
    int code = find_p(&p, loaded, which);
    if (code == CLI_DONE)
        code = find_levels(&levels, loaded);
    if (code == CLI_DONE)
        code = write_page(path, loaded, levels, p, options);
    ocelotl_levels_free(levels);
    return code;
}

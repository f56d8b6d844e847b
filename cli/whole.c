#include "whole.h"

#include "which_p.h"

static int make_model(cli_whole *whole, const ocelotl_model_info *window)
{
    cli_loaded *loaded = &whole->loaded;
    ocelotl_model_options model = whole->options.model;
    const int code = cli_apply_selection(&model, &whole->options.selection, loaded->trace);
    if (code != CLI_DONE)
        return code;
    model.selection.from = INT64_MIN;
    model.selection.to = INT64_MAX;
    model.snap = false;
    model.slices = 0;
    model.kind = OCELOTL_TEMPORAL;
    if (window->state_type[0] != '\0')
        model.cells.state_type = window->state_type;
    return cli_code(ocelotl_model_from_trace(&loaded->model, loaded->trace, &model));
}

int cli_whole_find(cli_whole *whole, const cli_loaded *window)
{
    const ocelotl_model_info info = ocelotl_model_get_info(window->model);
    const cli_which_p first = {.kind = CLI_P_AUTO};
    if (window->trace == NULL || !info.zoomed)
        return CLI_DONE;
    whole->options = *window->options;
    whole->loaded = (cli_loaded){.options = &whole->options,
                                 .trace = window->trace,
                                 .path = window->path,
                                 .kind = OCELOTL_TEMPORAL};
    int code = make_model(whole, &info);
    if (code == CLI_DONE)
        code = cli_measure(&whole->loaded);
    return code == CLI_DONE ? cli_solve(&whole->partition, &whole->loaded, &first) : code;
}

void cli_whole_free(cli_whole *whole)
{
    ocelotl_partition_free(whole->partition);
    ocelotl_aggregation_free(whole->loaded.aggregation);
    ocelotl_model_free(whole->loaded.model);
    *whole = (cli_whole){0};
}

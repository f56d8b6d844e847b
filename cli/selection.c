#include "selection.h"

static int add_name(cli_names *names, const char *option, const char *command)
{
    if (names->count == CLI_MOST_NAMES)
        return cli_usage(command, "--%s is given more than %d times", option, CLI_MOST_NAMES);
    names->names[names->count++] = optarg;
    return CLI_DONE;
}

static int take_instant(cli_selection *selection, cli_instant *instant, const char *option, const char *command)
{
    if (!cli_read_instant(instant, optarg, CLI_FROM_BEGINNING, option, command))
        return CLI_USAGE;
    return cli_check_window(&selection->window);
}

bool cli_take_selection_option(int *code, const char **name, cli_selection *selection, int option,
                               const char *command)
{
    *code = CLI_DONE;
    switch (option) {
    case CLI_FROM:
        *name = "--from";
        *code = take_instant(selection, &selection->window.from, "from", command);
        return true;
    case CLI_TO:
        *name = "--to";
        *code = take_instant(selection, &selection->window.to, "to", command);
        return true;
    case CLI_SNAP:
        *name = "--snap";
        selection->snap = true;
        return true;
    case CLI_RESOURCE:
        *name = "--resource";
        *code = add_name(&selection->resources, "resource", command);
        return true;
    default:
        return false;
    }
}

static ocelotl_names names_of(const cli_names *names)
{
    return (ocelotl_names){names->names, names->count};
}

int cli_apply_selection(ocelotl_model_options *options, const cli_selection *selection, const ocelotl_trace *trace)
{
    options->snap = selection->snap;
    options->resources = names_of(&selection->resources);
    if (selection->window.from.text == NULL && selection->window.to.text == NULL)
        return selection->snap ? cli_wrong("--snap needs a window, expected --from or --to with it") : CLI_DONE;
    return cli_window_ticks(&options->from, &options->to, &selection->window, trace);
}

#include "nearest.h"
#include "options.h"

#include <string.h>

static int take_instant(cli_selection *selection, cli_instant *instant, const char *option,
                        const char *command)
{
    if (!cli_read_instant(instant, optarg, CLI_FROM_BEGINNING, option, command))
        return CLI_USAGE;
    return cli_check_window(&selection->window);
}

static int take_duration(const char **given, double *seconds, const char *option,
                         const char *command)
{
    *given = optarg;
    return cli_read_duration(seconds, optarg, option, command) ? CLI_DONE : CLI_USAGE;
}

static int take_scale(cli_selection *selection, const char *command)
{
    selection->scale = strcmp(optarg, "max") == 0;
    return selection->scale ? CLI_DONE
                            : cli_usage(command, "--scale is \"%s\", expected max", optarg);
}

static int take_nesting_depth(cli_selection *selection, const char *command)
{
    if (!cli_read_count(&selection->nesting_depth, optarg, "nesting-depth", command))
        return CLI_USAGE;
    return selection->nesting_depth > 0
               ? CLI_DONE
               : cli_usage(command, "--nesting-depth is 0, expected at least 1");
}

static int take_metric(cli_selection *selection, const char *command)
{
    char all[1024] = "";
    cli_nearest nearest = cli_nearest_to(optarg, strlen(optarg));
    selection->metric = optarg;
    for (uint32_t i = 0; i < ocelotl_metric_count(); i++) {
        const char *name = ocelotl_metric_at(i).name;
        const size_t length = strlen(all);
        if (strcmp(name, optarg) == 0)
            return CLI_DONE;
        cli_nearest_try(&nearest, name);
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", name);
    }
    return cli_usage(command, "there is no metric \"%s\"%s%s, expected %s", optarg,
                     nearest.name != NULL ? "; the nearest is " : "",
                     nearest.name != NULL ? nearest.name : "", all);
}

/* PATTERN=NAME, neither of them empty. */
static int take_type_group(cli_selection *selection, const char *command)
{
    const char *equals = strrchr(optarg, '=');
    if (equals == NULL || equals == optarg || equals[1] == '\0')
        return cli_usage(command, "--group-types is \"%s\", expected PATTERN=NAME", optarg);
    return cli_add_name(&selection->group_types, "group-types", command);
}

/* Options that are no names in a list. */
static int take_other(cli_selection *selection, int option, const char *command)
{
    switch (option) {
    case CLI_FROM:
        return take_instant(selection, &selection->window.from, "from", command);
    case CLI_TO:
        return take_instant(selection, &selection->window.to, "to", command);
    case CLI_SNAP:
        selection->snap = true;
        return CLI_DONE;
    case CLI_MIN_DURATION:
        return take_duration(&selection->min_duration, &selection->shortest, "min-duration",
                             command);
    case CLI_MAX_DURATION:
        return take_duration(&selection->max_duration, &selection->longest, "max-duration",
                             command);
    case CLI_METRIC:
        return take_metric(selection, command);
    case CLI_GROUP_TYPES:
        return take_type_group(selection, command);
    case CLI_SHIFT:
        selection->shift = true;
        return CLI_DONE;
    case CLI_SCALE:
        return take_scale(selection, command);
    case CLI_NESTING_DEPTH:
        return take_nesting_depth(selection, command);
    case CLI_MOST_TYPES:
        selection->most_types = optarg;
        return cli_read_count(&selection->most, optarg, "most-types", command) ? CLI_DONE
                                                                               : CLI_USAGE;
    default:
        selection->attribute = optarg;
        return CLI_DONE;
    }
}

/* Whether an option may be given again and again: *list is where its names go. */
static bool is_list(cli_names **list, cli_selection *selection, int option)
{
    switch (option) {
    case CLI_RESOURCE:
        *list = &selection->resources;
        return true;
    case CLI_ONLY:
        *list = &selection->only;
        return true;
    case CLI_EXCEPT:
        *list = &selection->except;
        return true;
    case CLI_ONLY_RESOURCES:
        *list = &selection->only_resources;
        return true;
    case CLI_EXCEPT_RESOURCES:
        *list = &selection->except_resources;
        return true;
    case CLI_WHERE:
        *list = &selection->where;
        return true;
    default:
        return false;
    }
}

bool cli_take_selection_option(int *code, const char **name, cli_selection *selection, int option,
                               const char *command)
{
    static const char *const names[] = {
        "--from",          "--to",           "--snap",           "--resource",
        "--only",          "--except",       "--only-resources", "--except-resources",
        "--min-duration",  "--max-duration", "--metric",         "--shift",
        "--scale",         "--attribute",    "--group-types",    "--most-types",
        "--nesting-depth", "--where"};
    if (option < CLI_FROM || option > CLI_WHERE)
        return false;
    *name = names[option - CLI_FROM];
    cli_names *list;
    *code = is_list(&list, selection, option) ? cli_add_name(list, *name + 2, command)
                                              : take_other(selection, option, command);
    return true;
}

static ocelotl_names names_of(const cli_names *names)
{
    return (ocelotl_names){names->names, names->count};
}

static int apply_durations(ocelotl_filter *filter, const cli_selection *selection,
                           const ocelotl_trace *trace)
{
    if (selection->min_duration != NULL)
        filter->min_duration = ocelotl_trace_first_tick(trace, selection->shortest);
    if (selection->max_duration != NULL)
        filter->max_duration = ocelotl_trace_last_tick(trace, selection->longest);
    if (selection->min_duration != NULL && selection->max_duration != NULL &&
        filter->min_duration > filter->max_duration)
        return cli_wrong("--min-duration %s and --max-duration %s leave no duration between them",
                         selection->min_duration, selection->max_duration);
    return CLI_DONE;
}

int cli_apply_filter(ocelotl_filter *filter, const cli_selection *selection,
                     const ocelotl_trace *trace)
{
    *filter = (ocelotl_filter)OCELOTL_FILTER_INIT;
    filter->only = names_of(&selection->only);
    filter->except = names_of(&selection->except);
    filter->only_resources = names_of(&selection->only_resources);
    filter->except_resources = names_of(&selection->except_resources);
    filter->where = names_of(&selection->where);
    return apply_durations(filter, selection, trace);
}

ocelotl_names cli_selected_resources(const cli_selection *selection)
{
    return selection->placed ? selection->place : names_of(&selection->resources);
}

int cli_apply_selection(ocelotl_model_options *options, const cli_selection *selection,
                        const ocelotl_trace *trace)
{
    ocelotl_filter filter;
    const int code = cli_apply_filter(&filter, selection, trace);
    if (code != CLI_DONE)
        return code;
    options->selection =
        (ocelotl_selection){.resources = cli_selected_resources(selection),
                            .only = filter.only,
                            .except = filter.except,
                            .only_resources = filter.only_resources,
                            .except_resources = filter.except_resources,
                            .min_duration = filter.min_duration,
                            .max_duration = filter.max_duration > 0 ? filter.max_duration : -1,
                            .where = filter.where};
    options->snap = selection->snap;
    options->cells.metric = selection->metric;
    options->cells.shift = selection->shift;
    options->cells.scale = selection->scale;
    options->cells.attribute = selection->attribute;
    options->cells.nesting_depth = selection->nesting_depth;
    options->types.groups = names_of(&selection->group_types);
    if (selection->most_types != NULL)
        options->types.max_types = selection->most > 0 ? selection->most : UINT32_MAX;
    if (selection->window.from.text == NULL && selection->window.to.text == NULL)
        return selection->snap
                   ? cli_usage("", "--snap needs a window, expected --from or --to with it")
                   : CLI_DONE;
    return cli_window_ticks(&options->selection.from, &options->selection.to, &selection->window,
                            trace);
}

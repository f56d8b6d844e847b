#include "hierarchy_options.h"

#include "options.h"

#include <string.h>

static int take_order(cli_hierarchy *hierarchy, const char *command)
{
    static const char *const words[] = {"trace", "name", "begin", "activity"};
    const int word = cli_read_word(optarg, words, 4, "order", command);
    hierarchy->order = word >= 0 ? (ocelotl_order)word : OCELOTL_ORDER_TRACE;
    return word >= 0 ? CLI_DONE : CLI_USAGE;
}

static int take_group(cli_hierarchy *hierarchy, const char *command)
{
    const char *equals = strrchr(optarg, '=');
    if (equals == NULL || equals == optarg || equals[1] == '\0')
        return cli_usage(command, "--group is \"%s\", expected PATTERN=NAME", optarg);
    return cli_add_name(&hierarchy->groups, "group", command);
}

static int take_count(uint32_t *count, const char *option, const char *command)
{
    if (!cli_read_count(count, optarg, option, command))
        return CLI_USAGE;
    return *count > 0 ? CLI_DONE : cli_usage(command, "--%s is 0, expected at least 1", option);
}

bool cli_take_hierarchy_option(int *code, const char **name, cli_hierarchy *hierarchy, int option,
                               const char *command)
{
    static const char *const names[] = {"--hierarchy",  "--drop-level",     "--group",
                                        "--reuse-rows", "--split-children", "--max-leaves",
                                        "--max-groups", "--regroup",        "--order"};
    if (option < CLI_HIERARCHY || option > CLI_ORDER)
        return false;
    *name = names[option - CLI_HIERARCHY];
    switch (option) {
    case CLI_HIERARCHY:
        hierarchy->file = optarg;
        *code = CLI_DONE;
        break;
    case CLI_GROUP:
        *code = take_group(hierarchy, command);
        break;
    case CLI_DROP_LEVEL:
        *code = cli_add_name(&hierarchy->drop_levels, "drop-level", command);
        break;
    case CLI_REUSE_ROWS:
        hierarchy->reuse_rows = true;
        *code = CLI_DONE;
        break;
    case CLI_SPLIT_CHILDREN:
        *code = take_count(&hierarchy->split_children, "split-children", command);
        break;
    case CLI_MAX_LEAVES:
        *code = take_count(&hierarchy->max_leaves, "max-leaves", command);
        break;
    case CLI_MAX_GROUPS:
        hierarchy->groups_given = true;
        *code = cli_read_count(&hierarchy->max_groups, optarg, "max-groups", command) ? CLI_DONE
                                                                                      : CLI_USAGE;
        break;
    case CLI_REGROUP:
        hierarchy->regroup = true;
        *code = CLI_DONE;
        break;
    default:
        *code = take_order(hierarchy, command);
    }
    return true;
}

int cli_check_hierarchy(const cli_hierarchy *hierarchy, const char *command)
{
    const char *groups = hierarchy->groups_given ? "max-groups"
                         : hierarchy->regroup    ? "regroup"
                                                 : NULL;
    const char *file = hierarchy->file;
    if (groups == NULL)
        return CLI_DONE;
    if (file != NULL && (strcmp(file, "auto") == 0 || strcmp(file, "trace") == 0))
        return cli_usage(command, "--%s and --hierarchy %s exclude each other: that has no groups",
                         groups, file);
    if (hierarchy->split_children > 0)
        return cli_usage(
            command, "--%s and --split-children exclude each other: each groups siblings", groups);
    return CLI_DONE;
}

void cli_apply_hierarchy(ocelotl_model_options *options, const cli_hierarchy *given)
{
    ocelotl_hierarchy_options *hierarchy = &options->hierarchy;
    const bool of_trace = given->file != NULL && strcmp(given->file, "trace") == 0;
    hierarchy->cluster = given->file != NULL && strcmp(given->file, "auto") == 0;
    hierarchy->file = hierarchy->cluster || of_trace ? NULL : given->file;
    hierarchy->bare = of_trace || (given->groups_given && given->max_groups == 0);
    hierarchy->max_groups = given->groups_given ? given->max_groups : 0;
    hierarchy->regroup = given->regroup;
    hierarchy->drop_levels = (ocelotl_names){given->drop_levels.names, given->drop_levels.count};
    hierarchy->groups = (ocelotl_names){given->groups.names, given->groups.count};
    hierarchy->reuse_rows = given->reuse_rows;
    hierarchy->split_children = given->split_children;
    hierarchy->max_leaves = given->max_leaves;
    hierarchy->order = given->order;
}

/* Options that change the hierarchy of a model. */
#ifndef CLI_HIERARCHY_OPTIONS_H
#define CLI_HIERARCHY_OPTIONS_H

#include "selection.h"

/* Zero-initialised the hierarchy is that of the trace, with groups of like siblings. */
typedef struct cli_hierarchy {
    const char *file; /* NULL: none; "auto": by behaviour; "trace": without groups */
    uint32_t max_groups;
    bool groups_given; /* by --max-groups */
    bool regroup;
    cli_names drop_levels, groups;
    bool reuse_rows;
    uint32_t split_children; /* 0: never */
    uint32_t max_leaves;     /* 0: any number */
    ocelotl_order order;
} cli_hierarchy;

/* Values of getopt_long. */
enum {
    CLI_HIERARCHY = 768,
    CLI_DROP_LEVEL,
    CLI_GROUP,
    CLI_REUSE_ROWS,
    CLI_SPLIT_CHILDREN,
    CLI_MAX_LEAVES,
    CLI_MAX_GROUPS,
    CLI_REGROUP,
    CLI_ORDER
};

#define CLI_HIERARCHY_OPTIONS                                            \
    {"hierarchy", required_argument, NULL, CLI_HIERARCHY},               \
        {"drop-level", required_argument, NULL, CLI_DROP_LEVEL},         \
        {"group", required_argument, NULL, CLI_GROUP},                   \
        {"reuse-rows", no_argument, NULL, CLI_REUSE_ROWS},               \
        {"split-children", required_argument, NULL, CLI_SPLIT_CHILDREN}, \
        {"max-leaves", required_argument, NULL, CLI_MAX_LEAVES},         \
        {"max-groups", required_argument, NULL, CLI_MAX_GROUPS},         \
        {"regroup", no_argument, NULL, CLI_REGROUP},                     \
    {                                                                    \
        "order", required_argument, NULL, CLI_ORDER                      \
    }

#define CLI_HIERARCHY_HELP                                                                        \
    "\nHierarchy:\n"                                                                              \
    "  --hierarchy FILE      a CSV with the header resource,path: the new path of every leaf; "   \
    "*,other/*\n"                                                                                 \
    "                        says where those go that are not listed\n"                           \
    "  --hierarchy auto      one of how alike the leaves behave\n"                                \
    "  --hierarchy trace     that of the trace alone, without groups of like siblings\n"          \
    "  --max-groups N        at most N groups of like siblings in each node (default: 16)\n"      \
    "  --regroup             find them in what is shown; else a window or filter keeps the "      \
    "whole's\n"                                                                                   \
    "  --drop-level TYPE     without the resources of this type; their children go up (again: "   \
    "these, too)\n"                                                                               \
    "  --group PATTERN=NAME  resources by path or glob, with all below them, in a node of their " \
    "own\n"                                                                                       \
    "  --reuse-rows          siblings that live one after the other share a row\n"                \
    "  --split-children N    nodes of more than N children get levels of how alike these "        \
    "behave,\n"                                                                                   \
    "                        all of them and no other groups\n"                                   \
    "  --max-leaves N        merge the deepest levels until there are at most N leaves, each "    \
    "weighing what\n"                                                                             \
    "                        it stands for\n"                                                     \
    "  --order trace|name|begin|activity   how siblings follow each other (default: as in the "   \
    "trace)\n"

/* Takes one of the options above. *code is CLI_DONE, or an exit code after a message. *name becomes
 * the option's. False: another option. */
bool cli_take_hierarchy_option(int *code, const char **name, cli_hierarchy *hierarchy, int option,
                               const char *command);

/* Refuses, as wrong usage, options about groups where a hierarchy has none or others. */
int cli_check_hierarchy(const cli_hierarchy *hierarchy, const char *command);

/* Makes the hierarchy part of the options of a model; it must outlive them. */
void cli_apply_hierarchy(ocelotl_model_options *options, const cli_hierarchy *given);

#endif

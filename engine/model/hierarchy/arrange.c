/* The steps from the hierarchy of a trace to the one that is shown, in their order. */
#include "model/hierarchy/arrange.h"

#include "base/memory.h"
#include "base/options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

ocelotl_status oc_check_arranging(const ocelotl_model_options *options)
{
    if (options->hierarchy.order < OCELOTL_ORDER_TRACE ||
        options->hierarchy.order > OCELOTL_ORDER_TRAFFIC)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "order is %d, expected trace, name, begin, activity or traffic",
                       (int)options->hierarchy.order);
    if (options->hierarchy.cluster + options->hierarchy.by_role +
            (options->hierarchy.file != NULL) >
        1)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a hierarchy is given by %s and by %s, expected one of them",
                       options->hierarchy.file != NULL ? "a file" : "role",
                       options->hierarchy.cluster ? "behaviour" : "role");
    if (options->hierarchy.cluster &&
        (options->hierarchy.drop_levels.count > 0 || options->hierarchy.groups.count > 0))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a hierarchy by behaviour has no room for levels or "
                                               "groups of others, expected it alone");
    OC_TRY(oc_check_names(&options->folded, "node to fold"));
    OC_TRY(oc_check_names(&options->hierarchy.groups, "group"));
    for (size_t i = 0; i < options->hierarchy.groups.count; i++) {
        const char *equals = strrchr(options->hierarchy.groups.names[i], '=');
        if (equals == NULL || equals == options->hierarchy.groups.names[i] || equals[1] == '\0')
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "group is \"%s\", expected PATTERN=NAME",
                           options->hierarchy.groups.names[i]);
    }
    return oc_check_names(&options->hierarchy.drop_levels, "level");
}

static bool is_asked(const ocelotl_model_options *options)
{
    return options->hierarchy.drop_levels.count > 0 ||
           options->hierarchy.order != OCELOTL_ORDER_TRACE || options->hierarchy.max_leaves > 0 ||
           options->hierarchy.file != NULL || options->hierarchy.by_role ||
           options->hierarchy.groups.count > 0 || options->hierarchy.cluster ||
           options->hierarchy.reuse_rows || options->folded.count > 0;
}

bool oc_wants_groups(const ocelotl_model_options *options)
{
    return options->hierarchy.like == NULL && options->hierarchy.max_groups > 0 &&
           options->kind != OCELOTL_TEMPORAL && !options->hierarchy.cluster;
}

/* A model on its way to another hierarchy. */
typedef struct arranging {
    ocelotl_model *model;
    const oc_catalogue *catalogue;
    const ocelotl_model_options *options;
    const ocelotl_model *whole; /* NULL: the model is of the whole trace */
    oc_arrangement arrangement;
    oc_text said;      /* what was done */
    bool grouped;      /* like siblings are together, which is said where rows leave their order */
    size_t grouped_at; /* in what is said */
} arranging;

/* Takes the arrangement from one settled state to another, where the options ask for that, and says
 * what it did. */
typedef ocelotl_status (*step)(arranging *with);

/* The last that is done to the whole; and how this begins where it leaves the trace's order. */
static const char together[] = "like ones together";
static const char reordered[] = "reordered: ";

/* Says the next thing that was done. */
__attribute__((format(printf, 2, 3))) static void say(arranging *with, const char *format, ...)
{
    va_list arguments;
    oc_text_add(&with->said, with->said.length > 0 ? ", " : "");
    va_start(arguments, format);
    oc_text_vformat(&with->said, format, arguments);
    va_end(arguments);
}

static ocelotl_status read_file(arranging *with)
{
    const char *file = with->options->hierarchy.file;
    if (file == NULL)
        return OCELOTL_OK;
    const char *slash = strrchr(file, '/');
    say(with, "by %s", slash != NULL ? slash + 1 : file);
    OC_TRY(oc_read_hierarchy(&with->arrangement, with->catalogue, file));
    return oc_arrangement_settle(&with->arrangement);
}

static ocelotl_status arrange_by_role(arranging *with)
{
    if (!with->options->hierarchy.by_role)
        return OCELOTL_OK;
    say(with, "by role");
    OC_TRY(oc_arrange_by_role(&with->arrangement));
    return oc_arrangement_settle(&with->arrangement);
}

static ocelotl_status drop_levels(arranging *with)
{
    const ocelotl_names *levels = &with->options->hierarchy.drop_levels;
    for (size_t i = 0; i < levels->count; i++) {
        OC_TRY(oc_drop_level(&with->arrangement, levels->names[i]));
        say(with, "without level %s", levels->names[i]);
    }
    return levels->count > 0 ? oc_arrangement_settle(&with->arrangement) : OCELOTL_OK;
}

/* A later group may contain an earlier one. */
static ocelotl_status make_groups(arranging *with)
{
    oc_arrangement *arrangement = &with->arrangement;
    const ocelotl_names *groups = &with->options->hierarchy.groups;
    for (size_t i = 0; i < groups->count; i++) {
        const char *name = strrchr(groups->names[i], '=') + 1;
        const uint32_t before = arrangement->count;
        const char *pattern = oc_arena_copy_bytes(&arrangement->arena, groups->names[i],
                                                  (size_t)(name - groups->names[i]) - 1);
        OC_TRY(oc_arena_status(&arrangement->arena));
        OC_TRY(oc_group(arrangement, with->catalogue, pattern, name));
        if (arrangement->count > before)
            say(with, "%s in group %s", pattern, name);
        OC_TRY(oc_arrangement_settle(arrangement));
    }
    return OCELOTL_OK;
}

/* Makes the leaves of the arrangement those of the model; later steps work on these. */
static ocelotl_status join_rows(arranging *with)
{
    OC_TRY(oc_model_rearrange(with->model, &with->arrangement, OC_ONE_ROW));
    oc_arrangement_free(&with->arrangement);
    return oc_arrangement_begin(&with->arrangement, with->model);
}

static ocelotl_status reuse_rows(arranging *with)
{
    const uint32_t before = with->model->matrix.tree.leaf_count[0];
    if (!with->options->hierarchy.reuse_rows)
        return OCELOTL_OK;
    OC_TRY(oc_reuse_rows(&with->arrangement, with->catalogue->trace));
    OC_TRY(oc_arrangement_settle(&with->arrangement));
    OC_TRY(join_rows(with));
    if (with->model->matrix.tree.leaf_count[0] != before)
        say(with, "%" PRIu32 " in %" PRIu32 " rows", before,
            with->model->matrix.tree.leaf_count[0]);
    return OCELOTL_OK;
}

static void look_for_groups(arranging *with)
{
    uint32_t k = 0;
    while (k < with->arrangement.count && !with->arrangement.nodes[k].alike)
        k++;
    with->grouped = k < with->arrangement.count;
    with->grouped_at = with->said.length;
}

/* A hierarchy by behaviour has all groups of the leaves, and nothing else. */
static ocelotl_status group_children(arranging *with)
{
    const ocelotl_model_options *options = with->options;
    const bool alone = options->hierarchy.cluster;
    if (!alone && !oc_wants_groups(options))
        return OCELOTL_OK;
    if (alone) {
        say(with, "by behaviour");
        OC_TRY(oc_drop_inner(&with->arrangement));
        OC_TRY(oc_arrangement_settle(&with->arrangement));
    }
    OC_TRY(oc_group_children(&with->arrangement,
                             alone ? OC_ALL_GROUPS : options->hierarchy.max_groups,
                             options->work.progress, options->work.context));
    OC_TRY(oc_arrangement_settle(&with->arrangement));
    if (!alone)
        look_for_groups(with);
    return oc_name_groups(&with->arrangement);
}

/* Says so only where something was merged. */
static ocelotl_status merge(arranging *with)
{
    oc_arrangement *arrangement = &with->arrangement;
    uint32_t leaves = 0;
    const uint32_t all = arrangement->model->matrix.tree.leaf_count[0];
    const uint32_t most = with->options->hierarchy.max_leaves;
    if (with->options->folded.count > 0) {
        OC_TRY(oc_fold_nodes(arrangement, with->catalogue, &with->options->folded));
        OC_TRY(oc_merge_marked(arrangement));
        OC_TRY(oc_arrangement_settle(arrangement));
    }
    if (most > 0) {
        OC_TRY(oc_merge_leaves(arrangement, most));
        OC_TRY(oc_arrangement_settle(arrangement));
    }
    for (uint32_t k = 0; k < arrangement->count; k++)
        leaves += oc_arranged_is_leaf(&arrangement->nodes[k]);
    if (leaves < all && (most > 0 || with->options->folded.count > 0))
        say(with, "merged from %" PRIu32 " leaves to %" PRIu32, all, leaves);
    return OCELOTL_OK;
}

static ocelotl_status order(arranging *with)
{
    static const char *const words[] = {"", "name", "begin", "activity", "traffic"};
    const ocelotl_order order = with->options->hierarchy.order;
    if (order == OCELOTL_ORDER_TRACE)
        return OCELOTL_OK;
    say(with, "ordered by %s", words[order]);
    if (order == OCELOTL_ORDER_TRAFFIC)
        OC_TRY(oc_order_by_traffic(&with->arrangement, with->catalogue, &with->options->work));
    else
        OC_TRY(oc_order_siblings(&with->arrangement, with->catalogue->trace, order));
    return oc_arrangement_settle(&with->arrangement);
}

/* Gives a model the nodes that another one of the same places has found. */
static ocelotl_status follow_another(arranging *with)
{
    OC_TRY(oc_follow_hierarchy(&with->arrangement, with->options->hierarchy.like));
    oc_text_clear(&with->said);
    say(with, "as in %s", with->options->hierarchy.like->name);
    return oc_arrangement_settle(&with->arrangement);
}

/* Gives a part of a trace the nodes of the whole. What was done to that is said without its groups:
 * the part may have none. */
static ocelotl_status take_whole(arranging *with)
{
    const char *done = with->whole->hierarchy != NULL ? with->whole->hierarchy : "";
    OC_TRY(oc_take_hierarchy(&with->arrangement, with->whole));
    if (strncmp(done, reordered, sizeof reordered - 1) == 0)
        done += sizeof reordered - 1;
    const size_t last = sizeof together - 1;
    size_t length = strlen(done);
    if (length >= last && strcmp(done + length - last, together) == 0)
        length = length > last ? length - last - 2 : 0;
    oc_text_append(&with->said, done, length);
    look_for_groups(with);
    return with->options->hierarchy.reuse_rows ? join_rows(with) : OCELOTL_OK;
}

static const step own_steps[] = {read_file,   arrange_by_role, drop_levels,
                                 make_groups, reuse_rows,      group_children,
                                 merge,       order,           NULL};
static const step steps_of_part[] = {take_whole, merge, order, NULL};
static const step steps_of_follower[] = {reuse_rows, follow_another, NULL};

/* Says so behind what was said before like siblings were grouped. */
static void insert_together(arranging *with)
{
    oc_text later = {0};
    const size_t at = with->grouped_at;
    oc_text_append(&later, with->said.length > at ? with->said.bytes + at : "",
                   with->said.length - at);
    with->said.length = at;
    say(with, "%s", together);
    if (later.length > 0)
        oc_text_format(&with->said, "%s%s", at == 0 ? ", " : "", later.bytes);
    with->said.failed = with->said.failed || later.failed;
    oc_text_free(&later);
}

/* Arranges the model, and keeps what was said. Rows that leave the order of the trace where nobody
 * asked for another are named as such. */
static ocelotl_status finish(arranging *with)
{
    ocelotl_model *model = with->model;
    const ocelotl_order asked = with->options->hierarchy.order;
    const uint32_t count = model->matrix.tree.leaf_count[0];
    const uint32_t *place = with->arrangement.place;
    oc_text all = {0};
    uint32_t leaf = 1;
    while (leaf < count && place[leaf - 1] <= place[leaf])
        leaf++;
    if (leaf < count && (asked == OCELOTL_ORDER_TRACE || with->options->hierarchy.like != NULL))
        oc_text_add(&all, reordered);
    if (leaf < count && with->grouped)
        insert_together(with);
    oc_text_append(&all, with->said.bytes != NULL ? with->said.bytes : "", with->said.length);
    ocelotl_status status = all.failed || with->said.failed
                                ? oc_fail_memory()
                                : oc_model_rearrange(model, &with->arrangement, OC_MERGED);
    if (status == OCELOTL_OK)
        status = oc_copy_utf8(&model->hierarchy, all.bytes);
    oc_text_free(&all);
    return status;
}

ocelotl_status oc_arrange(ocelotl_model *model, const oc_catalogue *catalogue,
                          const ocelotl_model_options *options, const ocelotl_model *whole)
{
    arranging with = {model, catalogue, options, whole, {0}, {0}};
    const ocelotl_model *like = options->hierarchy.like;
    const step *next = like != NULL ? steps_of_follower : whole != NULL ? steps_of_part : own_steps;
    if (like != NULL)
        OC_TRY(oc_match_names(model, like, &options->hierarchy.map));
    if (like != NULL ? like->origin == NULL : !is_asked(options) && !oc_wants_groups(options))
        return OCELOTL_OK;
    ocelotl_status status = oc_arrangement_begin(&with.arrangement, model);
    for (; status == OCELOTL_OK && *next != NULL; next++)
        status = (*next)(&with);
    if (status == OCELOTL_OK &&
        (with.said.failed || with.said.length > 0 || with.grouped || is_asked(options)))
        status = finish(&with);
    oc_arrangement_free(&with.arrangement);
    oc_text_free(&with.said);
    return status;
}

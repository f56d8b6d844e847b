#include "model/hierarchy/arrange.h"

#include "base/memory.h"
#include "base/options.h"

#include <inttypes.h>
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
        (options->hierarchy.drop_levels.count > 0 || options->hierarchy.groups.count > 0 ||
         options->hierarchy.split_children > 0))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a hierarchy by behaviour has no room for levels, "
                                               "groups or children of others, expected it alone");
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
           options->hierarchy.split_children > 0 || options->hierarchy.reuse_rows ||
           options->folded.count > 0;
}

bool oc_wants_groups(const ocelotl_model_options *options)
{
    return options->hierarchy.like == NULL && options->hierarchy.max_groups > 0 &&
           options->kind != OCELOTL_TEMPORAL && !options->hierarchy.cluster &&
           options->hierarchy.split_children == 0;
}

/* The last that is done to the whole; and how this begins where it leaves the trace's order. */
static const char together[] = "with like siblings together";
static const char reordered[] = "reordered: ";

/* Begins the next thing that was done. */
static void say(oc_text *said)
{
    oc_text_add(said, said->length > 0 ? ", " : "");
}

static ocelotl_status drop_levels(oc_arrangement *arrangement, oc_text *said,
                                  const ocelotl_names *levels)
{
    for (size_t i = 0; i < levels->count; i++) {
        OC_TRY(oc_drop_level(arrangement, levels->names[i]));
        say(said);
        oc_text_format(said, "without level %s", levels->names[i]);
    }
    return levels->count > 0 ? oc_arrangement_settle(arrangement) : OCELOTL_OK;
}

static ocelotl_status read_file(oc_arrangement *arrangement, oc_text *said,
                                const oc_catalogue *catalogue, const char *file)
{
    if (file == NULL)
        return OCELOTL_OK;
    const char *slash = strrchr(file, '/');
    say(said);
    oc_text_format(said, "by %s", slash != NULL ? slash + 1 : file);
    OC_TRY(oc_read_hierarchy(arrangement, catalogue, file));
    return oc_arrangement_settle(arrangement);
}

static ocelotl_status arrange_by_role(oc_arrangement *arrangement, oc_text *said)
{
    say(said);
    oc_text_add(said, "by role");
    OC_TRY(oc_arrange_by_role(arrangement));
    return oc_arrangement_settle(arrangement);
}

/* Makes one group; a later one may contain it. */
static ocelotl_status make_group(oc_arrangement *arrangement, oc_text *said,
                                 const oc_catalogue *catalogue, const char *group)
{
    char *pattern;
    OC_TRY(oc_copy_text(&pattern, group));
    char *equals = strrchr(pattern, '=');
    *equals = '\0';
    const uint32_t before = arrangement->count;
    const ocelotl_status status = oc_group(arrangement, catalogue, pattern, equals + 1);
    if (arrangement->count > before) {
        say(said);
        oc_text_format(said, "%s in group %s", pattern, equals + 1);
    }
    free(pattern);
    return status == OCELOTL_OK ? oc_arrangement_settle(arrangement) : status;
}

/* Lets leaves share rows; later steps work on a model whose leaves are the rows. */
static ocelotl_status reuse_rows(ocelotl_model *model, oc_arrangement *arrangement, oc_text *said,
                                 const ocelotl_trace *trace)
{
    const uint32_t before = model->matrix.tree.leaf_count[0];
    OC_TRY(oc_reuse_rows(arrangement, trace));
    OC_TRY(oc_arrangement_settle(arrangement));
    OC_TRY(oc_model_rearrange(model, arrangement, OC_ONE_ROW));
    oc_arrangement_free(arrangement);
    OC_TRY(oc_arrangement_begin(arrangement, model));
    if (model->matrix.tree.leaf_count[0] == before)
        return OCELOTL_OK;
    say(said);
    oc_text_format(said, "%" PRIu32 " in %" PRIu32 " rows", before,
                   model->matrix.tree.leaf_count[0]);
    return OCELOTL_OK;
}

static ocelotl_status cluster(oc_arrangement *arrangement, oc_text *said,
                              const ocelotl_model_options *options)
{
    if (options->hierarchy.cluster) {
        say(said);
        oc_text_add(said, "by behaviour");
        oc_drop_inner(arrangement);
        OC_TRY(oc_arrangement_settle(arrangement));
    } else if (options->hierarchy.split_children > 0) {
        say(said);
        oc_text_format(said, "more than %" PRIu32 " children by behaviour",
                       options->hierarchy.split_children);
    } else {
        return OCELOTL_OK;
    }
    OC_TRY(oc_split_children(arrangement,
                             options->hierarchy.cluster ? 2 : options->hierarchy.split_children,
                             options->work.progress, options->work.context));
    OC_TRY(oc_arrangement_settle(arrangement));
    return oc_name_groups(arrangement);
}

/* Adds a note about groups, if the arrangement has one. */
static void say_together(const oc_arrangement *arrangement, oc_text *said)
{
    uint32_t k = 0;
    while (k < arrangement->count && !arrangement->nodes[k].alike)
        k++;
    if (k == arrangement->count)
        return;
    say(said);
    oc_text_add(said, together);
}

static ocelotl_status group_children(oc_arrangement *arrangement, oc_text *said,
                                     const ocelotl_model_options *options)
{
    if (!oc_wants_groups(options))
        return OCELOTL_OK;
    OC_TRY(oc_group_children(arrangement, options->hierarchy.max_groups, options->work.progress,
                             options->work.context));
    OC_TRY(oc_arrangement_settle(arrangement));
    say_together(arrangement, said);
    return oc_name_groups(arrangement);
}

/* Says so only where something was merged. */
static ocelotl_status merge(oc_arrangement *arrangement, oc_text *said,
                            const oc_catalogue *catalogue, const ocelotl_model_options *options)
{
    uint32_t leaves = 0;
    const uint32_t all = arrangement->model->matrix.tree.leaf_count[0];
    const uint32_t most = options->hierarchy.max_leaves;
    if (options->folded.count > 0) {
        OC_TRY(oc_fold_nodes(arrangement, catalogue, &options->folded));
        OC_TRY(oc_merge_marked(arrangement));
        OC_TRY(oc_arrangement_settle(arrangement));
    }
    if (most > 0) {
        OC_TRY(oc_merge_leaves(arrangement, most));
        OC_TRY(oc_arrangement_settle(arrangement));
    }
    for (uint32_t k = 0; k < arrangement->count; k++)
        leaves += oc_arranged_is_leaf(&arrangement->nodes[k]);
    if (leaves == all || (most == 0 && options->folded.count == 0))
        return OCELOTL_OK;
    say(said);
    oc_text_format(said, "merged from %" PRIu32 " leaves to %" PRIu32, all, leaves);
    return OCELOTL_OK;
}

static ocelotl_status order(oc_arrangement *arrangement, oc_text *said,
                            const oc_catalogue *catalogue, const ocelotl_model_options *options)
{
    static const char *const words[] = {"", "name", "begin", "activity", "traffic"};
    const ocelotl_order order = options->hierarchy.order;
    if (order == OCELOTL_ORDER_TRACE)
        return OCELOTL_OK;
    say(said);
    oc_text_format(said, "ordered by %s", words[order]);
    if (order == OCELOTL_ORDER_TRAFFIC)
        OC_TRY(oc_order_by_traffic(arrangement, catalogue, &options->work));
    else
        OC_TRY(oc_order_siblings(arrangement, catalogue->trace, order));
    return oc_arrangement_settle(arrangement);
}

/* Arranges the model, and keeps what was said. Rows that leave the order of the trace where nobody
 * asked for another are named as such. */
static ocelotl_status finish(ocelotl_model *model, oc_arrangement *arrangement, oc_text *said,
                             ocelotl_order asked)
{
    const uint32_t count = model->matrix.tree.leaf_count[0];
    const uint32_t *place = arrangement->place;
    oc_text all = {0};
    uint32_t leaf = 1;
    while (leaf < count && place[leaf - 1] <= place[leaf])
        leaf++;
    oc_text_add(&all, leaf < count && asked == OCELOTL_ORDER_TRACE ? reordered : "");
    oc_text_append(&all, said->failed ? "" : said->bytes, said->length);
    ocelotl_status status = all.failed || said->failed
                                ? oc_fail_memory()
                                : oc_model_rearrange(model, arrangement, OC_MERGED);
    if (status == OCELOTL_OK)
        status = oc_copy_utf8(&model->hierarchy, all.bytes);
    oc_text_free(&all);
    return status;
}

/* Gives a model the nodes that another one of the same places has found. */
static ocelotl_status follow(ocelotl_model *model, oc_arrangement *arrangement, oc_text *said,
                             const oc_catalogue *catalogue, const ocelotl_model_options *options)
{
    OC_TRY(oc_arrangement_begin(arrangement, model));
    if (options->hierarchy.reuse_rows)
        OC_TRY(reuse_rows(model, arrangement, said, catalogue->trace));
    OC_TRY(oc_follow_hierarchy(arrangement, options->hierarchy.like));
    OC_TRY(oc_arrangement_settle(arrangement));
    oc_text_clear(said);
    oc_text_format(said, "as in %s", options->hierarchy.like->name);
    return finish(model, arrangement, said, OCELOTL_ORDER_TRACE);
}

/* Finds the part of the hierarchy that belongs to the whole trace, and stays in a window. */
static ocelotl_status find_hierarchy(ocelotl_model *model, oc_arrangement *arrangement,
                                     oc_text *said, const oc_catalogue *catalogue,
                                     const ocelotl_model_options *options)
{
    OC_TRY(read_file(arrangement, said, catalogue, options->hierarchy.file));
    if (options->hierarchy.by_role)
        OC_TRY(arrange_by_role(arrangement, said));
    OC_TRY(drop_levels(arrangement, said, &options->hierarchy.drop_levels));
    for (size_t i = 0; i < options->hierarchy.groups.count; i++)
        OC_TRY(make_group(arrangement, said, catalogue, options->hierarchy.groups.names[i]));
    if (options->hierarchy.reuse_rows)
        OC_TRY(reuse_rows(model, arrangement, said, catalogue->trace));
    OC_TRY(cluster(arrangement, said, options));
    return group_children(arrangement, said, options);
}

/* Adds what was done to the whole, without its groups: a part of it may have none. */
static void add_without_together(oc_text *said, const char *hierarchy)
{
    if (hierarchy != NULL && strncmp(hierarchy, reordered, sizeof reordered - 1) == 0)
        hierarchy += sizeof reordered - 1;
    size_t length = hierarchy != NULL ? strlen(hierarchy) : 0;
    const size_t last = sizeof together - 1;
    if (length >= last && strcmp(hierarchy + length - last, together) == 0)
        length = length > last ? length - last - 2 : 0;
    oc_text_append(said, hierarchy != NULL ? hierarchy : "", length);
}

static ocelotl_status take_hierarchy(ocelotl_model *model, oc_arrangement *arrangement,
                                     oc_text *said, const ocelotl_model *whole,
                                     const ocelotl_model_options *options)
{
    OC_TRY(oc_take_hierarchy(arrangement, whole));
    add_without_together(said, whole->hierarchy);
    say_together(arrangement, said);
    if (!options->hierarchy.reuse_rows)
        return OCELOTL_OK;
    OC_TRY(oc_model_rearrange(model, arrangement, OC_ONE_ROW));
    oc_arrangement_free(arrangement);
    return oc_arrangement_begin(arrangement, model);
}

static ocelotl_status arrange(ocelotl_model *model, oc_arrangement *arrangement, oc_text *said,
                              const oc_catalogue *catalogue, const ocelotl_model_options *options,
                              const ocelotl_model *whole)
{
    OC_TRY(oc_arrangement_begin(arrangement, model));
    if (whole != NULL)
        OC_TRY(take_hierarchy(model, arrangement, said, whole, options));
    else
        OC_TRY(find_hierarchy(model, arrangement, said, catalogue, options));
    OC_TRY(merge(arrangement, said, catalogue, options));
    OC_TRY(order(arrangement, said, catalogue, options));
    if (!said->failed && said->length == 0 && !is_asked(options))
        return OCELOTL_OK;
    return finish(model, arrangement, said, options->hierarchy.order);
}

ocelotl_status oc_arrange(ocelotl_model *model, const oc_catalogue *catalogue,
                          const ocelotl_model_options *options, const ocelotl_model *whole)
{
    oc_arrangement arrangement = {0};
    oc_text said = {0};
    const bool followed = options->hierarchy.like != NULL;
    if (followed ? options->hierarchy.like->origin == NULL
                 : !is_asked(options) && !oc_wants_groups(options))
        return OCELOTL_OK;
    oc_text_append(&said, "", 0);
    const ocelotl_status status =
        followed ? follow(model, &arrangement, &said, catalogue, options)
                 : arrange(model, &arrangement, &said, catalogue, options, whole);
    oc_arrangement_free(&arrangement);
    oc_text_free(&said);
    return status;
}

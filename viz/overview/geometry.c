/* Where nodes, rows and slices of an overview lie, and which are visible. */
#include "viz/overview/overview.h"

#include "base/memory.h"
#include "base/options.h"
#include "viz/pictures.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- What is drawn of a partition */

/* Means and extremes are no sums, so each part needs them computed. */
static ocelotl_status find_values(double *values, ocelotl_part *parts,
                                  const oc_overview_input *input)
{
    const uint32_t types = ocelotl_model_info_of(input->model).type_count;
    for (size_t i = 0; i < input->partition.part_count; i++) {
        double *drawn = values + i * types;
        OC_TRY(ocelotl_model_values(drawn, input->model, parts[i].node, parts[i].first,
                                    parts[i].last));
        for (uint32_t type = 0; type < types; type++)
            drawn[type] = isnan(drawn[type]) ? 0 : drawn[type];
        parts[i].shares = drawn;
    }
    return OCELOTL_OK;
}

/* The computed values lie behind the parts. */
ocelotl_status oc_overview_gather(oc_overview_input *input, ocelotl_part **parts,
                                  const ocelotl_partition *partition)
{
    input->model = ocelotl_partition_model(partition);
    input->partition = ocelotl_partition_info_of(partition);
    const ocelotl_model_info model = ocelotl_model_info_of(input->model);
    const size_t count = input->partition.part_count;
    const size_t behind = model.additive ? 0 : model.type_count * sizeof(double);
    OC_TRY(oc_allocate(parts, count, sizeof **parts + behind));
    for (size_t i = 0; i < count; i++)
        (*parts)[i] = ocelotl_partition_part_at(partition, i);
    input->parts = *parts;
    return model.additive ? OCELOTL_OK : find_values((double *)(*parts + count), *parts, input);
}

oc_overview oc_overview_of(const oc_overview_input *input, const oc_picture *picture)
{
    const ocelotl_model_info model = ocelotl_model_info_of(input->model);
    const oc_visible all = {0, model.row_count, 0, model.slice_count, 0};
    return (oc_overview){.input = input,
                         .picture = picture,
                         .model = model,
                         .visible = input->visible.row_count > 0 ? input->visible : all};
}

/* --- Places */

int oc_overview_x(const oc_overview *overview, double slice)
{
    const oc_visible *visible = &overview->visible;
    return overview->frame.left + (int)lround((slice - visible->slice_first) /
                                              visible->slice_count * overview->frame.width);
}

int oc_overview_y(const oc_overview *overview, uint32_t row)
{
    return oc_row_y(&overview->frame, &overview->rows, row - overview->visible.row_first);
}

double oc_overview_height(const oc_overview *overview, uint32_t row, uint32_t count)
{
    return oc_rows_height(&overview->rows, row - overview->visible.row_first, count,
                          overview->frame.height);
}

static uint32_t within(uint64_t value, uint32_t first, uint32_t count)
{
    return value < first                     ? first
           : value > (uint64_t)first + count ? first + count
                                             : (uint32_t)value;
}

oc_box oc_overview_box(const oc_overview *overview, uint32_t node, uint32_t first, uint32_t last)
{
    const oc_visible *visible = &overview->visible;
    const ocelotl_node of = ocelotl_model_node_at(overview->input->model, node);
    const uint32_t top = within(of.row_first, visible->row_first, visible->row_count);
    const uint32_t bottom =
        within((uint64_t)of.row_first + of.row_count, visible->row_first, visible->row_count);
    const int x =
        oc_overview_x(overview, within(first, visible->slice_first, visible->slice_count));
    const int right = oc_overview_x(
        overview, within((uint64_t)last + 1, visible->slice_first, visible->slice_count));
    const int y = oc_overview_y(overview, top);
    return (oc_box){x, y, right - x, oc_overview_y(overview, bottom) - y};
}

void oc_overview_free(oc_overview *overview)
{
    if (overview->whole != NULL)
        oc_overview_free(overview->whole);
    free(overview->whole);
    free(overview->steps.list);
    oc_row_nodes_free(&overview->rows);
    oc_shading_free(&overview->shading);
    free(overview->modes);
    free(overview->types);
    free(overview->order);
}

/* --- What is shown, kept beside the picture */

ocelotl_status oc_shown_add_part(oc_shown *shown, const ocelotl_part *part, size_t number,
                                 size_t parts, uint32_t type_count)
{
    const size_t first = shown->share_count;
    OC_TRY(
        oc_grow(&shown->parts, &shown->part_capacity, shown->part_count + 1, sizeof *shown->parts));
    OC_TRY(
        oc_grow(&shown->shares, &shown->share_capacity, first + type_count, sizeof *shown->shares));
    for (uint32_t type = 0; type < type_count; type++)
        if (part->shares[type] > 0)
            shown->shares[shown->share_count++] = (oc_shown_share){type, part->shares[type]};
    shown->parts[shown->part_count++] = (oc_shown_part){.node = part->node,
                                                        .leaves = part->leaves,
                                                        .first = part->first,
                                                        .last = part->last,
                                                        .number = number,
                                                        .parts = parts,
                                                        .gain = part->gain,
                                                        .loss = part->loss,
                                                        .share_first = first,
                                                        .share_count = shown->share_count - first};
    return OCELOTL_OK;
}

ocelotl_status oc_shown_add_overview(const oc_overview *overview)
{
    oc_shown *shown = overview->input->shown;
    const uint32_t count = overview->model.type_count;
    if (shown == NULL)
        return OCELOTL_OK;
    shown->frame = overview->frame;
    shown->visible = overview->visible;
    shown->type_count = count;
    shown->fold_count = overview->rows.fold_count;
    OC_TRY(oc_allocate(&shown->folds, shown->fold_count, sizeof *shown->folds));
    for (size_t i = 0; i < shown->fold_count; i++)
        shown->folds[i] = overview->rows.folds[i];
    OC_TRY(oc_allocate(&shown->types, count, sizeof *shown->types));
    OC_TRY(oc_allocate(&shown->order, count, sizeof *shown->order));
    for (uint32_t type = 0; type < count; type++) {
        shown->types[type] = overview->types[type];
        shown->order[type] = overview->order[type];
    }
    return OCELOTL_OK;
}

void oc_shown_free(oc_shown *shown)
{
    free(shown->parts);
    free(shown->folds);
    free(shown->shares);
    free(shown->types);
    free(shown->order);
    oc_legend_free(&shown->legend);
    oc_caption_free(&shown->caption);
    *shown = (oc_shown){0};
}

/* --- Expansion: a node and a range of time drawn alone */

static ocelotl_status fail_unknown(const ocelotl_model *model, const char *path)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const char **paths = NULL;
    OC_TRY(oc_allocate(&paths, info.node_count, sizeof *paths));
    size_t named = 0;
    for (uint32_t i = 0; i < info.node_count; i++)
        if (ocelotl_model_node_at(model, i).path[0] != '\0')
            paths[named++] = ocelotl_model_node_at(model, i).path;
    const size_t nearest = oc_nearest(path, paths, named);
    ocelotl_status status = oc_fail(OCELOTL_ERROR_ARGUMENT, "no resource \"%s\" to expand", path);
    if (nearest < named)
        status =
            oc_fail(OCELOTL_ERROR_ARGUMENT, "no resource \"%s\" to expand%s; the nearest is \"%s\"",
                    path, info.row_count > info.leaf_count ? " that is not merged into a leaf" : "",
                    paths[nearest]);
    free(paths);
    return status;
}

static ocelotl_status find_node(oc_visible *visible, const char **path, const ocelotl_model *model,
                                const char *wanted)
{
    const uint32_t count = ocelotl_model_info_of(model).node_count;
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(model, i);
        if (strcmp(node.path, wanted) != 0)
            continue;
        visible->row_first = node.row_first;
        visible->row_count = node.row_count;
        visible->node = i;
        *path = node.path;
        return OCELOTL_OK;
    }
    return fail_unknown(model, wanted);
}

/* Rounds to the nearest edges of slices; if both are the same, to the slice around the middle. */
static void round_range(oc_visible *visible, double from, double to, uint32_t count)
{
    double first = fmax(0, round(from));
    double after = fmin(count, round(to));
    if (!(first < after)) {
        first = fmax(0, fmin(count - 1.0, floor((from + to) / 2)));
        after = first + 1;
    }
    visible->slice_first = (uint32_t)first;
    visible->slice_count = (uint32_t)(after - first);
}

static ocelotl_status find_slices(oc_visible *visible, const ocelotl_model_info *info, double from,
                                  double to)
{
    const double begin = info->has_time ? info->begin : 0;
    const double end = info->has_time ? info->end : info->slice_count;
    const char *unit = info->has_time ? "s" : "slices";
    if (!(from < to))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the range to expand is from %g to %g, expected an end after its begin",
                       from, to);
    if (!(from < end && to > begin))
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "nothing is from %g to %g to be expanded, expected a range within %g to %g %s", from,
            to, begin, end, unit);
    if (info->has_time)
        round_range(visible, ocelotl_slice_at(info, fmax(from, begin)),
                    ocelotl_slice_at(info, fmin(to, end)), info->slice_count);
    else
        round_range(visible, fmax(from, begin), fmin(to, end), info->slice_count);
    return OCELOTL_OK;
}

static bool is_given(double from, double to)
{
    return !(fpclassify(from) == FP_ZERO && fpclassify(to) == FP_ZERO);
}

ocelotl_status oc_expansion_find(oc_visible *visible, const char **path, const ocelotl_model *model,
                                 const ocelotl_picture_options *options)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    oc_visible found = {0, info.row_count, 0, info.slice_count, 0};
    const bool range = is_given(options->expand_from, options->expand_to);
    if (options->expand == NULL && !range)
        return OCELOTL_OK;
    OC_TRY(find_node(&found, path, model, options->expand != NULL ? options->expand : ""));
    if (range)
        OC_TRY(find_slices(&found, &info, options->expand_from, options->expand_to));
    *visible = found;
    return OCELOTL_OK;
}

ocelotl_status oc_expansion_check_kind(ocelotl_kind kind, const ocelotl_picture_options *options)
{
    const bool wanted =
        options->expand != NULL || is_given(options->expand_from, options->expand_to);
    if (!wanted || kind == OCELOTL_SPATIOTEMPORAL)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "a %s partition cannot be expanded, expected a spatiotemporal one",
                   kind == OCELOTL_TEMPORAL ? "temporal" : "spatial");
}

ocelotl_status ocelotl_expansion_check(const ocelotl_model *model,
                                       const ocelotl_picture_options *given)
{
    const char *path = NULL;
    oc_visible visible = {0};
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    return oc_expansion_find(&visible, &path, model, &options);
}

/* --- Lifetimes of rows */

/* Neighbouring leaves with the same lifetime, in pixels. */
typedef struct lifetime {
    int begin, end;
    uint32_t first_row, end_row;
} lifetime;

static void hatch_around(oc_scene *scene, const oc_overview *overview, const lifetime *alive)
{
    const oc_frame *frame = &overview->frame;
    const oc_theme *theme = overview->picture->theme;
    if (alive->end_row == alive->first_row)
        return;
    const int top = oc_overview_y(overview, alive->first_row);
    const int height = oc_overview_y(overview, alive->end_row) - top;
    oc_plot_hatch(scene, theme, frame->left, top, alive->begin - frame->left, height);
    oc_plot_hatch(scene, theme, alive->end, top, frame->left + frame->width - alive->end, height);
}

void oc_overview_draw_lifetimes(oc_scene *scene, const oc_overview *overview)
{
    const uint32_t count = overview->model.node_count;
    const oc_visible *visible = &overview->visible;
    const double end_slice = (double)visible->slice_first + visible->slice_count;
    lifetime alive = {0};
    oc_scene_group(scene, "lifetimes", &(oc_group_style){.inert = true}, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(overview->input->model, i);
        if (!oc_is_leaf_of(overview->input->model, i) || node.row_first < visible->row_first ||
            node.row_first >= visible->row_first + visible->row_count)
            continue;
        const int begin =
            oc_overview_x(overview, fmin(end_slice, fmax(visible->slice_first, node.begin)));
        const int end =
            oc_overview_x(overview, fmax(visible->slice_first, fmin(node.end, end_slice)));
        if (begin != alive.begin || end != alive.end) {
            hatch_around(scene, overview, &alive);
            alive = (lifetime){begin, end, node.row_first, node.row_first};
        }
        alive.end_row = node.row_first + node.row_count;
    }
    hatch_around(scene, overview, &alive);
    oc_scene_group_end(scene);
}

#include "viz/overview.h"

#include "base/memory.h"
#include "viz/lettering.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROW_NAMED_FROM = 10, /* pixels a node needs to be named */
    TURNED_FROM = 40,    /* and to be named from bottom to top */
    PADDING = 5,         /* at both sides of a name */
    COLUMN_TURNED = 18,
    COLUMN_LEAST = 44,
    COLUMN_MOST = 260,
    COLUMNS_GAP = 6 /* between the columns and the plot */
};

/* What a level of the hierarchy would need to be a column. */
typedef struct level {
    uint32_t nodes;
    uint32_t named;              /* nodes that are tall enough */
    uint32_t turned;             /* nodes whose whole name fits from bottom to top */
    double height, named_height; /* of all nodes, of those that are tall enough */
    double name_width;
} level;

static int node_height(const oc_overview *overview, const ocelotl_node *node)
{
    return oc_overview_y(overview, node->leaf_first + node->leaf_count) - oc_overview_y(overview, node->leaf_first);
}

/* Before rounding: nodes of one size are named all or none. */
static double exact_height(const oc_overview *overview, const ocelotl_node *node)
{
    return (double)node->leaf_count / overview->model.leaf_count * overview->frame.height;
}

/* An implicit root says nothing. */
static bool is_shown(const ocelotl_node *node)
{
    return node->depth > 0 || node->name[0] != '\0';
}

static double name_width(const ocelotl_node *node)
{
    return oc_lettering_width(node->name, OC_SIZE_LABEL, false);
}

static void measure(level *levels, const oc_overview *overview)
{
    for (uint32_t i = 0; i < overview->model.node_count; i++) {
        const ocelotl_node node = ocelotl_model_node(overview->input->model, i);
        if (!is_shown(&node))
            continue;
        level *at = &levels[node.depth];
        const double height = exact_height(overview, &node);
        at->nodes++;
        at->height += height;
        if (height < ROW_NAMED_FROM)
            continue;
        const double width = name_width(&node);
        at->named++;
        at->named_height += height;
        at->turned += height >= TURNED_FROM && width + PADDING * 2 <= height;
        at->name_width = fmax(at->name_width, width);
    }
}

static uint32_t deepest(const oc_overview *overview)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < overview->model.node_count; i++) {
        const ocelotl_node node = ocelotl_model_node(overview->input->model, i);
        depth = node.depth > depth ? node.depth : depth;
    }
    return depth;
}

static int sum_widths(const oc_level_columns *columns)
{
    int sum = 0;
    for (size_t i = 0; i < columns->count; i++)
        sum += columns->columns[i].width;
    return sum;
}

static void widen(const oc_level_columns *columns, const level *levels)
{
    for (size_t i = 0; i < columns->count; i++) {
        oc_level_column *column = &columns->columns[i];
        const double wanted = ceil(levels[column->depth].name_width) + PADDING * 2 + 1; /* and the gap */
        column->rotated = false;
        column->width = (int)fmin(COLUMN_MOST, fmax(wanted, COLUMN_TURNED));
    }
}

/* Names from bottom to top, from the top of the hierarchy on, where that costs none of them. */
static void turn(const oc_level_columns *columns, const level *levels, int room)
{
    for (size_t i = 0; i < columns->count && sum_widths(columns) > room; i++) {
        oc_level_column *column = &columns->columns[i];
        const level *at = &levels[column->depth];
        if (at->turned == at->named && column->width > COLUMN_TURNED) {
            column->rotated = true;
            column->width = COLUMN_TURNED;
        }
    }
}

/* Takes from the widest column what is too much. */
static void shrink(const oc_level_columns *columns, int room)
{
    for (int excess = sum_widths(columns) - room; excess > 0; excess = sum_widths(columns) - room) {
        oc_level_column *widest = &columns->columns[0];
        int second = COLUMN_LEAST;
        for (size_t i = 1; i < columns->count; i++)
            if (columns->columns[i].width > widest->width)
                widest = &columns->columns[i];
        for (size_t i = 0; i < columns->count; i++)
            if (&columns->columns[i] != widest && columns->columns[i].width > second)
                second = columns->columns[i].width;
        if (widest->width <= COLUMN_LEAST)
            return;
        const int step = widest->width > second ? widest->width - second : 1;
        widest->width -= step < excess ? step : excess;
    }
}

/* The level that is missed least: one that only repeats the level above it, else one amid the others, where what
 * is above and below still tells where one is. */
static size_t least_missed(const oc_level_columns *columns, const level *levels)
{
    for (size_t i = 1; i < columns->count; i++)
        if (levels[columns->columns[i].depth].nodes == levels[columns->columns[i - 1].depth].nodes)
            return i - 1;
    return columns->count / 2;
}

static void drop(oc_level_columns *columns, size_t index)
{
    columns->count--;
    for (size_t i = index; i < columns->count; i++)
        columns->columns[i] = columns->columns[i + 1];
}

static void fit(oc_level_columns *columns, const level *levels, int room)
{
    while (columns->count > 0) {
        widen(columns, levels);
        turn(columns, levels, room);
        shrink(columns, room);
        if (sum_widths(columns) <= room)
            break;
        drop(columns, least_missed(columns, levels));
    }
    columns->width = columns->count > 0 ? sum_widths(columns) + COLUMNS_GAP : 0;
}

ocelotl_status oc_level_columns_choose(oc_level_columns *columns, const oc_overview *overview, int room)
{
    const uint32_t depth = deepest(overview);
    level *levels = NULL;
    OC_TRY(oc_allocate(&levels, (size_t)depth + 1, sizeof *levels));
    const ocelotl_status status = oc_allocate(&columns->columns, (size_t)depth + 1, sizeof *columns->columns);
    if (status == OCELOTL_OK) {
        measure(levels, overview);
        for (uint32_t i = 0; i <= depth; i++)
            if (levels[i].named > 0 && levels[i].named_height >= levels[i].height / 2)
                columns->columns[columns->count++].depth = i;
        fit(columns, levels, room - COLUMNS_GAP);
    }
    free(levels);
    return status;
}

static void draw_name(oc_scene *scene, const oc_rectangle *box, const char *name, bool rotated)
{
    const double room = (rotated ? box->height : box->width) - 2 * PADDING;
    const double middle = floor(box->y + box->height / 2);
    oc_label label = {box->x + PADDING, middle + 4, OC_ANCHOR_START, OC_SIZE_LABEL, false, OC_COLOUR_INK, 0};
    oc_text cut = {0};
    if (rotated)
        label = (oc_label){
            box->x + floor(box->width / 2) + 4, middle, OC_ANCHOR_MIDDLE, OC_SIZE_LABEL, false, OC_COLOUR_INK, -90};
    if (oc_lettering_fit(&cut, name, OC_SIZE_LABEL, false, room))
        oc_scene_label(scene, &label, cut.bytes, NULL);
    scene->failed = scene->failed || cut.failed;
    oc_text_free(&cut);
}

/* A leaf reaches to the plot, over the columns of the levels that it has nothing in. */
static void draw_node(oc_scene *scene, const oc_overview *overview, const ocelotl_node *node,
                      const oc_level_column *column, int x, int right)
{
    const int top = oc_overview_y(overview, node->leaf_first);
    const int height = node_height(overview, node);
    if (height <= 1)
        return;
    const oc_rectangle box = {x, top, right - x - 1, height - 1, OC_COLOUR_NODE, 1, OC_COLOUR_NONE, OC_COLOUR_NONE};
    oc_scene_rectangle(scene, &box, node->path);
    const bool rotated = column->rotated && right - x <= COLUMN_TURNED;
    if (exact_height(overview, node) >= (rotated ? TURNED_FROM : ROW_NAMED_FROM))
        draw_name(scene, &box, node->name, rotated);
}

/* For each depth, where its column begins; -1 where it has none. */
static void place_columns(int *places, uint32_t depths, const oc_level_columns *columns, int left)
{
    for (uint32_t i = 0; i < depths; i++)
        places[i] = -1;
    for (size_t i = 0; i < columns->count; i++) {
        places[columns->columns[i].depth] = left;
        left += columns->columns[i].width;
    }
}

static const oc_level_column *column_at(const oc_level_columns *columns, uint32_t depth)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->columns[i].depth == depth)
            return &columns->columns[i];
    return NULL;
}

ocelotl_status oc_level_columns_draw(oc_scene *scene, const oc_overview *overview, const oc_level_columns *columns)
{
    if (columns->count == 0)
        return OCELOTL_OK;
    const uint32_t depths = columns->columns[columns->count - 1].depth + 1;
    const uint32_t count = overview->model.node_count;
    const int right = overview->frame.left - COLUMNS_GAP;
    int *places = NULL;
    OC_TRY(oc_allocate(&places, depths, sizeof *places));
    place_columns(places, depths, columns, overview->frame.left - columns->width);
    oc_scene_group(scene, "hierarchy", &(oc_group){.crisp = true}, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node(overview->input->model, i);
        if (!is_shown(&node) || node.depth >= depths || places[node.depth] < 0)
            continue;
        const oc_level_column *column = column_at(columns, node.depth);
        const int x = places[node.depth];
        const bool leaf = i + 1 == count || ocelotl_model_node(overview->input->model, i + 1).parent != i;
        draw_node(scene, overview, &node, column, x, leaf ? right : x + column->width);
    }
    oc_scene_group_end(scene);
    free(places);
    return OCELOTL_OK;
}

void oc_level_columns_free(oc_level_columns *columns)
{
    free(columns->columns);
    *columns = (oc_level_columns){0};
}

#include "viz/treemap/treemap.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Rectangles in reading order: rows from top to bottom, in each from left to right. The rows
 * break where the rectangles are nearest to squares on average. Strip treemaps fill one row after
 * the other instead (Bederson, Shneiderman and Wattenberg 2002, Ordered and quantum treemaps),
 * which is never better. */

/* Rows this many times as high as their rectangles are wide, on average, are not tried. That bounds
 * the cost. */
static const double highest = 8;

/* Smaller rectangles count as this large, in pixels, so that nothing is divided by 0. */
static const double least_area = 1e-6;

/* Rounding makes differences up to this. */
static const double negligible = 1e-9;

/* The best row that begins with a rectangle. */
typedef struct row {
    size_t end;
    double cost; /* of it and all rows below it */
} row;

/* A row costs the sum of r + 1 / r, for r the width of a rectangle by its height. That falls and
 * rises with the mean ratio of the longer side to the shorter, and two sums give it. */
static row find_row(const row *rows, size_t first, const double *weights, size_t count,
                    double scale, double width)
{
    row best = {first + 1, HUGE_VAL};
    double area = 0;
    double inverse = 0;
    for (size_t i = first; i < count; i++) {
        const double next = fmax(least_area, weights[i] * scale);
        area += next;
        inverse += 1 / next;
        const double height = area / width;
        if (i > first && height * (double)(i + 1 - first) > highest * width)
            break;
        const double cost = width / height + height * height * inverse + rows[i + 1].cost;
        if (cost < best.cost * (1 + negligible)) /* the longest of equal ones */
            best = (row){i + 1, cost};
    }
    return best;
}

static double sum_of(const double *weights, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    return sum;
}

static void place_row(oc_area *areas, const double *weights, size_t count, const oc_area *within)
{
    const double whole = sum_of(weights, count);
    double before = 0;
    for (size_t i = 0; i < count; i++) {
        const double begin = within->width * (before / whole);
        before += weights[i];
        const double end = i + 1 < count ? within->width * (before / whole) : within->width;
        areas[i] = (oc_area){within->x + begin, within->y, end - begin, within->height};
    }
}

ocelotl_status oc_strips(oc_area *areas, const double *weights, size_t count, const oc_area *within)
{
    const double scale = within->width * within->height / sum_of(weights, count);
    row *rows = NULL;
    if (!(within->width > 0 && within->height > 0)) { /* what rounding left */
        for (size_t i = 0; i < count; i++)
            areas[i] = (oc_area){within->x, within->y, 0, 0};
        return OCELOTL_OK;
    }
    OC_TRY(oc_allocate(&rows, count + 1, sizeof *rows));
    for (size_t i = count; i-- > 0;)
        rows[i] = find_row(rows, i, weights, count, scale, within->width);
    /* The last row takes what rounding left. */
    const double whole = sum_of(weights, count);
    double before = 0;
    for (size_t first = 0, end; first < count; first = end) {
        end = rows[first].end;
        const double top = within->height * (before / whole);
        before += sum_of(weights + first, end - first);
        const double bottom = end < count ? within->height * (before / whole) : within->height;
        place_row(areas + first, weights + first, end - first,
                  &(oc_area){within->x, within->y + top, within->width, bottom - top});
    }
    free(rows);
    return OCELOTL_OK;
}

/* --- What areas are proportional to */

static bool is_counted(const oc_overview *overview, const oc_treemap_area *area, uint32_t type)
{
    return area->metric == OC_TREEMAP_TYPE ? type == area->type
                                           : !overview->types[type].type.untraced;
}

static ocelotl_status fail_unknown(const oc_overview *overview, const char *name)
{
    enum { NAMED_MOST = 12 };
    oc_text known = {0};
    for (uint32_t i = 0; i < overview->model.type_count && i < NAMED_MOST; i++) {
        oc_text_add(&known, ", ");
        oc_clean_add(&known, overview->types[overview->order[i]].type.name, false);
    }
    if (overview->model.type_count > NAMED_MOST)
        oc_text_add(&known, ", ...");
    const ocelotl_status status =
        known.failed ? oc_fail_memory()
                     : oc_fail(OCELOTL_ERROR_ARGUMENT,
                               "no area can be \"%s\", expected one of leaves, traced%s", name,
                               known.length > 0 ? known.bytes : "");
    oc_text_free(&known);
    return status;
}

ocelotl_status oc_treemap_area_find(oc_treemap_area *area, const oc_overview *overview)
{
    const char *name = overview->picture->area;
    *area = (oc_treemap_area){OC_TREEMAP_LEAVES, OCELOTL_NONE, 1};
    if (name == NULL)
        return OCELOTL_OK;
    for (uint32_t type = 0; type < overview->model.type_count && area->type == OCELOTL_NONE; type++)
        if (strcmp(overview->types[type].type.name, name) == 0)
            area->type = type;
    if (area->type != OCELOTL_NONE)
        area->metric = OC_TREEMAP_TYPE;
    else if (strcmp(name, "traced") == 0)
        area->metric = OC_TREEMAP_TRACED;
    else if (strcmp(name, "leaves") != 0) {
        if (ocelotl_model_find_type(&area->type, overview->input->model, name) != OCELOTL_OK)
            return fail_unknown(overview, name);
        area->metric = OC_TREEMAP_TYPE;
    }
    double largest = 0;
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        for (uint32_t type = 0; type < overview->model.type_count; type++)
            if (is_counted(overview, area, type))
                largest = fmax(largest, overview->input->parts[i].shares[type]);
    area->unit = largest > 0 ? largest : 1;
    return OCELOTL_OK;
}

double oc_treemap_weight(const oc_overview *overview, const oc_treemap_area *area,
                         const ocelotl_part *part)
{
    if (area->metric == OC_TREEMAP_LEAVES)
        return part->leaves;
    double sum = 0;
    for (uint32_t type = 0; type < overview->model.type_count; type++)
        if (is_counted(overview, area, type))
            sum += part->shares[type] / area->unit;
    return sum * part->leaves;
}

/* --- Cells */

/* Distances in pixels, and the least sides of what has room for them. */
enum {
    HEADER_WIDTH = 44,
    HEADER_HEIGHT = 38,
    EDGE = 2,
    EDGE_FROM = 40,
    THIN_EDGE = 1,
    THIN_EDGE_FROM = 14
};

/* Each layout shows how much room frames take, and the next makes up for that. This many rounds
 * nearly settle it; other sizes may give other rows. */
enum { ROUNDS = 5 };

/* A node of the hierarchy down to the parts, in preorder. */
typedef struct item {
    uint32_t node;
    uint32_t above; /* as in oc_treemap_cell */
    size_t parent, end;
    size_t child_first, child_count; /* in `order`, those with weight */
    size_t only_child;               /* 0: none, or several */
    size_t part_first, part_count;
    double weight; /* of its parts */
    double space;  /* with what frames take */
    double frame;  /* its size by that of what lies in it */
    bool is_part, placed;
    uint32_t level;
    size_t cell; /* the cell it lies in */
    oc_area area;
} item;

typedef struct layout {
    const oc_overview *overview;
    const oc_treemap_area *metric;
    item *items;
    size_t item_count, item_capacity;
    size_t *order;  /* the children of each item that have any weight */
    size_t *firsts; /* for each rectangle its first child, */
    double *weights;
    oc_area *areas; /* and its place */
    size_t cell_capacity, parts_placed;
    double smallest; /* area, in pixels */
} layout;

int oc_treemap_header(const oc_area *area)
{
    return area->width >= HEADER_WIDTH && area->height >= HEADER_HEIGHT ? OC_TREEMAP_NAME : 0;
}

/* The area inside a frame; a whole without a name has no frame. */
static oc_area inside_of(const layout *at, const item *of)
{
    const oc_area inside = of->area;
    bool named = false;
    for (uint32_t node = of->above; node <= of->node && !named; node++)
        named = ocelotl_model_node_at(at->overview->input->model, node).name[0] != '\0';
    if (!named)
        return inside;
    const double side = fmin(inside.width, inside.height);
    const int edge = side >= EDGE_FROM ? EDGE : side >= THIN_EDGE_FROM ? THIN_EDGE : 0;
    const int header = oc_treemap_header(&of->area);
    const int above = header > 0 ? header : edge;
    return (oc_area){inside.x + edge, inside.y + above, inside.width - 2 * edge,
                     inside.height - above - edge};
}

/* Adds all nodes down to the parts; both come in the order of drawing. */
static ocelotl_status add_items(layout *at)
{
    const oc_overview_input *input = at->overview->input;
    const uint32_t count = at->overview->model.node_count;
    size_t part = 0;
    size_t parent = 0;
    for (uint32_t node = 0; node < count && part < input->partition.part_count;) {
        const ocelotl_node of = ocelotl_model_node_at(input->model, node);
        if (of.alike && input->parts[part].node != node) {
            node++;
            continue;
        }
        /* groups of like siblings have no frame */
        uint32_t above = of.parent;
        while (above != OCELOTL_ROOT && ocelotl_model_node_at(input->model, above).alike)
            above = ocelotl_model_node_at(input->model, above).parent;
        while (at->item_count > 0 && at->items[parent].node != above)
            parent = at->items[parent].parent;
        const size_t index = at->item_count;
        OC_TRY(oc_grow(&at->items, &at->item_capacity, index + 1, sizeof *at->items));
        at->items[at->item_count++] =
            (item){.node = node, .above = node, .parent = parent, .part_first = part, .frame = 1};
        parent = index;
        node++;
        if (input->parts[part].node != at->items[index].node)
            continue;
        at->items[index].is_part = true;
        at->items[index].part_count = 1;
        at->items[index].weight = oc_treemap_weight(at->overview, at->metric, &input->parts[part]);
        part++;
        const uint32_t end = of.leaf_first + of.leaf_count;
        while (node < count && ocelotl_model_node_at(input->model, node).leaf_first < end)
            node++;
    }
    return OCELOTL_OK;
}

/* Finds ends, weights and numbers of children, from the last node to the first. */
static void sum_up(layout *at)
{
    for (size_t i = 0; i < at->item_count; i++)
        at->items[i].end = i + 1;
    for (size_t i = at->item_count; i-- > 1;) {
        item *of = &at->items[i];
        item *parent = &at->items[of->parent];
        parent->end = of->end > parent->end ? of->end : parent->end;
        parent->weight += of->weight;
        parent->part_count += of->part_count;
        parent->child_count += of->weight > 0;
        parent->only_child = of->parent + 1 == i && parent->end == of->end ? i : 0;
    }
    for (size_t i = 1, first = 0; i <= at->item_count; i++) {
        at->items[i - 1].child_first = first;
        first += at->items[i - 1].child_count;
    }
}

/* Finds the room that every node wants, by the frames of the layout before. */
static void find_space(layout *at)
{
    for (size_t i = 0; i < at->item_count; i++)
        at->items[i].space = at->items[i].is_part ? at->items[i].weight : 0;
    for (size_t i = at->item_count; i-- > 0;) {
        item *of = &at->items[i];
        of->space *= of->frame;
        of->placed = false;
        if (i > 0)
            at->items[of->parent].space += of->space;
    }
}

static ocelotl_status add_cell(oc_treemap *treemap, layout *at, const oc_treemap_cell *cell)
{
    OC_TRY(oc_grow(&treemap->cells, &at->cell_capacity, treemap->cell_count + 1,
                   sizeof *treemap->cells));
    treemap->cells[treemap->cell_count++] = *cell;
    return OCELOTL_OK;
}

static oc_treemap_cell cell_of(const item *of, oc_treemap_kind kind)
{
    return (oc_treemap_cell){.kind = kind,
                             .node = of->node,
                             .above = of->above,
                             .level = of->level,
                             .parent = of->cell,
                             .area = of->area,
                             .inside = of->area,
                             .weight = of->weight};
}

/* Appends the parts below an item that have any weight to those of the treemap. */
static size_t take_parts(oc_treemap *treemap, layout *at, const item *of)
{
    const size_t before = at->parts_placed;
    for (size_t i = 0; i < of->part_count; i++) {
        const size_t part = of->part_first + i;
        if (oc_treemap_weight(at->overview, at->metric, &at->overview->input->parts[part]) > 0)
            treemap->parts[at->parts_placed++] = part;
    }
    return at->parts_placed - before;
}

static item *child_of(const layout *at, const item *of, size_t index)
{
    return &at->items[at->order[of->child_first + index]];
}

/* Adds some children of an item as one cell. */
static ocelotl_status add_together(oc_treemap *treemap, layout *at, const item *of,
                                   size_t rectangle, size_t frame)
{
    oc_treemap_cell cell = cell_of(of, OC_TREEMAP_TOGETHER);
    cell.area = cell.inside = at->areas[rectangle];
    cell.parent = frame;
    cell.level = of->level + 1;
    cell.first = at->parts_placed;
    cell.weight = 0;
    for (size_t k = at->firsts[rectangle]; k < at->firsts[rectangle + 1]; k++) {
        const item *child = child_of(at, of, k);
        cell.count += take_parts(treemap, at, child);
        cell.weight += child->weight;
    }
    treemap->joint_parts += cell.count;
    return add_cell(treemap, at, &cell);
}

/* Joins neighbouring small children in one rectangle. Returns the number of rectangles. */
static size_t join_small(layout *at, const item *of, const oc_area *inside)
{
    double whole = 0;
    size_t count = 0;
    bool small_before = false;
    for (size_t k = 0; k < of->child_count; k++)
        whole += child_of(at, of, k)->space;
    for (size_t k = 0; k < of->child_count; k++) {
        const double space = child_of(at, of, k)->space;
        const bool small = space / whole * inside->width * inside->height < at->smallest;
        if (small && small_before) {
            at->weights[count - 1] += space;
            continue;
        }
        at->firsts[count] = k;
        at->weights[count++] = space;
        small_before = small;
    }
    at->firsts[count] = of->child_count;
    return count;
}

/* Gives the children of an item their places in its frame. */
static ocelotl_status place_children(oc_treemap *treemap, layout *at, const item *of,
                                     const oc_area *inside)
{
    const size_t frame = treemap->cell_count - 1;
    const size_t count = join_small(at, of, inside);
    OC_TRY(oc_strips(at->areas, at->weights, count, inside));
    for (size_t i = 0; i < count; i++) {
        /* A small part between large ones is drawn on its own. A small frame is not: nothing in it
         * could be seen. */
        item *child = child_of(at, of, at->firsts[i]);
        if (at->firsts[i + 1] != at->firsts[i] + 1 ||
            (!child->is_part && at->areas[i].width * at->areas[i].height < at->smallest)) {
            OC_TRY(add_together(treemap, at, of, i, frame));
            continue;
        }
        child->area = at->areas[i];
        child->placed = true;
        child->level = of->level + 1;
        child->cell = frame;
    }
    return OCELOTL_OK;
}

static ocelotl_status place_item(oc_treemap *treemap, layout *at, item *of)
{
    if (of->only_child != 0) { /* the last of a chain of only children takes its place */
        item *child = &at->items[of->only_child];
        child->area = of->area;
        child->above = of->above;
        child->level = of->level;
        child->cell = of->cell;
        child->placed = true;
        return OCELOTL_OK;
    }
    oc_treemap_cell cell = cell_of(of, of->is_part ? OC_TREEMAP_PART : OC_TREEMAP_FRAME);
    if (of->is_part) {
        cell.first = at->parts_placed;
        cell.count = take_parts(treemap, at, of);
        return add_cell(treemap, at, &cell);
    }
    cell.inside = inside_of(at, of);
    const double left = cell.inside.width * cell.inside.height;
    of->frame = left > 0 ? (of->frame + of->area.width * of->area.height / left) / 2 : 1;
    OC_TRY(add_cell(treemap, at, &cell));
    return place_children(treemap, at, of, &cell.inside);
}

static ocelotl_status make(oc_treemap *treemap, layout *at, const oc_area *within)
{
    const size_t parts = at->overview->input->partition.part_count;
    OC_TRY(add_items(at));
    OC_TRY(oc_allocate(&treemap->parts, parts, sizeof *treemap->parts));
    OC_TRY(oc_allocate(&at->order, at->item_count, sizeof *at->order));
    OC_TRY(oc_allocate(&at->firsts, at->item_count + 1, sizeof *at->firsts));
    OC_TRY(oc_allocate(&at->weights, at->item_count, sizeof *at->weights));
    OC_TRY(oc_allocate(&at->areas, at->item_count, sizeof *at->areas));
    sum_up(at);
    for (size_t i = 0; i < at->item_count; i++) { /* siblings keep their order */
        const item *of = &at->items[i];
        size_t count = 0;
        for (size_t child = i + 1; child < of->end; child = at->items[child].end)
            if (at->items[child].weight > 0)
                at->order[of->child_first + count++] = child;
    }
    for (int round = 0; round < ROUNDS && at->item_count > 0; round++) {
        find_space(at);
        at->items[0].area = *within;
        at->items[0].placed = at->items[0].weight > 0;
        treemap->cell_count = at->parts_placed = treemap->joint_parts = 0;
        for (size_t i = 0; i < at->item_count; i++)
            if (at->items[i].placed)
                OC_TRY(place_item(treemap, at, &at->items[i]));
    }
    treemap->hidden_parts = parts - at->parts_placed;
    return OCELOTL_OK;
}

ocelotl_status oc_treemap_make(oc_treemap *treemap, const oc_overview *overview,
                               const oc_treemap_area *area, const oc_area *within)
{
    const double smallest = overview->picture->smallest;
    layout at = {.overview = overview, .metric = area, .smallest = smallest * smallest};
    const ocelotl_status status = make(treemap, &at, within);
    free(at.items);
    free(at.order);
    free(at.firsts);
    free(at.weights);
    free(at.areas);
    return status;
}

void oc_treemap_free(oc_treemap *treemap)
{
    free(treemap->cells);
    free(treemap->parts);
    *treemap = (oc_treemap){0};
}

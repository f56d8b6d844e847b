#include "viz/frame/frame.h"

#include "base/memory.h"
#include "base/text.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Nodes of rows, one after the other, and the texts that are made for them */

ocelotl_status oc_row_nodes_add(oc_row_nodes *rows, const oc_row_node *node)
{
    OC_TRY(oc_grow(&rows->nodes, &rows->capacity, rows->node_count + 1, sizeof *node));
    rows->nodes[rows->node_count++] = *node;
    return OCELOTL_OK;
}

ocelotl_status oc_row_nodes_keep(const char **kept, oc_row_nodes *rows, const char *text,
                                 size_t length)
{
    /* More than pictures show of the beginning and of the end of a line: the first steps of a path
     * of n steps would take n^2 bytes. */
    enum { SHOWN = OC_LONGEST_SHOWN / 2 + 8 };
    char *copy = NULL;
    const bool whole = length <= 2 * (size_t)SHOWN || memchr(text, '\n', length) != NULL;
    const size_t tail = whole ? 0 : SHOWN;
    const size_t head = whole ? length : SHOWN;
    OC_TRY(oc_grow(&rows->texts, &rows->text_capacity, rows->text_count + 1, sizeof *rows->texts));
    OC_TRY(oc_allocate(&copy, head + tail + 1, 1));
    memcpy(copy, text, head);
    memcpy(copy + head, text + length - tail, tail);
    rows->texts[rows->text_count++] = copy;
    *kept = copy;
    return OCELOTL_OK;
}

void oc_row_nodes_free(oc_row_nodes *rows)
{
    for (size_t i = 0; i < rows->text_count; i++)
        free(rows->texts[i]);
    free(rows->texts);
    free(rows->folds);
    free(rows->nodes);
    *rows = (oc_row_nodes){0};
}

/* --- Heights of rows, some of which are folded */

/* Shares of the plot: of a fold, in which its name fits; and of all folds. */
static const double fold_most = 1.0 / 40;
static const double folds_most = 1.0 / 4;

/* No fold is higher than its rows would be. */
void oc_row_nodes_place_folds(oc_row_nodes *rows)
{
    const double most = fmin(fold_most, folds_most / (double)rows->fold_count);
    double left = 1;
    double folded = 0;
    uint32_t kept = rows->row_count;
    uint32_t before = 0;
    for (size_t i = 0; i < rows->fold_count; i++) {
        left -= fmin(most, (double)rows->folds[i].count / rows->row_count);
        kept -= rows->folds[i].count;
    }
    for (size_t i = 0; i < rows->fold_count; i++) {
        oc_row_fold *fold = &rows->folds[i];
        fold->place = fold->first - before + folded;
        fold->height = fmin(most, (double)fold->count / rows->row_count) / left * kept;
        folded += fold->height;
        before += fold->count;
    }
}

/* The folds that begin before a row. */
static size_t count_folds(const oc_row_nodes *rows, uint32_t row)
{
    size_t low = 0, high = rows->fold_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (rows->folds[middle].first < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool oc_rows_are_folded(const oc_row_nodes *rows, uint32_t first, uint32_t count)
{
    const size_t before = count_folds(rows, first + 1);
    const oc_row_fold *fold = before > 0 ? &rows->folds[before - 1] : NULL;
    return fold != NULL && first + count <= fold->first + fold->count;
}

/* The edge above a row, in plain rows. */
static double place_of(const oc_row_nodes *rows, uint32_t row)
{
    const size_t before = count_folds(rows, row);
    if (before == 0)
        return row;
    const oc_row_fold *fold = &rows->folds[before - 1];
    const uint32_t inside = row - fold->first < fold->count ? row - fold->first : fold->count;
    return fold->place + fold->height * inside / fold->count + (row - fold->first - inside);
}

int oc_row_y(const oc_frame *frame, const oc_row_nodes *rows, uint32_t row)
{
    return frame->top +
           (int)lround(place_of(rows, row) / place_of(rows, rows->row_count) * frame->height);
}

double oc_rows_height(const oc_row_nodes *rows, uint32_t first, uint32_t count, int height)
{
    const double size =
        rows->fold_count > 0 ? place_of(rows, first + count) - place_of(rows, first) : count;
    return size / place_of(rows, rows->row_count) * height;
}

/* --- Columns of levels */

enum {
    ROW_NAMED_FROM = 11, /* pixels a node needs to be named */
    TURNED_FROM = 40,    /* and to be named upright */
    PADDING = 5,         /* at both sides of a name */
    COLUMN_TURNED = 18,
    COLUMN_LEAST = 64,
    COLUMN_MOST = 260,
    COLUMNS_GAP = 6 /* between the columns and the plot */
};

/* What a level of the hierarchy needs to be a column. */
typedef struct level {
    uint32_t nodes;
    uint32_t named;              /* nodes that are tall enough */
    uint32_t turned;             /* nodes whose whole name fits from bottom to top */
    double height, named_height; /* of all nodes, of those that are tall enough */
    double name_width;
    const char *name; /* of all nodes, NULL if they have several */
} level;

/* An implicit root has no name to show. */
static bool is_shown(const oc_row_node *node)
{
    return node->depth > 0 || node->name[0] != '\0';
}

static int sum_widths(const oc_level_columns *columns)
{
    int sum = 0;
    for (size_t i = 0; i < columns->count; i++)
        sum += columns->columns[i].width;
    return sum;
}

/* Shrinks the widest column by what is too much. */
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

/* Finds the level that is missed least: one whose nodes all have one name; one that only repeats
 * the level above it; else one in the middle, as the levels above and below still show where a row
 * is. */
static size_t least_missed(const oc_level_columns *columns, const level *levels)
{
    for (size_t i = 0; i < columns->count; i++)
        if (levels[columns->columns[i].depth].name != NULL &&
            levels[columns->columns[i].depth].nodes > 1)
            return i;
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

/* Drops all at once what would be dropped one by one until the narrowest columns have room: a
 * hierarchy may have thousands of levels. */
static void drop_many(oc_level_columns *columns, const level *levels, int room)
{
    const size_t most = room > 0 ? (size_t)room / COLUMN_TURNED : 0;
    size_t kept = 0;
    for (size_t i = 0; i < columns->count; i++) {
        const bool repeats =
            i + 1 < columns->count &&
            levels[columns->columns[i].depth].nodes == levels[columns->columns[i + 1].depth].nodes;
        if (repeats && kept + columns->count - i > most)
            continue;
        columns->columns[kept++] = columns->columns[i];
    }
    columns->count = kept;
    while (columns->count > most)
        drop(columns, least_missed(columns, levels));
}

/* Names are turned upright, from the top of the hierarchy on, where that loses none of them. */
static void fit(oc_level_columns *columns, const level *levels, int room)
{
    drop_many(columns, levels, room);
    while (columns->count > 0) {
        for (size_t i = 0; i < columns->count; i++) {
            oc_level_column *column = &columns->columns[i];
            /* and the gap */
            const double wanted = ceil(levels[column->depth].name_width) + PADDING * 2 + 1;
            column->rotated = false;
            column->width = (int)fmin(COLUMN_MOST, fmax(wanted, COLUMN_TURNED));
        }
        for (size_t i = 0; i < columns->count && sum_widths(columns) > room; i++) {
            oc_level_column *column = &columns->columns[i];
            const level *at = &levels[column->depth];
            if (at->turned == at->named && column->width > COLUMN_TURNED) {
                column->rotated = true;
                column->width = COLUMN_TURNED;
            }
        }
        shrink(columns, room);
        if (sum_widths(columns) <= room)
            break;
        drop(columns, least_missed(columns, levels));
    }
    columns->width = columns->count > 0 ? sum_widths(columns) + COLUMNS_GAP : 0;
}

ocelotl_status oc_level_columns_choose(oc_level_columns *columns, const oc_row_nodes *rows,
                                       int plot_height, int room)
{
    uint32_t depth = 0;
    level *levels = NULL;
    for (size_t i = 0; i < rows->node_count; i++)
        depth = rows->nodes[i].depth > depth ? rows->nodes[i].depth : depth;
    OC_TRY(oc_allocate(&levels, (size_t)depth + 1, sizeof *levels));
    const ocelotl_status status =
        oc_allocate(&columns->columns, (size_t)depth + 1, sizeof *columns->columns);
    for (size_t i = 0; i < rows->node_count; i++) {
        const oc_row_node *node = &rows->nodes[i];
        const double height = oc_rows_height(rows, node->first, node->count, plot_height);
        level *at = &levels[node->depth];
        if (!is_shown(node) ||
            (columns->without_whole && !node->leaf && node->count == rows->row_count))
            continue;
        if (at->nodes++ == 0)
            at->name = node->name;
        else if (at->name != NULL && strcmp(at->name, node->name) != 0)
            at->name = NULL;
        at->height += height;
        if (height < ROW_NAMED_FROM)
            continue;
        const double width = oc_lettering_width(node->name, OC_SIZE_LABEL, false);
        at->named++;
        at->named_height += height;
        at->turned += height >= TURNED_FROM && width + PADDING * 2 <= height;
        at->name_width = fmax(at->name_width, width);
    }
    for (uint32_t i = 0; i <= depth && status == OCELOTL_OK; i++)
        if (levels[i].named > 0 && levels[i].named_height >= levels[i].height / 2)
            columns->columns[columns->count++].depth = i;
    if (status == OCELOTL_OK)
        fit(columns, levels, room - COLUMNS_GAP);
    free(levels);
    return status;
}

/* A cut name keeps half of its letters, or several: "33…-1" for "336 like rank-1" would mislead. */
static bool tells_enough(const char *cut, const char *name)
{
    enum { LETTERS_LEAST = 6 };
    const size_t left = oc_count_characters(cut);
    return strcmp(cut, name) == 0 || left > LETTERS_LEAST ||
           (left - 1) * 2 >= oc_count_characters(name);
}

/* A leaf reaches to the plot, over the columns of levels below it. */
ocelotl_status oc_level_columns_draw(oc_scene *scene, const oc_picture *picture,
                                     const oc_frame *frame, const oc_row_nodes *rows,
                                     const oc_level_columns *columns)
{
    const oc_theme *theme = picture->theme;
    if (columns->count == 0)
        return OCELOTL_OK;
    const uint32_t depths = columns->columns[columns->count - 1].depth + 1;
    int left = frame->left - columns->width;
    int *places = NULL; /* by depth: where its column begins; -1 without a column */
    OC_TRY(oc_allocate(&places, depths, sizeof *places));
    for (uint32_t i = 0; i < depths; i++)
        places[i] = -1;
    for (size_t i = 0; i < columns->count; i++) {
        places[columns->columns[i].depth] = left;
        left += columns->columns[i].width;
    }
    oc_scene_group(scene, "hierarchy", &(oc_group_style){.crisp = true}, NULL);
    for (size_t i = 0; i < rows->node_count; i++) {
        const oc_row_node *node = &rows->nodes[i];
        const int top = oc_row_y(frame, rows, node->first);
        const int height = oc_row_y(frame, rows, node->first + node->count) - top;
        if (!is_shown(node) || node->depth >= depths || places[node->depth] < 0 || height <= 1)
            continue;
        const oc_level_column *column = columns->columns;
        while (column->depth != node->depth)
            column++;
        const int x = places[node->depth];
        const int right = node->leaf ? frame->left - COLUMNS_GAP : x + column->width;
        const bool rotated = column->rotated && right - x <= COLUMN_TURNED;
        const oc_rectangle box = oc_rectangle_of(x, top, right - x - 1, height - 1, theme->node);
        const double room = (rotated ? box.height : box.width) - 2 * PADDING;
        const double middle = floor(box.y + box.height / 2);
        oc_label label = oc_label_at(box.x + PADDING, middle + 4, OC_ANCHOR_START, theme->ink);
        oc_text cut = {0};
        if (rotated) {
            label =
                oc_label_at(box.x + floor(box.width / 2) + 4, middle, OC_ANCHOR_MIDDLE, theme->ink);
            label.rotation = -90;
        }
        oc_scene_rectangle(scene, &box, node->path);
        if (oc_rows_height(rows, node->first, node->count, frame->height) >=
                (rotated ? TURNED_FROM : ROW_NAMED_FROM) &&
            oc_lettering_fit(&cut, node->name, OC_SIZE_LABEL, false, room) &&
            tells_enough(cut.bytes, node->name))
            oc_scene_label(scene, &label, cut.bytes, NULL);
        oc_scene_take(scene, &cut);
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

/* --- Names of some rows beside the plot */

/* Distances in pixels. */
enum {
    NAMES_APART = 13, /* from one name to the next */
    TICK = 4,
    GAP = 3, /* between a name and its tick */
    NAME_LEAST = 24,
    NAME_MOST = 140,
    COUNT = 18, /* the column of the number of rows */
    COUNT_MIDDLE = 9,
    COUNT_GAP = 6
};

/* Whether a column has several nodes: then it says which rows are which. */
static bool are_told_apart(const oc_row_nodes *rows, const oc_level_columns *columns)
{
    for (size_t c = 0; c < columns->count; c++) {
        uint32_t nodes = 0;
        for (size_t i = 0; i < rows->node_count; i++)
            nodes += rows->nodes[i].depth == columns->columns[c].depth;
        if (nodes > 1)
            return true;
    }
    return false;
}

static double middle_of(const oc_row_nodes *rows, uint32_t first, uint32_t count,
                        const oc_frame *frame)
{
    const double top = oc_row_y(frame, rows, first);
    return (top + oc_row_y(frame, rows, first + count)) / 2;
}

/* Whether a name would take the room of that of a fold which follows: it stands for many rows. */
static bool is_before_fold(const oc_row_nodes *rows, const oc_row_node *node, double middle,
                           const oc_frame *frame)
{
    const size_t next = count_folds(rows, node->first + 1);
    const oc_row_fold *folds = rows->folds;
    if (next == rows->fold_count || oc_rows_are_folded(rows, node->first, node->count))
        return false;
    return middle_of(rows, folds[next].first, folds[next].count, frame) < middle + NAMES_APART;
}

/* Finds the next leaf with a name, far enough from the one before; node_count if none follows. *y
 * is the middle of its row, negative before the first one. */
static size_t next_named(const oc_row_nodes *rows, size_t from, const oc_frame *frame, double *y)
{
    for (size_t i = from; i < rows->node_count; i++) {
        const oc_row_node *node = &rows->nodes[i];
        const double middle = middle_of(rows, node->first, node->count, frame);
        if (!node->leaf || node->name[0] == '\0' || (*y >= 0 && middle < *y + NAMES_APART) ||
            is_before_fold(rows, node, middle, frame))
            continue;
        *y = middle;
        return i;
    }
    return rows->node_count;
}

oc_row_names oc_row_names_choose(const oc_row_nodes *rows, const oc_level_columns *columns,
                                 int height, int room)
{
    const oc_frame frame = {.height = height};
    oc_row_names names = {0, 0, rows->row_count, " resources"};
    double widest = 0;
    double y = -1;
    if (rows->row_count < 2 || room < COUNT + COUNT_GAP || are_told_apart(rows, columns))
        return names;
    for (size_t i = next_named(rows, 0, &frame, &y); i < rows->node_count;
         i = next_named(rows, i + 1, &frame, &y))
        widest = fmax(widest, oc_lettering_width(rows->nodes[i].name, OC_SIZE_LABEL, false));
    const int wanted = (int)ceil(fmin(widest, NAME_MOST)) + TICK + GAP;
    if (widest > 0 && wanted <= room - COUNT - COUNT_GAP)
        names.name_width = wanted;
    else if (room - COUNT - COUNT_GAP >= NAME_LEAST && widest > 0)
        names.name_width = room - COUNT - COUNT_GAP;
    names.width = COUNT + COUNT_GAP + names.name_width;
    return names;
}

void oc_row_names_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_row_nodes *rows, const oc_row_names *names)
{
    const oc_theme *theme = picture->theme;
    const int left = frame->left - names->width; /* of the number, upright in a box */
    const oc_rectangle box = oc_rectangle_of(left, frame->top, COUNT, frame->height, theme->node);
    oc_label number = oc_label_at(left + COUNT_MIDDLE + 4, frame->top + floor(frame->height / 2.0),
                                  OC_ANCHOR_MIDDLE, theme->ink);
    oc_text text = {0};
    double y = -1;
    if (names->width == 0)
        return;
    number.rotation = -90;
    oc_count_add(&text, names->count);
    oc_text_add(&text, names->what);
    oc_scene_group(scene, "rows", &(oc_group_style){.crisp = true}, NULL);
    oc_scene_rectangle(scene, &box, NULL);
    if (!text.failed)
        oc_label_draw(scene, &number, text.bytes, frame->height, NULL);
    oc_scene_take(scene, &text);
    for (size_t i = next_named(rows, 0, frame, &y); i < rows->node_count && names->name_width > 0;
         i = next_named(rows, i + 1, frame, &y)) {
        const double middle = floor(y) + 0.5;
        const oc_label label =
            oc_label_at(frame->left - TICK - GAP, floor(y) + 4, OC_ANCHOR_END, theme->muted);
        oc_plot_rule(scene, frame->left - TICK, middle, frame->left, middle, theme->muted);
        oc_label_draw(scene, &label, rows->nodes[i].name, names->name_width - TICK - GAP,
                      rows->nodes[i].path);
    }
    oc_scene_group_end(scene);
}

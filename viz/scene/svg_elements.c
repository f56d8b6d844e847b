#include "viz/scene/svg_elements.h"

#include "base/memory.h"
#include "viz/scene/scene.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Strings of a scene are clean already: only what XML itself means by a character is left to do. */
void oc_svg_add_escaped(oc_text *svg, const char *string)
{
    while (*string != '\0') {
        const size_t plain = strcspn(string, "<>&\"'");
        oc_text_append(svg, string, plain);
        string += plain;
        if (*string == '\0')
            return;
        oc_text_add(svg, *string == '<'   ? "&lt;"
                         : *string == '>' ? "&gt;"
                         : *string == '&' ? "&amp;"
                         : *string == '"' ? "&quot;"
                                          : "&#39;");
        string++;
    }
}

void oc_svg_add_attribute(oc_text *svg, const char *name, double value)
{
    oc_text_format(svg, " %s=\"", name);
    oc_decimal_add(svg, value, 2);
    oc_text_add(svg, "\"");
}

void oc_svg_add_colour(oc_text *svg, const char *name, uint32_t colour)
{
    oc_text_format(svg, " %s=\"", name);
    oc_colour_write(svg, colour);
    oc_text_add(svg, "\"");
}

/* Only a page has where to look it up. */
void oc_svg_add_subject(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    if (scene->fragment != 0 && item->subject != 0)
        oc_text_format(svg, " data-part=\"%zu\"", item->subject);
}

/* --- Tiles: rectangles that look alike, as one */

/* Opacities that differ by less cannot be told apart. */
static const double opacity_steps = 200;

enum { LINES_FROM = 8 /* tiles of one look and height */ };

typedef struct tile {
    const oc_scene_item *item;
    uint32_t fill;
    int opacity;   /* in steps */
    bool alone;    /* says something of its own; others are joined */
    double height; /* of one that is drawn as a line through its middle, so high; 0: it is filled */
} tile;

static int compare_tiles(const void *a, const void *b)
{
    const tile *left = a;
    const tile *right = b;
    if (left->fill != right->fill)
        return left->fill < right->fill ? -1 : 1;
    if (left->opacity != right->opacity)
        return left->opacity > right->opacity ? -1 : 1;
    if (left->alone != right->alone)
        return left->alone ? 1 : -1;
    if (left->height < right->height || left->height > right->height)
        return left->height < right->height ? -1 : 1;
    return left->item < right->item ? -1 : left->item > right->item;
}

static void add_number(oc_text *svg, const char *before, double value)
{
    oc_text_add(svg, before);
    oc_decimal_add(svg, value, 2);
}

static void add_tile(oc_text *svg, const oc_scene *scene, const tile *is)
{
    const oc_scene_item *item = is->item;
    const oc_rectangle *rectangle = &item->as.rectangle;
    const bool line = is->height > 0;
    add_number(svg, "<path d=\"M", rectangle->x);
    add_number(svg, " ", line ? rectangle->y + rectangle->height / 2 : rectangle->y);
    add_number(svg, "h", rectangle->width);
    if (!line) {
        add_number(svg, "v", rectangle->height);
        add_number(svg, "h", -rectangle->width);
    }
    oc_text_add(svg, line ? "\"" : "z\"");
    oc_svg_add_subject(svg, scene, item);
    if (item->tooltip == 0) {
        oc_text_add(svg, "/>\n");
        return;
    }
    oc_text_add(svg, "><title>");
    oc_svg_add_escaped(svg, oc_scene_string(scene, item->tooltip));
    oc_text_add(svg, "</title></path>\n");
}

static void begin_look(oc_text *svg, const tile *first)
{
    const bool line = first->height > 0;
    oc_text_add(svg, first->alone ? "<g" : "<path");
    oc_text_add(svg, line ? " fill=\"none\"" : "");
    oc_svg_add_colour(svg, line ? "stroke" : "fill", first->fill);
    if (first->opacity < opacity_steps) {
        add_number(svg, line ? " stroke-opacity=\"" : " fill-opacity=\"",
                   first->opacity / opacity_steps);
        oc_text_add(svg, "\"");
    }
    if (line)
        oc_svg_add_attribute(svg, "stroke-width", first->height);
    oc_text_add(svg, first->alone ? ">\n" : " d=\"");
}

static long hundredths(double value)
{
    return lround(value * 100);
}

/* A line through the middle of each, as wide as they are high: a step from one to the next is the
 * shortest there is. */
static void add_joined(oc_text *svg, const tile *tiles, size_t count)
{
    long x = 0;
    long y = 0;
    for (size_t i = 0; i < count; i++) {
        const oc_rectangle *rectangle = &tiles[i].item->as.rectangle;
        const long left = hundredths(rectangle->x);
        const long middle = hundredths(rectangle->y + rectangle->height / 2);
        const long right = hundredths(rectangle->x + rectangle->width);
        add_number(svg, i == 0 ? "M" : "m", (double)(left - x) / 100);
        add_number(svg, middle < y ? "" : " ", (double)(middle - y) / 100);
        add_number(svg, "h", (double)(right - left) / 100);
        x = right;
        y = middle;
    }
    oc_text_add(svg, "\"/>\n");
}

static bool look_alike(const tile *a, const tile *b)
{
    return a->fill == b->fill && a->opacity == b->opacity && a->alone == b->alone &&
           !(a->height < b->height) && !(a->height > b->height);
}

static size_t end_of_look(const tile *tiles, size_t begin, size_t count)
{
    size_t end = begin + 1;
    while (end < count && look_alike(&tiles[begin], &tiles[end]))
        end++;
    return end;
}

/* A height that few have is not worth a group. */
static void fill_rare(tile *tiles, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = end_of_look(tiles, begin, count);
        const bool rare = tiles[begin].alone && end - begin < LINES_FROM;
        for (size_t i = begin; i < end && rare; i++)
            tiles[i].height = 0;
    }
    qsort(tiles, count, sizeof *tiles, compare_tiles);
}

static void add_all(oc_text *svg, const oc_scene *scene, const tile *tiles, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = end_of_look(tiles, begin, count);
        begin_look(svg, &tiles[begin]);
        if (!tiles[begin].alone) {
            add_joined(svg, tiles + begin, end - begin);
            continue;
        }
        for (size_t i = begin; i < end; i++)
            add_tile(svg, scene, &tiles[i]);
        oc_text_add(svg, "</g>\n");
    }
}

/* The line as a move and a step, counted from the middle of the first pixel. */
static void add_line(oc_text *svg, const oc_point *from, const oc_point *to)
{
    const double down = to->y - from->y;
    add_number(svg, "M", from->x - OC_MARK_INSET);
    add_number(svg, " ", from->y - OC_MARK_INSET);
    add_number(svg, "l", to->x - from->x);
    add_number(svg, down < 0 ? "" : " ", down);
}

static void begin_marks(oc_text *svg, uint32_t colour)
{
    oc_text_add(svg, "<path fill=\"none\"");
    oc_svg_add_colour(svg, "stroke", colour);
    oc_svg_add_attribute(svg, "stroke-width", OC_MARK_WIDTH);
    oc_svg_add_attribute(svg, "stroke-opacity", OC_MARK_OPACITY);
    add_number(svg, " transform=\"translate(", OC_MARK_INSET);
    add_number(svg, " ", OC_MARK_INSET);
    oc_text_add(svg, ")\" shape-rendering=\"auto\" pointer-events=\"none\" d=\"");
}

void oc_svg_add_marks(oc_text *svg, const oc_scene_item *item, const oc_scene_item *end)
{
    bool open = false;
    uint32_t colour = 0;
    for (; item < end; item++) {
        oc_point points[4];
        const int lines = item->kind == OC_ITEM_RECTANGLE ? oc_mark_lines(points, item) : 0;
        if (lines > 0 && open && item->mark_colour != colour) {
            oc_text_add(svg, "\"/>\n");
            open = false;
        }
        if (lines > 0 && !open)
            begin_marks(svg, colour = item->mark_colour);
        open = open || lines > 0;
        for (int i = 0; i < lines; i++)
            add_line(svg, &points[2 * i], &points[2 * i + 1]);
    }
    oc_text_add(svg, open ? "\"/>\n" : "");
}

ocelotl_status oc_svg_add_tiles(oc_text *svg, const oc_scene *scene, size_t *index)
{
    const size_t begin = *index + 1;
    size_t count = 0;
    tile *tiles = NULL;
    while (begin + count < scene->item_count &&
           scene->items[begin + count].kind == OC_ITEM_RECTANGLE)
        count++;
    OC_TRY(oc_allocate(&tiles, count, sizeof *tiles));
    for (size_t i = 0; i < count; i++) {
        const oc_scene_item *item = &scene->items[begin + i];
        const oc_rectangle *is = &item->as.rectangle;
        const bool alone = item->tooltip != 0 || (scene->fragment != 0 && item->subject != 0);
        tiles[i] =
            (tile){item, is->fill, (int)lround(is->opacity * opacity_steps), alone, is->height};
        /* A page looks for the outline of what can be looked up in it. */
        if (alone && scene->fragment != 0)
            tiles[i].height = 0;
    }
    qsort(tiles, count, sizeof *tiles, compare_tiles);
    fill_rare(tiles, count);
    add_all(svg, scene, tiles, count);
    free(tiles);
    oc_svg_add_marks(svg, scene->items + begin, scene->items + begin + count);
    *index = begin + count - 1;
    return OCELOTL_OK;
}

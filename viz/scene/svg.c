#include "viz/scene/backend.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Attributes */

static void add_attribute(oc_text *svg, const char *name, double value)
{
    oc_text_format(svg, " %s=\"", name);
    oc_decimal_add(svg, value, 2);
    oc_text_add(svg, "\"");
}

static void add_colour(oc_text *svg, const char *name, uint32_t colour)
{
    oc_text_format(svg, " %s=\"", name);
    oc_colour_write(svg, colour);
    oc_text_add(svg, "\"");
}

/* Adds the subject of an item, which only a page can look up. */
static void add_subject(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    if (scene->fragment != 0 && item->subject != 0)
        oc_text_format(svg, " data-part=\"%zu\"", item->subject);
}

/* --- Tiles: rectangles that look alike, as one */

/* Opacities that differ by less look alike. */
static const double opacity_steps = 200;

enum { LINES_FROM = 8 /* tiles of one look and height */ };

typedef struct tile {
    const oc_scene_item *item;
    uint32_t fill;
    int opacity;   /* in steps */
    bool alone;    /* has a tooltip or a subject; others are joined */
    double height; /* it is drawn as a line of this height through its middle; 0: it is filled */
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
    add_subject(svg, scene, item);
    if (item->tooltip == 0) {
        oc_text_add(svg, "/>\n");
        return;
    }
    oc_text_add(svg, "><title>");
    oc_text_add_xml(svg, oc_scene_string(scene, item->tooltip));
    oc_text_add(svg, "</title></path>\n");
}

static void begin_look(oc_text *svg, const tile *first)
{
    const bool line = first->height > 0;
    oc_text_add(svg, first->alone ? "<g" : "<path");
    oc_text_add(svg, line ? " fill=\"none\"" : "");
    add_colour(svg, line ? "stroke" : "fill", first->fill);
    if (first->opacity < opacity_steps) {
        add_number(svg, line ? " stroke-opacity=\"" : " fill-opacity=\"",
                   first->opacity / opacity_steps);
        oc_text_add(svg, "\"");
    }
    if (line)
        add_attribute(svg, "stroke-width", first->height);
    oc_text_add(svg, first->alone ? ">\n" : " d=\"");
}

static long hundredths(double value)
{
    return lround(value * 100);
}

/* Draws one line through the middles, as wide as tiles are high: the fewest bytes. */
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

/* Tiles of a rare height are filled: a group of their own would be longer. */
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

/* Appends the line as a move and a step, from the middle of the first pixel. */
static void add_mark_line(oc_text *svg, const oc_point *from, const oc_point *to)
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
    add_colour(svg, "stroke", colour);
    add_attribute(svg, "stroke-width", OC_MARK_WIDTH);
    add_attribute(svg, "stroke-opacity", OC_MARK_OPACITY);
    add_number(svg, " transform=\"translate(", OC_MARK_INSET);
    add_number(svg, " ", OC_MARK_INSET);
    oc_text_add(svg, ")\" shape-rendering=\"auto\" pointer-events=\"none\" d=\"");
}

static void begin_dots(oc_text *svg, uint32_t colour)
{
    oc_text_add(svg, "<path");
    add_colour(svg, "fill", colour);
    add_attribute(svg, "fill-opacity", OC_DOT_OPACITY);
    oc_text_add(svg, " pointer-events=\"none\" d=\"");
}

/* Adds the dots of the items from one to before another. */
static void add_dots(oc_text *svg, const oc_scene_item *item, const oc_scene_item *end)
{
    bool open = false;
    uint32_t colour = 0;
    oc_point last = {0, 0};
    for (; item < end; item++) {
        if (item->kind != OC_ITEM_RECTANGLE || !(item->density > 0))
            continue;
        oc_point corner;
        oc_dots dots = oc_dots_of(item);
        while (oc_dots_next(&corner, &dots)) {
            const bool begins = !open || item->dot_colour != colour;
            if (open && begins)
                oc_text_add(svg, "\"/>\n");
            if (begins)
                begin_dots(svg, colour = item->dot_colour);
            add_number(svg, begins ? "M" : "m", begins ? corner.x : corner.x - last.x);
            add_number(svg, " ", begins ? corner.y : corner.y - last.y);
            oc_text_format(svg, "h%dv%dh-%dz", OC_DOT_SIZE, OC_DOT_SIZE, OC_DOT_SIZE);
            last = corner;
            open = true;
        }
    }
    if (open)
        oc_text_add(svg, "\"/>\n");
}

/* Adds the marks of the items from one to before another. */
static void add_marks(oc_text *svg, const oc_scene_item *item, const oc_scene_item *end)
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
            add_mark_line(svg, &points[2 * i], &points[2 * i + 1]);
    }
    oc_text_add(svg, open ? "\"/>\n" : "");
}

/* Adds the rectangles that follow the group at *index, and moves *index to the last of them.
 * Errors: MEMORY. O(n log n). */
static ocelotl_status add_tiles(oc_text *svg, const oc_scene *scene, size_t *index)
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
        /* A page needs the outline of what it can look up. */
        if (alone && scene->fragment != 0)
            tiles[i].height = 0;
    }
    qsort(tiles, count, sizeof *tiles, compare_tiles);
    fill_rare(tiles, count);
    add_all(svg, scene, tiles, count);
    free(tiles);
    add_dots(svg, scene->items + begin, scene->items + begin + count);
    add_marks(svg, scene->items + begin, scene->items + begin + count);
    *index = begin + count - 1;
    return OCELOTL_OK;
}

/* --- The picture */

/* Pictures in one page must not share names. */
static void add_pattern_name(oc_text *svg, const oc_scene *scene, uint32_t hatch)
{
    oc_text_format(svg, "hatch-%06x", (unsigned)hatch);
    if (scene->fragment != 0)
        oc_text_format(svg, "-%u", scene->fragment);
}

/* Ends an element that holds nothing but its tooltip. */
static void end_element(oc_text *svg, const oc_scene *scene, const oc_scene_item *item,
                        const char *name)
{
    add_subject(svg, scene, item);
    if (item->tooltip == 0) {
        oc_text_add(svg, "/>\n");
        return;
    }
    oc_text_add(svg, "><title>");
    oc_text_add_xml(svg, oc_scene_string(scene, item->tooltip));
    oc_text_format(svg, "</title></%s>\n", name);
}

static void add_opacity(oc_text *svg, const char *name, double opacity)
{
    if (!(opacity < 1))
        return;
    oc_text_format(svg, " %s=\"", name);
    oc_decimal_add(svg, opacity, 3);
    oc_text_add(svg, "\"");
}

static void add_box(oc_text *svg, const oc_rectangle *rectangle)
{
    oc_text_add(svg, "<rect");
    add_attribute(svg, "x", rectangle->x);
    add_attribute(svg, "y", rectangle->y);
    add_attribute(svg, "width", rectangle->width);
    add_attribute(svg, "height", rectangle->height);
}

static void add_rectangle(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    const oc_rectangle *rectangle = &item->as.rectangle;
    add_box(svg, rectangle);
    add_colour(svg, "fill", rectangle->fill);
    if (rectangle->fill != OC_COLOUR_NONE)
        add_opacity(svg, "fill-opacity", rectangle->opacity);
    if (rectangle->stroke != OC_COLOUR_NONE)
        add_colour(svg, "stroke", rectangle->stroke);
    end_element(svg, scene, item, "rect");
    if (item->density > 0)
        add_dots(svg, item, item + 1);
    if (item->mark != OC_MARK_NONE)
        add_marks(svg, item, item + 1);
    if (rectangle->hatch != OC_COLOUR_NONE) {
        add_box(svg, rectangle);
        oc_text_add(svg, " fill=\"url(#");
        add_pattern_name(svg, scene, rectangle->hatch);
        oc_text_add(svg, ")\" pointer-events=\"none\"/>\n");
    }
}

static void add_line(oc_text *svg, const oc_segment *line)
{
    oc_text_add(svg, "<line");
    add_attribute(svg, "x1", line->x1);
    add_attribute(svg, "y1", line->y1);
    add_attribute(svg, "x2", line->x2);
    add_attribute(svg, "y2", line->y2);
    add_colour(svg, "stroke", line->colour);
    add_attribute(svg, "stroke-width", line->width);
    oc_text_add(svg, "/>\n");
}

static void add_points(oc_text *svg, const oc_scene *scene, const oc_path *path)
{
    const oc_point *points = scene->points + path->first;
    oc_text_add(svg, " points=\"");
    for (size_t i = 0; i < path->count; i++) {
        oc_text_add(svg, i > 0 ? " " : "");
        oc_decimal_add(svg, points[i].x, 2);
        oc_text_add(svg, ",");
        oc_decimal_add(svg, points[i].y, 2);
    }
    oc_text_add(svg, "\"");
}

static void add_path(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    const oc_path *path = &item->as.path;
    const char *name = path->closed ? "polygon" : "polyline";
    oc_text_format(svg, "<%s", name);
    add_points(svg, scene, path);
    add_colour(svg, "fill", path->fill);
    if (path->fill != OC_COLOUR_NONE)
        add_opacity(svg, "fill-opacity", path->opacity);
    if (path->stroke != OC_COLOUR_NONE) {
        add_colour(svg, "stroke", path->stroke);
        add_attribute(svg, "stroke-width", path->width);
        oc_text_add(svg, " stroke-linejoin=\"round\"");
        add_opacity(svg, "stroke-opacity", path->opacity);
    }
    end_element(svg, scene, item, name);
}

/* Whether an item is a line between two points without a tooltip. */
static bool is_plain_line(const oc_scene *scene, const oc_scene_item *item)
{
    const oc_path *path = &item->as.path;
    return item->kind == OC_ITEM_PATH && !path->closed && path->count == 2 &&
           path->fill == OC_COLOUR_NONE && item->tooltip == 0 &&
           (scene->fragment == 0 || item->subject == 0);
}

/* Counts the plain lines of one look from an item on. */
static size_t count_plain_lines(const oc_scene *scene, size_t index)
{
    const oc_path *first = &scene->items[index].as.path;
    size_t end = index;
    while (end < scene->item_count && is_plain_line(scene, &scene->items[end]) &&
           scene->items[end].as.path.stroke == first->stroke &&
           !(fabs(scene->items[end].as.path.width - first->width) > 0) &&
           !(fabs(scene->items[end].as.path.opacity - first->opacity) > 0))
        end++;
    return end - index;
}

static void add_plain_lines(oc_text *svg, const oc_scene *scene, size_t index, size_t count)
{
    const oc_path *first = &scene->items[index].as.path;
    oc_text_add(svg, "<path fill=\"none\"");
    add_colour(svg, "stroke", first->stroke);
    add_attribute(svg, "stroke-width", first->width);
    add_opacity(svg, "stroke-opacity", first->opacity);
    oc_text_add(svg, " d=\"");
    for (size_t i = index; i < index + count; i++) {
        const oc_point *points = scene->points + scene->items[i].as.path.first;
        for (int end = 0; end < 2; end++) {
            oc_text_add(svg, end == 0 ? "M" : "L");
            oc_decimal_add(svg, points[end].x, 2);
            oc_text_add(svg, " ");
            oc_decimal_add(svg, points[end].y, 2);
        }
    }
    oc_text_add(svg, "\"/>\n");
}

static void add_label(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    const oc_label *label = &item->as.label;
    oc_text_add(svg, "<text");
    add_attribute(svg, "x", label->x);
    add_attribute(svg, "y", label->y);
    add_attribute(svg, "font-size", label->size);
    if (label->bold)
        oc_text_add(svg, " font-weight=\"bold\"");
    if (label->anchor != OC_ANCHOR_START)
        oc_text_format(svg, " text-anchor=\"%s\"",
                       label->anchor == OC_ANCHOR_MIDDLE ? "middle" : "end");
    add_colour(svg, "fill", label->colour);
    if (label->rotation < 0 || label->rotation > 0) {
        oc_text_add(svg, " transform=\"rotate(");
        oc_decimal_add(svg, label->rotation, 2);
        oc_text_add(svg, " ");
        oc_decimal_add(svg, label->x, 2);
        oc_text_add(svg, " ");
        oc_decimal_add(svg, label->y, 2);
        oc_text_add(svg, ")\"");
    }
    oc_text_add(svg, ">");
    if (item->tooltip != 0) {
        oc_text_add(svg, "<title>");
        oc_text_add_xml(svg, oc_scene_string(scene, item->tooltip));
        oc_text_add(svg, "</title>");
    }
    oc_text_add_xml(svg, oc_scene_string(scene, item->text));
    oc_text_add(svg, "</text>\n");
}

static void add_group(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    oc_text_add(svg, "<g");
    if (item->text != 0) {
        oc_text_add(svg, " class=\"");
        oc_text_add_xml(svg, oc_scene_string(scene, item->text));
        oc_text_add(svg, "\"");
    }
    oc_text_add(svg, item->as.group.crisp ? " shape-rendering=\"crispEdges\"" : "");
    oc_text_add(svg, item->as.group.inert ? " pointer-events=\"none\"" : "");
    oc_text_add(svg, ">\n");
    if (item->tooltip != 0) {
        oc_text_add(svg, "<title>");
        oc_text_add_xml(svg, oc_scene_string(scene, item->tooltip));
        oc_text_add(svg, "</title>\n");
    }
}

static void add_item(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    if (item->kind == OC_ITEM_RECTANGLE)
        add_rectangle(svg, scene, item);
    else if (item->kind == OC_ITEM_LINE)
        add_line(svg, &item->as.line);
    else if (item->kind == OC_ITEM_LABEL)
        add_label(svg, scene, item);
    else if (item->kind == OC_ITEM_PATH)
        add_path(svg, scene, item);
    else if (item->kind == OC_ITEM_GROUP)
        add_group(svg, scene, item);
    else
        oc_text_add(svg, "</g>\n");
}

static bool hatched_before(const oc_scene *scene, size_t end, uint32_t colour)
{
    for (size_t i = 0; i < end; i++)
        if (scene->items[i].kind == OC_ITEM_RECTANGLE &&
            scene->items[i].as.rectangle.hatch == colour)
            return true;
    return false;
}

/* Adds a pattern for each colour of hatching. */
static void add_patterns(oc_text *svg, const oc_scene *scene)
{
    uint32_t last = OC_COLOUR_NONE;
    for (size_t i = 0; i < scene->item_count; i++) {
        const oc_scene_item *item = &scene->items[i];
        const uint32_t hatch =
            item->kind == OC_ITEM_RECTANGLE ? item->as.rectangle.hatch : OC_COLOUR_NONE;
        if (hatch == OC_COLOUR_NONE || hatch == last || hatched_before(scene, i, hatch))
            continue;
        oc_text_add(svg, "<defs><pattern id=\"");
        add_pattern_name(svg, scene, hatch);
        oc_text_format(svg, "\" width=\"%d\" height=\"%d\"", OC_HATCH_STEP, OC_HATCH_STEP);
        oc_text_format(svg, " patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(%d)\">",
                       OC_HATCH_ANGLE);
        oc_text_format(svg, "<rect width=\"1\" height=\"%d\"", OC_HATCH_STEP);
        add_colour(svg, "fill", hatch);
        oc_text_add(svg, "/></pattern></defs>\n");
        last = hatch;
    }
}

/* A page shows the parameters itself: HTML would misread the names of these elements. */
static void add_metadata(oc_text *svg, const oc_scene *scene)
{
    if (scene->entry_count == 0 || scene->fragment != 0)
        return;
    oc_text_add(svg, "<metadata>\n<parameters xmlns=\"urn:ocelotl:parameters\">\n");
    for (size_t i = 0; i < scene->entry_count; i++) {
        const char *key = oc_scene_string(scene, scene->entries[i].key);
        oc_text_format(svg, "<%s>", key);
        oc_text_add_xml(svg, oc_scene_string(scene, scene->entries[i].value));
        oc_text_format(svg, "</%s>\n", key);
    }
    oc_text_add(svg, "</parameters>\n</metadata>\n");
}

static void begin_document(oc_text *svg, const oc_scene *scene)
{
    oc_text_add(svg, scene->fragment == 0 ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" : "");
    oc_text_add(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    add_attribute(svg, "width", scene->width);
    add_attribute(svg, "height", scene->height);
    oc_text_add(svg, " viewBox=\"0 0 ");
    oc_decimal_add(svg, scene->width, 2);
    oc_text_add(svg, " ");
    oc_decimal_add(svg, scene->height, 2);
    oc_text_add(svg, "\" font-family=\"" OC_FONT_FAMILIES "\">\n");
    if (scene->fragment != 0)
        return;
    oc_text_add(svg, "<title>");
    oc_text_add_xml(svg, oc_scene_string(scene, scene->title));
    oc_text_add(svg, "</title>\n");
}

static ocelotl_status encode(oc_text *svg, const oc_scene *scene)
{
    begin_document(svg, scene);
    add_metadata(svg, scene);
    add_patterns(svg, scene);
    oc_text_add(svg, "<rect width=\"100%\" height=\"100%\"");
    add_colour(svg, "fill", scene->background);
    oc_text_add(svg, " pointer-events=\"none\"/>\n");
    for (size_t i = 0; i < scene->item_count; i++) {
        const size_t lines = count_plain_lines(scene, i);
        if (lines > 1) {
            add_plain_lines(svg, scene, i, lines);
            i += lines - 1;
            continue;
        }
        add_item(svg, scene, &scene->items[i]);
        if (scene->items[i].kind == OC_ITEM_GROUP && scene->items[i].as.group.tiles)
            OC_TRY(add_tiles(svg, scene, &i));
    }
    oc_text_add(svg, "</svg>\n");
    return svg->failed ? oc_fail_memory() : OCELOTL_OK;
}

const oc_backend oc_backend_svg = {".svg", encode};

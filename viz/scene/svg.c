#include "viz/scene/backend.h"
#include "viz/scene/scene.h"
#include "viz/scene/svg_elements.h"
#include "viz/words/words.h"

#include <math.h>
#include <string.h>

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
    oc_svg_add_subject(svg, scene, item);
    if (item->tooltip == 0) {
        oc_text_add(svg, "/>\n");
        return;
    }
    oc_text_add(svg, "><title>");
    oc_svg_add_escaped(svg, oc_scene_string(scene, item->tooltip));
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
    oc_svg_add_attribute(svg, "x", rectangle->x);
    oc_svg_add_attribute(svg, "y", rectangle->y);
    oc_svg_add_attribute(svg, "width", rectangle->width);
    oc_svg_add_attribute(svg, "height", rectangle->height);
}

static void add_rectangle(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    const oc_rectangle *rectangle = &item->as.rectangle;
    add_box(svg, rectangle);
    oc_svg_add_colour(svg, "fill", rectangle->fill);
    if (rectangle->fill != OC_COLOUR_NONE)
        add_opacity(svg, "fill-opacity", rectangle->opacity);
    if (rectangle->stroke != OC_COLOUR_NONE)
        oc_svg_add_colour(svg, "stroke", rectangle->stroke);
    end_element(svg, scene, item, "rect");
    if (item->mark != OC_MARK_NONE)
        oc_svg_add_marks(svg, item, item + 1);
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
    oc_svg_add_attribute(svg, "x1", line->x1);
    oc_svg_add_attribute(svg, "y1", line->y1);
    oc_svg_add_attribute(svg, "x2", line->x2);
    oc_svg_add_attribute(svg, "y2", line->y2);
    oc_svg_add_colour(svg, "stroke", line->colour);
    oc_svg_add_attribute(svg, "stroke-width", line->width);
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
    oc_svg_add_colour(svg, "fill", path->fill);
    if (path->fill != OC_COLOUR_NONE)
        add_opacity(svg, "fill-opacity", path->opacity);
    if (path->stroke != OC_COLOUR_NONE) {
        oc_svg_add_colour(svg, "stroke", path->stroke);
        oc_svg_add_attribute(svg, "stroke-width", path->width);
        oc_text_add(svg, " stroke-linejoin=\"round\"");
        add_opacity(svg, "stroke-opacity", path->opacity);
    }
    end_element(svg, scene, item, name);
}

/* A line between two points that says nothing of its own. */
static bool is_plain_line(const oc_scene *scene, const oc_scene_item *item)
{
    const oc_path *path = &item->as.path;
    return item->kind == OC_ITEM_PATH && !path->closed && path->count == 2 &&
           path->fill == OC_COLOUR_NONE && item->tooltip == 0 &&
           (scene->fragment == 0 || item->subject == 0);
}

/* How many plain lines of one look follow one another from an item on. */
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
    oc_svg_add_colour(svg, "stroke", first->stroke);
    oc_svg_add_attribute(svg, "stroke-width", first->width);
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
    oc_svg_add_attribute(svg, "x", label->x);
    oc_svg_add_attribute(svg, "y", label->y);
    oc_svg_add_attribute(svg, "font-size", label->size);
    if (label->bold)
        oc_text_add(svg, " font-weight=\"bold\"");
    if (label->anchor != OC_ANCHOR_START)
        oc_text_format(svg, " text-anchor=\"%s\"",
                       label->anchor == OC_ANCHOR_MIDDLE ? "middle" : "end");
    oc_svg_add_colour(svg, "fill", label->colour);
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
        oc_svg_add_escaped(svg, oc_scene_string(scene, item->tooltip));
        oc_text_add(svg, "</title>");
    }
    oc_svg_add_escaped(svg, oc_scene_string(scene, item->text));
    oc_text_add(svg, "</text>\n");
}

static void add_group(oc_text *svg, const oc_scene *scene, const oc_scene_item *item)
{
    oc_text_add(svg, "<g");
    if (item->text != 0) {
        oc_text_add(svg, " class=\"");
        oc_svg_add_escaped(svg, oc_scene_string(scene, item->text));
        oc_text_add(svg, "\"");
    }
    oc_text_add(svg, item->as.group.crisp ? " shape-rendering=\"crispEdges\"" : "");
    oc_text_add(svg, item->as.group.inert ? " pointer-events=\"none\"" : "");
    oc_text_add(svg, ">\n");
    if (item->tooltip != 0) {
        oc_text_add(svg, "<title>");
        oc_svg_add_escaped(svg, oc_scene_string(scene, item->tooltip));
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

/* One pattern for each colour of hatching. */
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
        oc_svg_add_colour(svg, "fill", hatch);
        oc_text_add(svg, "/></pattern></defs>\n");
        last = hatch;
    }
}

/* The elements have names that HTML would take for its own: a page shows the parameters itself. */
static void add_metadata(oc_text *svg, const oc_scene *scene)
{
    if (scene->entry_count == 0 || scene->fragment != 0)
        return;
    oc_text_add(svg, "<metadata>\n<parameters xmlns=\"urn:ocelotl:parameters\">\n");
    for (size_t i = 0; i < scene->entry_count; i++) {
        const char *key = oc_scene_string(scene, scene->entries[i].key);
        oc_text_format(svg, "<%s>", key);
        oc_svg_add_escaped(svg, oc_scene_string(scene, scene->entries[i].value));
        oc_text_format(svg, "</%s>\n", key);
    }
    oc_text_add(svg, "</parameters>\n</metadata>\n");
}

static void begin_document(oc_text *svg, const oc_scene *scene)
{
    oc_text_add(svg, scene->fragment == 0 ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" : "");
    oc_text_add(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    oc_svg_add_attribute(svg, "width", scene->width);
    oc_svg_add_attribute(svg, "height", scene->height);
    oc_text_add(svg, " viewBox=\"0 0 ");
    oc_decimal_add(svg, scene->width, 2);
    oc_text_add(svg, " ");
    oc_decimal_add(svg, scene->height, 2);
    oc_text_add(svg, "\" font-family=\"" OC_FONT_FAMILIES "\">\n");
    if (scene->fragment != 0)
        return;
    oc_text_add(svg, "<title>");
    oc_svg_add_escaped(svg, oc_scene_string(scene, scene->title));
    oc_text_add(svg, "</title>\n");
}

static ocelotl_status encode(oc_text *svg, const oc_scene *scene)
{
    begin_document(svg, scene);
    add_metadata(svg, scene);
    add_patterns(svg, scene);
    oc_text_add(svg, "<rect width=\"100%\" height=\"100%\"");
    oc_svg_add_colour(svg, "fill", scene->background);
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
            OC_TRY(oc_svg_add_tiles(svg, scene, &i));
    }
    oc_text_add(svg, "</svg>\n");
    return svg->failed ? oc_fail_memory() : OCELOTL_OK;
}

const oc_backend oc_backend_svg = {".svg", encode};

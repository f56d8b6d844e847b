#include "viz/scene/scene.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t keep_string(oc_scene *scene, const char *string, bool lines)
{
    if (string == NULL || string[0] == '\0')
        return 0;
    const size_t offset = scene->strings.length;
    oc_clean_add(&scene->strings, string, lines);
    oc_text_append(&scene->strings, "", 1);
    return offset;
}

void oc_scene_begin(oc_scene *scene, double width, double height, uint32_t background,
                    const char *title)
{
    scene->width = width;
    scene->height = height;
    scene->scale = 1;
    scene->background = background;
    oc_text_append(&scene->strings, "", 1); /* offset 0 is the empty string */
    scene->title = keep_string(scene, title, false);
}

static void add_item(oc_scene *scene, oc_scene_item item)
{
    if (!scene->failed && oc_grow(&scene->items, &scene->item_capacity, scene->item_count + 1,
                                  sizeof item) != OCELOTL_OK)
        scene->failed = true;
    if (!scene->failed)
        scene->items[scene->item_count++] = item;
}

void oc_scene_rectangle(oc_scene *scene, const oc_rectangle *rectangle, const char *tooltip)
{
    oc_scene_item item = {.kind = OC_ITEM_RECTANGLE, .tooltip = keep_string(scene, tooltip, true)};
    item.as.rectangle = *rectangle;
    add_item(scene, item);
}

void oc_scene_mark(oc_scene *scene, oc_mark mark, uint32_t colour)
{
    if (scene->failed || scene->item_count == 0)
        return;
    scene->items[scene->item_count - 1].mark = mark;
    scene->items[scene->item_count - 1].mark_colour = colour;
}

void oc_scene_refer(oc_scene *scene, size_t subject)
{
    if (!scene->failed && scene->item_count > 0)
        scene->items[scene->item_count - 1].subject = subject;
}

void oc_scene_line(oc_scene *scene, const oc_segment *line)
{
    oc_scene_item item = {.kind = OC_ITEM_LINE};
    item.as.line = *line;
    add_item(scene, item);
}

static bool keep_points(oc_scene *scene, const oc_point *points, size_t count)
{
    if (!scene->failed && oc_grow(&scene->points, &scene->point_capacity,
                                  scene->point_count + count, sizeof *points) != OCELOTL_OK)
        scene->failed = true;
    if (scene->failed)
        return false;
    memcpy(scene->points + scene->point_count, points, count * sizeof *points);
    scene->point_count += count;
    return true;
}

void oc_scene_path(oc_scene *scene, const oc_path *path, const oc_point *points, size_t count,
                   const char *tooltip)
{
    oc_scene_item item = {.kind = OC_ITEM_PATH, .tooltip = keep_string(scene, tooltip, true)};
    item.as.path = *path;
    item.as.path.first = scene->point_count;
    item.as.path.count = count;
    if (count >= 2 && keep_points(scene, points, count))
        add_item(scene, item);
}

void oc_scene_label(oc_scene *scene, const oc_label *label, const char *text, const char *tooltip)
{
    oc_scene_item item = {.kind = OC_ITEM_LABEL};
    item.as.label = *label;
    item.text = keep_string(scene, text, false);
    item.tooltip = keep_string(scene, tooltip, true);
    if (item.text != 0)
        add_item(scene, item);
}

void oc_scene_group(oc_scene *scene, const char *name, const oc_group_style *group,
                    const char *tooltip)
{
    oc_scene_item item = {.kind = OC_ITEM_GROUP};
    item.as.group = *group;
    item.text = keep_string(scene, name, false);
    item.tooltip = keep_string(scene, tooltip, true);
    add_item(scene, item);
    scene->open_groups++;
}

void oc_scene_group_end(oc_scene *scene)
{
    const oc_scene_item item = {.kind = OC_ITEM_GROUP_END};
    if (scene->open_groups == 0)
        return;
    add_item(scene, item);
    scene->open_groups--;
}

void oc_scene_metadata(oc_scene *scene, const char *key, const char *value)
{
    const oc_scene_entry entry = {keep_string(scene, key, false), keep_string(scene, value, false)};
    if (!scene->failed && oc_grow(&scene->entries, &scene->entry_capacity, scene->entry_count + 1,
                                  sizeof entry) != OCELOTL_OK)
        scene->failed = true;
    if (!scene->failed)
        scene->entries[scene->entry_count++] = entry;
}

void oc_scene_take(oc_scene *scene, oc_text *text)
{
    scene->failed = scene->failed || text->failed;
    oc_text_free(text);
}

void oc_scene_explained(oc_scene *scene, const oc_rectangle *rectangle, oc_text *tooltip)
{
    const bool none = tooltip == NULL || tooltip->failed;
    oc_scene_rectangle(scene, rectangle, none ? NULL : tooltip->bytes);
    if (tooltip != NULL)
        oc_scene_take(scene, tooltip);
}

const char *oc_scene_string(const oc_scene *scene, size_t offset)
{
    return offset == 0 ? "" : scene->strings.bytes + offset;
}

ocelotl_status oc_scene_status(const oc_scene *scene)
{
    if (scene->failed || scene->strings.failed)
        return oc_fail_memory();
    return OCELOTL_OK;
}

void oc_scene_free(oc_scene *scene)
{
    free(scene->items);
    free(scene->points);
    free(scene->entries);
    oc_text_free(&scene->strings);
    *scene = (oc_scene){0};
}

/* --- One scene in another */

static oc_scene_item moved(const oc_scene_item *item, double x, double y, size_t strings,
                           size_t points)
{
    oc_scene_item to = *item;
    to.text += to.text != 0 ? strings : 0;
    to.tooltip += to.tooltip != 0 ? strings : 0;
    switch (to.kind) {
    case OC_ITEM_RECTANGLE:
        to.as.rectangle.x += x;
        to.as.rectangle.y += y;
        break;
    case OC_ITEM_LINE:
        to.as.line.x1 += x;
        to.as.line.x2 += x;
        to.as.line.y1 += y;
        to.as.line.y2 += y;
        break;
    case OC_ITEM_LABEL:
        to.as.label.x += x;
        to.as.label.y += y;
        break;
    case OC_ITEM_PATH:
        to.as.path.first += points;
        break;
    case OC_ITEM_GROUP:
    case OC_ITEM_GROUP_END:
        break;
    }
    return to;
}

static bool make_room(oc_scene *scene, const oc_scene *other)
{
    return oc_grow(&scene->items, &scene->item_capacity, scene->item_count + other->item_count,
                   sizeof *scene->items) == OCELOTL_OK &&
           oc_grow(&scene->points, &scene->point_capacity, scene->point_count + other->point_count,
                   sizeof *scene->points) == OCELOTL_OK;
}

static void append_metadata(oc_scene *scene, const oc_scene *other, const char *prefix)
{
    oc_text key = {0};
    for (size_t i = 0; i < other->entry_count; i++) {
        oc_text_clear(&key);
        oc_text_format(&key, "%s%s", prefix, oc_scene_string(other, other->entries[i].key));
        if (!key.failed)
            oc_scene_metadata(scene, key.bytes, oc_scene_string(other, other->entries[i].value));
    }
    scene->failed = scene->failed || key.failed;
    oc_text_free(&key);
}

void oc_scene_append(oc_scene *scene, const oc_scene *other, double x, double y, const char *prefix)
{
    const size_t strings = scene->strings.length;
    const size_t points = scene->point_count;
    scene->failed =
        scene->failed || other->failed || other->strings.failed || !make_room(scene, other);
    if (scene->failed)
        return;
    oc_text_append(&scene->strings, other->strings.bytes, other->strings.length);
    for (size_t i = 0; i < other->item_count; i++)
        scene->items[scene->item_count++] = moved(&other->items[i], x, y, strings, points);
    for (size_t i = 0; i < other->point_count; i++)
        scene->points[scene->point_count++] =
            (oc_point){other->points[i].x + x, other->points[i].y + y};
    append_metadata(scene, other, prefix);
}

/* --- Marks: lines across a rectangle */

void oc_scene_texture(oc_scene *scene, double density, uint32_t colour)
{
    if (scene->failed || scene->item_count == 0)
        return;
    scene->items[scene->item_count - 1].density = density;
    scene->items[scene->item_count - 1].dot_colour = colour;
}

/* --- Texture */

/* The plane is divided into cells of so many pixels, each with room for one dot. */
enum { CELL = 5 };

oc_dots oc_dots_of(const oc_scene_item *item)
{
    return (oc_dots){item, (long)floor(item->as.rectangle.x / CELL),
                     (long)floor(item->as.rectangle.y / CELL)};
}

/* The threshold of a dot between 0 and 1, even among neighbours: fractional parts of multiples of
 * powers of the plastic number fill the plane evenly (Roberts 2018). */
static double threshold_of(long column, long row)
{
    const double value =
        (double)column * 0.7548776662466927 + (double)row * 0.5698402909980532 + 0.5;
    return value - floor(value);
}

/* The place of a dot in its cell, so that cells do not show. */
static oc_point place_of(long column, long row)
{
    uint32_t hash = (uint32_t)column * 0x9E3779B1u ^ (uint32_t)row * 0x85EBCA77u;
    hash = (hash ^ hash >> 15) * 0x2C1B3C6Du;
    hash ^= hash >> 13;
    return (oc_point){(double)column * CELL + hash % (CELL - OC_DOT_SIZE),
                      (double)row * CELL + (hash >> 8) % (CELL - OC_DOT_SIZE)};
}

bool oc_dots_next(oc_point *corner, oc_dots *dots)
{
    const oc_rectangle *of = &dots->item->as.rectangle;
    const double right = of->x + of->width;
    while ((double)dots->row * CELL < of->y + of->height) {
        const long column = dots->column++;
        const long row = dots->row;
        if ((double)dots->column * CELL >= right) {
            dots->column = (long)floor(of->x / CELL);
            dots->row++;
        }
        *corner = place_of(column, row);
        if (threshold_of(column, row) < dots->item->density && corner->x >= of->x &&
            corner->y >= of->y && corner->x + OC_DOT_SIZE <= right &&
            corner->y + OC_DOT_SIZE <= of->y + of->height)
            return true;
    }
    return false;
}

/* --- Marks */

/* In smaller rectangles lines run together. */
static const double least = 3;

/* Flatter or steeper lines look like edges. */
static const double steepest = 6;

/* Chooses where the lines begin and end along one side: all of it, or a piece in its middle. */
static void choose_piece(double *from, double *to, double begin, double length, double other)
{
    const double piece = fmin(length, steepest * other);
    *from = begin + floor((length - piece) / 2) + OC_MARK_INSET;
    *to = *from + piece - 2 * OC_MARK_INSET;
}

int oc_mark_lines(oc_point points[4], const oc_scene_item *item)
{
    const oc_rectangle *rectangle = &item->as.rectangle;
    double left, right, top, bottom;
    if (item->mark == OC_MARK_NONE || rectangle->width < least || rectangle->height < least)
        return 0;
    choose_piece(&left, &right, rectangle->x, rectangle->width, rectangle->height);
    choose_piece(&top, &bottom, rectangle->y, rectangle->height, rectangle->width);
    points[0] = (oc_point){left, bottom};
    points[1] = (oc_point){right, top};
    points[2] = (oc_point){left, top};
    points[3] = (oc_point){right, bottom};
    return item->mark == OC_MARK_CROSS ? 2 : 1;
}

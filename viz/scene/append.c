#include "viz/scene/append.h"

#include "base/memory.h"

#include <string.h>

static oc_item moved(const oc_item *item, double x, double y, size_t strings, size_t points)
{
    oc_item to = *item;
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

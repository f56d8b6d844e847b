#include "viz/scene/scene.h"

#include "base/memory.h"
#include "viz/words/lettering.h"

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

static void add_item(oc_scene *scene, oc_item item)
{
    if (!scene->failed && oc_grow(&scene->items, &scene->item_capacity, scene->item_count + 1,
                                  sizeof item) != OCELOTL_OK)
        scene->failed = true;
    if (!scene->failed)
        scene->items[scene->item_count++] = item;
}

void oc_scene_rectangle(oc_scene *scene, const oc_rectangle *rectangle, const char *tooltip)
{
    oc_item item = {.kind = OC_ITEM_RECTANGLE, .tooltip = keep_string(scene, tooltip, true)};
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

void oc_scene_line(oc_scene *scene, const oc_line *line)
{
    oc_item item = {.kind = OC_ITEM_LINE};
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
    oc_item item = {.kind = OC_ITEM_PATH, .tooltip = keep_string(scene, tooltip, true)};
    item.as.path = *path;
    item.as.path.first = scene->point_count;
    item.as.path.count = count;
    if (count >= 2 && keep_points(scene, points, count))
        add_item(scene, item);
}

void oc_scene_label(oc_scene *scene, const oc_label *label, const char *text, const char *tooltip)
{
    oc_item item = {.kind = OC_ITEM_LABEL};
    item.as.label = *label;
    item.text = keep_string(scene, text, false);
    item.tooltip = keep_string(scene, tooltip, true);
    if (item.text != 0)
        add_item(scene, item);
}

void oc_scene_group(oc_scene *scene, const char *name, const oc_group *group, const char *tooltip)
{
    oc_item item = {.kind = OC_ITEM_GROUP};
    item.as.group = *group;
    item.text = keep_string(scene, name, false);
    item.tooltip = keep_string(scene, tooltip, true);
    add_item(scene, item);
    scene->open_groups++;
}

void oc_scene_group_end(oc_scene *scene)
{
    const oc_item item = {.kind = OC_ITEM_GROUP_END};
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

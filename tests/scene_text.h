/* A scene as text: what golden files of pictures hold. */
#ifndef OC_TESTS_SCENE_TEXT_H
#define OC_TESTS_SCENE_TEXT_H

#include "viz/scene/scene.h"
#include "viz/words/words.h"

static inline void describe_colour(oc_text *text, const char *what, uint32_t colour)
{
    if (colour != OC_COLOUR_NONE)
        oc_text_format(text, " %s#%06x", what, (unsigned)colour);
}

static inline void describe_numbers(oc_text *text, double a, const char *between, double b)
{
    oc_decimal_add(text, a, 2);
    oc_text_add(text, between);
    oc_decimal_add(text, b, 2);
}

static inline void describe_quoted(oc_text *text, const char *string)
{
    oc_text_add(text, " \"");
    for (; *string != '\0'; string++) {
        if (*string == '\n')
            oc_text_add(text, " | ");
        else
            oc_text_append(text, string, 1);
    }
    oc_text_add(text, "\"");
}

static inline void describe_rectangle(oc_text *text, const oc_rectangle *rectangle)
{
    oc_text_add(text, "rectangle ");
    describe_numbers(text, rectangle->x, ",", rectangle->y);
    oc_text_add(text, " ");
    describe_numbers(text, rectangle->width, "x", rectangle->height);
    describe_colour(text, "", rectangle->fill);
    if (rectangle->fill != OC_COLOUR_NONE && rectangle->opacity < 1) {
        oc_text_add(text, " opacity ");
        oc_decimal_add(text, rectangle->opacity, 3);
    }
    describe_colour(text, "stroke ", rectangle->stroke);
    describe_colour(text, "hatch ", rectangle->hatch);
}

static inline void describe_line(oc_text *text, const oc_segment *line)
{
    oc_text_add(text, "line ");
    describe_numbers(text, line->x1, ",", line->y1);
    oc_text_add(text, " to ");
    describe_numbers(text, line->x2, ",", line->y2);
    describe_colour(text, "", line->colour);
    oc_text_add(text, " width ");
    oc_decimal_add(text, line->width, 2);
}

static inline void describe_label(oc_text *text, const oc_label *label, const char *string)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    oc_text_add(text, "label ");
    describe_numbers(text, label->x, ",", label->y);
    oc_text_format(text, " %s ", anchors[label->anchor]);
    oc_decimal_add(text, label->size, 2);
    oc_text_add(text, label->bold ? " bold" : "");
    describe_colour(text, "", label->colour);
    if (label->rotation < 0 || label->rotation > 0) {
        oc_text_add(text, " rotated ");
        oc_decimal_add(text, label->rotation, 2);
    }
    describe_quoted(text, string);
}

static inline void describe_path(oc_text *text, const oc_scene *scene, const oc_path *path)
{
    oc_text_add(text, path->closed ? "polygon" : "polyline");
    for (size_t i = 0; i < path->count; i++) {
        oc_text_add(text, " ");
        describe_numbers(text, scene->points[path->first + i].x, ",",
                         scene->points[path->first + i].y);
    }
    describe_colour(text, "", path->fill);
    if (path->opacity < 1) {
        oc_text_add(text, " opacity ");
        oc_decimal_add(text, path->opacity, 3);
    }
    describe_colour(text, "stroke ", path->stroke);
    if (path->stroke != OC_COLOUR_NONE) {
        oc_text_add(text, " width ");
        oc_decimal_add(text, path->width, 2);
    }
}

static inline void describe_item(oc_text *text, const oc_scene *scene, const oc_scene_item *item)
{
    if (item->kind == OC_ITEM_RECTANGLE)
        describe_rectangle(text, &item->as.rectangle);
    else if (item->kind == OC_ITEM_LINE)
        describe_line(text, &item->as.line);
    else if (item->kind == OC_ITEM_LABEL)
        describe_label(text, &item->as.label, oc_scene_string(scene, item->text));
    else if (item->kind == OC_ITEM_PATH)
        describe_path(text, scene, &item->as.path);
    else
        oc_text_format(text, "group %s%s%s", oc_scene_string(scene, item->text),
                       item->as.group.crisp ? " crisp" : "", item->as.group.inert ? " inert" : "");
    if (item->mark != OC_MARK_NONE)
        describe_colour(text, item->mark == OC_MARK_CROSS ? "cross " : "diagonal ",
                        item->mark_colour);
    if (item->density > 0) {
        oc_text_add(text, " dots ");
        oc_number_add(text, item->density, 3);
        describe_colour(text, "", item->dot_colour);
    }
    if (item->tooltip != 0) {
        oc_text_add(text, " tooltip");
        describe_quoted(text, oc_scene_string(scene, item->tooltip));
    }
    oc_text_add(text, "\n");
}

/* Appends the scene as text for people, an item a line. */
static inline void scene_describe(oc_text *text, const oc_scene *scene)
{
    oc_text_add(text, "scene ");
    describe_numbers(text, scene->width, "x", scene->height);
    describe_colour(text, "", scene->background);
    describe_quoted(text, oc_scene_string(scene, scene->title));
    oc_text_add(text, "\n");
    for (size_t i = 0; i < scene->entry_count; i++)
        oc_text_format(text, "metadata %s: %s\n", oc_scene_string(scene, scene->entries[i].key),
                       oc_scene_string(scene, scene->entries[i].value));
    int depth = 0;
    for (size_t i = 0; i < scene->item_count; i++) {
        const oc_scene_item *item = &scene->items[i];
        if (item->kind == OC_ITEM_GROUP_END) {
            depth--;
            continue;
        }
        oc_text_format(text, "%*s", depth * 4, "");
        describe_item(text, scene, item);
        depth += item->kind == OC_ITEM_GROUP;
    }
}

#endif

#include "viz/scene/scene.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Above all colours, and below OC_COLOUR_NONE. */
static const uint32_t first_pair = 0x1000000;

ocelotl_status oc_colour_pair(uint32_t *colour, oc_colour_pairs *pairs, uint32_t light,
                              uint32_t dark)
{
    size_t i = 0;
    *colour = light;
    if (light == dark)
        return OCELOTL_OK;
    while (i < pairs->count && (pairs->pairs[i][0] != light || pairs->pairs[i][1] != dark))
        i++;
    if (i == pairs->count) {
        OC_TRY(oc_grow(&pairs->pairs, &pairs->capacity, pairs->count + 1, sizeof *pairs->pairs));
        pairs->pairs[i][0] = light;
        pairs->pairs[i][1] = dark;
        pairs->count++;
    }
    *colour = first_pair + (uint32_t)i;
    return OCELOTL_OK;
}

bool oc_colour_is_pair(uint32_t *number, uint32_t colour)
{
    *number = colour - first_pair;
    return colour >= first_pair && colour != OC_COLOUR_NONE;
}

void oc_colour_write(oc_text *text, uint32_t colour)
{
    uint32_t number;
    if (colour == OC_COLOUR_NONE)
        oc_text_add(text, "none");
    else if (oc_colour_is_pair(&number, colour))
        oc_text_format(text, "var(--c%u)", (unsigned)number);
    else
        oc_text_format(text, "#%06x", (unsigned)colour);
}

void oc_colour_pairs_free(oc_colour_pairs *pairs)
{
    free(pairs->pairs);
    *pairs = (oc_colour_pairs){0};
}

/* --- Scenes */

enum { COLOURS_OF_ITEM = 5 };

/* Lists the colours of an item, and returns how many. */
static int list_colours(uint32_t *colours[COLOURS_OF_ITEM], oc_scene_item *item)
{
    switch (item->kind) {
    case OC_ITEM_RECTANGLE:
        colours[0] = &item->as.rectangle.fill;
        colours[1] = &item->as.rectangle.stroke;
        colours[2] = &item->as.rectangle.hatch;
        colours[3] = &item->mark_colour;
        colours[4] = &item->dot_colour;
        return 5;
    case OC_ITEM_LINE:
        colours[0] = &item->as.line.colour;
        return 1;
    case OC_ITEM_LABEL:
        colours[0] = &item->as.label.colour;
        return 1;
    case OC_ITEM_PATH:
        colours[0] = &item->as.path.fill;
        colours[1] = &item->as.path.stroke;
        return 2;
    default:
        return 0;
    }
}

static bool are_same(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] < b[i] || a[i] > b[i])
            return false;
    return true;
}

static bool same_rectangle(const oc_rectangle *a, const oc_rectangle *b)
{
    return are_same((double[]){a->x, a->y, a->width, a->height, a->opacity},
                    (double[]){b->x, b->y, b->width, b->height, b->opacity}, 5);
}

static bool same_label(const oc_label *a, const oc_label *b)
{
    return a->anchor == b->anchor && a->bold == b->bold &&
           are_same((double[]){a->x, a->y, a->size, a->rotation},
                    (double[]){b->x, b->y, b->size, b->rotation}, 4);
}

static bool same_path(const oc_path *a, const oc_path *b)
{
    return a->first == b->first && a->count == b->count && a->closed == b->closed &&
           are_same((double[]){a->opacity, a->width}, (double[]){b->opacity, b->width}, 2);
}

static bool same_but_for_colours(const oc_scene_item *a, const oc_scene_item *b)
{
    if (a->kind != b->kind || a->text != b->text || a->tooltip != b->tooltip ||
        a->mark != b->mark || a->subject != b->subject || a->density < b->density ||
        a->density > b->density)
        return false;
    switch (a->kind) {
    case OC_ITEM_RECTANGLE:
        return same_rectangle(&a->as.rectangle, &b->as.rectangle);
    case OC_ITEM_LINE:
        return are_same(&a->as.line.x1, &b->as.line.x1, 1) &&
               are_same(&a->as.line.x2, &b->as.line.x2, 1) &&
               are_same(&a->as.line.y1, &b->as.line.y1, 1) &&
               are_same(&a->as.line.y2, &b->as.line.y2, 1) &&
               are_same(&a->as.line.width, &b->as.line.width, 1);
    case OC_ITEM_LABEL:
        return same_label(&a->as.label, &b->as.label);
    case OC_ITEM_PATH:
        return same_path(&a->as.path, &b->as.path);
    default:
        return true;
    }
}

static bool same_scenes(const oc_scene *a, const oc_scene *b)
{
    if (!are_same((double[]){a->width, a->height}, (double[]){b->width, b->height}, 2) ||
        a->item_count != b->item_count || a->point_count != b->point_count ||
        a->strings.length != b->strings.length ||
        (a->strings.length > 0 &&
         memcmp(a->strings.bytes, b->strings.bytes, a->strings.length) != 0))
        return false;
    for (size_t i = 0; i < a->point_count; i++)
        if (!are_same((double[]){a->points[i].x, a->points[i].y},
                      (double[]){b->points[i].x, b->points[i].y}, 2))
            return false;
    for (size_t i = 0; i < a->item_count; i++)
        if (!same_but_for_colours(&a->items[i], &b->items[i]))
            return false;
    return true;
}

ocelotl_status oc_scene_pair(bool *paired, oc_scene *light, const oc_scene *dark,
                             oc_colour_pairs *pairs)
{
    *paired = same_scenes(light, dark);
    if (!*paired)
        return OCELOTL_OK;
    OC_TRY(oc_colour_pair(&light->background, pairs, light->background, dark->background));
    for (size_t i = 0; i < light->item_count; i++) {
        uint32_t *ours[COLOURS_OF_ITEM];
        uint32_t *theirs[COLOURS_OF_ITEM];
        oc_scene_item other = dark->items[i];
        const int count = list_colours(ours, &light->items[i]);
        const int others = list_colours(theirs, &other);
        for (int c = 0; c < count && c < others; c++)
            OC_TRY(oc_colour_pair(ours[c], pairs, *ours[c], *theirs[c]));
    }
    return OCELOTL_OK;
}

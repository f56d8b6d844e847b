/* Colours of a tree of types: an outermost group is a hue, what is in it are its shades.
 *
 * Lightness divides as the tree does: each group has a range of it, within that of the group around
 * it, and the middle of the range as its own colour. So these depend on the tree alone. A type
 * takes the shade nearest to the middle of its group that is far enough from all types before it,
 * for all visions. */
#include "viz/colour/colour.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIGHTNESSES = 7,
    TURNS = 5,
    CHROMAS = 3,
    SHADES = LIGHTNESSES * TURNS * CHROMAS, /* that a type chooses from */
    COMPARED_MOST = 64                      /* a reader cannot distinguish more */
};

static const double turn = 6.283185307179586;
static const double least_contrast = 1.6;
static const double colourful = 0.13;
/* Half of the range of lightness of an outermost group. */
static const double reach = 0.19;

/* Hues and lightnesses whose least distance is large for all visions; in turns. */
static const struct {
    double hue, lightness;
} hues[] = {
    {0.715, 0.53}, {0.180, 0.74}, {0.405, 0.58}, {0.965, 0.60},
    {0.295, 0.80}, {0.835, 0.48}, {0.555, 0.71}, {0.070, 0.49},
};

enum { HUE_COUNT = sizeof hues / sizeof hues[0] };

/* The shades of a group. */
typedef struct range {
    double hue, chroma;
    double least, most; /* lightness */
    double turns;       /* that the hue may change by */
} range;

typedef struct giving {
    const oc_colouring *by;
    const ocelotl_type_tree *tree;
    range *ranges; /* by group */
    oc_appearance given[COMPARED_MOST];
    size_t given_count;
} giving;

static uint32_t visible(const giving *to, double lightness, double chroma, double hue)
{
    const oc_perceived perceived = {lightness, chroma * cos(turn * hue), chroma * sin(turn * hue)};
    return oc_colour_visible(oc_colour_from_perceived(perceived), to->by->paper, least_contrast);
}

/* Of what the tree does not name. */
static const range greys = {0, 0, 0.45, 0.85, 0};

/* Beyond the hues that are listed they repeat, a little turned. */
static range outermost(uint32_t number)
{
    const double again = floor((double)number / HUE_COUNT);
    const double middle = hues[number % HUE_COUNT].lightness;
    return (range){fmod(hues[number % HUE_COUNT].hue + 0.055 * again, 1), colourful,
                   fmax(0.3, middle - reach), fmin(0.9, middle + reach), 0.08};
}

/* The share of a group's range that one of the groups in it has; they turn the hue a little. */
static range divided(const range *whole, uint32_t child, uint32_t count)
{
    const double step = (whole->most - whole->least) / count;
    range part = *whole;
    part.least = whole->least + step * child;
    part.most = part.least + step;
    part.turns = whole->turns / count;
    part.hue = whole->hue + part.turns * (child - (count - 1) / 2.0);
    return part;
}

/* Parents come first. `below` counts the groups in each, and then those that have their range. */
static void divide(giving *to, uint32_t *below)
{
    uint32_t outer = 0;
    const ocelotl_type_tree_info tree = ocelotl_type_tree_info_of(to->tree);
    for (uint32_t g = 0; g < tree.group_count; g++) {
        const uint32_t parent = ocelotl_type_tree_group_at(to->tree, g).parent;
        if (parent != OCELOTL_NONE)
            below[2 * (size_t)parent]++;
    }
    for (uint32_t g = 0; g < tree.group_count; g++) {
        const uint32_t parent = ocelotl_type_tree_group_at(to->tree, g).parent;
        if (parent == OCELOTL_NONE)
            to->ranges[g] = g == tree.other ? greys : outermost(outer++);
        else
            to->ranges[g] = divided(&to->ranges[parent], below[2 * (size_t)parent + 1]++,
                                    below[2 * (size_t)parent]);
    }
}

static ocelotl_status find_ranges(giving *to)
{
    uint32_t *below = NULL;
    const uint32_t count = ocelotl_type_tree_info_of(to->tree).group_count;
    OC_TRY(oc_allocate(&to->ranges, count, sizeof *to->ranges));
    OC_TRY(oc_allocate(&below, count, 2 * sizeof *below));
    divide(to, below);
    free(below);
    return OCELOTL_OK;
}

static uint32_t colour_of_group(const giving *to, uint32_t group)
{
    const range *of = &to->ranges[group];
    return visible(to, (of->least + of->most) / 2, of->chroma, of->hue);
}

/* --- Types */

static void keep(giving *to, uint32_t colour)
{
    if (to->given_count < COMPARED_MOST)
        to->given[to->given_count++] = oc_colour_appearance(colour);
}

static double apart_from_all(const giving *to, uint32_t colour)
{
    const oc_appearance looks = oc_colour_appearance(colour);
    double least = INFINITY;
    for (size_t i = 0; i < to->given_count; i++)
        least = fmin(least, oc_appearance_apart(&to->given[i], &looks));
    return least;
}

/* From the middle outwards: 0, 1, -1, 2, -2, ... */
static int outwards(int index)
{
    return index % 2 == 1 ? (index + 1) / 2 : -index / 2;
}

/* A shade of a group, by its number: the nearer to its colour the earlier. */
static uint32_t shade(const giving *to, const range *of, int number)
{
    const int lightness = outwards(number % LIGHTNESSES);
    const int turned = outwards(number / LIGHTNESSES % TURNS);
    const int paler = number / LIGHTNESSES / TURNS;
    const double middle = (of->least + of->most) / 2;
    const double half = fmax(0.06, (of->most - of->least) / 2);
    return visible(to, middle + half * lightness / ((LIGHTNESSES - 1) / 2.0),
                   of->chroma * (1 - 0.22 * paler), of->hue + 0.02 * turned);
}

static uint32_t colour_of_type(const giving *to, const char *name)
{
    const range *of = &to->ranges[ocelotl_type_tree_find(NULL, to->tree, name)];
    uint32_t best = shade(to, of, 0);
    double farthest = -1;
    if (to->given_count == COMPARED_MOST)
        return shade(to, of, (int)(oc_hash(name, strlen(name)) % LIGHTNESSES));
    for (int i = 0; i < SHADES && farthest < 1; i++) {
        const uint32_t tried = shade(to, of, i);
        const double apart = apart_from_all(to, tried);
        if (apart > farthest) {
            farthest = apart;
            best = tried;
        }
    }
    return best;
}

static void give_all(giving *to, oc_palette_type *types, size_t first, size_t count)
{
    for (size_t i = 0; i < first; i++)
        if (ocelotl_type_tree_find_group(to->tree, types[i].name) == OCELOTL_NONE)
            keep(to, types[i].colour);
    for (size_t i = first; i < count; i++) {
        const uint32_t group = ocelotl_type_tree_find_group(to->tree, types[i].name);
        const bool own = to->by->palette != NULL &&
                         oc_palette_find(&types[i].colour, to->by->palette, types[i].name);
        if (!own)
            types[i].colour = group != OCELOTL_NONE ? colour_of_group(to, group)
                                                    : colour_of_type(to, types[i].name);
        if (group == OCELOTL_NONE)
            keep(to, types[i].colour);
    }
}

ocelotl_status oc_tree_colours_assign(oc_palette_type *types, size_t first, size_t count,
                                      const oc_colouring *by)
{
    giving to = {.by = by, .tree = by->tree};
    const ocelotl_status status = find_ranges(&to);
    if (status == OCELOTL_OK)
        give_all(&to, types, first, count);
    free(to.ranges);
    return status;
}

#include "viz/palette.h"

#include "base/map.h"
#include "viz/known_colours.h"

#include <math.h>
#include <string.h>

/* Found by a search for the largest least distance to all visions (8.6, and to the pale of idling); the first ones,
 * which most pictures do with, are the farthest apart (10) and neither very dark nor very light. */
static const uint32_t colours[] = {
    0x0675ED, 0xFFB104, 0x921D6A, 0x00B4A6, 0xFD7276, 0x363BA7, 0xA98C00, 0x027900,
    0xB190FF, 0x807092, 0xD5305E, 0x5A4500, 0x00E0FF, 0x430067, 0x5D0000, 0x003537,
};

enum {
    COLOUR_COUNT = sizeof colours / sizeof colours[0],
    TIER = 8,           /* colours of which a hash chooses one */
    SHADE_COUNT = 3,    /* the colours themselves, darker, lighter */
    VARIANT_COUNT = 9,  /* of a colour that is given */
    COMPARED_MOST = 64, /* no more can be told apart anyway */
    NO_COLOUR = -1
};

/* Nearer colours are taken for one another in a picture. */
static const double too_near = 7;
static const double too_near_wanted = 2.5; /* of two that the trace defines */

/* Traces define pure red, green and magenta, which outshine everything else over large areas: what is more colourful
 * than this (chroma in OKLab) keeps its hue and lightness. */
static const double most_chroma = 0.19;

/* The least contrast with the background, so that a small share still shows. */
static const double least_contrast = 1.6;

/* Who gives a type its colour, the first going before the others. */
typedef enum source { FROM_USER, FROM_TRACE, FROM_KNOWN, FROM_HASH, SOURCE_COUNT } source;

/* What has been given so far. */
typedef struct givings {
    oc_palette_type *types;
    size_t count;
    uint32_t background;
    const oc_palette *user;
    bool given[COMPARED_MOST];
    oc_appearance appearances[COMPARED_MOST];
} givings;

static bool is_free(const givings *so_far, uint32_t colour, double distance)
{
    const oc_appearance appearance = oc_colour_appearance(colour);
    for (size_t i = 0; i < so_far->count && i < COMPARED_MOST; i++)
        if (so_far->given[i] && oc_appearance_distance(&so_far->appearances[i], &appearance) < distance)
            return false;
    return true;
}

/* A colour as it is, then lighter, darker, and turned a little, still of its kind. */
static uint32_t variant(uint32_t colour, size_t attempt)
{
    static const struct {
        double lighter, turned;
    } changes[VARIANT_COUNT] = {
        {0, 0}, {0.1, 0}, {-0.1, 0}, {0.05, 0.4}, {0.05, -0.4}, {-0.1, 0.3}, {-0.1, -0.3}, {0.2, 0}, {-0.2, 0},
    };
    if (attempt == 0)
        return colour;
    const oc_perceived from = oc_colour_perceived(colour);
    const double turned = changes[attempt].turned;
    return oc_colour_from_perceived((oc_perceived){fmin(0.95, fmax(0.1, from.lightness + changes[attempt].lighter)),
                                                   from.red_green * cos(turned) - from.yellow_blue * sin(turned),
                                                   from.red_green * sin(turned) + from.yellow_blue * cos(turned)});
}

/* A tier as it is, from where the hash of the name points, then the next tier, then all of them darker, then
 * lighter. */
static uint32_t hashed(uint64_t hash, size_t attempt)
{
    const size_t generation = attempt / COLOUR_COUNT;
    const size_t tier = attempt % COLOUR_COUNT / TIER;
    const uint32_t colour = colours[tier * TIER + (size_t)((hash + attempt) % TIER)];
    return generation == 0 ? colour : oc_colour_mix(colour, generation == 1 ? 0x000000 : 0xFFFFFF, 0.35);
}

/* The colours that a type tries, one after the other. */
typedef struct wishes {
    int64_t own; /* or NO_COLOUR */
    uint64_t hash;
    uint32_t background;
} wishes;

static size_t wish_count(const wishes *of)
{
    return COLOUR_COUNT * SHADE_COUNT + (of->own == NO_COLOUR ? 0 : VARIANT_COUNT);
}

static uint32_t wish(const wishes *of, size_t attempt)
{
    const size_t variants = of->own == NO_COLOUR ? 0 : VARIANT_COUNT;
    const uint32_t colour =
        attempt < variants ? variant((uint32_t)of->own, attempt) : hashed(of->hash, attempt - variants);
    return oc_colour_visible(colour, of->background, least_contrast);
}

/* One that the name points to whatever else is given. */
static size_t any_wish(const wishes *of)
{
    return of->own == NO_COLOUR ? (size_t)(of->hash >> 32) % (COLOUR_COUNT * SHADE_COUNT) : 0;
}

/* The first colour that is free, with less and less distance asked for. */
static uint32_t first_free(const givings *so_far, const wishes *of)
{
    for (double distance = too_near; distance > 1; distance /= 2)
        for (size_t attempt = 0; attempt < wish_count(of); attempt++)
            if (is_free(so_far, wish(of, attempt), distance))
                return wish(of, attempt);
    return wish(of, any_wish(of));
}

static uint32_t named(const givings *so_far, size_t type, int64_t own)
{
    const char *name = so_far->types[type].name;
    const wishes of = {own, oc_hash(name, strlen(name)), so_far->background};
    return type < COMPARED_MOST ? first_free(so_far, &of) : wish(&of, any_wish(&of));
}

static uint32_t softened(uint32_t colour)
{
    const oc_perceived is = oc_colour_perceived(colour);
    const double chroma = hypot(is.red_green, is.yellow_blue);
    const double keep = chroma > most_chroma ? most_chroma / chroma : 1;
    return keep < 1
               ? oc_colour_from_perceived((oc_perceived){is.lightness, is.red_green * keep, is.yellow_blue * keep})
               : colour;
}

/* Finds the colour that a source has for a type; false where it has none. */
static bool find_colour(uint32_t *colour, const givings *so_far, size_t type, source from)
{
    const oc_palette_type *the = &so_far->types[type];
    uint32_t known = 0;
    switch (from) {
    case FROM_USER:
        return so_far->user != NULL && oc_palette_find(colour, so_far->user, the->name);
    case FROM_TRACE:
        if (the->wanted < 0)
            return false;
        *colour = oc_colour_visible(softened((uint32_t)the->wanted & 0xFFFFFF), so_far->background, least_contrast);
        return type >= COMPARED_MOST || is_free(so_far, *colour, too_near_wanted);
    case FROM_KNOWN:
        if (!oc_known_colour(&known, the->name, so_far->background))
            return false;
        *colour = named(so_far, type, known);
        return true;
    default:
        *colour = named(so_far, type, NO_COLOUR);
        return true;
    }
}

/* Types beyond those that are compared are asked last, each source in turn. */
static void give_others(givings *so_far)
{
    for (size_t i = COMPARED_MOST; i < so_far->count; i++)
        for (source from = FROM_USER; from < SOURCE_COUNT; from++)
            if (find_colour(&so_far->types[i].colour, so_far, i, from))
                break;
}

void oc_palette_assign_on(oc_palette_type *types, size_t count, uint32_t background, const oc_palette *user)
{
    givings so_far = {.types = types, .count = count, .background = background, .user = user};
    for (source from = FROM_USER; from < SOURCE_COUNT; from++) {
        for (size_t i = 0; i < count && i < COMPARED_MOST; i++) {
            if (so_far.given[i] || !find_colour(&types[i].colour, &so_far, i, from))
                continue;
            so_far.given[i] = true;
            so_far.appearances[i] = oc_colour_appearance(types[i].colour);
        }
    }
    give_others(&so_far);
}

void oc_palette_assign(oc_palette_type *types, size_t count)
{
    oc_palette_assign_on(types, count, 0xFFFFFF, NULL);
}

#include "viz/colour/colour.h"

#include "base/map.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A search found the colours whose least distance is largest for all visions (8.6, and from the
 * pale colour of idling). Most pictures use the first ones alone: these are the farthest apart
 * (10), and neither very dark nor very light. */
static const uint32_t colours[] = {
    0x0675ED, 0xFFB104, 0x921D6A, 0x00B4A6, 0xFD7276, 0x363BA7, 0xA98C00, 0x027900,
    0xB190FF, 0x807092, 0xD5305E, 0x5A4500, 0x00E0FF, 0x430067, 0x5D0000, 0x003537,
};

enum {
    COLOUR_COUNT = sizeof colours / sizeof colours[0],
    TIER = 8,           /* a hash chooses one of these colours */
    SHADE_COUNT = 3,    /* the colours themselves, darker, lighter */
    VARIANT_COUNT = 17, /* of a colour that is given */
    /* of the fixed types, and of the others: a reader cannot distinguish more */
    COMPARED_MOST = 64,
    NO_COLOUR = -1,
    LIGHTNESSES = 20, /* of the colours all over what screens can show */
    HUES = 24,
    CHROMAS = 6,
    SPREAD_COUNT = LIGHTNESSES * HUES * CHROMAS
};

typedef struct coloured {
    uint32_t colour;
    oc_appearance looks;
} coloured;

/* How far apart colours must be (oc_appearance_apart): as a rule; if the trace keeps all its
 * colours; if space is short (a distance of 8, and of 5.5 without a kind of cones); for less
 * important types with a colour of the trace. */
static const double apart = 1;
static const double well_apart = 1.2;
static const double hardly_apart = 0.945;
static const double apart_of_least = 0.5;

/* Traces define pure red, green and magenta, which outshine everything else over large areas. A
 * colour with more chroma than this (in OKLab) is softened; it keeps its hue and lightness. */
static const double most_chroma = 0.19;

/* The least contrast with the background, so that a small share still shows. */
static const double least_contrast = 1.6;

/* What gives a type its colour, in the order of precedence. */
typedef enum source { FROM_USER, FROM_TRACE, FROM_KNOWN, FROM_HASH, SOURCE_COUNT } source;

/* What has been given so far. */
typedef struct givings {
    oc_palette_type *types;
    size_t first, count; /* types that get colours; the fixed ones come before them */
    const oc_palette_request *request;
    size_t own; /* types before this one may have the colour of the trace */
    /* the first types have only the shades that leave room for one another */
    bool plain;
    bool is_given[2 * COMPARED_MOST];
    oc_appearance given[2 * COMPARED_MOST];
    coloured tints[COLOUR_COUNT * SHADE_COUNT]; /* those above, all of them darker, all lighter */
    coloured spread[SPREAD_COUNT];              /* found when it is needed */
    bool has_spread;
} givings;

/* The place of a type among those that are compared; COMPARED_MOST fixed ones come first. */
static size_t place_of(const givings *so_far, size_t type)
{
    return type < so_far->first ? type : type - so_far->first + COMPARED_MOST;
}

static bool is_compared(const givings *so_far, size_t type)
{
    return type < so_far->first ? type < COMPARED_MOST : type - so_far->first < COMPARED_MOST;
}

static void give(givings *so_far, size_t type, uint32_t colour)
{
    so_far->types[type].colour = colour;
    if (!is_compared(so_far, type))
        return;
    so_far->is_given[place_of(so_far, type)] = true;
    so_far->given[place_of(so_far, type)] = oc_colour_appearance(colour);
}

static bool has_colour(const givings *so_far, size_t type)
{
    return is_compared(so_far, type) && so_far->is_given[place_of(so_far, type)];
}

/* Returns how far apart a colour is from all colours given so far. */
static double apart_from_all(const givings *so_far, const oc_appearance *looks)
{
    double least = INFINITY;
    for (size_t i = 0; i < 2 * COMPARED_MOST; i++)
        if (so_far->is_given[i])
            least = fmin(least, oc_appearance_apart(&so_far->given[i], looks));
    return least;
}

/* --- The colours that a type tries, one after the other */

typedef struct wishes {
    int64_t own; /* or NO_COLOUR */
    uint64_t hash;
} wishes;

static coloured make_visible(const givings *so_far, uint32_t colour)
{
    const uint32_t visible = oc_colour_visible(colour, so_far->request->background, least_contrast);
    return (coloured){visible, oc_colour_appearance(visible)};
}

/* A colour as it is, then lighter, darker, and turned a little, still of its kind. */
static uint32_t variant(uint32_t colour, size_t attempt)
{
    static const struct {
        double lighter, turned;
    } changes[VARIANT_COUNT] = {
        {0, 0},       {0.1, 0},    {-0.1, 0},    {0.05, 0.4}, {0.05, -0.4}, {-0.1, 0.3},
        {-0.1, -0.3}, {0.2, 0},    {-0.2, 0},    {0.15, 0.4}, {0.15, -0.4}, {0.3, 0},
        {-0.3, 0},    {0.25, 0.4}, {0.25, -0.4}, {-0.2, 0.4}, {-0.2, -0.4},
    };
    if (attempt == 0)
        return colour;
    const oc_perceived from = oc_colour_perceived(colour);
    const double turned = changes[attempt].turned;
    return oc_colour_from_perceived(
        (oc_perceived){fmin(0.95, fmax(0.1, from.lightness + changes[attempt].lighter)),
                       from.red_green * cos(turned) - from.yellow_blue * sin(turned),
                       from.red_green * sin(turned) + from.yellow_blue * cos(turned)});
}

static void find_tints(givings *so_far)
{
    static const uint32_t mixed_with[SHADE_COUNT] = {0, 0x000000, 0xFFFFFF};
    for (size_t i = 0; i < COLOUR_COUNT * SHADE_COUNT; i++) {
        const double share = i < COLOUR_COUNT ? 0 : 0.35;
        so_far->tints[i] = make_visible(
            so_far, oc_colour_mix(colours[i % COLOUR_COUNT], mixed_with[i / COLOUR_COUNT], share));
    }
}

/* Tries a tier from where the hash of the name points, then the next tier, then all tiers darker,
 * then lighter. */
static const coloured *hashed(const givings *so_far, uint64_t hash, size_t attempt)
{
    const size_t tier = attempt / TIER;
    return &so_far->tints[tier * TIER + (size_t)((hash + attempt) % TIER)];
}

static size_t variant_count(const wishes *of)
{
    return of->own == NO_COLOUR ? 0 : VARIANT_COUNT;
}

static coloured wish(const givings *so_far, const wishes *of, size_t attempt)
{
    const size_t variants = variant_count(of);
    return attempt < variants ? make_visible(so_far, variant((uint32_t)of->own, attempt))
                              : *hashed(so_far, of->hash, attempt - variants);
}

/* The name alone chooses this one, whatever else is given. */
static uint32_t any_wish(const givings *so_far, const wishes *of)
{
    return wish(so_far, of,
                of->own == NO_COLOUR ? (size_t)(of->hash >> 32) % (COLOUR_COUNT * SHADE_COUNT) : 0)
        .colour;
}

/* Finds the first wish that is this far apart. */
static bool find_wish(uint32_t *colour, const givings *so_far, const wishes *of, double wanted)
{
    const size_t variants = variant_count(of);
    for (size_t attempt = 0; attempt < variants + COLOUR_COUNT * SHADE_COUNT; attempt++) {
        if (so_far->plain && attempt > 0 &&
            (attempt < variants || attempt >= variants + COLOUR_COUNT))
            continue;
        const coloured tried = wish(so_far, of, attempt);
        *colour = tried.colour;
        if (apart_from_all(so_far, &tried.looks) >= wanted)
            return true;
    }
    return false;
}

static void find_spread(givings *so_far)
{
    for (int i = 0; i < SPREAD_COUNT && !so_far->has_spread; i++) {
        const int lightness = i % LIGHTNESSES;
        const int turn = i / LIGHTNESSES % HUES;
        const int chroma = i / LIGHTNESSES / HUES;
        const double hue = 6.283185307179586 * turn / HUES;
        const double colourful = 0.01 + 0.04 * chroma;
        const oc_perceived perceived = {0.24 + 0.035 * lightness, colourful * cos(hue),
                                        colourful * sin(hue)};
        so_far->spread[i] = make_visible(so_far, oc_colour_from_perceived(perceived));
    }
    so_far->has_spread = true;
}

/* Finds the colour farthest from all that are given, among samples of what screens can show. */
static double find_farthest(uint32_t *colour, givings *so_far)
{
    double farthest = -1;
    find_spread(so_far);
    for (int i = 0; i < SPREAD_COUNT; i++) {
        const double distance = apart_from_all(so_far, &so_far->spread[i].looks);
        if (distance > farthest) {
            farthest = distance;
            *colour = so_far->spread[i].colour;
        }
    }
    return farthest;
}

/* Finds the first sample that is this far apart. Starts where the hash of the name points, and
 * steps over all samples. */
static bool find_scattered(uint32_t *colour, givings *so_far, uint64_t hash, double wanted)
{
    enum { STEP = 1567 }; /* a prime that does not divide the number of colours */
    find_spread(so_far);
    for (uint64_t i = 0; i < SPREAD_COUNT; i++) {
        const coloured *tried = &so_far->spread[(hash % SPREAD_COUNT + i * STEP) % SPREAD_COUNT];
        *colour = tried->colour;
        if (apart_from_all(so_far, &tried->looks) >= wanted)
            return true;
    }
    return false;
}

/* --- What a type gets */

static uint32_t softened(uint32_t colour)
{
    const oc_perceived is = oc_colour_perceived(colour);
    const double chroma = hypot(is.red_green, is.yellow_blue);
    const double keep = chroma > most_chroma ? most_chroma / chroma : 1;
    return keep < 1 ? oc_colour_from_perceived(
                          (oc_perceived){is.lightness, is.red_green * keep, is.yellow_blue * keep})
                    : colour;
}

static coloured of_trace(const givings *so_far, const oc_palette_type *type)
{
    return make_visible(so_far, softened((uint32_t)type->wanted & 0xFFFFFF));
}

/* Finds the colour that the name stands for; else the one that the trace defines, even if it is
 * near another. */
static wishes wishes_of(const givings *so_far, const oc_palette_type *type)
{
    uint32_t known = 0;
    wishes of = {NO_COLOUR, oc_hash(type->name, strlen(type->name))};
    if (oc_known_colour(&known, type->name, so_far->request->background))
        of.own = (int64_t)known;
    else if (type->wanted >= 0)
        of.own = (int64_t)of_trace(so_far, type).colour;
    return of;
}

/* Finds the colour that the user, or the trace, has for a type. */
static bool find_defined(uint32_t *colour, const givings *so_far, size_t type, source from,
                         double wanted)
{
    const oc_palette_type *the = &so_far->types[type];
    if (from == FROM_USER)
        return so_far->request->user != NULL &&
               oc_palette_find(colour, so_far->request->user, the->name);
    if (the->wanted < 0 || type >= so_far->own)
        return false;
    const coloured own = of_trace(so_far, the);
    *colour = own.colour;
    return !is_compared(so_far, type) || apart_from_all(so_far, &own.looks) >= wanted;
}

/* Finds one by the name, well apart if possible. */
static bool find_by_name(uint32_t *colour, givings *so_far, size_t type, source from)
{
    uint32_t known = 0;
    const oc_palette_type *the = &so_far->types[type];
    if (from == FROM_KNOWN && !oc_known_colour(&known, the->name, so_far->request->background))
        return false;
    const wishes of = wishes_of(so_far, the);
    if (so_far->request->scattered && of.own == NO_COLOUR)
        return find_scattered(colour, so_far, of.hash, well_apart) ||
               find_scattered(colour, so_far, of.hash, apart);
    return find_wish(colour, so_far, &of, well_apart) || find_wish(colour, so_far, &of, apart);
}

/* Gives colours from one source to types that have none yet. */
static void give_from(givings *so_far, size_t end, source from)
{
    for (size_t i = so_far->first; i < end; i++) {
        uint32_t colour = 0;
        if (!is_compared(so_far, i) || has_colour(so_far, i))
            continue;
        if (from <= FROM_TRACE ? find_defined(&colour, so_far, i, from, apart)
                               : find_by_name(&colour, so_far, i, from))
            give(so_far, i, colour);
    }
}

/* Gives the most important types colours far enough apart. Returns false if one finds no room and a
 * further attempt can help. */
static bool give_first(givings *so_far, size_t end)
{
    give_from(so_far, so_far->count, FROM_USER);
    for (source from = FROM_TRACE; from < SOURCE_COUNT; from++)
        give_from(so_far, end, from);
    for (size_t i = so_far->first; i < end; i++) {
        uint32_t colour = 0;
        if (has_colour(so_far, i))
            continue;
        if (find_farthest(&colour, so_far) < hardly_apart && !so_far->plain)
            return false;
        give(so_far, i, colour);
    }
    return true;
}

static void begin(givings *so_far)
{
    memset(so_far->is_given, 0, sizeof so_far->is_given);
    for (size_t i = 0; i < so_far->first; i++)
        give(so_far, i, so_far->types[i].colour);
}

/* Gives a type after the first ones a colour: the distance it asks for becomes less and less. */
static uint32_t colour_of_further(const givings *so_far, size_t type)
{
    uint32_t colour = 0;
    if (find_defined(&colour, so_far, type, FROM_USER, 0) ||
        find_defined(&colour, so_far, type, FROM_TRACE, apart_of_least))
        return colour;
    const wishes of = wishes_of(so_far, &so_far->types[type]);
    for (double wanted = apart; is_compared(so_far, type) && wanted > 0.1; wanted /= 2)
        if (find_wish(&colour, so_far, &of, wanted))
            return colour;
    return any_wish(so_far, &of);
}

ocelotl_status oc_palette_assign_on(oc_palette_type *types, size_t count,
                                    const oc_palette_request *request)
{
    const size_t most = request->fixed + OC_PALETTE_APART;
    const size_t end = count < most ? count : most;
    givings *so_far = NULL;
    OC_TRY(oc_allocate(&so_far, 1, sizeof *so_far));
    so_far->types = types;
    so_far->first = request->fixed;
    so_far->count = count;
    so_far->request = request;
    so_far->own = end;
    find_tints(so_far);
    begin(so_far);
    while (!give_first(so_far, end)) {
        /* Drops the trace's colours, those of the less important half first, then shades of other
         * colours. */
        so_far->plain = so_far->own == so_far->first;
        so_far->own = so_far->first + (so_far->own - so_far->first) / 2;
        begin(so_far);
    }
    so_far->own = count;
    so_far->plain = false;
    for (size_t i = end; i < count; i++)
        if (!has_colour(so_far, i))
            give(so_far, i, colour_of_further(so_far, i));
    free(so_far);
    return OCELOTL_OK;
}

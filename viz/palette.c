#include "viz/palette.h"

#include "base/map.h"

#include <math.h>
#include <string.h>

/* From the schemes of Okabe and Ito and of Paul Tol, chosen to be told apart with any of the common deficiencies of
 * colour vision and to stand out on white. The first ones differ in hue, so that a pale one is not taken for another;
 * the rest is for pictures of more types. */
static const uint32_t colours[] = {
    0x0072B2, 0xD55E00, 0x009E73, 0xAA3377, 0xE69F00, 0x332288, 0x999933, 0x661100,
    0x777777, 0x56B4E9, 0xCC79A7, 0x117733, 0x882255, 0x44AA99, 0x6666CC, 0xBBAA00,
};

enum {
    COLOUR_COUNT = sizeof colours / sizeof colours[0],
    TIER = 8,          /* colours that differ in hue */
    SHADE_COUNT = 3,   /* the colours themselves, darker, lighter */
    COMPARED_MOST = 64 /* no more can be told apart anyway */
};

/* Nearer colours are taken for one another in a picture. */
static const double too_near = 100;
static const double too_near_wanted = 30; /* of two that the trace defines */

/* The least contrast with white (1 for white itself, 21 for black), so that a small share still shows. */
static const double least_contrast = 1.6;

static double channel(uint32_t colour, int shift)
{
    return (double)(colour >> shift & 255);
}

double oc_colour_distance(uint32_t a, uint32_t b)
{
    const double red = channel(a, 16) - channel(b, 16);
    const double green = channel(a, 8) - channel(b, 8);
    const double blue = channel(a, 0) - channel(b, 0);
    const double mean = (channel(a, 16) + channel(b, 16)) / 2;
    return sqrt((2 + mean / 256) * red * red + 4 * green * green + (2 + (255 - mean) / 256) * blue * blue);
}

double oc_colour_contrast(uint32_t colour)
{
    const double red = pow(channel(colour, 16) / 255, 2.2);
    const double green = pow(channel(colour, 8) / 255, 2.2);
    const double blue = pow(channel(colour, 0) / 255, 2.2);
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

/* Moves a colour towards another by a share. */
static uint32_t mixed(uint32_t colour, uint32_t with, double share)
{
    uint32_t result = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double value = channel(colour, shift) * (1 - share) + channel(with, shift) * share;
        result |= (uint32_t)lround(value) << shift;
    }
    return result;
}

static uint32_t visible(uint32_t colour)
{
    while (oc_colour_contrast(colour) < least_contrast)
        colour = mixed(colour, 0x000000, 0.1);
    return colour;
}

static bool is_free(const oc_palette_type *types, const bool *placed, size_t count, uint32_t colour,
                    double distance)
{
    for (size_t i = 0; i < count && i < COMPARED_MOST; i++)
        if (placed[i] && oc_colour_distance(types[i].colour, colour) < distance)
            return false;
    return true;
}

/* The colours in the order in which a name tries them: a tier as it is, from where the hash of the name points, then
 * the next tier, then all of them darker, then lighter. */
static uint32_t candidate(uint64_t hash, size_t attempt)
{
    const size_t generation = attempt / COLOUR_COUNT;
    const size_t tier = attempt % COLOUR_COUNT / TIER;
    const uint32_t colour = colours[tier * TIER + (size_t)((hash + attempt) % TIER)];
    return generation == 0 ? colour : mixed(colour, generation == 1 ? 0x000000 : 0xFFFFFF, 0.35);
}

/* The first colour that is free, with less and less distance asked for. */
static uint32_t colour_of_name(const oc_palette_type *types, const bool *placed, size_t count, const char *name)
{
    const uint64_t hash = oc_hash(name, strlen(name));
    for (double distance = too_near; count <= COMPARED_MOST && distance > 5; distance /= 2)
        for (size_t attempt = 0; attempt < COLOUR_COUNT * SHADE_COUNT; attempt++)
            if (is_free(types, placed, count, candidate(hash, attempt), distance))
                return candidate(hash, attempt);
    return candidate(hash, (size_t)(hash >> 32) % (COLOUR_COUNT * SHADE_COUNT));
}

/* Colours of the trace come first: nothing that is named here may take one of them. Types beyond those that are
 * compared have what the trace or their name says. */
void oc_palette_assign(oc_palette_type *types, size_t count)
{
    bool placed[COMPARED_MOST] = {false};
    for (size_t i = 0; i < count; i++) {
        if (types[i].wanted < 0)
            continue;
        types[i].colour = visible((uint32_t)types[i].wanted & 0xFFFFFF);
        if (i < COMPARED_MOST)
            placed[i] = is_free(types, placed, i, types[i].colour, too_near_wanted);
    }
    for (size_t i = 0; i < count; i++) {
        const bool compared = i < COMPARED_MOST;
        if (compared ? placed[i] : types[i].wanted >= 0)
            continue;
        const size_t others = compared && count > COMPARED_MOST ? COMPARED_MOST : count;
        types[i].colour = colour_of_name(types, placed, compared ? others : SIZE_MAX, types[i].name);
        if (compared)
            placed[i] = true;
    }
}

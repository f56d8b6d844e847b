/* Arithmetic of colours against published values, and the colours of parts by their position. */
#include "check.h"

#include "viz/colour/colour.h"

#define WHITE 0xFFFFFFu
#define BLACK 0x000000u

static uint32_t random_colour(uint64_t *state)
{
    return (uint32_t)(check_random(state) >> 40) & WHITE;
}

static void check_perceived(uint32_t colour, double lightness, double red_green, double yellow_blue)
{
    const oc_perceived perceived = oc_colour_perceived(colour);
    CHECK_NEAR(perceived.lightness, lightness, 1e-4);
    CHECK_NEAR(perceived.red_green, red_green, 1e-4);
    CHECK_NEAR(perceived.yellow_blue, yellow_blue, 1e-4);
}

/* The values of CSS Color 4. */
static void test_perceived(void)
{
    check_perceived(WHITE, 1, 0, 0);
    check_perceived(BLACK, 0, 0, 0);
    check_perceived(0xFF0000, 0.62796, 0.22486, 0.12585);
    check_perceived(0x00FF00, 0.86644, -0.23389, 0.17950);
    check_perceived(0x0000FF, 0.45201, -0.03246, -0.31153);
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        const uint32_t colour = random_colour(&state);
        CHECK(oc_colour_from_perceived(oc_colour_perceived(colour)) == colour);
    }
    /* No screen shows such a green: the result keeps its lightness and hue. */
    const oc_perceived paler =
        oc_colour_perceived(oc_colour_from_perceived((oc_perceived){0.5, -0.4, 0.3}));
    CHECK_NEAR(paler.lightness, 0.5, 0.01);
    CHECK_NEAR(paler.yellow_blue / paler.red_green, -0.75, 0.05);
}

/* Contrasts that every checker of web pages gives. */
static void test_contrast(void)
{
    CHECK_NEAR(oc_contrast_between(BLACK, WHITE), 21, 1e-9);
    CHECK_NEAR(oc_contrast_between(0x767676, 0xFFFFFF), 4.54, 0.005);
    CHECK_NEAR(oc_contrast_between(0x777777, 0xFFFFFF), 4.48, 0.005);
    CHECK_NEAR(oc_contrast_between(0xFF0000, 0xFFFFFF), 4.00, 0.005);
    CHECK_NEAR(oc_contrast_between(0x0000FF, 0xFFFFFF), 8.59, 0.005);
    CHECK_NEAR(oc_contrast_between(0x0000FF, BLACK), 2.44, 0.005);
    CHECK_NEAR(oc_colour_luminance(0x808080), 0.2159, 1e-4);
}

static void test_ink(void)
{
    uint64_t state = 2;
    for (int i = 0; i < 100000; i++) {
        const uint32_t colour = random_colour(&state);
        const uint32_t ink = oc_ink_on(colour);
        CHECK(ink == BLACK || ink == WHITE);
        CHECK(oc_contrast_between(ink, colour) >= 4.5);
    }
    CHECK(oc_ink_on(WHITE) == BLACK && oc_ink_on(BLACK) == WHITE);
    CHECK(oc_ink_on(0xFFFF00) == BLACK && oc_ink_on(0x0000FF) == WHITE);
}

static void test_mixtures(void)
{
    CHECK(oc_colour_mix(0x102030, 0xF0E0D0, 0) == 0x102030);
    CHECK(oc_colour_mix(0x102030, 0xF0E0D0, 1) == 0xF0E0D0);
    CHECK(oc_colour_mix(BLACK, WHITE, 0.5) == 0x808080);
    CHECK(oc_colour_over(0xFF0000, 0.25, WHITE) == 0xFFBFBF);
    CHECK(oc_colour_over(0xFF0000, 0.25, BLACK) == 0x400000);
}

/* Greys look the same to everybody. Red and green look alike without one of their cones, blue and
 * yellow do not; and the other way round. */
static void test_visions(void)
{
    for (uint32_t grey = 0; grey < 256; grey += 5)
        for (oc_vision vision = 0; vision < OC_VISION_COUNT; vision++)
            CHECK(oc_colour_seen(grey * 0x010101, vision) == grey * 0x010101);
    CHECK(oc_colour_seen(0x123456, OC_VISION_NORMAL) == 0x123456);
    CHECK(oc_colour_distance(BLACK, WHITE) > 99.9 && oc_colour_distance(0x123456, 0x123456) == 0);
    CHECK(oc_colour_distance(0xA67A2E, 0x7F8B2E) < 4); /* a brown and an olive */
    CHECK(oc_colour_distance(0x0000FF, 0xFFFF00) > 40);
    /* a blue and a green, without the cones for blue */
    CHECK(oc_colour_distance(0x0066B0, 0x007A6B) < 8);
    uint64_t state = 3;
    for (int i = 0; i < 10000; i++) {
        const uint32_t a = random_colour(&state);
        const uint32_t b = random_colour(&state);
        CHECK_NEAR(oc_colour_distance(a, b), oc_colour_distance(b, a), 1e-12);
        for (oc_vision vision = 0; vision < OC_VISION_COUNT; vision++) {
            const oc_perceived left = oc_colour_perceived(oc_colour_seen(a, vision));
            const oc_perceived right = oc_colour_perceived(oc_colour_seen(b, vision));
            const double apart = sqrt(pow(left.lightness - right.lightness, 2) +
                                      pow(left.red_green - right.red_green, 2) +
                                      pow(left.yellow_blue - right.yellow_blue, 2));
            /* seen colours are rounded to bytes, which matters most for dark ones */
            CHECK(oc_colour_distance(a, b) <= 100 * apart + 3);
        }
    }
}

static void test_visible(void)
{
    uint64_t state = 4;
    for (int i = 0; i < 3000; i++) {
        const uint32_t colour = random_colour(&state);
        const uint32_t background = random_colour(&state);
        const uint32_t visible = oc_colour_visible(colour, background, 1.6);
        CHECK(oc_contrast_between(visible, background) >= 1.6);
        CHECK(oc_contrast_between(colour, background) < 1.6 || visible == colour);
    }
    CHECK(oc_colour_visible(WHITE, WHITE, 30) == BLACK &&
          oc_colour_visible(WHITE, BLACK, 30) == WHITE);
}

static double normal_distance(uint32_t a, uint32_t b)
{
    const oc_perceived left = oc_colour_perceived(a);
    const oc_perceived right = oc_colour_perceived(b);
    return 100 * sqrt(pow(left.lightness - right.lightness, 2) +
                      pow(left.red_green - right.red_green, 2) +
                      pow(left.yellow_blue - right.yellow_blue, 2));
}

/* Checks that near positions differ for everybody, and farther ones for most people; no colour
 * comes twice. */
static void test_parts(void)
{
    enum { POSITIONS = 200 };
    static const uint32_t backgrounds[] = {WHITE, 0x0D1117};
    int near = 0, pairs = 0;
    for (int i = 0; i < POSITIONS; i++) {
        for (int b = 0; b < 2; b++)
            CHECK(oc_contrast_between(oc_part_colour((uint32_t)i, backgrounds[b]),
                                      backgrounds[b]) >= 1.6);
        for (int j = 0; j < i; j++) {
            const uint32_t a = oc_part_colour((uint32_t)i, WHITE);
            const uint32_t b = oc_part_colour((uint32_t)j, WHITE);
            CHECK(a != b);
            CHECK(i - j > 8 || oc_colour_distance(a, b) > 3);
            CHECK(i - j > 30 || normal_distance(a, b) > 6);
            near += normal_distance(a, b) < 5;
            pairs++;
        }
    }
    CHECK(near * 80 <= pairs);
    CHECK(oc_contrast_between(oc_part_colour(UINT32_MAX, WHITE), WHITE) >= 1.6);
}

int main(void)
{
    test_perceived();
    test_contrast();
    test_ink();
    test_mixtures();
    test_visions();
    test_visible();
    test_parts();
    return 0;
}

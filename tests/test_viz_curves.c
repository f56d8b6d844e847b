/* Quality curves: their scene as text, properties for any levels, and their files. */
#include "test_viz_golden.h"

#include "viz/colour/colour.h"
#include "viz/curves/curves.h"

#include <math.h>

/* Five levels: two plateaus, the fourth level is shown first. */
static const ocelotl_level some_levels[] = {
    {.p = 0.01, .p_from = 0, .p_to = 0.03, .gain = 8, .loss = 0, .parts = 1200},
    {.p = 0.1, .p_from = 0.03, .p_to = 0.2, .gain = 32, .loss = 1, .parts = 300},
    {.p = 0.2, .p_from = 0.2, .p_to = 0.201, .gain = 40, .loss = 2, .parts = 40},
    {.p = 0.5,
     .p_from = 0.201,
     .p_to = 0.8,
     .gain = 60,
     .loss = 8,
     .parts = 12,
     .plateau = 2,
     .plateau_from = 0,
     .plateau_to = 0.8,
     .automatic = true},
    {.p = 0.9,
     .p_from = 0.8,
     .p_to = 1,
     .gain = 80,
     .loss = 40,
     .parts = 1,
     .plateau = 1,
     .plateau_from = 0.8,
     .plateau_to = 1},
};

static oc_curves_input input_of(const ocelotl_level *levels, size_t count, double p)
{
    return (oc_curves_input){
        .model = {.name = "cluster.trace",
                  .uid = "0123456789abcdef",
                  .has_time = true,
                  .end = 1,
                  .state_type = "MPI_STATE",
                  .slices_reason = "",
                  .slice_count = 20},
        .kind = OCELOTL_SPATIOTEMPORAL,
        .info = {.count = count, .complete = false, .untested = 1, .plateaus = 2},
        .levels = levels,
        .whole_gain = 80,
        .whole_loss = 40,
        .p = p};
}

static oc_scene lay_out(const oc_curves_input *input, const oc_picture *picture)
{
    oc_scene scene = {0};
    CHECK_OK(oc_curves_lay_out(&scene, picture, input));
    CHECK(scene.open_groups == 0);
    return scene;
}

static void test_golden(void)
{
    const oc_curves_input input = input_of(some_levels, 5, 0.1);
    oc_picture picture = fixture_picture(800, 450);
    picture.command = "ocelotl-cli sweep -o curves.svg --p 0.1 cluster.trace";
    oc_scene scene = lay_out(&input, &picture);
    check_golden(&scene, "curves.txt");
    check_inside(&scene);
    oc_scene_free(&scene);
}

/* A level begins where the one before ends, and is best there. */
static void test_level_at(void)
{
    static const struct {
        double p;
        size_t level;
    } known[] = {{0, 0},     {0.02, 0}, {0.03, 1}, {0.2, 2}, {0.2005, 2},
                 {0.201, 3}, {0.79, 3}, {0.8, 4},  {1, 4}};
    const oc_curves_input input = input_of(some_levels, 5, (double)NAN);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        CHECK(oc_curves_level_at(&input, known[i].p) == &some_levels[known[i].level]);
}

/* Checks that both colours differ for everybody, and names in them are readable. */
static void test_colours(void)
{
    for (int number = 0; number < 2; number++) {
        const oc_theme *theme =
            oc_theme_get(number == 0 ? OCELOTL_THEME_LIGHT : OCELOTL_THEME_DARK);
        const oc_curves_colours colours = oc_curves_colours_on(theme);
        CHECK(oc_colour_distance(colours.gain, colours.loss) > 10);
        CHECK(oc_contrast_between(colours.gain, theme->paper) >= 4.5);
        CHECK(oc_contrast_between(colours.loss, theme->paper) >= 4.5);
    }
}

/* The points of the curve that was drawn as the index-th. */
static const oc_point *points_of(const oc_scene *scene, size_t index, size_t *count)
{
    for (size_t i = 0; i < scene->item_count; i++) {
        if (scene->items[i].kind != OC_ITEM_PATH)
            continue;
        if (index-- == 0) {
            *count = scene->items[i].as.path.count;
            return scene->points + scene->items[i].as.path.first;
        }
    }
    CHECK(scene == NULL); /* no such curve exists */
    return NULL;
}

/* What is left of gain and loss: the same curves upside down, named for what they show. */
static void test_falling(void)
{
    const oc_curves_input input = input_of(some_levels, 5, 0.1);
    oc_picture picture = fixture_picture(3000, 450);
    oc_scene rising = lay_out(&input, &picture);
    picture.falling = true;
    oc_scene falling = lay_out(&input, &picture);
    for (size_t curve = 0; curve < 2; curve++) {
        size_t count, same;
        const oc_point *up = points_of(&rising, curve, &count);
        const oc_point *down = points_of(&falling, curve, &same);
        CHECK(count == 10 && same == count);
        for (size_t i = 0; i < count; i++)
            CHECK(fabs(up[i].y + down[i].y - up[0].y - down[0].y) < 1e-9);
    }
    CHECK(scene_says(&falling, "complexity left 60 %, information left 97.5 %"));
    CHECK(scene_says(&falling, "complexity left 25 %"));
    CHECK(scene_says(&falling, "information left 80 %"));
    CHECK(!scene_says(&falling, "\"gain\"") && !scene_says(&falling, "gain 75"));
    check_inside(&falling);
    oc_scene_free(&falling);
    oc_scene_free(&rising);
}

/* Losses, gains and parts of any levels: from left to right, the first two up, or down where they
 * show what is left, the last one within its plot; all that is drawn is in the picture, at any size
 * and in both themes. */
static void test_any_levels(void)
{
    enum { MOST = 3000 };
    static ocelotl_level levels[MOST];
    static const double sizes[] = {320, 400, 777, 4000};
    uint64_t state = 9;
    for (int round = 0; round < 48; round++) {
        const size_t count = round < 8 ? (size_t)round + 1 : (size_t)(round * 61 % MOST) + 1;
        double p = 0, gain = 0, loss = 0;
        for (size_t i = 0; i < count; i++) {
            const double random = (double)(check_random(&state) >> 11) * 0x1p-53;
            levels[i] = (ocelotl_level){
                .p_from = p, .parts = (count - i) * (count - i), .gain = gain, .loss = loss};
            p = i + 1 == count ? 1 : p + (1 - p) * random * random;
            levels[i].p_to = p;
            levels[i].p = (levels[i].p_from + p) / 2;
            levels[i].automatic = i == count / 2 && round % 3 > 0;
            levels[i].plateau = i % 5 == 0 ? count - i : 0;
            levels[i].plateau_from = levels[i].p_from;
            levels[i].plateau_to = p;
            gain += (80 - gain) * random;
            loss = gain / 80 * gain / 80 * 40;
        }
        const oc_curves_input input =
            input_of(levels, count, round % 2 == 0 ? round / 47.0 : (double)NAN);
        oc_picture picture = fixture_picture(sizes[round % 4], sizes[round / 4 % 4]);
        picture.falling = round % 3 == 1;
        picture.theme = oc_theme_get(round % 2 == 0 ? OCELOTL_THEME_LIGHT : OCELOTL_THEME_DARK);
        oc_scene scene = lay_out(&input, &picture);
        check_inside(&scene);
        for (size_t curve = 0; curve < 3; curve++) {
            size_t points;
            const oc_point *point = points_of(&scene, curve, &points);
            CHECK(points == 2 * count);
            for (size_t i = 0; i < points; i++) {
                CHECK(point[i].x >= 0 && point[i].x <= picture.width);
                CHECK(point[i].y >= 0 && point[i].y <= picture.height);
                CHECK(i == 0 || point[i].x >= point[i - 1].x);
                CHECK(i == 0 || curve == 2 ||
                      (picture.falling ? point[i].y >= point[i - 1].y
                                       : point[i].y <= point[i - 1].y));
            }
        }
        oc_scene_free(&scene);
    }
}

/* Nothing to gain or to lose: one level. */
static void test_nothing(void)
{
    const ocelotl_level one = {.p = 0.5, .p_to = 1, .parts = 1, .plateau = 1, .plateau_to = 1};
    oc_curves_input input = input_of(&one, 1, 0);
    input.whole_gain = input.whole_loss = 0;
    input.info = (ocelotl_levels_info){.count = 1, .complete = true, .plateaus = 1};
    const oc_picture picture = fixture_picture(640, 360);
    oc_scene scene = lay_out(&input, &picture);
    CHECK(scene_says(&scene, "1 level in 1 plateau"));
    CHECK(scene_says(&scene, "p 0: 1 part, gain 0 %, loss 0 %"));
    check_inside(&scene);
    oc_scene_free(&scene);
}

/* Text before a path is no part of it. */
static void test_path_after_label(void)
{
    static const oc_point points[] = {{150, 20}, {180, 20}};
    const oc_label label = {10, 80, OC_ANCHOR_START, 11, false, 0x000000, 0};
    const oc_path path = {.fill = OC_COLOUR_NONE, .opacity = 1, .stroke = 0xFF0000, .width = 6};
    oc_scene scene = {0};
    oc_scene_begin(&scene, 200, 100, 0xFFFFFF, "path");
    oc_scene_label(&scene, &label, "x", NULL);
    oc_scene_path(&scene, &path, points, 2, NULL);
    CHECK_OK(write_scene(&scene, "test_viz_curves_path.png"));
    pixels found = read_png("test_viz_curves_path.png");
    check_pixel(&found, 165, 20, 0xFF0000);
    for (int y = 0; y < 100; y++)
        check_pixel(&found, 100, y, 0xFFFFFF);
    free_pixels(&found);
    oc_scene_free(&scene);
}

/* Another program draws the SVG as our PNG. */
static void test_formats(void)
{
    const oc_curves_input input = input_of(some_levels, 5, 0.1);
    const oc_picture picture = fixture_picture(800, 500);
    oc_scene scene = lay_out(&input, &picture);
    oc_text svg = write_and_read(&scene, "test_viz_curves.svg");
    CHECK(strstr(svg.bytes, "<title>level 4\np 0.201 \xE2\x80\x93 0.8\n12 parts\ngain 75 %\nloss "
                            "20 %\nstands for") != NULL);
    CHECK(strstr(svg.bytes, "<title>level 3\n") != NULL); /* narrow, but its neighbours are not */
    check_drawn_alike(&scene, "test_viz_curves", &(oc_rectangle){.width = 800, .height = 500},
                      &(double){2}, 1);
    pixels ours = read_png("test_viz_curves.png");
    CHECK_TEXT(text_of_png(&ours, "view"), "curves");
    CHECK_TEXT(text_of_png(&ours, "levels"), "5");
    free_pixels(&ours);
    oc_text_free(&svg);
    oc_scene_free(&scene);
}

int main(void)
{
    test_golden();
    test_falling();
    test_level_at();
    test_colours();
    test_any_levels();
    test_nothing();
    test_path_after_label();
    test_formats();
    cairo_debug_reset_static_data();
    return 0;
}

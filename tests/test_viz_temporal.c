/* The views of temporal partitions of parts given by hand: their scenes as text, heights against
 * the shares, marks for low types, and the strip of the whole trace. */
#include "test_viz_golden.h"

#include "viz/colour/colour.h"
#include "viz/overview/views.h"

/* Four parts; in the third some leaves wait, in the last the second machine has ended. */
static void fixture_phases(fixture *made)
{
    static const char *const types[3] = {"Compute", "MPI_Wait", "MPI_Send"};
    fixture_begin(made, 2, 2, "machine", types);
    fixture_part(made, 0, 0, 0);
    fixture_part(made, 0, 1, 7);
    fixture_part(made, 0, 8, 11);
    fixture_part(made, 0, 12, 19);
}

static void end_second_machine(fixture *made, double at)
{
    made->model->nodes[5].end = at;
    made->model->nodes[6].end = at;
}

static oc_overview_input temporal_input(const fixture *made, const oc_view *view)
{
    oc_overview_input input = fixture_input(made);
    input.partition.kind = OCELOTL_TEMPORAL;
    input.partition.cell_count = FIXTURE_SLICES;
    input.view = view;
    return input;
}

static oc_scene lay_out(const oc_overview_input *input, double width, double height)
{
    oc_picture picture = fixture_picture(width, 320);
    picture.height = height; /* lower than a user may choose, if the view wants that */
    return lay_out_picture(input, &picture);
}

static void check_view(const oc_view *view, double height, const char *file)
{
    fixture made;
    fixture_phases(&made);
    end_second_machine(&made, 16);
    for (int type = 0; type < FIXTURE_TYPES; type++) /* so that the last part says so, too */
        made.shares[3][type] *= 0.75;
    made.shares[3][0] = 0.6;
    made.shares[3][3] = 0.75 - made.shares[3][0] - made.shares[3][1] - made.shares[3][2];
    const oc_overview_input input = temporal_input(&made, view);
    oc_scene scene = lay_out(&input, 800, height);
    check_inside(&scene);
    check_golden(&scene, file);
    oc_scene_free(&scene);
    fixture_end(&made);
}

static void test_golden(void)
{
    check_view(&oc_view_stacked, 400, "temporal_stacked.txt");
    check_view(&oc_view_histogram, 400, "temporal_histogram.txt");
    check_view(&oc_view_temporal_partition, OC_BAR_PICTURE_HEIGHT, "temporal_partition.txt");
    check_view(&oc_view_temporal_mode, OC_BAR_PICTURE_HEIGHT, "temporal_mode.txt");
}

static double random_share(uint64_t *state)
{
    return (double)(check_random(state) >> 40) / (double)(1u << 24);
}

/* The rectangle of a column, and how much of it types and merged types fill. */
static double filled(const scene_items *columns, size_t *at)
{
    const oc_rectangle *paper = &columns->first[*at].as.rectangle;
    double height = 0, reached = paper->y + paper->height;
    CHECK(paper->fill == 0xFFFFFFu && paper->hatch == OC_COLOUR_NONE);
    for (++*at; *at < columns->count; ++*at) {
        const oc_rectangle *block = &columns->first[*at].as.rectangle;
        if (block->fill == 0xFFFFFFu)
            break;
        if (block->x >= paper->x + paper->width) /* the line after it */
            continue;
        CHECK_NEAR(block->x, paper->x, 0);
        CHECK_NEAR(block->width, paper->width, 0);
        CHECK_NEAR(block->y + block->height, reached, 0); /* on what is below it */
        CHECK(columns->first[*at].tooltip != 0);
        reached = block->y;
        height += block->height;
    }
    return height / paper->height;
}

/* Heights are shares: the blocks of a column sum up to its types to half a pixel, except those that
 * a mark stands for. Nothing overlaps and no gap is left. */
static void test_sums(void)
{
    uint64_t state = 1;
    for (int round = 0; round < 200; round++) {
        fixture made;
        fixture_phases(&made);
        for (size_t i = 0; i < made.part_count; i++) {
            double left = 1;
            for (int type = 0; type + 1 < FIXTURE_TYPES; type++) {
                const double share = left * random_share(&state) * (round % 3 == type ? 0.01 : 1);
                made.shares[i][type] = share;
                left -= share;
            }
            made.shares[i][FIXTURE_TYPES - 1] = left;
        }
        const oc_overview_input input = temporal_input(&made, &oc_view_stacked);
        oc_scene scene = lay_out(&input, 320 + round * 3, 320 + round);
        const scene_items columns = scene_group(&scene, "columns");
        const double frame = columns.first[0].as.rectangle.height;
        size_t at = 0;
        for (size_t i = 0; i < made.part_count; i++) {
            const double *shares = made.shares[i];
            const double height = filled(&columns, &at);
            CHECK(height * frame <= (shares[0] + shares[1] + shares[2]) * frame + 0.5 + 1e-9);
            CHECK(height * frame >= (shares[0] + shares[1] + shares[2]) * frame - 2.5 - 1e-9);
        }
        CHECK(at == columns.count);
        oc_scene_free(&scene);
        fixture_end(&made);
    }
}

/* Types lower than the threshold are merged, or marked if even that is too low. Tooltips name them
 * in both cases. */
static void test_low_types(void)
{
    fixture made;
    fixture_phases(&made);
    made.part_count = 2;
    const double shares[2][FIXTURE_TYPES] = {{0.5, 0.004, 0.003, 0.493}, {0.5, 0.001, 0, 0.499}};
    memcpy(made.shares, shares, sizeof shares);
    const oc_overview_input input = temporal_input(&made, &oc_view_stacked);
    oc_picture picture = fixture_picture(1000, 600);
    picture.smallest = 3; /* of about 450 pixels, 0.004 are not quite two, 0.007 are three */
    oc_scene scene = lay_out_picture(&input, &picture);
    CHECK(scene_says(
        &scene,
        "tooltip \"2 low types 0.7 % | 0.028 of 4 resources | 0 s \xE2\x80\x93 0.05 s | MPI_Wait "
        "0.4 % | MPI_Send 0.3 %\""));
    CHECK(scene_says(
        &scene,
        "tooltip \"1 low type 0.1 % | 0.004 of 4 resources | 0.05 s \xE2\x80\x93 0.4 s | MPI_Wait "
        "0.1 %\""));
    CHECK(scene_group(&scene, "marks").count == 1);
    CHECK(scene_says(&scene, "lower types, merged or marked"));
    oc_scene_free(&scene);
    picture.smallest = 1;
    scene = lay_out_picture(&input, &picture);
    CHECK(scene_group(&scene, "marks").count == 1 && !scene_says(&scene, "2 low types"));
    oc_scene_free(&scene);
    made.shares[1][1] = 0;
    scene = lay_out_picture(&input, &picture);
    CHECK(scene_group(&scene, "marks").count == 0 && !scene_says(&scene, "merged or marked"));
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* (no state), an explicit idle state and what is outside lifetimes are three different things. */
static void test_nothing(void)
{
    static const char *const types[3] = {"Idle", "b", "c"};
    fixture made;
    fixture_begin(&made, 2, 2, "machine", types);
    fixture_part(&made, 0, 0, 19);
    const double shares[FIXTURE_TYPES] = {0.25, 0, 0, 0.25};
    memcpy(made.shares[0], shares, sizeof shares);
    end_second_machine(&made, 0); /* it never lived */
    const oc_overview_input input = temporal_input(&made, &oc_view_stacked);
    for (int theme = 0; theme < 2; theme++) {
        oc_picture picture = fixture_picture(800, 400);
        picture.theme = oc_theme_get((ocelotl_theme)theme);
        oc_scene scene = lay_out_picture(&input, &picture);
        const scene_items columns = scene_group(&scene, "columns");
        CHECK(columns.count == 3);
        const oc_rectangle *paper = &columns.first[0].as.rectangle;
        const oc_rectangle *idle = &columns.first[1].as.rectangle;
        const oc_rectangle *outside = &columns.first[2].as.rectangle;
        CHECK(paper->fill == picture.theme->paper && paper->hatch == OC_COLOUR_NONE);
        CHECK(oc_colour_distance(idle->fill, paper->fill) > 6);
        CHECK(outside->hatch != OC_COLOUR_NONE);
        CHECK_NEAR(outside->y, paper->y, 0);
        CHECK_NEAR(outside->height, paper->height / 2, 1);
        CHECK_NEAR(idle->height, paper->height / 4, 1);
        CHECK(scene_says(&scene, "\"(no state)\"") && scene_says(&scene, "\"outside lifetime\""));
        oc_scene_free(&scene);
    }
    fixture_end(&made);
}

static void test_histogram(void)
{
    fixture made;
    fixture_phases(&made);
    oc_overview_input input = temporal_input(&made, &oc_view_histogram);
    oc_scene scene = lay_out(&input, 800, 400);
    CHECK(scene_says(&scene, "Compute: ") && !scene_says(&scene, "MPI_Wait: "));
    oc_scene_free(&scene);
    input.type = "MPI_Send"; /* a quarter of 5 %: the scale ends near it */
    scene = lay_out(&input, 800, 400);
    CHECK(scene_says(&scene, "\"1 %\"") && !scene_says(&scene, "\"100 %\"") &&
          !scene_says(&scene, "\"2 %\""));
    CHECK(scene_says(&scene, "MPI_Send: 1.25 % of the whole") &&
          scene_says(&scene, "metadata type: MPI_Send"));
    check_inside(&scene);
    oc_scene_free(&scene);
    input.type = "(no state)";
    scene = lay_out(&input, 800, 400);
    CHECK(scene_says(&scene, "(no state): "));
    oc_scene_free(&scene);
    input.type = "MPI_Sent";
    const oc_picture picture = fixture_picture(800, 400);
    scene = (oc_scene){0};
    CHECK_REFUSED(oc_overview_lay_out(&scene, &picture, &input),
                  "has no type \"MPI_Sent\"; the nearest is \"MPI_Send\"");
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* A model without types, and one that is empty: no value, and no crash. */
static void test_empty(void)
{
    static const oc_view *const views[] = {&oc_view_stacked, &oc_view_histogram,
                                           &oc_view_temporal_partition, &oc_view_temporal_mode};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        fixture made = {.machines = 1, .cores = 1};
        fixture_add_nodes(&made, "m");
        oc_model_end(made.model, 1);
        made.part_count = 1;
        made.parts[0] = (ocelotl_part){0, 0, 0, 1, 0, 0, made.shares[0]};
        const oc_overview_input input = temporal_input(&made, views[i]);
        oc_scene scene = lay_out(&input, 640, 360);
        check_inside(&scene);
        oc_scene_free(&scene);
        fixture_end(&made);
        fixture_phases(&made);
        memset(made.shares, 0, sizeof made.shares);
        const oc_overview_input nothing = temporal_input(&made, views[i]);
        scene = lay_out(&nothing, 640, 360);
        check_inside(&scene);
        oc_scene_free(&scene);
        fixture_end(&made);
    }
}

/* Values in a unit of their own, some enormous, have a scale of sums and no percents. */
static void test_matrix(void)
{
    static const double units[] = {1e-12, 1, 1e9, 1e300};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        fixture made;
        fixture_phases(&made);
        made.model->has_time = false;
        for (size_t part = 0; part < made.part_count; part++)
            for (int type = 0; type < FIXTURE_TYPES; type++)
                made.shares[part][type] *= units[i];
        const oc_overview_input input = temporal_input(&made, &oc_view_stacked);
        oc_scene scene = lay_out(&input, 800, 400);
        check_inside(&scene);
        CHECK(scene_says(&scene, "\"sum over resources, per slice\"") &&
              !scene_says(&scene, "\"resources\""));
        CHECK(scene_group(&scene, "columns").count > made.part_count);
        oc_scene_free(&scene);
        fixture_end(&made);
    }
}

static void test_ceiling(void)
{
    static const double expected[][2] = {
        {0, 1},     {1, 1},         {0.99, 1},    {1.01, 1.5}, {7.3, 8},     {72, 80}, {100, 100},
        {101, 150}, {0.013, 0.015}, {3e-5, 3e-5}, {0.3, 0.3},  {4.2e9, 5e9}, {-1, 1}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        CHECK_NEAR(oc_value_ceiling(expected[i][0]), expected[i][1], 1e-9 * expected[i][1]);
    uint64_t state = 7;
    for (int i = 0; i < 1000; i++) {
        const double value = pow(10, 40 * random_share(&state) - 20);
        const double top = oc_value_ceiling(value);
        CHECK(top >= value * (1 - 1e-8) && top <= value * 1.5);
    }
}

/* Everything stays inside at any size. */
static void test_sizes(void)
{
    static const double sizes[] = {320, 321, 500, 1280, 4000, 20000};
    static const oc_view *const views[] = {&oc_view_stacked, &oc_view_histogram,
                                           &oc_view_temporal_partition};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    fixture made, whole;
    fixture_phases(&made);
    fixture_phases(&whole);
    made.model->begin = 0.4;
    made.model->end = 0.6;
    const oc_overview_input strip = temporal_input(&whole, &oc_view_temporal_mode);
    for (size_t i = 0; i < 3 * SIZES * SIZES; i++) {
        oc_overview_input input = temporal_input(&made, views[i / SIZES / SIZES]);
        input.whole = &strip;
        oc_scene scene = lay_out(&input, sizes[i / SIZES % SIZES], sizes[i % SIZES]);
        check_inside(&scene);
        oc_scene_free(&scene);
    }
    fixture_end(&whole);
    fixture_end(&made);
}

/* A part keeps its colour when p changes, and numbers stand where they have room. */
static void test_partition(void)
{
    fixture made;
    fixture_phases(&made);
    const oc_overview_input input = temporal_input(&made, &oc_view_temporal_partition);
    oc_scene scene = lay_out(&input, 400, 320);
    const scene_items parts = scene_group(&scene, "parts");
    const scene_items numbers = scene_group(&scene, "numbers");
    CHECK(parts.count == 4 && numbers.count == 4);
    for (size_t i = 0; i < parts.count; i++)
        CHECK(parts.first[i].as.rectangle.fill == oc_part_colour(made.parts[i].first, 0xFFFFFF));
    CHECK_TEXT(oc_scene_string(&scene, numbers.first[3].text), "3");
    CHECK(strncmp(oc_scene_string(&scene, parts.first[2].tooltip), "part 2\n", 7) == 0);
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* Draws parts too narrow to be seen as their mean, and says so in tooltips. Merged parts are
 * neither lost nor counted twice. */
static void test_narrow(void)
{
    static const oc_view *const views[] = {&oc_view_stacked, &oc_view_histogram,
                                           &oc_view_temporal_partition};
    fixture made;
    fixture_phases(&made);
    made.part_count = 0;
    memset(made.shares, 0, sizeof made.shares);
    for (uint32_t slice = 0; slice < 12; slice++)
        fixture_part(&made, 0, slice, slice);
    fixture_part(&made, 0, 12, 19);
    oc_picture picture = fixture_picture(640, 400);
    picture.smallest = 40; /* slices are about 28 pixels wide */
    for (int i = 0; i < 3; i++) {
        const oc_overview_input input = temporal_input(&made, views[i]);
        oc_scene scene = lay_out_picture(&input, &picture);
        check_inside(&scene);
        CHECK(scene_group(&scene, "merged").count == 6);
        CHECK(scene_says(&scene, "12 parts too narrow to be drawn apart"));
        CHECK(scene_says(
            &scene,
            "\"2 parts too narrow to be drawn apart | (whole) | 0.3 s \xE2\x80\x93 0.4 s, slices "
            "6\xE2\x80\x93"
            "7 |"));
        CHECK(scene_says(&scene, "gain 25 bits, loss 0.5 bits\""));
        oc_scene_free(&scene);
    }
    const oc_overview_input input = temporal_input(&made, &oc_view_temporal_partition);
    oc_scene scene = lay_out_picture(&input, &picture);
    const scene_items numbers = scene_group(&scene, "numbers");
    CHECK(numbers.count == 1);
    CHECK_TEXT(oc_scene_string(&scene, numbers.first[0].text), "12");
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* The means of merged parts, against the model itself. */
static void test_merged_means(void)
{
    static const double smallest[] = {1, 7, 29, 60, 100};
    fixture made;
    fixture_phases(&made);
    made.part_count = 0;
    memset(made.shares, 0, sizeof made.shares);
    for (uint32_t slice = 0; slice < FIXTURE_SLICES; slice += 1 + slice % 3)
        fixture_part(&made, 0, slice, slice + slice % 3);
    const oc_overview_input input = temporal_input(&made, &oc_view_stacked);
    for (size_t i = 0; i < sizeof smallest / sizeof smallest[0]; i++) {
        oc_picture picture = fixture_picture(640, 400);
        picture.smallest = smallest[i];
        const oc_overview overview = {.input = &input,
                                      .picture = &picture,
                                      .model = ocelotl_model_info_of(made.model),
                                      .visible = {0, 4, 0, FIXTURE_SLICES, 0},
                                      .frame = {0, 0, 560, 300}};
        oc_merged_parts merged = {0};
        CHECK_OK(oc_merged_parts_find(&merged, &overview));
        uint32_t next = 0;
        for (size_t part = 0; part < merged.count; part++) {
            const ocelotl_part *of = &merged.parts[part];
            CHECK(of->first == next);
            next = of->last + 1;
            for (uint32_t type = 0; type < FIXTURE_TYPES; type++) {
                double mean = 0;
                for (uint32_t leaf = 0; leaf < 4; leaf++)
                    for (uint32_t slice = of->first; slice <= of->last; slice++)
                        mean +=
                            fixture_value(leaf, slice, type) / (4.0 * (of->last - of->first + 1));
                CHECK_NEAR(of->shares[type], mean, 1e-12);
            }
        }
        CHECK(next == made.parts[made.part_count - 1].last + 1);
        CHECK(merged.count == made.part_count || smallest[i] > 28);
        oc_merged_parts_free(&merged);
    }
    fixture_end(&made);
}

/* The window is marked at its time in the strip, and the strip changes no colour. */
static void test_whole(void)
{
    static const char *const zoomed_types[3] = {"MPI_Wait", "Compute", "MPI_Send"};
    fixture made, whole;
    fixture_begin(&made, 2, 2, "machine", zoomed_types);
    fixture_part(&made, 2, 0, 19);
    fixture_part(&made, 3, 0, 19);
    fixture_part(&made, 4, 0, 19);
    made.model->begin = 0.25;
    made.model->end = 0.5;
    fixture_phases(&whole);
    const oc_overview_input strip = temporal_input(&whole, &oc_view_temporal_mode);
    oc_overview_input input = fixture_input(&made);
    oc_scene alone = lay_out(&input, 800, 400);
    input.whole = &strip;
    oc_scene scene = lay_out(&input, 800, 400);
    check_inside(&scene);
    check_golden(&scene, "overview_window.txt");
    const oc_rectangle before = scene_group(&alone, "parts").first[0].as.rectangle;
    const oc_rectangle after = scene_group(&scene, "parts").first[0].as.rectangle;
    CHECK_NEAR(before.x, after.x, 0);
    CHECK(after.y > before.y + 30);
    CHECK(before.fill == after.fill);
    const scene_items window = scene_group(&scene, "window");
    CHECK(window.first[0].kind == OC_ITEM_PATH);
    const oc_point *corner = &scene.points[window.first[0].as.path.first];
    const double frame_width = after.width + 1;
    CHECK_NEAR(corner[0].x, after.x + 0.25 * frame_width, 1.5);
    CHECK_NEAR(corner[1].x, after.x + 0.5 * frame_width, 1.5);
    oc_scene_free(&alone);
    oc_scene_free(&scene);
    made.model->end = 0.25 + 1e-9; /* still seen */
    scene = lay_out(&input, 800, 400);
    check_inside(&scene);
    oc_scene_free(&scene);
    fixture_end(&whole);
    fixture_end(&made);
}

static void test_bad_whole(void)
{
    fixture made, whole;
    fixture_phases(&made);
    fixture_phases(&whole);
    oc_overview_input strip = temporal_input(&whole, &oc_view_temporal_mode);
    oc_overview_input input = temporal_input(&made, &oc_view_stacked);
    const oc_picture picture = fixture_picture(800, 400);
    oc_scene scene = {0};
    input.whole = &strip;
    strip.partition.kind = OCELOTL_SPATIOTEMPORAL;
    CHECK_REFUSED(oc_overview_lay_out(&scene, &picture, &input), "needs a temporal partition");
    oc_scene_free(&scene);
    strip.partition.kind = OCELOTL_TEMPORAL;
    whole.model->has_time = false;
    scene = (oc_scene){0};
    CHECK_REFUSED(oc_overview_lay_out(&scene, &picture, &input), "needs models with time");
    oc_scene_free(&scene);
    fixture_end(&whole);
    fixture_end(&made);
}

/* Another program draws the SVG as our PNG. */
static void test_formats(void)
{
    fixture made, whole;
    fixture_phases(&made);
    fixture_phases(&whole);
    made.model->begin = 0.4;
    made.shares[1][2] = 0.001;
    end_second_machine(&made, 16);
    const oc_overview_input strip = temporal_input(&whole, &oc_view_temporal_mode);
    oc_overview_input input = temporal_input(&made, &oc_view_stacked);
    input.whole = &strip;
    oc_scene scene = lay_out(&input, 800, 500);
    const oc_rectangle boxes[] = {scene_group(&scene, "columns").first[0].as.rectangle,
                                  {.width = 800, .height = 500}};
    check_drawn_alike(&scene, "test_viz_temporal", boxes, (const double[]){2, 5}, 2);
    oc_scene_free(&scene);
    fixture_end(&whole);
    fixture_end(&made);
}

int main(void)
{
    test_golden();
    test_ceiling();
    test_sums();
    test_low_types();
    test_nothing();
    test_histogram();
    test_empty();
    test_matrix();
    test_sizes();
    test_partition();
    test_narrow();
    test_merged_means();
    test_whole();
    test_bad_whole();
    test_formats();
    cairo_debug_reset_static_data();
    return 0;
}

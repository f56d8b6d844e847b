/* The overview of parts given by hand: its scene as text, its behaviour at the edges, its files. */
#include "test_viz_golden.h"

#include "viz/words/words.h"

static oc_scene lay_out(const oc_overview_input *input, double width, double height)
{
    const oc_picture picture = fixture_picture(width, height);
    return lay_out_picture(input, &picture);
}

static void test_golden(void)
{
    fixture made;
    fixture_cluster(&made);
    made.model->nodes[3].begin = 2;
    made.model->nodes[5].end = 17.5;
    made.model->nodes[6].end = 17.5;
    const oc_overview_input input = fixture_input(&made);
    oc_picture picture = fixture_picture(800, 400);
    picture.command = "ocelotl-cli --p 0.25 cluster.trace";
    oc_scene scene = lay_out_picture(&input, &picture);
    check_golden(&scene, "overview.txt");
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* A matrix in a unit of its own, without time, types or lifetimes of a trace. */
static void test_matrix(void)
{
    static double shares[2][FIXTURE_TYPES] = {{30, 10, 0, 0}, {0, 0, 0, 0}};
    fixture made;
    fixture_cluster(&made);
    made.model->has_time = false;
    made.model->types[3].untraced = false;
    made.model->leaves_left_out = 0;
    fixture_set_text(&made.model->state_type, "");
    made.part_count = 2;
    made.parts[0] = (ocelotl_part){1, 0, 19, 2, 1, 2, shares[0]};
    made.parts[1] = (ocelotl_part){4, 0, 19, 2, 0, 0, shares[1]};
    const oc_overview_input input = fixture_input(&made);
    oc_scene scene = lay_out(&input, 640, 360);
    check_golden(&scene, "overview_matrix.txt");
    CHECK(scene_says(&scene, "opacity 0.75 tooltip"));
    CHECK(!scene_says(&scene, "(no state)"));
    CHECK(scene_says(&scene, "\"slices\""));
    CHECK(!scene_says(&scene, "window_begin"));
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* The rectangle of a part, by its place in the group of parts. */
static oc_rectangle part_rectangle(const oc_scene *scene, size_t index)
{
    const scene_items parts = scene_group(scene, "parts");
    CHECK(index < parts.count && parts.first[index].kind == OC_ITEM_RECTANGLE);
    return parts.first[index].as.rectangle;
}

/* Temporal parts are as high as the plot, spatial ones as wide; untraced time never gives the
 * colour. */
static void test_kinds(void)
{
    fixture made;
    fixture_cluster(&made);
    made.part_count = 0;
    memset(made.shares, 0, sizeof made.shares);
    fixture_part(&made, 0, 0, 9);
    fixture_part(&made, 0, 10, 19);
    made.shares[1][0] = 0.01;
    made.shares[1][1] = 0.01;
    made.shares[1][2] = 0;
    made.shares[1][3] = 0.98;
    oc_overview_input input = fixture_input(&made);
    oc_scene scene = lay_out(&input, 1280, 720);
    const oc_rectangle first = part_rectangle(&scene, 0);
    const oc_rectangle second = part_rectangle(&scene, 1);
    oc_scene_free(&scene);
    made.part_count = 0;
    memset(made.shares, 0, sizeof made.shares);
    fixture_part(&made, 1, 0, 19);
    fixture_part(&made, 4, 0, 19);
    memset(made.shares[0], 0, sizeof made.shares[0]);
    input = fixture_input(&made);
    scene = lay_out(&input, 1280, 720);
    const oc_rectangle above = part_rectangle(&scene, 0);
    const oc_rectangle below = part_rectangle(&scene, 1);
    CHECK_NEAR(first.y, second.y, 0);
    CHECK_NEAR(first.height, second.height, 0);
    CHECK_NEAR(second.x, first.x + first.width + 1, 0); /* a line of the paper between */
    CHECK_NEAR(above.x, first.x, 0);
    CHECK_NEAR(above.width, below.width, 0);
    CHECK_NEAR(below.y, above.y + above.height + 1, 0);
    CHECK_NEAR(below.y + below.height, first.y + first.height, 0);
    CHECK(second.fill == first.fill && second.fill != 0xFFFFFFu); /* a tie: the earlier type */
    CHECK_NEAR(second.opacity, 0.2, 1e-12);                       /* hardly there, but seen */
    CHECK(above.fill == 0xFFFFFFu);
    /* below the empty part: the paper would not show where it ends */
    CHECK(scene_group(&scene, "borders").count > 0);
    oc_scene_free(&scene);
    fixture_end(&made);
}

static uint32_t count_labels(const oc_scene *scene, const char *text)
{
    uint32_t count = 0;
    for (size_t i = 0; i < scene->item_count; i++)
        count += scene_names(scene, i, OC_ITEM_LABEL, text, true);
    return count;
}

/* At any size and with any names, all items lie inside and the plot keeps its place. */
static void test_sizes(void)
{
    static const char *const names[2][3] = {
        {"a", "b", "c"},
        {"a type whose name is so long that no legend of any picture could ever have room for the "
         "whole of it",
         "<&\"'>\x01\x02\xFF and more than what a legend holds of a name",
         "\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4"
         "\xB8\xAD\xE4\xB8"
         "\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD"
         "\xE4\xB8\xAD\xE4"
         "\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD"},
    };
    static const double sizes[] = {320, 321, 500, 777, 1280, 20000};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    for (uint32_t round = 0; round < 2 * 3; round++) {
        fixture made;
        fixture_begin(&made, 1 + round * 5, 1 + round % 3 * 4,
                      round % 2 == 0 ? "m" : "a very long name of a machine", names[round % 2]);
        fixture_set_text(&made.model->slices_reason,
                         "each slice of the trace would be shorter than a tick");
        made.model->slices_wanted = 200;
        made.model->nodes[made.model->matrix.tree.node_count - 1].begin = 3.3;
        fixture_part(&made, 0, 0, 19);
        for (int i = 0; i < SIZES * SIZES; i++) {
            const oc_overview_input input = fixture_input(&made);
            oc_scene scene = lay_out(&input, sizes[i / SIZES], sizes[i % SIZES]);
            const oc_rectangle whole = part_rectangle(&scene, 0);
            check_inside(&scene);
            CHECK(whole.width >= 0.6 * sizes[i / SIZES] - 20);
            CHECK(whole.height >= 0.3 * sizes[i % SIZES]);
            CHECK(scene_group(&scene, "legend").count > 0);
            CHECK(count_labels(&scene, "shades: 100 % of the time, 60 %, 25 %") ==
                  1); /* rather than the name of one more type */
            oc_scene_free(&scene);
        }
        fixture_end(&made);
    }
}

/* A chain of forty levels, each with one child, ends in a leaf: some levels are left out, none is
 * drawn twice. */
static void test_deep(void)
{
    enum { DEEP = 40 };
    char names[DEEP][16];
    oc_given_node nodes[DEEP];
    fixture made = {.machines = 1, .cores = 1};
    for (uint32_t i = 0; i < DEEP; i++) {
        snprintf(names[i], sizeof names[i], "level %u", i);
        nodes[i] = (oc_given_node){i == 0 ? OCELOTL_ROOT : i - 1, names[i], NULL, i, false};
    }
    CHECK_OK(oc_model_begin(&made.model, NULL, nodes, DEEP));
    for (int i = 0; i < FIXTURE_TYPES; i++)
        CHECK_OK(oc_model_add_type(made.model, names[i], -1, false));
    fixture_add_cells(&made);
    fixture_part(&made, 0, 0, 19);
    const oc_overview_input input = fixture_input(&made);
    oc_scene scene = lay_out(&input, 1280, 720);
    check_inside(&scene);
    CHECK(part_rectangle(&scene, 0).width >= 0.7 * 1280);
    CHECK(count_labels(&scene, "level 39") == 1); /* rows are leaves */
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* Draws a hundred thousand parts of one leaf and one slice, more than the rows of pixels. */
static void test_many(void)
{
    static const char *const types[3] = {"a", "b", "c"};
    fixture made;
    fixture_begin(&made, 50, 100, "machine", types);
    ocelotl_part *parts = NULL;
    CHECK_OK(oc_allocate(&parts, 100000, sizeof *parts));
    size_t count = 0;
    fixture_part(&made, 0, 0, 0);
    for (uint32_t i = 0; i < made.model->matrix.tree.node_count; i++)
        for (uint32_t slice = 0;
             slice < FIXTURE_SLICES && oc_tree_is_leaf(&made.model->matrix.tree, i); slice++)
            parts[count++] = (ocelotl_part){i, slice, slice, 1, 1, 1, made.shares[0]};
    CHECK(count == 100000);
    oc_overview_input input = fixture_input(&made);
    input.parts = parts;
    input.partition.part_count = count;
    oc_scene scene = lay_out(&input, 1280, 720);
    check_inside(&scene);
    CHECK(scene_says(&scene, " small parts are drawn as "));
    oc_text svg = write_and_read(&scene, "test_viz_many.svg");
    check_xml(&svg);
    oc_text_free(&svg);
    oc_scene_free(&scene);
    free(parts);
    fixture_end(&made);
}

/* Another program draws the SVG as our PNG. */
static void test_formats(void)
{
    fixture made;
    fixture_cluster(&made);
    made.model->nodes[3].begin = 4;
    fixture_set_text(&made.model->name, "<b>&amp; \"hostile\" \x02 \xC3\xA9");
    const oc_overview_input input = fixture_input(&made);
    oc_scene scene = lay_out(&input, 800, 500);
    oc_text svg = write_and_read(&scene, "test_viz.svg");
    check_xml(&svg);
    CHECK(strstr(svg.bytes, "<p_raw>0.0078125</p_raw>") != NULL);
    CHECK(strstr(svg.bytes,
                 "<title>part 3\nmachine-2\n0.4 s \xE2\x80\x93 0.6 s, slices 8\xE2\x80\x93"
                 "11\n2 leaves \xC3\x97 4 slices\nMPI_Wait 80 %\n") != NULL);
    oc_text pdf = write_and_read(&scene, "test_viz.pdf");
    CHECK(strncmp(pdf.bytes, "%PDF", 4) == 0);
    const oc_rectangle first = part_rectangle(&scene, 0);
    const oc_rectangle last = part_rectangle(&scene, 4);
    const oc_rectangle boxes[] = {first,
                                  {.x = first.x,
                                   .y = first.y,
                                   .width = first.width,
                                   .height = last.y + last.height - first.y},
                                  {.width = 800, .height = 500}};
    check_drawn_alike(&scene, "test_viz", boxes, (const double[]){2, 4, 5}, 3);
    pixels ours = read_png("test_viz.png");
    CHECK_TEXT(text_of_png(&ours, "kind"), "spatiotemporal");
    CHECK_TEXT(text_of_png(&ours, "whole_gain"), "80");
    free_pixels(&ours);
    oc_text_free(&pdf);
    oc_text_free(&svg);
    oc_scene_free(&scene);
    fixture_end(&made);
}

/* Cores of the first machine share their cuts, those of the second do not: these are types A and B.
 */
static void fixture_aggregates(fixture *made)
{
    static const char *const types[3] = {"Compute", "MPI_Wait", "MPI_Send"};
    fixture_begin(made, 2, 4, "machine", types);
    for (uint32_t core = 2; core < 6; core++) {
        fixture_part(made, core, 0, 7);
        fixture_part(made, core, 8, 11);
        fixture_part(made, core, 12, 19);
    }
    for (uint32_t core = 7; core < 11; core++) {
        fixture_part(made, core, 0, core - 5);
        fixture_part(made, core, core - 4, 9);
        fixture_part(made, core, 10, 19);
    }
    made->model->nodes[10].end = 18;
}

static void test_aggregates(void)
{
    static const char *const views[] = {"mode", "partition", "amplitude"};
    const oc_rectangle plot = {.x = 130, .y = 90, .width = 480, .height = 180};
    const double most = 3;
    fixture made;
    fixture_aggregates(&made);
    oc_overview_input input = fixture_input(&made);
    oc_picture picture = fixture_picture(640, 360);
    picture.smallest = 40;
    for (int i = 0; i < 3; i++) {
        char name[64];
        CHECK_OK(oc_view_find(&input.view, OCELOTL_SPATIOTEMPORAL, views[i]));
        snprintf(name, sizeof name, "aggregates_%s.txt", views[i]);
        oc_scene scene = lay_out_picture(&input, &picture);
        check_golden(&scene, name);
        check_drawn_alike(&scene, "test_viz_aggregates", &plot, &most, 1);
        oc_scene_free(&scene);
    }
    fixture_end(&made);
}

/* At any sharpness the edge of the plot is whole pixels of its colour. */
static void test_hairlines(void)
{
    static const double resolutions[] = {96, 120, 144, 192, 250};
    fixture made;
    fixture_cluster(&made);
    const oc_overview_input input = fixture_input(&made);
    oc_picture picture = fixture_picture(640, 360);
    for (size_t i = 0; i < sizeof resolutions / sizeof resolutions[0]; i++) {
        picture.dpi = resolutions[i];
        oc_scene scene = lay_out_picture(&input, &picture);
        const double scale = picture.dpi / 96;
        const oc_rectangle first = part_rectangle(&scene, 0);
        CHECK_OK(write_scene(&scene, "test_viz_hairlines.png"));
        pixels read = read_png("test_viz_hairlines.png");
        const int y = (int)((first.y + 20) * scale);
        int found = 0;
        for (int x = (int)((first.x - 4) * scale); x < (int)(first.x * scale) - 1; x++) {
            const unsigned colour = pixel(&read, x, y);
            CHECK(colour == picture.theme->rule || colour == picture.theme->paper);
            found += colour == picture.theme->rule;
        }
        CHECK(found == 1 || found + 1 == (int)round(scale) || found == (int)round(scale));
        free_pixels(&read);
        oc_scene_free(&scene);
    }
    fixture_end(&made);
}

int main(void)
{
    test_aggregates();
    test_hairlines();
    test_golden();
    test_matrix();
    test_kinds();
    test_sizes();
    test_deep();
    test_many();
    test_formats();
    cairo_debug_reset_static_data();
    return 0;
}

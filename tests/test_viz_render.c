/* The public way to a picture: a model, its aggregation, a partition of each kind, a file of each
 * format. */
#include "made.h"
#include "test_scene_files.h"

enum { LEAVES = 6, TYPES = 2, SLICES = 12, NODES = 1 + 2 + LEAVES };

static ocelotl_model *build_model(void)
{
    static const uint32_t parents[NODES] = {OCELOTL_ROOT, 0, 0, 1, 1, 1, 2, 2, 2};
    static const char *const names[NODES] = {"", "left", "right", "a", "b", "c", "d", "e", "f"};
    static const char *const types[TYPES] = {"busy", "idle"};
    ocelotl_cell cells[LEAVES * TYPES * SLICES];
    size_t count = 0;
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++)
        for (uint32_t slice = 0; slice < SLICES; slice++)
            for (uint32_t type = 0; type < TYPES; type++)
                cells[count++] = (ocelotl_cell){3 + leaf, type, slice,
                                                (slice < 6) == (type == 0) ? 3 : 1 + leaf / 3};
    return must_take_cells("six leaves", NODES, parents, names, TYPES, types, SLICES, cells, count);
}

static void test_errors(const ocelotl_partition *partition)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_REFUSED(ocelotl_picture_check("overview.gif", NULL),
                  "overview.gif: unknown suffix \".gif\", expected .svg, .png or .pdf");
    static const double wrong[] = {319, 20001, -1, 1e300, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        options.width = wrong[i];
        options.height = 0;
        CHECK_REFUSED(ocelotl_overview_draw(&sink, OCELOTL_PICTURE_SVG, partition, &options),
                      "width");
        options.width = 0;
        options.height = wrong[i];
        CHECK_REFUSED(ocelotl_overview_draw(&sink, OCELOTL_PICTURE_SVG, partition, &options),
                      "height");
    }
    options.size = 0;
    CHECK_REFUSED(ocelotl_overview_draw(&sink, OCELOTL_PICTURE_SVG, partition, &options),
                  "expected them to be made by their initialiser");
    CHECK(buffer.size == 0);
}

static void test_files(const ocelotl_partition *partition)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    MUST_DRAW(in_build("test_viz_render.svg"), ocelotl_overview_draw, partition, NULL);
    oc_text svg = read_whole(in_build("test_viz_render.svg"));
    check_xml(&svg);
    CHECK(strstr(svg.bytes, "width=\"1280\" height=\"720\"") != NULL);
    CHECK(strstr(svg.bytes, ">six leaves</text>") != NULL);
    oc_text_free(&svg);

    options.width = 320;
    options.height = 400.4;
    options.title = "a title & more";
    options.command = "ocelotl-cli -o x.png";
    MUST_DRAW(in_build("test_viz_render.png"), ocelotl_overview_draw, partition, &options);
    pixels png = read_png("test_viz_render.png");
    CHECK(png.width == 320 && png.height == 400);
    CHECK_TEXT(text_of_png(&png, "Title"), "a title & more");
    CHECK_TEXT(text_of_png(&png, "trace"), "six leaves");
    CHECK_TEXT(text_of_png(&png, "command"), "ocelotl-cli -o x.png");
    free_pixels(&png);

    /* A caller that sets only the sizes. */
    options.size = offsetof(ocelotl_picture_options, title);
    MUST_DRAW(in_build("test_viz_render.png"), ocelotl_overview_draw, partition, &options);
    png = read_png("test_viz_render.png");
    CHECK_TEXT(text_of_png(&png, "Title"), "six leaves");
    free_pixels(&png);

    MUST_DRAW(in_build("test_viz_render.pdf"), ocelotl_overview_draw, partition, NULL);
    oc_text pdf = read_whole(in_build("test_viz_render.pdf"));
    CHECK(strncmp(pdf.bytes, "%PDF", 4) == 0);
    oc_text_free(&pdf);
}

int main(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    ocelotl_model *model = build_model();
    for (size_t i = 0; i < 3; i++) {
        ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
        options.kind = kinds[i];
        ocelotl_aggregation *aggregation = must_aggregate(model, &options);
        ocelotl_partition *partition = must_solve(aggregation, 0.2);
        ocelotl_aggregation_free(aggregation); /* a partition needs none */
        test_files(partition);
        test_errors(partition);
        ocelotl_partition_free(partition);
    }
    ocelotl_model_free(model);
    cairo_debug_reset_static_data();
    return 0;
}

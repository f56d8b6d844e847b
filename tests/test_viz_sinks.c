/* Every picture goes to memory in every format, and a failing sink ends it; the public way to files
 * of a size and with a title. */
#include "test_viz_trace.h"

/* What the pictures show. */
typedef struct shown {
    ocelotl_trace *trace;
    ocelotl_model *model, *joint;
    ocelotl_comparison *comparison;
    ocelotl_aggregation *aggregation, *joined;
    ocelotl_partition *partition, *spatial, *difference;
    ocelotl_levels *levels;
    ocelotl_drawables *drawables;
    ocelotl_statistics *statistics;
} shown;

typedef ocelotl_status (*drawing)(const ocelotl_sink *sink, ocelotl_picture_format format,
                                  const shown *of);

static ocelotl_status draw_overview(const ocelotl_sink *sink, ocelotl_picture_format format,
                                    const shown *of)
{
    return ocelotl_overview_draw(sink, format, of->partition, NULL);
}

static ocelotl_status draw_treemap(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   const shown *of)
{
    return ocelotl_overview_draw(sink, format, of->spatial, NULL);
}

static ocelotl_status draw_compare(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   const shown *of)
{
    return ocelotl_compare_draw(sink, format, of->partition, of->partition, false, NULL);
}

static ocelotl_status draw_difference(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      const shown *of)
{
    return ocelotl_difference_draw(sink, format, of->difference, NULL);
}

static ocelotl_status draw_gantt(const ocelotl_sink *sink, ocelotl_picture_format format,
                                 const shown *of)
{
    return ocelotl_gantt_draw(sink, format, of->trace, of->drawables, NULL);
}

static ocelotl_status draw_statistics(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      const shown *of)
{
    return ocelotl_statistics_draw(sink, format, of->trace, of->statistics, NULL);
}

static ocelotl_status draw_curves(const ocelotl_sink *sink, ocelotl_picture_format format,
                                  const shown *of)
{
    return ocelotl_curves_draw(sink, format, of->levels, of->aggregation, 0.5, NULL);
}

static ocelotl_status draw_report(const ocelotl_sink *sink, ocelotl_picture_format format,
                                  const shown *of)
{
    (void)format;
    return ocelotl_report_draw(sink, of->aggregation, of->levels, (double)NAN, NULL);
}

static const drawing drawings[] = {draw_overview, draw_treemap,    draw_compare, draw_difference,
                                   draw_gantt,    draw_statistics, draw_curves};

static void make(shown *of)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_aggregation_options spatial = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_aggregation *aggregation = NULL;
    options.slices = 16;
    spatial.kind = OCELOTL_SPATIAL;
    viz_trace_write(temporary_path("trace.db"));
    of->trace = must_open(temporary_path("trace.db"));
    of->model = must_build(of->trace, &options);
    of->aggregation = must_aggregate(of->model, NULL);
    of->partition = must_solve(of->aggregation, 0.25);
    aggregation = must_aggregate(of->model, &spatial);
    of->spatial = must_solve(aggregation, 0.25);
    ocelotl_aggregation_free(aggregation);
    of->levels = must_find_levels(of->aggregation, NULL);
    of->comparison = must_compare(of->model, of->model);
    CHECK_OK(ocelotl_comparison_join(&of->joint, of->comparison, 0));
    of->joined = must_aggregate(of->joint, NULL);
    of->difference = must_solve(of->joined, 0.25);
    of->drawables = must_find_drawables(of->trace, NULL);
    of->statistics = must_sum(of->trace, NULL);
}

static void end(const shown *of)
{
    ocelotl_statistics_free(of->statistics);
    ocelotl_drawables_free(of->drawables);
    ocelotl_levels_free(of->levels);
    must_free(of->difference, of->joined, of->joint, NULL);
    ocelotl_comparison_free(of->comparison);
    ocelotl_partition_free(of->spatial);
    must_free(of->partition, of->aggregation, of->model, of->trace);
}

/* Fails after taking as many pieces as it may. */
static ocelotl_status fail(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    int *left = context;
    return (*left)-- > 0 ? OCELOTL_OK : OCELOTL_ERROR_CANCELLED;
}

static void test_failing_sink(drawing draw, ocelotl_picture_format format, const shown *of)
{
    int none = 0;
    const ocelotl_sink failing = {fail, &none}, no_function = {NULL, NULL};
    CHECK_FAILS(draw(&failing, format, of), OCELOTL_ERROR_CANCELLED, "sink");
    CHECK_REFUSED(draw(&no_function, format, of), "sink");
}

static void test_picture(drawing draw, ocelotl_picture_format format, const char *beginning,
                         const shown *of)
{
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(draw(&sink, format, of));
    CHECK(strncmp(buffer.bytes, beginning, strlen(beginning)) == 0);
    ocelotl_buffer_free(&buffer);
    test_failing_sink(draw, format, of);
}

static void test_formats(const shown *of)
{
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    ocelotl_picture_format format = OCELOTL_PICTURE_SVG;
    CHECK_OK(ocelotl_picture_find_format(&format, "a.svg/b.PDF"));
    CHECK(format == OCELOTL_PICTURE_PDF);
    CHECK_REFUSED(ocelotl_picture_find_format(&format, "a.html"), "expected .svg, .png or .pdf");
    for (size_t i = 0; i < sizeof drawings / sizeof drawings[0]; i++)
        CHECK_REFUSED(drawings[i](&sink, (ocelotl_picture_format)3, of), "format 3 does not exist");
    CHECK(buffer.size == 0);
    ocelotl_buffer_free(&buffer);
}

static void test_bad_sizes(const ocelotl_partition *partition)
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
    MUST_DRAW(temporary_path("test_viz_render.svg"), ocelotl_overview_draw, partition, NULL);
    oc_text svg = read_whole(temporary_path("test_viz_render.svg"));
    check_xml(&svg);
    CHECK(strstr(svg.bytes, "width=\"1280\" height=\"720\"") != NULL);
    CHECK(strstr(svg.bytes, ">two machines</text>") != NULL);
    oc_text_free(&svg);

    options.width = 320;
    options.height = 400.4;
    options.title = "a title & more";
    options.command = "ocelotl-cli -o x.png";
    MUST_DRAW(temporary_path("test_viz_render.png"), ocelotl_overview_draw, partition, &options);
    pixels png = read_png_at(temporary_path("test_viz_render.png"));
    CHECK(png.width == 320 && png.height == 400);
    CHECK_TEXT(text_of_png(&png, "Title"), "a title & more");
    CHECK_TEXT(text_of_png(&png, "trace"), "two machines");
    CHECK_TEXT(text_of_png(&png, "command"), "ocelotl-cli -o x.png");
    free_pixels(&png);

    /* A caller that sets only the sizes. */
    options.size = offsetof(ocelotl_picture_options, title);
    MUST_DRAW(temporary_path("test_viz_render.png"), ocelotl_overview_draw, partition, &options);
    png = read_png_at(temporary_path("test_viz_render.png"));
    CHECK_TEXT(text_of_png(&png, "Title"), "two machines");
    free_pixels(&png);

    MUST_DRAW(temporary_path("test_viz_render.pdf"), ocelotl_overview_draw, partition, NULL);
    oc_text pdf = read_whole(temporary_path("test_viz_render.pdf"));
    CHECK(strncmp(pdf.bytes, "%PDF", 4) == 0);
    oc_text_free(&pdf);
}

int main(void)
{
    shown of = {0};
    temporary_begin();
    make(&of);
    for (size_t i = 0; i < sizeof drawings / sizeof drawings[0]; i++) {
        test_picture(drawings[i], OCELOTL_PICTURE_SVG, "<?xml ", &of);
        test_picture(drawings[i], OCELOTL_PICTURE_PNG, "\x89PNG", &of);
        test_picture(drawings[i], OCELOTL_PICTURE_PDF, "%PDF", &of);
    }
    test_picture(draw_report, OCELOTL_PICTURE_SVG, "<!DOCTYPE html>", &of);
    test_formats(&of);
    test_files(of.partition);
    test_files(of.spatial);
    test_bad_sizes(of.partition);
    end(&of);
    cairo_debug_reset_static_data();
    return 0;
}

/* Scenes and the files they become: hostile names, parameters inside, formats that agree. */
#include "test_scene_files.h"

#include "viz/scene/backend.h"

static const char hostile[] = "<&\"'>]]>\x01\x08 \xFF caf\xC3\xA9 \xEF\xBF\xBF";

static void build(oc_scene *scene)
{
    oc_scene_begin(scene, 200, 100, 0xFFFFFF, hostile);
    oc_scene_metadata(scene, "p", "0.5");
    oc_scene_metadata(scene, "trace", hostile);
    oc_scene_group(scene, hostile, &(oc_group_style){.crisp = true}, hostile);
    oc_scene_rectangle(
        scene, &(oc_rectangle){10, 10, 50, 30, 0x0072B2, 0.5, OC_COLOUR_NONE, OC_COLOUR_NONE},
        "one\ntwo");
    oc_scene_rectangle(
        scene, &(oc_rectangle){70, 10, 50, 30, 0xD55E00, 1, OC_COLOUR_NONE, 0x333333}, hostile);
    oc_scene_rectangle(
        scene, &(oc_rectangle){130.5, 10.5, 50, 30, OC_COLOUR_NONE, 1, 0x009E73, 0x333333}, NULL);
    oc_scene_group_end(scene);
    oc_scene_line(scene, &(oc_segment){10, 50.5, 190, 50.5, 0x000000, 1});
    oc_scene_label(scene, &(oc_label){10, 70, OC_ANCHOR_START, 12, true, 0x000000, 0}, hostile,
                   hostile);
    oc_scene_label(scene, &(oc_label){190, 70, OC_ANCHOR_END, 12, false, 0x000000, -90}, "turned",
                   NULL);
    oc_scene_label(scene, &(oc_label){190, 70, OC_ANCHOR_END, 12, false, 0x000000, 0}, "", NULL);
    const oc_point corners[] = {{183, 10}, {199, 10}, {191, 40}};
    oc_scene_path(
        scene, &(oc_path){.closed = true, .fill = 0xE69F00, .opacity = 1, .stroke = OC_COLOUR_NONE},
        corners, 3, "triangle");
    oc_scene_path(scene,
                  &(oc_path){.fill = OC_COLOUR_NONE, .opacity = 1, .stroke = 0x00FF00, .width = 3},
                  corners, 2, NULL);
    oc_scene_path(scene,
                  &(oc_path){.fill = OC_COLOUR_NONE, .opacity = 1, .stroke = 0x00FF00, .width = 1},
                  corners, 1, NULL);
    oc_scene_label(scene, &(oc_label){150, 90, OC_ANCHOR_END, 12, false, 0x000000, 0}, "ink", NULL);
    CHECK_OK(oc_scene_status(scene));
}

static void test_describe(const oc_scene *scene)
{
    oc_text text = {0};
    scene_describe(&text, scene);
    CHECK(strstr(text.bytes,
                 "    rectangle 10,10 50x30 #0072b2 opacity 0.5 tooltip \"one | two\"\n") != NULL);
    CHECK(strstr(text.bytes, "rectangle 130.5,10.5 50x30 stroke #009e73 hatch #333333\n") != NULL);
    CHECK(strstr(text.bytes, "label 190,70 end 12 #000000 rotated -90 \"turned\"\n") != NULL);
    CHECK(strstr(text.bytes, "polygon 183,10 199,10 191,40 #e69f00 tooltip \"triangle\"\n") !=
          NULL);
    CHECK(strstr(text.bytes, "polyline 183,10 199,10 stroke #00ff00 width 3\n") != NULL);
    CHECK(scene->item_count == 11); /* an empty label is none, nor is a path of one point */
    oc_text_free(&text);
}

static void test_svg(const oc_scene *scene)
{
    const oc_text svg = write_and_read(scene, "test_scene.svg");
    CHECK(strstr(svg.bytes, "&lt;&amp;&quot;&#39;&gt;]]&gt;\xEF\xBF\xBD") != NULL);
    CHECK(strstr(svg.bytes, "<p>0.5</p>") != NULL);
    CHECK(strstr(svg.bytes, "viewBox=\"0 0 200 100\"") != NULL);
    CHECK(strstr(svg.bytes, "<title>one\ntwo</title>") != NULL);
    CHECK(strstr(svg.bytes, "fill=\"url(#hatch-333333)\"") != NULL);
    CHECK(strstr(strstr(svg.bytes, "id=\"hatch-333333\"") + 1, "id=\"hatch-333333\"") == NULL);
    check_xml(&svg);
    oc_text_free((oc_text *)&svg);
    check_by_tool("xmllint --noout", "test_scene.svg");
}

/* A character that no font has is refused where letters are drawn, and kept where they are text. */
static void test_no_glyph(void)
{
    static const char name[] = "rank \xF3\xB0\x80\x81"; /* of a private plane */
    oc_scene scene = {0};
    oc_scene_begin(&scene, 200, 100, 0xFFFFFF, "title");
    oc_scene_label(&scene, &(oc_label){10, 70, OC_ANCHOR_START, 12, true, 0x000000, 0}, name, NULL);
    CHECK_REFUSED(write_scene(&scene, "test_scene_glyph.png"),
                  "no installed font has the character \"\xF3\xB0\x80\x81\" of \"rank ");
    CHECK_REFUSED(write_scene(&scene, "test_scene_glyph.pdf"), "draw an .svg");
    CHECK(fopen(in_build("test_scene_glyph.png"), "rb") == NULL);
    const oc_text svg = write_and_read(&scene, "test_scene_glyph.svg");
    CHECK(strstr(svg.bytes, name) != NULL);
    oc_text_free((oc_text *)&svg);
    oc_scene_free(&scene);
}

static bool has_ink(const pixels *png, int x1, int x2)
{
    for (int y = 78; y < 92; y++)
        for (int x = x1; x < x2; x++)
            if ((pixel(png, x, y) & 255) < 128)
                return true;
    return false;
}

static void test_png(const oc_scene *scene)
{
    const oc_text file = write_and_read(scene, "test_scene.png");
    pixels png = read_png("test_scene.png");
    CHECK(png.width == 200 && png.height == 100);
    CHECK_TEXT(text_of_png(&png, "p"), "0.5");
    CHECK(strstr(text_of_png(&png, "trace"), "caf\xC3\xA9") != NULL);
    check_pixel(&png, 20, 20, 0x7FB8D8);
    check_pixel(&png, 191, 20, 0xE69F00);
    check_pixel(&png, 191, 10, 0x00FF00);
    check_pixel(&png, 2, 2, 0xFFFFFF);
    CHECK(has_ink(&png, 125, 151) && !has_ink(&png, 100, 125) && !has_ink(&png, 151, 175));
    free_pixels(&png);
    oc_text_free((oc_text *)&file);
}

static void test_pdf(const oc_scene *scene)
{
    const oc_text pdf = write_and_read(scene, "test_scene.PDF");
    CHECK(pdf.length > 500 && strncmp(pdf.bytes, "%PDF", 4) == 0);
    CHECK(memcmp(pdf.bytes + pdf.length - 6, "%%EOF\n", 6) == 0);
    oc_text_free((oc_text *)&pdf);
}

static void test_errors(void)
{
    ocelotl_picture_format format;
    CHECK_REFUSED(ocelotl_picture_find_format(&format, "overview.gif"),
                  "overview.gif: unknown suffix \".gif\", expected .svg, .png or .pdf");
    CHECK_REFUSED(ocelotl_picture_find_format(&format, "folder.svg/overview"), "no suffix");
    CHECK_REFUSED(ocelotl_picture_find_format(&format, ""), "no suffix");
    oc_scene broken = {.failed = true};
    CHECK_FAILS(write_scene(&broken, "broken.svg"), OCELOTL_ERROR_MEMORY, "memory");
    CHECK(fopen(in_build("broken.svg"), "rb") == NULL);
    oc_scene_free(&broken);
}

/* A picture of several bands equals one of a single band. */
static void test_bands(void)
{
    oc_scene scene = {0};
    oc_scene_begin(&scene, 4000, 3000, 0xFFFFFF, "bands");
    oc_scene_rectangle(
        &scene, &(oc_rectangle){0, 1000, 4000, 1000, 0x123456, 1, OC_COLOUR_NONE, OC_COLOUR_NONE},
        NULL);
    write_scene(&scene, "test_scene_bands.png");
    pixels png = read_png("test_scene_bands.png");
    for (int y = 0; y < 3000; y++)
        check_pixel(&png, 17, y, y >= 1000 && y < 2000 ? 0x123456 : 0xFFFFFF);
    free_pixels(&png);
    oc_scene_free(&scene);
}

int main(void)
{
    oc_scene scene = {0};
    build(&scene);
    test_describe(&scene);
    test_svg(&scene);
    test_png(&scene);
    test_pdf(&scene);
    test_errors();
    test_bands();
    oc_scene_free(&scene);
    cairo_debug_reset_static_data();
    test_no_glyph();
    return 0;
}

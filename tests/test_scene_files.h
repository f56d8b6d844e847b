/* Reads back what a scene was written to. */
#ifndef OC_TESTS_SCENE_FILES_H
#define OC_TESTS_SCENE_FILES_H

#include "check.h"
#include "scene_text.h"

#include "viz/scene/backend.h"

#include <cairo.h>
#include <png.h>
#include <sys/wait.h>

/* A name in the folder of the build; valid until the next call. */
static inline const char *in_build(const char *name)
{
    static char path[1024];
    const char *build = getenv("OCELOTL_BUILD");
    snprintf(path, sizeof path, "%s/%s", build != NULL ? build : ".", name);
    return path;
}

static inline oc_text read_whole(const char *path)
{
    oc_text text = {0};
    char block[65536];
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    for (size_t length = 1; length > 0;) {
        length = fread(block, 1, sizeof block, file);
        oc_text_append(&text, block, length);
    }
    fclose(file);
    CHECK(!text.failed);
    return text;
}

/* Writes a scene to a file of the build, in the format of its suffix. */
static inline ocelotl_status write_scene(const oc_scene *scene, const char *name)
{
    ocelotl_file *file = NULL;
    oc_target target = {0};
    CHECK_OK(ocelotl_picture_find_format(&target.format, name));
    CHECK_OK(ocelotl_file_open(&file, in_build(name), true));
    const ocelotl_sink sink = ocelotl_file_sink(file);
    target.sink = &sink;
    const ocelotl_status status = oc_scene_write(scene, &target);
    if (status == OCELOTL_OK)
        CHECK_OK(ocelotl_file_commit(file));
    ocelotl_file_free(file);
    return status;
}

static inline oc_text write_and_read(const oc_scene *scene, const char *name)
{
    CHECK_OK(write_scene(scene, name));
    return read_whole(in_build(name));
}

/* Runs a tool on a file, if the tool is installed. Returns whether it is. */
static inline bool check_by_tool(const char *tool, const char *name)
{
    char command[4096];
    snprintf(command, sizeof command, "command -v %.*s >/dev/null 2>&1", (int)strcspn(tool, " "),
             tool);
    if (system(command) != 0)
        return false;
    snprintf(command, sizeof command, "%s '%s'", tool, in_build(name));
    CHECK(system(command) == 0);
    return true;
}

/* Whether the description of a scene has a piece of text. */
static inline bool scene_says(const oc_scene *scene, const char *piece)
{
    oc_text text = {0};
    scene_describe(&text, scene);
    CHECK(!text.failed);
    const bool found = strstr(text.bytes, piece) != NULL;
    oc_text_free(&text);
    return found;
}

/* A name or label that is the same, or has this piece. */
static inline bool scene_names(const oc_scene *scene, size_t item, oc_scene_item_kind kind,
                               const char *piece, bool whole)
{
    const char *text = oc_scene_string(scene, scene->items[item].text);
    return scene->items[item].kind == kind &&
           (whole ? strcmp(text, piece) == 0 : strstr(text, piece) != NULL);
}

/* The first label with this piece, or NULL. */
static inline const oc_scene_item *scene_label(const oc_scene *scene, const char *piece, bool whole)
{
    for (size_t i = 0; i < scene->item_count; i++)
        if (scene_names(scene, i, OC_ITEM_LABEL, piece, whole))
            return &scene->items[i];
    return NULL;
}

/* The items of a group, by its name; none without it. */
typedef struct scene_items {
    const oc_scene_item *first;
    size_t count;
} scene_items;

static inline scene_items scene_group(const oc_scene *scene, const char *name)
{
    scene_items found = {NULL, 0};
    for (size_t i = 0; i < scene->item_count && found.first == NULL; i++)
        if (scene_names(scene, i, OC_ITEM_GROUP, name, true))
            for (found.first = &scene->items[i + 1];
                 found.first[found.count].kind != OC_ITEM_GROUP_END;)
                found.count++;
    return found;
}

/* Checks what every XML parser requires: no control characters, elements closed in order, no stray
 * '<' or '&'. */
static inline void check_xml(const oc_text *xml)
{
    size_t open[64], depth = 0;
    for (size_t i = 0; i < xml->length; i++) {
        const char *at = xml->bytes + i;
        CHECK((unsigned char)*at >= ' ' || *at == '\n');
        CHECK(*at != '&' || strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 ||
              strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&quot;", 6) == 0 ||
              strncmp(at, "&#39;", 5) == 0);
        if (*at != '<' || at[1] == '?')
            continue;
        const char *end = strchr(at, '>');
        CHECK(end != NULL && memchr(at + 1, '<', (size_t)(end - at - 1)) == NULL);
        const size_t name = strcspn(at + 1, " >/\n");
        if (at[1] == '/') {
            CHECK(depth > 0 &&
                  strncmp(at + 2, xml->bytes + open[--depth] + 1, (size_t)(end - at) - 2) == 0);
        } else if (end[-1] != '/') {
            CHECK(name > 0 && depth < 64);
            open[depth++] = i;
        }
    }
    CHECK(depth == 0);
}

typedef struct pixels {
    int width, height;
    png_structp png;
    png_infop info;
    png_bytepp rows;
} pixels;

static inline pixels read_png_at(const char *path)
{
    pixels read = {0};
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    read.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    CHECK(read.png != NULL);
    read.info = png_create_info_struct(read.png);
    png_init_io(read.png, file);
    png_read_png(read.png, read.info, PNG_TRANSFORM_STRIP_ALPHA | PNG_TRANSFORM_EXPAND, NULL);
    fclose(file);
    read.width = (int)png_get_image_width(read.png, read.info);
    read.height = (int)png_get_image_height(read.png, read.info);
    read.rows = png_get_rows(read.png, read.info);
    CHECK(png_get_channels(read.png, read.info) == 3);
    return read;
}

static inline pixels read_png(const char *name)
{
    return read_png_at(in_build(name));
}

static inline void free_pixels(pixels *read)
{
    png_destroy_read_struct(&read->png, &read->info, NULL);
}

static inline const char *text_of_png(const pixels *read, const char *key)
{
    png_textp texts = NULL;
    int count = 0;
    png_get_text(read->png, read->info, &texts, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(texts[i].key, key) == 0)
            return texts[i].text;
    return "";
}

static inline unsigned pixel(const pixels *read, int x, int y)
{
    const png_byte *at = read->rows[y] + 3 * x;
    return (unsigned)at[0] << 16 | (unsigned)at[1] << 8 | at[2];
}

static inline void check_pixel(const pixels *read, int x, int y, unsigned wanted)
{
    for (int shift = 0; shift <= 16; shift += 8) /* blending may round either way */
        CHECK(abs((int)(pixel(read, x, y) >> shift & 255) - (int)(wanted >> shift & 255)) <= 2);
}

/* Returns the mean difference of two pictures of one scene, over the channels of a box. */
static inline double difference(const pixels *a, const pixels *b, const oc_rectangle *box)
{
    double sum = 0;
    for (int y = (int)box->y; y < (int)(box->y + box->height); y++)
        for (int x = (int)box->x * 3; x < (int)(box->x + box->width) * 3; x++)
            sum += abs((int)a->rows[y][x] - (int)b->rows[y][x]);
    return sum / (box->width * box->height * 3);
}

/* Reads our PNG of a scene, and what another program makes of its SVG, if it is there. */
static inline bool draw_both(pixels *ours, pixels *other, const oc_scene *scene, const char *name)
{
    char svg[64], png[64], drawn[64], tool[1200];
    snprintf(svg, sizeof svg, "%s.svg", name);
    snprintf(png, sizeof png, "%s.png", name);
    snprintf(drawn, sizeof drawn, "%s_other.png", name);
    oc_text text = write_and_read(scene, svg);
    check_xml(&text);
    oc_text_free(&text);
    check_by_tool("xmllint --noout", svg);
    CHECK_OK(write_scene(scene, png));
    *ours = read_png(png);
    snprintf(tool, sizeof tool, "rsvg-convert -o '%s'", in_build(drawn));
    if (!check_by_tool(tool, svg))
        return false;
    *other = read_png(drawn);
    CHECK(ours->width == other->width && ours->height == other->height);
    return true;
}

/* Another program draws the SVG as our PNG: in a box, they differ by less than `most`. */
static inline void check_drawn_alike(const oc_scene *scene, const char *name,
                                     const oc_rectangle *boxes, const double *most, size_t count)
{
    pixels ours, other;
    const bool both = draw_both(&ours, &other, scene, name);
    for (size_t i = 0; i < count && both; i++)
        CHECK(difference(&ours, &other, &boxes[i]) < most[i]);
    free_pixels(&ours);
    if (both)
        free_pixels(&other);
}

#endif

/* Reads back what a scene was written to. */
#ifndef OC_TESTS_SCENE_FILES_H
#define OC_TESTS_SCENE_FILES_H

#include "check.h"

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

static inline pixels read_png(const char *name)
{
    pixels read = {0};
    FILE *file = fopen(in_build(name), "rb");
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

#endif

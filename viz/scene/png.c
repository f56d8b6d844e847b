#include "viz/scene/backend.h"
#include "viz/scene/cairo_draw.h"

#include "base/memory.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* A picture of 20000 x 20000 pixels is drawn in bands, so that it never is in memory uncompressed.
 */
enum { PIXELS_OF_A_BAND = 1 << 22 };

typedef struct png_writer {
    png_structp png;
    png_infop info;
    oc_text *bytes;
    png_byte *row;
    int width, height;
    char message[128];
} png_writer;

static void on_error(png_structp png, png_const_charp message)
{
    png_writer *writer = png_get_error_ptr(png);
    strncpy(writer->message, message, sizeof writer->message - 1);
    png_longjmp(png, 1);
}

/* Nothing that libpng warns of matters to what is written here, and a library never prints. */
static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep bytes, png_size_t length)
{
    png_writer *writer = png_get_io_ptr(png);
    oc_text_append(writer->bytes, (const char *)bytes, length);
    if (writer->bytes->failed)
        png_error(png, "out of memory");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static bool is_ascii(const char *string)
{
    for (; *string != '\0'; string++)
        if ((unsigned char)*string >= 0x80)
            return false;
    return true;
}

/* tEXt where Latin letters without accents do, else iTXt, which holds UTF-8. */
static void write_text(png_writer *writer, const char *key, const char *value)
{
    union {
        const char *constant;
        char *plain;
    } pointer_key = {key},
      pointer_value = {value}; /* libpng takes pointers it does not write through */
    png_text text = {.key = pointer_key.plain, .text = pointer_value.plain};
    text.compression = is_ascii(value) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
    if (text.compression == PNG_TEXT_COMPRESSION_NONE)
        text.text_length = strlen(value);
    else
        text.itxt_length = strlen(value);
    png_set_text(writer->png, writer->info, &text, 1);
}

static void write_all_texts(png_writer *writer, const oc_scene *scene)
{
    write_text(writer, "Title", oc_scene_string(scene, scene->title));
    for (size_t i = 0; i < scene->entry_count; i++)
        write_text(writer, oc_scene_string(scene, scene->entries[i].key),
                   oc_scene_string(scene, scene->entries[i].value));
}

/* libpng reports an error by a jump: each call of it goes through one of these three functions,
 * which hold nothing that a jump could lose. */

static bool write_header(png_writer *writer, const oc_scene *scene)
{
    if (setjmp(png_jmpbuf(writer->png)) != 0)
        return false;
    png_set_user_limits(writer->png, 0x7fffffff, 0x7fffffff);
    png_set_write_fn(writer->png, writer, on_write, on_flush);
    png_set_IHDR(writer->png, writer->info, (png_uint_32)writer->width, (png_uint_32)writer->height,
                 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    const png_uint_32 dots = (png_uint_32)lround(scene->scale * 96 / 0.0254); /* a metre */
    png_set_pHYs(writer->png, writer->info, dots, dots, PNG_RESOLUTION_METER);
    png_set_sRGB(writer->png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
    write_all_texts(writer, scene);
    png_write_info(writer->png, writer->info);
    return true;
}

static bool write_row(png_writer *writer)
{
    if (setjmp(png_jmpbuf(writer->png)) != 0)
        return false;
    png_write_row(writer->png, writer->row);
    return true;
}

static bool write_end(png_writer *writer)
{
    if (setjmp(png_jmpbuf(writer->png)) != 0)
        return false;
    png_write_end(writer->png, NULL);
    return true;
}

static ocelotl_status check(const png_writer *writer, bool good)
{
    if (good)
        return OCELOTL_OK;
    if (writer->bytes->failed)
        return oc_fail_memory();
    return oc_fail(OCELOTL_ERROR_INTERNAL, "libpng cannot write the picture: %s", writer->message);
}

static ocelotl_status write_band(png_writer *writer, cairo_surface_t *surface, int rows)
{
    cairo_surface_flush(surface);
    const unsigned char *pixels = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < writer->width; x++) {
            uint32_t pixel;
            memcpy(&pixel, pixels + (size_t)y * (size_t)stride + 4 * (size_t)x, sizeof pixel);
            writer->row[3 * x] = (png_byte)(pixel >> 16);
            writer->row[3 * x + 1] = (png_byte)(pixel >> 8);
            writer->row[3 * x + 2] = (png_byte)pixel;
        }
        OC_TRY(check(writer, write_row(writer)));
    }
    return OCELOTL_OK;
}

static ocelotl_status draw_band(png_writer *writer, const oc_scene *scene, int top, int rows)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, writer->width, rows);
    cairo_t *cairo = cairo_create(surface);
    cairo_translate(cairo, 0, -top);
    cairo_scale(cairo, scene->scale, scene->scale);
    ocelotl_status status =
        oc_cairo_draw(cairo, scene, top / scene->scale, (top + rows) / scene->scale);
    if (status == OCELOTL_OK)
        status = write_band(writer, surface, rows);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return status;
}

static ocelotl_status write_picture(png_writer *writer, const oc_scene *scene)
{
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
    if (writer->png == NULL)
        return oc_fail_memory();
    writer->info = png_create_info_struct(writer->png);
    if (writer->info == NULL)
        return oc_fail_memory();
    OC_TRY(oc_allocate(&writer->row, (size_t)writer->width, 3));
    OC_TRY(check(writer, write_header(writer, scene)));
    const int band = PIXELS_OF_A_BAND / writer->width + 1;
    for (int top = 0; top < writer->height; top += band) {
        const int rows = writer->height - top < band ? writer->height - top : band;
        OC_TRY(draw_band(writer, scene, top, rows));
    }
    return check(writer, write_end(writer));
}

static ocelotl_status encode(oc_text *bytes, const oc_scene *scene)
{
    png_writer writer = {.bytes = bytes,
                         .width = (int)lround(scene->width * scene->scale),
                         .height = (int)lround(scene->height * scene->scale)};
    const ocelotl_status status = write_picture(&writer, scene);
    png_destroy_write_struct(&writer.png, &writer.info);
    free(writer.row);
    return status;
}

const oc_backend oc_backend_png = {".png", encode};

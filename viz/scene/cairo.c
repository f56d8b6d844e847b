#define _POSIX_C_SOURCE 200809L
/* PNG and PDF: a scene drawn with cairo. */
#include "viz/scene/backend.h"

#include "base/memory.h"
#include "base/text.h"
#include "viz/words/words.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A status of cairo as one of the library. */
static ocelotl_status check_cairo(cairo_status_t status)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return OCELOTL_OK;
    if (status == CAIRO_STATUS_NO_MEMORY)
        return oc_fail_memory();
    return oc_fail(OCELOTL_ERROR_INTERNAL, "cairo cannot draw the picture: %s",
                   cairo_status_to_string(status));
}

/* --- Fonts: both formats carry drawn letters, so a font must have all characters of a string */

/* Finds where the first character begins that the selected font has no glyph for, else NULL. cairo
 * gives such a character glyph 0. */
static ocelotl_status find_missing(const char **missing, cairo_t *cairo, const char *string)
{
    cairo_glyph_t *glyphs = NULL;
    cairo_text_cluster_t *clusters = NULL;
    cairo_text_cluster_flags_t flags;
    int count = 0;
    int cluster_count = 0;
    *missing = NULL;
    OC_TRY(check_cairo(cairo_scaled_font_text_to_glyphs(cairo_get_scaled_font(cairo), 0, 0, string,
                                                        -1, &glyphs, &count, &clusters,
                                                        &cluster_count, &flags)));
    const char *at = string;
    int glyph = 0;
    for (int i = 0; i < cluster_count && *missing == NULL; i++) {
        for (int k = 0; k < clusters[i].num_glyphs; k++)
            if (glyphs[glyph + k].index == 0)
                *missing = at;
        glyph += clusters[i].num_glyphs;
        at += clusters[i].num_bytes;
    }
    cairo_glyph_free(glyphs);
    cairo_text_cluster_free(clusters);
    return OCELOTL_OK;
}

static bool add_characters(FcCharSet *characters, const char *string)
{
    const FcChar8 *at = (const FcChar8 *)string;
    int left = (int)strlen(string);
    FcChar32 character;
    for (int length; left > 0; at += length, left -= length) {
        length = FcUtf8ToUcs4(at, &character, left);
        if (length <= 0 || !FcCharSetAddChar(characters, character))
            return false;
    }
    return true;
}

/* Finds the font that is like the usual one and has most of the characters; NULL without memory. */
static FcPattern *match(const FcCharSet *characters, bool bold)
{
    FcPattern *found = NULL;
    FcResult result;
    FcPattern *wanted = FcPatternCreate();
    if (wanted != NULL && FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)OC_FONT_FAMILY) &&
        FcPatternAddInteger(wanted, FC_WEIGHT, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_NORMAL) &&
        FcPatternAddBool(wanted, FC_OUTLINE, FcTrue) &&
        FcPatternAddCharSet(wanted, FC_CHARSET, characters) &&
        FcConfigSubstitute(NULL, wanted, FcMatchPattern)) {
        FcDefaultSubstitute(wanted);
        found = FcFontMatch(NULL, wanted, &result);
    }
    if (wanted != NULL)
        FcPatternDestroy(wanted);
    return found;
}

static ocelotl_status select_other(cairo_t *cairo, const char *string, bool bold)
{
    FcCharSet *characters = FcCharSetCreate();
    FcPattern *found =
        characters != NULL && add_characters(characters, string) ? match(characters, bold) : NULL;
    if (characters != NULL)
        FcCharSetDestroy(characters);
    if (found == NULL)
        return oc_fail_memory();
    cairo_font_face_t *face = cairo_ft_font_face_create_for_pattern(found);
    FcPatternDestroy(found);
    cairo_set_font_face(cairo, face);
    cairo_font_face_destroy(face);
    return check_cairo(cairo_status(cairo));
}

/* Selects a font of a size (pixels) for a string: the usual one if it has every character, else
 * another installed one that has them. Errors: ARGUMENT where none has them, naming the character;
 * MEMORY. */
static ocelotl_status select_font(cairo_t *cairo, const char *string, double size, bool bold)
{
    const char *missing = NULL;
    cairo_select_font_face(cairo, OC_FONT_FAMILY, CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
    OC_TRY(find_missing(&missing, cairo, string));
    if (missing == NULL)
        return OCELOTL_OK;
    OC_TRY(select_other(cairo, string, bold));
    OC_TRY(find_missing(&missing, cairo, string));
    if (missing == NULL)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "no installed font has the character \"%.*s\" of \"%s\"; install one, or draw "
                   "an .svg, which leaves "
                   "letters to who shows it",
                   (int)oc_utf8_length(missing, strlen(missing)), missing, string);
}

/* --- Drawing */

#define PI 3.14159265358979323846

static void set_colour(cairo_t *cairo, uint32_t colour, double opacity)
{
    cairo_set_source_rgba(cairo, (double)(colour >> 16 & 255) / 255,
                          (double)(colour >> 8 & 255) / 255, (double)(colour & 255) / 255, opacity);
}

/* Draws the pattern of an SVG: in coordinates turned by the angle, a line covers 0 .. 1 of every
 * step. */
static void draw_hatching(cairo_t *cairo, const oc_rectangle *rectangle)
{
    double x1, y1, x2, y2;
    cairo_save(cairo);
    cairo_rectangle(cairo, rectangle->x, rectangle->y, rectangle->width, rectangle->height);
    cairo_clip(cairo);
    cairo_rotate(cairo, OC_HATCH_ANGLE * PI / 180);
    cairo_clip_extents(cairo, &x1, &y1, &x2, &y2);
    for (double x = floor(x1 / OC_HATCH_STEP) * OC_HATCH_STEP; x < x2; x += OC_HATCH_STEP)
        cairo_rectangle(cairo, x, y1, 1, y2 - y1);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
    set_colour(cairo, rectangle->hatch, 1);
    cairo_fill(cairo);
    cairo_restore(cairo);
}

static void draw_dots(cairo_t *cairo, const oc_scene_item *item)
{
    oc_point corner;
    oc_dots dots = oc_dots_of(item);
    while (oc_dots_next(&corner, &dots))
        cairo_rectangle(cairo, corner.x, corner.y, OC_DOT_SIZE, OC_DOT_SIZE);
    set_colour(cairo, item->dot_colour, OC_DOT_OPACITY);
    cairo_fill(cairo);
}

static void draw_mark(cairo_t *cairo, const oc_scene_item *item)
{
    oc_point points[4];
    const int lines = oc_mark_lines(points, item);
    cairo_save(cairo);
    for (int i = 0; i < lines; i++) {
        cairo_move_to(cairo, points[2 * i].x, points[2 * i].y);
        cairo_line_to(cairo, points[2 * i + 1].x, points[2 * i + 1].y);
    }
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
    cairo_set_line_width(cairo, OC_MARK_WIDTH);
    set_colour(cairo, item->mark_colour, OC_MARK_OPACITY);
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

/* Pixels of the raster for each pixel here; 0 without a raster, as in a PDF. */
static double pixels_of(cairo_t *cairo)
{
    cairo_matrix_t matrix;
    cairo_get_matrix(cairo, &matrix);
    return cairo_surface_get_type(cairo_get_target(cairo)) == CAIRO_SURFACE_TYPE_IMAGE ? matrix.xx
                                                                                       : 0;
}

/* The width of a line in whole pixels. */
static double whole_width(double width, double pixels)
{
    return pixels > 0 ? fmax(1, round(width * pixels)) / pixels : width;
}

/* Moves the middle of a line, so that both its edges lie between pixels. */
static double snapped(double middle, double width, double pixels)
{
    return pixels > 0 ? round((middle - width / 2) * pixels) / pixels + width / 2 : middle;
}

static void draw_edges(cairo_t *cairo, const oc_rectangle *rectangle)
{
    const double pixels = pixels_of(cairo);
    const double width = whole_width(1, pixels);
    const double x = snapped(rectangle->x, width, pixels);
    const double y = snapped(rectangle->y, width, pixels);
    const double right = snapped(rectangle->x + rectangle->width, width, pixels);
    const double bottom = snapped(rectangle->y + rectangle->height, width, pixels);
    cairo_rectangle(cairo, x, y, right - x, bottom - y);
    cairo_set_line_width(cairo, width);
    set_colour(cairo, rectangle->stroke, 1);
    cairo_stroke(cairo);
}

static void draw_rectangle(cairo_t *cairo, const oc_rectangle *rectangle)
{
    if (rectangle->fill != OC_COLOUR_NONE) {
        cairo_rectangle(cairo, rectangle->x, rectangle->y, rectangle->width, rectangle->height);
        set_colour(cairo, rectangle->fill, rectangle->opacity);
        cairo_fill(cairo);
    }
    if (rectangle->stroke != OC_COLOUR_NONE)
        draw_edges(cairo, rectangle);
    if (rectangle->hatch != OC_COLOUR_NONE)
        draw_hatching(cairo, rectangle);
}

static void draw_line(cairo_t *cairo, const oc_segment *line)
{
    const double pixels = pixels_of(cairo);
    const bool upright = !(line->x1 < line->x2 || line->x1 > line->x2);
    const bool level = !(line->y1 < line->y2 || line->y1 > line->y2);
    const double width = upright || level ? whole_width(line->width, pixels) : line->width;
    cairo_move_to(cairo, upright ? snapped(line->x1, width, pixels) : line->x1,
                  level ? snapped(line->y1, width, pixels) : line->y1);
    cairo_line_to(cairo, upright ? snapped(line->x2, width, pixels) : line->x2,
                  level ? snapped(line->y2, width, pixels) : line->y2);
    cairo_set_line_width(cairo, width);
    set_colour(cairo, line->colour, 1);
    cairo_stroke(cairo);
}

static void draw_path(cairo_t *cairo, const oc_scene *scene, const oc_path *path)
{
    cairo_new_path(cairo); /* text leaves a point behind */
    for (size_t i = 0; i < path->count; i++)
        cairo_line_to(cairo, scene->points[path->first + i].x, scene->points[path->first + i].y);
    if (path->closed)
        cairo_close_path(cairo);
    if (path->fill != OC_COLOUR_NONE) {
        set_colour(cairo, path->fill, path->opacity);
        cairo_fill_preserve(cairo);
    }
    if (path->stroke != OC_COLOUR_NONE) {
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_width(cairo, path->width);
        set_colour(cairo, path->stroke, path->opacity);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static ocelotl_status draw_label(cairo_t *cairo, const oc_label *label, const char *string)
{
    cairo_text_extents_t extents;
    OC_TRY(select_font(cairo, string, label->size, label->bold));
    cairo_text_extents(cairo, string, &extents);
    cairo_save(cairo);
    cairo_translate(cairo, label->x, label->y);
    cairo_rotate(cairo, label->rotation * PI / 180);
    cairo_move_to(cairo, -extents.x_advance * (int)label->anchor / 2, 0);
    set_colour(cairo, label->colour, 1);
    cairo_show_text(cairo, string);
    cairo_restore(cairo);
    return OCELOTL_OK;
}

static bool may_be_seen(const oc_scene *scene, const oc_scene_item *item, double top, double bottom)
{
    if (item->kind == OC_ITEM_RECTANGLE)
        return item->as.rectangle.y - 1 < bottom &&
               item->as.rectangle.y + item->as.rectangle.height + 1 > top;
    if (item->kind == OC_ITEM_LABEL) {
        const oc_label *label = &item->as.label;
        const bool level = !(label->rotation < 0 || label->rotation > 0);
        const double length = level ? 0
                                    : oc_lettering_width(oc_scene_string(scene, item->text),
                                                         label->size, label->bold);
        const double reach = fmax(length, 2 * label->size);
        return label->y - reach < bottom && label->y + reach > top;
    }
    return true;
}

static ocelotl_status draw_item(cairo_t *cairo, const oc_scene *scene, const oc_scene_item *item)
{
    if (item->kind == OC_ITEM_RECTANGLE) {
        draw_rectangle(cairo, &item->as.rectangle);
        if (item->density > 0)
            draw_dots(cairo, item);
        if (item->mark != OC_MARK_NONE)
            draw_mark(cairo, item);
    } else if (item->kind == OC_ITEM_LINE) {
        draw_line(cairo, &item->as.line);
    } else if (item->kind == OC_ITEM_PATH) {
        draw_path(cairo, scene, &item->as.path);
    } else if (item->kind == OC_ITEM_LABEL) {
        return draw_label(cairo, &item->as.label, oc_scene_string(scene, item->text));
    } else if (item->kind == OC_ITEM_GROUP) {
        cairo_save(cairo);
        if (item->as.group.crisp)
            cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    } else {
        cairo_restore(cairo);
    }
    return OCELOTL_OK;
}

/* Draws the part of a scene between two heights; cairo's origin is that of the scene. Errors:
 * MEMORY, INTERNAL where cairo refuses something. */
static ocelotl_status draw_scene(cairo_t *cairo, const oc_scene *scene, double top, double bottom)
{
    /* Advances that do not depend on the resolution, so that PNG, PDF and SVG agree. */
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
    set_colour(cairo, scene->background, 1);
    cairo_paint(cairo);
    for (size_t i = 0; i < scene->item_count; i++)
        if (may_be_seen(scene, &scene->items[i], top, bottom))
            OC_TRY(draw_item(cairo, scene, &scene->items[i]));
    OC_TRY(check_cairo(cairo_status(cairo)));
    return check_cairo(cairo_surface_status(cairo_get_target(cairo)));
}

/* --- PDF */

static cairo_status_t append_pdf(void *closure, const unsigned char *bytes, unsigned int length)
{
    oc_text *pdf = closure;
    oc_text_append(pdf, (const char *)bytes, length);
    return pdf->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* A PDF has only a few fixed names for metadata, so the parameters are its keywords, as
 * "name=value; ...". */
static ocelotl_status set_metadata(cairo_surface_t *surface, const oc_scene *scene)
{
    oc_text keywords = {0};
    oc_text_add(&keywords, "");
    for (size_t i = 0; i < scene->entry_count; i++)
        oc_text_format(&keywords, "%s%s=%s", i > 0 ? "; " : "",
                       oc_scene_string(scene, scene->entries[i].key),
                       oc_scene_string(scene, scene->entries[i].value));
    /* Sets the date from SOURCE_DATE_EPOCH (reproducible-builds.org), or none, so that the file is
     * the same at any time. cairo leaves an empty date out. */
    const char *given = getenv("SOURCE_DATE_EPOCH");
    char date[40] = "";
    char *end = NULL;
    struct tm parts;
    const long long seconds = given != NULL ? strtoll(given, &end, 10) : -1;
    const time_t time = (time_t)seconds;
    if (seconds >= 0 && end != given && *end == '\0' && gmtime_r(&time, &parts) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
    if (!keywords.failed) {
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE,
                                       oc_scene_string(scene, scene->title));
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR,
                                       "ocelotl " OCELOTL_VERSION);
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_KEYWORDS, keywords.bytes);
    }
    const bool failed = keywords.failed;
    oc_text_free(&keywords);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status draw_pdf(cairo_surface_t *surface, const oc_scene *scene)
{
    OC_TRY(check_cairo(cairo_surface_status(surface)));
    OC_TRY(set_metadata(surface, scene));
    cairo_t *cairo = cairo_create(surface);
    const ocelotl_status status = draw_scene(cairo, scene, 0, scene->height);
    cairo_destroy(cairo);
    OC_TRY(status);
    cairo_surface_finish(surface);
    return check_cairo(cairo_surface_status(surface));
}

/* Finds the table of objects that ends the file; NULL if it has none, or another form. */
static const char *find_table(const oc_text *pdf)
{
    static const char head[] = "startxref\n";
    enum { TAIL = 48 };
    const char *last = pdf->length > TAIL ? strstr(pdf->bytes + pdf->length - TAIL, head) : NULL;
    const unsigned long long place =
        last != NULL ? strtoull(last + sizeof head - 1, NULL, 10) : pdf->length;
    return place < pdf->length && strncmp(pdf->bytes + place, "xref\n", 5) == 0 ? pdf->bytes + place
                                                                                : NULL;
}

/* Whether the file ends properly, and each object is where the table says. The table has lines of
 * 20 bytes. */
static bool is_whole(const oc_text *pdf)
{
    static const char end[] = "%%EOF\n";
    enum { LINE = 20 };
    const size_t length = sizeof end - 1;
    if (pdf->length <= length || memcmp(pdf->bytes + pdf->length - length, end, length) != 0)
        return false;
    const char *table = find_table(pdf);
    char *line = NULL;
    const unsigned long long count =
        table != NULL ? strtoull(table + strlen("xref\n0 "), &line, 10) : 0;
    if (count > pdf->length / LINE)
        return false;
    for (unsigned long long i = 1; i < count; i++) {
        char object[40];
        const unsigned long long place = strtoull(line + 1 + i * LINE, NULL, 10);
        const int digits = snprintf(object, sizeof object, "%llu 0 obj", i);
        if (place >= pdf->length || strncmp(pdf->bytes + place, object, (size_t)digits) != 0)
            return false;
    }
    return true;
}

static ocelotl_status encode_pdf(oc_text *pdf, const oc_scene *scene)
{
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append_pdf, pdf, scene->width, scene->height);
    const ocelotl_status status = draw_pdf(surface, scene);
    cairo_surface_destroy(surface);
    /* cairo goes on if it has no memory for a font, and reports nothing. */
    return status == OCELOTL_OK && !is_whole(pdf) ? oc_fail_memory() : status;
}

const oc_backend oc_backend_pdf = {".pdf", encode_pdf};

/* --- PNG */

/* Large pictures are drawn in bands, so that 20000 x 20000 pixels are never in memory at once. */
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

/* Warnings of libpng do not matter here, and a library never prints. */
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

/* ASCII goes into a tEXt chunk, other text into iTXt, which holds UTF-8. */
static void write_text(png_writer *writer, const char *key, const char *value)
{
    union {
        const char *constant;
        char *plain;
    } pointer_key = {key},
      pointer_value = {value}; /* libpng does not write through these pointers */
    png_text text = {.key = pointer_key.plain, .text = pointer_value.plain};
    text.compression = is_ascii(value) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
    if (text.compression == PNG_TEXT_COMPRESSION_NONE)
        text.text_length = strlen(value);
    else
        text.itxt_length = strlen(value);
    png_set_text(writer->png, writer->info, &text, 1);
}

/* libpng reports an error by a jump. All calls go through these three functions, which own nothing
 * that a jump could lose. */

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
    write_text(writer, "Title", oc_scene_string(scene, scene->title));
    for (size_t i = 0; i < scene->entry_count; i++)
        write_text(writer, oc_scene_string(scene, scene->entries[i].key),
                   oc_scene_string(scene, scene->entries[i].value));
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

static ocelotl_status check_size(const png_writer *writer, bool good)
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
        OC_TRY(check_size(writer, write_row(writer)));
    }
    return OCELOTL_OK;
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
    OC_TRY(check_size(writer, write_header(writer, scene)));
    const int band = PIXELS_OF_A_BAND / writer->width + 1;
    for (int top = 0; top < writer->height; top += band) {
        const int rows = writer->height - top < band ? writer->height - top : band;
        cairo_surface_t *surface =
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, writer->width, rows);
        cairo_t *cairo = cairo_create(surface);
        cairo_translate(cairo, 0, -top);
        cairo_scale(cairo, scene->scale, scene->scale);
        ocelotl_status status =
            draw_scene(cairo, scene, top / scene->scale, (top + rows) / scene->scale);
        if (status == OCELOTL_OK)
            status = write_band(writer, surface, rows);
        cairo_destroy(cairo);
        cairo_surface_destroy(surface);
        OC_TRY(status);
    }
    return check_size(writer, write_end(writer));
}

static ocelotl_status encode_png(oc_text *bytes, const oc_scene *scene)
{
    png_writer writer = {.bytes = bytes,
                         .width = (int)lround(scene->width * scene->scale),
                         .height = (int)lround(scene->height * scene->scale)};
    const ocelotl_status status = write_picture(&writer, scene);
    png_destroy_write_struct(&writer.png, &writer.info);
    free(writer.row);
    return status;
}

const oc_backend oc_backend_png = {".png", encode_png};

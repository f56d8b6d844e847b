#include "viz/scene/cairo_draw.h"

#include "base/text.h"
#include "viz/scene/scene.h"
#include "viz/words/words.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <string.h>

/* The first character that the font which is selected has no glyph for: where it begins, NULL for
 * none. cairo gives it glyph 0. */
static ocelotl_status find_missing(const char **missing, cairo_t *cairo, const char *string)
{
    cairo_glyph_t *glyphs = NULL;
    cairo_text_cluster_t *clusters = NULL;
    cairo_text_cluster_flags_t flags;
    int count = 0;
    int cluster_count = 0;
    *missing = NULL;
    OC_TRY(oc_cairo_check(cairo_scaled_font_text_to_glyphs(cairo_get_scaled_font(cairo), 0, 0,
                                                           string, -1, &glyphs, &count, &clusters,
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

/* A font like the usual one that has most of the characters; NULL for want of memory. */
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
    return oc_cairo_check(cairo_status(cairo));
}

ocelotl_status oc_font_select(cairo_t *cairo, const char *string, double size, bool bold)
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

ocelotl_status oc_cairo_check(cairo_status_t status)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return OCELOTL_OK;
    if (status == CAIRO_STATUS_NO_MEMORY)
        return oc_fail_memory();
    return oc_fail(OCELOTL_ERROR_INTERNAL, "cairo cannot draw the picture: %s",
                   cairo_status_to_string(status));
}

/* --- Drawing */

#define PI 3.14159265358979323846

static void set_colour(cairo_t *cairo, uint32_t colour, double opacity)
{
    cairo_set_source_rgba(cairo, (double)(colour >> 16 & 255) / 255,
                          (double)(colour >> 8 & 255) / 255, (double)(colour & 255) / 255, opacity);
}

/* As the pattern in an SVG: in the coordinates turned by the angle, a line covers 0 .. 1 of every
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

/* Pixels of a raster for one here; 0 where there are none, as in a PDF. */
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

/* Moves the middle of a line so that both its edges lie between pixels. */
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
    OC_TRY(oc_font_select(cairo, string, label->size, label->bold));
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

/* Advances that do not depend on the resolution, so that PNG, PDF and SVG agree. */
static void set_font_options(cairo_t *cairo)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
}

ocelotl_status oc_cairo_draw(cairo_t *cairo, const oc_scene *scene, double top, double bottom)
{
    set_font_options(cairo);
    set_colour(cairo, scene->background, 1);
    cairo_paint(cairo);
    for (size_t i = 0; i < scene->item_count; i++)
        if (may_be_seen(scene, &scene->items[i], top, bottom))
            OC_TRY(draw_item(cairo, scene, &scene->items[i]));
    OC_TRY(oc_cairo_check(cairo_status(cairo)));
    return oc_cairo_check(cairo_surface_status(cairo_get_target(cairo)));
}

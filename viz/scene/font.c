#include "viz/scene/font.h"

#include "base/text.h"
#include "viz/words/lettering.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>

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

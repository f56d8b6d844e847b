#include "viz/frame/caption.h"

#include "viz/words/lettering.h"

/* Distances in pixels. */
enum {
    TITLE_BASELINE = 16,
    TITLE_HEIGHT = 26,
    LINE = 17,
    LINE_BASELINE = 12,
    GAP = 9,
    SMALL_PICTURE = 400
};

/* Less of a piece than this many pixels says nothing. */
static const double least_piece = 80;

static const char separator[] = " \xC2\xB7 ";

static double width_of(const char *string)
{
    return oc_lettering_width(string, OC_SIZE_CAPTION, false);
}

/* A picture whose title is given as empty has none: who shows it says elsewhere what it is. */
static int title_height(const oc_picture *picture)
{
    return picture->title != NULL && picture->title[0] == '\0' ? 0 : TITLE_HEIGHT;
}

void oc_caption_begin(oc_caption *caption, const oc_picture *picture)
{
    caption->count = 0;
    caption->most =
        picture->height < SMALL_PICTURE ? OC_CAPTION_LINES_MOST - 1 : OC_CAPTION_LINES_MOST;
    caption->width = picture->width - 2 * oc_picture_margin(picture);
}

static void add_line(oc_caption *caption, const char *piece)
{
    oc_text *line = &caption->lines[caption->count];
    oc_text_clear(line);
    if (oc_lettering_fit(line, piece, OC_SIZE_CAPTION, false, caption->width))
        caption->count++;
}

void oc_caption_add(oc_caption *caption, const char *piece)
{
    if (piece == NULL || piece[0] == '\0')
        return;
    if (caption->count == 0) {
        add_line(caption, piece);
        return;
    }
    oc_text *line = &caption->lines[caption->count - 1];
    const double used = width_of(line->bytes) + width_of(separator);
    if (used + width_of(piece) > caption->width && caption->count < caption->most) {
        add_line(caption, piece);
        return;
    }
    oc_text cut = {0};
    if (used + least_piece <= caption->width &&
        oc_lettering_fit(&cut, piece, OC_SIZE_CAPTION, false, caption->width - used)) {
        oc_text_add(line, separator);
        oc_text_add(line, cut.bytes);
    }
    oc_text_free(&cut);
}

int oc_caption_bottom(const oc_caption *caption, const oc_picture *picture)
{
    return oc_picture_margin(picture) + title_height(picture) + LINE * caption->count + GAP;
}

static void draw_title(oc_scene *scene, const oc_picture *picture, double width)
{
    const int margin = oc_picture_margin(picture);
    const oc_label label = {
        margin, margin + TITLE_BASELINE, OC_ANCHOR_START, OC_SIZE_TITLE, true, picture->theme->ink,
        0};
    const char *title = oc_scene_string(scene, scene->title);
    oc_text cut = {0};
    if (oc_lettering_fit(&cut, title, OC_SIZE_TITLE, true, width))
        oc_scene_label(scene, &label, cut.bytes, NULL);
    scene->failed = scene->failed || cut.failed;
    oc_text_free(&cut);
}

void oc_caption_draw(oc_scene *scene, const oc_picture *picture, const oc_caption *caption)
{
    const int margin = oc_picture_margin(picture);
    oc_scene_group(scene, "caption", &(oc_group){0}, NULL);
    draw_title(scene, picture, caption->width);
    for (int i = 0; i < caption->count; i++) {
        const oc_label label = {margin,
                                margin + title_height(picture) + LINE_BASELINE + LINE * i,
                                OC_ANCHOR_START,
                                OC_SIZE_CAPTION,
                                false,
                                picture->theme->muted,
                                0};
        oc_scene_label(scene, &label, caption->lines[i].bytes, NULL);
        scene->failed = scene->failed || caption->lines[i].failed;
    }
    oc_scene_group_end(scene);
}

void oc_caption_free(oc_caption *caption)
{
    for (int i = 0; i < OC_CAPTION_LINES_MOST; i++)
        oc_text_free(&caption->lines[i]);
    caption->count = 0;
}

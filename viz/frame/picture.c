#include "viz/frame/picture.h"

#include "base/options.h"
#include "viz/words/words.h"

#include <math.h>
#include <string.h>

static const double default_width = 1280;
static const double default_height = 720;
static const double smallest_picture = 320;
static const double smallest_bare = 24; /* is as high as that */
static const double largest_picture = 20000;
static const double default_dpi = 96;
static const double default_smallest = 2;

static bool is_given(double value)
{
    return isnan(value) || value < 0 || value > 0;
}

static ocelotl_status check_length(double *length, double wanted, double preset, double least,
                                   const char *what)
{
    *length = is_given(wanted) ? round(wanted) : preset;
    if (*length >= least && *length <= largest_picture)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "a picture cannot have a %s of %g, expected %g to %g",
                   what, wanted, least, largest_picture);
}

/* The plot of a chart for a page lies within it. */
static ocelotl_status check_plot(oc_picture *picture, const ocelotl_picture_options *options)
{
    const int margin = oc_picture_margin(picture);
    if (!is_given(options->plot_left) && !is_given(options->plot_right))
        return OCELOTL_OK;
    if (!(options->plot_left >= margin && options->plot_right > options->plot_left &&
          options->plot_right <= picture->width - margin))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a plot cannot go from %g to %g, expected %d to %g",
                       options->plot_left, options->plot_right, margin, picture->width - margin);
    picture->plot_left = (int)round(options->plot_left);
    picture->plot_right = (int)round(options->plot_right);
    return OCELOTL_OK;
}

ocelotl_status oc_picture_read(oc_picture *picture, const oc_target *target,
                               const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    OC_TRY(oc_format_check(target->format));
    OC_TRY(oc_read_options(&options, sizeof options, given));
    OC_TRY(oc_check_names(&options.show, "a type to show"));
    OC_TRY(oc_check_names(&options.background, "a state of the background"));
    *picture = (oc_picture){.target = *target,
                            .title = options.title,
                            .command = options.command,
                            .area = options.area,
                            .names = options.type_names,
                            .shown = options.show,
                            .plain = options.plain,
                            .background = options.background,
                            .colour_by = options.colour_by,
                            .source = options.source,
                            .tree = options.type_tree,
                            .notes = options.notes,
                            .explained = options.explained,
                            .note_count = options.note_count,
                            .all_rows = options.all_rows || options.plain,
                            .texture = options.texture == OCELOTL_TEXTURE_LOSS,
                            .bare = options.bare || options.plot_right > 0,
                            .memory_failures = oc_memory_failures()};
    const double least = picture->bare ? smallest_bare : smallest_picture;
    OC_TRY(check_length(&picture->width, options.width, default_width, smallest_picture, "width"));
    OC_TRY(check_length(&picture->height, options.height, default_height, least, "height"));
    OC_TRY(check_plot(picture, &options));
    picture->dpi = is_given(options.dpi) ? options.dpi : default_dpi;
    if (!(picture->dpi >= 24 && picture->dpi <= 1200))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a picture cannot have %g dots per inch, expected 24 to 1200", options.dpi);
    if (fmax(picture->width, picture->height) * (picture->dpi / default_dpi) > largest_picture)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%g x %g at %g dots per inch are more than %g pixels, expected fewer dots",
                       picture->width, picture->height, picture->dpi, largest_picture);
    picture->smallest = is_given(options.smallest) ? options.smallest : default_smallest;
    if (!(picture->smallest >= 1 && picture->smallest <= 100))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the smallest thing to draw cannot have %g pixels, expected 1 to 100",
                       options.smallest);
    if (options.texture != OCELOTL_TEXTURE_NONE && options.texture != OCELOTL_TEXTURE_LOSS)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "texture %d does not exist, expected none or loss",
                       (int)options.texture);
    picture->theme = oc_theme_get(options.theme);
    if (picture->theme == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "theme %d does not exist, expected light or dark",
                       (int)options.theme);
    if (options.curves != OCELOTL_CURVES_RISING && options.curves != OCELOTL_CURVES_FALLING)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "curves are %d, expected 0 or 1",
                       (int)options.curves);
    picture->falling = options.curves == OCELOTL_CURVES_FALLING;
    picture->colours = options.colours;
    if (options.colours != NULL || options.palette == NULL)
        return OCELOTL_OK;
    OC_TRY(ocelotl_palette_read(&picture->read_colours, options.palette));
    picture->colours = picture->read_colours;
    return OCELOTL_OK;
}

void oc_picture_free(oc_picture *picture)
{
    ocelotl_palette_free(picture->read_colours);
    *picture = (oc_picture){0};
}

oc_colouring oc_picture_colouring(const oc_picture *picture)
{
    return (oc_colouring){picture->theme->paper, picture->colours, picture->names, &picture->shown,
                          picture->tree};
}

ocelotl_status ocelotl_picture_check(const char *path, const ocelotl_picture_options *options)
{
    oc_picture picture = {0};
    oc_target nowhere = {0};
    if (path != NULL)
        OC_TRY(ocelotl_picture_find_format(&nowhere.format, path));
    OC_TRY(oc_picture_read(&picture, &nowhere, options));
    oc_picture_free(&picture);
    return OCELOTL_OK;
}

ocelotl_status oc_picture_draw(const oc_picture *picture, oc_lay_out lay_out, const void *subject)
{
    oc_scene scene = {0};
    ocelotl_status status = lay_out(&scene, picture, subject);
    if (status == OCELOTL_OK)
        status = oc_check_memory(picture->memory_failures);
    if (status == OCELOTL_OK)
        status = oc_scene_write(&scene, &picture->target);
    oc_scene_free(&scene);
    return status;
}

ocelotl_status oc_picture_make(const oc_target *target, const ocelotl_picture_options *options,
                               oc_lay_out lay_out, const void *subject)
{
    oc_picture picture = {0};
    OC_TRY(oc_picture_read(&picture, target, options));
    const ocelotl_status status = oc_picture_draw(&picture, lay_out, subject);
    oc_picture_free(&picture);
    return status;
}

void oc_picture_preset(double *length, double preset)
{
    *length = is_given(*length) ? *length : preset;
}

void oc_picture_begin(oc_scene *scene, const oc_picture *picture, const char *title)
{
    oc_scene_begin(scene, picture->width, picture->height, picture->theme->paper,
                   picture->title != NULL ? picture->title : title);
    scene->scale = picture->dpi / default_dpi;
}

int oc_picture_margin(const oc_picture *picture)
{
    enum { BARE_MARGIN = 2 };
    const int margin = (int)(fmin(picture->width, picture->height) * 0.03);
    const int usual = margin < 10 ? 10 : margin > 24 ? 24 : margin;
    return picture->margin > 0 ? picture->margin : picture->bare ? BARE_MARGIN : usual;
}

void oc_metadata_text(oc_scene *scene, const char *key, const char *value)
{
    if (value != NULL && value[0] != '\0')
        oc_scene_metadata(scene, key, value);
}

void oc_metadata_number(oc_scene *scene, const char *key, double value)
{
    oc_text text = {0};
    oc_number_add(&text, value, 17);
    oc_scene_metadata(scene, key, text.bytes);
    oc_scene_take(scene, &text);
}

void oc_metadata_count(oc_scene *scene, const char *key, uint64_t value)
{
    oc_text text = {0};
    oc_text_format(&text, "%llu", (unsigned long long)value);
    oc_scene_metadata(scene, key, text.bytes);
    oc_scene_take(scene, &text);
}

void oc_picture_add_metadata(oc_scene *scene, const oc_picture *picture, const char *trace,
                             const char *uid)
{
    oc_scene_metadata(scene, "generator", "ocelotl " OCELOTL_VERSION);
    oc_metadata_text(scene, "command", picture->command);
    oc_metadata_text(scene, "trace", trace);
    oc_metadata_text(scene, "uid", uid);
}

void oc_picture_add_window(oc_scene *scene, const oc_picture *picture, const ocelotl_trace *trace,
                           const char *kind, int64_t from, int64_t to)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    oc_picture_add_metadata(scene, picture, info.name, info.uid);
    oc_metadata_text(scene, "kind", kind);
    oc_metadata_number(scene, "window_begin_seconds", ocelotl_trace_seconds(trace, from));
    oc_metadata_number(scene, "window_end_seconds", ocelotl_trace_seconds(trace, to));
}

void oc_window_add(oc_text *text, const ocelotl_trace *trace, int64_t from, int64_t to)
{
    const oc_time_range range = {ocelotl_trace_seconds(trace, from),
                                 ocelotl_trace_seconds(trace, to)};
    oc_time_span_add(text, range.begin, range.end, fabs(range.end - range.begin) / 5000, range);
}

void oc_label_draw(oc_scene *scene, const oc_label *label, const char *text, double room,
                   const char *tooltip)
{
    oc_text cut = {0};
    if (oc_lettering_fit(&cut, text, label->size, label->bold, room))
        oc_scene_label(scene, label, cut.bytes, tooltip);
    oc_scene_take(scene, &cut);
}

/* --- The caption: the title and the lines under it */

/* Distances in pixels. */
enum {
    TITLE_BASELINE = 16,
    TITLE_HEIGHT = 26,
    LINE = 17,
    LINE_BASELINE = 12,
    GAP = 9,
    SMALL_PICTURE = 400
};

/* A piece cut to fewer pixels than this says nothing. */
static const double least_piece = 80;

static const char separator[] = " \xC2\xB7 ";

static double width_of(const char *string)
{
    return oc_lettering_width(string, OC_SIZE_CAPTION, false);
}

/* An empty title means none: the page around the picture says what it is. */
static int title_height(const oc_picture *picture)
{
    return picture->title != NULL && picture->title[0] == '\0' ? 0 : TITLE_HEIGHT;
}

static void add_line(oc_caption *caption, const char *piece)
{
    oc_text *line = &caption->lines[caption->count];
    oc_text_clear(line);
    if (oc_lettering_fit(line, piece, OC_SIZE_CAPTION, false, caption->width))
        caption->count++;
}

/* How much of a text fits into a line, up to a blank; all where nothing does. */
static size_t fit_words(const char *text, double width)
{
    oc_text tried = {0};
    size_t fits = strlen(text);
    for (size_t end = strcspn(text, " "); text[end] != '\0';
         end += 1 + strcspn(text + end + 1, " ")) {
        oc_text_clear(&tried);
        oc_text_append(&tried, text, end);
        if (tried.failed || width_of(tried.bytes) > width)
            break;
        fits = end;
    }
    oc_text_free(&tried);
    return fits;
}

void oc_caption_add_sentence(oc_caption *caption, const char *sentence)
{
    oc_text clean = {0};
    oc_text line = {0};
    oc_clean_add_whole(&clean, sentence != NULL ? sentence : "", false);
    const char *rest = clean.failed ? "" : clean.bytes;
    for (int i = 0; i < OC_SENTENCE_LINES_MOST && rest != NULL && *rest != '\0'; i++) {
        const bool last = i + 1 == OC_SENTENCE_LINES_MOST || width_of(rest) <= caption->width;
        const size_t length = last ? strlen(rest) : fit_words(rest, caption->width);
        oc_text_clear(&line);
        oc_text_append(&line, rest, length);
        if (!line.failed)
            add_line(caption, line.bytes);
        rest += length + (rest[length] == ' ');
    }
    caption->whole = caption->count;
    caption->most += caption->count;
    caption->lines[0].failed = caption->lines[0].failed || clean.failed || line.failed;
    oc_text_free(&clean);
    oc_text_free(&line);
}

void oc_caption_add(oc_caption *caption, const char *piece)
{
    if (piece == NULL || piece[0] == '\0')
        return;
    if (caption->count == caption->whole) {
        add_line(caption, piece);
        return;
    }
    oc_text *line = &caption->lines[caption->count - 1];
    if (isinf(caption->width)) {
        oc_text_format(line, "\n%s", piece);
        return;
    }
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

void oc_caption_take(oc_caption *caption, oc_text *piece)
{
    if (!piece->failed)
        oc_caption_add(caption, piece->bytes);
    caption->lines[0].failed = caption->lines[0].failed || piece->failed;
    oc_text_clear(piece);
}

void oc_caption_add_phrase(oc_caption *caption, const char *phrase, const oc_word *words)
{
    oc_text piece = {0};
    oc_phrase_add(&piece, phrase, words);
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
}

void oc_caption_add_window(oc_caption *caption, const ocelotl_trace *trace, int64_t from,
                           int64_t to)
{
    oc_text piece = {0};
    oc_window_add(&piece, trace, from, to);
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
}

void oc_caption_add_clean(oc_caption *caption, const char *string)
{
    OC_CAPTION(caption, "{}", oc_word_name(string));
}

void oc_caption_add_states(oc_caption *caption, const ocelotl_model_info *model)
{
    if (model->state_type[0] != '\0')
        OC_CAPTION(caption,
                   strstr(model->state_type, ", ") != NULL ? "state types {}" : "state type {}",
                   oc_word_name(model->state_type));
}

void oc_caption_add_shown(oc_caption *caption, const oc_picture *picture)
{
    const ocelotl_names *shown = &picture->shown;
    oc_text piece = {0};
    for (size_t i = 0; i < shown->count; i++) {
        oc_text_add(&piece, i == 0 ? "in colour: " : ", ");
        oc_clean_add(&piece, shown->names[i], false);
    }
    if (shown->count > 0)
        oc_caption_take(caption, &piece);
    oc_text_free(&piece);
}

void oc_caption_draw(oc_scene *scene, const oc_picture *picture, const oc_caption *caption)
{
    const int margin = oc_picture_margin(picture);
    oc_label label = {
        margin, margin + TITLE_BASELINE, OC_ANCHOR_START, OC_SIZE_TITLE, true, picture->theme->ink,
        0};
    oc_scene_group(scene, "caption", &(oc_group_style){0}, NULL);
    oc_label_draw(scene, &label, oc_scene_string(scene, scene->title), caption->width, NULL);
    label.size = OC_SIZE_CAPTION;
    label.bold = false;
    label.colour = picture->theme->muted;
    for (int i = 0; i < caption->count; i++) {
        label.y = margin + title_height(picture) + LINE_BASELINE + LINE * i;
        oc_scene_label(scene, &label, caption->lines[i].bytes, NULL);
        scene->failed = scene->failed || caption->lines[i].failed;
    }
    oc_scene_group_end(scene);
}

void oc_caption_free(oc_caption *caption)
{
    for (int i = 0; i < OC_CAPTION_LINES_MOST + OC_SENTENCE_LINES_MOST; i++)
        oc_text_free(&caption->lines[i]);
    caption->count = 0;
}

/* --- Layout */

/* The rounds stop here even if the boxes still change each other. */
enum { ROUNDS_MOST = 4 };

static void add(oc_layout *layout, oc_layout_box box)
{
    if (layout->count < OC_LAYOUT_BOXES_MOST)
        layout->boxes[layout->count++] = box;
}

void oc_layout_measure(oc_layout *layout, oc_side side, oc_measure measure)
{
    add(layout, (oc_layout_box){.side = side, .measure = measure});
}

void oc_layout_measure_once(oc_layout *layout, oc_side side, oc_measure measure)
{
    add(layout, (oc_layout_box){.side = side, .measure = measure, .once = true});
}

void oc_layout_caption(oc_layout *layout, oc_caption *caption, oc_write_caption write)
{
    add(layout, (oc_layout_box){.side = OC_ABOVE, .caption = caption, .write_caption = write});
}

void oc_layout_reserve(oc_layout *layout, oc_side side, int size)
{
    add(layout, (oc_layout_box){.side = side, .size = size});
}

/* The plot takes what the boxes and the margins leave. */
static void place(oc_frame *plot, const oc_layout *layout, const oc_picture *picture)
{
    const int margin = oc_picture_margin(picture);
    int taken[] = {
        [OC_ABOVE] = margin, [OC_BELOW] = margin, [OC_LEFT] = margin, [OC_RIGHT] = margin};
    for (size_t i = 0; i < layout->count; i++)
        taken[layout->boxes[i].side] += layout->boxes[i].size;
    if (picture->half != NULL && taken[OC_LEFT] < picture->half->left)
        taken[OC_LEFT] = picture->half->left;
    *plot = (oc_frame){taken[OC_LEFT], taken[OC_ABOVE],
                       (int)picture->width - taken[OC_RIGHT] - taken[OC_LEFT],
                       (int)picture->height - taken[OC_ABOVE] - taken[OC_BELOW]};
    if (picture->half != NULL) {
        plot->width = (int)fmax(1, round(plot->width * picture->half->extent));
        picture->half->plot = *plot;
    }
}

ocelotl_status oc_layout_solve(oc_frame *plot, const oc_layout *layout, const oc_picture *picture,
                               void *subject)
{
    oc_layout now = *layout;
    bool changed = true;
    *plot = (oc_frame){0};
    for (int round = 0; round < ROUNDS_MOST && changed; round++) {
        changed = round == 0;
        for (size_t i = 0; i < now.count; i++) {
            oc_layout_box *box = &now.boxes[i];
            const int before = box->size;
            if ((box->measure == NULL && box->caption == NULL) || (round > 0 && box->once))
                continue;
            if (box->caption != NULL) {
                box->caption->count = box->caption->whole = 0;
                box->caption->most = OC_CAPTION_LINES_MOST - (picture->height < SMALL_PICTURE);
                box->caption->width = picture->width - 2 * oc_picture_margin(picture);
                box->write_caption(box->caption, subject);
                box->size = title_height(picture) + LINE * box->caption->count + GAP;
            } else {
                OC_TRY(box->measure(&box->size, subject));
            }
            changed = changed || box->size != before;
            place(plot, &now, picture);
        }
    }
    place(plot, &now, picture);
    return OCELOTL_OK;
}

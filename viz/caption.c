#include "viz/overview.h"

#include "viz/lettering.h"

/* Less of a piece than this many pixels says nothing. */
static const double least_piece = 80;

static const char separator[] = " \xC2\xB7 ";

static void add_line(oc_caption *caption, const char *piece, double width)
{
    oc_text *line = &caption->lines[caption->count];
    oc_text_clear(line);
    if (oc_lettering_fit(line, piece, OC_SIZE_CAPTION, false, width))
        caption->count++;
}

/* Puts a piece after the others, on a line of its own where it does not fit any more. */
static void add_piece(oc_caption *caption, const oc_text *piece, double width, int most)
{
    if (piece->failed || piece->length == 0)
        return;
    if (caption->count == 0) {
        add_line(caption, piece->bytes, width);
        return;
    }
    oc_text *line = &caption->lines[caption->count - 1];
    const double used = oc_lettering_width(line->bytes, OC_SIZE_CAPTION, false) +
                        oc_lettering_width(separator, OC_SIZE_CAPTION, false);
    if (used + oc_lettering_width(piece->bytes, OC_SIZE_CAPTION, false) > width && caption->count < most) {
        add_line(caption, piece->bytes, width);
        return;
    }
    oc_text cut = {0};
    if (used + least_piece <= width && oc_lettering_fit(&cut, piece->bytes, OC_SIZE_CAPTION, false, width - used)) {
        oc_text_add(line, separator);
        oc_text_add(line, cut.bytes);
    }
    oc_text_free(&cut);
}

static void write_parts(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    oc_count_add(piece, partition->part_count);
    oc_text_add(piece, partition->part_count == 1 ? " part of " : " parts of ");
    oc_count_add(piece, partition->cell_count);
    oc_text_add(piece, partition->cell_count == 1 ? " cell" : " cells");
}

static void write_slices(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    oc_count_add(piece, model->slice_count);
    oc_text_add(piece, model->slice_count == 1 ? " slice" : " slices");
    if (model->slices_wanted > model->slice_count) {
        oc_text_add(piece, " instead of ");
        oc_count_add(piece, model->slices_wanted);
    }
}

static void write_slices_reason(oc_text *piece, const oc_overview *overview)
{
    if (overview->model.slices_reason[0] == '\0')
        return;
    oc_text_add(piece, "fewer slices: ");
    oc_clean_add(piece, overview->model.slices_reason, false);
}

static void write_measures(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    oc_text_add(piece, "gain ");
    oc_percent_add(piece, partition->whole_gain > 0 ? partition->gain / partition->whole_gain : 0);
    oc_text_add(piece, " and loss ");
    oc_percent_add(piece, partition->whole_loss > 0 ? partition->loss / partition->whole_loss : 0);
    oc_text_add(piece, " of the whole");
}

static void write_left_out(oc_text *piece, const oc_overview *overview)
{
    const uint32_t count = overview->model.leaves_left_out;
    if (count == 0)
        return;
    oc_count_add(piece, count);
    oc_text_add(piece, count == 1 ? " resource without states left out" : " resources without states left out");
}

static void write_state_type(oc_text *piece, const oc_overview *overview)
{
    if (overview->model.state_type[0] == '\0')
        return;
    oc_text_add(piece, "state type ");
    oc_clean_add(piece, overview->model.state_type, false);
}

/* What is not as usual. */
static void write_choices(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_kind kind = overview->input->partition.kind;
    if (kind != OCELOTL_SPATIOTEMPORAL)
        oc_text_add(piece, kind == OCELOTL_TEMPORAL ? "temporal" : "spatial");
    if (!overview->model.has_time)
        return;
    if (overview->model.nesting == OCELOTL_INCLUSIVE)
        oc_text_add(piece, piece->length > 0 ? ", nested states inclusive" : "nested states inclusive");
    if (overview->model.untraced == OCELOTL_UNTRACED_IGNORE)
        oc_text_add(piece, piece->length > 0 ? ", untraced time ignored" : "untraced time ignored");
}

/* With all the digits that typing it again takes. */
static void write_p(oc_text *piece, const oc_overview *overview)
{
    oc_text_add(piece, "p ");
    oc_number_add(piece, overview->input->partition.p, 17);
}

static void write_hidden(oc_text *piece, size_t hidden)
{
    if (hidden == 0)
        return;
    oc_count_add(piece, hidden);
    oc_text_add(piece, hidden == 1 ? " part smaller than a pixel" : " parts smaller than a pixel");
}

void oc_caption_write(oc_caption *caption, const oc_overview *overview, size_t hidden, double width, int most)
{
    static void (*const writers[])(oc_text *, const oc_overview *) = {
        write_p,       write_slices,     write_parts,    write_measures,
        write_choices, write_state_type, write_left_out, write_slices_reason,
    };
    oc_text piece = {0};
    caption->count = 0;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        oc_text_clear(&piece);
        writers[i](&piece, overview);
        add_piece(caption, &piece, width, most);
    }
    oc_text_clear(&piece);
    write_hidden(&piece, hidden);
    add_piece(caption, &piece, width, most);
    caption->lines[0].failed = caption->lines[0].failed || piece.failed;
    oc_text_free(&piece);
}

void oc_caption_draw(oc_scene *scene, const oc_overview *overview, const oc_caption *caption)
{
    const double width = overview->input->width - 2 * overview->margin;
    oc_text title = {0};
    oc_scene_group(scene, "caption", &(oc_group){0}, NULL);
    if (oc_lettering_fit(&title, oc_scene_string(scene, scene->title), OC_SIZE_TITLE, true, width))
        oc_scene_label(scene,
                       &(oc_label){overview->margin, overview->margin + 16, OC_ANCHOR_START, OC_SIZE_TITLE, true,
                                   OC_COLOUR_INK, 0},
                       title.bytes, NULL);
    for (int i = 0; i < caption->count; i++) {
        const double y = overview->margin + 38 + 17 * i;
        oc_scene_label(
            scene, &(oc_label){overview->margin, y, OC_ANCHOR_START, OC_SIZE_CAPTION, false, OC_COLOUR_MUTED, 0},
            caption->lines[i].bytes, NULL);
        scene->failed = scene->failed || caption->lines[i].failed;
    }
    oc_scene_group_end(scene);
    scene->failed = scene->failed || title.failed;
    oc_text_free(&title);
}

void oc_caption_free(oc_caption *caption)
{
    for (int i = 0; i < OC_CAPTION_LINES_MOST; i++)
        oc_text_free(&caption->lines[i]);
    caption->count = 0;
}

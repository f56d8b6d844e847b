#include "viz/curves/curves.h"
#include "viz/words/words.h"

#include <math.h>

enum { ABOVE_WHOLE = 10 /* pixels from the line of 100 % to the top of the plot */ };

double oc_curves_x(const oc_curves *curves, double p)
{
    return curves->shares.left + p * curves->shares.width;
}

double oc_curves_y(const oc_curves *curves, double share)
{
    const oc_frame *frame = &curves->shares;
    return frame->top + frame->height - 1 - share * (frame->height - 1 - ABOVE_WHOLE);
}

/* Logarithmic, from one part at the bottom to the most at the top. */
double oc_curves_parts_y(const oc_curves *curves, double parts)
{
    const oc_frame *frame = &curves->parts;
    const double most = curves->most_parts;
    const double share = most > 1 ? log10(fmax(1, parts)) / log10(most) : 0;
    return frame->top + frame->height - 3 - share * (frame->height - 6);
}

const ocelotl_level *oc_curves_level_at(const oc_curves_input *input, double p)
{
    size_t low = 0;
    size_t high = input->info.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (input->levels[middle].p_from <= p)
            low = middle;
        else
            high = middle;
    }
    return &input->levels[low];
}

static double share(double part, double whole)
{
    return whole > 0 ? fmin(1, fmax(0, part / whole)) : 0;
}

double oc_curves_gain(const oc_curves_input *input, const ocelotl_level *level)
{
    return share(level->gain, input->whole_gain);
}

double oc_curves_loss(const oc_curves_input *input, const ocelotl_level *level)
{
    return share(level->loss, input->whole_loss);
}

/* --- Caption and metadata */

static const char *name_of(ocelotl_kind kind)
{
    return kind == OCELOTL_TEMPORAL  ? "temporal"
           : kind == OCELOTL_SPATIAL ? "spatial"
                                     : "spatiotemporal";
}

static void add_count(oc_text *piece, uint64_t count, const char *one, const char *many)
{
    oc_count_add(piece, count);
    oc_text_format(piece, " %s", count == 1 ? one : many);
}

static void add_quality(oc_text *piece, const oc_curves_input *input, const ocelotl_level *level)
{
    add_count(piece, level->parts, "part", "parts");
    oc_text_add(piece, ", gain ");
    oc_percent_add(piece, oc_curves_gain(input, level));
    oc_text_add(piece, ", loss ");
    oc_percent_add(piece, oc_curves_loss(input, level));
}

static void write_what(oc_text *piece, const oc_curves_input *input)
{
    oc_text_format(piece, "%s levels of detail, gain and loss as shares of the whole's",
                   name_of(input->kind));
}

static void write_p(oc_text *piece, const oc_curves_input *input)
{
    if (isnan(input->p))
        return;
    oc_text_add(piece, "p ");
    oc_number_add(piece, input->p, 17);
    oc_text_add(piece, ": ");
    add_quality(piece, input, oc_curves_level_at(input, input->p));
}

static void write_automatic(oc_text *piece, const oc_curves_input *input)
{
    for (size_t i = 0; i < input->info.count; i++) {
        if (!input->levels[i].automatic)
            continue;
        oc_text_add(piece, "auto (p ");
        oc_number_add(piece, input->levels[i].p, 17);
        oc_text_add(piece, "): ");
        add_quality(piece, input, &input->levels[i]);
        return;
    }
}

static void write_levels(oc_text *piece, const oc_curves_input *input)
{
    add_count(piece, input->info.count, "level", "levels");
    if (!input->info.complete)
        oc_text_add(piece, ", not all,");
    oc_text_add(piece, " in ");
    add_count(piece, input->info.plateaus, "plateau", "plateaus");
}

static void write_slices(oc_text *piece, const oc_curves_input *input)
{
    add_count(piece, input->model.slice_count, "slice", "slices");
}

static void write_state_type(oc_text *piece, const oc_curves_input *input)
{
    if (input->model.state_type[0] == '\0')
        return;
    oc_text_add(piece, "state type ");
    oc_clean_add(piece, input->model.state_type, false);
}

void oc_curves_write_caption(oc_caption *caption, const oc_curves_input *input)
{
    static void (*const writers[])(oc_text *, const oc_curves_input *) = {
        write_what, write_p, write_automatic, write_levels, write_slices, write_state_type,
    };
    oc_text piece = {0};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        oc_text_clear(&piece);
        writers[i](&piece, input);
        if (piece.length > 0 && !piece.failed)
            oc_caption_add(caption, piece.bytes);
    }
    caption->lines[0].failed = caption->lines[0].failed || piece.failed;
    oc_text_free(&piece);
}

void oc_curves_add_metadata(oc_scene *scene, const oc_picture *picture,
                            const oc_curves_input *input)
{
    const ocelotl_model_info *model = &input->model;
    oc_picture_add_metadata(scene, picture);
    oc_metadata_text(scene, "trace", model->name);
    oc_metadata_text(scene, "uid", model->uid);
    oc_scene_metadata(scene, "kind", name_of(input->kind));
    oc_scene_metadata(scene, "view", "curves");
    if (!isnan(input->p))
        oc_metadata_number(scene, "p", input->p);
    oc_metadata_count(scene, "slices", model->slice_count);
    oc_metadata_count(scene, "levels", input->info.count);
    oc_metadata_count(scene, "plateaus", input->info.plateaus);
    oc_scene_metadata(scene, "complete", input->info.complete ? "true" : "false");
    oc_metadata_number(scene, "whole_gain", input->whole_gain);
    oc_metadata_number(scene, "whole_loss", input->whole_loss);
    oc_metadata_text(scene, "state_type", model->state_type);
    if (model->has_time) {
        oc_metadata_number(scene, "window_begin_seconds", model->begin);
        oc_metadata_number(scene, "window_end_seconds", model->end);
    }
}

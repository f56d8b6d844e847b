/* The difference of two traces (docs/compare.md): a rectangle for each part of a partition of
 * both, in one colour where a type has more in the second, in another where it has less, as opaque
 * as that is much. */
#include "compare/compare.h"
#include "viz/overview/views.h"
#include "viz/pictures.h"

#include "base/options.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

/* These two differ for people with red-green colour blindness, too. */
static const uint32_t more_colour = 0xC4451C;
static const uint32_t less_colour = 0x1F5FA8;

enum { CHANGES_SHOWN = 5 };

static double difference(const oc_overview *overview, const ocelotl_part *part, uint32_t type)
{
    return part->shares[overview->model.compared_types + type] - part->shares[type];
}

/* The type that the user chose, or the one that differs most: see find_name. */
static uint32_t type_of(const oc_overview *overview)
{
    return overview->type != OCELOTL_NONE ? overview->type % overview->model.compared_types : 0;
}

static double largest_of(const oc_overview *overview, uint32_t type)
{
    double largest = 0;
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        largest = fmax(largest, fabs(difference(overview, &overview->input->parts[i], type)));
    return largest;
}

static uint32_t colour_on(const oc_theme *theme, bool more)
{
    return oc_colour_visible(more ? more_colour : less_colour, theme->paper, 4.5);
}

static ocelotl_status give_looks(oc_look *looks, const oc_overview *overview,
                                 const oc_drawn_blocks *blocks)
{
    const uint32_t type = type_of(overview);
    const double largest = largest_of(overview, type);
    for (size_t i = 0; i < blocks->count; i++) {
        const ocelotl_part part = oc_block_as_part(blocks, overview, &blocks->blocks[i]);
        const double value = difference(overview, &part, type);
        looks[i].fill = colour_on(overview->picture->theme, value > 0);
        looks[i].opacity = largest > 0 ? fmin(1, fabs(value) / largest) : 0;
    }
    return OCELOTL_OK;
}

static void add_amount(oc_text *text, const oc_overview *overview, double amount)
{
    if (overview->shading.shares) {
        oc_percent_add(text, amount);
        return;
    }
    oc_quantity_add(text, amount, 4, overview->model.has_time ? overview->model.unit : "");
}

static void add_change(oc_text *text, const oc_overview *overview, const ocelotl_part *part,
                       uint32_t type)
{
    const ocelotl_model_info *model = &overview->model;
    const double amount = difference(overview, part, type);
    OC_PHRASE(text, "{} {}", oc_word_name(overview->types[type].type.name),
              oc_word_text(amount > 0   ? "+"
                           : amount < 0 ? "\xE2\x88\x92"
                                        : ""));
    add_amount(text, overview, fabs(amount));
    oc_text_add(text, " (");
    add_amount(text, overview, part->shares[type]);
    oc_text_add(text, " \xE2\x86\x92 ");
    add_amount(text, overview, part->shares[overview->model.compared_types + type]);
    oc_text_add(text, ")");
    if (overview->shading.shares) { /* of time, in all cells of the part */
        const double slice = ocelotl_slice_length(model);
        OC_PHRASE(text, ", {}{} in all",
                  oc_word_text(amount > 0   ? "+"
                               : amount < 0 ? "\xE2\x88\x92"
                                            : ""),
                  oc_word_amount(fabs(amount) * oc_part_cells(part) * slice, "s"));
    }
    oc_text_add(text, "\n");
}

/* Finds the next largest difference after that of `before`, leaving one type out. */
static uint32_t next_largest(const oc_overview *overview, const ocelotl_part *part, uint32_t before,
                             uint32_t but)
{
    const double most =
        before == OCELOTL_NONE ? INFINITY : fabs(difference(overview, part, before));
    uint32_t found = OCELOTL_NONE;
    for (uint32_t type = 0; type < overview->model.compared_types; type++) {
        const double size = fabs(difference(overview, part, type));
        const bool after =
            size < most || (before != OCELOTL_NONE && !(size > most) && type > before);
        const bool larger = found == OCELOTL_NONE || size > fabs(difference(overview, part, found));
        if (type != but && size > 0 && after && larger)
            found = type;
    }
    return found;
}

/* The type that is drawn, and then those that differ most. */
static void describe_part(oc_text *text, const oc_overview *overview, const ocelotl_part *part,
                          bool brief)
{
    const uint32_t drawn = type_of(overview);
    add_change(text, overview, part, drawn);
    uint32_t type = next_largest(overview, part, OCELOTL_NONE, drawn);
    for (int i = 1; i < CHANGES_SHOWN && type != OCELOTL_NONE && !brief; i++) {
        add_change(text, overview, part, type);
        type = next_largest(overview, part, type, drawn);
    }
}

static void describe(oc_caption *caption, const oc_overview *overview)
{
    const uint32_t type = type_of(overview);
    OC_CAPTION(caption, "difference of {}{}, the second less the first{}",
               oc_word_name(overview->types[type].type.name),
               oc_word_text(overview->shading.shares ? " in shares of time" : ""),
               oc_word_text(largest_of(overview, type) > 0 ? "" : ": none"));
    if (overview->model.has_time)
        oc_caption_add(caption, "time is the first's, the second has as many slices");
    oc_blocks_write_caption(caption, overview);
}

static void explain(oc_legend *legend, const oc_overview *overview)
{
    const uint32_t type = type_of(overview);
    const double largest = largest_of(overview, type);
    oc_text name = {0};
    for (int more = 1; more >= 0 && largest > 0; more--) {
        oc_text_clear(&name);
        OC_PHRASE(&name, more ? "{}: more, to +" : "{}: less, to \xE2\x88\x92",
                  oc_word_name(overview->types[type].type.name));
        add_amount(&name, overview, largest);
        oc_legend_add(
            legend, OC_LEGEND_SHADES, oc_legend_swatch(colour_on(overview->picture->theme, more)),
            name.bytes,
            overview->shading.shares
                ? "Of the time of a resource in a slice, on average over the part; fainter: "
                  "a smaller difference"
                : "Of a resource in a slice, on average over the part; fainter: a smaller "
                  "difference",
            false);
    }
    oc_legend_take(legend, &name);
    oc_blocks_write_legend(legend, overview);
}

/* Finds the type whose absolute differences over all parts are largest. Untraced time counts only
 * if nothing else differs. */
static const char *find_name(const oc_overview_input *input, uint32_t types)
{
    const char *found = ocelotl_model_type_at(input->model, 0).name;
    double most = 0;
    for (uint32_t type = 0; type < types; type++) {
        const ocelotl_type is = ocelotl_model_type_at(input->model, type);
        double sum = 0;
        for (size_t i = 0; i < input->partition.part_count; i++)
            sum += fabs(input->parts[i].shares[types + type] - input->parts[i].shares[type]) *
                   oc_part_cells(&input->parts[i]);
        if (sum > most && !is.untraced) {
            most = sum;
            found = is.name;
        }
    }
    return found;
}

static const oc_view difference_view = {
    .is = {"difference", "what each part has more in the second than in the first",
           OCELOTL_SPATIOTEMPORAL},
    .resources = true,
    .draw = oc_blocks_draw,
    .look = give_looks,
    .write_caption = describe,
    .write_legend = explain,
    .describe_part = describe_part};

ocelotl_status ocelotl_difference_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                       const ocelotl_partition *partition,
                                       const ocelotl_picture_options *given)
{
    oc_overview_input input = {.view = &difference_view};
    ocelotl_part *parts = NULL;
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    ocelotl_status status = oc_overview_gather(&input, &parts, partition);
    const uint32_t types = ocelotl_model_info_of(input.model).compared_types;
    if (status == OCELOTL_OK && (types == 0 || input.partition.kind != OCELOTL_SPATIOTEMPORAL))
        status = oc_fail(OCELOTL_ERROR_ARGUMENT, "a difference is drawn of a spatiotemporal "
                                                 "partition of two models that were joined");
    if (status == OCELOTL_OK) {
        input.type = options.type != NULL ? options.type : find_name(&input, types);
        status = oc_picture_make(&(oc_target){sink, format}, &options, oc_overview_lay_out, &input);
    }
    free(parts);
    return status;
}

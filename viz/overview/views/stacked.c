/* The stacked histogram (thesis 5.6.3): a column for each part, and in it a block for each type, as
 * high as its share, the largest type of the picture at the bottom. Types lower than a threshold
 * are one block on top, or a mark if even that is too low. Above lie untraced time, as paper, and
 * what is outside lifetimes, hatched. */
#include "viz/overview/views.h"

#include "viz/words/words.h"

#include <math.h>

enum { MERGED_NAMED = 8, MARK_WIDTH = 7, MARK_HEIGHT = 4 };

static const double rounding = 1e-9;

/* Pixels that a value takes. */
static double height_of(const oc_histogram *histogram, double value)
{
    const oc_overview *overview = histogram->overview;
    const double frame =
        overview->frame.height > 0 ? overview->frame.height : overview->picture->height * 0.7;
    return value / histogram->top * frame;
}

static bool is_stacked(const oc_overview *overview, uint32_t type, double value)
{
    return value > 0 && !overview->types[type].type.untraced;
}

static bool is_merged(const oc_histogram *histogram, uint32_t type, double value)
{
    return is_stacked(histogram->overview, type, value) &&
           height_of(histogram, value) < histogram->overview->picture->smallest - rounding;
}

/* The types of a column that are too low to be seen. */
typedef struct low_types {
    double value;
    uint32_t count;
} low_types;

static low_types find_low_types(const oc_histogram *histogram, const ocelotl_part *part)
{
    low_types found = {0};
    for (uint32_t type = 0; type < histogram->overview->model.type_count; type++) {
        if (is_merged(histogram, type, part->shares[type])) {
            found.value += part->shares[type];
            found.count++;
        }
    }
    return found;
}

static bool is_block(const oc_histogram *histogram, const low_types *low)
{
    return low->count > 0 &&
           height_of(histogram, low->value) >= histogram->overview->picture->smallest - rounding;
}

/* The value that a column reaches without its low types. */
static double sum_of_blocks(const oc_histogram *histogram, const ocelotl_part *part)
{
    double sum = 0;
    for (uint32_t i = 0; i < histogram->overview->model.type_count; i++) {
        const uint32_t type = histogram->overview->order[i];
        if (is_stacked(histogram->overview, type, part->shares[type]) &&
            !is_merged(histogram, type, part->shares[type]))
            sum += part->shares[type];
    }
    return sum;
}

static void describe_merged(oc_text *text, const oc_histogram *histogram, size_t index,
                            const low_types *low)
{
    const oc_overview *overview = histogram->overview;
    const ocelotl_part *part = &overview->input->parts[index];
    uint32_t named = 0;
    oc_text name = {0};
    oc_text_format(&name, low->count == 1 ? "%u low type" : "%u low types", low->count);
    oc_text_clear(text);
    oc_histogram_describe(text, overview, index, name.failed ? "" : name.bytes, low->value);
    for (uint32_t i = 0; i < overview->model.type_count && named < MERGED_NAMED; i++) {
        const uint32_t type = overview->order[i];
        if (!is_merged(histogram, type, part->shares[type]))
            continue;
        OC_PHRASE(text, "\n{} ", oc_word_name(overview->types[type].type.name));
        oc_overview_add_value(text, overview, part, type);
        named++;
    }
    if (named < low->count)
        oc_text_format(text, "\nand %u more", low->count - named);
    oc_text_free(&name);
}

/* Stripes tell it apart from a type of any colour. */
static oc_rectangle merged_look(const oc_theme *theme)
{
    oc_rectangle look = oc_legend_swatch(theme->ink);
    look.hatch = theme->rule;
    return look;
}

/* Returns the value that the column reaches up to. */
static double draw_types(oc_scene *scene, const oc_histogram *histogram, size_t index,
                         oc_text *tooltip)
{
    const oc_overview *overview = histogram->overview;
    const double *shares = overview->input->parts[index].shares;
    double reached = 0;
    for (uint32_t i = 0; i < overview->model.type_count; i++) {
        const uint32_t type = overview->order[i];
        if (!is_stacked(overview, type, shares[type]) || is_merged(histogram, type, shares[type]))
            continue;
        const oc_rectangle look = oc_legend_swatch(overview->types[type].colour);
        oc_text_clear(tooltip);
        oc_histogram_describe(tooltip, overview, index, overview->types[type].type.name,
                              shares[type]);
        oc_histogram_draw_block(scene, histogram, index, reached, reached + shares[type], &look,
                                tooltip->bytes);
        reached += shares[type];
    }
    return reached;
}

/* Draws a triangle, or a tick without room for it, on top of a column: types here are too low to be
 * seen. */
static void draw_mark(oc_scene *scene, const oc_histogram *histogram, size_t index,
                      oc_text *tooltip)
{
    const oc_overview *overview = histogram->overview;
    const ocelotl_part *part = &overview->input->parts[index];
    const oc_box column = oc_histogram_column(histogram, index);
    const low_types low = find_low_types(histogram, part);
    if (low.count == 0 || is_block(histogram, &low))
        return;
    const int y = oc_histogram_y(histogram, sum_of_blocks(histogram, part));
    const int base = y < overview->frame.top + MARK_HEIGHT ? overview->frame.top + MARK_HEIGHT : y;
    oc_rectangle tick = oc_legend_swatch(overview->picture->theme->ink);
    const double middle = column.x + column.width / 2.0;
    const oc_point points[] = {{middle - MARK_WIDTH / 2.0, base},
                               {middle + MARK_WIDTH / 2.0, base},
                               {middle, base - MARK_HEIGHT}};
    const oc_path triangle = {.closed = true,
                              .fill = overview->picture->theme->ink,
                              .opacity = 1,
                              .stroke = overview->picture->theme->paper,
                              .width = 1};
    tick.x = floor(middle);
    tick.y = base - 2;
    tick.width = 1;
    tick.height = 2;
    describe_merged(tooltip, histogram, index, &low);
    if (column.width > MARK_WIDTH)
        oc_scene_path(scene, &triangle, points, 3, tooltip->bytes);
    else
        oc_scene_rectangle(scene, &tick, tooltip->bytes);
    oc_scene_refer(scene, index + 1);
}

static void draw_column(oc_scene *scene, const oc_histogram *histogram, size_t index,
                        oc_text *tooltip)
{
    const oc_overview *overview = histogram->overview;
    const low_types low = find_low_types(histogram, &overview->input->parts[index]);
    const oc_rectangle look = merged_look(overview->picture->theme);
    oc_histogram_draw_paper(scene, histogram, index, tooltip);
    const double reached = draw_types(scene, histogram, index, tooltip);
    oc_histogram_draw_outside(scene, histogram, index, tooltip);
    if (!is_block(histogram, &low))
        return;
    describe_merged(tooltip, histogram, index, &low);
    oc_histogram_draw_block(scene, histogram, index, reached, reached + low.value, &look,
                            tooltip->bytes);
}

static oc_histogram columns(const oc_overview *overview)
{
    oc_histogram made = {.whole = true, .draw_column = draw_column, .draw_mark = draw_mark};
    for (size_t i = 0; i < overview->input->partition.part_count; i++) {
        double sum = 0;
        for (uint32_t type = 0; type < overview->model.type_count; type++)
            if (is_stacked(overview, type, overview->input->parts[i].shares[type]))
                sum += overview->input->parts[i].shares[type];
        made.largest = fmax(made.largest, sum);
    }
    return made;
}

/* How a type is drawn in the columns. */
typedef struct presence {
    bool block, merged;
} presence;

static presence find_presence(const oc_histogram *histogram, uint32_t type)
{
    const oc_overview_input *input = histogram->overview->input;
    presence found = {0};
    for (size_t i = 0; i < input->partition.part_count && !(found.block && found.merged); i++) {
        const double value = input->parts[i].shares[type];
        const bool merged = is_merged(histogram, type, value);
        found.merged = found.merged || merged;
        found.block = found.block || (!merged && is_stacked(histogram->overview, type, value));
    }
    return found;
}

/* The plot has no place yet: the height of a type is known to within a few pixels. */
static void explain(oc_legend *legend, const oc_overview *overview)
{
    const oc_theme *theme = overview->picture->theme;
    const oc_histogram histogram = oc_histogram_of(overview);
    bool merged = false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < overview->model.type_count; i++) {
            const presence found = find_presence(&histogram, overview->order[i]);
            merged = merged || found.merged;
            if (pass == 0 ? found.block : !found.block && found.merged)
                oc_overview_explain_type(
                    legend, OC_LEGEND_TYPE, &overview->types[overview->order[i]], " of the whole",
                    found.block ? "" : ", nowhere high enough for a block of its own");
        }
    }
    if (overview->has_untraced)
        oc_legend_add(legend, OC_LEGEND_MARK,
                      oc_legend_striped(theme, theme->paper, OC_COLOUR_NONE), "(no state)", NULL,
                      false);
    oc_histogram_explain_outside(legend, overview);
    if (merged)
        oc_legend_add(legend, OC_LEGEND_MARK, merged_look(theme), "lower types, merged or marked",
                      NULL, false);
    oc_merged_parts_write_legend(legend, overview);
}

const oc_view oc_view_stacked = {.is = {"stacked",
                                        "for each part the shares of its types, one upon the other",
                                        OCELOTL_TEMPORAL},
                                 .texture = true,
                                 .draw = oc_histogram_draw,
                                 .columns = columns,
                                 .write_caption = oc_merged_parts_write_caption,
                                 .write_legend = explain,
                                 .left = oc_histogram_left,
                                 .right = oc_histogram_right};

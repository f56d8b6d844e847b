/* Scales of variables: those of one unit and about one magnitude share one, so that their heights
 * compare; at the right of each row stand its ends. */
#include "base/memory.h"
#include "viz/gantt/gantt.h"
#include "viz/words/words.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Types of one unit share a scale if each reaches this share of it: a lower one would look flat. */
static const double least_share = 0.1;

/* Pixels. */
enum {
    TICK = 4,
    GAP = 3,        /* from a tick to its label */
    UNIT_MOST = 36, /* a longer name of a unit stands in the legend alone */
    LABEL_FROM = 11,
    BOTH_FROM = 25, /* a row that has room for both ends */
    TOP_BASELINE = 9
};

void oc_gantt_add_ends(oc_text *text, double low, double high, int digits, const char *unit)
{
    if (high > low) {
        oc_quantity_add(text, low, digits, oc_unit_symbol(unit)[0] != '\0' ? unit : "");
        oc_text_add(text, " to ");
    }
    oc_quantity_add(text, high, digits, unit);
}

static bool has_scale(const oc_gantt *gantt, uint32_t event_type)
{
    return gantt->highs[event_type] >= gantt->lows[event_type];
}

static const char *unit_of(const oc_gantt *gantt, uint32_t event_type)
{
    return ocelotl_trace_event_type_at(gantt->trace, event_type).unit;
}

/* --- Finding them */

static void widen(oc_gantt *gantt, uint32_t event_type, double low, double high)
{
    gantt->lows[event_type] = fmin(gantt->lows[event_type], low);
    gantt->highs[event_type] = fmax(gantt->highs[event_type], high);
}

typedef struct scaled {
    const char *unit;
    double magnitude;
    uint32_t event_type;
} scaled;

/* Sorts by unit, then the largest first. */
static int compare(const void *a, const void *b)
{
    const scaled *left = a;
    const scaled *right = b;
    const int units = strcmp(left->unit, right->unit);
    if (units != 0)
        return units;
    if (left->magnitude < right->magnitude || left->magnitude > right->magnitude)
        return left->magnitude > right->magnitude ? -1 : 1;
    return left->event_type < right->event_type ? -1 : left->event_type > right->event_type;
}

static void join(oc_gantt *gantt, scaled *types, uint32_t event_types)
{
    size_t count = 0;
    for (uint32_t i = 0; i < event_types; i++)
        if (has_scale(gantt, i) && unit_of(gantt, i)[0] != '\0')
            types[count++] = (scaled){unit_of(gantt, i), fmax(-gantt->lows[i], gantt->highs[i]), i};
    qsort(types, count, sizeof *types, compare);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && strcmp(types[end].unit, types[first].unit) == 0 &&
                              types[end].magnitude >= least_share * types[first].magnitude;)
            end++;
        const uint32_t shared = types[first].event_type;
        for (size_t i = first + 1; i < end; i++)
            widen(gantt, shared, gantt->lows[types[i].event_type],
                  gantt->highs[types[i].event_type]);
        for (size_t i = first + 1; i < end; i++)
            widen(gantt, types[i].event_type, gantt->lows[shared], gantt->highs[shared]);
    }
}

ocelotl_status oc_gantt_find_scales(oc_gantt *gantt)
{
    const uint32_t count = ocelotl_trace_event_type_count(gantt->trace);
    scaled *types = NULL;
    OC_TRY(oc_allocate(&gantt->lows, count, sizeof *gantt->lows));
    OC_TRY(oc_allocate(&gantt->highs, count, sizeof *gantt->highs));
    OC_TRY(oc_allocate(&types, count, sizeof *types));
    for (uint32_t i = 0; i < count; i++) {
        gantt->lows[i] = INFINITY;
        gantt->highs[i] = -INFINITY;
    }
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        for (uint64_t i = 0; i < gantt->drawn[row].is.objects && oc_gantt_is_of_steps(gantt, row);
             i++) {
            const ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, i);
            widen(gantt, gantt->drawn[row].is.event_type, fmin(0, is.low), fmax(0, is.high));
        }
    /* lows that are below 0 by a few units in the last place of the largest value are rounding
     * errors */
    for (uint32_t i = 0; i < count; i++)
        if (gantt->lows[i] < 0 && -gantt->lows[i] <= 16 * DBL_EPSILON * gantt->highs[i])
            gantt->lows[i] = 0;
    join(gantt, types, count);
    free(types);
    return OCELOTL_OK;
}

/* --- Words about scales */

/* Whether all variables have one scale, that of `first`. */
static bool is_common(const oc_gantt *gantt, uint32_t *first)
{
    *first = OCELOTL_NONE;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(gantt->trace); i++) {
        if (!has_scale(gantt, i))
            continue;
        *first = *first == OCELOTL_NONE ? i : *first;
        if (strcmp(unit_of(gantt, i), unit_of(gantt, *first)) != 0 ||
            gantt->lows[i] > gantt->lows[*first] || gantt->lows[i] < gantt->lows[*first] ||
            gantt->highs[i] < gantt->highs[*first] || gantt->highs[i] > gantt->highs[*first])
            return false;
    }
    return *first != OCELOTL_NONE;
}

static void add_ends(oc_text *text, const oc_gantt *gantt, uint32_t event_type)
{
    oc_gantt_add_ends(text, gantt->lows[event_type], gantt->highs[event_type], 3,
                      unit_of(gantt, event_type));
}

/* Appends whether variables share one scale. */
static void describe_scales(oc_text *text, const oc_gantt *gantt)
{
    uint32_t first;
    if (is_common(gantt, &first)) {
        oc_text_add(text, oc_gantt_has_variables_alone(gantt) ? "rows from " : "variables from ");
        add_ends(text, gantt, first);
    } else if (first != OCELOTL_NONE) {
        oc_text_add(text, gantt->scale_width > 0
                              ? "scales differ: they stand at the right of the rows"
                              : "scales differ: they stand in the legend");
    }
}

void oc_gantt_explain_variables(oc_legend *legend, const oc_gantt *gantt)
{
    uint32_t first;
    const bool common = is_common(gantt, &first);
    oc_text name = {0};
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(gantt->trace); i++) {
        if (!has_scale(gantt, i))
            continue;
        oc_text_clear(&name);
        oc_text_add(&name, ocelotl_trace_event_type_spelling(gantt->trace, i));
        if (!common) {
            oc_text_add(&name, ", ");
            add_ends(&name, gantt, i);
        }
        if (!name.failed)
            oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(gantt->type_colours[i]),
                          name.bytes, NULL, false);
    }
    oc_legend_take(legend, &name);
}

/* --- Drawing */

/* Draws the end of a scale, with its unit if that is short. */
static void add_label(oc_text *text, const oc_gantt *gantt, uint32_t event_type, bool high)
{
    const char *unit = unit_of(gantt, event_type);
    const bool named = oc_unit_symbol(unit)[0] != '\0' ||
                       (high && oc_lettering_width(unit, OC_SIZE_LABEL, false) <= UNIT_MOST);
    oc_text_clear(text);
    oc_quantity_add(text, high ? gantt->highs[event_type] : gantt->lows[event_type], 3,
                    named ? unit : "");
}

static bool has_labels(const oc_gantt *gantt, uint32_t row)
{
    return oc_gantt_is_of_steps(gantt, row) && oc_gantt_band_of(gantt, row).height >= LABEL_FROM;
}

int oc_gantt_scale_width(const oc_gantt *gantt)
{
    oc_text label = {0};
    double width = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        for (int high = 0; high < 2 && has_labels(gantt, row); high++) {
            add_label(&label, gantt, gantt->drawn[row].is.event_type, high);
            width = fmax(width,
                         label.failed ? 0 : oc_lettering_width(label.bytes, OC_SIZE_LABEL, false));
        }
    oc_text_free(&label);
    return width > 0 ? 1 + TICK + GAP + (int)ceil(width) : 0;
}

static void draw_end(oc_scene *scene, const oc_gantt *gantt, double y, double baseline,
                     const oc_text *label)
{
    const double right = gantt->frame.left + gantt->frame.width + 1;
    const uint32_t colour = gantt->picture->theme->muted;
    const oc_label place = oc_label_at(right + TICK + GAP, baseline, OC_ANCHOR_START, colour);
    oc_plot_rule(scene, right, floor(y) + 0.5, right + TICK, floor(y) + 0.5, colour);
    if (!label->failed)
        oc_scene_label(scene, &place, label->bytes, NULL);
}

static void draw_scale(oc_scene *scene, const oc_gantt *gantt, uint32_t row)
{
    const oc_gantt_band band = oc_gantt_band_of(gantt, row);
    const uint32_t type = gantt->drawn[row].is.event_type;
    const double bottom = band.top + band.height - 2;
    oc_text label = {0};
    add_label(&label, gantt, type, true);
    draw_end(scene, gantt, band.top + 1, band.top + 1 + TOP_BASELINE, &label);
    add_label(&label, gantt, type, false);
    if (band.height >= BOTH_FROM)
        draw_end(scene, gantt, bottom, bottom, &label);
    oc_scene_take(scene, &label);
}

void oc_gantt_draw_scales(oc_scene *scene, const oc_gantt *gantt)
{
    if (gantt->scale_width == 0)
        return;
    oc_scene_group(scene, "scales", &(oc_group_style){.inert = true}, NULL);
    for (uint32_t i = 0; i < gantt->group_count; i++)
        for (uint32_t row = gantt->groups[i].first; row < gantt->groups[i].end; row++)
            if (has_labels(gantt, row) && oc_gantt_shows(gantt, &gantt->groups[i], row))
                draw_scale(scene, gantt, row);
    oc_scene_group_end(scene);
}

/* --- The caption: what is drawn, and what is not or not on its own */

/* How rows are drawn. */
typedef struct row_counts {
    uint64_t together, bands; /* rows drawn together, and as what */
    uint64_t hidden;
} row_counts;

static row_counts count_rows(const oc_gantt *gantt)
{
    row_counts counts = {0, 0, gantt->info.rows_left_out};
    for (uint32_t i = 0; i < gantt->group_count && gantt->frame.height > 0; i++) {
        const oc_gantt_group *group = &gantt->groups[i];
        uint64_t shown = 0;
        for (uint32_t row = group->first; row < group->end; row++) {
            const bool elsewhere = oc_gantt_is_elsewhere(gantt, row);
            shown += !elsewhere && oc_gantt_shows(gantt, group, row);
            counts.hidden += !elsewhere && !oc_gantt_shows(gantt, group, row);
        }
        if (shown < 2 || !oc_gantt_is_together(group))
            continue;
        counts.together += shown;
        counts.bands++;
    }
    return counts;
}

void oc_gantt_write_caption(oc_caption *caption, const oc_gantt *gantt)
{
    const row_counts counts = count_rows(gantt);
    uint64_t rows = 0, events = 0;
    oc_text piece = {0};
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        rows += gantt->room[row] != OC_GANTT_NO_ROOM;
        for (uint64_t i = 0; i < gantt->drawn[row].is.objects; i++)
            events += oc_gantt_object_at(gantt, row, i).count;
    }
    const uint64_t bare = gantt->drawn_count - rows;
    oc_gantt_add_span(&piece, gantt, gantt->info.from, gantt->info.to);
    oc_caption_take(caption, &piece);
    oc_caption_add_clean(caption, gantt->info.filters);
    OC_PHRASE(&piece, "{}", oc_word_count(rows, "row"));
    if (gantt->info.together)
        OC_PHRASE(&piece, ", drawn as {}", oc_word_count(gantt->group_count, "group"));
    else if (counts.together > 0 && counts.together < rows)
        OC_PHRASE(&piece, ", {} of them too low to be drawn apart, in {}",
                  oc_word_count(counts.together, NULL), oc_word_count(counts.bands, "band"));
    else if (counts.together > 0)
        OC_PHRASE(&piece, ", too low to be drawn apart, in {}",
                  oc_word_count(counts.bands, "band"));
    oc_caption_take(caption, &piece);
    if (gantt->fold_row_count > 0)
        OC_CAPTION(caption,
                   gantt->fold_row_count == 1 ? "{} of them never changes: values in {}"
                                              : "{} of them never change: values in {}",
                   oc_word_count(gantt->fold_row_count, NULL),
                   oc_word_count(gantt->fold_count, "thin row"));
    if (events > 0)
        OC_CAPTION(caption, "{}",
                   oc_word_count(events, oc_gantt_has_variables_alone(gantt) ? "change" : "event"));
    describe_scales(&piece, gantt);
    oc_caption_take(caption, &piece);
    oc_gantt_describe_links(&piece, gantt);
    oc_caption_take(caption, &piece);
    if (bare > 0)
        OC_CAPTION(caption,
                   bare == 1 ? "{} row left out that has nothing to draw here"
                             : "{} rows left out that have nothing to draw here",
                   oc_word_count(bare, NULL));
    if (counts.hidden > 0)
        OC_CAPTION(caption, counts.hidden == 1 ? "{} row has no room" : "{} rows have no room",
                   oc_word_count(counts.hidden, NULL));
    oc_text_free(&piece);
    oc_caption_add_shown(caption, gantt->picture);
}

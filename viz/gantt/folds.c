/* Variables that never change, as thin rows with their values instead of a plot each. */
#include "base/memory.h"
#include "viz/gantt/gantt.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_NAMED = 12 /* in a tooltip */ };
enum { NAME_EDGE = 4, NAME_FROM = 11 /* pixels that a row needs for its values */ };

/* What the rows of one type in a fold have in common. */
typedef struct range {
    double low, high;
    uint32_t rows;
    uint32_t event_type;
    size_t first; /* of its rows in the fold */
} range;

static const oc_gantt_row *row_in(const oc_gantt *gantt, const oc_gantt_fold *fold, size_t index)
{
    return &gantt->drawn[gantt->fold_rows[fold->first + index]];
}

static double value_in(const oc_gantt *gantt, const oc_gantt_fold *fold, size_t index)
{
    return oc_gantt_object_at(gantt, gantt->fold_rows[fold->first + index], 0).low;
}

static int compare_types(const void *left, const void *right)
{
    const range *a = left;
    const range *b = right;
    if (a->event_type != b->event_type)
        return a->event_type < b->event_type ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static int compare_firsts(const void *left, const void *right)
{
    const range *a = left;
    const range *b = right;
    return (a->first > b->first) - (a->first < b->first);
}

/* Finds the range of each type, in the order of their first rows. */
static ocelotl_status find_ranges(range **ranges, size_t *count, const oc_gantt *gantt,
                                  const oc_gantt_fold *fold)
{
    OC_TRY(oc_allocate(ranges, fold->count, sizeof **ranges));
    *count = 0;
    for (size_t i = 0; i < fold->count; i++) {
        const double value = value_in(gantt, fold, i);
        (*ranges)[i] = (range){value, value, 1, row_in(gantt, fold, i)->is.event_type, i};
    }
    qsort(*ranges, fold->count, sizeof **ranges, compare_types);
    for (size_t i = 0; i < fold->count; i++) {
        const range *is = &(*ranges)[i];
        range *same = *ranges + *count;
        if (*count == 0 || same[-1].event_type != is->event_type) {
            *same = *is;
            ++*count;
            continue;
        }
        same[-1].low = fmin(same[-1].low, is->low);
        same[-1].high = fmax(same[-1].high, is->high);
        same[-1].rows++;
    }
    qsort(*ranges, *count, sizeof **ranges, compare_firsts);
    return OCELOTL_OK;
}

static void add_range(oc_text *text, const oc_gantt *gantt, const range *is)
{
    const ocelotl_trace *trace = gantt->trace;
    const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, is->event_type);
    oc_clean_add(text, ocelotl_trace_event_type_spelling(trace, is->event_type), false);
    oc_text_add(text, " ");
    oc_gantt_add_ends(text, is->low, is->high, 3, type.unit);
    if (is->rows > 1) {
        OC_PHRASE(text, " in {} resources", oc_word_count(is->rows, NULL));
    }
}

/* Appends the values, one type after the other. */
static void add_values(oc_text *text, const oc_gantt *gantt, const oc_gantt_fold *fold,
                       const char *between)
{
    range *ranges = NULL;
    size_t count = 0;
    if (find_ranges(&ranges, &count, gantt, fold) != OCELOTL_OK)
        text->failed = true;
    for (size_t i = 0; i < count; i++) {
        oc_text_add(text, i > 0 ? between : "");
        add_range(text, gantt, &ranges[i]);
    }
    free(ranges);
}

static void describe(oc_text *tooltip, const oc_gantt *gantt, const oc_gantt_fold *fold)
{
    oc_text_add(tooltip, "never changing: ");
    add_values(tooltip, gantt, fold, "\n");
    for (size_t i = 0; i < fold->count && i < ROWS_NAMED; i++) {
        const double value = value_in(gantt, fold, i);
        const oc_gantt_row *row = row_in(gantt, fold, i);
        OC_PHRASE(tooltip, "\n{}: ", oc_word_text(row->is.path));
        add_range(tooltip, gantt, &(range){value, value, 1, row->is.event_type, i});
    }
    if (fold->count > ROWS_NAMED) {
        OC_PHRASE(tooltip, "\nand {} more", oc_word_count(fold->count - ROWS_NAMED, NULL));
    }
}

/* --- Drawing */

/* Finds where the values of a fold begin and end. */
typedef struct extent {
    double left, right;
} extent;

static extent find_extent(const oc_gantt *gantt, const oc_gantt_fold *fold)
{
    const double left = gantt->frame.left;
    const double right = left + gantt->frame.width;
    extent found = {right, left};
    for (size_t i = 0; i < fold->count; i++) {
        const uint32_t row = gantt->fold_rows[fold->first + i];
        const uint64_t last = gantt->drawn[row].is.objects - 1;
        found.left = fmin(found.left, oc_gantt_x(gantt, oc_gantt_object_at(gantt, row, 0).begin));
        found.right =
            fmax(found.right, oc_gantt_x(gantt, oc_gantt_object_at(gantt, row, last).end));
    }
    return (extent){floor(fmax(left, found.left)),
                    floor(fmin(right, fmax(found.right, found.left + 1)))};
}

static oc_gantt_band band_of(const oc_gantt *gantt, const oc_gantt_fold *fold)
{
    return oc_gantt_band_of(gantt, gantt->fold_rows[fold->first]);
}

/* Draws a line over the time that has values. */
static void draw_line(oc_scene *scene, const oc_gantt *gantt, const oc_gantt_fold *fold)
{
    const oc_theme *theme = gantt->picture->theme;
    const oc_gantt_band band = band_of(gantt, fold);
    const extent at = find_extent(gantt, fold);
    oc_rectangle place =
        oc_rectangle_of(gantt->frame.left, band.top, gantt->frame.width, band.height, theme->paper);
    oc_text tooltip = {0};
    describe(&tooltip, gantt, fold);
    oc_scene_rectangle(scene, &place, tooltip.bytes);
    place.x = at.left;
    place.width = fmax(1, at.right - at.left);
    place.y = band.top + (band.height >= NAME_FROM ? band.height - 2 : floor(band.height / 2));
    place.height = 1;
    place.fill = theme->rule;
    oc_scene_rectangle(scene, &place, NULL);
    oc_scene_take(scene, &tooltip);
}

/* Writes the values where the line begins, or before it if more room is there. */
static void draw_values(oc_scene *scene, const oc_gantt *gantt, const oc_gantt_fold *fold)
{
    const oc_gantt_band band = band_of(gantt, fold);
    const double before = find_extent(gantt, fold).left - gantt->frame.left;
    const double after = gantt->frame.width - before;
    oc_text values = {0};
    oc_text cut = {0};
    add_values(&values, gantt, fold, " \xC2\xB7 ");
    oc_text_add(&values, "");
    const double width = values.failed ? 0 : oc_lettering_width(values.bytes, OC_SIZE_LABEL, false);
    const bool at_end = width + 2 * NAME_EDGE > after && before > after;
    const double room = (at_end ? before : after) - 2 * NAME_EDGE;
    const oc_label label =
        oc_label_at(gantt->frame.left + before + (at_end ? -NAME_EDGE : NAME_EDGE),
                    floor(band.top + band.height / 2) + 3, at_end ? OC_ANCHOR_END : OC_ANCHOR_START,
                    gantt->picture->theme->ink);
    if (!values.failed && oc_lettering_fit(&cut, values.bytes, OC_SIZE_LABEL, false, room))
        oc_scene_label(scene, &label, cut.bytes, NULL);
    scene->failed = scene->failed || values.failed || cut.failed;
    oc_text_free(&values);
    oc_text_free(&cut);
}

/* Whether rows around a fold are not drawn together in its place. */
static bool is_seen(const oc_gantt *gantt, const oc_gantt_fold *fold)
{
    const uint32_t row = gantt->fold_rows[fold->first];
    if (band_of(gantt, fold).height < 1)
        return false;
    if (fold->gathered)
        return true;
    uint32_t low = 0;
    uint32_t high = gantt->group_count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (gantt->groups[middle].end <= row)
            low = middle + 1;
        else
            high = middle;
    }
    return !oc_gantt_is_together(&gantt->groups[low]);
}

void oc_gantt_draw_constants(oc_scene *scene, const oc_gantt *gantt)
{
    if (gantt->fold_count == 0)
        return;
    oc_scene_group(scene, "constants", &(oc_group_style){.crisp = true}, NULL);
    for (uint32_t i = 0; i < gantt->fold_count; i++)
        if (is_seen(gantt, &gantt->folds[i]))
            draw_line(scene, gantt, &gantt->folds[i]);
    oc_scene_group_end(scene);
}

void oc_gantt_draw_constant_values(oc_scene *scene, const oc_gantt *gantt)
{
    for (uint32_t i = 0; i < gantt->fold_count; i++)
        if (is_seen(gantt, &gantt->folds[i]) &&
            band_of(gantt, &gantt->folds[i]).height >= NAME_FROM)
            draw_values(scene, gantt, &gantt->folds[i]);
}

/* --- Events as marks: a line with a head; several that are merged have a wider head */

static void describe_mark(oc_text *tooltip, const oc_gantt *gantt, uint32_t row, uint64_t object,
                          const ocelotl_drawn_object *is)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    if (is->count > 1) {
        oc_count_add(tooltip, is->count);
        oc_text_add(tooltip, " events");
    } else {
        oc_gantt_add_value(tooltip, gantt, is->value, drawn->is.event_type);
    }
    oc_text_format(tooltip, "\n%s\n", drawn->is.path);
    oc_gantt_add_span(tooltip, gantt, is->begin, is->end);
    oc_gantt_add_attributes(tooltip, gantt, is->attributes);
    for (uint32_t i = 0; i < is->shares && is->count > 1; i++) {
        const ocelotl_drawn_share share =
            ocelotl_drawables_share_at(gantt->drawables, row, object, i);
        oc_text_add(tooltip, "\n");
        oc_gantt_add_value(tooltip, gantt, share.value, drawn->is.event_type);
        oc_text_add(tooltip, " ");
        oc_count_add(tooltip, share.count);
    }
}

static void draw_mark(oc_scene *scene, const oc_gantt *gantt, uint32_t row, uint64_t object)
{
    const ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, object);
    const oc_gantt_band band = oc_gantt_band_of(gantt, row);
    const double x = floor((oc_gantt_x(gantt, is.begin) + oc_gantt_x(gantt, is.end)) / 2);
    const double head = is.count > 1 ? 5 : 3;
    const double height = fmax(1, floor(band.height) - 1);
    const uint32_t colour = is.value != OCELOTL_NONE
                                ? gantt->colours[is.value]
                                : gantt->type_colours[gantt->drawn[row].is.event_type];
    oc_rectangle mark = oc_rectangle_of(x, floor(band.top), 1, height,
                                        oc_gantt_colour_carried(gantt, colour, is.attributes));
    oc_text tooltip = {0};
    describe_mark(&tooltip, gantt, row, object, &is);
    oc_scene_rectangle(scene, &mark, tooltip.bytes);
    mark.x = fmin(fmax(x - (head - 1) / 2, gantt->frame.left),
                  gantt->frame.left + gantt->frame.width - head);
    mark.width = head;
    mark.height = fmin(height, 4);
    oc_scene_rectangle(scene, &mark, tooltip.bytes);
    oc_scene_take(scene, &tooltip);
}

void oc_gantt_draw_marks(oc_scene *scene, const oc_gantt *gantt, uint32_t row)
{
    for (uint64_t object = 0; object < gantt->drawn[row].is.objects; object++)
        draw_mark(scene, gantt, row, object);
}

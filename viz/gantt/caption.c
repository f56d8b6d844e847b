/* What is said above a space-time diagram: all that is drawn, and what is not or not on its own. */
#include "viz/gantt/gantt.h"

#include "viz/words/lettering.h"

/* How rows are drawn. */
typedef struct row_counts {
    uint64_t together, bands; /* those drawn as one with others, and what they are drawn as */
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

static void add_number_of(oc_text *text, uint64_t count, const char *one, const char *many)
{
    oc_count_add(text, count);
    oc_text_add(text, count == 1 ? one : many);
}

static void describe_rows(oc_text *text, const oc_gantt *gantt)
{
    const row_counts counts = count_rows(gantt);
    uint64_t rows = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        rows += gantt->room[row] != OC_GANTT_NO_ROOM;
    add_number_of(text, rows, " row", " rows");
    if (counts.together > 0) {
        oc_text_add(text, ", ");
        if (counts.together < rows)
            add_number_of(text, counts.together, " of them ", " of them ");
        oc_text_add(text, "too low to be drawn apart, in ");
        add_number_of(text, counts.bands, " band", " bands");
    }
}

static void describe_constants(oc_text *text, const oc_gantt *gantt)
{
    if (gantt->fold_row_count == 0)
        return;
    add_number_of(text, gantt->fold_row_count, " of them never changes", " of them never change");
    oc_text_add(text, ": values in ");
    add_number_of(text, gantt->fold_count, " thin row", " thin rows");
}

static void describe_hidden(oc_text *text, const oc_gantt *gantt)
{
    const uint64_t hidden = count_rows(gantt).hidden;
    if (hidden > 0)
        add_number_of(text, hidden, " row has no room", " rows have no room");
}

static void describe_bare(oc_text *text, const oc_gantt *gantt)
{
    uint64_t bare = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        bare += gantt->room[row] == OC_GANTT_NO_ROOM;
    if (bare > 0)
        add_number_of(text, bare, " row left out that has nothing but links of no duration",
                      " rows left out that have nothing but links of no duration");
}

/* All that is drawn, however it is merged. */
static void describe_events(oc_text *text, const oc_gantt *gantt)
{
    uint64_t events = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        for (uint64_t i = 0; i < gantt->drawn[row].is.objects; i++)
            events += ocelotl_drawables_object(gantt->input->drawables, row, i).count;
    if (events > 0 && oc_gantt_has_variables_alone(gantt))
        add_number_of(text, events, " change", " changes");
    else if (events > 0)
        add_number_of(text, events, " event", " events");
}

static void describe_window(oc_text *text, const oc_gantt *gantt)
{
    oc_gantt_add_span(text, gantt, gantt->info.from, gantt->info.to);
}

static void describe_filters(oc_text *text, const oc_gantt *gantt)
{
    oc_clean_add(text, gantt->info.filters, false);
}

void oc_gantt_write_caption(oc_caption *caption, const oc_gantt *gantt)
{
    static void (*const writers[])(oc_text *, const oc_gantt *) = {
        describe_window,         describe_filters, describe_rows,
        describe_constants,      describe_events,  oc_gantt_describe_scales,
        oc_gantt_describe_links, describe_bare,    describe_hidden,
    };
    oc_text piece = {0};
    oc_caption_begin(caption, gantt->picture);
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        oc_text_clear(&piece);
        writers[i](&piece, gantt);
        if (piece.length > 0 && !piece.failed)
            oc_caption_add(caption, piece.bytes);
    }
    caption->lines[0].failed = caption->lines[0].failed || piece.failed;
    oc_text_free(&piece);
}

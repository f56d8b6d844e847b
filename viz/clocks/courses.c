/* A row for each clock: small multiples with one scale, so that a clock that is worse than others
 * is seen at once, and when it is. Where rows would be too thin the worst have one, and all others
 * share one: between the outermost of their bands, of nine in ten, and of half. */
#include "viz/clocks/plot.h"
#include "viz/pictures.h"

#include "base/memory.h"

#include <ocelotl/picture.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Distances in pixels. */
enum {
    SCALE = 64,     /* of the numbers beside rows */
    NAMES = 230,    /* of what stands before them, at most */
    ROW_LEAST = 34, /* with the space below it */
    ROW_FEW = 72,
    ROW_MANY = 44,
    FEW = 6,      /* clocks have high rows, */
    MANY = 16,    /* more have no row each, unless there is room */
    LEAST = 3,    /* the picture has room for */
    OTHERS = 2,   /* rows that all others take */
    GAP = 8,      /* between rows */
    SIGN = 5,     /* of messages that end before they begin */
    AROUND = 150, /* caption, axis and legend */
    SHARES = 3    /* of the others' bands */
};

/* Steps of time that a picture has at least and at most, and with how many clocks. */
enum { STEPS_LEAST = 8, STEPS_MOST = 128, INSTANTS = 1 << 20 };

static const double BAND = 0.35; /* opacity */

/* A clock, over all its steps. */
typedef struct course {
    uint32_t clock;
    double width; /* of its band, in ticks; infinite: it is not bounded */
    double off;   /* the most that it is found off its line */
    uint64_t wrong, still;
} course;

typedef struct drawing {
    oc_clock_plot plot;
    const ocelotl_clocks *clocks;
    const ocelotl_clock_courses *found;
    ocelotl_clocks_info info;
    uint32_t steps;
    course *courses;  /* the worst first, if not all have rows */
    int names;        /* pixels */
    oc_point *points; /* of a band: there and back */
    double *values;   /* of all others at a step */
    bool banded;      /* some clock is bounded */
    int signs;        /* lines of them below each row: as they are, and in these clocks' time */
} drawing;

static ocelotl_clock_instant instant_of(const drawing *at, uint32_t clock, uint32_t step)
{
    return ocelotl_clock_courses_at(at->found, clock, step);
}

/* --- Rows */

static int descending(double first, double second)
{
    return (first < second) - (first > second);
}

/* Puts those that are known least first; of these, those that messages contradict. */
static int compare_courses(const void *first, const void *second)
{
    const course *a = first;
    const course *b = second;
    const double keys[][2] = {{a->width, b->width},
                              {(double)a->still, (double)b->still},
                              {a->off, b->off},
                              {(double)a->wrong, (double)b->wrong}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (descending(keys[i][0], keys[i][1]) != 0)
            return descending(keys[i][0], keys[i][1]);
    return (a->clock > b->clock) - (a->clock < b->clock);
}

/* Clocks that have a row each: all, or as many as leave room for the others. */
static uint32_t count_rows(const drawing *at)
{
    const int room = at->plot.chart.frame.height / ROW_LEAST;
    if (at->info.clocks <= (uint32_t)(room > 1 ? room : 1))
        return at->info.clocks;
    return room > OTHERS + 1 ? (uint32_t)(room - OTHERS) : 1;
}

/* --- Around the rows */

static void write_caption(oc_caption *caption, const void *subject)
{
    const drawing *at = subject;
    const uint32_t rows = count_rows(at);
    const ocelotl_clocks_info *info = &at->info;
    oc_text piece = {0};
    OC_PHRASE(&piece, info->clock_type[0] != '\0' ? "{} of type {}" : "{}",
              oc_word_count(info->clocks, "clock"), oc_word_name(info->clock_type));
    if (info->groups > 1)
        OC_PHRASE(&piece, ", in {} groups: nothing says how these differ",
                  oc_word_whole(info->groups));
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
    if (info->pieces > 1)
        OC_CAPTION(caption, "straight in each of {} pieces: not bounded",
                   oc_word_whole(info->pieces));
    else if (isfinite(info->bound))
        OC_CAPTION(caption, "known to {}", oc_word_time(info->bound * at->plot.tick, 0.01));
    else if (info->bent > 0)
        OC_CAPTION(caption,
                   "no clocks that run evenly explain {} pair{}: nothing bounds them; see --drift "
                   "pieces",
                   oc_word_whole(info->bent), oc_word_text(info->bent == 1 ? "" : "s"));
    /* the theorem in plain words */
    if (info->still > 0)
        oc_caption_add(caption, "messages contradict the order of events");
    else if (info->transit >= 0 && isfinite(info->eps))
        OC_CAPTION(caption, "order is certain for events {} apart, the least message takes {}: {}",
                   oc_word_time(info->eps * at->plot.tick, 0.01),
                   oc_word_time(info->transit * at->plot.tick, 0.01),
                   oc_word_text(info->is_ordered ? "every cause comes before its effect"
                                                 : "the clocks alone do not prove the order"));
    OC_CAPTION(caption, "{} of {} messages end before they begin, in these clocks' time {}",
               oc_word_count(info->wrong, NULL), oc_word_count(info->messages, NULL),
               oc_word_count(info->still, NULL));
    if (rows < info->clocks)
        OC_CAPTION(caption, "rows: the {} that are known least, the worst first",
                   oc_word_whole(rows));
    oc_caption_add(caption, "names: ahead by, faster by, known to");
    oc_caption_add(caption, "up: how far it is ahead, less its line");
}

/* --- A row */

static double x_of(const drawing *at, uint32_t step)
{
    return oc_clock_plot_x(&at->plot, (double)instant_of(at, 0, step).at);
}

/* What lies between two lines, from one step to another. */
static void fill_between(const drawing *at, size_t count, double opacity)
{
    const oc_path path = {
        .closed = true, .fill = at->plot.chart.blue, .stroke = OC_COLOUR_NONE, .opacity = opacity};
    for (size_t i = 0; i < count; i++) /* the way back is kept behind the steps */
        at->points[count + i] = at->points[2 * ((size_t)at->steps + 1) - count + i];
    if (count > 1)
        oc_scene_path(at->plot.chart.scene, &path, at->points, 2 * count, NULL);
}

static void put_step(const drawing *at, size_t count, uint32_t step, double least, double most)
{
    const double x = x_of(at, step);
    at->points[count] = (oc_point){x, oc_clock_plot_y(&at->plot, most)};
    at->points[2 * ((size_t)at->steps + 1) - 1 - count] =
        (oc_point){x, oc_clock_plot_y(&at->plot, least)};
}

/* Signs of messages at a step, in the first and in the second line below the plot. */
static void draw_signs(const drawing *at, uint32_t step, uint64_t wrong, uint64_t still)
{
    const oc_chart *chart = &at->plot.chart;
    const double x = floor(x_of(at, step));
    const double right = x + fmax(1, floor(x_of(at, step + 1)) - x);
    const double top = chart->frame.top + chart->frame.height + 1;
    if (wrong > 0)
        oc_chart_box(chart, x, top, right, top + SIGN - 1, chart->orange, NULL);
    if (still > 0)
        oc_chart_box(chart, x, top + SIGN, right, top + 2 * SIGN - 1, chart->picture->theme->accent,
                     NULL);
}

static void draw_names(const drawing *at, const char *name, const char *tooltip, const char *what)
{
    const oc_frame *frame = &at->plot.chart.frame;
    const oc_theme *theme = at->plot.chart.picture->theme;
    const double left = frame->left - SCALE - at->names;
    const double middle = frame->top + frame->height / 2.0;
    const char *const texts[2] = {name, what};
    for (int line = 0; line < 2; line++) {
        const oc_label label = oc_label_at(left, middle - 3 + line * 14, OC_ANCHOR_START,
                                           line == 0 ? theme->ink : theme->muted);
        oc_label_draw(at->plot.chart.scene, &label, texts[line], at->names, tooltip);
    }
}

/* Its name says what the table says of it. */
static void draw_row(drawing *at, const course *of)
{
    const ocelotl_clock clock = ocelotl_clocks_at(at->clocks, of->clock);
    size_t count = 0;
    oc_text what = {0}, tooltip = {0};
    OC_PHRASE(&what, clock.offset < 0 ? "-{}" : "+{}",
              oc_word_time(fabs(clock.offset) * at->plot.tick, 1e-3));
    oc_text_format(&what, ", %+.3g ppm, ", clock.drift * 1e6);
    OC_PHRASE(&what, isfinite(clock.bound) && of->width > 0 ? "±{}" : "no bound",
              oc_word_time(clock.bound * at->plot.tick, 0.01));
    if (clock.is_reference) {
        what.length = 0;
        oc_text_add(&what, "tells the time");
    }
    oc_clean_add(&tooltip, clock.path, false);
    oc_text_format(&tooltip,
                   "\n%s\n%" PRIu64 " messages, %" PRIu64 " end before they begin, %" PRIu64
                   " in these clocks' time",
                   what.bytes != NULL ? what.bytes : "", clock.messages, of->wrong, of->still);
    if (!what.failed && !tooltip.failed)
        draw_names(at, clock.path, tooltip.bytes, what.bytes);
    oc_scene_take(at->plot.chart.scene, &what);
    oc_scene_take(at->plot.chart.scene, &tooltip);
    for (uint32_t step = 0; step <= at->steps; step++) {
        const ocelotl_clock_instant instant = instant_of(at, of->clock, step);
        if (isfinite(instant.least) && isfinite(instant.most) && of->width > 0)
            put_step(at, count++, step, instant.least, instant.most);
    }
    fill_between(at, count, BAND);
    for (uint32_t step = 0; step <= at->steps; step++)
        at->points[step] = (oc_point){
            x_of(at, step), oc_clock_plot_y(&at->plot, instant_of(at, of->clock, step).off)};
    oc_chart_line(&at->plot.chart, at->points, (size_t)at->steps + 1,
                  at->plot.chart.picture->theme->ink, 1.5, NULL);
    for (uint32_t step = 0; step < at->steps && of->wrong + of->still > 0; step++) {
        const ocelotl_clock_instant instant = instant_of(at, of->clock, step);
        draw_signs(at, step, instant.wrong, instant.still);
    }
}

/* --- The row of all others */

static int ascending(const void *first, const void *second)
{
    return descending(*(const double *)second, *(const double *)first);
}

/* What the bounds of a share of the others do not exceed at a step, above or below; for clocks
 * without bounds how they were found. O(clocks log). */
static double bound_of(const drawing *at, uint32_t first, uint32_t step, bool above, double share)
{
    const uint32_t count = at->info.clocks - first;
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_clock_instant instant = instant_of(at, at->courses[first + i].clock, step);
        const bool told = isfinite(instant.least) && isfinite(instant.most);
        const double value = !told ? instant.off : above ? instant.most : instant.least;
        at->values[i] = above ? value : -value;
    }
    qsort(at->values, count, sizeof *at->values, ascending);
    const double found = at->values[(uint32_t)((count - 1) * share)];
    return above ? found : -found;
}

static void draw_others(const drawing *at, uint32_t first)
{
    static const double shares[SHARES] = {1, 0.9, 0.5};
    oc_text name = {0};
    OC_PHRASE(&name, "the {} others", oc_word_count(at->info.clocks - first, NULL));
    if (!name.failed)
        draw_names(at, name.bytes, NULL, "between the bands of all, of 90 %, of half");
    oc_scene_take(at->plot.chart.scene, &name);
    for (int share = 0; share < SHARES; share++) {
        for (uint32_t step = 0; step <= at->steps; step++)
            put_step(at, step, step, bound_of(at, first, step, false, shares[share]),
                     bound_of(at, first, step, true, shares[share]));
        fill_between(at, at->steps + 1, 0.25);
    }
    for (uint32_t step = 0; step < at->steps; step++) {
        uint64_t wrong = 0;
        uint64_t still = 0;
        for (uint32_t i = first; i < at->info.clocks; i++) {
            const ocelotl_clock_instant instant = instant_of(at, at->courses[i].clock, step);
            wrong += instant.wrong;
            still += instant.still;
        }
        draw_signs(at, step, wrong, still);
    }
}

/* --- The whole */

/* The frame is around a row, its plot above its signs. */
static ocelotl_status draw_rows(void *subject)
{
    drawing *at = subject;
    oc_chart *chart = &at->plot.chart;
    const oc_frame whole = chart->frame;
    const uint32_t rows = count_rows(at);
    const int signs = at->signs > 0 ? at->signs * SIGN + 1 : 0;
    const bool others = rows < at->info.clocks;
    const double apart = (whole.height + GAP) / (double)(rows + (others ? OTHERS : 0));
    if (others)
        qsort(at->courses, at->info.clocks, sizeof *at->courses, compare_courses);
    for (uint32_t row = 0; row < rows + others; row++) {
        const int top = (int)(apart * row);
        const int end = row == rows ? whole.height : (int)(apart * (row + 1)) - GAP;
        const int height = end > top ? end - top : 1;
        oc_scene_group(chart->scene, "clock", &(oc_group_style){0}, NULL);
        chart->frame.top = whole.top + top;
        chart->frame.height = height;
        oc_plot_draw_frame(chart->scene, chart->picture, &chart->frame);
        chart->frame.height = height > signs ? height - signs : 1;
        const double zero = round(oc_clock_plot_y(&at->plot, 0)) + 0.5;
        oc_clock_plot_draw_scale(&at->plot);
        oc_plot_rule(chart->scene, whole.left, zero, whole.left + whole.width, zero,
                     chart->picture->theme->rule);
        if (row < rows)
            draw_row(at, &at->courses[row]);
        else
            draw_others(at, rows);
        oc_scene_group_end(chart->scene);
    }
    chart->frame = whole;
    oc_clock_plot_draw_axis(&at->plot);
    return OCELOTL_OK;
}

static ocelotl_status prepare(void *subject)
{
    static const double room = 1.1;
    drawing *at = subject;
    oc_chart *chart = &at->plot.chart;
    const oc_theme *theme = chart->picture->theme;
    OC_TRY(oc_allocate(&at->courses, at->info.clocks, sizeof *at->courses));
    OC_TRY(oc_allocate(&at->values, at->info.clocks, sizeof *at->values));
    OC_TRY(oc_allocate(&at->points, 2 * ((size_t)at->steps + 1), sizeof *at->points));
    for (uint32_t clock = 0; clock < at->info.clocks; clock++) {
        course *found = &at->courses[clock];
        *found = (course){.clock = clock};
        for (uint32_t step = 0; step <= at->steps; step++) {
            const ocelotl_clock_instant instant = instant_of(at, clock, step);
            found->width = fmax(found->width, instant.most - instant.least);
            found->off = fmax(found->off, fabs(instant.off));
            found->wrong += instant.wrong;
            found->still += instant.still;
            oc_clock_plot_widen(&at->plot, instant.off);
            oc_clock_plot_widen(&at->plot, instant.least);
            oc_clock_plot_widen(&at->plot, instant.most);
        }
        at->banded |= found->width > 0 && isfinite(found->width);
        at->signs = found->still > 0 ? 2 : found->wrong > 0 && at->signs == 0 ? 1 : at->signs;
    }
    at->plot.low = at->plot.low * room - 1; /* of all rows */
    at->plot.high = at->plot.high * room + 1;
    oc_chart_explain(chart, theme->ink, 1, "as it was found");
    if (at->banded)
        oc_chart_explain(chart, chart->blue, BAND, "as it can be, for all that is known");
    if (at->signs > 0)
        oc_chart_explain(chart, chart->orange, 1, "its messages end before they begin");
    if (at->signs > 1)
        oc_chart_explain(chart, theme->accent, 1, "still, in these clocks' time");
    at->names = (int)fmin(NAMES, chart->picture->width / 4);
    oc_clock_plot_prepare(&at->plot, at->names, SCALE);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_clocks_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   const ocelotl_trace *trace, const ocelotl_clocks *clocks,
                                   const ocelotl_picture_options *options)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw_rows};
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(clocks);
    const uint32_t count = info.clocks;
    const uint32_t rows = count > MANY ? MANY + OTHERS : count;
    const uint32_t share = INSTANTS / (count > 0 ? count : 1);
    ocelotl_clock_courses *found = NULL;
    OC_TRY(ocelotl_clock_courses_find(&found, clocks,
                                      share > STEPS_MOST    ? STEPS_MOST
                                      : share < STEPS_LEAST ? STEPS_LEAST
                                                            : share));
    const ocelotl_clock_courses_info of = ocelotl_clock_courses_info_of(found);
    drawing at = {.plot = oc_clock_plot_of(trace, &kind, of.from, of.to),
                  .clocks = clocks,
                  .found = found,
                  .info = info,
                  .steps = of.steps};
    at.plot.chart.height = AROUND + (count > FEW ? ROW_MANY : ROW_FEW) * fmax(rows, LEAST);
    const ocelotl_status status = oc_chart_draw(&at.plot.chart, sink, format, options);
    free(at.courses);
    free(at.values);
    free(at.points);
    ocelotl_clock_courses_free(found);
    return status;
}

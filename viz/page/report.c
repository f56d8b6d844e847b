#include "viz/page/report.h"

#include "base/file/sink.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"
#include "viz/curves/curves.h"
#include "viz/overview/overview.h"
#include "viz/scene/backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The default size of pictures in a page, in pixels, about what bars leave of a screen. */
static const double default_width = 1280;
static const double default_height = 640;
static const double curves_width = 560;
static const double curves_height = 252;

/* `smallest` grows up to this where a picture is too large. */
static const double coarsest = 100;

/* Numbers of the table of slices and types. */
enum { NUMBERS_MOST = 80000, TYPES_MOST = 400, TYPES_LEAST = 16 };

static ocelotl_status check_kind(ocelotl_kind kind)
{
    if (kind == OCELOTL_SPATIAL)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "a report is of spatiotemporal or temporal partitions, and these are spatial");
    return OCELOTL_OK;
}

ocelotl_status ocelotl_report_check(const char *path, ocelotl_kind kind,
                                    const ocelotl_picture_options *options)
{
    const char *suffix = path != NULL ? strrchr(path, '.') : NULL;
    const bool is_page =
        suffix != NULL && (oc_same_letters(suffix, ".html") || oc_same_letters(suffix, ".htm"));
    if (path != NULL && !is_page)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: is no name of a page, expected one in .html",
                       path);
    OC_TRY(check_kind(kind));
    return ocelotl_overview_check(NULL, kind, options);
}

/* What making the pictures takes. */
typedef struct making {
    oc_report report;
    const ocelotl_aggregation *aggregation;
    const ocelotl_levels *levels;
    double p; /* of the level that is shown first; NaN: the automatic one */
    const ocelotl_partition *partition; /* alone; NULL: all levels */
    ocelotl_picture_options options;
    oc_picture picture;
    const oc_view *view;
    bool bar;                /* the height is the view's own */
    oc_overview_input whole; /* of the strip above each plot */
    ocelotl_part *whole_parts;
    size_t size; /* bytes of what was made */
} making;

static void free_level(oc_report_level *level)
{
    oc_text_free(&level->picture);
    oc_text_free(&level->entries);
    oc_shown_free(&level->shown);
}

static void add_entry(oc_text *entries, const char *key, const char *value)
{
    oc_text_add(entries, "<dt>");
    oc_text_add_xml(entries, key);
    oc_text_add(entries, "</dt><dd>");
    oc_text_add_xml(entries, value);
    oc_text_add(entries, "</dd>\n");
}

/* Writes the picture, and its parameters as an HTML list; the command and what is
 * said of the trace have places of their own. */
static ocelotl_status encode(oc_report_level *level, const oc_scene *scene)
{
    oc_text *entries = &level->entries;
    OC_TRY(oc_backend_svg.encode(&level->picture, scene));
    for (size_t i = 0; i < scene->entry_count; i++) {
        const char *key = oc_scene_string(scene, scene->entries[i].key);
        if (strcmp(key, "command") != 0 && strcmp(key, "explained") != 0)
            add_entry(entries, key, oc_scene_string(scene, scene->entries[i].value));
    }
    if (level->shown.caption.count > 0)
        add_entry(entries, "says", level->shown.caption.lines[0].bytes);
    return level->picture.failed || entries->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status lay_out(oc_scene *scene, oc_shown *shown, const making *with,
                              const oc_theme *theme, double smallest, oc_overview_input *input)
{
    oc_picture picture = with->picture;
    picture.title = "";
    picture.theme = theme;
    picture.smallest = smallest;
    input->shown = shown;
    const ocelotl_status status = oc_overview_lay_out(scene, &picture, input);
    input->shown = NULL;
    return status;
}

/* Draws the picture in dark as well. If it differs in more than colours, it stays light. */
static ocelotl_status pair(oc_scene *scene, oc_report_level *level, making *with,
                           oc_overview_input *input)
{
    oc_scene dark = {.fragment = scene->fragment};
    oc_shown shown = {0};
    bool paired;
    ocelotl_status status =
        lay_out(&dark, &shown, with, oc_theme_get(OCELOTL_THEME_DARK), level->smallest, input);
    if (status == OCELOTL_OK)
        status = oc_scene_pair(&paired, scene, &dark, &with->report.pairs);
    /* types are in the panel, too */
    oc_type_summary *types = level->shown.types;
    for (uint32_t t = 0; t < level->shown.type_count && t < shown.type_count; t++)
        if (status == OCELOTL_OK)
            status = oc_colour_pair(&types[t].colour, &with->report.pairs, types[t].colour,
                                    shown.types[t].colour);
    oc_shown_free(&shown);
    oc_scene_free(&dark);
    return status;
}

/* Draws a level with one value of `smallest`, replacing its picture. */
static ocelotl_status draw_once(oc_report_level *level, making *with, oc_overview_input *input,
                                uint32_t number)
{
    oc_scene scene = {.fragment = number};
    oc_text_clear(&level->picture);
    oc_text_clear(&level->entries);
    oc_shown_free(&level->shown);
    ocelotl_status status =
        lay_out(&scene, &level->shown, with, with->picture.theme, level->smallest, input);
    if (status == OCELOTL_OK && with->report.reader)
        status = pair(&scene, level, with, input);
    if (status == OCELOTL_OK)
        status = encode(level, &scene);
    oc_scene_free(&scene);
    return status;
}

/* Draws coarser until the picture is small enough, or nothing helps. */
static ocelotl_status draw_level(oc_report_level *level, making *with, oc_overview_input *input,
                                 uint32_t number)
{
    level->smallest = with->picture.smallest;
    OC_TRY(draw_once(level, with, input, number));
    while (level->picture.length > OC_REPORT_LEVEL_SIZE_MOST && level->smallest < coarsest) {
        level->smallest = fmin(coarsest, level->smallest * 2);
        OC_TRY(draw_once(level, with, input, number));
    }
    return OCELOTL_OK;
}

static ocelotl_status make_picture(oc_report_level *level, making *with, uint32_t number,
                                   const ocelotl_partition *partition)
{
    oc_overview_input input = {.view = with->view,
                               .type = with->options.type,
                               .without_parts = with->options.without_parts};
    ocelotl_part *parts = NULL;
    ocelotl_status status = oc_overview_gather(&input, &parts, partition);
    with->report.percentile = input.partition.percentile;
    if (with->whole.view != NULL)
        input.whole = &with->whole;
    if (status == OCELOTL_OK)
        status = oc_expansion_find(&input.visible, &input.expanded, input.model, &with->options);
    if (status == OCELOTL_OK)
        status = draw_level(level, with, &input, number);
    free(parts);
    return status;
}

/* Finds the widest plateau that was not tried yet. */
static size_t next_widest(const oc_report *report, const bool *done)
{
    size_t widest = report->count;
    for (size_t i = 0; i < report->count; i++) {
        const ocelotl_level *level = &report->levels[i].is;
        const ocelotl_level *best = widest < report->count ? &report->levels[widest].is : NULL;
        if (!done[i] && (best == NULL || level->plateau_to - level->plateau_from >
                                             best->plateau_to - best->plateau_from))
            widest = i;
    }
    return widest;
}

/* Makes the level shown first, then those of the widest plateaus while they fit. */
static ocelotl_status make_levels(making *with, bool *done)
{
    oc_report *report = &with->report;
    size_t next = report->start;
    for (size_t made = 0; made < OC_REPORT_LEVELS_MOST && next < report->count; made++) {
        oc_report_level *level = &report->levels[next];
        ocelotl_partition *partition = NULL;
        done[next] = true;
        OC_TRY(ocelotl_solve(&partition, with->aggregation, level->is.p));
        const ocelotl_status status = make_picture(level, with, (uint32_t)next + 2, partition);
        ocelotl_partition_free(partition);
        OC_TRY(status);
        /* in the page each number takes about eight bytes */
        const size_t size = level->picture.length + level->entries.length +
                            level->shown.part_count * 56 + level->shown.share_count * 10;
        level->included = made == 0 || with->size + size <= OC_REPORT_SIZE_MOST;
        with->size += level->included ? size : 0;
        next = next_widest(report, done);
    }
    return OCELOTL_OK;
}

static void drop_what_is_left_out(oc_report *report)
{
    size_t kept = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (i == report->start)
            report->start = kept;
        if (report->levels[i].included)
            report->levels[kept++] = report->levels[i];
        else
            free_level(&report->levels[i]);
    }
    report->left_out = report->count - kept;
    report->count = kept;
}

/* How far p lies outside of a plateau. */
static double distance(const ocelotl_level *level, double p)
{
    return fmax(0, fmax(level->plateau_from - p, p - level->plateau_to));
}

/* Takes the levels that stand for plateaus, and chooses the first that is shown: the one of p, or
 * the automatic one. A list of two levels may lack it: then the level at 0.5. */
static ocelotl_status gather_levels(making *with)
{
    const double p = with->p;
    const size_t count = ocelotl_levels_info_of(with->levels).count;
    const double wanted = isnan(p) ? 0.5 : p;
    bool automatic = false; /* one was found */
    oc_report *report = &with->report;
    report->listed = count;
    OC_TRY(oc_allocate(&report->levels, count, sizeof *report->levels));
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level level = ocelotl_levels_at(with->levels, i);
        if (level.plateau == 0)
            continue;
        report->levels[report->count] = (oc_report_level){.is = level, .number = i + 1};
        const double before = distance(&report->levels[report->start].is, wanted);
        if (!automatic && ((isnan(p) && level.automatic) || distance(&level, wanted) < before))
            report->start = report->count;
        automatic = automatic || (isnan(p) && level.automatic);
        report->count++;
    }
    if (report->count == 0)
        return oc_fail(OCELOTL_ERROR_INTERNAL, "no level stands for a plateau");
    return OCELOTL_OK;
}

static ocelotl_status lay_out_curves(oc_scene *scene, const making *with, const oc_theme *theme,
                                     const oc_curves_input *input)
{
    oc_picture picture = with->picture;
    picture.title = "";
    picture.theme = theme;
    picture.width = curves_width;
    picture.height = curves_height;
    return oc_curves_lay_out(scene, &picture, input);
}

static ocelotl_status make_curves(making *with)
{
    oc_report *report = &with->report;
    ocelotl_level *all = NULL;
    oc_curves_input input;
    oc_scene scene = {.fragment = 1};
    oc_scene dark = {.fragment = 1};
    bool paired;
    OC_TRY(oc_curves_read(&input, &all, with->levels, with->aggregation));
    input.frame = &report->curves_frame;
    ocelotl_status status = lay_out_curves(&scene, with, with->picture.theme, &input);
    if (status == OCELOTL_OK && report->reader)
        status = lay_out_curves(&dark, with, oc_theme_get(OCELOTL_THEME_DARK), &input);
    if (status == OCELOTL_OK && report->reader)
        status = oc_scene_pair(&paired, &scene, &dark, &report->pairs);
    if (status == OCELOTL_OK)
        status = oc_backend_svg.encode(&report->curves, &scene);
    oc_scene_free(&scene);
    oc_scene_free(&dark);
    free(all);
    return status;
}

static uint32_t count_types(const oc_report *report)
{
    const uint32_t all = report->levels[report->start].shown.type_count;
    const uint32_t fit = NUMBERS_MOST / report->info.slice_count;
    const uint32_t most = fit < TYPES_LEAST ? TYPES_LEAST : fit > TYPES_MOST ? TYPES_MOST : fit;
    return all < most ? all : most;
}

/* A bar of parts is higher by the strip above it. */
static ocelotl_status gather_whole(making *with)
{
    const oc_overview_input input = {.whole = &with->whole};
    if (with->options.whole == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_overview_gather(&with->whole, &with->whole_parts, with->options.whole));
    with->whole.view = &oc_view_temporal_mode;
    if (with->bar)
        with->picture.height += oc_whole_strip_height(&input);
    return OCELOTL_OK;
}

static making making_of(const ocelotl_aggregation *aggregation, const ocelotl_levels *levels,
                        double p)
{
    return (making){.aggregation = aggregation,
                    .levels = levels,
                    .p = p,
                    .report = {.model = ocelotl_aggregation_model(aggregation),
                               .kind = ocelotl_aggregation_kind(aggregation),
                               .whole_gain = ocelotl_aggregation_whole_gain(aggregation),
                               .whole_loss = ocelotl_aggregation_whole_loss(aggregation)}};
}

static ocelotl_status begin(making *with, const ocelotl_sink *sink,
                            const ocelotl_picture_options *given)
{
    oc_report *report = &with->report;
    with->options = (ocelotl_picture_options)OCELOTL_PICTURE_OPTIONS_INIT;
    OC_TRY(check_kind(report->kind));
    OC_TRY(oc_read_options(&with->options, sizeof with->options, given));
    report->info = ocelotl_model_info_of(report->model);
    OC_TRY(oc_view_find(&with->view, report->kind, with->options.view));
    OC_TRY(oc_expansion_check_kind(report->kind, &with->options));
    const bool has_height = fpclassify(with->options.height) != FP_ZERO;
    with->bar = !has_height && with->view->height > 0;
    oc_picture_preset(&with->options.width, default_width);
    oc_picture_preset(&with->options.height, default_height);
    report->expanded = with->options.expand;
    report->reader = with->options.theme == OCELOTL_THEME_READER;
    report->commands = with->options.part_commands;
    report->command_count = with->options.part_command_count;
    report->picture = &with->picture;
    OC_TRY(oc_picture_read(&with->picture, &(oc_target){.sink = sink}, &with->options));
    with->picture.bare = true;
    if (with->bar)
        with->picture.height = with->view->height;
    return OCELOTL_OK;
}

/* Makes bytes, and writes them if nothing failed. */
static ocelotl_status write_made(making *with, const ocelotl_sink *sink,
                                 const ocelotl_picture_options *options,
                                 ocelotl_status (*make)(oc_text *bytes, making *with))
{
    oc_text bytes = {0};
    ocelotl_status status = begin(with, sink, options);
    if (status == OCELOTL_OK)
        status = make(&bytes, with);
    if (status == OCELOTL_OK)
        status = oc_check_memory(with->picture.memory_failures);
    if (status == OCELOTL_OK)
        status = oc_sink_write(sink, bytes.bytes, bytes.length);
    oc_text_free(&bytes);
    for (size_t i = 0; i < with->report.count; i++)
        free_level(&with->report.levels[i]);
    free(with->report.levels);
    oc_colour_pairs_free(&with->report.pairs);
    oc_text_free(&with->report.curves);
    free(with->whole_parts);
    oc_picture_free(&with->picture);
    return status;
}

static ocelotl_status make_page(oc_text *page, making *with)
{
    bool *done = NULL;
    oc_report *report = &with->report;
    OC_TRY(gather_levels(with));
    OC_TRY(gather_whole(with));
    OC_TRY(oc_allocate(&done, report->count, sizeof *done));
    const ocelotl_status status = make_levels(with, done);
    free(done);
    OC_TRY(status);
    drop_what_is_left_out(report);
    OC_TRY(make_curves(with));
    report->types = count_types(report);
    return oc_page_write_file(page, oc_page, report);
}

ocelotl_status ocelotl_report_draw(const ocelotl_sink *sink, const ocelotl_aggregation *aggregation,
                                   const ocelotl_levels *levels, double p,
                                   const ocelotl_picture_options *options)
{
    making with = making_of(aggregation, levels, p);
    if (!isnan(p) && !(p >= 0 && p <= 1))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "p is %.15g, expected a number in [0, 1], or none",
                       p);
    return write_made(&with, sink, options, make_page);
}

/* --- What a page asks for as it goes */

ocelotl_status ocelotl_page_write(const ocelotl_sink *sink, ocelotl_page_file file)
{
    static const char *const files[] = {oc_page, "{{colours}}{{style}}"};
    const ocelotl_picture_options options = {
        .size = sizeof options, .width = default_width, .title = "Ocelotl"};
    oc_picture picture = {0};
    const oc_report report = {.reader = true, .picture = &picture};
    oc_text bytes = {0};
    if (file == OCELOTL_PAGE_SCRIPT)
        return oc_sink_write(sink, oc_served_script, strlen(oc_served_script));
    if (file == OCELOTL_PAGE_SCRIPT_GZIP)
        return oc_sink_write(sink, oc_served_compressed, oc_served_compressed_size);
    if (file < 0 || (size_t)file >= sizeof files / sizeof files[0])
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the page has no file %d", (int)file);
    OC_TRY(oc_picture_read(&picture, &(oc_target){0}, &options));
    ocelotl_status status = oc_page_write_file(&bytes, files[file], &report);
    if (status == OCELOTL_OK)
        status = oc_sink_write(sink, bytes.bytes, bytes.length);
    oc_text_free(&bytes);
    oc_picture_free(&picture);
    return status;
}

static ocelotl_status make_view(oc_text *bytes, making *with)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(with->partition);
    oc_report *report = &with->report;
    OC_TRY(oc_allocate(&report->levels, 1, sizeof *report->levels));
    report->count = 1;
    report->levels[0].is = (ocelotl_level){.p = info.p,
                                           .plateau_from = info.p,
                                           .plateau_to = info.p,
                                           .parts = info.part_count,
                                           .gain = info.gain,
                                           .loss = info.loss};
    OC_TRY(make_picture(&report->levels[0], with, 2, with->partition));
    report->types = count_types(report);
    return oc_page_write_view(bytes, report);
}

ocelotl_status ocelotl_page_view_write(const ocelotl_sink *sink, const ocelotl_partition *partition,
                                       const ocelotl_picture_options *options)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    making with = {.partition = partition,
                   .report = {.model = ocelotl_partition_model(partition),
                              .kind = info.kind,
                              .whole_gain = info.whole_gain,
                              .whole_loss = info.whole_loss}};
    return write_made(&with, sink, options, make_view);
}

static ocelotl_status list_levels(oc_text *bytes, making *with)
{
    OC_TRY(gather_levels(with));
    OC_TRY(make_curves(with));
    return oc_page_write_levels(bytes, &with->report);
}

ocelotl_status ocelotl_page_levels_write(const ocelotl_sink *sink,
                                         const ocelotl_aggregation *aggregation,
                                         const ocelotl_levels *levels,
                                         const ocelotl_picture_options *options)
{
    making with = making_of(aggregation, levels, (double)NAN);
    return write_made(&with, sink, options, list_levels);
}

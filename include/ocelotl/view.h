/* Pictures of partitions. */
#ifndef OCELOTL_VIEW_H
#define OCELOTL_VIEW_H

#include <ocelotl/aggregation.h>
#include <ocelotl/drawables.h>
#include <ocelotl/palette.h>
#include <ocelotl/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ocelotl_theme {
    OCELOTL_THEME_LIGHT = 0, /* on white */
    OCELOTL_THEME_DARK = 1,
    /* a report is light or dark as its reader prefers; a picture is light */
    OCELOTL_THEME_READER = 2
} ocelotl_theme;

/* A command line that looks into a part, for a report. */
typedef struct ocelotl_part_command {
    const char *what; /* it shows of the part, one line for a person */
    /* the line; the byte 1 in it stands for p, the byte 2 for the number of the part */
    const char *text;
} ocelotl_part_command;

/* What every picture takes; members that a picture has no use for are ignored.
 * A type has one colour in all pictures of a trace and theme, whatever they show of it: it is
 * chosen from its name and the colour that the trace defines, and told apart from all other types
 * of the trace (ocelotl_type_names). */
typedef struct ocelotl_view_options {
    size_t size; /* sizeof(ocelotl_view_options), set by the initialiser */
    double width,
        /* pixels (points in PDF), 320 .. 20000; 0: 1280 x 720, or as low as a view that is a bar of
           parts needs */
        height;
    const char *title;   /* NULL: the model's name */
    const char *command; /* a command line that repeats the picture, for its metadata; NULL: none */
    ocelotl_theme theme;
    /* of a PNG, 24 .. 1200: at 96 (0) it has a pixel for each of width and height */
    double dpi;
    /* pixels, 1 .. 100: what would be smaller is drawn together with its neighbours; 0: 2 */
    double smallest;
    /* a CSV `name,colour` of colours for types, in which a name with a * is a glob; NULL: none */
    const char *palette;
    /* how a partition is drawn, a name of ocelotl_view_get; NULL: the first of its kind */
    const char *view;
    const char *area; /* what areas of a treemap are proportional to: the name of a type, for its
                         values; or, where no type is called so, "traced", for those of all but
                         untraced time, or "leaves", for their number (NULL) */
    const char *type; /* by name, for a view that shows one type; NULL: the one with most time, or
                         values, that is not untraced */
    const ocelotl_partition
        *whole; /* a temporal partition of the whole trace, which the picture shows a window of:
                   drawn as a thin strip above the plot with the window marked; NULL: none */
    /* The same partition, of which this alone is drawn, at full size. */
    const char *expand; /* a node by path; NULL: the root */
    /* seconds as `begin` and `end` of ocelotl_model_info, rounded to slices; without time, slices,
     * the last not included; both 0: all */
    double expand_from, expand_to;
    /* of a report: what it shows of a part that is chosen */
    const ocelotl_part_command *part_commands;
    size_t part_command_count;
    /* instead of `palette`, read already; must outlive what is drawn; NULL: none */
    const ocelotl_palette *colours;
    /* Types called so have the colours that they have in pictures of what these names are of: a
     * trace that what is drawn was derived from, say. NULL: of what is drawn. */
    const ocelotl_type_names *type_names;
} ocelotl_view_options;

#define OCELOTL_VIEW_OPTIONS_INIT                                                              \
    {                                                                                          \
        sizeof(ocelotl_view_options), 0, 0, NULL, NULL, OCELOTL_THEME_LIGHT, 0, 0, NULL, NULL, \
            NULL, NULL, NULL, NULL, 0, 0, NULL, 0, NULL, NULL                                  \
    }

/* Whether a picture can have this path and these options, whatever it shows: for programs that want
 * to know before the work that comes first. A NULL path is not looked at. Errors: ARGUMENT (unknown
 * suffix, size out of range), IO, INPUT (the palette). O(1), and what reading the palette takes. */
OCELOTL_API ocelotl_status ocelotl_picture_check(const char *path,
                                                 const ocelotl_view_options *options);

/* The ways to draw a partition. */
typedef struct ocelotl_view {
    const char *name;
    const char *what; /* one line for a person */
    ocelotl_kind kind;
} ocelotl_view;

/* By index below the count ("" beyond); the first of a kind is its default. O(1). */
OCELOTL_API size_t ocelotl_view_count(void);
OCELOTL_API ocelotl_view ocelotl_view_get(size_t index);

/* Draws a partition. Spatiotemporal ones by default as mode (thesis 6.4.3): one rectangle a part in
 * the colour of its dominant type, as opaque as that type's share; x is time, y the hierarchy.
 * Temporal ones as stacked histograms (thesis 5.6.3): for each part the shares of its types, summed
 * over all leaves, the largest of the whole picture at the bottom; types lower than `smallest`
 * pixels are drawn together. Spatial ones as treemaps (thesis 3.3.3). Untraced time is background
 * and never dominant; outside its lifetime a leaf is hatched. The format follows the suffix of
 * `path`: .svg, .png or .pdf; the file is whole or absent. Every picture carries the parameters it
 * was made with. Options may be NULL. Parts lower than `smallest` pixels are drawn together, as
 * visual aggregates (thesis 6.4.4): a diagonal marks those whose parts begin and end together (type
 * A), a cross the others (type B); what they look like is computed from the mean values of all that
 * they hold. Errors: ARGUMENT (unknown suffix, size out of range, no such view of the partition's
 * kind, no such type, as ocelotl_expansion_check, a `whole` that is not temporal or has no time),
 * IO; INPUT for the file of colours. O(parts x types + leaves x slices / 64). */
OCELOTL_API ocelotl_status ocelotl_overview_render(const char *path,
                                                   const ocelotl_partition *partition,
                                                   const ocelotl_view_options *options);

/* Whether what is to be expanded is there, for programs that want to know before they solve.
 * Errors: ARGUMENT (no such node, with the one whose path is nearest; a range that is empty or
 * outside the model). O(nodes). */
OCELOTL_API ocelotl_status ocelotl_expansion_check(const ocelotl_model *model,
                                                   const ocelotl_view_options *options);

/* The same of a partition of this kind, whose view must exist. */
OCELOTL_API ocelotl_status ocelotl_overview_check(const char *path, ocelotl_kind kind,
                                                  const ocelotl_view_options *options);

/* Draws a space-time diagram (Gantt chart; Stein 1999): a row for each resource and event type;
 * nested states are boxes inside one another, events marks, variables steps, links arrows.
 * Variables of one unit share a scale as long as the largest values of each reach a tenth of it;
 * others have their own. Variables that never change in the window are thin rows with their values;
 * those that five siblings or more have in common are one. Of links that would hide the rows the
 * shortest have no arrow; the caption counts those that have one. What the drawables hold as merged
 * has a diagonal, the colour of its leading value, and is as opaque as that value's share. So are
 * neighbouring rows of one type of states or events that are lower than `smallest` pixels, and any
 * that are lower than one pixel; the caption says how many. A height of 0 makes all rows easy to
 * read, up to 2400 pixels. The drawables must be of the trace. What is widest or longest has a
 * tooltip of its own, some thousands of things at most; where others are, pieces of the plot of
 * about 40 x 24 pixels say what is in them. So a picture is bounded by its pixels, not by the
 * trace. Errors: as ocelotl_picture_check; EMPTY where there is nothing to draw. O(objects log
 * objects + rows). */
OCELOTL_API ocelotl_status ocelotl_gantt_render(const char *path, ocelotl_trace *trace,
                                                const ocelotl_drawables *drawables,
                                                const ocelotl_view_options *options);

/* Draws statistics as bars (thesis 7.5): a group for each event type but variables, a bar for each
 * value as long as its share, what is left over and time in no state beside them. A width of 0 is
 * 800, a height of 0 what the bars take; in a lower picture the last groups have no room. Errors:
 * as ocelotl_picture_check. O(rows). */
OCELOTL_API ocelotl_status ocelotl_statistics_render(const char *path, const ocelotl_trace *trace,
                                                     const ocelotl_statistics *statistics,
                                                     const ocelotl_view_options *options);

/* Draws the gain and the loss of levels over p, as shares of the whole's, in steps (thesis 5.16);
 * below them how many parts they have, and the plateaus. The level to show first is marked, and so
 * is p, normalised in [0,1] or NaN for none. The aggregation is the one of which the levels are. Of
 * the options, view and area are of no meaning; the rest is as above. Thread-safe. Errors: ARGUMENT
 * (p; as ocelotl_picture_check), IO. O(levels). */
OCELOTL_API ocelotl_status ocelotl_curves_render(const char *path, const ocelotl_levels *levels,
                                                 const ocelotl_aggregation *aggregation, double p,
                                                 const ocelotl_view_options *options);

/* Writes a report: one HTML page that needs no network, in which the levels that stand for a
 * plateau can be gone through, each as ocelotl_overview_render draws it; with the curves of
 * ocelotl_curves_render, the shares of all types of any part and of any range of slices, and the
 * parameters. It begins with the level to show first, or where p is not NaN with the one whose
 * plateau p is nearest to. The aggregation, spatiotemporal or temporal, is the one of which the
 * levels are. Width and height are those of a picture (0: 1040 x 720); dpi and area are of no
 * meaning. At most twelve levels are shown, and about 8 MB of them: those of the widest plateaus,
 * the first one in any case; the page says how many are left out. A level of more than 1.5 MB is
 * drawn with a larger `smallest`. The page is whole or absent; a path ends in .html or .htm.
 * Thread-safe. A solve for each level, and O(cells + levels x (parts x types + nodes)). Errors:
 * ARGUMENT (p, the suffix, the kind; as ocelotl_overview_render), IO, MEMORY; CANCELLED by the
 * aggregation's progress. */
OCELOTL_API ocelotl_status ocelotl_report_write(const char *path,
                                                const ocelotl_aggregation *aggregation,
                                                const ocelotl_levels *levels, double p,
                                                const ocelotl_view_options *options);

/* Whether a report can have this path, kind and options, whatever it shows. A NULL path is not
 * looked at. Errors: as above. */
OCELOTL_API ocelotl_status ocelotl_report_check(const char *path, ocelotl_kind kind,
                                                const ocelotl_view_options *options);

#ifdef __cplusplus
}
#endif
#endif

/* Pictures: of partitions, of levels, of single events, of statistics, of two traces compared.
 *
 * Each picture has a function that writes it in a format to a sink: memory, a file that is whole or
 * absent (ocelotl_file_open), a function of the caller. One that fails may have written a part
 * already. A file's suffix names its format: ocelotl_picture_find_format.
 *
 * Every picture carries the parameters that it was made with. All functions may be called from any
 * thread, as the objects that they read may be. Options may be NULL.
 *
 * Errors of all pictures: ARGUMENT (an unknown format or suffix, a size out of range), INPUT (the
 * file of colours), IO, MEMORY, those of the sink, and what is said with each. */
#ifndef OCELOTL_PICTURE_H
#define OCELOTL_PICTURE_H

#include <ocelotl/levels.h>
#include <ocelotl/palette.h>
#include <ocelotl/sink.h>
#include <ocelotl/statistics.h>
#include <ocelotl/type_tree.h>
#include <ocelotl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Formats */

typedef enum ocelotl_picture_format {
    OCELOTL_PICTURE_SVG = 0,
    OCELOTL_PICTURE_PNG = 1,
    OCELOTL_PICTURE_PDF = 2
} ocelotl_picture_format;

/* Finds the format that the suffix of a file's name stands for, in any case. Errors: ARGUMENT, with
 * the suffixes that are known, or where this build has no cairo, and so draws SVG alone. */
OCELOTL_API ocelotl_status ocelotl_picture_find_format(ocelotl_picture_format *format,
                                                       const char *path);

/* --- Options */

typedef enum ocelotl_theme {
    OCELOTL_THEME_LIGHT = 0, /* on white */
    OCELOTL_THEME_DARK = 1,
    /* a report is light or dark as its reader prefers; a picture is light */
    OCELOTL_THEME_READER = 2
} ocelotl_theme;

/* What curves of levels show. */
typedef enum ocelotl_curves {
    OCELOTL_CURVES_RISING = 0, /* gain and loss, as shares of the whole's */
    OCELOTL_CURVES_FALLING = 1 /* what is left of complexity and of information: 1 less these */
} ocelotl_curves;

typedef enum ocelotl_texture {
    OCELOTL_TEXTURE_NONE = 0,
    /* Dots over each block of an overview, as dense as what is lost inside it: for each resource
     * and slice, beside what the whole loses as one block (thesis, 8.2.2). Of views of blocks:
     * "mode", "partition" and "amplitude". */
    OCELOTL_TEXTURE_LOSS = 1
} ocelotl_texture;

/* A command line that looks into a part, for a report. */
typedef struct ocelotl_part_command {
    const char *what; /* it shows of the part, one line for a person */
    /* the line; the byte 1 in it stands for p, the byte 2 for the number of the part */
    const char *text;
} ocelotl_part_command;

/* What a picture looks like. Zero is the default of every member; a picture ignores members that it
 * has no use for.
 *
 * A type has one colour in all pictures of a trace and theme, whatever they show of it. The colour
 * follows from its name and the colour that the trace defines, and differs from those of all other
 * types of the trace (ocelotl_type_names). */
/* A text at a place of a picture. */
typedef struct ocelotl_picture_note {
    double from, to;  /* seconds as `begin` and `end` of ocelotl_model_info; may be infinite */
    const char *node; /* its path; "": all resources. One that is not there is not seen. */
    const char *text;
} ocelotl_picture_note;

typedef struct ocelotl_picture_options {
    size_t size; /* sizeof(ocelotl_picture_options), set by the initialiser */

    /* In pixels (points in PDF), 320 .. 20000. 0: 1280 x 720; a view that is one bar of parts is
     * only as high as it needs to be. */
    double width, height;

    const char *title;   /* NULL: the model's name */
    const char *command; /* a command line that repeats the picture, for its metadata; NULL: none */
    /* The sharpness of a PNG in dots per inch, 24 .. 1200. 0: 96, a pixel for each of width and
     * height. */
    double dpi;

    /* In pixels, 1 .. 100: smaller things are drawn together with their neighbours. 0: 2. */
    double smallest;

    /* A CSV `name,colour` with colours of types (ocelotl_palette_read). NULL: none. */
    const char *palette;

    /* How a partition is drawn: the name of an ocelotl_view. NULL: the first of its kind. */
    const char *view;

    /* What areas of a treemap are proportional to: the name of a type, for its values; or, if no
     * type has this name, "traced", for all but untraced time, or "leaves". NULL: "leaves". */
    const char *area;

    /* The name of the type, for a view that shows one. NULL: the largest one that is not untraced.
     */
    const char *type;

    /* A temporal partition of the whole trace: a thin strip above the plot shows it and marks the
     * window of the picture. NULL: none. */
    const ocelotl_partition *whole;

    /* Draws one node of the same partition alone, at full size: its path. NULL: the root. */
    const char *expand;

    /* The same of a range of time: seconds as `begin` and `end` of ocelotl_model_info, rounded to
     * slices; without time, slices, `expand_to` excluded. Both 0: all. */
    double expand_from, expand_to;

    /* What a report offers for a part that its reader chooses. */
    const ocelotl_part_command *part_commands;
    size_t part_command_count;

    /* Colours read before, instead of `palette`. NULL: none. */
    const ocelotl_palette *colours;

    /* Types named here have the colours of the pictures that these names come from: those of the
     * trace that the drawn one was derived from, say. NULL: the names of what is drawn. */
    const ocelotl_type_names *type_names;

    /* Types whose names match one of these patterns (selection.h) keep their colours, all others
     * are grey; nothing else changes. None: all keep theirs. Errors: ARGUMENT for a pattern that
     * matches no type of the trace. */
    ocelotl_names show;

    /* Colours of types follow this tree: a group is one hue, what is in it are its shades, and what
     * it does not name is grey. They depend on the tree and the names of the trace alone. Types of
     * a group stand together in the legend, below its name. A palette still comes first. It must
     * live until the picture is drawn. NULL: none. */
    const ocelotl_type_tree *type_tree;

    /* States that are background, by name or glob: pale in an overview, which then shows what is
     * not them. None: those of that kind, and one of nearly all of the time (oc_look_find); the
     * one name "none": no state is. */
    ocelotl_names background;

    /* A number that events carry: of a Gantt chart what is drawn apart has colours of its value,
     * all else is grey. NULL: colours of types. */
    const char *colour_by;

    /* The folder of a program's sources: tooltips of a Gantt chart show the lines around the one
     * that an event carries as File and Line. NULL: none. */
    const char *source;

    /* Texts at places of an overview over time, or of a report: each that is seen has a frame with
     * its number, from 1, and a line of a list below. */
    const ocelotl_picture_note *notes;
    size_t note_count;

    /* A sentence below the title of an overview, on lines of its own; see
     * ocelotl_session_explained. NULL: none. */
    const char *explained;

    /* A Gantt chart for a page that has an axis and a legend of its own as well: rows with their
     * names alone, whose plot goes from one to the other, in pixels. It is at least as high as
     * `height`. Both 0: a picture of its own. */
    double plot_left, plot_right;

    ocelotl_theme theme;

    ocelotl_texture texture; /* of an overview */

    /* What the curves of levels show, also those of a report. */
    ocelotl_curves curves;

    /* A view for a page (ocelotl_page_view_write) that draws the parts itself, from
     * ocelotl_records_write: leaves them out, and all that depends on p. */
    bool without_parts;

    /* An overview is drawn as the partition is: no state is background, shades are of all of the
     * time, or of the largest value, and all rows are of one height. */
    bool plain;

    /* All rows of an overview are of one height, also those in which nothing happens; else
     * neighbours of these are drawn as one thin row. */
    bool all_rows;

    /* For a page that has a title of its own: leaves title and caption out, of an overview its
     * legend, too; it may be as low as 24 pixels. */
    bool bare;
} ocelotl_picture_options;

#define OCELOTL_PICTURE_OPTIONS_INIT OCELOTL_INIT(ocelotl_picture_options)

/* Checks a path and options before the work that a picture takes. A NULL path is not looked at.
 * O(1), and reading the palette. */
OCELOTL_API ocelotl_status ocelotl_picture_check(const char *path,
                                                 const ocelotl_picture_options *options);

/* --- A partition */

/* A way to draw a partition. */
typedef struct ocelotl_view {
    const char *name;
    const char *what; /* one line for a person */
    ocelotl_kind kind;
} ocelotl_view;

/* The views by index below the count ("" beyond); the first of a kind is its default. O(1). */
OCELOTL_API size_t ocelotl_view_count(void);
OCELOTL_API ocelotl_view ocelotl_view_at(size_t index);

/* Draws a partition.
 *
 * The view "mode" (thesis 6.4.3), default of spatiotemporal partitions: one rectangle for each part
 * in the colour of its dominant type, as opaque as that type's share; x is time, y the hierarchy.
 * The view "stacked" (thesis 5.6.3), default of temporal ones: for each part the shares of its
 * types, summed over all leaves, the largest of the whole picture at the bottom; types lower than
 * `smallest` are drawn together. The view "treemap" (thesis 3.3.3), default of spatial ones.
 *
 * Untraced time is background and never dominant; outside its lifetime a leaf is hatched. Parts
 * lower than `smallest` are drawn together as visual aggregates (thesis 6.4.4): a diagonal marks
 * those whose parts begin and end together (type A), a cross the others (type B); their colour
 * comes from the mean values of all that they hold.
 *
 * Errors: ARGUMENT (no such view of the partition's kind, no such type, what
 * ocelotl_expansion_check refuses, a `whole` that is not temporal or has no time). O(parts x types
 * + leaves x slices / 64). */
OCELOTL_API ocelotl_status ocelotl_overview_draw(const ocelotl_sink *sink,
                                                 ocelotl_picture_format format,
                                                 const ocelotl_partition *partition,
                                                 const ocelotl_picture_options *options);

/* Checks the same for partitions of a kind, before one is solved. A NULL path is not looked at. */
OCELOTL_API ocelotl_status ocelotl_overview_check(const char *path, ocelotl_kind kind,
                                                  const ocelotl_picture_options *options);

/* --- Statistics */

/* Draws statistics as bars (thesis 7.5): a group for each event type but variables.
 *
 * Each value has a bar as long as its share; what is left over and time in no state stand beside
 * them. A width of 0 is 800, a height of 0 what the bars take; a lower picture has no room for the
 * last groups. The statistics must be of the trace. O(rows). */
OCELOTL_API ocelotl_status ocelotl_statistics_draw(const ocelotl_sink *sink,
                                                   ocelotl_picture_format format,
                                                   const ocelotl_trace *trace,
                                                   const ocelotl_statistics *statistics,
                                                   const ocelotl_picture_options *options);

/* --- Levels */

/* Draws gain and loss of levels over p, as shares of the whole's (thesis 5.16).
 *
 * Both are steps. `curves` of the options draws what is left of complexity and information instead.
 * Below them are the levels' numbers of parts, and the plateaus. The level to show first is marked,
 * and so is p: normalised in [0,1], NaN for none. The levels must be of the aggregation. `view` and
 * `area` are ignored. Errors: ARGUMENT (p, unknown curves). O(levels). */
OCELOTL_API ocelotl_status ocelotl_curves_draw(const ocelotl_sink *sink,
                                               ocelotl_picture_format format,
                                               const ocelotl_levels *levels,
                                               const ocelotl_aggregation *aggregation, double p,
                                               const ocelotl_picture_options *options);

/* Draws a report: one HTML page, without any network, to go through the levels.
 *
 * Each level that stands for a plateau is drawn as ocelotl_overview_draw draws it. The page also
 * has the curves of ocelotl_curves_draw, the shares of all types in any part and in any range of
 * slices, and the parameters. It begins with the level to show first, or with the level whose
 * plateau is nearest to p, unless p is NaN. The aggregation is spatiotemporal or temporal, and the
 * levels are its own.
 *
 * Width and height are those of a picture (0: 1040 x 720); `dpi` and `area` are ignored. The page
 * holds at most twelve levels and about 8 MB of them: those of the widest plateaus, the first one
 * in any case; it says how many it leaves out. A level of more than 1.5 MB is drawn with a larger
 * `smallest`. See ocelotl_report_check of its path.
 *
 * Errors: ARGUMENT (p, the kind; as ocelotl_overview_draw); CANCELLED by the
 * aggregation's progress. A solve for each level, and O(cells + levels x (parts x types + nodes)).
 */
OCELOTL_API ocelotl_status ocelotl_report_draw(const ocelotl_sink *sink,
                                               const ocelotl_aggregation *aggregation,
                                               const ocelotl_levels *levels, double p,
                                               const ocelotl_picture_options *options);

/* Checks the same for aggregations of a kind, before one is made, and that a path ends in .html or
 * .htm. A NULL path is not looked at. */
OCELOTL_API ocelotl_status ocelotl_report_check(const char *path, ocelotl_kind kind,
                                                const ocelotl_picture_options *options);

/* --- Pages that ask as they go: what a server gives to the page of a report */

typedef enum ocelotl_page_file {
    OCELOTL_PAGE_HTML = 0,
    OCELOTL_PAGE_STYLE = 1,      /* CSS */
    OCELOTL_PAGE_SCRIPT = 2,     /* JavaScript */
    OCELOTL_PAGE_SCRIPT_GZIP = 3 /* the same, compressed */
} ocelotl_page_file;

/* Writes a file of the page, which refers to the others as page.css and page.js. They hold nothing
 * of any trace. Errors: ARGUMENT (no such file), MEMORY, those of the sink. */
OCELOTL_API ocelotl_status ocelotl_page_write(const ocelotl_sink *sink, ocelotl_page_file file);

/* Writes what the page shows of a partition, as JSON: its picture as SVG, the parameters, and the
 * parts, types, nodes and slices that it is made of.
 *
 * The picture is bare: the plot with its axis, the names of rows and the steps, to the edges. What
 * others have around these is there as data: "notes" are the pieces of the caption, "legend" has
 * for each entry its kind ("type", "mark", "shades"), name, tooltip, colour, how its swatch looks
 * ("" for plain, "outline", "stripes", "diagonal", "cross", "dots") and whether it stands back.
 *
 * The partition is spatiotemporal or temporal; options are as for ocelotl_report_draw, but that
 * `whole` is not drawn. Numbers are
 * for people. Errors: as ocelotl_report_draw. O(cells + parts x types + nodes). */
OCELOTL_API ocelotl_status ocelotl_page_view_write(const ocelotl_sink *sink,
                                                   const ocelotl_partition *partition,
                                                   const ocelotl_picture_options *options);

/* Writes the levels that a page offers, as JSON: those that stand for a plateau, and the curves of
 * all as SVG. Levels are those of the aggregation. Errors: as ocelotl_report_draw. O(levels). */
OCELOTL_API ocelotl_status ocelotl_page_levels_write(const ocelotl_sink *sink,
                                                     const ocelotl_aggregation *aggregation,
                                                     const ocelotl_levels *levels,
                                                     const ocelotl_picture_options *options);

#ifdef __cplusplus
}
#endif
#endif

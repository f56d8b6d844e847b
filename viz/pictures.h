/* Pictures of results that programs reach by ocelotl_ask alone. What picture.h promises of all
 * pictures holds here, too. */
#ifndef OC_VIZ_PICTURES_H
#define OC_VIZ_PICTURES_H

#include "aggregate/hierarchies.h"
#include "compare/compare.h"
#include "quality/clocks.h"
#include "query/drawables.h"
#include "query/durations.h"
#include "query/messages.h"

#include <ocelotl/picture.h>

/* Checks whether a model has what is to be expanded, before it is solved. Errors: ARGUMENT (no such
 * node, with the one whose path is nearest; a range that is empty or outside). O(nodes). */
ocelotl_status ocelotl_expansion_check(const ocelotl_model *model,
                                       const ocelotl_picture_options *options);

/* Draws as ocelotl_overview_draw, where the tooltip of each part says why it is cut; "" where it
 * does not. NULL: none does. */
ocelotl_status oc_overview_draw_why(const ocelotl_sink *sink, ocelotl_picture_format format,
                                    const ocelotl_partition *partition, const char *const *why,
                                    const ocelotl_picture_options *options);

/* Draws two partitions of one kind, one below the other, with one legend.
 *
 * Types match by name, and have the same colours. If both have time, x has one scale and begins
 * where their windows do, so that the shorter one is narrower; `stretch` draws both as wide as
 * possible. A height of 0 is 960. `whole` and `expand` are ignored, and `title` is that of the
 * first. Errors: as ocelotl_overview_draw; ARGUMENT for kinds that differ. O(parts x types +
 * leaves). */
ocelotl_status ocelotl_compare_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                    const ocelotl_partition *first, const ocelotl_partition *second,
                                    bool stretch, const ocelotl_picture_options *options);

/* Draws how much two traces differ in one type: the type of the options, or the one that differs
 * most.
 *
 * The partition is spatiotemporal and its model comes from ocelotl_comparison_join. A part has one
 * colour where the second trace has more of the type, another where it has less, as opaque as the
 * difference is large. `view`, `whole` and `expand` are ignored. Errors: as ocelotl_overview_draw;
 * ARGUMENT for another model or kind. O(parts x types + leaves). */
ocelotl_status ocelotl_difference_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                       const ocelotl_partition *partition,
                                       const ocelotl_picture_options *options);

/* Draws a space-time diagram (Gantt chart; Stein 1999): a row for each resource and event type.
 *
 * Nested states are boxes inside one another, events marks, variables steps, links arrows.
 * Variables of one unit share a scale as long as the largest values of each reach a tenth of it;
 * others have their own. Variables that never change in the window are thin rows with their values;
 * where five siblings or more have some in common, these are one row. Where links would hide the
 * rows, the shortest have no arrow; the caption counts those that have one.
 *
 * A merged drawable has a diagonal and the colour of its leading value, and is as opaque as that
 * value's share. So are neighbouring rows of one type of states or events that are lower than
 * `smallest`, and any that are lower than one pixel; the caption counts them. A height of 0 makes
 * all rows easy to read, up to 2400 pixels.
 *
 * The widest and longest things have tooltips of their own, some thousands at most; elsewhere
 * pieces of the plot of about 40 x 24 pixels name what is in them. So the picture is bounded by its
 * pixels, not by the trace. The drawables must be of the trace. Errors: EMPTY where nothing is to
 * be drawn. O(objects log objects + rows). */
ocelotl_status ocelotl_gantt_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                  ocelotl_trace *trace, const ocelotl_drawables *drawables,
                                  const ocelotl_picture_options *options);

/* Two diagrams in one picture, the first above the second. */
typedef struct ocelotl_gantts {
    ocelotl_trace *traces[2];
    const ocelotl_drawables *drawables[2];
    bool stretch; /* both are equally wide; else they have one scale of time */
} ocelotl_gantts;

/* Draws two diagrams, each from where its window begins, in the same colours, with one legend. They
 * are easiest to compare where their rows are the same (`like` of ocelotl_drawables_options). The
 * default height is that of both. Errors and cost as of one. */
ocelotl_status ocelotl_gantts_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   const ocelotl_gantts *both,
                                   const ocelotl_picture_options *options);

/* Draws histograms of durations, a plot for each column, on scales that all share.
 *
 * A bar is the share of a column's events that last so long. With slices time goes to the right and
 * durations go up, and the more events of a slice last so long, the fuller is the colour, by the
 * logarithm. Plots that have no room are counted in the caption. The durations must be of the
 * trace. O(columns x bins x slices). */
ocelotl_status ocelotl_durations_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      const ocelotl_trace *trace,
                                      const ocelotl_durations *durations,
                                      const ocelotl_picture_options *options);

/* Draws a square for each pair of groups with messages: rows send, columns receive.
 *
 * Groups have the order of the hierarchy, with lines between its nodes, and bars of the sums at the
 * right and below. The colour follows the logarithm of the measure, or the measure itself with
 * `linear`; 0 has none. If a line would be thinner than `smallest`, the groups below one resource
 * are summed up in one, as far up as it takes, and the caption says so. Width and height 0 are 960
 * each. The trace is that of the messages. Errors: ARGUMENT (no such measure). O(cells + groups x
 * levels). */
ocelotl_status ocelotl_messages_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                     const ocelotl_trace *trace, const ocelotl_messages *messages,
                                     ocelotl_message_measure measure, bool linear,
                                     const ocelotl_picture_options *options);

/* Draws what messages say of two clocks: time goes to the right, as the first one reads, and up how
 * far the second one is ahead, less the line that was found. Points of messages to the second clock
 * lie above that line, others below; what nothing contradicts is between two more lines. Messages
 * far from it are counted in the caption. The points must be of the trace. O(points + pixels). */
ocelotl_status ocelotl_clock_points_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                         const ocelotl_trace *trace,
                                         const ocelotl_clock_points *points,
                                         const ocelotl_picture_options *options);

/* Draws all clocks over time, a row each: how far it is found ahead of its line, and shaded, how
 * far it can be; below, when messages of it end before they begin. Where rows for all would be too
 * thin those of the worst are drawn, and one for all others. Reads the messages again (see
 * ocelotl_clock_courses_find). The trace is that of the clocks. Height 0: by the rows. */
ocelotl_status ocelotl_clocks_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   const ocelotl_trace *trace, const ocelotl_clocks *clocks,
                                   const ocelotl_picture_options *options);

/* Draws what each loses over the number of parts, as curves; `model` names what they are of.
 * Options may be NULL. Errors: as ocelotl_curves_draw. */
ocelotl_status ocelotl_hierarchies_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                        const ocelotl_hierarchies *hierarchies,
                                        const ocelotl_model *model,
                                        const ocelotl_picture_options *options);

#endif

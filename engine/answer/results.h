/* Results that programs reach by ocelotl_ask alone, as JSON, CSV, text and rows. What answer.h and
 * arrow.h promise holds here, too. */
#ifndef OC_ANSWER_RESULTS_H
#define OC_ANSWER_RESULTS_H

#include "aggregate/explanation.h"
#include "aggregate/hierarchies.h"
#include "base/text.h"
#include "compare/compare.h"
#include "quality/causality.h"
#include "quality/clocks.h"
#include "quality/perturbation.h"
#include "query/drawables.h"
#include "query/durations.h"
#include "query/messages.h"
#include "series/derived.h"

#include <ocelotl/arrow.h>
#include <ocelotl/sink.h>

/* Writes histograms of durations; the trace is theirs. As JSON each column has its bins that hold
 * something, with slices what each of these holds, and the question in SQL that gives its events.
 * CSV has the header `window,from,to,group,slice,begin,end,count,sum`, a row for each bin that
 * holds something, also of each slice. The text is a table with columns beside each other.
 * O(columns x bins x slices). */
ocelotl_status ocelotl_durations_write(const ocelotl_sink *sink, ocelotl_form form,
                                       const ocelotl_durations *durations,
                                       const ocelotl_trace *trace);

/* Writes the matrix of messages. CSV has the header
 * `row,column,count,bytes,ended,received,time,least,mean,bandwidth,in_flight,violations` and a row
 * for each cell that holds something; so has JSON, with the order of the groups and the sums of
 * rows and columns. Text has the cells with the largest measure. The trace is that of the messages.
 * O(cells). */
ocelotl_status ocelotl_messages_write(const ocelotl_sink *sink, ocelotl_form form,
                                      const ocelotl_messages *messages, const ocelotl_trace *trace,
                                      ocelotl_message_measure measure);

/* Writes whether the order of events can be trusted. CSV has the header
 * `kind,type,source,target,begin,end,amount` and a row for each violation; JSON has these, the
 * pairs of clocks, and the links with one end alone; text the worst of each and what follows from
 * them. The trace is that of the causality. O(violations + pairs). */
ocelotl_status ocelotl_causality_write(const ocelotl_sink *sink, ocelotl_form form,
                                       const ocelotl_causality *causality,
                                       const ocelotl_trace *trace);

/* Writes what the clocks of a trace look like. CSV has the header
 * `clock,group,reference,at,offset,drift,bound,residual,messages,samples`, a row a clock; JSON
 * has these and what all say together; text has what follows from them, and the first clocks. Times
 * are seconds. The trace is that of the clocks. O(clocks). */
ocelotl_status ocelotl_clocks_write(const ocelotl_sink *sink, ocelotl_form form,
                                    const ocelotl_clocks *clocks, const ocelotl_trace *trace);

/* Writes what is known of a trace without its tracer. CSV has the header
 * `thread,records,cost,end,new_end`, a row a thread; of a check `within,source,target,bytes,..`, a
 * row for messages of one size; JSON and text have both and their sums. Times are seconds. The
 * trace is that of the perturbation. O(threads + routes). */
ocelotl_status ocelotl_perturbation_write(const ocelotl_sink *sink, ocelotl_form form,
                                          const ocelotl_perturbation *perturbation,
                                          const ocelotl_trace *trace);

/* Writes what a Gantt chart draws: in JSON rows with their objects, and links; in CSV a line for
 * each object and link, and for each value of an object that is merged. The trace is that of the
 * drawables. O(objects). */
ocelotl_status ocelotl_drawables_write(const ocelotl_sink *sink, ocelotl_form form,
                                       const ocelotl_drawables *drawables,
                                       const ocelotl_trace *trace);

/* Writes the remaining changes of derived series, in order of time; none is left afterwards. The
 * trace is that of the series. Changes are written as they are found, at the cost of finding them.
 * Errors: as ocelotl_series_next. */
ocelotl_status ocelotl_series_write(const ocelotl_sink *sink, ocelotl_form form,
                                    ocelotl_series *series, const ocelotl_trace *trace);

/* Writes the mean of each series in each of `spans` equal spans of time; null without a value. No
 * change is left afterwards. O(changes + series x spans). Errors: as ocelotl_series_next. */
ocelotl_status ocelotl_series_write_means(const ocelotl_sink *sink, ocelotl_series *series,
                                          const ocelotl_trace *trace, uint32_t spans);

/* Writes what differs between two models: phases, and every change. `phases` are those of the
 * comparison (ocelotl_phases_find); NULL: none are written. `names` are what to call the two;
 * NULL: as their models are called. As text it has every change where `all` says so, else those
 * that are worth a row. O(changes). */
ocelotl_status ocelotl_comparison_write(const ocelotl_sink *sink, ocelotl_form form,
                                        const ocelotl_comparison *comparison,
                                        const ocelotl_phases *phases, const char *const names[2],
                                        bool all);

/* Writes the `most` largest named changes, and the number of all. O(changes). */
ocelotl_status ocelotl_comparison_write_named(const ocelotl_sink *sink,
                                              const ocelotl_comparison *comparison, size_t most);

/* Writes the ranking: as text the losses at each of those numbers, as CSV and JSON every point.
 * O(points). */
ocelotl_status ocelotl_hierarchies_write(const ocelotl_sink *sink, ocelotl_form form,
                                         const ocelotl_hierarchies *hierarchies);

/* Writes why a part, or a block of parts, is cut and not cut. CSV has the header
 * `cut,by,part,name,first,last,gain,loss,difference,taken_out` and a row for each difference:
 * all of a cut, of each type, of each piece. Text has a sentence for each cut and its
 * largest differences; JSON both, and what ocelotl_explanation_write_json has. O(differences). */
ocelotl_status ocelotl_explanation_write(const ocelotl_sink *sink, ocelotl_form form,
                                         const ocelotl_explanation *explanation);

/* Adds from what a part is cut, and because of which types, in a few words: of its cuts the one
 * that is worth most. Nothing where no types make one. */
void oc_explanation_add_cause(oc_text *text, const ocelotl_explanation *explanation);

/* --- Streams of rows, as those of arrow.h */

/* Every difference of an explanation, which keeps them. */
ocelotl_status ocelotl_explanation_to_arrow(struct ArrowArrayStream *stream,
                                            ocelotl_explanation *explanation,
                                            const ocelotl_arrow_options *options);

/* The bins of histograms that hold something: of a column in all, then of each slice (null: in all,
 * with the seconds that they last together). The trace is that of the durations. */
ocelotl_status ocelotl_durations_to_arrow(struct ArrowArrayStream *stream,
                                          const ocelotl_durations *durations,
                                          const ocelotl_trace *trace,
                                          const ocelotl_arrow_options *options);

/* Every change of a comparison, the largest first. */
ocelotl_status ocelotl_comparison_to_arrow(struct ArrowArrayStream *stream,
                                           const ocelotl_comparison *comparison,
                                           const ocelotl_arrow_options *options);

/* Gives the cells of a matrix of messages that hold something, row after row, with the names of row
 * and column; unknown numbers are null. The trace is that of the messages. */
ocelotl_status ocelotl_messages_to_arrow(struct ArrowArrayStream *stream,
                                         const ocelotl_messages *messages,
                                         const ocelotl_trace *trace,
                                         const ocelotl_arrow_options *options);

/* Gives the remaining changes of derived series, in order of time, as batches are read: time,
 * resource, name, value (null: none from then on). The trace is that of the series. */
ocelotl_status ocelotl_series_to_arrow(struct ArrowArrayStream *stream, ocelotl_series *series,
                                       const ocelotl_trace *trace,
                                       const ocelotl_arrow_options *options);

#endif

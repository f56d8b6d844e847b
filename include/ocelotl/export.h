/* Writes traces and models in the formats of other tools to a sink, like answer.h.
 *
 * Memory is bounded whatever the size of the trace: what has to be sorted and takes more than 64 MB
 * goes through a file without a name in the folder for temporary files (TMPDIR, or /tmp). Errors of
 * all: those of the sink, MEMORY, IO for that file, and those named below. */
#ifndef OCELOTL_EXPORT_H
#define OCELOTL_EXPORT_H

#include <ocelotl/aggregation.h>
#include <ocelotl/query.h>
#include <ocelotl/sink.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OCELOTL_MOST_LOSSES 24

/* Something of a trace that a format cannot say. */
typedef struct ocelotl_loss {
    const char *what; /* in the plural: "units of variables" */
    uint64_t count;
} ocelotl_loss;

/* All losses, one for each kind. Empty if zero-initialised. */
typedef struct ocelotl_losses {
    size_t count;
    ocelotl_loss losses[OCELOTL_MOST_LOSSES];
} ocelotl_losses;

/* Writes events as JSON, each as an object in a line of its own, or as CSV with the header
 * `resource,resource_type,category,type,value,begin,end,duration,depth,source,target,key,
 * attributes`. `selection` is what the events were opened with; NULL: some of them. Where it is the
 * whole trace, rows of the category `resource` come before or behind all others for resources that
 * events do not say by themselves. The uid then comes back, unless *losses has something. O(events
 * + resources). Errors: as ocelotl_events_next. */
OCELOTL_API ocelotl_status ocelotl_events_write_json(const ocelotl_sink *sink,
                                                     ocelotl_events *events, ocelotl_trace *trace,
                                                     const ocelotl_selection *selection,
                                                     ocelotl_losses *losses);
OCELOTL_API ocelotl_status ocelotl_events_write_csv(const ocelotl_sink *sink,
                                                    ocelotl_events *events, ocelotl_trace *trace,
                                                    const ocelotl_selection *selection,
                                                    ocelotl_losses *losses);

/* Writes events as Chrome trace events in JSON, which Perfetto's viewer opens (see docs/export.md).
 * It writes the events that ocelotl_events_next would give, opened without `by_time`; none is left
 * afterwards. The trace is that of the events. The parts of a partition, of a model of the same
 * trace, become slices on tracks of its nodes; NULL: none. *losses receives what is lost. Linear in
 * the events, and n log n in those of one resource and type. Errors: as ocelotl_events_next;
 * ARGUMENT for a partition of a model without a trace. */
OCELOTL_API ocelotl_status ocelotl_events_write_chrome(const ocelotl_sink *sink,
                                                       ocelotl_events *events,
                                                       const ocelotl_trace *trace,
                                                       const ocelotl_partition *partition,
                                                       ocelotl_losses *losses);

/* The same as a trace of Perfetto: packets of its protobuf, with units, and all that nests as deep
 * as it is. */
OCELOTL_API ocelotl_status ocelotl_events_write_perfetto(const ocelotl_sink *sink,
                                                         ocelotl_events *events,
                                                         const ocelotl_trace *trace,
                                                         const ocelotl_partition *partition,
                                                         ocelotl_losses *losses);

/* Writes events as a Paje trace, with its definitions, containers, colours and attributes
 * (docs/export.md). The containers are those that are selected and those around them; `selection`
 * is what the events were opened with, with `every_change` and without `by_time`. The uid of the
 * trace comes back where it came from one file of Paje, and all of it is written. *losses has what
 * Paje cannot say. O(n log n) in the events. Errors: as ocelotl_events_next. */
OCELOTL_API ocelotl_status ocelotl_events_write_paje(const ocelotl_sink *sink,
                                                     ocelotl_events *events, ocelotl_trace *trace,
                                                     const ocelotl_selection *selection,
                                                     ocelotl_losses *losses);

/* Writes events as a PICL trace (docs/export.md), the new format or the old one: sends, receives,
 * barriers, and states as events of the user. Processors are the resources where links begin or
 * end; times count from the begin of the trace. Opened without `by_time`. *losses has what PICL
 * cannot say. O(n log n) in the events. Errors: as ocelotl_events_next. */
OCELOTL_API ocelotl_status ocelotl_events_write_picl(const ocelotl_sink *sink,
                                                     ocelotl_events *events, ocelotl_trace *trace,
                                                     bool old, ocelotl_losses *losses);

/* Writes what the numbers in such a trace stand for: lines "processor NUMBER PATH" and "event
 * NUMBER NAME". O(links + values). Errors: INPUT for damage, those of the sink. */
OCELOTL_API ocelotl_status ocelotl_picl_write_names(const ocelotl_sink *sink, ocelotl_trace *trace);

/* Writes a model as the CSV that ocelotl_model_from_csv reads: a row for each cell that is not 0,
 * and rows of 0 for leaves, types and slices that have none. The model read back has the same
 * tree, types, slices and cells, and so the same partitions; groups of like siblings are nodes of
 * its paths. O(nodes + leaves x slices x types). Errors: ARGUMENT for a model whose partitions are
 * not those of its cells alone (merged leaves, means and extremes of durations). */
OCELOTL_API ocelotl_status ocelotl_model_write_csv(const ocelotl_sink *sink,
                                                   const ocelotl_model *model);

/* Writes the same as pj_dump of PajeNG does: before the events, the containers that are selected;
 * times and values with `digits` digits behind the point. UINT32_MAX: as many as the lines had that
 * the trace came as, else 6. A trace that came as lines has their unit of times. *losses receives
 * what is lost. `selection` is what the events were opened with. Linear in the events; O(resources
 * x depth) more. Errors: as ocelotl_events_next. */
OCELOTL_API ocelotl_status ocelotl_events_write_pjdump(const ocelotl_sink *sink,
                                                       ocelotl_events *events,
                                                       const ocelotl_trace *trace,
                                                       const ocelotl_selection *selection,
                                                       uint32_t digits, ocelotl_losses *losses);

#ifdef __cplusplus
}
#endif
#endif

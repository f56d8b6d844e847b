/* Writing a trace again: its names as they are, and records one by one past the checks that the
 * public functions of the writer make of callers. */
#ifndef OC_STORE_COPY_COPYING_H
#define OC_STORE_COPY_COPYING_H

#include "store/read/reader.h"
#include "store/trace/catalogue.h"
#include "store/write/writer.h"

/* What a trace.db says of itself that is to say what another one does: name, source, format, tick
 * and origin. */
ocelotl_writer_options oc_copy_options(const ocelotl_trace *trace);

/* Opens a writer of something made from the trace of `options`, which oc_copy_options gave. It is
 * called `name`; NULL: as the trace, and what was made. */
ocelotl_status oc_copy_open(ocelotl_writer **writer, const char *path,
                            ocelotl_writer_options options, const char *name, const char *made);

/* Says of clocks what the trace does, in rows of `meta` whose keys begin so. */
ocelotl_status oc_copy_notes(ocelotl_writer *writer, const ocelotl_trace *trace, const char *keys);

/* Declares the types of resources, and event types with their units, attributes and values; and
 * says what the source was, with its warnings. Numbers are the same in both. */
ocelotl_status oc_copy_types(ocelotl_writer *writer, const oc_catalogue *catalogue);

/* Declares the resources, each from `begins` on (by resource; NULL: as in the trace), with their
 * notes. Those of a part's file are by its numbers: `numbers` says what they are here. */
ocelotl_status oc_copy_resources(ocelotl_writer *writer, const ocelotl_trace *trace,
                                 const int64_t *begins, const uint32_t *numbers);

/* Begins a copy of a trace: a writer that has all but its streams, and its bounds. `numbers` as
 * above. Free the writer in any case. */
ocelotl_status oc_copy_begin(ocelotl_writer **writer, const char *path,
                             const oc_catalogue *catalogue, const uint32_t *numbers,
                             const ocelotl_writer_options *options);

/* Ends resources as in the trace, and finishes. */
ocelotl_status oc_copy_end(ocelotl_writer *writer, const ocelotl_trace *trace);

/* Appends a record to a stream of the writer and counts it, as public functions do. */
ocelotl_status oc_copy_record(ocelotl_writer *writer, uint32_t stream, const oc_record *record,
                              const oc_writer_attributes *attributes);

/* The numbers that names have in the copy, by those in the trace; NULL: the same. */
typedef struct oc_numbers {
    uint32_t *resource_types, *resources, *event_types, *values;
    uint32_t **attributes; /* by event type of the trace, by number */
} oc_numbers;

/* Records on their way to a stream of a writer. */
typedef struct oc_copier {
    ocelotl_writer *writer;
    uint32_t target; /* its stream */
    oc_numbers numbers;
    const uint32_t *attribute_numbers;   /* of the stream's event type; NULL: the same */
    ocelotl_attribute_value *attributes; /* of the record, for a moment; to be freed */
    size_t capacity;
} oc_copier;

/* Copies a record with its attributes, perhaps with another time. */
ocelotl_status oc_copier_add(oc_copier *copier, const oc_records *records, const oc_record *record);

/* Copies a stream of the reader's trace, with the copier's numbers. */
ocelotl_status oc_copier_add_stream(oc_copier *copier, oc_reader *reader, uint32_t stream);

/* Copies those streams of a trace whose resources are `chosen` (by resource; NULL: all). */
ocelotl_status oc_copier_add_streams(oc_copier *copier, oc_reader *reader, const bool *chosen);

#endif

/* Tables by the Arrow C data interface: to pandas, polars, DuckDB, pyarrow, R, without a copy.
 *
 * Each function gives a stream of batches of rows, which any number of them may be read from. What
 * a stream reads must outlive it: `release` in the options says when it is done. A batch owns its
 * memory, and outlives the stream. Columns have the names and the meaning that the same answer has
 * as CSV (docs/programs.md); times are in seconds, names are dictionaries that all batches share.
 * Texts are valid UTF-8. One thread at a time uses a stream; a batch is released by any.
 *
 * Errors of all of them: MEMORY. A failure of a stream's own functions is a number of errno
 * (EINVAL, EIO, ENOMEM, ECANCELED), and get_last_error gives the message. */
#ifndef OCELOTL_ARROW_H
#define OCELOTL_ARROW_H

#include <ocelotl/levels.h>
#include <ocelotl/query.h>
#include <ocelotl/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The structures of the specification, under the guards that it names, so that other headers may
 * define them. It is the Arrow Columnar Format, "The Arrow C data interface" and "The Arrow C
 * stream interface". */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* Zero is the default of every member. */
typedef struct ocelotl_arrow_options {
    size_t size;         /* sizeof(ocelotl_arrow_options), set by the initialiser */
    uint32_t batch_rows; /* the most that a batch has; 0: 65536 */
    void *context;       /* the argument of each function */
    /* called before and after what is read of the table's objects, to lock them; NULL: nothing */
    void (*enter)(void *context);
    void (*leave)(void *context);
    /* called once, when the stream is released: its objects may go; NULL: nothing. A function that
     * makes a stream and fails calls it, too. */
    void (*release)(void *context);
} ocelotl_arrow_options;

#define OCELOTL_ARROW_OPTIONS_INIT OCELOTL_INIT(ocelotl_arrow_options)

/* The parts of a partition in their order: id, node, first, last, begin, end (null without time),
 * leaves, state (null: none), share, gain, loss. Options may be NULL, here and below. */
OCELOTL_API ocelotl_status ocelotl_parts_to_arrow(struct ArrowArrayStream *stream,
                                                  const ocelotl_partition *partition,
                                                  const ocelotl_arrow_options *options);

/* The levels of an aggregation. */
OCELOTL_API ocelotl_status ocelotl_levels_to_arrow(struct ArrowArrayStream *stream,
                                                   const ocelotl_levels *levels,
                                                   const ocelotl_arrow_options *options);

/* What a window adds up to; a row whose value is null is of an event type as a whole where `whole`
 * says so. The trace is that of the statistics. */
OCELOTL_API ocelotl_status ocelotl_statistics_to_arrow(struct ArrowArrayStream *stream,
                                                       const ocelotl_statistics *statistics,
                                                       const ocelotl_trace *trace,
                                                       const ocelotl_arrow_options *options);

/* The events that have not been asked for yet, read as batches are; none is left afterwards. The
 * value of a variable is in `number`, that of all others in `value`. The trace is that of the
 * events. */
OCELOTL_API ocelotl_status ocelotl_events_to_arrow(struct ArrowArrayStream *stream,
                                                   ocelotl_events *events,
                                                   const ocelotl_trace *trace,
                                                   const ocelotl_arrow_options *options);

/* The rows of a query that have not been asked for yet. All of them are read at once: the type of
 * a column is what its cells need, integers, numbers, texts or bytes. Numbers among texts are
 * written as texts. Errors: as ocelotl_query_next, LIMIT for more than 1 GiB of text in a column.
 */
OCELOTL_API ocelotl_status ocelotl_query_to_arrow(struct ArrowArrayStream *stream,
                                                  ocelotl_query *query,
                                                  const ocelotl_arrow_options *options);

/* The resources of a trace: id, path, name, type, parent (null: the root), begin, end.
 * Errors: as ocelotl_events_open. */
OCELOTL_API ocelotl_status ocelotl_resources_to_arrow(struct ArrowArrayStream *stream,
                                                      ocelotl_trace *trace,
                                                      const ocelotl_arrow_options *options);

#ifdef __cplusplus
}
#endif
#endif

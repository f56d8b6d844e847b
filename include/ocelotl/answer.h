/* Answers as JSON, CSV and text, written to a sink: memory, a file, or a function of the caller.
 *
 * docs/programs.md says what is in JSON and CSV. Text is for people: it names what a terminal would
 * obey or hide, and may read otherwise in the next version. Numbers of the others have the fewest
 * digits that give them back, texts are UTF-8, and the bytes are the same whatever the locale and
 * the number of threads. A function that fails may have written a part already: a file of
 * ocelotl_file_open is then left without a commit, of a buffer the caller drops what came. Errors
 * of all of them: those of the sink, MEMORY, and what is said there. All are thread-safe as the
 * objects that they read are. */
#ifndef OCELOTL_ANSWER_H
#define OCELOTL_ANSWER_H

#include <ocelotl/folder.h>
#include <ocelotl/levels.h>
#include <ocelotl/notes.h>
#include <ocelotl/picture.h>
#include <ocelotl/query.h>
#include <ocelotl/sink.h>
#include <ocelotl/statistics.h>
#include <ocelotl/trace.h>
#include <ocelotl/traces.h>
#include <ocelotl/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a partition: its p, its measures, the window that its model is of, what was chosen for its
 * trace, and its parts with the share of each type. With the options of a picture (else NULL) that
 * says, too, which states are background in it, and what has full colour. O(parts x types). */
OCELOTL_API ocelotl_status ocelotl_partition_write_json(const ocelotl_sink *sink,
                                                        const ocelotl_partition *partition,
                                                        const ocelotl_picture_options *view);

/* --- The parts of a partition as a list */

typedef enum ocelotl_parts_order {
    OCELOTL_PARTS_BY_NUMBER = 0,
    OCELOTL_PARTS_BY_GAIN = 1, /* the largest first */
    OCELOTL_PARTS_BY_LOSS = 2
} ocelotl_parts_order;

/* Writes the parts: where and when each is, what it is mostly, its gain and loss. As CSV with the
 * header `id,node,first,last,begin,end,leaves,state,share,gain,loss,resources`. O(parts x types).
 */
OCELOTL_API ocelotl_status ocelotl_parts_write(const ocelotl_sink *sink, ocelotl_form form,
                                               const ocelotl_partition *partition,
                                               ocelotl_parts_order order);

/* Explains the block node x first..last of an optimal partition of the aggregation, a part or
 * several: its gain and loss by type, in bits and as percentages of the whole's; why it is cut from
 * what is around it and not cut further, with the difference in gain, loss and pIC by type and by
 * piece; and the largest values of the nodes beside its own, 40 at most.
 *
 * Gains and losses are those of a partition but for rounding. A temporal aggregation takes the root
 * as the node, a spatial one all slices. What is not cut is compared with single cuts: if the best
 * one is worse, cutting more often is, too, where the block is a part. O(cells x types + nodes +
 * parts). Errors: ARGUMENT (no such node or slice; a node that the aggregation does not have as a
 * part; a partition without p). */
OCELOTL_API ocelotl_status ocelotl_explanation_write_json(const ocelotl_sink *sink,
                                                          const ocelotl_aggregation *aggregation,
                                                          const ocelotl_partition *partition,
                                                          uint32_t node, uint32_t first,
                                                          uint32_t last);

/* --- Levels, statistics, traces */

/* Writes the levels of an aggregation with the range of p and the plateau of each. Text has gain
 * and loss as shares of the whole's, which are the aggregation's. O(levels). */
OCELOTL_API ocelotl_status ocelotl_levels_write(const ocelotl_sink *sink, ocelotl_form form,
                                                const ocelotl_levels *levels,
                                                const ocelotl_aggregation *aggregation);

/* Writes what a window adds up to, by event type and value. The trace is that of the statistics.
 * O(rows). */
OCELOTL_API ocelotl_status ocelotl_statistics_write(const ocelotl_sink *sink, ocelotl_form form,
                                                    const ocelotl_statistics *statistics,
                                                    const ocelotl_trace *trace);

/* Writes what is in a trace: its format, files and times, types of resources with a path each,
 * event types with their totals, oddities, what is noted on it (NULL notes: nothing is), and what a
 * first picture chooses (ocelotl_session_choices; NULL: not known). The trace belongs to the
 * calling thread. O(resources + event types + values). Errors: INPUT for damage. */
OCELOTL_API ocelotl_status ocelotl_info_write(const ocelotl_sink *sink, ocelotl_form form,
                                              ocelotl_trace *trace, const ocelotl_notes *notes,
                                              const char *choices);

/* Writes the traces of a folder. CSV has the header
 * `name,kind,format,duration,events,resources,size,recorded,modified,notes,metadata,problem,`
 * `title,uid`, the metadata as an object in JSON. O(traces). */
OCELOTL_API ocelotl_status ocelotl_folder_write(const ocelotl_sink *sink, ocelotl_form form,
                                                const ocelotl_folder *folder);

/* Writes what several traces share and where they differ. CSV has the header
 * `shared,property,trace,value` and a row for each property of each trace; text has of values of
 * event types those alone that some traces lack. O(properties x traces). */
OCELOTL_API ocelotl_status ocelotl_traces_write(const ocelotl_sink *sink, ocelotl_form form,
                                                const ocelotl_traces *traces);

/* Writes at most `most` (0: 200) names of resources, event types and values that answer to a text,
 * as far as they fit into `most_bytes` bytes (0: all), and the number of all. Names count; a text
 * with "/" in it is sought in the paths of resources. Better matches come first; of equals
 * resources, then event types, then values, each the shortest name first, then in the order of the
 * trace. An empty text finds nothing. O(bytes of all names + found log found). */
OCELOTL_API ocelotl_status ocelotl_search_write_json(const ocelotl_sink *sink,
                                                     const ocelotl_trace *trace, const char *text,
                                                     size_t most, size_t most_bytes);

/* Writes in a line what an import has made: the path of the trace.db, and how much is in it.
 * O(event types + oddities). */
OCELOTL_API ocelotl_status ocelotl_import_write(const ocelotl_sink *sink, ocelotl_form form,
                                                const ocelotl_trace *trace, const char *path);

/* --- Events and queries: what has not been asked for yet goes out as it is found, and none is left
 * afterwards. Nothing is written where the first cannot be read. */

/* Writes a page of events as a list in JSON, as ocelotl_events_write_json (export.h) does each:
 * `most` of them, behind the first `skipped` of those that have not been asked for yet. *more is
 * whether others follow. The cost is that of all that are skipped or written. Errors: the same. */
OCELOTL_API ocelotl_status ocelotl_events_write_page(bool *more, const ocelotl_sink *sink,
                                                     ocelotl_events *events,
                                                     const ocelotl_trace *trace, uint64_t skipped,
                                                     uint64_t most);

/* Writes the rows of a query: as a list of objects, as CSV with the names of the columns, or as a
 * table, whose columns are as wide as the first thousand rows need, which are kept until then. The
 * cost is the query's. Errors: as ocelotl_query_next. */
OCELOTL_API ocelotl_status ocelotl_query_write(const ocelotl_sink *sink, ocelotl_form form,
                                               ocelotl_query *query);

/* --- What is damaged, what can be read */

/* Writes whether a trace.db is sound, and each damage. O(damages). */
OCELOTL_API ocelotl_status ocelotl_verification_write(const ocelotl_sink *sink, ocelotl_form form,
                                                      const ocelotl_verification *verification);

/* Writes the formats that can be read, with a line of what each is. */
OCELOTL_API ocelotl_status ocelotl_formats_write(const ocelotl_sink *sink, ocelotl_form form);

/* --- Pieces, for programs that write answers of their own */

/* Writes a text as a string of JSON, with its quotes. What is not UTF-8 becomes U+FFFD; what a
 * terminal would obey or hide is written as its number. */
OCELOTL_API ocelotl_status ocelotl_json_write_text(const ocelotl_sink *sink, const char *text);

/* Writes a number with the fewest digits that give it back; null for what JSON has no number for.
 */
OCELOTL_API ocelotl_status ocelotl_json_write_number(const ocelotl_sink *sink, double number);

/* --- Pieces, for programs that are asked in JSON */

#define OCELOTL_JSON_MARGIN 16

/* A value, which lives as long as the text that it is in. Zero-initialised it is absent. */
typedef struct ocelotl_json {
    const char *bytes; /* of a string what is between its quotes, of all else all of it */
    size_t length;
    char kind; /* '"' a string, '{', '[', '0' a number, 'a' true, false or null; 0: absent */
} ocelotl_json;

/* Reads a text that is one value; behind its size are OCELOTL_JSON_MARGIN bytes of 0. O(size).
 * Errors: INPUT (it is no JSON, and what was expected at which byte). */
OCELOTL_API ocelotl_status ocelotl_json_read(ocelotl_json *value, const char *text, size_t size);

/* Gives the next value in a list or an object, and the name that it has there; *at is 0 for the
 * first. False: there is none. O(length of the value). */
OCELOTL_API bool ocelotl_json_next(ocelotl_json *name, ocelotl_json *value, const ocelotl_json *in,
                                   size_t *at);

/* Gives the first member of a name; absent where there is none, or `in` is no object. O(length). */
OCELOTL_API ocelotl_json ocelotl_json_member(const ocelotl_json *in, const char *name);

/* Makes the text of a value, freed by free: of a string what it says, in UTF-8, with U+FFFD for
 * what is no character; "" of an absent one. Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_json_text(char **text, const ocelotl_json *value);

#ifdef __cplusplus
}
#endif
#endif

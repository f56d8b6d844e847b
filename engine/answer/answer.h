/* What several answers say in the same words. */
#ifndef OC_ANSWER_ANSWER_H
#define OC_ANSWER_ANSWER_H

#include "aggregate/explanation.h"
#include "base/format/csv.h"
#include "base/format/json.h"
#include "base/format/visible.h"
#include "base/options.h"
#include "base/plain.h"

#include <ocelotl/answer.h>
#include <ocelotl/arrow.h>

/* The name of a value of a trace, "" for none. */
const char *oc_value_name(const ocelotl_trace *trace, uint32_t value);

/* How many events a trace has. O(event types). */
uint64_t oc_count_events(const ocelotl_trace *trace);

/* How many times what a trace says is odd. */
uint64_t oc_count_oddities(const ocelotl_trace *trace);

/* Whether an event has a duration: a link with one end alone has none. */
static inline bool oc_is_whole(const ocelotl_event *event)
{
    return event->category != OCELOTL_LINK ||
           (event->source != OCELOTL_NONE && event->target != OCELOTL_NONE);
}

/* One of those with the largest values. */
typedef struct oc_ranked {
    double value;
    uint64_t index;
} oc_ranked;

/* Puts one among the first `most`, largest first, of equals the first index; not a number is behind
 * all. Returns how many are kept, of `kept` before. O(most). */
uint32_t oc_rank(oc_ranked *first, uint32_t kept, uint32_t most, oc_ranked one);

/* Writes a window for people: "0 s to 1.5 ms (1.5 ms)". */
void oc_output_add_window(oc_output *out, const ocelotl_trace *trace, int64_t from, int64_t to);

/* Prints lines with the name of a trace, and a window of it. */
void oc_output_window(oc_output *out, const ocelotl_trace *trace, int64_t from, int64_t to);

/* Adds a line end and what filters let pass; nothing without any. */
void oc_output_filters(oc_output *out, const char *filters);

/* A time of seconds in s, ms or us, in the digits that it has. */
oc_digits_text oc_long_time(double time);

/* Prints the name of a trace and how many clocks it has, one for each resource of a type ("": of
 * several), without the end of the line. */
void oc_output_clocks(oc_output *out, const ocelotl_trace *trace, uint32_t clocks,
                      const char *type);

/* Prints lines on collective operations: how many, and which were left out; nothing without any. */
void oc_output_collectives(oc_output *out, uint64_t collectives, const char *left_out);

/* The tick of a trace in seconds. */
double oc_tick_of(const ocelotl_trace *trace);

/* Begins the next object of a list, on a line of its own behind `blanks` blanks. */
static inline void oc_json_item(oc_json *json, unsigned blanks)
{
    oc_json_line(json, blanks);
    oc_json_object(json, NULL);
}

/* Writes a time in seconds. */
void oc_json_seconds(oc_json *json, const char *key, const ocelotl_trace *trace, int64_t ticks);

/* Writes a list of texts. */
void oc_json_names(oc_json *json, const char *key, const ocelotl_names *names);

/* Writes the shares of the types of a part that are not 0, by name. */
void oc_json_shares(oc_json *json, const ocelotl_model *model, const ocelotl_part *part,
                    uint32_t type_count);

/* Writes a trace's name and uid and a window of it in seconds. */
void oc_json_window(oc_json *json, const ocelotl_trace *trace, int64_t from, int64_t to);

/* Writes the pieces of a model's window that leaves time out; nothing of any other. */
void oc_json_pieces(oc_json *json, const ocelotl_model_info *info);

/* Adds a member for each line "RULE: WORDS" of what was chosen for a trace. */
void oc_json_choices(oc_json *json, const char *choices);

/* Writes the metadata of notes, which may be NULL, as an object. */
void oc_json_metadata(oc_json *json, const char *key, const ocelotl_notes *notes);

/* Writes the resources of a part of a group, which its node does not name; nothing of any other. */
ocelotl_status oc_part_resources(oc_json *json, const ocelotl_model *model,
                                 const ocelotl_part *part);

/* Fills `numbers` with the numbers of the parts in an order; lower numbers first among equals. It
 * has room for part_count. O(parts log parts). Errors: MEMORY. */
ocelotl_status ocelotl_partition_order(size_t *numbers, const ocelotl_partition *partition,
                                       ocelotl_parts_order order);

/* The type that a part has most of, untraced time apart. */
typedef struct ocelotl_leading_type {
    uint32_t type; /* of the model; OCELOTL_NONE: the part has none */
    double share;  /* what is drawn of it; of a matrix, as a share of all types' */
} ocelotl_leading_type;

/* Finds the leading type of a part by its number; where what is drawn is no mean of cells, that of
 * the largest sum. O(types), or as ocelotl_model_values. Errors: MEMORY. */
ocelotl_status ocelotl_partition_leading_type(ocelotl_leading_type *leading,
                                              const ocelotl_partition *partition, size_t part);

/* What is drawn of a type in a part: the mean of its cells, or NaN where there is nothing. */
ocelotl_status ocelotl_partition_value(double *value, const ocelotl_partition *partition,
                                       size_t part, uint32_t type);

/* Gives a damage in one line: what, of what, when; freed by free. Errors: MEMORY. */
ocelotl_status ocelotl_damage_describe(char **text, const ocelotl_verification *verification,
                                       uint32_t index);

/* Writes why a part, or a block of parts, is cut and not cut. CSV has the header
 * `cut,by,part,name,first,last,gain,loss,difference,taken_out` and a row for each difference:
 * all of a cut, of each type, of each piece. Text has a sentence for each cut and its
 * largest differences; JSON both, and what ocelotl_explanation_write_json has. O(differences). */
ocelotl_status ocelotl_explanation_write(const ocelotl_sink *sink, ocelotl_form form,
                                         const ocelotl_explanation *explanation);

/* Adds from what a part is cut, and because of which types, in a few words: of its cuts the one
 * that is worth most. Nothing where no types make one. */
void oc_explanation_add_cause(oc_text *text, const ocelotl_explanation *explanation);

/* Every difference of an explanation, which keeps them. */
ocelotl_status ocelotl_explanation_to_arrow(struct ArrowArrayStream *stream,
                                            ocelotl_explanation *explanation,
                                            const ocelotl_arrow_options *options);

#endif

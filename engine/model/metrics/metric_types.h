/* Which event types, streams and values of a trace a metric makes a model of. */
#ifndef OC_MODEL_METRICS_METRIC_TYPES_H
#define OC_MODEL_METRICS_METRIC_TYPES_H

#include "model/core/model.h"
#include "model/metrics/metrics.h"
#include "store/trace/names.h"

#include <ocelotl/model.h>

/* --- Types of a model that stand for several of a trace: those that a user puts together, and the
 * many that are small. */

/* What would be a type by itself. */
typedef struct oc_single_type {
    const char *name;
    uint32_t event_type; /* of the trace: the one that it is a value of, or itself */
    uint32_t value;      /* OCELOTL_NONE: it is an event type */
    oc_spelling spelling;
    bool alike; /* another one has the name, of another event type: to be called by the spelling */
    int32_t colour;
    double weight;    /* time or number in the whole trace: the largest are kept */
    uint32_t *number; /* where the number of the type goes that it becomes a part of */
} oc_single_type;

/* Zero-initialised it is empty. */
typedef struct oc_single_types {
    oc_single_type *types;
    size_t count, capacity;
} oc_single_types;

ocelotl_status oc_single_types_add(oc_single_types *types, const oc_single_type *type);
void oc_single_types_free(oc_single_types *types);

/* Adds the types to the model, grouped by options->group_types and `most`. They come in the order
 * of their first, the others last; model->grouping describes that. A type that shares its name with
 * one of another event type gets the shortest spelling of its own. Errors: ARGUMENT for a malformed
 * group, or one of nothing, naming the nearest name. O(types x groups + types log types). */
ocelotl_status oc_group_types(ocelotl_model *model, oc_single_types *types,
                              const ocelotl_trace *trace, const ocelotl_model_options *options,
                              uint32_t most);

/* Whether the groups of the options are groups. Errors: ARGUMENT. */
ocelotl_status oc_check_groups(const ocelotl_names *groups);

/* --- What a model is made of */

/* What a model is made of. Zero-initialised it is empty. */
typedef struct oc_sources {
    oc_formula formula; /* that the metric is; else nothing */
    bool *readable;     /* by event type: the metric can read it */
    oc_type_filter filter;
    oc_resource_streams streams;
    uint32_t *shown;              /* by resource: the type of its states; NULL: all have one */
    bool *seen;                   /* by resource: it has such streams */
    uint32_t *type_of_value;      /* see oc_filling */
    uint32_t *type_of_event_type; /* see oc_filling */
    uint32_t untraced;            /* see oc_filling */
    uint32_t state_type;          /* the first that is shown; OCELOTL_NONE: no one of them */
    bool nests; /* see oc_type_filter_nests: innermost time is not known beforehand */
} oc_sources;

/* Chooses event types, values and streams; the formula is set before. Free it in any case. Errors:
 * ARGUMENT for a state type, a pattern not there; INPUT. O(event types + values + streams). */
ocelotl_status oc_sources_find(oc_sources *sources, const ocelotl_trace *trace,
                               const oc_metric *metric, const ocelotl_model_options *options);
void oc_sources_free(oc_sources *sources);

/* Adds the metric's types to the model. O(values), and O(events) where nested states are cut. */
ocelotl_status oc_sources_add_types(ocelotl_model *model, oc_sources *sources, ocelotl_trace *trace,
                                    const oc_metric *metric, const ocelotl_model_options *options);

/* --- Variables in one picture: counted from where, and as shares of what. */

/* The values that a variable has anywhere in the trace, or in a chunk. */
typedef struct oc_variable_range {
    bool known;
    double low, high;
    double grown; /* the most from the one to the other in one resource */
} oc_variable_range;

/* Gives the types of a model of variables their scales and offsets, by the options. Values negative
 * by rounding alone (16 units in the last place of the largest value) count as 0. Errors: ARGUMENT
 * for negative values that are not shifted, and for variables of different units that are not
 * scaled. */
ocelotl_status oc_scale_variables(oc_filling *filling);

/* Where no metric was asked for, and variables are what is shown: shifts and scales them in the
 * options where they need it (counters need no shift), and says so in *reason ("" where they need
 * nothing; to be freed). */
ocelotl_status oc_suit_variables(ocelotl_model_options *options, char **reason,
                                 ocelotl_trace *trace, const oc_sources *sources, bool counts);

/* The mean of a variable over each slice, as long as it has a value there: 0 where it has none. The
 * third rows are used up. */
ocelotl_status oc_variable_means(double *means, oc_measuring *m, uint32_t stream);

#endif

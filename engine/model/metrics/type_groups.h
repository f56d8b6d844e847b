/* Types of a model that stand for several of a trace: those that a user puts together, and the many
 * that are small. */
#ifndef OC_MODEL_METRICS_TYPE_GROUPS_H
#define OC_MODEL_METRICS_TYPE_GROUPS_H

#include "model/core/model.h"
#include "store/trace/names.h"

#include <ocelotl/model.h>

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

/* Adds the types to the model as options->group_types and `most` put them together, in the
 * order of their first, with the others last, and describes that in model->grouping. What shares
 * its name with a type of another event type is called by the shortest spelling that tells them
 * apart. Errors: ARGUMENT for what is no group, or of nothing, naming the nearest name. O(types x
 * groups + types log types). */
ocelotl_status oc_group_types(ocelotl_model *model, oc_single_types *types,
                              const ocelotl_trace *trace, const ocelotl_model_options *options,
                              uint32_t most);

/* Whether the groups of the options are groups. Errors: ARGUMENT. */
ocelotl_status oc_check_groups(const ocelotl_names *groups);

#endif

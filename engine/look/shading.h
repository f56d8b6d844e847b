/* How strongly the parts of a picture are coloured: which states are background, and what share or
 * value has full colour (docs/first.md). Numbers stay absolute, wherever they are written. */
#ifndef OC_LOOK_SHADING_H
#define OC_LOOK_SHADING_H

#include "base/text.h"

#include <ocelotl/aggregation.h>
#include <ocelotl/model.h>

/* What is asked for. */
typedef struct oc_shading_options {
    bool plain;                      /* as it is: no background, full colour for all of the time */
    const ocelotl_names *background; /* patterns; none: by name and share; "none": no state */
    double largest;                  /* value of other pictures on the same scale; 0: none */
} oc_shading_options;

/* A shade that is seen. */
#define OC_FAINTEST 0.2

typedef struct oc_shading {
    bool *background; /* of each type of the model */
    bool any;         /* one of them is */
    double full;      /* the share, of `largest` where has_unit, that has full colour; 1 at most */
    bool scaled;      /* it is less than 1 */
    double faintest;  /* the least opacity of a part with anything to show */
    double largest;   /* value in any part, untraced time apart */
    uint32_t type_count, untraced;  /* its type; OCELOTL_NONE: none is */
    bool timed, has_unit, additive; /* what values are: see ocelotl_model_info */
    bool shares;                    /* of time: they sum up to 1 for a resource that lives */
} oc_shading;

/* What a part is drawn as. */
typedef struct oc_shade {
    /* the dominant type, of those that are not background as long as there is any; OCELOTL_NONE:
     * nothing but untraced time */
    uint32_t type;
    double share;   /* of the type, 0 .. 1; of values beside the largest */
    double opacity; /* 0 .. 1 */
} oc_shade;

/* A share, and the area that it is drawn on. */
typedef struct oc_drawn_share {
    double share, area;
} oc_drawn_share;

/* Chooses what has full colour, and the least opacity; sorts the shares. O(count log count). */
void oc_shading_scale(oc_shading *shading, oc_drawn_share *all, size_t count);

/* Finds the shading of parts, which are all of a partition of the model. Errors: ARGUMENT (a
 * pattern that matches no type), MEMORY. O(parts x types + parts log parts). */
ocelotl_status oc_shading_find(oc_shading *shading, const ocelotl_model *model,
                               const ocelotl_part *parts, size_t count,
                               const oc_shading_options *options);
void oc_shading_free(oc_shading *shading);

/* Finds what a part is drawn as, which need not be one of them. O(types). */
oc_shade oc_shading_of(const oc_shading *shading, const ocelotl_model *model,
                       const ocelotl_part *part);

/* Returns the divisor that makes a part's values sum up to at most 1. O(types). */
double oc_shading_unit(const oc_shading *shading, const ocelotl_part *part);

/* Gives what has full colour: a share, or a value in the unit of the metric. */
double oc_shading_full(const oc_shading *shading);

/* Appends which states are background, by name; nothing where none is. */
void oc_shading_name_background(oc_text *text, const oc_shading *shading,
                                const ocelotl_model *model);

#endif

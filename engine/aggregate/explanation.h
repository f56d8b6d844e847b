/* Why a part is as it is: what it gains and loses by type, and what else it could be. */
#ifndef OC_AGGREGATE_EXPLANATION_H
#define OC_AGGREGATE_EXPLANATION_H

#include <ocelotl/aggregation.h>

/* What could stand where a part is. Gain, loss and pIC are as in aggregation.h. */
typedef enum ocelotl_choice_kind {
    OCELOTL_CHOICE_PART = 0,      /* the part as it is */
    OCELOTL_CHOICE_TIME = 1,      /* it is cut in two at the best slice */
    OCELOTL_CHOICE_RESOURCES = 2, /* each child of its node is a part */
    OCELOTL_CHOICE_PARENT = 3,    /* the parent of its node is one part over the same slices, */
    OCELOTL_CHOICE_SIBLINGS = 4   /* or each child of that is a part */
} ocelotl_choice_kind;

#define OCELOTL_CHOICE_COUNT 5

typedef struct ocelotl_choice {
    bool exists;     /* a leaf has no children, a slice no cut, the root no parent */
    uint32_t pieces; /* how many parts it is; none of them is cut further */
    uint32_t node;   /* of the model, whose pieces they are */
    uint32_t cut;    /* the slice where the second piece begins, of OCELOTL_CHOICE_TIME; else 0 */
    double gain, loss, pic;
} ocelotl_choice;

/* What a part gains and loses in one type. */
typedef struct ocelotl_type_measure {
    double sum; /* of its values */
    double gain, loss;
} ocelotl_type_measure;

typedef struct ocelotl_explanation {
    const ocelotl_aggregation *aggregation;
    uint32_t node, first, last; /* as they were asked for */
    ocelotl_choice choices[OCELOTL_CHOICE_COUNT];
    ocelotl_type_measure *types; /* what each type of the model adds to the part's gain and loss */
    uint32_t type_count;
} ocelotl_explanation;

/* Explains the part node x first..last at a raw p in [0,1], in an optimal partition or not. Gains
 * and losses are those of a partition but for rounding. A temporal aggregation takes the root as
 * the node, a spatial one all slices. A choice is not cut further: if the best one of a part is
 * worse than the part, cutting more often may still be better, and the other way round for the
 * parent. Thread-safe. O(cells of the node and of its parent + slices x types); temporal: O(cells +
 * slices x series). Errors: ARGUMENT (no such node or slice; a node that the aggregation does not
 * have as a part), MEMORY. */
ocelotl_status oc_part_explain(ocelotl_explanation **explanation,
                               const ocelotl_aggregation *aggregation, uint32_t node,
                               uint32_t first, uint32_t last, double p_raw);
void oc_explanation_free(ocelotl_explanation *explanation);

#endif

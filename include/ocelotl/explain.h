/* Why a part is as it is: what it gains and loses by type, and what else it could be. */
#ifndef OCELOTL_EXPLAIN_H
#define OCELOTL_EXPLAIN_H

#include <ocelotl/aggregation.h>

#ifdef __cplusplus
extern "C" {
#endif

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

typedef struct ocelotl_explanation ocelotl_explanation;

/* Explains the part node x first..last at a raw p in [0,1], in an optimal partition or not. Gains
 * and losses are those of a partition but for rounding. A temporal aggregation takes the root as
 * the node, a spatial one all slices. A choice is not cut further: if the best one of a part is
 * worse than the part, cutting more often may still be better, and the other way round for the
 * parent. Thread-safe. O(cells of the node and of its parent + slices x types); temporal: O(cells +
 * slices x series). Errors: ARGUMENT (no such node or slice; a node that the aggregation does not
 * have as a part), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_part_explain(ocelotl_explanation **explanation,
                                                const ocelotl_aggregation *aggregation,
                                                uint32_t node, uint32_t first, uint32_t last,
                                                double p_raw);
OCELOTL_API void ocelotl_explanation_free(ocelotl_explanation *explanation);

/* One of the choices, by its kind; zeros beyond. O(1). */
OCELOTL_API ocelotl_choice ocelotl_explanation_choice(const ocelotl_explanation *explanation,
                                                      ocelotl_choice_kind kind);

/* What each type of the model adds to the part's gain and loss; zeros beyond. O(1). */
OCELOTL_API ocelotl_type_measure ocelotl_explanation_type_at(const ocelotl_explanation *explanation,
                                                             uint32_t type);

/* What it explains: the node and the slices, both included. O(1). */
OCELOTL_API void ocelotl_explanation_place(uint32_t *node, uint32_t *first, uint32_t *last,
                                           const ocelotl_explanation *explanation);

/* The aggregation that it is of. O(1). */
OCELOTL_API const ocelotl_aggregation *ocelotl_explanation_aggregation(
    const ocelotl_explanation *explanation);

#ifdef __cplusplus
}
#endif
#endif

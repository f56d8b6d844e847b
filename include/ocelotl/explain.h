/* Why a part is as it is: what it gains and loses by type, and what else it could be. */
#ifndef OCELOTL_EXPLAIN_H
#define OCELOTL_EXPLAIN_H

#include <ocelotl/aggregation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gain, loss and pIC are as in aggregation.h. */
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

#ifdef __cplusplus
}
#endif
#endif

/* Two models side by side: of two traces, or of two windows of one. */
#ifndef OCELOTL_COMPARE_H
#define OCELOTL_COMPARE_H

#include <ocelotl/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What differs between a first and a second model. Refers to both, which must outlive it. */
typedef struct ocelotl_comparison ocelotl_comparison;

/* One type in one node that both models have. */
typedef struct ocelotl_change {
    const char *path; /* of the node; "" for the whole */
    const char *type;
    double first, second; /* the mean of a cell, as ocelotl_model_values; 0 where the model has no such type */
    uint32_t leaves;      /* of the node in the first model: the resources that they stand for */
    double amount; /* (second - first) x cells, where cells are leaves x slices, their mean in the two models */
    bool named;    /* it is not said by the changes above or below it (docs/compare.md) */
} ocelotl_change;

typedef struct ocelotl_comparison_info {
    size_t change_count;    /* every pair of a common node and a type that one of the models has there */
    uint32_t node_count;    /* common nodes, the root included */
    uint32_t only_count[2]; /* nodes that the first, the second alone has, without those below one of them */
    uint32_t common_types;  /* but untraced time */
    uint32_t only_types[2]; /* the same that the first, the second alone has */
    size_t named_count;     /* changes that are named */
} ocelotl_comparison_info;

/* Compares two models: nodes are matched by path, types by name. Both have the same metric, which is additive. Thread-safe.
 * O(nodes x types + cells x levels of the hierarchy + changes log changes).
 * Errors: ARGUMENT (metrics that differ or are not additive; no type, or no node below the root, in common, naming what
 * there is instead), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_compare_models(ocelotl_comparison **comparison, const ocelotl_model *first,
                                                  const ocelotl_model *second);
OCELOTL_API void ocelotl_comparison_free(ocelotl_comparison *comparison);
OCELOTL_API ocelotl_comparison_info ocelotl_comparison_get_info(const ocelotl_comparison *comparison);

/* By index below change_count, the largest amount first, be it more or less; of equals in the order of the first model.
 * Zeros and "" beyond. O(1). */
OCELOTL_API ocelotl_change ocelotl_comparison_change(const ocelotl_comparison *comparison, size_t index);

/* The path of a node that only one model has (0: the first, 1: the second), by index below only_count, in its order; "" out
 * of range. O(1). */
OCELOTL_API const char *ocelotl_comparison_only(const ocelotl_comparison *comparison, int model, uint32_t index);

/* Draws two partitions of one kind one below the other, with the same colours and one legend; types are matched by name.
 * Where both have time, x is to one scale and begins where their windows do, so that the shorter one is narrower;
 * `stretch` draws both as wide as there is room. A height of 0 is 960. Of the options `whole` and `expand` are of no
 * meaning here, and `title` is that of the first. Errors: as ocelotl_overview_render; ARGUMENT for kinds that differ.
 * O(parts x types + leaves). */
OCELOTL_API ocelotl_status ocelotl_compare_render(const char *path, const ocelotl_partition *first,
                                                  const ocelotl_partition *second, bool stretch,
                                                  const ocelotl_view_options *options);

#ifdef __cplusplus
}
#endif
#endif

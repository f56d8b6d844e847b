/* Two models side by side: of two traces, or of two windows of one. */
#ifndef OC_COMPARE_COMPARE_H
#define OC_COMPARE_COMPARE_H

#include <ocelotl/model.h>

/* One type in one node that both models have. Time in states is in seconds, counts are in the unit
 * of the metric. What is under way, and what has no time, is the mean over the slices, in the unit
 * of a cell. */
typedef struct ocelotl_change {
    const char *path; /* of the node; "" for the whole */
    const char *type;
    /* what a leaf of the node has, in the mean; 0 where the model has no such type */
    double first, second;
    uint32_t leaves; /* of the node in the first model: the resources that they stand for */
    /* (second - first) x leaves, without time x slices, too: of the two models' their mean */
    double amount;
    bool named; /* it is not said by the changes above or below it (docs/compare.md) */
    /* of a named one: what is below it changes as many times, and not alike in each leaf */
    bool proportional;
} ocelotl_change;

typedef struct ocelotl_comparison_info {
    /* every pair of a common node and a type that a model has there */
    size_t change_count;
    uint32_t node_count; /* common nodes, the root included */
    /* nodes that the first, the second alone has, without those below one of them */
    uint32_t only_count[2];
    uint32_t common_types;  /* but untraced time */
    uint32_t only_types[2]; /* the same that the first, the second alone has */
    /* of the common nodes those that have other paths, by how they were matched */
    uint32_t by_map, by_role, by_shape;
    size_t named_count; /* changes that are named */
    /* of changes: "s", "events", ..; "" for that of the cells, without time or a unit */
    const char *unit;
    uint32_t slices[2];
    double duration[2]; /* of the windows in seconds; 0 without time */
    /* what the common leaves have in all in the second, in the first: NaN where that is nothing */
    double ratio;
    /* share of the second's total that deviates from `ratio` times the first, by leaf and type */
    double apart;
} ocelotl_comparison_info;

/* Where a change is: a node of the first model, and a type of the first or, behind those, of the
 * second. */
typedef struct oc_changed_place {
    uint32_t node, type;
} oc_changed_place;

/* What differs between a first and a second model. Refers to both, which must outlive it. */
typedef struct ocelotl_comparison {
    const ocelotl_model *models[2];
    ocelotl_model_info infos[2];
    ocelotl_comparison_info info;
    /* the largest amount first, more or less; else as in the first model */
    ocelotl_change *changes;
    oc_changed_place *places; /* of each, until they are sorted */
    size_t change_capacity, place_capacity;
    uint32_t *only[2];       /* nodes that it alone has, in its order */
    uint32_t *other[2];      /* by node: the same of the other model, OCELOTL_NONE: it has none */
    uint32_t *other_type[2]; /* by type, likewise */
    /* a leaf has this times the mean of a cell, in the unit of changes */
    double scale[2];
    double weight[2]; /* what a leaf has times this and the leaves is what a node has */
} ocelotl_comparison;

/* Compares two models of one additive metric. Types match by name, nodes of the traces by path.
 * Other nodes, such as groups of like siblings, match if they hold the same of the resources that
 * both traces have. Give the second model the hierarchy of the first (`hierarchy.like` in
 * ocelotl_model_options), and all of them match. Thread-safe. O(nodes x types + cells x levels of
 * the hierarchy + changes log changes). Errors: ARGUMENT (metrics that differ or are not additive;
 * no common type, or no common node below the root, naming what exists), MEMORY. */
ocelotl_status ocelotl_compare_models(ocelotl_comparison **comparison, const ocelotl_model *first,
                                      const ocelotl_model *second);
void ocelotl_comparison_free(ocelotl_comparison *comparison);

/* A size below which changes are counted and not listed. */
typedef struct ocelotl_change_floor {
    double amount;       /* in the unit of changes: 1, 2 or 5 times a power of ten; 0: none */
    size_t above, below; /* named changes that are at least so large, that are smaller */
    /* of what all named changes amount to, more or less, that those below do */
    double share;
} ocelotl_change_floor;

/* Finds the largest floor below which changes make up at most 1 % of all. It is higher if more than
 * `most` would be above it. At least one change is above. Thread-safe. O(changes). */
ocelotl_change_floor ocelotl_comparison_floor(const ocelotl_comparison *comparison, size_t most);

/* Finds where the phases of the first model are in the second. `cuts` are the slices of the first
 * at which phases begin, in ascending order; `found` has room for as many and becomes those of the
 * second. Each slice of the second goes to the phase that it resembles most, by what all resources
 * do together, in the order of the phases. An absent phase is empty: it begins where the next one
 * does. Thread-safe. O(slices x (types + cuts) + cells). Errors: ARGUMENT for cuts that do not
 * ascend or are no slices; MEMORY. */
ocelotl_status ocelotl_comparison_find_phases(uint32_t *found, const ocelotl_comparison *comparison,
                                              const uint32_t *cuts, size_t count);

/* A range of slices in each model; in the second it may be empty. */
typedef struct ocelotl_phase {
    double begin[2], length[2]; /* in seconds, from where the window begins */
    const char *type;           /* of the first model, what it is mostly; "": nothing */
    double share;               /* of that type, of all */
} ocelotl_phase;

/* The phases of two models, in order of time: those of the first, by what all its resources do
 * together, and where they are in the second. The models must outlive them; `list` is freed by
 * free. */
typedef struct ocelotl_phases {
    ocelotl_phase *list;
    size_t count;
} ocelotl_phases;

/* Finds the phases: at most eight parts of the temporal partition that OCELOTL_RULE_KNEE gives of
 * the first model's root. It finds none without time, or instead of a single one. Thread-safe.
 * O(slices^3 + slices x (types + phases) + cells). Errors: MEMORY. */
ocelotl_status ocelotl_phases_find(ocelotl_phases *phases, const ocelotl_comparison *comparison);

/* Makes one model of both, which have as many slices. It has the common nodes down to those that
 * are a leaf in either, and in each the mean of its resources. Its types are there twice:
 * `compared_types` of the first, with those that the second alone has, and behind them the same of
 * the second. Shares of the second's slices become shares of the first's, so that as much time is
 * as large in both. So a part of its partition is alike in both, or differs alike. Groups of like
 * siblings are found anew, on both, at most `max_groups` between a node and its children (0:
 * none). Thread-safe. O(nodes x (slices x types + depth) + cells x depth). Errors: ARGUMENT for
 * numbers of slices that differ; MEMORY. */
ocelotl_status ocelotl_comparison_join(ocelotl_model **joint, const ocelotl_comparison *comparison,
                                       uint32_t max_groups);

#endif

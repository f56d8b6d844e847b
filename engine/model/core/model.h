/* What a model is inside, and how each source (trace, CSV, arrays) builds one. */
#ifndef OC_MODEL_CORE_MODEL_H
#define OC_MODEL_CORE_MODEL_H

#include "base/arena.h"
#include "base/map.h"
#include "base/matrix.h"
#include "base/text.h"
#include "model/core/cells.h"
#include "store/trace/catalogue.h"
#include "store/trace/names.h"

#include <stdatomic.h>

/* Names and times of a node beside its place in the matrix' tree. */
typedef struct oc_model_node {
    const char *name;
    const char *path;
    const char *kind;
    uint32_t source;
    uint32_t depth;
    double begin, end; /* lifetime in slices */
    bool alike;        /* a group of like siblings */
} oc_model_node;

/* How many resources are those of another model that they are not called alike in, see
 * oc_match_names. */
typedef struct oc_matched {
    uint32_t by_map, by_role, by_shape;
} oc_matched;

typedef struct oc_model_type {
    char *name;
    oc_spelling spelling; /* of what it is in a trace; empty where it is no one thing there */
    int32_t colour;
    bool untraced;
    double low, high; /* of what is drawn of cells */
    /* drawn is the cell's value times the scale (0: once) plus the offset */
    double scale, offset;
} oc_model_type;

/* What is drawn of a part. */
typedef enum oc_part_value {
    OC_DRAW_CELLS,  /* the mean of its cells */
    OC_DRAW_RATIO,  /* their sum over that of the second matrix */
    OC_DRAW_LEAST,  /* the least number in the second matrix */
    OC_DRAW_LARGEST /* the largest */
} oc_part_value;

/* The model of a whole trace, without its cells. The models of its parts that took their groups
 * from it share it, and the last one frees it. */
typedef struct oc_whole {
    ocelotl_model *model;
    atomic_uint users;
} oc_whole;

struct ocelotl_model {
    oc_arena tree_arena; /* of the nodes, their names, and what a tree has of each */
    oc_matrix matrix;
    oc_model_node *nodes; /* matrix.tree.node_count */
    /* type_count; the matrix may have more, which only weigh in the partition */
    oc_model_type *types;
    uint32_t type_count;
    oc_part_value drawing;
    /* the second matrix: denominators or extremes of each (leaf, type, slice) that has them */
    oc_cells drawn;
    char *name;
    char *uid;
    char *state_type;
    char *slices_reason;
    char *values_reason;
    char *types_reason;
    char *choices;
    char *steps;
    uint32_t type_level; /* of a tree; 0: types are not grouped by one */
    bool has_time;
    double begin, end;
    uint32_t slices_wanted;
    uint32_t leaves_left_out;
    ocelotl_nesting nesting;
    uint32_t nesting_depth;
    ocelotl_untraced untraced;
    bool zoomed;
    bool empty;
    double trace_begin, trace_end;
    int64_t from, to;
    ocelotl_piece *pieces; /* of the window, if time is left out */
    uint32_t piece_count;
    char *filters;
    char *metric;
    char *unit;
    char *caption;
    char *grouping;
    uint32_t compared_types; /* of a model of two: see ocelotl_comparison_join */
    char *hierarchy;         /* what was done to it */
    oc_matched matched;      /* with the model whose hierarchy it has */
    char **resources;        /* that were chosen, by path */
    uint32_t resource_count;
    ocelotl_model *origin; /* of a changed hierarchy: the trace's, without cells */
    /* by leaf, and one more: where the leaves of the origin begin that it stands for */
    uint32_t *origin_first;
    uint32_t *origin_leaves;   /* these */
    const char **origin_paths; /* and their paths */
    /* of a whole trace with groups that its parts can take: what these depend on */
    char *groups_key;
    oc_whole *whole;     /* of a part of a trace: what it took its groups from, if that is kept */
    oc_map type_numbers; /* while types are added */
    ocelotl_type_names *type_names;
};

/* Nodes as a source gives them: in any order, each naming its parent, exactly one root. */
typedef struct oc_given_node {
    uint32_t parent; /* index, or OCELOTL_ROOT */
    const char *name;
    const char *kind; /* NULL: "" */
    uint32_t source;  /* see ocelotl_node */
    bool own_leaf;    /* stands for its parent's own values: its path step is "." */
} oc_given_node;

/* Starts a model: brings the nodes in preorder (siblings keep their order) and makes their paths.
 * numbers[given] becomes the place of each given node (array of node_count, the caller's; NULL: not
 * wanted). Errors: ARGUMENT naming the node: no root, two roots, a cycle. O(nodes). */
ocelotl_status oc_model_begin(ocelotl_model **model, uint32_t *numbers, const oc_given_node *nodes,
                              uint32_t node_count);

/* The same with the paths of nodes that have one already; NULL for those whose path is made of the
 * names on the way. */
ocelotl_status oc_model_begin_at(ocelotl_model **model, uint32_t *numbers,
                                 const oc_given_node *nodes, const char *const *paths,
                                 uint32_t node_count);

/* A model becomes a whole that has one user. The model is the whole's, or is freed. */
ocelotl_status oc_whole_make(oc_whole **whole, ocelotl_model *model);

/* Counts another user of a whole, which may be NULL. Thread-safe. */
oc_whole *oc_whole_share(oc_whole *whole);

/* One user less. Thread-safe. */
void oc_whole_free(oc_whole *whole);

/* Frees the cells of a model: its hierarchy stays. */
void oc_model_strip(ocelotl_model *model);

/* Makes room for the nodes of a new model, and for its tree. */
ocelotl_status oc_model_allocate_tree(ocelotl_model *model, uint32_t count);

/* Tells twins apart: a name that is taken gets #2, #3; one may look like that by itself, so it
 * looks until one is free. `numbers` has the number that each name was given last, or a thousand
 * twins of one name would cost a million looks; it may be `taken`. Errors: MEMORY. */
ocelotl_status oc_number_twin(oc_text *name, const oc_map *taken, oc_map *numbers);

/* Measures the subtrees of a tree in preorder, and numbers its leaves. O(nodes). */
void oc_tree_measure(oc_tree *tree);

/* Adds a type, whose number counts from 0. One of a name that another has is shown as name#2,
 * name#3. */
ocelotl_status oc_model_add_type(ocelotl_model *model, const char *name, int32_t colour,
                                 bool untraced);

/* A cell on its way into a model. */
typedef struct oc_given_cell {
    uint32_t leaf; /* in tree order */
    uint32_t type;
    uint32_t slice;
    uint32_t line; /* where it was given: a number that an error can name */
    double value;  /* finite, >= 0; 0 declares nothing */
} oc_given_cell;

/* The first cell that is given twice, as the `line` of both; for errors. */
typedef struct oc_twice {
    uint32_t first, second;
} oc_twice;

/* Fills the matrix; cells are reordered in place. *twice is set where a cell is given twice, which
 * is OCELOTL_ERROR_INPUT with a message that names both lines. O(n log n). */
ocelotl_status oc_model_set_cells(ocelotl_model *model, oc_twice *twice, uint32_t slice_count,
                                  oc_given_cell *cells, size_t cell_count);

/* Copies what captions and axes say of a model to a new one: metric, unit, caption, filters, state
 * type, groups of types, nesting, untraced time, and the window in its trace. Errors: MEMORY. */
ocelotl_status oc_model_copy_description(ocelotl_model *copy, const ocelotl_model *model);

/* What is left to do for whoever fills the matrix itself. */
void oc_model_end(ocelotl_model *model, uint32_t slice_count);

/* What is drawn of two things together. */
double oc_join_drawn(oc_part_value drawing, double a, double b);

/* Which leaves of the trace a leaf stands for: those of `origin_leaves` from *first to before *end,
 * or of the model itself without an origin. */
static inline void oc_find_origins(uint32_t *first, uint32_t *end, const ocelotl_model *model,
                                   uint32_t leaf)
{
    *first = model->origin != NULL ? model->origin_first[leaf] : leaf;
    *end = model->origin != NULL ? model->origin_first[leaf + 1] : leaf + 1;
}

/* Finds the extremes of what is drawn of single cells, type by type. O(cells). */
void oc_model_find_extremes(ocelotl_model *model);

/* --- The part of a trace's hierarchy that a model shows: leaves are the resources with events that
 * its metric sees. */

typedef struct oc_trace_tree {
    oc_arena arena;
    uint32_t *resources;  /* of each leaf in tree order: the one whose events are its own */
    uint32_t *leaf_nodes; /* and its node */
} oc_trace_tree;

/* What the tree is made of, by resource. */
typedef struct oc_tree_request {
    const oc_catalogue *catalogue;
    const bool *seen;   /* it has events that the metric sees; some resource has */
    const bool *chosen; /* its events are wanted; NULL: all are */
} oc_tree_request;

/* Starts a model whose leaves are the resources that are seen and chosen. Inner resources of that
 * kind get a leaf `a/.`. The tree is the caller's to free. O(resources). Errors: ARGUMENT where no
 * leaf is left. */
ocelotl_status oc_trace_tree_begin(ocelotl_model **model, oc_trace_tree *tree,
                                   const oc_tree_request *request);
void oc_trace_tree_free(oc_trace_tree *tree);

#endif

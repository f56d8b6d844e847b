/* The microscopic model: time slices x leaves of a resource hierarchy x event types (thesis,
 * chapters 4 to 6).
 *
 * A model is built from a trace, from a matrix CSV, or from a program's own arrays; it is immutable
 * then, and whatever is computed from it keeps a reference to it, so a model is freed last. */
#ifndef OCELOTL_MODEL_H
#define OCELOTL_MODEL_H

#include <ocelotl/selection.h>
#include <ocelotl/sink.h>
#include <ocelotl/trace.h>
#include <ocelotl/type_tree.h>
#include <ocelotl/work.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ocelotl_model ocelotl_model;

typedef enum ocelotl_nesting {
    OCELOTL_INNERMOST = 0, /* time belongs to the innermost of nested states */
    OCELOTL_INCLUSIVE = 1  /* time belongs to every state that is open */
} ocelotl_nesting;

typedef enum ocelotl_untraced {
    OCELOTL_UNTRACED_TYPE = 0,  /* time in no state is in the type "(no state)" */
    OCELOTL_UNTRACED_IGNORE = 1 /* time in no state is nothing */
} ocelotl_untraced;

/* What cells can hold (thesis, section 5.2). A mean is no sum, and neither is an extreme: the
 * partition is that of the sums behind them, and ocelotl_model_values makes anew what is drawn of
 * each part. */
typedef struct ocelotl_metric {
    const char *name;
    /* of the events it is made of: "state", "event", "variable", "link", or "any" */
    const char *category;
    const char *unit; /* of what is drawn: "share", "s", "events", "links", "bytes", or "" for that
                         of the variable */
    const char *meaning; /* what a cell is, in one sentence */
    /* cells may be summed; the mean of its cells is drawn for a part */
    bool additive;
} ocelotl_metric;

/* Counts the metrics, and gives one by its index; empty strings beyond. O(1). */
OCELOTL_API uint32_t ocelotl_metric_count(void);
OCELOTL_API ocelotl_metric ocelotl_metric_at(uint32_t index);

/* Finds a metric by its name, for a trace; NULL: the one that models of it have by default (see
 * ocelotl_cell_options). O(streams). Errors: ARGUMENT for an unknown name, or a metric that the
 * trace cannot serve, naming those that it can; INPUT for a trace without any event. */
OCELOTL_API ocelotl_status ocelotl_metric_find(ocelotl_metric *metric, const ocelotl_trace *trace,
                                               const char *name);

/* How siblings follow each other. */
typedef enum ocelotl_order {
    OCELOTL_ORDER_TRACE = 0, /* as the trace has them */
    /* by name; numbers in names count as such: "rank 2" comes before "rank 10" */
    OCELOTL_ORDER_NAME = 1,
    OCELOTL_ORDER_BEGIN = 2, /* by when the first of the leaves below begins to live */
    /* by what the leaves below add up to, untraced time apart, the largest first */
    OCELOTL_ORDER_ACTIVITY = 3,
    /* what sends most to each other side by side: pairs are joined to chains, those with most bytes
     * first, or with most links where these carry no bytes. All links of the trace count, whatever
     * the model shows; of equal pairs that which the trace has nearest. Errors: ARGUMENT for a
     * trace without links. */
    OCELOTL_ORDER_TRAFFIC = 4
} ocelotl_order;

/* What the cells of a model hold. */
typedef struct ocelotl_cell_options {
    /* The metric by name (ocelotl_metric_at), or a formula: "[NUMBER *] NAME / NAME", where each
     * cell is one variable by another one, of a counter its growth, of a level its sum over time;
     * of a part it is the one sum by the other, none where that is 0. A name is in double quotes
     * where it has blanks or operators. NULL: state-duration where the trace has states,
     * unless they last for less than a hundredth of the time and variables have more steps; else
     * event-count, link-count, link-count-received or variable-mean (counter where all variables
     * are counters), whatever the trace has most of, with variables shifted and scaled as they need
     * it (see `values_reason` of ocelotl_model_info). */
    const char *metric;

    /* The attribute with the bytes of a link. NULL: the first called "size", "bytes" or
     * "length". */
    const char *attribute;

    const char *state_type; /* the state type to show, by name; NULL: see `state_types` */
    ocelotl_nesting nesting;
    ocelotl_untraced untraced;

    /* How many levels of nested states count, from the outermost; 0: all. The time of what is
     * deeper belongs to the last level that counts (with inclusive time, to all of them). Of states
     * that cross, those that began first are the outer ones. Only with the metric state-duration.
     * Running totals know no depth: this reads every event of the trace once, and those of the
     * window once more. */
    uint32_t nesting_depth;

    /* Of variables. `shift` counts from the smallest value that each has in the trace, so that none
     * is negative; `scale` takes each as a share of its largest value, so that several compare. */
    bool shift, scale;

    /* What is drawn is a second's: each cell divided by the length of its slice, of metrics that
     * add up whose unit is no share and no time, and that are no means. The partition is that of
     * the cells. */
    bool rate;

    /* A counter grows where it is read, and not evenly since the reading before. Only with the
     * metric counter, and with formulas of counters. */
    bool counter_step;
} ocelotl_cell_options;

/* Types that become one. The model is that of a trace with the values renamed so: cells add up.
 * Filters come before, by the names in the trace. Not for variables, which do not add up. */
typedef struct ocelotl_type_options {
    /* "PATTERN=NAME" each (the last "=" divides them): what the pattern matches, by its own name or
     * by that of its event type, is in the type NAME, and so is what has that name already. The
     * first pattern that matches counts. */
    ocelotl_names groups;

    /* The most types that stay: those with most time in the trace, or most events unless the metric
     * is one of states. The rest becomes the type "others". 0: OCELOTL_DEFAULT_MAX_TYPES;
     * UINT32_MAX: all stay. */
    uint32_t max_types;

    bool absent; /* a pattern may match no type of the model, otherwise an error */
} ocelotl_type_options;

/* What is between the root and the leaves. The members take effect in this order. Nodes of the
 * trace keep their paths, and the paths and patterns of a selection are those of the trace. */
typedef struct ocelotl_hierarchy_options {
    /* A CSV with the header resource,path: the new path of each leaf, which is named by its path or
     * by a name that no other leaf has. What is above it is made. A row whose resource is `*` says
     * where all others go, by a path whose last step is `*`: there they keep their names. NULL: the
     * hierarchy is that of the trace. */
    const char *file;

    /* Leaves of the same last name come together, wherever they are: below the root are roles,
     * which are last names without the number at their end, then last names that several leaves
     * have, then where these leaves are in the trace. Not with `file`. */
    bool by_role;

    /* Resource types whose resources go, their children to their parents (thesis, Figure 6.18).
     * Leaves stay, and what happens in a dropped resource itself stays as a leaf of its name. */
    ocelotl_names drop_levels;

    /* "PATTERN=NAME" each: the resources whose path matches come, with all below them, into a new
     * node of that name below their nearest common ancestor. */
    ocelotl_names groups;

    /* Leaves of one parent and type that never live at the same time become one: threads
     * that are made again and again, for example. It has the path of the first, and lives from its
     * beginning to the end of the last. */
    bool reuse_rows;

    /* The hierarchy becomes one of how alike the leaves behave: again and again the two are joined
     * that lose least when drawn as one, in every slice (or in groups of many slices). Clusters are
     * named for their leaves, and those that lose nothing contain no others. Of more than 1000
     * leaves, those that are most alike are first gathered at 1000 places. It is that of the whole
     * trace, as groups are, unless `regroup` makes it of what is shown. Leaves of one name are
     * called by their paths. O(leaves), with a large factor. */
    bool cluster;

    /* Groups of like siblings: nodes of more than two children get at most this many nodes between
     * them and these, so that a child unlike its siblings can be a part of its own. 0:
     * OCELOTL_DEFAULT_MAX_GROUPS. A hierarchy of many small nodes keeps the groups whose joins lose
     * most, about one for nine nodes, or 64. They are the last joins of `cluster`, of each node by
     * itself, found on the metric shown, over the whole unfiltered trace. A window, a filter or a
     * choice of resources keeps them, unless `regroup` finds them on what is shown. For variables
     * the filters of types apply to them, too. Not with `cluster`, nor for the temporal kind, which
     * knows no resources. `bare` leaves them out. */
    uint32_t max_groups;
    bool bare, regroup;

    /* The most leaves. The deepest nodes become leaves until no more are left, and each weighs what
     * it stands for: the best partition is the best of those without a part below them. A temporal
     * aggregation, which knows no resources, takes each as one series. 0: any number. */
    uint32_t max_leaves;

    ocelotl_order order; /* of siblings */

    /* The hierarchy becomes that of another model, perhaps of another trace, so that both compare:
     * a resource comes where that model has its path, and one that it lacks below the nearest
     * resource above it that it has. Of the members above only `reuse_rows` then has an effect. A
     * hierarchy that is its trace's own changes nothing. Where of the children of a resource none
     * of a role have the same path, they are those of that model of the same role, which is their
     * name without the number at its end, else of the same shape. The model must live until this
     * one is made. NULL: none. */
    const struct ocelotl_model *like;

    /* Models of the same trace, `known_count` of them. A part of the trace takes the groups of the
     * whole from one that has them, by the same options but for the selection, `max_leaves` and
     * `order`. Without one it makes the model of the whole for them, and keeps its nodes for others
     * to take. The model is the same bits in any case. They must live until this one is made;
     * several threads may name the same ones. NULL: none. */
    const struct ocelotl_model *const *known;
    size_t known_count;

    /* "REGEX=NAME" each (the last "=" divides them): where an extended regular expression matches
     * what a resource is called, in this model or in `like`, NAME takes the place of the match
     * before they are compared, with its groups for \1 to \9. */
    ocelotl_names map;
} ocelotl_hierarchy_options;

/* A span of time in ticks, `to` excluded. */
typedef struct ocelotl_span {
    int64_t from, to;
} ocelotl_span;

/* Zero is the default of every member. */
typedef struct ocelotl_model_options {
    size_t size; /* sizeof(ocelotl_model_options), set by the initialiser */

    /* The window, whose time the slices divide, the resources and the filters. What is outside the
     * window does not exist. What a filter of types, values, durations or attributes removes
     * becomes untraced time: it goes to "(no state)", not to the states around it. A filter of
     * durations reads each event of the window, one of attributes each up to the window's end:
     * O(events). */
    ocelotl_selection selection;

    /* Widens the window to whole slices of those of the model without it. A boundary between these
     * that is no whole tick goes outwards to the next one. */
    bool snap;

    /* Allows conditions that concern no event that the metric reads, otherwise an error: the same
     * filter is of events that are shown beside the model. */
    bool where_elsewhere;

    bool broken; /* a window: see `pieces` */

    ocelotl_kind kind;   /* what will be solved: the default number of slices depends on it */
    uint32_t slices;     /* 0: OCELOTL_DEFAULT_SLICES, or fewer, see ocelotl_model_info */
    uint32_t type_level; /* of `type_tree` */
    ocelotl_cell_options cells;
    ocelotl_type_options types;
    ocelotl_hierarchy_options hierarchy;

    /* `memory_limit` bounds the number of slices. `progress` is of reading, of 0 in a total that is
     * not known, and then of comparing the leaves, or the children of each node, for
     * `cluster` and groups. The model is the same for any number of threads. */
    ocelotl_work work;

    /* Nodes that become leaves, by path or pattern, like those of `hierarchy.max_leaves` and before
     * these. They may name what the selection leaves out; a leaf stays one. */
    ocelotl_names folded;

    /* What was chosen beside what somebody asked for, for ocelotl_model_info; copied. NULL: none.
     */
    const char *choices;

    /* Types are put together at `type_level` as a tree of them has it, after `types.groups`, whose
     * names count, and before `types.max_types`: at level 1 as its outermost groups, deeper ones at
     * the next levels. 0: each by itself. Otherwise as `types.groups`. OCELOTL_TYPE_LEVEL_AUTO: the
     * level whose share of the types saved exceeds its share of the information lost most, of the
     * whole trace by the same metric and types; for variables 0. This makes the bare model of the
     * whole trace first; docs/types.md has the formula. The tree must live until the model is made.
     */
    const ocelotl_type_tree *type_tree;

    /* The state types to show, by name: of a metric of states each resource shows its own, the
     * first that it has. None: `cells.state_type`, or the one with most time. */
    ocelotl_names state_types;

    /* What of the trace's time is the whole: pieces in order and apart. What lies before, between
     * and behind them is no time of the model. A model without a window is of these; groups and
     * levels of types are found on them. Slices are of one length in all pieces, so pieces are
     * widened into the time between them to whole slices; where that leaves nothing between them,
     * or there are less than two slices a piece, they are one. A window has all of its time, unless
     * it is `broken`: then it is of what the pieces leave of it. None: the whole trace. */
    const ocelotl_span *pieces;
    size_t piece_count;

    /* Steps of the program, for ocelotl_model_info; copied. A line names them all, and then a line
     * "BEGIN END NAME" each, in seconds, in the order of their begins. NULL: none. */
    const char *steps;

    uint32_t most_slices; /* where `slices` is 0, instead of OCELOTL_DEFAULT_SLICES; 0: that */
} ocelotl_model_options;

#define OCELOTL_MODEL_OPTIONS_INIT OCELOTL_INIT(ocelotl_model_options)

#define OCELOTL_DEFAULT_SLICES     200
#define OCELOTL_DEFAULT_MAX_TYPES  30
#define OCELOTL_DEFAULT_MAX_GROUPS 16

#define OCELOTL_TYPE_LEVEL_AUTO UINT32_MAX

/* Builds the model of a trace.
 *
 * Cells: with the metric state-duration a cell is the share (0..1) of its slice that the leaf
 * spends in the state. A leaf has no value in slices outside its lifetime. In slices that it lives
 * in, even for a moment, time in no state is untraced, so that its cells there add up to 1.
 *
 * Slices: they are equal, half-open and exact. Nothing is counted twice or lost at a boundary,
 * whatever the ratio of window and slices. What happens in the last instant of the trace is in its
 * last slice.
 *
 * Leaves: the resources with events that the metric reads, of the state type shown or of types that
 * pass the filters. A window has the types and the leaves of the whole trace, so that windows can
 * be compared; a leaf that does not live in the window lives in no slice.
 *
 * Cost: per leaf min(chunks of its events, slices) chunks, whatever comes before the window;
 * docs/selecting.md says what reads every event. A part of a trace that keeps the groups of the
 * whole costs the model of the whole as well. Options may be NULL.
 *
 * Errors: ARGUMENT (more slices than ticks; a window that does not last, or leaves the trace; an
 * unknown resource, state type, type, value, metric, attribute, level or group, naming the nearest
 * or all that exist; a metric that the trace cannot serve; an option without effect on the metric;
 * a variable with negative values, beyond rounding, without `shift`; several variables without
 * `scale`), LIMIT (more slices than memory holds, more leaves than can be compared, with an
 * estimate), INPUT (a trace without any event; a damaged trace), EMPTY (the chosen resources have
 * nothing of the metric, or no type passes the filters), CANCELLED. A selection that passes the
 * filters but has no time in the window gives a model that is `empty`. */
OCELOTL_API ocelotl_status ocelotl_model_from_trace(ocelotl_model **model, ocelotl_trace *trace,
                                                    const ocelotl_model_options *options);

/* Reads a model from a CSV (RFC 4180) with the header `path,type,slice,value`. Slices count from 0,
 * and an absent cell is 0. A row of value 0 declares a leaf, a type or a slice. Values are finite
 * and >= 0, in any unit. Names keep the order of appearance. The file is plain or compressed by
 * gzip, zstd, xz, bzip2 or zip; "-" is standard input. O(n log n) in the rows. Errors: INPUT
 * "file:line: ..." (a broken row, a negative or infinite value, a cell given twice, naming both
 * lines). */
OCELOTL_API ocelotl_status ocelotl_model_from_csv(ocelotl_model **model, const char *path);

/* One value of a model given as triplets. */
typedef struct ocelotl_cell {
    uint32_t node; /* a leaf of the tree */
    uint32_t type;
    uint32_t slice;
    double value; /* finite, >= 0, in any unit */
} ocelotl_cell;

/* A model given by a program. Arrays are copied. */
typedef struct ocelotl_model_arrays {
    size_t size;      /* sizeof(ocelotl_model_arrays), set by the initialiser */
    const char *name; /* for captions */
    uint32_t node_count;
    /* of each node, OCELOTL_ROOT for the one root; siblings keep their order */
    const uint32_t *parents;
    const char *const *names; /* of each node; NULL: numbers */
    uint32_t type_count;
    const char *const *types; /* names of the types; NULL: numbers */
    uint32_t slice_count;     /* >= 1 */
    size_t cell_count;
    const ocelotl_cell *cells; /* in any order; absent is 0; none twice */
} ocelotl_model_arrays;

#define OCELOTL_MODEL_ARRAYS_INIT OCELOTL_INIT(ocelotl_model_arrays)

/* Builds a model from arrays. Errors: ARGUMENT naming the first offending node or cell. O(n log n).
 */
OCELOTL_API ocelotl_status ocelotl_model_from_arrays(ocelotl_model **model,
                                                     const ocelotl_model_arrays *arrays);

/* Writes a model as bytes, for another process or another day. They have a version and a checksum,
 * and are the same on every machine. The model that is read back has the same hash, and answers
 * every question as this one. O(nodes + cells); holds all bytes in memory. Errors: those of the
 * sink, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_model_to_bytes(const ocelotl_sink *sink,
                                                  const ocelotl_model *model);

/* Reads a model from the bytes of ocelotl_model_to_bytes, which are not kept. The bytes may be
 * hostile: what is not a model is refused, and memory stays in proportion to their number. O(size).
 * Errors: INPUT (no such bytes, another version, damaged), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_model_from_bytes(ocelotl_model **model, const void *bytes,
                                                    size_t size);

/* Adds two models up that have no leaf in common: the sum has the leaves, the types and the cells
 * of both, and refers to neither. They must agree on the window, the slices, the metric and the
 * filters. Nodes are the same by path, types by name. Siblings keep the order of the trace, where
 * both models are of one; else those of the first come first. Cells are copied, not computed: the
 * sum of the models of two parts of a trace has the hash of the model of both parts, where all
 * three have the same types. Thread-safe. O(nodes + cells). Errors: ARGUMENT (models that do not
 * agree; a leaf that both have, naming it; means and extremes of durations, whose counts weigh by
 * all leaves; a model with groups of like siblings, merged leaves or another changed hierarchy),
 * LIMIT, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_model_add(ocelotl_model **sum, const ocelotl_model *first,
                                             const ocelotl_model *second);

OCELOTL_API void ocelotl_model_free(ocelotl_model *model);

/* A piece of a window that leaves time out. */
typedef struct ocelotl_piece {
    double begin, end; /* in seconds from the trace's origin */
    int64_t from, to;  /* the same in ticks */
    uint32_t first;    /* its first slice */
    uint32_t slices;
} ocelotl_piece;

/* What a model is made of. Texts for captions are "" where they have nothing to say. */
typedef struct ocelotl_model_info {
    size_t size;      /* by OCELOTL_INIT */
    const char *name; /* the trace's, the file's, or the program's */
    const char *uid;  /* of the trace, or "" */

    /* The slices are spans of a trace's time. Without it times are 0, and the model has no
     * window. */
    bool has_time;
    bool zoomed;   /* the window is not the whole trace */
    bool additive; /* what is drawn of a part is the mean of its cells; see ocelotl_model_values */
    double begin, end;             /* the window in seconds from the trace's origin */
    double trace_begin, trace_end; /* the same of the whole trace */
    int64_t from, to;              /* the window in ticks */

    const char *metric;  /* its name; "" without a trace */
    const char *unit;    /* of what is drawn, see ocelotl_metric */
    const char *caption; /* how to read what is drawn; "" for state-duration */
    const char *filters; /* what they let pass; "" for all */
    /* the one that is shown, several with ", " between them; "" with a metric of other events */
    const char *state_type;

    const char *slices_reason; /* why the model has fewer slices than wanted */
    uint32_t slices_wanted;    /* the default; more than slice_count where that is too many */

    uint32_t resource_count;  /* resources that were chosen by path; 0: all of the trace */
    uint32_t leaves_left_out; /* resources without a child that have nothing of what is shown */
    ocelotl_nesting nesting;  /* as asked for, with a trace */
    ocelotl_untraced untraced;
    uint32_t node_count; /* of the hierarchy; node 0 is the root */
    uint32_t leaf_count;
    uint32_t type_count;
    uint32_t slice_count;
    size_t cell_count;         /* values that are not 0 */
    const char *grouping;      /* which types stand for several of the trace */
    uint32_t nesting_depth;    /* the levels of nested states that count; 0: all */
    uint32_t row_count;        /* resources that the leaves stand for; leaf_count without merging */
    const char *hierarchy;     /* how it differs from that of the trace */
    const char *values_reason; /* how variables are shown without a metric; how a matrix ends */
    uint32_t compared_types;   /* of ocelotl_comparison_join: the types of each model; else 0 */
    bool empty;          /* a trace's model with nothing but untraced time; never of variables */
    uint32_t type_level; /* of a tree, at which types are grouped; 0: each is by itself */
    const char *types_reason; /* which types a tree does not name; "" for none */
    /* What was chosen for this trace where nobody asked for it: lines "RULE: WHAT"; "" for none */
    const char *choices;
    const ocelotl_piece *pieces; /* of the window, in order; they live as long as the model */
    uint32_t piece_count;        /* 0: the window is one piece */
    /* that pictures show above the plot, of the whole trace: see ocelotl_model_options; "" */
    const char *steps;
    double rate; /* what is drawn of a part is so many times the mean of its cells: 1, or a second
                    by the length of a slice; see ocelotl_cell_options */
} ocelotl_model_info;

OCELOTL_API void ocelotl_model_get_info(ocelotl_model_info *info, const ocelotl_model *model);

/* The same as a value. */
static inline ocelotl_model_info ocelotl_model_info_of(const ocelotl_model *model)
{
    ocelotl_model_info info;
    info.size = sizeof info;
    ocelotl_model_get_info(&info, model);
    return info;
}

/* The instant in seconds at which a slice begins, or a fraction of one; that of slice_count is the
 * window's end. Where time is left out before the slice, it is behind that. O(pieces), as are the
 * next three. */
OCELOTL_API double ocelotl_slice_begin(const ocelotl_model_info *info, double slice);

/* The instant at which slice - 1 ends: that of ocelotl_slice_begin, or before the time that is left
 * out. */
OCELOTL_API double ocelotl_slice_end(const ocelotl_model_info *info, double slice);

/* The slice of an instant, with its fraction: what ocelotl_slice_begin has it of. Time that is left
 * out is where the next piece begins. Before or behind the window it goes on at that pace. */
OCELOTL_API double ocelotl_slice_at(const ocelotl_model_info *info, double seconds);

/* How long a slice is, in seconds. */
OCELOTL_API double ocelotl_slice_length(const ocelotl_model_info *info);

/* Gives the path of a chosen resource, by index in the given order; "" beyond. O(1). */
OCELOTL_API const char *ocelotl_model_resource_at(const ocelotl_model *model, uint32_t index);

/* Hashes all that an aggregation depends on: the hierarchy with its paths, the types, and every
 * cell. Machines of one byte order give the same hash. O(nodes + cells). */
OCELOTL_API uint64_t ocelotl_model_hash(const ocelotl_model *model);

typedef struct ocelotl_node {
    const char *name; /* "" for an implicit root */
    /* from below the root, "" for the root; "/" and "%" in names as %2F and %25 */
    const char *path;
    const char *kind; /* the type of the resource, "" where it has none */
    /* the trace's resource, or the index in a program's arrays; OCELOTL_NONE: implicit */
    uint32_t source;
    uint32_t parent; /* or OCELOTL_ROOT */
    uint32_t depth;  /* 0 for the root; a group is no level and has that of what it is in */
    /* its leaves are leaf_first .. leaf_first + leaf_count - 1 in the order of drawing */
    uint32_t leaf_first;
    uint32_t leaf_count; /* 1 for a leaf */
    /* a leaf's lifetime in slices, 0 .. slice_count; the whole for other nodes */
    double begin, end;
    /* where it begins in a picture: resources that the leaves before its first stand for */
    uint32_t row_first;
    uint32_t row_count; /* resources that its leaves stand for; leaf_count where none is merged */
    /* a group of like siblings, made by their behaviour; no resource of the trace */
    bool alike;
} ocelotl_node;

typedef struct ocelotl_type {
    const char *name;
    int32_t colour;   /* 0xRRGGBB or -1 */
    bool untraced;    /* this is "(no state)" */
    double low, high; /* the extremes of single cells as drawn; 0 without any */
} ocelotl_type;

/* Gives a node or a type by its index; empty ones beyond. Nodes come in the order of drawing,
 * parents before children. O(1). */
OCELOTL_API ocelotl_node ocelotl_model_node_at(const ocelotl_model *model, uint32_t node);
OCELOTL_API ocelotl_type ocelotl_model_type_at(const ocelotl_model *model, uint32_t type);

/* Gives the names of all types of the trace, whatever the model shows of it. Without a trace they
 * are its own types, the largest sum first. They belong to the model. O(1). */
OCELOTL_API const ocelotl_type_names *ocelotl_model_type_names(const ocelotl_model *model);

/* Computes what is drawn of the part node x first..last: for each type, the mean of its cells. With
 * a metric that is not additive it is the mean or the extreme of what is behind the cells, in its
 * unit; NaN without anything. For a single cell, give its leaf and slice. `values` has room for
 * type_count. Thread-safe. O(leaves log series + cells of the part). Errors: ARGUMENT (a node or a
 * slice out of range). */
OCELOTL_API ocelotl_status ocelotl_model_values(double *values, const ocelotl_model *model,
                                                uint32_t node, uint32_t first, uint32_t last);

/* Sums the cells below a node by slice, from first to last, and by type: sums[(slice - first) *
 * type_count + type]. A merged leaf has the sum of its resources. With a metric that is not
 * additive these are the sums behind what is drawn, see ocelotl_metric. `sums` has room for all.
 * Thread-safe. O(slices x types + log series + series and cells below the node). Errors: ARGUMENT
 * (a node or a slice out of range). */
OCELOTL_API ocelotl_status ocelotl_model_sums(double *sums, const ocelotl_model *model,
                                              uint32_t node, uint32_t first, uint32_t last);

/* Orders the resources of the model's trace as its leaves are: places[resource] is smaller where it
 * comes first. Those below a resource follow it; what the model does not show comes last among its
 * siblings. Resources that share a leaf, as they live one after the other, have one place, others a
 * place of their own. `places` has room for ocelotl_trace_resource_count. The
 * model was made of the trace. Errors: MEMORY. O(resources log resources + nodes). */
OCELOTL_API ocelotl_status ocelotl_model_order(uint32_t *places, const ocelotl_model *model,
                                               const ocelotl_trace *trace);

/* Where a piece of a model lies in its trace: the resources and the window of a selection. */
typedef struct ocelotl_place {
    const char *path;        /* of the node, "" for the root */
    ocelotl_names resources; /* see ocelotl_model_place */
    int64_t from, to;        /* ticks, `to` excluded; 0 without a trace */
} ocelotl_place;

/* Finds the place of node x first..last, of a part for example: a model of it zooms to that part.
 * `resources` are the fewest resources of the trace that name just what the leaves of the node
 * stand for, in the order of the trace; none where that is all of the trace; those that the model
 * was made of where it is all leaves. A boundary between slices that is no whole tick goes outwards
 * to the next one, so that the place holds all of the piece. Filters of resources are no part of
 * it. Free it with ocelotl_place_free; its strings live as long as the model. Thread-safe. O(nodes
 * + leaves of the node x depth). Errors: ARGUMENT (a node or a slice out of range), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_model_place(ocelotl_place *place, const ocelotl_model *model,
                                               uint32_t node, uint32_t first, uint32_t last);
OCELOTL_API void ocelotl_place_free(ocelotl_place *place);

/* Finds the type of a name. O(types), and O(types x names) where none has it. Errors: ARGUMENT,
 * naming the type whose name is nearest. */
OCELOTL_API ocelotl_status ocelotl_model_find_type(uint32_t *type, const ocelotl_model *model,
                                                   const char *name);

#ifdef __cplusplus
}
#endif
#endif

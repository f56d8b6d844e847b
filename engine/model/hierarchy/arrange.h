/* The steps that change the hierarchy of a filled model from a trace. They change an arrangement,
 * which then becomes the model's hierarchy. */
#ifndef OC_MODEL_HIERARCHY_ARRANGE_H
#define OC_MODEL_HIERARCHY_ARRANGE_H

#include "base/arena.h"
#include "base/text.h"
#include "model/core/model.h"
#include "store/trace/catalogue.h"

/* --- The hierarchy of a filled model while it is changed: a list of nodes to put in order, each
 * leaf of the model having its place among them. Several leaves at one place become one leaf. */

typedef struct oc_arranged_node {
    /* the parent is never dropped, and precedes its children once all is settled */
    oc_given_node given;
    const char *path; /* NULL: made of the names on the way */
    /* among siblings, the lowest first; of equals the one that was listed before */
    uint32_t rank;
    bool dropped;         /* its children go to its parent */
    bool merged;          /* all below it is to be one leaf */
    bool alike;           /* a group of like siblings, see ocelotl_node */
    uint32_t leaves;      /* of the model, that have their place here */
    uint32_t first_leaf;  /* of these, OCELOTL_NONE: none. Counted when it is settled */
    uint32_t child_count; /* likewise */
} oc_arranged_node;

/* Zero-initialised before oc_arrangement_begin. Node 0 is the root. */
typedef struct oc_arrangement {
    const ocelotl_model *model;
    oc_arena arena; /* of nodes, places, and names that were made here */
    oc_arranged_node *nodes;
    uint32_t count;
    size_t capacity;
    uint32_t *place; /* by leaf of the model: its node */
} oc_arrangement;

/* Lists the hierarchy of a model as it is; names and paths are the model's, which must outlive the
 * arrangement. O(nodes). Free in any case. */
ocelotl_status oc_arrangement_begin(oc_arrangement *arrangement, const ocelotl_model *model);
void oc_arrangement_free(oc_arrangement *arrangement);

/* Adds an inner node, or a leaf; its name must live as long as the arrangement. */
ocelotl_status oc_arrangement_add(uint32_t *node, oc_arrangement *arrangement, uint32_t parent,
                                  const char *name, const char *kind, uint32_t rank);

/* Gives a text to the arrangement, which keeps it as long as it lives. Without memory it is "", and
 * settling fails. */
const char *oc_arrangement_take(oc_arrangement *arrangement, oc_text *text);

/* The path of a name below a node, kept in the same way. */
const char *oc_arrangement_path(oc_arrangement *arrangement, uint32_t parent, const char *name);

/* Puts the nodes in preorder, siblings by rank, without dropped ones and those without a leaf;
 * ranks become places. No leaf's node is dropped, and no node is below itself. O(nodes log
 * nodes). */
ocelotl_status oc_arrangement_settle(oc_arrangement *arrangement);

static inline bool oc_arranged_is_leaf(const oc_arranged_node *node)
{
    return node->leaves > 0;
}

/* What leaves at one place become. */
typedef enum oc_joint {
    OC_MERGED, /* one leaf that stands for all of them and weighs as much, see oc_weights */
    OC_ONE_ROW /* one leaf like any other: they live one after the other */
} oc_joint;

/* Gives a model the hierarchy of a settled arrangement, which was begun with it and is used up. The
 * model has no merged leaves before. O(nodes + cells log cells of joined leaves). Errors: ARGUMENT
 * for sums that are not finite. */
ocelotl_status oc_model_rearrange(ocelotl_model *model, const oc_arrangement *arrangement,
                                  oc_joint joint);

/* --- The steps */

/* Does all that the options ask for. Without any of them the model stays as it is. A part of a
 * trace takes its hierarchy from the model of the whole, so that its groups are the same; NULL: it
 * has one of its own. */
ocelotl_status oc_arrange(ocelotl_model *model, const oc_catalogue *catalogue,
                          const ocelotl_model_options *options, const ocelotl_model *whole);

/* Whether the options ask for groups of like siblings. */
bool oc_wants_groups(const ocelotl_model_options *options);

/* Options that no model could be made with. Errors: ARGUMENT. */
ocelotl_status oc_check_arranging(const ocelotl_model_options *options);

/* Each step leaves the arrangement to be settled. */

/* Gives leaves the paths that a CSV file with the header resource,path says. Errors: IO; INPUT
 * "file:line: ..." for rows that make no tree, or that name nothing in the trace; rows of resources
 * that are not shown are left out. O(bytes of the file + nodes), and O(resources) for each of
 * these. */
ocelotl_status oc_read_hierarchy(oc_arrangement *arrangement, const oc_catalogue *catalogue,
                                 const char *file);

/* Brings leaves of the same last name together, wherever they are: below the root come roles, which
 * are last names without the number at their end, then last names that several leaves have, then
 * what was above each of these leaves. O(nodes x depth). */
ocelotl_status oc_arrange_by_role(oc_arrangement *arrangement);

/* Puts the nodes whose path matches a pattern, with all below them, into a new node. This is below
 * their nearest common ancestor. Needs a settled arrangement in which all nodes have paths. If no
 * node matches, no group is made. Errors: ARGUMENT if nothing in the trace matches. O(nodes). */
ocelotl_status oc_group(oc_arrangement *arrangement, const oc_catalogue *catalogue,
                        const char *pattern, const char *name);

/* Drops the nodes of a kind that have something below them. Errors: ARGUMENT for an unknown kind,
 * naming the levels. O(nodes). */
ocelotl_status oc_drop_level(oc_arrangement *arrangement, const char *kind);

/* Drops all between the root and the leaves. Those of one name have their paths. O(nodes). */
ocelotl_status oc_drop_inner(oc_arrangement *arrangement);

/* As many groups as there are. */
#define OC_ALL_GROUPS UINT32_MAX

/* Puts at most `most` groups of like siblings between each node of more than two children and
 * these. It joins the children, again and again, as oc_dendrogram_make says, by the values of types
 * in slices, or in groups of many slices; children that have nodes below them by the sums of their
 * leaves. Joins are undone from the last one on; each cluster that a join was made of is a group if
 * it has more than one child, and children that no undone join separates stay together in theirs. A
 * group stands where its first member stands, and members keep their order, so that the trace's
 * order changes least. Its kind is "group". Over all nodes, the joins that lose most are kept,
 * about one for every nine nodes, or 64; all of them with OC_ALL_GROUPS. Needs a settled
 * arrangement, and leaves it to be settled. O(nodes x depth + cells x depth), and 128 times the
 * sums that children are compared by, 1000 times with OC_ALL_GROUPS. Errors: CANCELLED by the
 * progress, which counts children and may be NULL. */
ocelotl_status oc_group_children(oc_arrangement *arrangement, uint32_t most,
                                 ocelotl_progress progress, void *progress_context);

/* Names the groups of a settled arrangement by their resources. O(nodes x groups above them).
 * Errors: MEMORY. */
ocelotl_status oc_name_groups(oc_arrangement *arrangement);

/* Gives a fresh arrangement the nodes of another model of the same trace that have leaves in it.
 * Groups of one member are dropped. `whole` has all leaves of the arrangement, none of them merged,
 * and outlives it; the arrangement is settled then. O(nodes of both). Errors: INTERNAL for a leaf
 * that is not in `whole`. */
ocelotl_status oc_take_hierarchy(oc_arrangement *arrangement, const ocelotl_model *whole);

/* The leaf that each resource of the trace has in a model. */
typedef struct oc_resource_nodes {
    uint32_t *node; /* by resource, OCELOTL_NONE: it has none */
    uint32_t count;
} oc_resource_nodes;

/* Finds the leaves; several resources may have the same. of->node is to be freed in any case.
 * O(nodes). */
ocelotl_status oc_find_resource_nodes(oc_resource_nodes *of, const ocelotl_model *model);

/* Gives a fresh arrangement, or one with joined rows, the nodes of another model. Each leaf goes
 * where the other model has the leaf of its path in the trace; an unknown one goes below the
 * nearest known node above it. `like` outlives the arrangement. O(nodes of both). */
ocelotl_status oc_follow_hierarchy(oc_arrangement *arrangement, const ocelotl_model *like);

/* Lets leaves of one parent and kind share places if their lives do not overlap, in as few places
 * as possible. Needs a settled arrangement with a place for each leaf. O(leaves log leaves). */
ocelotl_status oc_reuse_rows(oc_arrangement *arrangement, const ocelotl_trace *trace);

/* Ranks siblings. O(nodes log nodes + cells). */
ocelotl_status oc_order_siblings(oc_arrangement *arrangement, const ocelotl_trace *trace,
                                 ocelotl_order order);

/* Ranks siblings so that those that send most to each other stand side by side: bytes where links
 * of the trace carry some, else links. Of all links of the trace, whatever the model shows. Needs a
 * settled arrangement. Errors: ARGUMENT for a trace without links, INPUT for damage, CANCELLED.
 * O(links + pairs log pairs). */
ocelotl_status oc_order_by_traffic(oc_arrangement *arrangement, const oc_catalogue *catalogue,
                                   const ocelotl_work *work);

/* Marks the nodes whose path matches a pattern, to become leaves with the weight of what is below.
 * Needs a settled arrangement. Errors: ARGUMENT for a pattern that matches nothing, in the model or
 * the trace, naming the nearest. O(nodes x patterns). */
ocelotl_status oc_fold_nodes(oc_arrangement *arrangement, const oc_catalogue *catalogue,
                             const ocelotl_names *patterns);

/* Makes leaves of the marked nodes. Needs a settled arrangement. O(nodes). */
ocelotl_status oc_merge_marked(oc_arrangement *arrangement);

/* Makes leaves of the deepest nodes, one by one, until at most `most` (>= 1) leaves remain. Of
 * nodes at one depth, those with the fewest leaves come first. If a node would leave less than half
 * of the leaves, its consecutive children are merged instead. Needs a settled arrangement. O(nodes
 * log nodes). */
ocelotl_status oc_merge_leaves(oc_arrangement *arrangement, uint32_t most);

/* One of the resources that a group holds. */
typedef struct oc_group_member {
    const char *name;
    const char *kind; /* its resource type, NULL or "": none */
} oc_group_member;

/* The most characters of a group's name. */
#define OC_GROUP_NAME_MOST 28

/* Writes the name of a group of `count` (>= 1) members into an empty text. It lists all of them
 * where that is short, with numbers in ranges ("rank-1, 4-7"), else how many they are and the first
 * ("12 hosts: 16, 20-24, .."). O(count), and O(count log count) where numbers do not ascend.
 * Errors: MEMORY. */
ocelotl_status oc_group_name(oc_text *name, const oc_group_member *members, uint32_t count);

/* How much of the first bytes of a name is left without the number at its end, and what divides it
 * from that: numbers may have several parts ("THREAD 1.2.1"). */
size_t oc_length_of_role(const char *name, size_t length);

/* Calls the resources of a model, whose hierarchy is its trace's own, as those of the trace of
 * another one. From the root down, of the children of one that both have: those of one name, as
 * `pairs` (REGEX=NAME) change it in both; of what is left, where none of a kind are called alike
 * but for the number at their end, those of one kind and role; then those of one kind and shape of
 * all below them; in their order. Says how many in `matched`. O(nodes). Errors: ARGUMENT (a wrong
 * expression), MEMORY. */
ocelotl_status oc_match_names(ocelotl_model *model, const ocelotl_model *like,
                              const ocelotl_names *pairs);

#endif

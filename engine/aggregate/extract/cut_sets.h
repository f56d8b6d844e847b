/* Where the best partitions of each node can, and where all must, be cut in time. Each set is a bit
 * for each slice that a cut follows.
 *
 * The tie rules go from the root down: of a node's equally good partitions, the one with the
 * earlier cut is preferred, whatever its children would prefer. So a split block may have to end
 * where every child can be cut, and its next block be split, too, since a child by itself would
 * choose another of its best partitions. Following all such cuts would take time cubic in the
 * slices. But the first exploration, which makes such blocks one, finds the best value, gain and
 * number of parts, and so the cuts of the best partitions. A node is then explored again by these
 * alone: two splits may touch, and no block goes on beyond a cut that all have. This never loses
 * the preferred partition P:
 * - The first cut of what is left of P is possible, and not behind a cut that all have, as P has
 * that too.
 * - P has no split that reaches the end and follows a split: one split, which precedes all cuts, is
 * as good.
 * - The first exploration may miss P in one respect: at the end of an interval P may split an empty
 * run together with the block beside it (see choices.c), where an ancestor is cut at that end.
 * The exploration ignores the ancestor's cut; it has the run whole and a cut at its border instead:
 * P', which has all cuts of P. So the cuts that all have are right for P. If the run is split, a
 * child must be cut at its border or before; the sets need not hold such cuts, as nothing follows
 * them. And where P and P' may both exist, an item does not count as unique. */
#ifndef OC_AGGREGATE_EXTRACT_CUT_SETS_H
#define OC_AGGREGATE_EXTRACT_CUT_SETS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oc_explored;

/* Of each node, one after the other. */
typedef struct oc_cut_sets {
    size_t words; /* of a set */
    uint64_t *possible;
    uint64_t *always;
} oc_cut_sets;

/* Of one node. NULL: nothing is known. */
typedef struct oc_cut_set {
    const uint64_t *possible, *always;
} oc_cut_set;

/* Fills sets of zeros from what was explored without any. */
ocelotl_status oc_cut_sets_find(oc_cut_sets *sets, const struct oc_explored *explored);
void oc_cut_sets_free(oc_cut_sets *sets);

static inline oc_cut_set oc_cut_set_of(const oc_cut_sets *sets, uint32_t node)
{
    if (sets == NULL)
        return (oc_cut_set){0};
    return (oc_cut_set){sets->possible + node * sets->words, sets->always + node * sets->words};
}

static inline bool oc_has_bit(const uint64_t *bits, uint32_t place)
{
    return bits[place / 64] >> place % 64 & 1;
}

/* The first bit from `begin` on, or `end`. */
static inline uint32_t oc_next_bit(const uint64_t *bits, uint32_t begin, uint32_t end)
{
    while (begin < end) {
        const uint64_t rest = bits[begin / 64] >> begin % 64;
        if (rest != 0) {
            begin += (uint32_t)__builtin_ctzll(rest);
            return begin < end ? begin : end;
        }
        begin += 64 - begin % 64;
    }
    return end;
}

#endif

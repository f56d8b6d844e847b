/* What is worth vectors: the inner loops of the engine, compiled once for each instruction set. */
#ifndef OC_AGGREGATE_VECTOR_VECTOR_H
#define OC_AGGREGATE_VECTOR_VECTOR_H

#include "aggregate/vector/cuts.h"
#include "aggregate/vector/losses.h"
#include "aggregate/vector/values.h"

/* All do the same to the last bit. */
typedef struct oc_vector {
    const char *name;
    /* The best of every interval of a node. O(slices^3 / 6) additions at most. */
    void (*cut)(oc_cuts *cuts);
    /* Adds the losses of the intervals that begin at rows row to row + OC_LOSS_ROWS - 1. */
    void (*lose)(const oc_losses *losses, uint32_t row);
    void (*weigh)(const oc_weighing *weighing);
    void (*join_slices)(const oc_joining *joining);
    void (*value)(const oc_values *values);
    /* The first i from `begin` on, before `end`, where left[i] + right[i] >= enough; else `end`.
     * Reads no further than OC_PAST_END past the end. */
    uint32_t (*find)(const double *left, const double *right, uint32_t begin, uint32_t end,
                     double enough);
} oc_vector;

/* The table of an instruction set by its name as users give it, or NULL where this machine has not
 * got it; NULL for a name gives the widest. */
const oc_vector *oc_vector_find(const char *name);

/* The names of those that this machine has, with commas between: fills `text`, of `size` bytes. */
void oc_vector_list(char *text, size_t size);

/* The name that a function of this folder has in the instruction set that it is being compiled for.
 */
#define OC_VECTOR_PASTE(name, instructions) name##_##instructions
#define OC_VECTOR_NAME(name, instructions)  OC_VECTOR_PASTE(name, instructions)
#define OC_VECTOR(name)                     OC_VECTOR_NAME(name, OC_INSTRUCTIONS)

#ifdef OC_INSTRUCTIONS
void OC_VECTOR(oc_cut)(oc_cuts *cuts);
void OC_VECTOR(oc_lose)(const oc_losses *losses, uint32_t row);
void OC_VECTOR(oc_weigh)(const oc_weighing *weighing);
void OC_VECTOR(oc_join_slices)(const oc_joining *joining);
void OC_VECTOR(oc_value)(const oc_values *values);
uint32_t OC_VECTOR(oc_find)(const double *left, const double *right, uint32_t begin, uint32_t end,
                            double enough);
extern const oc_vector OC_VECTOR(oc_vector);
#endif

#endif

/* What a solve costs, known before it is begun, and what the machine offers. The model chooses a
 * number of slices by them, and the aggregation refuses what would not fit. */
#ifndef OC_BASE_COST_H
#define OC_BASE_COST_H

#include <ocelotl/model.h>

#include <stdint.h>

/* The size of a request. */
typedef struct oc_request_size {
    ocelotl_kind kind;
    uint32_t nodes, inner; /* all, and those that are no leaves */
    uint32_t slices;
    uint32_t threads;
} oc_request_size;

/* Bytes of the measures and of one solve where the losses of so many nodes are stored, at least the
 * root's. With T slices, I = T (T + 1) / 2 intervals and W = T (T + 40) cells of a matrix with its
 * margins: 8 I (stored + inner) + threads (16 I + 24 W + T T) + 16 nodes T. */
uint64_t oc_cost_memory(const oc_request_size *size, uint32_t stored);

/* Seconds, roughly, of the measures and of one solve, on one core of a common machine. */
double oc_cost_seconds(ocelotl_kind kind, uint32_t nodes, uint32_t types, uint32_t slices);

/* Bytes that may be used without pushing others out: three quarters of what the machine has
 * available now, of the addresses that `ulimit -v` leaves, or of what a container may have. */
uint64_t oc_memory_budget(void);

/* Processors that may be used; at least 1. */
uint32_t oc_processor_count(void);

#endif

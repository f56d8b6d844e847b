/* Blocks of memory: calls of malloc and its like, paired with those of free, in order of time.
 *
 * A trace has them as links called "allocation" from where a block was allocated to where it was
 * freed; or as states or events that carry a size and a pointer, from which such links are made. */
#ifndef OC_QUERY_ALLOCATIONS_H
#define OC_QUERY_ALLOCATIONS_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

#define OC_ALLOCATION "allocation" /* the event type of links that are blocks */

/* A block. Its names are indices of oc_allocations_name. */
typedef struct oc_block {
    uint64_t key;     /* tells it from other blocks that are live: its address, */
    uint64_t address; /* or, in links, something else */
    uint64_t size;
    uint32_t resource;          /* where it was allocated, */
    uint32_t kind;              /* by which call, */
    uint32_t caller;            /* and from where; OCELOTL_NONE: nobody knows */
    bool is_chosen, is_earlier; /* within: by the selection, or allocated before its window */
    uint64_t link;              /* for the user, who may set it when the block comes */
} oc_block;

typedef struct oc_block_change {
    int64_t time;
    uint32_t resource; /* where it is allocated or freed */
    bool comes;
    bool is_last;    /* of a block that goes: no other was allocated in between where it was */
    oc_block *block; /* until the next change; NULL: nobody knows which one goes */
} oc_block_change;

typedef struct oc_allocations oc_allocations;

/* Reads the calls of a trace; `allocate` and `release` are patterns of names besides those of the
 * C library. A call that gives another block than it takes frees that when it begins, and has
 * allocated the new one when it ends; else both are at its end. The selection is of blocks that are
 * allocated in the window by the resources; what else it says chooses among links. O(calls log
 * calls), in 64 MiB: what is more goes to temporary files. Errors: ARGUMENT (there are none),
 * INPUT, IO, MEMORY, CANCELLED. */
ocelotl_status oc_allocations_open(oc_allocations **allocations, ocelotl_trace *trace,
                                   const ocelotl_selection *selection,
                                   const ocelotl_names *allocate, const ocelotl_names *release,
                                   const ocelotl_work *work);
void oc_allocations_free(oc_allocations *allocations);

/* The next change of what is selected; false behind the last. A block whose address is given out
 * again stays, as one that is never freed. O(1) expected, in memory for live blocks. */
ocelotl_status oc_allocations_next(bool *found, oc_block_change *change,
                                   oc_allocations *allocations);

/* A name, and the path of a resource where something happens. */
const char *oc_allocations_name(const oc_allocations *allocations, uint32_t name);
const char *oc_allocations_path(const oc_allocations *allocations, uint32_t resource);

/* What of the selection but its window was alive when that begins, once all changes are read. */
uint64_t oc_allocations_earlier(uint64_t *bytes, const oc_allocations *allocations);

/* How many calls say no pointer, or no size; and whether blocks are links in the trace. */
uint64_t oc_allocations_left_out(const oc_allocations *allocations);
bool oc_allocations_are_links(const oc_allocations *allocations);

/* --- What they add up to */

/* What rows are of: all blocks, those that a resource allocates, that come from a caller, of a size
 * from a power of two up to the next, that one resource allocates and another one frees. */
typedef enum oc_heap_by {
    OC_HEAP_ALL,
    OC_HEAP_BY_RESOURCE,
    OC_HEAP_BY_CALLER,
    OC_HEAP_BY_SIZE,
    OC_HEAP_BY_PAIR
} oc_heap_by;

typedef struct oc_heap_row {
    oc_heap_by by;
    uint32_t name;  /* a resource, a name, or the power of two (OCELOTL_NONE: of no bytes) */
    uint32_t other; /* of a pair: who frees */
    uint64_t blocks, bytes;
    uint64_t freed_blocks, freed_bytes;
    uint64_t temporary;                 /* freed before the next block was allocated there */
    uint64_t elsewhere;                 /* freed by another resource */
    uint64_t alive_blocks, alive_bytes; /* at the instant */
    uint32_t epoch;                     /* within: of the instant that these are known for */
} oc_heap_row;

typedef struct oc_heap {
    oc_allocations *allocations; /* for its names */
    oc_heap_row *rows;           /* by kind; in each the most alive bytes first, then all bytes */
    size_t count, capacity;
    uint64_t peak; /* the most bytes alive, */
    int64_t peak_time;
    int64_t time;     /* the instant of what is alive: all that happens then has happened */
    uint64_t unknown; /* frees of blocks that were allocated before the trace */
} oc_heap;

/* Adds up all blocks. `at` is the instant of what is alive, NULL: that of the peak. O(changes),
 * memory for live blocks and rows. Takes the allocations, in any case; end it with oc_heap_free. */
ocelotl_status oc_heap_compute(oc_heap *heap, oc_allocations *allocations, const int64_t *at);
void oc_heap_free(oc_heap *heap);

#endif

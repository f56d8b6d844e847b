/* A run described by the best parts of another one. */
#ifndef OC_COMPARE_DESCRIBE_H
#define OC_COMPARE_DESCRIBE_H

#include "compare/check.h"

/* Slices of a node of the run. */
typedef struct oc_described_part {
    uint32_t node, first, end;
    uint32_t cuts[2]; /* where it begins and ends in what describes it; both 0: nowhere */
    double pic;
} oc_described_part;

typedef struct oc_described {
    const ocelotl_comparison *comparison; /* of that one with the run; the caller's */
    ocelotl_phases *phases;
    uint32_t *at; /* by slice of that one, and behind the last: where it begins in the run */
    oc_described_part *parts;
    size_t count, capacity;
    bool *covered; /* leaves x slices of the run */
    double loss;   /* see oc_check */
} oc_described;

/* Describes a run by the parts of another; `comparison` is set. Slices are placed by phases, and
 * stretched alike between their borders. Then each cut goes where it describes the run best, within
 * a fiftieth of the slices. What has no part is one for each leaf. */
ocelotl_status oc_describe(oc_described *is, const oc_run *by, const oc_run *run);
void oc_described_free(oc_described *is);

#endif

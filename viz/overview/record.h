/* What an overview shows, kept beside its picture for a page in which it can be looked up. */
#ifndef OC_VIZ_OVERVIEW_RECORD_H
#define OC_VIZ_OVERVIEW_RECORD_H

#include "viz/overview/overview.h"

/* A rectangle of the picture: one part, or several drawn as one. */
typedef struct oc_recorded_part {
    uint32_t node, leaves, first, last; /* as ocelotl_part */
    /* of the part in its partition, of several the first one's */
    size_t number;
    size_t parts;
    double gain, loss;
    size_t share_first, share_count; /* of the record's shares */
} oc_recorded_part;

/* A share that is not 0. */
typedef struct oc_recorded_share {
    uint32_t type;
    double share;
} oc_recorded_share;

/* Zero-initialised it is empty. The index-th part is what items of the scene with the subject index
 * + 1 show. */
typedef struct oc_record {
    oc_recorded_part *parts;
    size_t part_count, part_capacity;
    oc_recorded_share *shares;
    size_t share_count, share_capacity;
    oc_frame frame; /* of the plot */
    oc_visible visible;
    oc_type_summary *types; /* of each type of the model */
    uint32_t *order;        /* types by their share, the largest first */
    uint32_t type_count;
} oc_record;

/* Adds a part of the picture, of a number in its partition, or the first of several. Errors:
 * MEMORY. O(types). */
ocelotl_status oc_record_part(oc_record *record, const ocelotl_part *part, size_t number,
                              size_t parts, uint32_t type_count);

/* Adds what holds for all of an overview that is drawn, where it has a record. Errors: MEMORY.
 * O(types). */
ocelotl_status oc_record_overview(const oc_overview *overview);
void oc_record_free(oc_record *record);

#endif

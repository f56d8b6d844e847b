/* What the making of a derived trace is inside. */
#ifndef OC_QUALITY_DERIVE_DERIVE_H
#define OC_QUALITY_DERIVE_DERIVE_H

#include "base/file/ordering.h"
#include "quality/derive.h"
#include "quality/derive/times.h"
#include "store/copy/copying.h"
#include "store/read/reader.h"

typedef struct oc_derivation {
    ocelotl_trace *trace;
    ocelotl_derive_options options;
    oc_catalogue catalogue;
    ocelotl_writer *writer;
    oc_reader reader;
    oc_watch watch;
    oc_ordering *ordering;  /* of the records of a stream of links */
    oc_open_list open;      /* links of the stream that is read, as it has them */
    int64_t *begins, *ends; /* by resource: its new lifetime */
    uint32_t stream;        /* that is read, */
    oc_copier copier;       /* of its records into the writer */
    int64_t factor;         /* how many new ticks make one */
    int64_t shift;          /* what all times are later, so that none is negative */
    bool fits;              /* all new times fit so far */
} oc_derivation;

/* The new time of a tick in a resource. */
int64_t oc_derive_time(oc_derivation *derivation, uint32_t resource, int64_t tick);

/* Gives ARGUMENT where some new time did not fit. */
ocelotl_status oc_derive_check(const oc_derivation *derivation);

/* Copies a stream of links, which is selected; either end may have moved past others. */
ocelotl_status oc_derive_links(oc_derivation *derivation);

#endif

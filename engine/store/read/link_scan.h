/* The links of a stream one by one, from where they begin, for what running totals cannot tell:
 * what each carries, and where it ends. Reads the stream from its beginning. */
#ifndef OC_STORE_READ_LINK_SCAN_H
#define OC_STORE_READ_LINK_SCAN_H

#include "store/read/open_list.h"
#include "store/read/reader.h"
#include "store/select/conditions.h"

typedef struct oc_scanned_link {
    uint32_t value;  /* may be OCELOTL_NONE */
    uint32_t target; /* OCELOTL_NONE: it has no end */
    /* as it is: the end may be before the beginning; of one without an end it is `left` */
    int64_t begin, end;
    int64_t left;             /* when it is over at its source: there, or where that ends */
    bool passes;              /* the conditions */
    const oc_carried *begins; /* what it carries at its beginning, may be NULL, */
    const oc_record *ends;    /* and at its end: a record of reader.records */
} oc_scanned_link;

typedef struct oc_link_scan {
    oc_reader reader; /* with its trace */
    const oc_conditions *conditions;
    int64_t to; /* links that begin later are not wanted */
    uint32_t event_type;
    size_t chunk, next;
    int64_t last;
    oc_open_list open;
    oc_scanned_link found;
    oc_carried *begins; /* of the link found last */
} oc_link_scan;

/* Goes to a stream of links where they begin. Free the scan in any case. */
ocelotl_status oc_link_scan_begin(oc_link_scan *scan, uint32_t stream);
void oc_link_scan_free(oc_link_scan *scan);

/* The next link, in the order in which they are over at their source; *found is NULL after the
 * last. Errors: INPUT for damage. */
ocelotl_status oc_link_scan_next(const oc_scanned_link **found, oc_link_scan *scan);

/* What a link carries of an attribute that is a number, added up: at its beginning and at its end.
 */
double oc_scanned_link_begins(const oc_link_scan *scan, uint32_t attribute);
double oc_scanned_link_ends(const oc_link_scan *scan, uint32_t attribute);

/* Whether a record where links end is of one without a beginning, which passes the conditions. */
ocelotl_status oc_orphan_passes(bool *passes, const oc_conditions *conditions, uint32_t event_type,
                                const oc_records *records, const oc_record *record);

#endif

/* Messages: halves that different locations have, matched in the order of their times, and written
 * as links when all are known. Memory is bounded: both steps sort on disk where they must. */
#ifndef OC_IMPORTERS_OTF2_MESSAGES_H
#define OC_IMPORTERS_OTF2_MESSAGES_H

#include "importers/common/sorting.h"
#include "importers/otf2/location.h"
#include "importers/otf2/references.h"

typedef struct otf2_messages {
    oc_sorting *halves;         /* by sender, then by receiver and tag, then by time */
    oc_sorting *links;          /* by time */
    uint64_t next;              /* number of a link */
    uint64_t sends, receives;   /* without their other half */
    uint64_t matched, reversed; /* messages with both ends; those that arrive before they begin */
} otf2_messages;

/* Where links are written. */
typedef struct otf2_link_target {
    ocelotl_writer *writer;
    uint32_t types[2];         /* of messages, of transfers */
    const uint32_t *resources; /* of locations, by index */
    int64_t *last;             /* of what happens there, by index; grows */
} otf2_link_target;

ocelotl_status otf2_messages_begin(otf2_messages *messages, const char *target);

/* Adds half of a message that `location` has, which may be another thread of the process that the
 * communicator lists; `value` is the writer's. */
ocelotl_status otf2_messages_add(otf2_messages *messages, uint64_t location, bool is_send,
                                 const otf2_message *message, int64_t time, uint32_t value,
                                 const ocelotl_attribute_value *attributes, size_t count);

/* Adds a transfer with both ends, or only its begin. */
ocelotl_status otf2_messages_transfer(otf2_messages *messages, uint64_t location,
                                      const otf2_transfer *transfer, int64_t time, uint32_t value,
                                      const ocelotl_attribute_value *attributes, size_t count);

/* Matches all halves: the k-th send of a sender, receiver, communicator and tag is received by the
 * k-th receive. O(n log n). */
ocelotl_status otf2_messages_match(otf2_messages *messages);

/* Writes all links. O(n log n). */
ocelotl_status otf2_messages_write(otf2_messages *messages, const otf2_link_target *target);

void otf2_messages_free(otf2_messages *messages);

#endif

/* Records of a location on their way from the reading thread to the writer. */
#ifndef OC_IMPORTERS_OTF2_BATCH_H
#define OC_IMPORTERS_OTF2_BATCH_H

#include "base/text.h"
#include "importers/otf2/kinds.h"

#include <string.h>

typedef enum otf2_action {
    OC_OTF2_PUSH,
    OC_OTF2_POP, /* the state that is `value` states outside the innermost one of its lane */
    OC_OTF2_INSTANT,
    OC_OTF2_VARIABLE, /* a double lies at `detail` */
    OC_OTF2_SEND,     /* an otf2_message lies at `detail`, attributes behind it */
    OC_OTF2_RECEIVE,
    OC_OTF2_TRANSFERRED /* an otf2_transfer */
} otf2_action;

typedef struct otf2_record {
    int64_t time;
    uint32_t value;  /* in the definitions' values, or OCELOTL_NONE */
    uint32_t detail; /* where in the batch's bytes its attributes are, and what else it has */
    uint32_t type;   /* an otf2_type */
    uint8_t action;
    uint8_t attribute_count;
    uint16_t lane; /* of a state */
} otf2_record;

/* Half of a message. */
typedef struct otf2_message {
    uint64_t self; /* what the location is in the communicator: an index of a location, */
    uint64_t peer; /* and its partner's, or OC_OTF2_NOTHING */
    uint32_t communicator, tag;
} otf2_message;

/* A transfer of RMA, whose record has the time of its begin. */
typedef struct otf2_transfer {
    uint64_t peer;
    int64_t end;
    bool is_get;  /* from the peer */
    bool has_end; /* else only the record's location and time are known */
} otf2_transfer;

/* An attribute, followed by its text and a zero. */
typedef struct otf2_attribute {
    uint32_t key, length;
} otf2_attribute;

enum { OC_OTF2_BATCH = 4096, OC_OTF2_MOST_ATTRIBUTES = 255 };

/* Zero-initialised it is empty. */
typedef struct otf2_batch {
    otf2_record *records;
    size_t count, capacity;
    oc_text bytes;
    bool is_last; /* of its location */
} otf2_batch;

void otf2_batch_clear(otf2_batch *batch);
void otf2_batch_free(otf2_batch *batch);

#endif

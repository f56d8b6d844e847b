/* The events of one location, record by record, as what they mean for the trace. Other locations
 * are not looked at, so that each can be read by another thread. */
#ifndef OC_IMPORTERS_OTF2_LOCATION_H
#define OC_IMPORTERS_OTF2_LOCATION_H

#include "base/text.h"
#include "importers/common/oddities.h"
#include "importers/ingest/pairs.h"
#include "importers/otf2/definitions.h"

#include <otf2/otf2.h>

/* --- Records on their way from the thread that reads to the writer */

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

/* --- A location */

/* Oddities of this format. */
typedef enum otf2_oddity {
    OC_OTF2_TIME_BACK = OC_COMMON_ODDITIES,
    OC_OTF2_REGION_UNDEFINED,
    OC_OTF2_EVENTS_LOST,
    OC_OTF2_FILE_MISSING,
    OC_OTF2_DEFINED_TWICE,
    OC_OTF2_NO_CLOCK,
    OC_OTF2_RANK_UNKNOWN,
    OC_OTF2_NO_LOCAL_DEFINITIONS,
    OC_OTF2_LOCAL_DEFINITIONS_MISSING,
    OC_OTF2_ATTRIBUTES_LOST,
    OC_OTF2_COLLECTIVE_OF_OTHER,
    OC_OTF2_METRIC_ROUNDED,
    OC_OTF2_PARAMETER_UNDEFINED,
    OC_OTF2_ODDITY_END
} otf2_oddity;

/* What can be open; states of the first two may cross, and go to lanes below the row then. */
typedef enum otf2_nest {
    OC_OTF2_REGIONS,
    OC_OTF2_OPERATIONS_OF_IO,
    OC_OTF2_CROSSING,
    OC_OTF2_TRANSFERS = OC_OTF2_CROSSING,
    OC_OTF2_NESTS
} otf2_nest;

/* What has begun and not ended. */
typedef struct otf2_begun {
    uint64_t place, id; /* a region's name; a handle or a window, and the operation's id */
    union {
        uint64_t attributes; /* of a region: the bits of those that its begin has */
        uint64_t taken;      /* in a look: a bit for each lane where a state around it has ended */
        uint64_t bytes;      /* of a transfer, */
    };
    union {
        uint64_t number; /* in a look: of all states that began */
        uint64_t peer;
    };
    int64_t begin;
    uint32_t remote; /* the rank */
    uint16_t lane;
    uint8_t kind; /* an otf2_kind */
} otf2_begun;

typedef struct otf2_opened {
    otf2_begun *items;
    size_t count, capacity;
} otf2_opened;

/* The states of a type that are not in the row itself, lane 0, by number. */
typedef struct otf2_moved {
    uint64_t *items; /* number * OC_OTF2_LANES + lane, in order */
    size_t count, capacity;
    size_t next;    /* of the items, */
    uint64_t begun; /* and of the states, when they are asked for */
} otf2_moved;

/* What is known of a metric at a location. */
typedef struct otf2_measured {
    bool has_begun;
    int64_t to;   /* the last record, */
    double value; /* and what it says */
} otf2_measured;

/* How stamps of an archive become ticks of the trace. */
typedef struct otf2_timing {
    uint64_t base;       /* the stamp of tick 0, */
    int64_t shift;       /* which is this tick where archives are aligned */
    uint64_t resolution; /* stamps in a second, where ticks are nanoseconds; 0: one is a tick */
} otf2_timing;

enum { OC_OTF2_NANOSECONDS = 1000000000, OC_OTF2_NEAR = 32 };

/* Makes ticks of a difference of stamps; false where it does not fit. */
bool otf2_timing_scale(int64_t *ticks, const otf2_timing *timing);

/* The tick of a stamp; false where it does not fit. */
bool otf2_timing_tick(int64_t *tick, const otf2_timing *timing, uint64_t stamp);

/* Zero-initialised but for the first members, none of its records has been read. */
typedef struct otf2_location {
    const otf2_definitions *definitions;
    uint64_t index; /* among the definitions' locations */
    otf2_timing timing;
    bool lenient;        /* times that go back are taken as the time before */
    bool looks;          /* it is only looked at, for states that cross */
    const char *path;    /* of its file, for messages */
    otf2_batch *batch;   /* that is being filled */
    otf2_record *record; /* the one that is being made */
    bool has_begun;      /* a record has been read, */
    int64_t first;       /* at this time */
    int64_t last;        /* its time */
    uint64_t number;     /* of records read */
    otf2_kind last_kind;
    const otf2_item *near[OC_OTF2_NEAR]; /* regions that were met last, by number */
    otf2_opened open[OC_OTF2_NESTS];
    otf2_moved moved[OC_OTF2_CROSSING];
    uint64_t given;  /* the bits of attributes that the record has, */
    uint64_t before; /* and of those that the begin has of the state that it ends */
    bool in_collective;
    otf2_kind collective_kind; /* of the record that began it, */
    int64_t collective;        /* and its time */
    oc_map collectives;        /* how many each communicator has had */
    oc_map members;            /* what the location is in each, see otf2_location_member */
    otf2_measured *measured;   /* by number of the metric, or NULL */
    uint64_t counts[OC_OTF2_KIND_COUNT]; /* of records, */
    uint64_t left_out[OC_OTF2_KIND_COUNT];
    uint64_t oddities[OC_OTF2_ODDITY_END];
    uint64_t places[OC_OTF2_ODDITY_END]; /* the first record of each */
    ocelotl_status status;               /* what the library cannot pass on, */
    char message[1024];                  /* and why; */
    bool is_placed;                      /* the record at hand is why */
    bool is_cut;                         /* what follows is lost, as the message says */
} otf2_location;

/* Ends what the location has under way, when all its records have been read. */
void otf2_location_finish(otf2_location *location);
void otf2_location_free(otf2_location *location);

/* --- For the callbacks */

/* Sets the callbacks of a family of records, to be given a location: instants.c, states.c, links.c,
 * metrics.c. The second are those of a look alone. */
void otf2_set_instants(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_crossing(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_states(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_links(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_metrics(OTF2_EvtReaderCallbacks *callbacks);

/* End metrics (metrics.c), and add transfers that have not been completed (links.c), before
 * otf2_location_finish. */
void otf2_metrics_finish(otf2_location *location);
void otf2_transfers_finish(otf2_location *location);

/* Ends a look: sorts out what crosses. In each lane states then end in the opposite order of their
 * begins. Beyond two million of a type, and where 64 lanes are not enough, they cross. */
ocelotl_status otf2_look_finish(otf2_location *looked);

/* Begins a record: counts it, and reads its time. False where the location has failed. */
bool otf2_location_begin(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                         int64_t *time);

/* Adds a record to the batch; its attributes follow, then otf2_location_end. */
bool otf2_location_add(otf2_location *location, otf2_action action, otf2_type type, uint32_t value,
                       int64_t time);

/* An instant that is one record of the archive: begins it, with its kind as the value. */
bool otf2_location_instant(otf2_location *location, otf2_kind kind, otf2_type type,
                           OTF2_TimeStamp stamp);

/* Adds something else that the record has, before its attributes. */
void otf2_location_detail(otf2_location *location, const void *detail, size_t size);

/* Adds attributes to the record. */
void otf2_put_text(otf2_location *location, uint32_t key, const char *text);
void otf2_put_count(otf2_location *location, uint32_t key, uint64_t number);
void otf2_put_number(otf2_location *location, uint32_t key, int64_t number);

/* The name of a definition, or its number where it has none; nothing where it is undefined. */
void otf2_put_name(otf2_location *location, uint32_t key, const otf2_table *table,
                   uint64_t reference);

/* The name of a communicator, with its number where others are called so, too. */
void otf2_put_communicator(otf2_location *location, uint32_t communicator);

/* A handle, and its file. */
void otf2_put_handle(otf2_location *location, uint32_t handle);

/* Ends the record with the attributes of the archive's own. */
OTF2_CallbackCode otf2_location_end(otf2_location *location, const OTF2_AttributeList *list);

/* Counts attributes of a record that has no place for them. */
void otf2_location_leave_out(otf2_location *location, const OTF2_AttributeList *list);

/* What the location is in a communicator. O(1) but for the first time. */
otf2_member otf2_location_member(otf2_location *location, uint64_t communicator);

void otf2_location_note(otf2_location *location, size_t oddity);

/* Keeps a failure, whose message is the thread's, until the library returns. */
bool otf2_location_check(otf2_location *location, ocelotl_status status);

/* What an interrupted library gives back. */
static inline OTF2_CallbackCode otf2_location_go_on(const otf2_location *location)
{
    return location->status == OCELOTL_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* Opens a state or an operation. */
bool otf2_begun_add(otf2_location *location, otf2_nest nest, const otf2_begun *begun);

/* Takes the innermost of a name that is open, and tells how it was found; if none is open, the
 * innermost where `any` is so. *at is its place, where those begun later are now. */
oc_pair otf2_begun_take(otf2_begun *taken, size_t *at, otf2_opened *open, uint64_t place,
                        uint64_t id, bool any);

#define OC_OTF2_HEAD                                                            \
    OTF2_LocationRef self, OTF2_TimeStamp stamp, uint64_t position, void *data, \
        OTF2_AttributeList *list
#define OC_OTF2_UNUSED_HEAD (void)self, (void)position

#endif

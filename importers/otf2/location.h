/* The events of one location, record by record, as what they mean for the trace. Other locations
 * are not looked at, so that each can be read by another thread. */
#ifndef OC_IMPORTERS_OTF2_LOCATION_H
#define OC_IMPORTERS_OTF2_LOCATION_H

#include "importers/common/oddities.h"
#include "importers/otf2/batch.h"
#include "importers/otf2/crossing.h"
#include "importers/otf2/definitions.h"

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
    OC_OTF2_METRIC_UNTIMED,
    OC_OTF2_ATTRIBUTES_LOST,
    OC_OTF2_COLLECTIVE_OF_OTHER,
    OC_OTF2_METRIC_ROUNDED,
    OC_OTF2_PARAMETER_UNDEFINED,
    OC_OTF2_ODDITY_END
} otf2_oddity;

/* An operation that has begun. */
typedef struct otf2_operation {
    uint64_t id, place; /* a window or a handle */
    int64_t begin;
    uint64_t peer;
    uint64_t bytes;
    uint32_t remote; /* the rank */
    uint16_t lane;
    uint8_t kind; /* an otf2_kind */
} otf2_operation;

typedef struct otf2_operations {
    otf2_operation *items;
    size_t count, capacity;
} otf2_operations;

/* A region that is open. */
typedef struct otf2_entered {
    uint64_t attributes; /* the bits of those that its begin has, see otf2_definitions */
    uint32_t name;
    uint16_t lane;
} otf2_entered;

/* What is known of a metric at a location. */
typedef struct otf2_measured {
    bool has_begun;
    int64_t to;   /* the last record, */
    double added; /* and what was counted that has not been spread over time */
    OTF2_MetricValue last;
    OTF2_Type type; /* of it */
} otf2_measured;

/* How stamps of an archive become ticks of the trace. */
typedef struct otf2_timing {
    uint64_t base;       /* the stamp of tick 0, */
    int64_t shift;       /* which is this tick where archives are aligned */
    uint64_t resolution; /* stamps in a second, where ticks are nanoseconds; 0: one is a tick */
} otf2_timing;

enum { OC_OTF2_NANOSECONDS = 1000000000 };

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
    const char *path;    /* of its file, for messages */
    otf2_batch *batch;   /* that is being filled */
    otf2_record *record; /* the one that is being made */
    bool has_begun;      /* a record has been read, */
    int64_t first;       /* at this time */
    int64_t last;        /* its time */
    uint64_t number;     /* of records read */
    otf2_kind last_kind;
    otf2_entered *open; /* the regions that are open */
    size_t open_count, open_capacity;
    otf2_moved moved[OC_OTF2_NESTS]; /* the states that have a lane of their own */
    uint64_t given;                  /* the bits of attributes that the record has, */
    uint64_t before;                 /* and of those that the begin has of the state that it ends */
    bool in_collective;
    otf2_kind collective_kind;   /* of the record that began it, */
    int64_t collective;          /* and its time */
    otf2_references collectives; /* how many each communicator has had */
    otf2_references members;     /* what the location is in each, see otf2_location_member */
    otf2_operations transfers, io;
    otf2_measured *measured;             /* by number of the metric, or NULL */
    uint64_t counts[OC_OTF2_KIND_COUNT]; /* of records, */
    uint64_t left_out[OC_OTF2_KIND_COUNT];
    uint64_t oddities[OC_OTF2_ODDITY_END];
    uint64_t places[OC_OTF2_ODDITY_END]; /* the first record of each */
    ocelotl_status status;               /* what the library cannot pass on, */
    char message[1024];                  /* and why; */
    bool is_placed;                      /* the record at hand is why */
    bool is_cut;                         /* what follows is lost, as the message says */
} otf2_location;

/* The callbacks for all records, to be given a location; freed by
 * OTF2_EvtReaderCallbacks_Delete. NULL: no memory. */
OTF2_EvtReaderCallbacks *otf2_location_callbacks(void);

/* Ends the metrics of a location (metrics.c), before the rest of it. */
void otf2_metrics_finish(otf2_location *location);

/* Adds the transfers of a location that have not been completed (rma.c), before the rest of it. */
void otf2_rma_finish(otf2_location *location);

/* Ends what the location has under way, when all its records have been read. */
ocelotl_status otf2_location_finish(otf2_location *location);
void otf2_location_free(otf2_location *location);

/* --- For the callbacks */

/* Begins a record: counts it, and reads its time. False where the location has failed. */
bool otf2_location_begin(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                         int64_t *time);

/* Adds a record to the batch; its attributes follow, then otf2_location_end. */
bool otf2_location_add(otf2_location *location, otf2_action action, otf2_type type, uint32_t value,
                       int64_t time);

/* Adds something else that the record has, before its attributes. */
void otf2_location_detail(otf2_location *location, const void *detail, size_t size);

/* Adds attributes to the record. */
void otf2_put_text(otf2_location *location, uint32_t key, const char *text);
void otf2_put_count(otf2_location *location, uint32_t key, uint64_t number);
void otf2_put_number(otf2_location *location, uint32_t key, int64_t number);

/* The name of a definition, or its number where it has none; nothing where it is undefined. */
void otf2_put_name(otf2_location *location, uint32_t key, const otf2_table *table,
                   uint64_t reference);

/* Ends the record with the attributes of the archive's own. */
OTF2_CallbackCode otf2_location_end(otf2_location *location, const OTF2_AttributeList *list);

/* Counts attributes of a record that has no place for them. */
void otf2_location_leave_out(otf2_location *location, const OTF2_AttributeList *list);

/* An instant that is one record of the archive: begins it, with its kind as the value. */
bool otf2_location_instant(otf2_location *location, otf2_kind kind, otf2_type type,
                           OTF2_TimeStamp stamp);

/* What the location is in a communicator. O(1) but for the first time. */
otf2_member otf2_location_member(otf2_location *location, uint64_t communicator);

void otf2_location_note(otf2_location *location, size_t oddity);

/* What an interrupted library gives back. */
static inline OTF2_CallbackCode otf2_location_go_on(const otf2_location *location)
{
    return location->status == OCELOTL_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* A collective, from its begin to its end. It is one at a time: a begin without an end is left out.
 * The attributes come between the two calls for the end. */
OTF2_CallbackCode otf2_collective_begin(otf2_location *location, otf2_kind kind,
                                        OTF2_TimeStamp stamp);
bool otf2_collective_end(int64_t *time, otf2_location *location, otf2_kind kind,
                         OTF2_TimeStamp stamp, OTF2_CollectiveOp operation);
OTF2_CallbackCode otf2_collective_close(otf2_location *location, int64_t time,
                                        const OTF2_AttributeList *list);
void otf2_put_root(otf2_location *location, uint32_t root);

/* Sets the callbacks of a family. */
void otf2_set_regions(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_mpi(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_rma(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_io(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_threads(OTF2_EvtReaderCallbacks *callbacks);
void otf2_set_metrics(OTF2_EvtReaderCallbacks *callbacks);

/* The lane of the state that begins next, counted where that is not the row itself. */
uint16_t otf2_location_lane(otf2_location *location, otf2_nest nest);

/* Operations under way, found by their id and place, the oldest first; *younger counts those of the
 * same lane that have begun since. */
ocelotl_status otf2_operations_add(otf2_operations *operations, const otf2_operation *operation);
bool otf2_operations_take(otf2_operation *operation, uint32_t *younger, otf2_operations *operations,
                          uint64_t place, uint64_t id);

#define OC_OTF2_HEAD                                                            \
    OTF2_LocationRef self, OTF2_TimeStamp stamp, uint64_t position, void *data, \
        OTF2_AttributeList *list
#define OC_OTF2_UNUSED_HEAD (void)self, (void)position

#endif

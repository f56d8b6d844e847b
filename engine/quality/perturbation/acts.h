/* What threads do, one thing after the other, and what of it is between them. */
#ifndef OC_QUALITY_PERTURBATION_ACTS_H
#define OC_QUALITY_PERTURBATION_ACTS_H

#include "base/map.h"
#include "quality/collectives/collectives.h"
#include "quality/derive/times.h"
#include "quality/perturbation.h"
#include "store/select/groups.h"

typedef enum oc_act_kind {
    OC_ACT_BEGINS,  /* a state */
    OC_ACT_ENDS,    /* the innermost state */
    OC_ACT_INSTANT, /* anything else that is recorded */
    OC_ACT_SENDS,   /* a message */
    OC_ACT_ARRIVES, /* a message */
    OC_ACT_RETURNS, /* the state ends in which a message is sent that its receiver has to take */
    OC_ACT_ENTERS,  /* an operation of several */
    OC_ACT_LEAVES   /* an operation that this one waits for */
} oc_act_kind;

typedef struct oc_act {
    union {
        int64_t time;
        struct {
            uint32_t rank, place;
        } in_tick; /* while ties.c puts a tick in order */
    };
    double cost; /* of the record, in ticks */
    uint32_t of; /* the value, message or operation */
    uint8_t kind;
    bool at_once; /* a state or an operation that begins and ends in one tick */
} oc_act;

enum {
    OC_SENT = 1,
    OC_DONE = 2,
    OC_IS_THERE = 4,    /* before its receiver came; until it is judged: it says so */
    OC_UNSEEN = 8,      /* it arrives in no state, so that nobody waits */
    OC_RENDEZVOUS = 16, /* its sender waits, too */
    OC_CAME_LATE = 32   /* it was sent once its receiver had come, or says so */
};

/* Classes of messages: 0, or behind a type of resources; of two threads; of operations from one to
 * all, by event type; of several that arrive at once. */
#define OC_CLASS_OF_PAIRS      ((uint64_t)1 << 40)
#define OC_CLASS_OF_OPERATIONS ((uint64_t)1 << 61)
#define OC_CLASS_OF_SEVERAL    ((uint64_t)1 << 62)

typedef struct oc_transfer {
    int64_t sent, received;
    double late;             /* how much later than `sent` records let it go, */
    double wait;             /* and how long its receiver takes once records let it */
    double delay;            /* of its sender then; once it is done, of its end */
    int64_t returns;         /* of its sender, where that may wait */
    uint32_t source, target; /* threads */
    uint32_t route, copying; /* of transits; of the receive, perhaps of several at once */
    uint32_t parked;         /* the thread that waits for it to be sent, or done */
    uint32_t flags;
} oc_transfer;

/* When a message is under way: from, and to, since the trace begins. */
typedef struct oc_flight {
    double of[2];
} oc_flight;

/* Who waits for the last to come. */
typedef struct oc_meeting {
    int64_t first;    /* to come, as it was read; the last is */
    double last;      /* so much later, once records let it */
    double delay;     /* the least that anybody had then */
    uint32_t members; /* who has to come */
    uint32_t missing; /* who of them has not, in the new times */
    uint32_t parked;  /* the first of those who wait */
} oc_meeting;

/* A line of transits by bytes, of a class or of all. */
typedef struct oc_transit_fit {
    double count;   /* of messages, */
    double bytes;   /* their mean, */
    double squares; /* and the sum of the squares of what differs from it */
    ocelotl_size_line line;
} oc_transit_fit;

typedef struct oc_route {
    ocelotl_route is;
    uint64_t class;
    uint32_t fit;
    double load, squares, products; /* of loads: their mean; sums of loads and transits around it */
    size_t first; /* of its transits among all; until routes are in order, its number */
} oc_route;

typedef struct oc_open_state {
    uint32_t value, sending; /* a message that has to be taken; OCELOTL_NONE */
    double time;             /* the factor of its time */
} oc_open_state;

/* How far a thread is. */
typedef struct oc_thread {
    oc_act *acts; /* sorted by time */
    size_t next, end, act_capacity;
    int64_t at;
    double delay;     /* how much earlier all is, in ticks */
    double owed;      /* cost that no time has passed for yet */
    double computing; /* the factor of its time */
    oc_open_state *open;
    size_t depth, capacity;
    uint32_t parked;       /* the next that waits for the same */
    double came, new_came; /* when the message before was there, */
    uint32_t from;         /* and whose it was */
    oc_shift *shifts;
    size_t shift_count, shift_capacity;
    ocelotl_perturbed_thread is;
} oc_thread;

struct ocelotl_perturbation {
    oc_arena arena; /* of the lists */
    ocelotl_trace *trace;
    ocelotl_perturbation_options options;
    ocelotl_perturbation_info info;
    oc_catalogue catalogue;
    oc_kept_paths paths;
    oc_groups groups;
    oc_collectives collectives;
    bool *event_types; /* of messages */
    /* attributes by event type, OCELOTL_NONE: sizes, costs, and those of ends or of being there */
    uint32_t *bytes, *costs, *carried;
    double *cost_of;  /* by value, then by event type: of a record */
    double *time_of;  /* the same: the factor of its time; below 0: none is said */
    double *model_of; /* the same: of links, whether their senders wait */
    bool *talks;      /* by value: messages or operations begin or end in it */
    oc_transfer *transfers;
    size_t transfer_count, transfer_capacity;
    oc_meeting *meetings;
    size_t meeting_count;
    oc_thread *threads;
    bool *changed; /* by change, then by thread: it is of the thread */
    /* by message where contention matters, or NULL: bytes under way in the trace, and in the new
     * times */
    float *loads, *new_loads;
    oc_flight *flights; /* the same: as they were found last */
    int extreme;        /* transits are those usual (0), the least (-1) or the most (1) */
    oc_map route_of;
    oc_route *routes;
    size_t route_count, route_capacity;
    oc_transit_fit *fits;             /* of all, then of each class */
    ocelotl_time_function *functions; /* by thread, behind that of all others */
};

/* Reads the acts of all threads (acts.c). */
ocelotl_status oc_acts_read(ocelotl_perturbation *p);

/* Puts what happens within a tick in order, of acts that are sorted as they were read (ties.c). */
ocelotl_status oc_acts_settle(ocelotl_perturbation *p);

/* Begins with the first act of a thread (threads.c). */
void oc_thread_begin(const ocelotl_perturbation *p, uint32_t thread);

const char *oc_thread_path(const ocelotl_perturbation *p, uint32_t thread);

/* Lets the time up to a act pass: first what is owed, then what the thread does. */
void oc_thread_pass(const ocelotl_perturbation *p, oc_thread *thread, const oc_act *act);

/* Takes what a act is of a thread alone: its cost, and the state that it begins or ends. */
ocelotl_status oc_thread_take(ocelotl_perturbation *p, oc_thread *thread, oc_act *act);

/* How many messages arrive with the next act. */
size_t oc_thread_arrivals(const oc_thread *thread);

/* The product of the factors of a change, for a message, or for a thread, which is both. */
typedef enum oc_factor { OC_COMPUTE, OC_LATENCY, OC_BANDWIDTH } oc_factor;
double oc_factor_of(const ocelotl_perturbation *p, oc_factor which, uint32_t source,
                    uint32_t target);

/* Finds when records let threads go on, and from that transits (transits.c). */
ocelotl_status oc_transits_find(ocelotl_perturbation *p);

/* Finds the lines of all classes, and from them what the model says. */
void oc_lines_find(ocelotl_perturbation *p);

/* The end of the routes that are of the class of one. */
size_t oc_class_end(const ocelotl_perturbation *p, size_t route);

/* What F of one more variable exceeds by chance once in 100 times. */
double oc_fisher_critical(double freedom);

/* Finds in which classes messages cost each other time (contention.c). */
ocelotl_status oc_contention_find(ocelotl_perturbation *p);

/* When a message was under way in the trace. */
oc_flight oc_flight_of(const ocelotl_perturbation *p, const oc_transfer *transfer);

/* Finds the bytes under way from each message's sender and to its receiver when it is sent, by the
 * flights. */
ocelotl_status oc_loads_find(const ocelotl_perturbation *p, float *loads);

/* The route of a class and a size, which is made if there is none. */
ocelotl_status oc_route_find(uint32_t *route, ocelotl_perturbation *p, uint64_t class,
                             double bytes);

/* How long a message took; below 0: nobody knows. */
double oc_transit_measured(const ocelotl_perturbation *p, const oc_transfer *transfer);

/* What part of that a message takes where the network is another. */
double oc_transit_ratio(const ocelotl_perturbation *p, const oc_transfer *transfer);

/* The ticks from one time to another. */
static inline double oc_between(int64_t from, int64_t to)
{
    return (double)(int64_t)((uint64_t)to - (uint64_t)from);
}

static inline double oc_size_time(const ocelotl_size_line *line, double bytes)
{
    return line->fixed + line->per_byte * bytes;
}

/* Finds when everything would have happened (replay.c). */
ocelotl_status oc_replay(ocelotl_perturbation *p);

#endif

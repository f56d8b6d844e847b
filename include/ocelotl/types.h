/* Small types that several headers share. */
#ifndef OCELOTL_TYPES_H
#define OCELOTL_TYPES_H

#include <ocelotl/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The initialiser of a structure of options: its size, and zero, the default, for all else. */
#ifdef __cplusplus
#define OCELOTL_INIT(type) \
    {                      \
        sizeof(type)       \
    }
#else
#define OCELOTL_INIT(type)   \
    {                        \
        .size = sizeof(type) \
    }
#endif

/* The implicit root above every resource and resource type; also "no such thing" for identifiers.
 */
#define OCELOTL_ROOT UINT32_MAX
#define OCELOTL_NONE UINT32_MAX

/* The categories of the Paje model. */
typedef enum ocelotl_category {
    OCELOTL_EVENT = 0, /* an instant */
    /* an interval in a resource, nested by push and pop, or crossing others */
    OCELOTL_STATE = 1,
    OCELOTL_VARIABLE = 2, /* a step function of time */
    OCELOTL_LINK = 3      /* an interval between two resources */
} ocelotl_category;

/* What is aggregated (thesis, chapters 5 and 6). */
typedef enum ocelotl_kind {
    OCELOTL_SPATIOTEMPORAL = 0, /* parts are node x interval of slices */
    /* parts are intervals of slices; every (leaf, type) is a series of its own */
    OCELOTL_TEMPORAL = 1,
    OCELOTL_SPATIAL = 2 /* parts are nodes; time is summed over the whole window first */
} ocelotl_kind;

/* How clocks may run. */
typedef enum ocelotl_drift {
    OCELOTL_DRIFT_LINEAR = 0, /* each at a speed of its own */
    OCELOTL_DRIFT_NONE = 1,   /* all alike: only offsets are found */
    OCELOTL_DRIFT_PIECES = 2  /* at speeds that change, where messages contradict even ones */
} ocelotl_drift;

/* What clocks are found from; added up. */
typedef enum ocelotl_evidence {
    OCELOTL_EVIDENCE_MESSAGES = 1,
    OCELOTL_EVIDENCE_SAMPLES = 2,
    OCELOTL_EVIDENCE_COLLECTIVES = 4
} ocelotl_evidence;

/* What of a cell is shown, or ordered by. */
typedef enum ocelotl_message_measure {
    OCELOTL_MESSAGES_COUNT = 0,
    OCELOTL_MESSAGES_BYTES = 1,
    OCELOTL_MESSAGES_MEAN = 2, /* durations, in seconds */
    OCELOTL_MESSAGES_LEAST = 3,
    OCELOTL_MESSAGES_BANDWIDTH = 4,
    OCELOTL_MESSAGES_IN_FLIGHT = 5,
    OCELOTL_MESSAGES_VIOLATIONS = 6
} ocelotl_message_measure;

/* What is said of the members of a group at an instant. Members are the resources at and below the
 * group's that have events of what is reduced. */
typedef enum ocelotl_reduction {
    OCELOTL_REDUCE_DEFAULT = 0, /* count where the trace has states, else sum */
    OCELOTL_REDUCE_COUNT = 1,   /* states: how many members are in it */
    OCELOTL_REDUCE_SUM = 2,     /* variables: the sum, */
    OCELOTL_REDUCE_MEAN = 3,    /* the mean, */
    OCELOTL_REDUCE_MIN = 4,     /* the least */
    OCELOTL_REDUCE_MAX = 5      /* and the largest over those members that have a value then */
} ocelotl_reduction;

/* What is added up of the links that are under way at an instant. */
typedef enum ocelotl_in_flight {
    OCELOTL_IN_FLIGHT_NONE = 0, /* series are of states or variables */
    OCELOTL_IN_FLIGHT_COUNT = 1,
    OCELOTL_IN_FLIGHT_BYTES = 2,
    OCELOTL_IN_FLIGHT_RATE = 3, /* the bytes of each by its duration, a second */
    OCELOTL_IN_FLIGHT_SLOWDOWN =
        4 /* the mean of how many times as long as the quickest they take */
} ocelotl_in_flight;

/* Which group a link belongs to. */
typedef enum ocelotl_link_side {
    OCELOTL_SIDE_SENDER = 0,   /* where it begins, */
    OCELOTL_SIDE_RECEIVER = 1, /* or ends; */
    OCELOTL_SIDE_PAIR = 2,     /* where it begins, with a series for each group where it ends; */
    OCELOTL_SIDE_THROUGH = 3   /* both, where they are two: what crosses the border of a group */
} ocelotl_link_side;

/* What a variable's values are. */
typedef enum ocelotl_variable_kind {
    OCELOTL_LEVEL = 0,    /* how much there is now */
    OCELOTL_COUNTER = 1,  /* how much there has been in all: in a trace a sum that never falls */
    OCELOTL_INCREMENT = 2 /* for a writer: what was added since the value before; a counter then */
} ocelotl_variable_kind;

/* Names that a caller gives. */
typedef struct ocelotl_names {
    const char *const *names;
    size_t count; /* 0: none */
} ocelotl_names;

#ifdef __cplusplus
}
#endif
#endif

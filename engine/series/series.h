/* What derived series are inside: the groups, their members, and what has been read of a span of
 * time. */
#ifndef OC_SERIES_SERIES_H
#define OC_SERIES_SERIES_H

#include "model/metrics/metric_types.h"
#include "series/derived.h"
#include "store/read/team.h"
#include "store/read/walk.h"
#include "store/trace/catalogue.h"

/* The sum, or an extreme, of members: a tree in which a change costs the way to the top. Sums on
 * that way are made anew, in a fixed order, so that rounding does not accumulate. */
typedef struct oc_series_sum {
    double sum, low, high;
    uint32_t count; /* of those that have a value; without any the rest is 0 */
} oc_series_sum;

/* A tree of members without a value: the whole is at 1, the members from `members` on. Free it. */
ocelotl_status oc_series_sums_make(oc_series_sum **tree, uint32_t members);

typedef struct oc_series_group {
    uint32_t resource; /* OCELOTL_NONE: the whole trace */
    uint32_t members;
    int64_t begin, end; /* within the window */
} oc_series_group;

/* A state or a variable. */
typedef struct oc_series_type {
    const char *name;
    int32_t colour;
    uint32_t event_type;
    uint32_t value; /* OCELOTL_NONE: a variable */
} oc_series_type;

/* A stream that is read, and what of it counts now. */
typedef struct oc_series_member {
    uint32_t stream, group;
    uint32_t type;    /* of a variable */
    uint32_t place;   /* of a variable: among the members of its curve */
    uint32_t *states; /* types that the resource is in, each once */
    size_t state_count, state_capacity;
} oc_series_member;

/* At `time` the number of a curve's resources changes by `amount`; or a member has it as its value,
 * NaN: none any more. */
typedef struct oc_series_step {
    int64_t time;
    double amount;
    uint32_t place; /* a curve, or of variables a member */
} oc_series_step;

typedef struct oc_series_steps {
    oc_series_step *steps;
    size_t count, capacity;
} oc_series_steps;

/* Adds what happens to a curve or a member. */
static inline ocelotl_status oc_series_add_step(oc_series_steps *steps, int64_t time,
                                                uint32_t place, double amount)
{
    if (steps->count == steps->capacity)
        OC_TRY(oc_grow(&steps->steps, &steps->capacity, steps->count + 1, sizeof *steps->steps));
    steps->steps[steps->count++] = (oc_series_step){time, amount, place};
    return OCELOTL_OK;
}

/* A thread's walk through the trace, and what it found in its span. */
typedef struct oc_series_reading {
    oc_walk walk;
    oc_series_steps steps;
    uint32_t *marks; /* by type, for sets of states */
    uint32_t mark;
    uint64_t missed; /* links that are under way at no instant */
} oc_series_reading;

/* What the quickest links of a class need, in ticks: by their bytes, and at least. */
typedef struct oc_series_class {
    double fixed, per_byte, least;
} oc_series_class;

/* One series: a group and a type. */
typedef struct oc_series_curve {
    double number;       /* of resources, or what links add up to */
    uint64_t under_way;  /* links */
    oc_series_sum *sums; /* of variables: over their members */
    uint32_t member_count;
    bool touched; /* in the instant that is looked at */
    bool given, has_value;
    double value; /* as given last */
} oc_series_curve;

struct ocelotl_series {
    ocelotl_trace *trace;
    oc_catalogue catalogue;
    oc_kept_paths paths; /* of the groups */
    oc_sources sources;
    bool *chosen; /* by resource; NULL: all */
    ocelotl_series_info info;
    char *meaning;
    ocelotl_nesting nesting;
    ocelotl_link_side side;
    uint32_t *bytes;          /* by event type of links: the attribute with the bytes */
    uint32_t *of_types;       /* by event type of links: its type, OCELOTL_NONE: not counted */
    oc_series_class *classes; /* of links, for slowdowns; else NULL */
    ocelotl_work work;
    oc_series_group *groups;
    uint32_t *group_of; /* by resource, OCELOTL_NONE: none */
    oc_series_type *types;
    uint32_t type_count, group_count;
    uint32_t *type_of_value; /* of the trace; OCELOTL_NONE: not counted */
    oc_series_member *members;
    size_t member_count;
    oc_series_curve *curves; /* group_count x type_count */
    oc_team *team;
    oc_series_reading *readings; /* of each of its threads */
    int reading_count;
    /* begins of the spans that are read at once, the window's end behind the last */
    int64_t *spans;
    size_t span_count, span;
    /* of the span, in order of time; and room to sort them */
    oc_series_steps steps, other;
    size_t next;                                          /* the step that is looked at next */
    uint32_t *touched;                                    /* curves that change in the instant, */
    size_t touched_count, touched_capacity, touched_next; /* and which of them is given next */
    int64_t instant;
};

static inline bool oc_series_is_of_links(const ocelotl_series *series)
{
    return series->info.in_flight != OCELOTL_IN_FLIGHT_NONE;
}

/* Whether curves grow and shrink by amounts; else they are of variables. */
static inline bool oc_series_counts(const ocelotl_series *series)
{
    return oc_series_is_of_links(series) || series->info.reduction == OCELOTL_REDUCE_COUNT;
}

/* --- Links under way (flight.c) */

/* Checks what is asked for, and finds where links end and their types. Errors: ARGUMENT. */
ocelotl_status oc_series_check_flight(const ocelotl_series_options *options);
ocelotl_status oc_series_find_links(ocelotl_series *series, const ocelotl_series_options *options);
ocelotl_status oc_series_find_link_types(ocelotl_series *series);

/* Makes each stream in which links begin a member; pairs have a type for each group. */
ocelotl_status oc_series_find_link_members(ocelotl_series *series);
ocelotl_status oc_series_pair_types(ocelotl_series *series);

/* Reads the links of a member that are under way in the span. */
ocelotl_status oc_series_read_links(const ocelotl_series *series, oc_series_reading *reading,
                                    const oc_series_member *member);

/* Reads what links of each class need in the whole trace, so that no window changes it. */
ocelotl_status oc_series_find_classes(ocelotl_series *series);

/* How many times as long a link takes, in steps of 2^-20: sums of these have no error. */
double oc_series_slowdown(const ocelotl_series *series, const oc_stream *stream,
                          const oc_interval *link, double ticks);

/* What the series are, in words. */
void oc_series_describe_links(oc_text *text, const ocelotl_series *series);

/* The unit of the series. */
const char *oc_series_link_unit(const ocelotl_series *series);

/* --- Reading */

/* Chooses the groups and finds their members (groups.c). */
ocelotl_status oc_series_find_groups(ocelotl_series *series, const char *at);

/* Cuts the window into spans in which `chunks` chunks begin each (steps.c). */
ocelotl_status oc_series_cut(ocelotl_series *series, size_t chunks);

/* Frees what cutting and reading have made. */
void oc_series_end_reading(ocelotl_series *series);

/* Forgets what has been read: the first change comes next (changes.c). */
void oc_series_rewind(ocelotl_series *series);

#endif

/* Derived traces: a whole trace.db with new times, for clocks that are set right, and for what
 * tracing cost that is taken out.
 *
 * Each clock has a function from the times in the trace to new ones, made of straight pieces. All
 * that happens in a resource is dated by the clock that the resource has; a link begins by the
 * clock where it begins, and ends by the clock where it ends. */
#ifndef OC_QUALITY_DERIVE_H
#define OC_QUALITY_DERIVE_H

#include <ocelotl/trace.h>
#include <ocelotl/work.h>
#include <ocelotl/writer.h>

/* A piece of a time function, from `from` up to the next piece. The new time of tick t is t +
 * offset + fraction + drift (t - from), rounded to the nearest tick, halves to even ones. The first
 * piece dates what lies before it, too. */
typedef struct ocelotl_time_piece {
    int64_t from;    /* in ticks */
    int64_t offset;  /* in ticks */
    double fraction; /* of ticks, from -1 to 1 */
    double drift;    /* the slope less 1; more than -1 */
} ocelotl_time_piece;

/* New times by one clock: pieces in order of `from`; without any, times stay as they are. */
typedef struct ocelotl_time_function {
    const ocelotl_time_piece *pieces;
    size_t count;
} ocelotl_time_function;

/* The new time of a tick. Past the range of int64 it is the nearest in range; *fits (may be NULL)
 * says so. O(log pieces), safe for any number of threads. */
int64_t ocelotl_time_of(const ocelotl_time_function *function, int64_t tick, bool *fits);

typedef struct ocelotl_derive_options {
    const ocelotl_time_function *functions; /* NULL: times stay as they are */
    uint32_t function_count;
    /* by resource of the trace: its function. OCELOTL_NONE: none; the resource then begins and ends
     * with what is below it, as far beyond that as before, or with the trace if it did so; and the
     * first function dates its events. */
    const uint32_t *function_of;

    const char *name;       /* of the new trace; NULL: that of the trace */
    const char *derivation; /* one line: what was done, which the new trace keeps; NULL: nothing */
    bool overwrite;         /* replace an existing target */
    /* how many new ticks make one of the trace: new times are rounded to them. 0: 1 */
    uint32_t tick_factor;
    /* what was found of its clocks, which the new trace keeps (ocelotl_trace_clock_at) */
    const ocelotl_set_clock *clocks;
    uint32_t clock_count;
    /* writes what the new trace has besides, of its own event types; NULL: nothing */
    ocelotl_status (*add)(void *context, ocelotl_writer *writer);
    void *context;
    /* `progress` is in streams and can cancel between chunks; one thread works: `threads` and
     * `memory_limit` have no effect. */
    ocelotl_work work;
} ocelotl_derive_options;

/* Writes a trace with new times as another trace.db, whole or absent: all its names, resources,
 * events, links with both ends, attributes, variables, notes and warnings. Where no time changes,
 * the uid is the same. A link that ends before it begins is written as ocelotl_writer_link_end does
 * it; one that does so no more is as any other. Where the new trace would begin before zero, and
 * before the old one, all times are later, so that it begins at zero, and the origin, where it is
 * known, is earlier by as much: the derivation says so. The new trace tells the uid of the old
 * one.
 *
 * Memory: a chunk of each stream that is written, and 64 MiB for links, whose ends change their
 * order: what is more goes to temporary files. O(events + links log links of a resource). Errors:
 * ARGUMENT (the target exists; a function whose pieces are out of order or run backwards; a new
 * time past 2^63; ticks finer than 10^-18 s), INPUT for damage, IO, MEMORY, CANCELLED. */
ocelotl_status ocelotl_trace_derive(const char *target, ocelotl_trace *trace,
                                    const ocelotl_derive_options *options);

/* Writes the trace with its locks: resources of the type `name`, each of which is in a state, named
 * by the path of its owner, while somebody owns it. Locks are links of the type `name`, from who
 * releases to who acquires, each value being a lock; or what the attribute `name` says of links,
 * and of events called *acquire*, *_acq or P, and *release*, *unlock* or V. A lock is released when
 * such a link or event begins, and acquired when it ends; of those who acquired and have not
 * released there may be several (a semaphore). What somebody releases who does not own it is what
 * was acquired first; where nobody owns it, it is a warning. Of the options those that `add`, and
 * the derivation, are set here. O(events + n log n), n of them of locks, in 64 MiB. Errors:
 * ARGUMENT (there are none), and as above. */
ocelotl_status ocelotl_trace_derive_owners(const char *target, ocelotl_trace *trace,
                                           const char *name, const ocelotl_derive_options *options);

#endif

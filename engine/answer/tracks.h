/* The tracks of a trace in a viewer that knows processes, with threads, and nothing deeper.
 *
 * A resource is a process where something is below it, or it has variables; else it is a thread of
 * the process around it. What happens in a process itself is in the thread that has its number.
 * Numbers and the order of tracks follow the hierarchy: 1 is the root, and the resource that comes
 * n-th in it, from 0 on, n + 2. */
#ifndef OC_ANSWER_TRACKS_H
#define OC_ANSWER_TRACKS_H

#include "base/map.h"
#include "base/sink.h"

#include <ocelotl/query.h>

/* A thread of a process, by their numbers. */
typedef struct oc_track {
    uint32_t process, thread;
} oc_track;

/* Opened by oc_tracks_open. */
typedef struct oc_tracks {
    oc_output *out; /* names are written there before a number is used */
    const ocelotl_trace *trace;
    const ocelotl_events *events; /* know paths */
    uint32_t *places;             /* of each resource in the hierarchy */
    bool *are_processes;          /* each resource */
    uint32_t *types;              /* of each resource the first type of its states, + 1 */
    bool *named_processes;        /* by place + 1; the root is the first */
    bool *named_threads;
    uint32_t next; /* the number of the next track that is no resource's */
    bool follows;  /* something: a comma goes before the next element */
    oc_map others; /* the tracks that are no resource's, by resource, type and lane */
} oc_tracks;

/* All but `out` must outlive the tracks. Free them in any case. O(resources). Errors: MEMORY. */
ocelotl_status oc_tracks_open(oc_tracks *tracks, oc_output *out, const ocelotl_trace *trace,
                              const ocelotl_events *events);
void oc_tracks_free(oc_tracks *tracks);

/* The process that has the counters of a resource. */
uint32_t oc_tracks_process(oc_tracks *tracks, uint32_t resource);

/* The track of a resource. With a `type` of states it is the one that these have for themselves,
 * where states of several types are there; OCELOTL_NONE: the first. States that cross others are on
 * another `lane`, from 1 on. */
ocelotl_status oc_tracks_find(oc_track *track, oc_tracks *tracks, uint32_t resource, uint32_t type,
                              uint32_t lane);

/* Begins an element of the list in a line of its own: its kind and its process. */
void oc_tracks_begin(oc_tracks *tracks, const char *phase, uint32_t process);

/* Writes what a process or thread is called, and its place among its siblings. */
void oc_tracks_name(oc_tracks *tracks, oc_track track, const char *kind, const char *name,
                    int64_t place);

#endif

/* The first line of a .prv: its clock, its machine and its applications. */
#ifndef OC_IMPORTERS_PARAVER_HEADER_H
#define OC_IMPORTERS_PARAVER_HEADER_H

#include "importers/common/source.h"

/* Of CPUs, tasks and threads, each: a machine has fewer. */
enum { PARAVER_MOST_OBJECTS = 1 << 20 };

typedef struct paraver_task {
    uint32_t first_thread, thread_count; /* among those of all tasks */
    uint32_t node;                       /* from 1; 0: not known */
} paraver_task;

typedef struct paraver_application {
    uint32_t first_task, task_count;
} paraver_application;

/* Zero-initialised it is empty. */
typedef struct paraver_header {
    char *date;           /* as it is written */
    int64_t duration;     /* in ticks */
    uint64_t ticks;       /* in a second */
    uint32_t *cpus;       /* of each node: how many; 0: not listed */
    uint32_t *first_cpus; /* of each node, from 0 */
    size_t node_count, node_capacity, first_capacity;
    uint32_t cpu_count;
    paraver_application *applications;
    size_t application_count, application_capacity;
    paraver_task *tasks; /* of all applications */
    size_t task_count, task_capacity;
    uint32_t thread_count;
} paraver_header;

/* Reads "#Paraver (21/01/2022 at 16:37):1616378951_ns:1(20):1:2(1:1,1:1),3", which ends in '\0'.
 * A duration without a unit is in microseconds; nodes may be without CPUs; applications are apart
 * by ':' or ','; numbers of communicators may follow each. Errors: INPUT without the place. */
ocelotl_status paraver_header_read(paraver_header *header, const char *line);

void paraver_header_free(paraver_header *header);

#endif

/* States of threads and CPUs from a kernel's events: the state machine of docs/formats/ctf.md. */
#ifndef OC_IMPORTERS_CTF_KERNEL_H
#define OC_IMPORTERS_CTF_KERNEL_H

#include "importers/ctf/reader.h"

/* Finds the role of a kernel's event by its name, and the fields that the role needs. *role stays
 * CTF_AS_EVENT for all others. For system calls *call is the name of the call, within the
 * event's. */
void ctf_find_kernel_role(ctf_class *of, const char **call, const ctf_event_class *event_class);

/* Takes an event of a kernel's trace. */
ocelotl_status ctf_take_in_kernel(ctf_reader *reader, ctf_event *event);

/* Ends all states at the end of their traces. */
ocelotl_status ctf_end_kernel(ctf_reader *reader);

/* --- States of a thread (threads.c) */

/* What a role adds to the state that it begins or ends: NULL, or the event itself. */
typedef struct ctf_moment {
    int64_t time;
    bool has_attributes; /* those in reader->attributes */
} ctf_moment;

/* The thread is on a CPU, and as far as known in no system call. */
ocelotl_status ctf_thread_runs(ctf_reader *reader, uint32_t thread, ctf_moment at);

/* It is on no CPU: it is ready or blocked. */
ocelotl_status ctf_thread_waits(ctf_reader *reader, uint32_t thread, ctf_state state,
                                ctf_moment at);

/* It begins or ends a system call. */
ocelotl_status ctf_thread_calls(ctf_reader *reader, uint32_t thread, uint32_t call, ctf_moment at);
ocelotl_status ctf_thread_returns(ctf_reader *reader, uint32_t thread, ctf_moment at);

/* The CPU that it is on serves an interrupt, or has done so. */
ocelotl_status ctf_thread_is_interrupted(ctf_reader *reader, uint32_t thread, bool begins,
                                         ctf_moment at);

/* It is over, or nothing is known of it any more. */
ocelotl_status ctf_thread_ends(ctf_reader *reader, uint32_t thread, ctf_moment at);

/* --- States of a CPU (cpus.c) */

/* A thread runs there (OCELOTL_NONE: it is idle), by name. */
ocelotl_status ctf_cpu_runs(ctf_reader *reader, uint32_t cpu, uint32_t thread, const char *name,
                            ctf_moment at);
ocelotl_status ctf_cpu_is_interrupted(ctf_reader *reader, uint32_t cpu, uint32_t value,
                                      ctf_moment at);
ocelotl_status ctf_cpu_goes_on(ctf_reader *reader, uint32_t cpu, ctf_moment at);

/* The state of a CPU, and of the thread there, is unknown from now on. */
ocelotl_status ctf_cpu_is_lost(ctf_reader *reader, uint32_t cpu, ctf_moment at);

#endif

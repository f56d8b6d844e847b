/* Runs: traces in several files. A run is a folder with a run.db, which has the names and totals of
 * all, and shards 0.db, 1.db, .., which are each a trace.db of what happens in some of its
 * resources. ocelotl_trace_open opens it as any trace. */
#ifndef OCELOTL_RUN_H
#define OCELOTL_RUN_H

#include <ocelotl/trace.h>
#include <ocelotl/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a path is that of a run's folder. O(1). Thread-safe. */
OCELOTL_API bool ocelotl_is_run(const char *path);

/* A run that is being written. */
typedef struct ocelotl_run ocelotl_run;

/* Begins a run at `target`, whose folder appears at the end, whole. With `overwrite` it takes the
 * place of another run. The ranks of an exchange (NULL: this process is alone) write it together,
 * in a folder that all of them see: all make the same calls, and where one fails all do, with its
 * message. It is freed by ocelotl_run_free, which takes NULL, and removes what has not been
 * finished. Errors: ARGUMENT (the target exists, or is no run), IO, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_run_open(ocelotl_run **run, const char *target, bool overwrite,
                                            const ocelotl_exchange *exchange);
OCELOTL_API void ocelotl_run_free(ocelotl_run *run);

/* Where a trace.db can be written that is to be split and is needed no more then; it is removed
 * with it. Each rank has a path of its own: ocelotl_import writes the trace to that of rank 0, or
 * the parts of all ranks. */
OCELOTL_API const char *ocelotl_run_whole(const ocelotl_run *run);

/* Splits a trace (NULL: what is at ocelotl_run_whole) into at most *shards shards, and finishes the
 * run. Each has whole resources that follow one another in the order of the hierarchy, and about as
 * many records as the others. There are no more shards than resources in which something happens:
 * *shards is how many there are. The uid is that of the trace. Ranks share the shards. Progress is
 * in streams; one thread works. O(events). Errors: as of reading the trace, and IO. */
OCELOTL_API ocelotl_status ocelotl_run_split(uint32_t *shards, ocelotl_run *run,
                                             ocelotl_trace *trace, const ocelotl_work *work);

/* Writes a run, or any trace, as one trace.db, whole or absent, with the same uid. Progress is in
 * streams. O(events). Errors: ARGUMENT (the target exists, and it is not to be overwritten), as of
 * reading the trace, IO. */
OCELOTL_API ocelotl_status ocelotl_trace_merge(const char *target, ocelotl_trace *trace,
                                               bool overwrite, const ocelotl_work *work);

#ifdef __cplusplus
}
#endif
#endif

/* Snapshots: all that an overview says, as files of one folder or one zip.
 *
 * overview.svg and overview.png are the picture, drawn anew at the size of the options; curves.svg
 * has the curves of all levels and levels.csv the levels; parts.csv and parts.json have the parts,
 * slices.csv the axis of time, statistics.csv the totals of the same window (of a trace),
 * parameters.json what was asked for and what came of it, and command.txt the command line that
 * draws the overview again. */
#ifndef OCELOTL_SNAPSHOT_H
#define OCELOTL_SNAPSHOT_H

#include <ocelotl/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a snapshot of a request as a folder, which is whole or absent: it is made beside its place
 * and takes it at the end. A folder that is there is replaced where it is empty or holds a snapshot
 * alone, each file as it was written; with the request's `force` the files may have been changed.
 * parameters.json has their digests (digest.h of zeros), and ends with one of itself. The view is
 * that of the request, with what the caller adds to it; its command is left to the snapshot.
 * Errors: ARGUMENT (the path is a file, or a folder that holds something else), IO, those of
 * ocelotl_session_partition and ocelotl_session_levels. */
OCELOTL_API ocelotl_status ocelotl_session_write_snapshot(const char *folder,
                                                          ocelotl_session *session,
                                                          const ocelotl_request *request,
                                                          const ocelotl_picture_options *view);

/* Refuses early what ocelotl_session_write_snapshot would refuse to replace. Errors: ARGUMENT, IO.
 */
OCELOTL_API ocelotl_status ocelotl_snapshot_check(const char *folder, bool force);

/* Writes the same files as a zip. */
OCELOTL_API ocelotl_status ocelotl_session_zip_snapshot(const ocelotl_sink *sink,
                                                        ocelotl_session *session,
                                                        const ocelotl_request *request,
                                                        const ocelotl_picture_options *view);

/* Refuses a zip in memory that is not as ocelotl_session_zip_snapshot wrote it: which has other
 * files, or changed ones. It may be packed anew. The bytes may be hostile. O(size). Errors: INPUT,
 * ARGUMENT (changed), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_snapshot_check_zip(const void *zip, size_t size);

#ifdef __cplusplus
}
#endif
#endif

/* The files of a snapshot, and how they become a folder or a zip. */
#ifndef OC_REQUEST_SNAPSHOT_H
#define OC_REQUEST_SNAPSHOT_H

#include "base/format/json.h"
#include "base/status.h"

#include <ocelotl/sink.h>

/* The parameters come last: they say what the others were. */
enum { OC_SNAPSHOT_FILES = 10, OC_SNAPSHOT_PARAMETERS = OC_SNAPSHOT_FILES - 1 };

/* The names of all files that a snapshot can have. */
extern const char *const oc_snapshot_names[OC_SNAPSHOT_FILES];

/* Their bytes, by the index of the name; none was written where `bytes` is NULL. */
typedef struct oc_snapshot {
    ocelotl_buffer files[OC_SNAPSHOT_FILES];
} oc_snapshot;

/* Writes a folder that is whole or absent; with `force` changed files are replaced. Errors: as
 * ocelotl_session_write_snapshot. */
ocelotl_status oc_snapshot_write_folder(const char *folder, const oc_snapshot *snapshot,
                                        bool force);

/* Adds the member that says what the other files are, and ends the parameters with a digest of
 * themselves. Errors: MEMORY. */
void oc_snapshot_add_record(oc_json *json, const oc_snapshot *snapshot);
ocelotl_status oc_snapshot_seal(ocelotl_buffer *parameters);

/* How many files a zip lists; 0 where it is none, or has a comment or other bytes at its end. */
size_t oc_snapshot_zip_count(const void *zip, size_t size);

/* Writes a zip. Errors: those of the sink, MEMORY. */
ocelotl_status oc_snapshot_write_zip(const ocelotl_sink *sink, const oc_snapshot *snapshot);

/* Unpacks a file of a zip in memory by its name, whatever folder it is in there, to be freed by
 * ocelotl_buffer_free. The bytes may be hostile. O(size). Errors: INPUT (no zip, damaged, no such
 * file, encrypted, or more than 256 MiB), MEMORY. */
ocelotl_status oc_snapshot_unzip(ocelotl_buffer *file, const void *zip, size_t size,
                                 const char *name);

#endif

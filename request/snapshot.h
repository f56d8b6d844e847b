/* The files of a snapshot, and how they become a folder or a zip. */
#ifndef OC_REQUEST_SNAPSHOT_H
#define OC_REQUEST_SNAPSHOT_H

#include "base/status.h"

#include <ocelotl/sink.h>

enum { OC_SNAPSHOT_FILES = 10 };

/* The names of all files that a snapshot can have. */
extern const char *const oc_snapshot_names[OC_SNAPSHOT_FILES];

/* Their bytes, by the index of the name; none was written where `bytes` is NULL. */
typedef struct oc_snapshot {
    ocelotl_buffer files[OC_SNAPSHOT_FILES];
} oc_snapshot;

/* Writes a folder that is whole or absent. Errors: as ocelotl_session_write_snapshot. */
ocelotl_status oc_snapshot_write_folder(const char *folder, const oc_snapshot *snapshot);

/* Writes a zip. Errors: those of the sink, MEMORY. */
ocelotl_status oc_snapshot_write_zip(const ocelotl_sink *sink, const oc_snapshot *snapshot);

#endif

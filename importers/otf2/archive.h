/* An archive on disk: its anchor, what it says of itself, and the files beside it. */
#ifndef OC_IMPORTERS_OTF2_ARCHIVE_H
#define OC_IMPORTERS_OTF2_ARCHIVE_H

#include "importers/common/source.h"

#include <otf2/otf2.h>

/* Zero-initialised it is closed. */
typedef struct otf2_archive {
    char *anchor;      /* the path of the anchor file, */
    char *folder;      /* and of the folder of the locations' files, */
    char *definitions; /* and of the global definitions */
    OTF2_Reader *reader;
    char *producer;
    uint64_t chunk;            /* bytes that a reader of events holds */
    bool has_files;            /* each location has a file of its own */
    bool is_plain;             /* and it is not compressed */
    bool is_asked;             /* the library's messages come here, */
    OTF2_ErrorCallback before; /* and went there before */
} otf2_archive;

/* How sure it is that a file is the anchor of an archive. */
int otf2_archive_recognises(const oc_source *source);

/* Whether a name ends so, behind something. */
bool otf2_has_end(const char *name, const char *end);

/* The path of a source's anchor, to be freed. Errors: INPUT for standard input. */
ocelotl_status otf2_archive_find_anchor(char **anchor, const oc_source *source);

/* Opens the archive of a source. The library's messages are kept instead of printed until
 * otf2_archive_close. Errors: INPUT, which says what is missing; MEMORY. */
ocelotl_status otf2_archive_open(otf2_archive *archive, const oc_source *source);
void otf2_archive_close(otf2_archive *archive);

/* The path of a location's events, to be freed; and the size of that file, 0: it is not there. */
ocelotl_status otf2_archive_events(char **path, uint64_t *size, const otf2_archive *archive,
                                   uint64_t location);

/* Whether a file of the archive has lost its end. The library cannot be asked: where a file ends
 * too early, it reads on in what its memory held before. False for files that are compressed. */
bool otf2_archive_is_cut(const otf2_archive *archive, const char *path);

/* Whether the global definitions are all there. Errors: INPUT. */
ocelotl_status otf2_archive_check_definitions(const otf2_archive *archive);

/* Whether a location has no file with definitions of its own. */
bool otf2_archive_lacks_own(const otf2_archive *archive, uint64_t location);

/* The last message of the library in this thread, or what the code means. */
const char *otf2_archive_message(OTF2_ErrorCode code);

#endif

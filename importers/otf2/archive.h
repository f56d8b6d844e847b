/* An archive on disk: its anchor, what it says of itself, and the files beside it, which are
 * checked before the library reads them. The library believes the sizes in a file, and if a file
 * ends too early, it reads old memory behind it. */
#ifndef OC_IMPORTERS_OTF2_ARCHIVE_H
#define OC_IMPORTERS_OTF2_ARCHIVE_H

#include "base/arena.h"
#include "importers/common/source.h"

#include <otf2/otf2.h>

/* Zero-initialised it is closed. */
typedef struct otf2_archive {
    const char *anchor;      /* the path of the anchor file, */
    const char *folder;      /* and of the folder of the locations' files, */
    const char *definitions; /* and of the global definitions */
    OTF2_Reader *reader;
    const char *producer;
    uint64_t chunk;            /* bytes that a reader of events holds */
    bool has_files;            /* each location has a file of its own */
    bool is_plain;             /* and it is not compressed */
    bool is_asked;             /* the library's messages come here, */
    OTF2_ErrorCallback before; /* and went there before */
} otf2_archive;

/* How sure it is that a file is the anchor of an archive. */
int otf2_archive_recognises(const oc_source *source);

/* Checks that an anchor holds what it claims: sizes that the library itself writes, and as many
 * properties as it counts. Errors: INPUT, IO, MEMORY. O(size). */
ocelotl_status otf2_archive_check_anchor(const char *path);

/* Opens the archive of a source, if its global definitions are all there. The library's messages
 * are kept instead of printed until otf2_archive_close. Errors: INPUT, which says what is missing,
 * and for standard input; MEMORY. */
ocelotl_status otf2_archive_open(otf2_archive *archive, oc_arena *arena, const oc_source *source);
void otf2_archive_close(otf2_archive *archive);

/* The path of a location's events, in an arena; and the size of that file, 0: it is not there. */
ocelotl_status otf2_archive_events(const char **path, uint64_t *size, const otf2_archive *archive,
                                   oc_arena *arena, uint64_t location);

/* Whether a file of the archive has lost its end. The library cannot be asked: where a file ends
 * too early, it reads on in what its memory held before. False for files that are compressed. */
bool otf2_archive_is_cut(const otf2_archive *archive, const char *path);

/* Whether a location has no file with definitions of its own. */
bool otf2_archive_lacks_own(const otf2_archive *archive, uint64_t location);

/* The last message of the library in this thread, or what the code means. */
const char *otf2_archive_message(OTF2_ErrorCode code);

/* Events that are whole, and the byte where the next record begins. */
typedef struct otf2_passed {
    uint64_t events, offset;
} otf2_passed;

/* Passes over the events of a file with chunks of some size, as far as they are whole, and at most
 * so many. Of a file that is cut off these are the events before the cut. Errors: IO, MEMORY.
 * O(size). */
ocelotl_status otf2_archive_pass(otf2_passed *passed, const char *path, uint64_t chunk,
                                 uint64_t most);

/* How many events the head of a file's last chunk counts; 0: it cannot be read, as of a file that
 * is compressed. The definitions may count others. O(1). */
uint64_t otf2_archive_count(const otf2_archive *archive, const char *path, uint64_t size);

#endif

/* What is odd in a source: counted by kind, with the first place as warnings of the trace. */
#ifndef OC_IMPORTERS_COMMON_ODDITIES_H
#define OC_IMPORTERS_COMMON_ODDITIES_H

#include "base/text.h"
#include "importers/common/notices.h"

#include <ocelotl/writer.h>

/* What any source may hold; a format's own are numbered from OC_COMMON_ODDITIES. */
typedef enum oc_oddity {
    OC_POP_OF_NOTHING,
    OC_CHANGE_OF_NOTHING,
    OC_LINK_REVERSED,
    OC_LINK_WITHOUT_END,
    OC_LINK_WITHOUT_START,
    OC_LINK_SIDES_DIFFER,
    OC_STATE_OPEN,
    OC_STATE_CROSSES,
    OC_END_LEFT_OUT,
    OC_END_FROM_BEGIN,
    OC_END_OF_OUTER,
    OC_END_OF_OTHER,
    OC_ROW_SHARED,
    OC_LAST_LINE_OPEN,
    OC_COMMON_ODDITIES
} oc_oddity;

enum { OC_MOST_ODDITIES = 40 };

/* Where an importer is: a file and a line of it, from 1; 0: in none. */
typedef struct oc_place {
    const char *file; /* lives as long as the import */
    uint64_t line;    /* or as oc_place_in_line makes it */
} oc_place;

/* A line with a byte of the file, from 0. In texts of many lines, or of more than a TB, it is the
 * line alone. */
static inline uint64_t oc_place_in_line(uint64_t line, uint64_t byte)
{
    const bool fits = line < (uint64_t)1 << 23 && byte < (uint64_t)1 << 40;
    return fits ? (uint64_t)1 << 63 | line << 40 | byte : line;
}

/* Zero-initialised but for the members before `counts`. */
typedef struct oc_oddities {
    ocelotl_writer *writer;
    const char *const *names; /* of the format's own, each with what becomes of it, */
    size_t name_count;        /* at most OC_MOST_ODDITIES - OC_COMMON_ODDITIES */
    bool lenient;             /* broken lines are skipped and counted, else they are errors */
    bool can_fold;            /* the format takes the option --fold-names */
    const oc_notices *left;   /* of the folder that the sources are of; NULL: nothing */
    uint64_t counts[OC_MOST_ODDITIES];
    oc_place places[OC_MOST_ODDITIES]; /* where each was first met, */
    char *texts[OC_MOST_ODDITIES];     /* or that in words, NULL: not said */
    oc_text *skipped;                  /* the kinds of broken lines */
    size_t skipped_count, skipped_capacity;
    uint64_t skipped_lines; /* of the file at hand, or of all; */
    char *first_skipped;    /* what is wrong with the first */
} oc_oddities;

/* Counts one case of an oddity; `line` is as that of an oc_place. Two threads may do so for
 * different oddities. */
void oc_oddities_note(oc_oddities *oddities, size_t oddity, const char *file, uint64_t line);

/* Counts one, and keeps the place of the first in words: "FILE:OFFSET: what is wrong". Errors:
 * MEMORY. */
ocelotl_status oc_oddities_keep(oc_oddities *oddities, size_t oddity, const char *place);

/* Takes the failure of a broken line, whose message is the thread's: counts it where the import is
 * lenient, else puts the place before the message and gives INPUT. Other failures than INPUT and
 * ARGUMENT are passed on. */
ocelotl_status oc_oddities_skip(oc_oddities *oddities, ocelotl_status status, const char *file,
                                uint64_t line);

/* Warns that the rest of what ("trace") is lost; the thread's message says why. */
ocelotl_status oc_oddities_lose_rest(oc_oddities *oddities, const char *what);

/* A text holds a NUL: a crashed machine leaves blocks of them. As INPUT it has no place. */
#define OC_NUL        "a NUL byte, expected text"
#define oc_fail_nul() oc_fail(OCELOTL_ERROR_INPUT, OC_NUL)

/* Gives INPUT for a file that holds nothing to read: what was skipped of it, else the message. */
ocelotl_status oc_oddities_fail_empty(const oc_oddities *oddities, const char *path,
                                      const char *message);

/* Gives the writer a warning for each oddity that was counted, and for event types whose names say
 * more than a type. */
ocelotl_status oc_oddities_finish(const oc_oddities *oddities);

void oc_oddities_free(oc_oddities *oddities);

#endif

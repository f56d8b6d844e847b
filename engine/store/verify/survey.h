/* What is there of all the chunks of a trace: each row is looked at for itself, past the index, so
 * that what is damaged hides nothing of what is not. */
#ifndef OC_STORE_VERIFY_SURVEY_H
#define OC_STORE_VERIFY_SURVEY_H

#include "store/read/chunk.h"
#include "store/trace/catalogue.h"

#include <ocelotl/verify.h>
#include <ocelotl/work.h>

/* A chunk that there should be. */
typedef struct oc_surveyed_chunk {
    int64_t row;        /* 0: it has not been found */
    int64_t begin, end; /* of its records, and */
    uint64_t count;     /* how many, */
    bool is_known;      /* where that is known */
    bool is_readable;   /* its bytes are those that were written */
    bool is_sound;      /* and so is all else of it */
} oc_surveyed_chunk;

/* Zero-initialised but for its trace, which must outlive it, it is of nothing. */
typedef struct oc_survey {
    ocelotl_trace *trace;
    oc_arena arena;            /* of the lists */
    oc_surveyed_chunk *chunks; /* of one stream after the other, in order */
    uint64_t *first;           /* of each stream, and behind the last */
    /* rows that are of no stream, or there twice, or that nobody wrote */
    uint64_t strays;
    sqlite3_stmt *read;
    oc_fold fold;
    oc_records records;
} oc_survey;

/* Looks at all rows. Free the survey in any case. Errors: IO, MEMORY, CANCELLED; INPUT where a
 * stream claims more chunks than the file can hold. */
ocelotl_status oc_survey_make(oc_survey *survey, ocelotl_progress progress, void *context);
void oc_survey_free(oc_survey *survey);

/* Reads what a readable chunk holds into the survey's fold and records. */
ocelotl_status oc_survey_read(oc_survey *survey, uint32_t stream, uint64_t chunk);

typedef struct oc_damage {
    uint32_t resource;     /* OCELOTL_NONE: it concerns no single one */
    ocelotl_damage damage; /* without the resource's path, which is written when it is asked for */
} oc_damage;

struct ocelotl_verification {
    oc_arena arena; /* that it lives in, with its texts and the list of damages */
    const char *path;
    ocelotl_trace *trace; /* NULL where its tables are damaged */
    oc_catalogue catalogue;
    oc_survey survey;
    oc_chunk_place *places; /* of the stream looked at last */
    size_t place_capacity;
    oc_damage *damages;
    size_t damage_count, damage_capacity;
};

#endif

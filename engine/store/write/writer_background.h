/* Chunks on their way to the disk: a thread of the writer's own compresses and inserts what the
 * caller has filled. */
#ifndef OC_STORE_WRITE_WRITER_BACKGROUND_H
#define OC_STORE_WRITE_WRITER_BACKGROUND_H

#include "base/digest.h"
#include "store/codec/fold.h"
#include "store/codec/packing.h"

#include <pthread.h>
#include <sqlite3.h>

/* A chunk that is to be added up and compressed. */
typedef struct oc_writer_chunk {
    uint32_t stream, number, count;
    int64_t begin, end;
    oc_role role;
    oc_fold *fold;   /* of the stream before this chunk; who writes the chunk adds its records */
    oc_text records; /* the bytes of an oc_packing */
} oc_writer_chunk;

enum { OC_WRITER_QUEUE = 64 };

/* What the thread works with; while it runs, the statement, the identity and the database are its
 * own. */
typedef struct oc_writer_background {
    const char *path; /* for messages */
    sqlite3_stmt *insert;
    struct ZSTD_CCtx_s *compressor;
    oc_columns_maker maker;
    oc_text totals, columns, blob;
    oc_digest identity; /* grows into the uid */
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    pthread_t thread;
    bool is_ready, runs, stops;
    size_t first, waiting;    /* of the queue */
    uint64_t given, written;  /* chunks so far */
    bool is_awaited;          /* somebody waits for chunks to be written */
    ocelotl_status status;    /* the first failure, */
    oc_text message;          /* and why */
    oc_writer_chunk *filling; /* the chunk that was taken last */
    oc_writer_chunk queue[OC_WRITER_QUEUE];
} oc_writer_background;

ocelotl_status oc_writer_background_begin(oc_writer_background *background, const char *path);

/* The next free chunk, to be filled and handed over; waits for one. Errors: whatever happened to an
 * earlier one. *number is that of the chunk, from 1. */
ocelotl_status oc_writer_background_take(oc_writer_chunk **chunk, oc_writer_background *background);
ocelotl_status oc_writer_background_give(uint64_t *number, oc_writer_background *background);

/* Waits until the chunk of a number is written: its stream's fold is the caller's until the next
 * one is given. */
ocelotl_status oc_writer_background_await(oc_writer_background *background, uint64_t number);

/* Waits until all that was given is written. */
ocelotl_status oc_writer_background_wait(oc_writer_background *background);

/* Ends the thread, after what it was given; before the statement is finalised. */
void oc_writer_background_end(oc_writer_background *background);

#endif

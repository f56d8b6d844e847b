/* A text in blocks of whole lines, read ahead by another thread if several may work. */
#ifndef OC_IMPORTERS_COMMON_TEXT_H
#define OC_IMPORTERS_COMMON_TEXT_H

#include "base/input.h"
#include "importers/common/pipeline.h"

enum {
    /* Bytes of a block. The result does not depend on the number of threads, nor does this. */
    OC_TEXT_BLOCK = 1 << 17,
    OC_LONGEST_LINE = 1 << 24
};

/* Zero-initialised but for `input` and `pipeline`. */
typedef struct oc_source_text {
    oc_input *input;
    oc_pipeline *pipeline; /* has the blocks, and is signalled when one is read */
    size_t block_size;     /* 0: OC_TEXT_BLOCK */
    oc_text rest;          /* of a line that is in the next block */
    bool skips;            /* what is left of a line that is too long */
    bool input_ended;
    bool is_open;      /* the last line has no end in the file: once all is taken */
    uint64_t position; /* of the source, for progress: read it atomically */
    /* Where it is read ahead: */
    bool is_ready, runs, stops;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t taken;
    oc_block *first, *last;
    size_t waiting; /* bytes in them */
    bool ended;
    ocelotl_status status; /* why it ended, where it is not over */
    oc_text message;
} oc_source_text;

/* Reads ahead in a thread where the pipeline has several. */
void oc_source_text_begin(oc_source_text *text);
void oc_source_text_free(oc_source_text *text);

/* Takes the next block; *block is NULL where none is there yet, or *ended. A line that compressed
 * data that is cut leaves incomplete is left out. Errors: those of oc_input_read, behind all lines
 * that could be read. */
ocelotl_status oc_source_text_next(oc_block **block, bool *ended, oc_source_text *text);

#endif

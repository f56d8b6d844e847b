/* Compressions of files, recognised by their first bytes, and their decoders. */
#ifndef OC_BASE_FILE_COMPRESSION_H
#define OC_BASE_FILE_COMPRESSION_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* One step of decoding: raw bytes in, text out. */
typedef struct oc_decoding {
    const unsigned char *from; /* the raw bytes at hand */
    size_t length;
    char *to; /* room for text, at least a byte */
    size_t room;
    size_t used, made; /* how much of each the step took */
    bool inside;       /* in and out: a member or frame has begun and not ended */
    /* why the bytes cannot be decoded, NULL where they can; lives until the next step */
    const char *damage;
    bool is_refused; /* they are sound, and `damage` says what they do that is not read */
} oc_decoding;

typedef struct oc_compression {
    const char *name;    /* "gzip" */
    const char *unit;    /* what the data is made of, "gzip member"; NULL: it cannot be read */
    const char *command; /* what decodes a file to standard output */
    const char *missing; /* why a build cannot read what others can, or NULL */
    bool (*recognises)(const unsigned char *bytes, size_t length);
    ocelotl_status (*begin)(void **state);
    ocelotl_status (*decode)(void *state, oc_decoding *step); /* errors: MEMORY */
    void (*end)(void *state);
} oc_compression;

/* How many bytes it takes to recognise any of them. */
enum { OC_COMPRESSION_HEAD = 6 };

/* The compression of data that begins like this, NULL where none is known: plain data. */
const oc_compression *oc_compression_of(const unsigned char *bytes, size_t length);

/* Appends what bytes decode to that are compressed by zstd, or in the frame of zlib or gzip.
 * Errors: INPUT where they are damaged, or more than `most`. */
ocelotl_status oc_decode_bytes(oc_text *text, const char *bytes, size_t length, size_t most);

#endif

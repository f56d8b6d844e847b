/* The blob `events` of a chunk: columns, compressed where that makes them smaller. See
 * docs/developer/store.md. */
#ifndef OC_STORE_CODEC_BLOB_H
#define OC_STORE_CODEC_BLOB_H

#include "base/text.h"

#include <zstd.h>

/* Makes a blob of columns. */
ocelotl_status oc_blob_pack(oc_text *blob, const oc_text *columns, ZSTD_CCtx *compressor);

/* Memory for columns, which serves one blob after the other. Zero-initialised it has none. */
typedef struct oc_blob_opener {
    ZSTD_DCtx *decompressor;
    unsigned char *columns;
    size_t length, capacity;
} oc_blob_opener;

/* Gives the columns of a blob, one readable byte behind them. No more memory is taken than a chunk
 * may need. Errors: INPUT "damaged chunk ..", MEMORY. */
ocelotl_status oc_blob_open(oc_blob_opener *opener, const unsigned char *blob, size_t length);
void oc_blob_opener_free(oc_blob_opener *opener);

#endif

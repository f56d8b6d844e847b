/* The text of a file, with a part in memory as long as one of its elements needs. */
#ifndef OC_IMPORTERS_INGEST_STREAM_H
#define OC_IMPORTERS_INGEST_STREAM_H

#include "base/format/json_scan.h"
#include "importers/common/source.h"

/* Zero-initialised but for `input` it is at the beginning. */
typedef struct oc_json_stream {
    oc_input *input;
    char *bytes; /* OC_JSON_MARGIN bytes behind them are 0 */
    size_t length, capacity;
    uint64_t offset; /* of `bytes` in the text */
    uint64_t lines;  /* ends of lines before `counted`, */
    size_t counted;  /* a place in `bytes` */
    oc_json_cursor cursor;
    bool at_end;              /* nothing follows what is in memory, */
    bool has_nul;             /* or a NUL does */
    uint64_t most;            /* ends behind so many bytes, about; 0: with the input */
    size_t longest;           /* of what may be needed at once, 0: 256 MB */
    struct oc_ingest *ingest; /* that the reading is reported to, or NULL */
    uint64_t last_line;       /* of what was noted before */
} oc_json_stream;

/* Forgets what is before the cursor, and reads more behind; `*more` is false where the text is at
 * its end. Errors: IO, MEMORY, those of compressed data; LIMIT where more is needed at once
 * than may be. */
ocelotl_status oc_json_stream_read(bool *more, oc_json_stream *stream);

/* Why the text ended too early; NULL: it did not. */
const char *oc_json_stream_loss(const oc_json_stream *stream);

/* The line, from 1, of a place in memory. O(bytes from that of the last call) */
uint64_t oc_json_stream_line_of(oc_json_stream *stream, const char *place);

/* The line, and the byte, from 0, at the cursor. */
uint64_t oc_json_stream_line(oc_json_stream *stream);
uint64_t oc_json_stream_offset(const oc_json_stream *stream);

/* Notes for messages of the ingest where the next element is: by its byte, too, where its line has
 * more than it. */
void oc_json_stream_note(oc_json_stream *stream);

/* The rest of what ("trace") cannot be read as something in it is not found: INPUT with file, line
 * and byte, or a warning where the import is lenient. */
ocelotl_status oc_json_stream_give_up(oc_json_stream *stream, oc_json_scan found, const char *what);

/* Skips blanks, reading on; gives the character there, 0 at the end. */
ocelotl_status oc_json_stream_peek(char *next, oc_json_stream *stream);

/* Passes a value of any size without keeping it in memory. *found is CUT where the text ends in it.
 */
ocelotl_status oc_json_stream_skip(oc_json_scan *found, oc_json_stream *stream);

/* Scans what is at the cursor by a function, anew where the text in memory ends in it. What is not
 * found leaves the cursor there, but for what is broken. */
ocelotl_status oc_json_stream_scan(oc_json_scan *found, oc_json_stream *stream,
                                   oc_json_scan (*scan)(void *context, oc_json_cursor *cursor),
                                   void *context);

enum { OC_JSON_NAME = 64 };

/* Passes the name of the next member of an object, and its colon: *next is then where its value
 * begins. Long names are cut. At the end of the object, which is passed, the name is empty. */
ocelotl_status oc_json_stream_member(oc_json_scan *found, char name[OC_JSON_NAME], char *next,
                                     oc_json_stream *stream);

void oc_json_stream_free(oc_json_stream *stream);

#endif

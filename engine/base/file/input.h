/* A file or standard input, read from its beginning, plain or compressed: nobody above sees the
 * difference. */
#ifndef OC_BASE_FILE_INPUT_H
#define OC_BASE_FILE_INPUT_H

#include "base/status.h"
#include "base/text.h"

#include <ocelotl/work.h>

#include <stdbool.h>

typedef struct oc_input oc_input;

/* Opens a file, or standard input for "-". Compression by gzip, zstd, xz, bzip2 or zip is
 * recognised by the first bytes, whatever the file is called; several members, frames or streams in
 * a row are one text. Errors: IO (not there, a directory); INPUT for a compression that cannot be
 * read, naming the command that can. */
ocelotl_status oc_input_open(oc_input **input, const char *path);

/* The same; a signal that interrupts the wait for input asks `progress` whether to go on, so that a
 * quiet pipe can be left: CANCELLED here or in oc_input_read where it says no. NULL: nobody is
 * asked. */
ocelotl_status oc_input_open_cancellable(oc_input **input, const char *path,
                                         ocelotl_progress progress, void *context);

/* Reads up to `size` (>= 1) bytes; *read is 0 at the end only. Errors: IO; INPUT where compressed
 * data is damaged or ends too early, found when the reading gets there, behind all that could be
 * decoded. */
ocelotl_status oc_input_read(oc_input *input, char *buffer, size_t size, size_t *read);

/* Appends all that is left of a text that a person writes. Errors: as oc_input_read; LIMIT for more
 * than `most` bytes (whole MB), naming what was `expected`; MEMORY. */
ocelotl_status oc_input_read_all(oc_text *bytes, oc_input *input, size_t most,
                                 const char *expected);

/* Checks *stops instead of the progress from now on. While no data arrives it is checked every now
 * and then; once it is set, the input is CANCELLED. For a thread that others end. */
void oc_input_heed(oc_input *input, const bool *stops);

/* Puts bytes back, to be read again before all others: for callers that look at the beginning
 * first. */
ocelotl_status oc_input_unread(oc_input *input, const char *bytes, size_t length);

/* Makes compressed data that is damaged or cut off end there, instead of failing. */
void oc_input_salvage(oc_input *input, bool salvages);

/* The reason why compressed data ended before its end, as far as it was read ("the compressed data
 * ends too early, .."), or NULL. */
const char *oc_input_loss(const oc_input *input);

/* NULL is allowed. */
void oc_input_free(oc_input *input);

/* Bytes consumed of the file on disk, and its size, 0 if unknown: for progress. */
uint64_t oc_input_position(const oc_input *input);
uint64_t oc_input_size(const oc_input *input);

/* The path as it was given, or "standard input": for messages. */
const char *oc_input_name(const oc_input *input);

#endif

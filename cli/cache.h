/* The user's cache: traces that were imported on the fly, and answers (answers.h). It is bounded: what was used least
 * recently goes first. Any number of programs may use it at once, and whatever is in it may be removed at any time. */
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include "options.h"

#include <sys/types.h>

/* Two independent hashes of the same bytes. */
typedef struct cli_hash {
    uint64_t name, check;
} cli_hash;

cli_hash cli_hash_begin(void);
/* Adds a text with its end, so that "a", "b" is not "ab". */
void cli_hash_text(cli_hash *hash, const char *text);
void cli_hash_bytes(cli_hash *hash, const char *bytes, size_t length);

/* The file that a TRACE is imported into when it is used directly, to be freed; false after a message. */
bool cli_cache_path(char **path, const char *trace, const cli_model_options *options);

/* The folder of the cache, made where it is missing; NULL where there can be none, with a message unless `quiet`. */
char *cli_cache_folder(bool quiet);

/* Says that a file of the cache is used now. */
void cli_cache_touch(const char *path);

/* Removes what was used least recently until the cache keeps to its bound, but not `used`, and what killed programs
 * left. */
void cli_cache_trim(const char *used);

#endif

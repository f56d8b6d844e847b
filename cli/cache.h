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

/* The file that a TRACE is imported into when it is used directly, to be freed; NULL where no folder for it can be made.
 * Gives an exit code. */
int cli_cache_path(char **path, const char *trace, const cli_model_options *options);

/* The folder of the cache, made where it is missing; NULL, without a message, where there can be none. */
char *cli_cache_folder(void);

/* Where it is, or would be; NULL: nothing says where. */
char *cli_cache_name(void);

bool cli_cache_is_writable(void);

/* Says, in one line, why the cache cannot be written, and that the trace is imported without it. */
void cli_cache_complain(const char *trace);

/* A path from the root of the file system, to be freed: what is in the cache says where it is from, whatever folder the
 * program runs in. NULL: no memory. */
char *cli_whole_path(const char *path);

/* How large the cache may be, in bytes. */
uint64_t cli_cache_limit(void);

/* Says that a file of the cache is used now. */
void cli_cache_touch(const char *path);

/* Removes what was used least recently until the cache keeps to its bound, but not `used`, and what killed programs
 * left. */
void cli_cache_trim(const char *used);

#endif

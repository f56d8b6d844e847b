/* The user's cache: traces that were imported on the fly, and answers (answers.h). It is bounded:
 * what was used least recently goes first. Any number of programs may use it at once, and whatever
 * is in it may be removed at any time. */
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include "cache_folder.h"
#include "options.h"

#include <sys/stat.h>

/* The digest of the texts that a key is made of; zero before the first. */
typedef struct cli_key {
    uint64_t digest[2];
} cli_key;

void cli_key_add(cli_key *key, const char *text);

/* Adds what a file is: its inode, size and times, of them that of its last change in any way only
 * where `changed` is set, for a file of the cache is changed whenever it is used. */
void cli_key_add_file(cli_key *key, const struct stat *file, bool changed);

/* The file that a TRACE is imported into when it is used directly, to be freed; NULL where there
 * can be no folder for it, and then *reason, to be freed, as cli_cache_folder has it. Gives an exit
 * code. */
int cli_cache_path(char **path, char **reason, const char *trace, const cli_model_options *options);

/* Says, in one line, why the cache is not used, and that the trace is imported without it. */
void cli_cache_complain(const char *reason, const char *trace);

/* A path from the root of the file system, to be freed: what is in the cache says where it is from,
 * whatever folder the program runs in. NULL: no memory. */
char *cli_whole_path(const char *path);

/* How large the cache may be, in bytes. */
uint64_t cli_cache_limit(void);

/* Says that a file of the cache is used now. */
void cli_cache_touch(const char *path);

/* Removes what was used least recently until the cache keeps to its bound, but not `used`, and what
 * killed programs left. */
void cli_cache_trim(const char *used);

#endif

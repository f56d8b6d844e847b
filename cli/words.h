/* Command lines as text: written so that a shell takes them, and read as it would. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "command.h"

/* Words, each to be freed. Zero-initialised there are none. */
typedef struct cli_words {
    char **words; /* with a NULL behind the last */
    size_t count;
    size_t capacity;
} cli_words;

/* Adds a copy. False where there is no memory. */
bool cli_words_add(cli_words *words, const char *word);
void cli_words_free(cli_words *words);

/* Writes a word after a space, quoted where a shell would not take it as it is. What cannot be in
 * metadata (control characters, bytes that are no UTF-8) is in bash's $'..'. */
void cli_write_word(FILE *stream, const char *word);

/* Splits what was written so, up to the end or a `;` that is not quoted: quotes, $'..' and
 * backslashes are read, nothing is expanded. Gives an exit code: CLI_WRONG, without a message,
 * where it is not of that form. */
int cli_words_read(cli_words *words, const char *text);

#endif

/* Command lines as text: written so that a shell takes them, and read as it would. */
#ifndef OC_REQUEST_WORDS_H
#define OC_REQUEST_WORDS_H

#include "base/text.h"

#include <ocelotl/request.h>

/* Words, each to be freed. Zero-initialised there are none. */
typedef struct oc_words {
    char **words; /* with a NULL behind the last */
    size_t count;
    size_t capacity;
} oc_words;

/* Adds a copy. */
ocelotl_status oc_words_add(oc_words *words, const char *word);
void oc_words_free(oc_words *words);

/* Writes a word after a space, quoted where a shell would not take it as it is. What cannot be in
 * metadata (control characters, bytes that are no UTF-8) is in bash's $'..'. */
void oc_write_word(oc_text *text, const char *word);

/* Splits what was written so, up to the end or a `;` that is not quoted: quotes, $'..' and
 * backslashes are read, nothing is expanded. Errors: INPUT where it is not of that form. */
ocelotl_status oc_words_read(oc_words *words, const char *text);

#endif

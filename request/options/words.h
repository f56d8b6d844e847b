/* Command lines as text: written so that a shell takes them, and read as it would. */
#ifndef OC_REQUEST_WORDS_H
#define OC_REQUEST_WORDS_H

#include "base/text.h"
#include "request/options/request.h"

#include <ocelotl/request.h>

#include <stddef.h>

/* Words, each to be freed. Empty if zero-initialised. */
typedef struct oc_words {
    char **words; /* with a NULL behind the last */
    size_t count;
    size_t capacity;
} oc_words;

/* Adds a copy. */
ocelotl_status oc_words_add(oc_words *words, const char *word);
void oc_words_free(oc_words *words);

/* Writes a word after a space, quoted unless a shell would take it as it is. What metadata cannot
 * hold (control characters, bytes that are no UTF-8) is in bash's $'..'. */
void oc_write_word(oc_text *text, const char *word);

/* Splits a line written so, up to the end or an unquoted `;`. Quotes, $'..' and backslashes are
 * read, nothing is expanded. Errors: INPUT for another form. */
ocelotl_status oc_words_read(oc_words *words, const char *text);

/* Adds the command that a picture keeps, or a snapshot: of the file or folder at a path. Errors:
 * IO, INPUT (it keeps none), MEMORY. */
ocelotl_status oc_picture_command(oc_text *command, const char *path);

/* Fills a request from words with at most `traces` traces. Errors: ARGUMENT, MEMORY. */
ocelotl_status oc_line_read(ocelotl_request *line, size_t count, const char *const *words,
                            size_t traces);

/* Behind the last option that looks into a part; 0 where none does. */
size_t oc_line_end_of_zooms(const ocelotl_request *line);

/* Add an option, and the operands behind all options, as words. */
ocelotl_status oc_line_add_option(oc_words *words, const ocelotl_given *option);
ocelotl_status oc_line_add_operands(oc_words *words, const ocelotl_request *line);

#endif

/* The lines of a text, read in blocks: each ends in '\n', which the last may lack in the file. */
#ifndef OC_IMPORTERS_COMMON_LINES_H
#define OC_IMPORTERS_COMMON_LINES_H

#include "base/file/input.h"
#include "importers/common/oddities.h"

#include <string.h>

/* Bytes behind the end of a line that may be read. */
enum { OC_LINE_MARGIN = 16 };

/* Zero-initialised but for the input it is before the first line. */
typedef struct oc_lines {
    oc_input *input;
    char *buffer;
    size_t capacity, next, filled;
    size_t whole;         /* bytes of the buffer up to the end of the last complete line */
    uint64_t number;      /* of the line that was given last, from 1 */
    bool at_end, is_open; /* the last line has no '\n' in the file */
    bool has_nul;         /* some line that was read */
} oc_lines;

/* Makes the next lines whole, with one NUL for each run of them; none are left where oc_lines_take
 * then gives NULL. Forgets those that were given. Errors: those of the input; LIMIT for a line of
 * more than 64 MiB. */
ocelotl_status oc_lines_read(oc_lines *lines);

/* The next line and its end, where its '\n' is; NULL: more have to be read. The line may be
 * changed. */
char *oc_lines_take(char **end, oc_lines *lines);

/* Cuts the next word off a line; length 0: there is none. */
static inline const char *oc_line_word(size_t *length, const char **line)
{
    const char *word = *line + strspn(*line, " \t");
    *length = strcspn(word, " \t");
    *line = word + *length;
    return word;
}

/* Refuses a line with a NUL. Errors: INPUT, without the place. */
ocelotl_status oc_lines_check(const oc_lines *lines, const char *line, const char *end);

/* Notes a last line without its end; and says where data of a compressed file is lost, which has no
 * place of its own, behind what could be read: in place of the message of a failure, else as a
 * warning of what ("trace") lacks its rest. */
ocelotl_status oc_lines_end(const oc_lines *lines, ocelotl_status status, const char *path,
                            oc_oddities *oddities, const char *what);

void oc_lines_free(oc_lines *lines);

#endif

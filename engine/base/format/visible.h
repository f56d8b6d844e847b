/* Text as people may see it. A terminal obeys some characters and hides others, and a name may hold
 * any of them: whatever prints a text to people goes through here. */
#ifndef OC_BASE_FORMAT_VISIBLE_H
#define OC_BASE_FORMAT_VISIBLE_H

#include "base/file/sink.h"

/* Whether a character has no shape of its own but changes others on a terminal: a control
 * character, a mark of direction, a separator of lines, one without width. More of them than a
 * picture replaces (oc_is_hidden). */
bool oc_is_unprintable(uint32_t code);

/* Adds what ocelotl_text_write_visible writes to an output. */
void oc_output_add_visible(oc_output *output, const char *text);
void oc_output_append_visible(oc_output *output, const char *text, size_t length);

/* Adds what printf would, for people: a text of "%s", without a width, as above. Whole numbers have
 * no sign, and widths are part of the format. */
void oc_output_print(oc_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Columns of a terminal that the same takes. O(length). */
size_t oc_visible_width(const char *text);

/* Adds the same, and blanks up to `width` columns. */
void oc_output_add_column(oc_output *output, const char *text, size_t width);

#endif

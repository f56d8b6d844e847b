/* Text as people may see it. A terminal obeys some characters and hides others, and a name may hold
 * any of them: whatever prints a text to people goes through here. */
#ifndef OC_BASE_VISIBLE_H
#define OC_BASE_VISIBLE_H

#include "base/sink.h"

/* Whether a character has no shape of its own but changes what is around it, as a terminal sees it:
 * a control character, a mark of direction, a separator of lines, one without width. More of them
 * than a picture replaces (oc_is_hidden). */
bool oc_is_unprintable(uint32_t code);

/* Writes a text in which what is unprintable is named instead: \n, \t, \x1b for a control character
 * or a byte that is no character, \u202e for the others. It allocates nothing. O(length). */
ocelotl_status oc_write_visible(const ocelotl_sink *sink, const char *text, size_t length);

/* Adds the same to an output. */
void oc_output_add_visible(oc_output *output, const char *text);
void oc_output_append_visible(oc_output *output, const char *text, size_t length);

/* Columns of a terminal that the same takes. O(length). */
size_t oc_visible_width(const char *text);

/* Adds the same, and blanks behind it until it takes so many columns. */
void oc_output_add_column(oc_output *output, const char *text, size_t width);

/* The bytes of the first character of a text of at least one, and whether it is written as it is.
 */
size_t oc_character_length(bool *visible, const char *text, size_t available);

#endif

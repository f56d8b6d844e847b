/* Long names cut to what tells them apart. */
#ifndef OC_VIZ_WORDS_SHORTENING_H
#define OC_VIZ_WORDS_SHORTENING_H

#include "base/text.h"

/* Bytes of the character at `bytes` with the marks that combine with it, which are not to be
 * parted; 0 at the end. The text must be valid UTF-8. */
size_t oc_cluster_length(const char *bytes, size_t available);

/* Whether the character at an offset is not one that combines with those before it. */
bool oc_begins_cluster(const char *bytes, size_t at, size_t length);

/* Which brackets of a name lose what is between them. */
typedef enum oc_brackets {
    OC_BRACKETS_ANGLE, /* <...>, of templates */
    OC_BRACKETS_ALL,   /* and (...), of calls */
} oc_brackets;

/* Appends a name whose template arguments, and arguments of calls, are an ellipsis between their
 * brackets, or where `bare`, nothing without any. Brackets that are something else stay: those of
 * operator<, operator() and ->, those after a blank or at the beginning as in "(anonymous
 * namespace)", comparisons, and all where some have no partner. */
void oc_without_arguments(oc_text *text, const char *name, oc_brackets brackets, bool bare);

/* Whether the name begins with a `/` or has two: its components are parted by them. */
bool oc_is_path(const char *name);

/* Where the next component of a qualified name (a::b), or of a path (a/b/c), begins after `from`:
 * the offset of the separator before it; the length of the name where there is none. */
size_t oc_next_component(const char *name, size_t from, bool path);

#endif

/* What notes look like in JSON. */
#ifndef OC_NOTES_TEXT_H
#define OC_NOTES_TEXT_H

#include "base/text.h"

/* What is found in bytes, which it refers to. */
typedef struct oc_noted {
    const char *list; /* the notes as JSON: [..] */
    size_t length;
    size_t count;         /* of them */
    const char *metadata; /* as JSON: {..}; NULL: none is given */
    const char *end;      /* of the bytes */
} oc_noted;

/* Reads {"notes":[..],"metadata":{..}} in JSON, whose texts alone are values. False for anything
 * else. O(size). */
bool oc_noted_read(oc_noted *noted, const char *bytes, size_t size);

/* Reads the next member of the metadata from *at, which begins as NULL, into a key and a value,
 * which are cleared first. False at the end. */
bool oc_noted_next(oc_text *key, oc_text *value, const oc_noted *noted, const char **at);

/* The same of the members of all notes; *begins is whether a note begins with it. */
bool oc_noted_next_of_notes(oc_text *key, oc_text *value, bool *begins, const oc_noted *noted,
                            const char **at);

#endif

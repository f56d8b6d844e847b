/* What an event carries, in words. */
#include "viz/gantt/gantt.h"

#include "viz/words/words.h"

#include <string.h>

enum { LINES_MOST = 10 };

/* Appends a string or number of JSON as people read it, and gives what follows it. */
static const char *add_plain(oc_text *text, const char *json)
{
    const bool quoted = *json == '"';
    oc_text plain = {0};
    for (json += quoted; *json != '\0' && (quoted ? *json != '"' : strchr(",}", *json) == NULL);
         json++) {
        const bool escaped = *json == '\\' && json[1] != '\0' && json[1] != 'u';
        json += escaped;
        if (escaped && strchr("bfnrt", *json) != NULL)
            oc_text_add(&plain, " ");
        else
            oc_text_append(&plain, json, 1);
    }
    if (plain.bytes != NULL)
        oc_clean_add(text, plain.bytes, false);
    text->failed = text->failed || plain.failed;
    oc_text_free(&plain);
    return quoted && *json != '\0' ? json + 1 : json;
}

void oc_gantt_add_attributes(oc_text *text, const char *attributes)
{
    unsigned lines = 0;
    while (attributes != NULL && (*attributes == '{' || *attributes == ',')) {
        if (lines++ == LINES_MOST) {
            oc_text_add(text, "\n\xE2\x80\xA6");
            return;
        }
        oc_text_add(text, "\n");
        attributes = add_plain(text, attributes + 1);
        oc_text_add(text, ": ");
        attributes = add_plain(text, *attributes == ':' ? attributes + 1 : attributes);
    }
}

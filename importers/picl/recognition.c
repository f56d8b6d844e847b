/* Whether a file is a PICL trace: its first lines are records. */
#include "importers/picl/reader.h"

enum { LOOKED_AT = 32, LONGEST = 1024 };

/* What the lines that have been looked at are. */
typedef struct looking {
    picl_form form;
    int sure;
    bool has_first, has_words,
        has_others; /* an old trace is more than trace_start again and again */
} looking;

static bool look(looking *at, const char *text, size_t length)
{
    char line[LONGEST];
    picl_record record;
    if (memchr(text, '\0', length) != NULL) /* it is damaged */
        return at->has_first;
    if (length >= sizeof line)
        return false;
    memcpy(line, text, length);
    line[length] = '\0';
    if (!at->has_first) {
        at->form = picl_line_form(line);
        at->has_words = line[0] > '9';
    }
    if (picl_line_read(&record, line, at->form) != OCELOTL_OK)
        return false;
    at->has_others = at->has_others || record.event != PICL_OLD_START;
    /* A table of numbers may look like the old form, if that has no words. */
    if (at->form == PICL_OLD && !at->has_words &&
        (!picl_is_usual(&record) || record.processor < -32768))
        return false;
    if (!at->has_first && at->form == PICL_OLD)
        at->sure = record.event == PICL_OLD_START || at->has_words ? OC_SURE : OC_NO;
    else if (!at->has_first)
        at->sure =
            record.type == PICL_ENTRY && record.event == PICL_TRACING ? OC_SURE : OC_SURE / 2;
    at->has_first = true;
    return true;
}

/* The first lines have to be records, all that are not empty; the last may be cut. */
int picl_recognises(const oc_source *source)
{
    looking at = {.sure = OC_NO};
    const char *text = source->head.bytes;
    const char *end = text + source->head.length;
    for (int others = 0; text < end && others < LOOKED_AT; others += at.has_others) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((next != NULL ? next : end) - text);
        length -= length > 0 && text[length - 1] == '\r';
        if (length > 0 && !look(&at, text, length) && (next != NULL || !at.has_first))
            return OC_NO;
        text = next != NULL ? next + 1 : end;
    }
    return at.form == PICL_NEW || at.has_others || oc_source_has_suffix(source->path, ".picl")
               ? at.sure
               : OC_NO;
}

/* What readers of spans share: a span, whatever it is written as, and where it goes. */
#ifndef OC_IMPORTERS_SPANS_SPANS_H
#define OC_IMPORTERS_SPANS_SPANS_H

#include "importers/ingest/ingest.h"

enum { SPANS_NO_PARENT = OC_COMMON_ODDITIES, SPANS_NO_SPAN, SPANS_ODDITY_END };

/* Attributes that are kept: few, of few values. The kind is the first, the message the last. */
enum { SPANS_KEPT = 11, SPANS_MESSAGE = SPANS_KEPT - 1 };

extern const char *const spans_kept_names[SPANS_KEPT];

/* In time of what is sorted by ids: spans before what refers to them, one that shares its id with
 * its parent in between. */
enum { IS_SPAN, IS_SHARED, IS_REFERENCE };

/* A text that lives until the next span begins; an empty one stands for none. */
typedef struct spans_text {
    const char *bytes;
    size_t length;
} spans_text;

/* A span. */
typedef struct spans_span {
    spans_text trace, id, name, kind, kept[SPANS_KEPT];
    int64_t begin, end; /* nanoseconds since 1970 */
    bool is_error, is_shared;
} spans_span;

/* Another span that it refers to. */
typedef struct spans_reference {
    uint64_t to;
    bool follows;
} spans_reference;

typedef struct spans_reader {
    oc_ingest ingest;
    uint32_t service_type, span_type, link_type, child, follower, kept[SPANS_KEPT];
    oc_sorting *ids; /* spans by their ids, and references to them */
    oc_text service, instance, key;
    size_t instance_rank;
    oc_arena arena; /* of texts of the span at hand, that are not as they are written */
    spans_reference *references;
    size_t reference_count, reference_capacity;
    int64_t zero; /* of the file at hand, nanoseconds since 1970 */
    bool has_zero, has_span;
    bool has_raw_ids;     /* ids are bytes, not their hexadecimal digits */
    const char *producer; /* of the file at hand, */
    const char *said;     /* and that was told last */
    const char *events;   /* what its spans hold is called */
} spans_reader;

/* Begins the place of the spans that follow, and takes what a tag says of it. */
void spans_begin_place(spans_reader *reader);
ocelotl_status spans_take_place(spans_reader *reader, spans_text key, spans_text value);

/* Begins a span; takes what a tag says of it, and another span that it refers to. */
void spans_begin(spans_span *span, spans_reader *reader);
void spans_take_tag(spans_span *span, spans_text key, spans_text value);
ocelotl_status spans_refer(spans_reader *reader, spans_text trace, spans_text id, bool follows);

/* Adds a span at the place at hand. Errors: INPUT where its times cannot be. */
ocelotl_status spans_add(spans_reader *reader, spans_span *span);

/* Counts what is left out as it is within a span. */
ocelotl_status spans_leave_event(spans_reader *reader);

/* Skips what is broken, where the import is lenient, and tells who made the file. */
ocelotl_status spans_or_skip(spans_reader *reader, ocelotl_status status);

/* Read a file; its messages stand behind their lengths, or it is one. */
ocelotl_status spans_read_json(spans_reader *reader, const oc_source *source);
ocelotl_status spans_read_protobuf(spans_reader *reader, const oc_source *source, bool has_lengths);

/* Whether bytes begin with spans as protocol buffers, behind a length or not. */
bool spans_is_protobuf(const char *bytes, size_t length);

static inline bool spans_text_is(spans_text text, const char *what)
{
    return text.length == strlen(what) && memcmp(text.bytes, what, text.length) == 0;
}

#endif

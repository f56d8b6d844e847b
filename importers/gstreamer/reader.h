/* The reading of logs of GStreamer: what its files share. */
#ifndef OC_IMPORTERS_GSTREAMER_READER_H
#define OC_IMPORTERS_GSTREAMER_READER_H

#include "base/map.h"
#include "importers/common/align.h"
#include "importers/common/kinds.h"
#include "importers/common/lines.h"
#include "importers/common/oddities.h"
#include "importers/common/sorting.h"
#include "importers/gstreamer/line.h"
#include "importers/importer.h"

/* What is odd in logs. */
enum {
    GSTREAMER_OUT_OF_ORDER = OC_COMMON_ODDITIES,
    GSTREAMER_LINE_IN_LINE,
    GSTREAMER_CLOCKS,
    GSTREAMER_NO_VALUE,
    GSTREAMER_ODDITY_END
};

/* Lines as they are counted, beside those of each level. */
typedef enum gstreamer_kind {
    GSTREAMER_KIND_VARIABLE = GSTREAMER_LEVELS, /* what a tracer measured */
    GSTREAMER_KIND_EVENT,                       /* what else a tracer says */
    GSTREAMER_KIND_REST,                        /* of a message of several lines */
    GSTREAMER_KIND_EMPTY,
    GSTREAMER_KIND_OTHER,
    GSTREAMER_KINDS
} gstreamer_kind;

/* What a row is. */
typedef enum gstreamer_place {
    GSTREAMER_FILE, /* one of several */
    GSTREAMER_PROCESS,
    GSTREAMER_THREAD,
    GSTREAMER_PATH,    /* from an element to another, whose latency a tracer measures */
    GSTREAMER_ELEMENT, /* the same of an element */
    GSTREAMER_CATEGORY,
    GSTREAMER_FUNCTION,
    GSTREAMER_PLACES
} gstreamer_place;

/* A resource. Those of a thread end with it. */
typedef struct gstreamer_row {
    gstreamer_place place;
    uint32_t parent; /* or OCELOTL_NONE */
    char *name;
    bool is_used; /* it has bounds: */
    int64_t begin, end;
    int64_t newest;  /* the time of what was read last of it */
    uint32_t id;     /* the writer's, in the end */
    uint32_t stream; /* of its states, in the end; OCELOTL_NONE: not known yet */
} gstreamer_row;

/* Attributes of messages. The text is the last, since it may grow. */
typedef enum gstreamer_attribute {
    GSTREAMER_OBJECT,
    GSTREAMER_SOURCE,
    GSTREAMER_LEVEL,       /* where the value is the function */
    GSTREAMER_CATEGORY_OF, /*     likewise */
    GSTREAMER_MESSAGE_TEXT,
    GSTREAMER_ATTRIBUTES
} gstreamer_attribute;

/* A message that may go on in the next line. */
typedef struct gstreamer_pending {
    bool is_there;
    uint32_t row, function; /* the thread, and the row where it goes */
    uint32_t value;
    int64_t time;
    oc_text texts; /* the attributes, each behind the one before */
    size_t begins[GSTREAMER_ATTRIBUTES + 1];
} gstreamer_pending;

typedef struct gstreamer_reader {
    const oc_import *import;
    ocelotl_writer *writer;
    oc_oddities oddities;
    oc_kinds kinds;
    uint32_t kind_of[GSTREAMER_KINDS];
    oc_sorting *records; /* by row: messages (OTHER), and what tracers say */
    oc_lines lines;
    const char *path; /* of the file that is read, */
    uint32_t file;    /*     its row, or OCELOTL_NONE */
    oc_beginnings beginnings;
    uint64_t messages, file_messages;
    uint64_t done; /* bytes of files that were read */
    gstreamer_line line;
    gstreamer_pending pending;
    bool by_function; /* the value is the function, not the level */
    uint32_t state_type, levels[GSTREAMER_LEVELS];
    uint32_t attributes[GSTREAMER_ATTRIBUTES];
    uint32_t resource_types[GSTREAMER_PLACES];
    bool has_resource_type[GSTREAMER_PLACES];
    gstreamer_row *rows;
    size_t row_count, row_capacity;
    oc_map row_of;        /* (place, parent, name) -> row */
    oc_map value_of;      /* (type, name) -> value */
    oc_map variable_of;   /* what tracers measure -> type */
    uint32_t tracer_type; /* of what else tracers say, + 1; 0: none yet */
    uint32_t tracer_attribute;
    uint32_t last_process, last_thread; /* the thread asked for last, or OCELOTL_NONE */
    uint32_t process_count;
    oc_text key; /* scratch */
} gstreamer_reader;

/* --- Names: rows, types and values */

ocelotl_status gstreamer_names_begin(gstreamer_reader *reader);

/* The row of a name below another, made where it is new. */
ocelotl_status gstreamer_find_row(uint32_t *row, gstreamer_reader *reader, gstreamer_place place,
                                  uint32_t parent, gstreamer_text name);

/* The rows of the process and the thread of the line. */
ocelotl_status gstreamer_find_thread(uint32_t *row, gstreamer_reader *reader);

/* The resource type of rows, declared when it is first asked for. */
ocelotl_status gstreamer_find_type(uint32_t *type, gstreamer_reader *reader, gstreamer_place place);

/* The value of an event type by its name, made where it is new. */
ocelotl_status gstreamer_find_value(uint32_t *value, gstreamer_reader *reader, uint32_t type,
                                    gstreamer_text name);

/* Notes that something is in a row. */
void gstreamer_widen(gstreamer_reader *reader, uint32_t row, int64_t time);

void gstreamer_names_free(gstreamer_reader *reader);

/* --- Tracers: the records of GST_TRACER */

/* Whether the line is one. */
bool gstreamer_is_record(const gstreamer_line *line);

/* Takes it: the variables of those that are known, an event of others. */
ocelotl_status gstreamer_take_record(gstreamer_reader *reader, uint32_t thread);

/* --- Logs: the lines of a file */

ocelotl_status gstreamer_read_file(gstreamer_reader *reader, size_t file);

/* --- The end: resources, and all that was read */

ocelotl_status gstreamer_write(gstreamer_reader *reader);

static inline void gstreamer_note(gstreamer_reader *reader, size_t oddity)
{
    oc_oddities_note(&reader->oddities, oddity, reader->path, reader->lines.number);
}

#endif

/* The reading of PICL traces: each line is a record. Nothing depends on their order but that of
 * each processor. */
#ifndef OC_IMPORTERS_PICL_READER_H
#define OC_IMPORTERS_PICL_READER_H

#include "base/map.h"
#include "importers/common/kinds.h"
#include "importers/common/timelines.h"
#include "importers/importer.h"
#include "importers/picl/line.h"

/* What is odd in these traces. */
enum { PICL_FINE_TIME = OC_COMMON_ODDITIES, PICL_OUT_OF_ORDER, PICL_SIZES, PICL_ODDITY_END };

/* Whose numbers have names. */
typedef enum picl_named { PICL_PROCESSORS, PICL_EVENTS } picl_named;

typedef struct picl_row {
    int64_t processor;
    int64_t first, last;     /* times of its records */
    bool has_begin, has_end; /* its first is where it begins, its last where it ends */
    /* A call that has just been entered: where it is left at once, it takes no time. */
    bool is_entered;
    int64_t event, time;
    uint64_t line;
} picl_row;

typedef struct picl_reader {
    const oc_import *import;
    ocelotl_writer *writer;
    oc_oddities oddities;
    oc_kinds kinds;
    oc_timelines timelines;
    oc_sorting *sends, *receives;
    oc_source names;  /* the file of names beside the trace */
    const char *path; /* of the file that is read, */
    uint64_t line;    /* and where it is */
    bool has_form;
    picl_form form;  /* that of the first record */
    uint32_t digits; /* of a second, in ticks */
    int64_t largest; /* magnitude of a time */
    oc_map row_of;   /* processor -> row */
    picl_row *rows;
    size_t row_count, row_capacity;
    oc_map queue_of; /* (sender, receiver, tag) -> messages that keep their order */
    uint32_t queue_count;
    oc_map value_of; /* (event type, event) -> value */
    oc_map end_of;   /* value -> kind of the records that end it */
    oc_map text_of;  /* (whose, number) -> text */
    char **texts;    /* of the file of names */
    size_t text_count, text_capacity;
    oc_map type_of;                 /* (type around, its name) -> type of resources */
    oc_map group_of;                /* path -> resource */
    oc_timelines_row *destinations; /* by row */
    uint32_t state_type, mark_type, link_type, message;
    uint32_t state_data, mark_data, size_attribute, tag_attribute;
} picl_reader;

/* How sure it is that a file is a PICL trace, by its first lines (recognition.c). */
int picl_recognises(const oc_source *source);

/* --- Names (names.c): what numbers stand for is in a file beside the trace, where one is */

/* Takes one line of it: "processor NUMBER PATH" or "event NUMBER NAME". Errors: INPUT. */
ocelotl_status picl_take_name(picl_reader *reader, const char *line);

/* The name of a number; NULL: it has none. */
const char *picl_name_of(const picl_reader *reader, picl_named whose, int64_t number);

/* Declares types of events and links, of the form that the trace has. */
ocelotl_status picl_declare_types(picl_reader *reader);

/* The value of an event's states, or of a key's marks. */
ocelotl_status picl_find_value(uint32_t *value, picl_reader *reader, uint32_t type, int64_t event);

/* --- Rows (rows.c) */

/* The row of a processor, made where it is new; a record of it has a time. */
ocelotl_status picl_find_row(uint32_t *row, picl_reader *reader, int64_t processor, int64_t time);

/* Declares the processors, and where their rows go. */
ocelotl_status picl_declare_rows(picl_reader *reader);

/* --- Records (records.c) */

/* Does what a record says. Errors: INPUT, without the place. */
ocelotl_status picl_take_record(picl_reader *reader, const picl_record *record);

/* Counts an end of a state that did not begin, as oc_timelines_plan has it. */
ocelotl_status picl_leave_out(void *context, const oc_sorted *end);

/* Begins the states of calls that were never left. */
ocelotl_status picl_finish(picl_reader *reader);

/* --- Messages (messages.c) */

/* Takes the end of a message that is in a row: it is sent there, or received. */
ocelotl_status picl_take_end(picl_reader *reader, uint32_t row, bool is_sent, int64_t time,
                             int64_t other, int64_t tag, int64_t bytes);

/* Links both ends of all messages. */
ocelotl_status picl_link(picl_reader *reader);

#endif

/* What reads Paje traces: their files, what has been declared, and the events that wait to be
 * applied. */
#ifndef OC_IMPORTERS_PAJE_READER_H
#define OC_IMPORTERS_PAJE_READER_H

#include "importers/common/clock.h"
#include "importers/importer.h"
#include "importers/paje/apply.h"
#include "importers/paje/parse.h"
#include "importers/paje/pipeline.h"

/* Oddities of this format. */
typedef enum paje_oddity {
    PAJE_VALUE_TWICE = OC_COMMON_ODDITIES,
    PAJE_TIME_ROUNDED,
    PAJE_EVENT_UNKNOWN,
    PAJE_FIELD_IGNORED,
    PAJE_COLOUR_UNREADABLE,
    PAJE_FILE_EMPTY,
    PAJE_ODDITY_END
} paje_oddity;

typedef struct paje_file {
    uint32_t number;
    oc_source *source; /* given, or `own` where a trace names the file */
    oc_source own;
    const char *node; /* the name of the file's own resource, NULL: it has none */
    paje_scope *scope;
    paje_text text;
    paje_block *block; /* whose lines are read, where several files are; */
    paje_lines lines;
    uint64_t position; /* of the source at the end of its block */
    paje_definitions definitions;
    uint64_t kept_lines;                    /* that said something */
    paje_definition *definition;            /* of the line at hand */
    paje_field words[PAJE_MOST_FIELDS + 2]; /* its number and its fields */
    /* Where several files are read: */
    bool is_held;    /* the line at hand waits until its time is the earliest of all files, */
    int64_t time;    /* which is this one */
    int number_held; /* -1: it is read the long way */
    bool is_begun;   /* a line has been asked for */
} paje_file;

/* Blocks of the only file that are read ahead by any thread. */
typedef struct paje_ahead {
    paje_queue blocks;
    bool ended;
    /* What lines are read by (names, definitions, the tick) changes only while this is held and no
     * reader is left. Both are atomic. */
    bool is_held;
    uint32_t readers;
    paje_parser *parsers; /* one for each thread */
    uint32_t parser_count;
} paje_ahead;

typedef struct paje_reader {
    oc_arena arena; /* it, its files and their scopes */
    const oc_import *import;
    ocelotl_writer *writer;
    paje_file *file;    /* whose line is read */
    paje_file **files;  /* in the order in which they were given, and named */
    const char **paths; /* their names for messages */
    size_t file_count, file_capacity, path_capacity;
    oc_kinds kinds;
    paje_scope **scopes;
    size_t scope_count, scope_capacity;
    paje_names names;
    paje_stacks stacks;
    oc_oddities oddities;
    paje_pipeline pipeline;
    paje_ahead ahead;
    uint32_t unit_digits;             /* of the unit of the trace's times: 3 for ms */
    uint32_t digits;                  /* behind the point that a tick has now, */
    int64_t power;                    /* and ten to that power */
    uint64_t line_count, next_report; /* of progress, at this line, where several files are read */
    bool has_first;                   /* --align begin: a file has had a time, */
    int64_t first;                    /* and this was it */
    uint32_t *heap;                   /* of the files that hold a line, the earliest first */
    size_t heap_count, heap_capacity;
} paje_reader;

/* The field of the line at hand with a meaning; empty where its event has none. */
static inline paje_field paje_get(const paje_file *file, paje_meaning meaning)
{
    const int place = file->definition->place[meaning];
    return place < 0 ? (paje_field){"", 0} : file->words[1 + place];
}

static inline void paje_note(paje_reader *reader, size_t oddity)
{
    oc_oddities_note(&reader->oddities, oddity, reader->file->source->path,
                     reader->file->lines.number);
}

/* files.c: */

/* Adds a file that was given, in a scope of its own: below a resource called `node`, of a type of
 * the writer's, or, where `node` is NULL, below the root. */
ocelotl_status paje_files_add(paje_reader *reader, oc_source *source, const char *node,
                              uint32_t node_type);

/* Adds a file that the line at hand names. One that is read already is not read twice. Errors:
 * INPUT without the place, for one that the trace may not name. */
ocelotl_status paje_files_name(paje_reader *reader, const char *name);

/* Reports progress. Errors: CANCELLED. */
ocelotl_status paje_report(paje_reader *reader);

/* Nothing is read any more; before the pipeline is freed. */
void paje_files_stop(paje_reader *reader);
void paje_files_free(paje_reader *reader);

/* resolve.c: */

/* Shifts a time of the file at hand, if files are to begin at once (--align begin): the first time
 * of each decides by how much. False if it does not fit. */
bool paje_shift_time(int64_t *time, paje_reader *reader);

/* Reads the time of a line as ticks; ticks become as fine as its digits need. */
ocelotl_status paje_read_time(int64_t *time, paje_reader *reader);

/* The parser of this thread, ready for a file's lines; their words are kept in `words`, or, where
 * that is NULL, by the parser. */
paje_parser *paje_reader_parser(paje_reader *reader, uint32_t thread, paje_field *words);

/* Reads the next line the long way, which is done by paje_do_line if it is an event. */
ocelotl_status paje_next_line(bool *is_event, paje_reader *reader);
ocelotl_status paje_do_line(paje_reader *reader);

/* Adds the event of a held line that was read quickly; false where it is to be read the long
 * way. */
bool paje_add_quickly(paje_reader *reader, int number);

/* Skips the line at hand, which is broken, or fails with its place. */
ocelotl_status paje_fail_line(paje_reader *reader, ocelotl_status status);

/* The same of a line that is too long, which stands alone in its block. */
ocelotl_status paje_pass_long_line(paje_reader *reader, paje_block *block);

/* Fails for lost compressed data, with the line where the text ends. */
ocelotl_status paje_fail_lost(const paje_file *file);

/* Ends a file that has been read: what it lacks is said. */
ocelotl_status paje_check_file(paje_reader *reader, paje_file *file);

/* reading.c: */

ocelotl_status paje_ahead_begin(paje_reader *reader);
void paje_ahead_free(paje_reader *reader);

/* Reads the lines of the only file, until it is over or names another. */
ocelotl_status paje_read_alone(paje_reader *reader);

/* Reads all lines of all files in the order of their times. */
ocelotl_status paje_read_merged(paje_reader *reader);

#endif

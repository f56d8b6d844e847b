/* One way in for all formats: a decoder says what happens where, in any order of time.
 *
 *     oc_ingest_open -> oc_ingest_files or oc_ingest_lines
 *                           -> oc_ingest_row, _type, _value .. -> oc_ingest_add, oc_ingest_side ..
 *                    -> oc_ingest_write -> oc_ingest_close
 *
 * Names are found or made by one call. Everything that is added is sorted in bounded memory; begins
 * find their ends, both sides of links each other; states nest as their type says, and those that
 * cross get lanes; oddities are counted and the first place of each is kept; resources are named
 * and put in order when all is known. docs/developer/import.md shows a decoder line by line.
 *
 * One thread uses an ingest. Functions that give a status fail for MEMORY, for IO where a run of a
 * sorting cannot be written, and as the writer does, beside what each says. */
#ifndef OC_IMPORTERS_INGEST_INGEST_H
#define OC_IMPORTERS_INGEST_INGEST_H

#include "base/arena.h"
#include "base/map.h"
#include "importers/common/clock.h"
#include "importers/common/kinds.h"
#include "importers/common/lines.h"
#include "importers/importer.h"
#include "importers/ingest/align.h"
#include "importers/ingest/timelines.h"

/* When a row's life begins and ends, unless oc_ingest_row_live says it: flags. Where files that are
 * aligned at the end share their roots, all rows live with the trace. */
typedef enum oc_life {
    OC_LIVES_ALWAYS = 0,           /* with the trace */
    OC_BEGINS_WITH_CONTENT = 1,    /* with the first of what happens in it and below it */
    OC_ENDS_WITH_CONTENT = 2,      /* with the last of it */
    OC_LIVES_WITH_CONTENT = 1 | 2, /* both */
    OC_LIVES_WITH_PARENT = 4       /* as the row around it */
} oc_life;

/* A place where something happens: a resource of the trace to be. A decoder may set `order`,
 * `life`, `is_around` and `detail`. */
typedef struct oc_ingest_row {
    uint32_t parent;       /* the row around it, or OCELOTL_NONE */
    uint32_t type;         /* of the resource, the writer's; unless it is known in the end: */
    const char *type_name; /* it is called so, below that of the row around it */
    uint32_t file;         /* that it was first met in, by number */
    const char *id;    /* tells it from others of its parent and type; it is called so, unless */
    const char *name;  /* it has a name, which others may have as well: */
    const char *label; /* this tells them apart better than the id, or is NULL */
    bool is_around;    /* it is no resource, but the one around it; at the root it is none */
    int64_t order;     /* of the producer: the lower comes first, then numbers at the end of ids */
    oc_life life;      /* whether its begin and its end follow from what happens, */
    bool has_begin, has_end, has_content;
    int64_t begin, end; /* or are said */
    int64_t first, last;
    uint32_t resource; /* the writer's, once written; OCELOTL_NONE: nothing happens there */
    int64_t detail;    /* what the decoder likes */
} oc_ingest_row;

/* What is known of a row besides. */
typedef struct oc_ingest_remark {
    uint32_t row;
    const char *name, *text;
} oc_ingest_remark;

/* A name that was asked for not long ago, if it is short. */
typedef struct oc_ingest_recent {
    uint32_t head[3], number, length;
    char name[44];
} oc_ingest_recent;

enum { OC_INGEST_RECENT = 256 };

/* A type of events that is declared at the end. */
typedef struct oc_ingest_type {
    ocelotl_category category;
    uint32_t row; /* it belongs to the type of this, OCELOTL_NONE: to any */
    uint32_t attribute_count;
    const char *name;
} oc_ingest_type;

/* A value of such a type (or an attribute). */
typedef struct oc_ingest_late {
    uint32_t type;
    bool is_attribute;
    const char *name;
} oc_ingest_late;

/* Zero-initialised it is closed. A decoder reads `writer`, `oddities`, `kinds`, `rows`, `path`,
 * `line`, `file`, `file_row` and `file_type`. It may set what comes first here, partly before the
 * opening, and where files are aligned at the end the clocks of `files`. */
typedef struct oc_ingest {
    uint32_t unit_digits;  /* times are in units of 10^-unit_digits seconds, and */
    bool is_coarse;        /* the first ticks are such units, not nanoseconds: before the opening */
    bool aligns_at_end;    /* every file has a row, and a shift at the end (--align) */
    bool keeps_empty_rows; /* rows without content are resources, too */
    bool declares_late;    /* types of events, values and attributes are declared at the end */
    bool orders_all;       /* `order` is among all rows, not only those with one row around them */
    bool outlives_ends;    /* what is told of a row after its end makes its life longer */
    bool exact;            /* an end that names what is not open ends nothing, not the innermost */
    bool is_fatal;         /* the line at hand is an error where the import is lenient, too */
    bool names_ends;       /* what an end carries otherwise than its begin is called "end_NAME" */
    oc_life life;          /* of rows that are made */
    uint32_t lane_type;    /* as oc_timelines_plan has it */
    ocelotl_status (*see)(void *decoder, const oc_sorted *record); /* likewise */
    ocelotl_status (*seen)(void *decoder);
    const oc_import *import;
    ocelotl_writer *writer;
    oc_oddities oddities;
    oc_kinds kinds;
    const char *path;    /* of the file at hand, */
    uint64_t line;       /* and where the decoder is in it */
    uint32_t file;       /* its number */
    uint32_t file_row;   /* its row, OCELOTL_NONE: it has none */
    uint32_t file_type;  /* the type of rows of files, OCELOTL_ROOT: they have none */
    uint64_t done, size; /* bytes of files before it, and of all */
    oc_beginnings beginnings;
    oc_timelines timelines;
    oc_map names; /* rows, types, values, attributes and keys of links */
    oc_text key;  /* scratch */
    oc_ingest_row *rows;
    size_t row_count, row_capacity;
    oc_ingest_remark *remarks;
    size_t remark_count, remark_capacity;
    const char **attributes; /* their names, by number, where ends are named */
    size_t attribute_count, attribute_capacity;
    oc_ingest_type *types; /* by number, where they are declared at the end */
    size_t type_count, type_capacity;
    oc_ingest_late *late;
    size_t late_count, late_capacity;
    uint32_t value_count;
    uint32_t link_keys;
    uint32_t digits; /* a tick is 10^-digits of the unit */
    int64_t largest; /* magnitude of a time */
    const char **paths;
    oc_aligned *files;
    oc_timelines_row *places; /* of rows, once written */
    oc_arena arena;           /* of texts */
    oc_ingest_recent recent[OC_INGEST_RECENT], *last_recent;
} oc_ingest;

/* Begins an import into a trace whose tick is a nanosecond, or coarse; `names` and `oddity_end` as
 * oc_import_oddities has them. It is closed in any case. */
ocelotl_status oc_ingest_open(oc_ingest *ingest, const oc_import *import, const char *format,
                              const char *const *names, size_t oddity_end);

/* Reads the lines of a file: calls `read` with each, ended by '\0' and without '\r', but for empty
 * ones, which are counted as left out. A line for which `read` gives INPUT is an error with its
 * place, or skipped and counted where the import is lenient. Reports progress and checks for
 * cancellation; warns of a last line without an end, and of a compressed file that is cut: what
 * ("trace") then lacks its rest. */
typedef ocelotl_status oc_ingest_line(void *decoder, char *line, size_t length);
ocelotl_status oc_ingest_lines(oc_ingest *ingest, const oc_source *source, const char *what,
                               oc_ingest_line *read, void *decoder);

/* Reports progress at the position of an input, and checks for cancellation. */
ocelotl_status oc_ingest_report(const oc_ingest *ingest, const oc_input *input);

/* Calls `read` with each source of the import: one of several has a row of its own, of type "File",
 * unless the files share their roots (--same-root). Notes what they are and how they are aligned.
 * Where they are aligned at the end each has a row, which is the root if it is alone or if they
 * share it; rows of several files that have one name in one place are then one resource. */
ocelotl_status oc_ingest_files(oc_ingest *ingest,
                               ocelotl_status (*read)(void *decoder, const oc_source *source),
                               void *decoder);

/* --- Names. Each is found by its text, or made; texts are copied. O(length) expected */

/* A type of resources below another (or OCELOTL_ROOT). */
ocelotl_status oc_ingest_resource_type(uint32_t *type, oc_ingest *ingest, uint32_t parent,
                                       const char *name);

/* The row of a type that has an id, inside another; OCELOTL_NONE stands for the file at hand. An
 * empty id is "(no name)". */
ocelotl_status oc_ingest_row_find(uint32_t *row, oc_ingest *ingest, uint32_t parent, uint32_t type,
                                  const char *id, size_t length);

/* A new row, which no name means. */
ocelotl_status oc_ingest_row_add(uint32_t *row, oc_ingest *ingest, uint32_t parent, uint32_t type,
                                 const char *id, size_t length);

/* The number of a name of the decoder's own, OC_MAP_NONE: it has none; then the same name may get
 * one at once. oc_ingest_own_set does so for a name that may have another. */
uint32_t oc_ingest_own(oc_ingest *ingest, uint32_t kind, uint32_t around, uint32_t type,
                       const char *name, size_t length);
ocelotl_status oc_ingest_own_keep(oc_ingest *ingest, uint32_t number);
ocelotl_status oc_ingest_own_set(oc_ingest *ingest, uint32_t kind, uint32_t around,
                                 const char *name, size_t length, uint32_t number);

/* Calls a row by another name than its id, until it is called anew. */
ocelotl_status oc_ingest_row_name(oc_ingest *ingest, uint32_t row, const char *name);

/* What tells it from others of its name, and what else is known of it: a note of the resource. */
ocelotl_status oc_ingest_row_label(oc_ingest *ingest, uint32_t row, const char *label);
ocelotl_status oc_ingest_row_remark(oc_ingest *ingest, uint32_t row, const char *name,
                                    const char *text);

/* Says when a row begins or ends (OC_INGEST_UNSAID: this does not say it). */
#define OC_INGEST_UNSAID INT64_MIN
void oc_ingest_row_live(oc_ingest *ingest, uint32_t row, int64_t begin, int64_t end);

/* Notes that something of a row is at a time, though nothing is added. */
void oc_ingest_row_see(oc_ingest *ingest, uint32_t row, int64_t time);

/* A type of events of resources of a type (OCELOTL_ROOT: of any). States nest as `nesting` says,
 * see importers/ingest/lanes.h; for others it is OC_NEST_BY_TIME. */
ocelotl_status oc_ingest_event_type(uint32_t *type, oc_ingest *ingest, ocelotl_category category,
                                    uint32_t resource_type, const char *name, oc_nesting nesting);

/* A new type of events of resources of the type that a row has in the end. */
ocelotl_status oc_ingest_late_type(uint32_t *type, oc_ingest *ingest, ocelotl_category category,
                                   uint32_t row, const char *name, size_t length);

/* A value of an event type, and an attribute that events of it carry: line ends in the name of that
 * become blanks, and one without is "(no name)". */
ocelotl_status oc_ingest_value(uint32_t *value, oc_ingest *ingest, uint32_t type, const char *name,
                               size_t length);
ocelotl_status oc_ingest_attribute(uint32_t *attribute, oc_ingest *ingest, uint32_t type,
                                   const char *name, size_t length);

/* The attribute of a name, OC_MAP_NONE if none is called so. */
uint32_t oc_ingest_attribute_known(oc_ingest *ingest, uint32_t type, const char *name);

/* The attribute of what an end carries otherwise than its begin, as oc_pairs has it. */
ocelotl_status oc_ingest_attribute_of_end(uint32_t *attribute, void *ingest, uint32_t type,
                                          uint32_t of_begin);

/* --- What happens */

/* Makes ticks finer, if all times fit then: *fits. */
ocelotl_status oc_ingest_refine(bool *fits, oc_ingest *ingest, uint32_t digits);

/* What is added to the times of a row when it is written: known from `see` on. */
static inline int64_t oc_ingest_shift(const oc_ingest *ingest, uint32_t row)
{
    return ingest->files[ingest->rows[row].file].shift;
}

/* Reads a time of any number of digits as ticks, which become as fine as it needs; a finer one than
 * a tick can be is noted as `rounded`. Errors: INPUT for one that does not fit. */
ocelotl_status oc_ingest_time(int64_t *time, oc_ingest *ingest, const oc_decimal *decimal,
                              size_t rounded);

/* Adds a state (SPAN), its BEGIN or END, an INSTANT or a VARIABLE. `stream` is the row. Of BEGIN
 * and END `order` is the row where the state is seen (usually the same), and `detail` becomes the
 * line at hand. */
ocelotl_status oc_ingest_add(oc_ingest *ingest, const oc_sorted *record);

/* Adds one side of a link, a LINK_BEGIN or LINK_END at a row: the n-th that begins with a key is
 * the n-th that ends with it, in order of time. A link carries the attributes of its begin, and
 * those of its end that the begin lacks. */
ocelotl_status oc_ingest_side(oc_ingest *ingest, const oc_sorted *side, const void *key,
                              size_t length);

/* The same for a decoder whose keys, all of them, are numbers of its own. */
ocelotl_status oc_ingest_side_of(oc_ingest *ingest, const oc_sorted *side, uint64_t key);

/* Adds a link with both sides: oc_timelines_add_link, with rows. Its times are not shifted with
 * those of its rows. */
static inline ocelotl_status oc_ingest_link(oc_ingest *ingest, const oc_timelines_link *link)
{
    return oc_timelines_add_link(&ingest->timelines, link);
}

/* Counts a record of the source by its kind and fate, as ocelotl_writer_source_kind has them. */
ocelotl_status oc_ingest_count(oc_ingest *ingest, const char *kind, ocelotl_fate fate,
                               const char *why);

/* Counts an oddity at the line at hand. */
static inline void oc_ingest_note(oc_ingest *ingest, size_t oddity)
{
    oc_oddities_note(&ingest->oddities, oddity, ingest->path, ingest->line);
}

/* --- The end */

/* Writes all of it. `left_out` counts an end without its begin as left out, or is NULL. Errors:
 * INPUT, with `empty` (unless it is NULL) as what is wrong, where nothing happens in any row. */
ocelotl_status oc_ingest_write(oc_ingest *ingest, const char *empty,
                               ocelotl_status (*left_out)(void *decoder, const oc_sorted *end),
                               void *decoder);

/* The two halves of that, for a decoder that writes in between, in order of time: rows have their
 * resources then. */
ocelotl_status oc_ingest_declare(oc_ingest *ingest, const char *empty);
ocelotl_status oc_ingest_end(oc_ingest *ingest,
                             ocelotl_status (*left_out)(void *decoder, const oc_sorted *end),
                             void *decoder);

void oc_ingest_close(oc_ingest *ingest);

/* A decoder whose first member is its ingest: from its opening to its end. */
typedef struct oc_ingest_decoder {
    size_t size;                                                    /* it is made of zeros */
    ocelotl_status (*open)(void *decoder, const oc_import *import); /* and the ingest */
    ocelotl_status (*read)(void *decoder, const oc_source *source); /* as for oc_ingest_files */
    void (*free)(void *decoder); /* what it owns but for its ingest; NULL: nothing */
    /* NULL, or between the files and what is written */
    ocelotl_status (*end)(void *decoder);
    const char *empty; /* these as oc_ingest_write has them */
    ocelotl_status (*left_out)(void *decoder, const oc_sorted *end);
} oc_ingest_decoder;

/* Makes a decoder, opens it, reads all files, writes the trace, and frees it. */
ocelotl_status oc_ingest_import(const oc_ingest_decoder *how, const oc_import *import);

#endif

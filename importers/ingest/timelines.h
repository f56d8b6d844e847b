/* Sorts what happens in rows, and writes it. For formats that are not in order of time, or whose
 * names are known only at their end.
 *
 *     oc_timelines_open -> oc_timelines_add, oc_timelines_link .. -> oc_timelines_write
 *
 * A row is a number of the importer's, from 0, which becomes a resource at the end. Types, values
 * and attributes are the writer's from the beginning. States may be spans or begins and ends; they
 * may cross (importers/ingest/lanes.h) and lack the other half (importers/ingest/pairs.h); all are
 * kept, and oddities are counted. Memory does not grow with the number of records. */
#ifndef OC_IMPORTERS_COMMON_TIMELINES_H
#define OC_IMPORTERS_COMMON_TIMELINES_H

#include "importers/common/oddities.h"
#include "importers/ingest/lanes.h"
#include "importers/ingest/pairs.h"

/* What is known of a row before the end. */
typedef struct oc_timelines_known {
    bool is_indirect; /* it has begins, ends or groups: it is sorted a second time */
    bool has_bounds;
    int64_t begin, end;
} oc_timelines_known;

/* A state that lasts until another of its type replaces it. */
typedef struct oc_timelines_replaced {
    uint32_t type, row, stream;
} oc_timelines_replaced;

/* Zero-initialised it is closed. */
typedef struct oc_timelines {
    ocelotl_writer *writer;
    oc_oddities *oddities;
    oc_sorting *records; /* as they were added, by row, group and time */
    oc_sorting *grouped; /* of indirect rows, with ends that have found their begins, by resource */
    oc_sorting *links;   /* by time */
    oc_sorting *sides[2];      /* of links: where they begin, where they end, by key and time */
    oc_timelines_known *known; /* by row */
    size_t known_count, known_capacity;
    bool has_bounds;
    int64_t begin, end; /* of all, with the shifts of rows: known from oc_timelines_write on */
    oc_pairs pairs;
    oc_lanes lanes;
    uint32_t *open_attributes; /* by event type: "open", + 1; 0: not declared */
    size_t open_capacity, open_count;
    unsigned char *nestings; /* by event type: an oc_nesting; behind them: by time */
    size_t nesting_count, nesting_capacity;
    oc_timelines_replaced *replaced; /* what is open of them in the row at hand */
    size_t replaced_count, replaced_capacity;
    uint32_t *types;                  /* of resources, where lanes need them */
    ocelotl_attribute_value *carried; /* by a link that is matched */
    size_t carried_capacity;
} oc_timelines;

/* Where a row goes. */
typedef struct oc_timelines_row {
    uint32_t resource; /* the writer's, */
    uint32_t type;     /* and its type, where lanes have none of their own */
    int64_t shift;     /* ticks that are added to its times */
    uint32_t file;     /* whose row it is, by number */
    /* It begins or ends at a time, with its shift: no record is before or behind that. */
    bool has_begin, has_end;
    int64_t begin, end;
    /* Another rank writes what happens there: of links with no row of this one, the streams alone
     * are declared, in the same order on all ranks. */
    bool is_elsewhere;
} oc_timelines_row;

/* What is known at the end of the source. */
typedef struct oc_timelines_plan {
    const oc_timelines_row *rows;
    size_t row_count;
    bool merges;              /* rows may share a resource */
    bool ends_rows;           /* resources of rows that have an end end before links are written */
    bool exact;               /* an end that names what is not open ends nothing else */
    uint32_t lane_type;       /* the type of lanes; OCELOTL_NONE: one below each type of rows */
    const char *const *files; /* by number, for places */
    /* Sees what a row holds in order of group and time, before it is written: each begin, span and
     * record of kind OTHER, without the shift. May add links. NULL: nobody does. */
    ocelotl_status (*see)(void *context, const oc_sorted *record);
    /* Is called when `see` has seen all, and may add links. NULL: nobody is. */
    ocelotl_status (*seen)(void *context);
    /* Counts an end without a begin as left out, as it was counted as a state; or NULL. */
    ocelotl_status (*left_out)(void *context, const oc_sorted *end);
    void *context;
    /* As oc_pairs has it; or NULL. */
    ocelotl_status (*of_end)(uint32_t *attribute, void *names, uint32_t type, uint32_t of_begin);
    void *names;
} oc_timelines_plan;

/* Begins; `memory` is what all of it holds at most, about. Errors: MEMORY. */
ocelotl_status oc_timelines_open(oc_timelines *timelines, ocelotl_writer *writer,
                                 oc_oddities *oddities, const char *target, size_t memory);

/* Says how states of a type nest, before they are added; else it is by time. Those that replace
 * each other are begins, or begins and ends: the last of a row ends with it, and nobody else's
 * states are in the row where they are seen, which merges with no other. */
ocelotl_status oc_timelines_nest(oc_timelines *timelines, uint32_t type, oc_nesting nesting);

/* Adds a record, whose stream is its row. For a BEGIN and an END `detail` is the line, for
 * messages, and `order` the row of the state: usually the same row, but if ends can name other rows
 * than their begins, both are added to one row without a resource. The value of an END may be
 * OCELOTL_NONE. Begins and ends match within their group, and states nest within it if it is not 0.
 * A LINK_ kind is an error of the program. Errors: as oc_sorting_add. */
ocelotl_status oc_timelines_add(oc_timelines *timelines, const oc_sorted *record);

/* A link; a row of OCELOTL_NONE is not known. */
typedef struct oc_timelines_link {
    uint32_t from, to; /* rows */
    int64_t begin, end;
    uint32_t type, value;
    uint32_t order; /* of those that begin and end with it the lower comes first */
    const ocelotl_attribute_value *attributes;
    size_t attribute_count;
} oc_timelines_link;

/* Adds a link with all that is known of it. It may end before it begins. Its times are not shifted
 * with its rows. */
ocelotl_status oc_timelines_add_link(oc_timelines *timelines, const oc_timelines_link *link);

/* Adds one side of a link, a LINK_BEGIN or LINK_END at the row `stream`, whose key is `order` and
 * `group`: the n-th that begins with a key is the n-th that ends with it, in order of time. A link
 * carries the attributes of its begin, and those of its end that the begin lacks. `detail` is the
 * line, for messages. */
ocelotl_status oc_timelines_add_side(oc_timelines *timelines, const oc_sorted *side);

/* Multiplies all times that were added, if they fit: *fits says so. Errors: LIMIT. */
ocelotl_status oc_timelines_refine(bool *fits, oc_timelines *timelines, uint64_t factor);

/* The first and last tick that was added, by row: false where nothing was. */
static inline bool oc_timelines_bounds(int64_t *begin, int64_t *end, const oc_timelines *timelines,
                                       uint32_t row)
{
    if (row >= timelines->known_count || !timelines->known[row].has_bounds)
        return false;
    *begin = timelines->known[row].begin;
    *end = timelines->known[row].end;
    return true;
}

/* Writes all of it. States without an end last to the end of their row, or of all that was added,
 * and carry the attribute "open"; ends without a begin are states from its beginning where the
 * import is lenient, else counted. Errors: those of sortings, of the writer, and of the plan. */
ocelotl_status oc_timelines_write(oc_timelines *timelines, const oc_timelines_plan *plan);

void oc_timelines_free(oc_timelines *timelines);

#endif

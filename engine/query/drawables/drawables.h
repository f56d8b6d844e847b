/* How drawables are made: one row after the other, each by the file for its category. */
#ifndef OC_QUERY_DRAWABLES_DRAWABLES_H
#define OC_QUERY_DRAWABLES_DRAWABLES_H

#include "query/drawables.h"
#include "store/read/walk.h"
#include "store/select/filter.h"

/* --- A window cut into cells of time, each as wide as the narrowest visible object */

/* Empty if zero-initialised. */
typedef struct oc_time_cells {
    int64_t from, to;
    int64_t last; /* the last tick of what happens in the window */
    uint32_t count;
    int64_t narrow; /* what lasts less is narrow; what lasts as long reaches into the next cell */
    /* count + 1: a cell begins at its border, the last one ends with the window */
    int64_t *borders;
} oc_time_cells;

/* About `wanted` cells (1 or more) of a window; *cells is to be freed in any case. */
ocelotl_status oc_time_cells_make(oc_time_cells *cells, int64_t from, int64_t to, uint32_t wanted);
void oc_time_cells_free(oc_time_cells *cells);

/* The cell of an instant in the window, from a cell that begins before it. O(1) amortised. */
static inline uint32_t oc_time_cells_next(const oc_time_cells *cells, uint32_t cell, int64_t time)
{
    while (cell + 1 < cells->count && time >= cells->borders[cell + 1])
        cell++;
    return cell;
}

/* The cell of any instant, the first or the last for those outside. O(log cells). */
uint32_t oc_time_cells_find(const oc_time_cells *cells, int64_t time);

/* The last instant of a cell. */
static inline int64_t oc_time_cells_last(const oc_time_cells *cells, uint32_t cell)
{
    return cell + 1 < cells->count ? cells->borders[cell + 1] - 1 : cells->last;
}

/* --- What is made */

/* As it is kept. */
typedef struct oc_object {
    int64_t begin, end, ticks;
    uint64_t count;
    uint64_t share; /* its first share; of a variable, its numbers */
    uint32_t value, lane, shares;
    bool begins_before, ends_after, deep;
    char *attributes; /* its own; what a single one carries, or NULL */
} oc_object;

typedef struct oc_numbers {
    double low, high, mean;
} oc_numbers;

typedef struct oc_drawn_row {
    /* stream: of its events, OCELOTL_NONE for a row without any */
    uint32_t resource, event_type, stream;
    uint32_t lanes, pool;
    uint32_t room;       /* see ocelotl_drawn_row */
    size_t first, count; /* objects in the pool */
} oc_drawn_row;

/* What one thread has made. */
typedef struct oc_drawn_pool {
    oc_object *objects;
    size_t object_count, object_capacity;
    ocelotl_drawn_share *shares;
    size_t share_count, share_capacity;
    oc_numbers *numbers;
    size_t number_count, number_capacity;
    ocelotl_drawn_link *links;
    size_t link_count, link_capacity;
    uint64_t links_left_out, links_wrong, links_outside;
} oc_drawn_pool;

struct ocelotl_drawables {
    ocelotl_trace *trace;
    oc_catalogue catalogue;
    oc_kept_paths paths; /* of the rows */
    oc_filter filter;
    ocelotl_drawables_info info;
    oc_drawn_row *rows;
    size_t row_count, row_capacity;
    uint32_t *depths;     /* by resource */
    oc_drawn_pool *pools; /* the links are in the first one */
    uint32_t pool_count;
    ocelotl_drawn_piece *line;
    uint32_t piece_count;
};

/* A state or link that is open. */
typedef struct oc_live {
    oc_open_event event;
    uint32_t lane, cell;
} oc_live;

/* An event on its way to an object: cut to the window, in the cell where it begins then. */
typedef struct oc_piece {
    int64_t begin, end;
    uint32_t cell, lane, value;
    bool begins_before, ends_after;
    double number;         /* variables */
    const oc_live *live;   /* states */
    const oc_record *ends; /* what it carries at its end, or NULL */
} oc_piece;

/* What is being merged in a lane: the narrow ones of one cell. */
typedef struct oc_merge {
    oc_object object; /* count 0: nothing */
    uint32_t cell;
    double low, high, integral, last;
    ocelotl_drawn_share *shares; /* of all values */
    size_t share_count, share_capacity;
} oc_merge;

/* What a total of a stream was where a run of chunks began. Totals keep their places from chunk to
 * chunk. */
typedef struct oc_before {
    oc_total total;
    uint32_t open;
} oc_before;

/* A link with the cells of its ends. What it carries is its own, here and in a pool. */
typedef struct oc_link {
    ocelotl_drawn_link link;
    uint32_t begin_cell, end_cell;
} oc_link;

/* What events carry, on its way to those that are single. */
typedef struct oc_carrying {
    oc_text json; /* of the last one */
    oc_walk walk; /* looks for a beginning that was passed over */
    bool looked;  /* the walk is at an instant, `at`, of the stream with this index */
    uint32_t index;
    int64_t at;
    struct oc_began *began; /* what began there, by value */
    size_t began_count, began_capacity;
    size_t row_bytes;     /* what the row's objects carry together; */
    int64_t row_shortest; /* shorter ones carry nothing, as all together would be too much */
} oc_carrying;

/* What drawables are made with: first what all threads share, then a thread's own. */
typedef struct oc_drawing {
    ocelotl_drawables *made;
    const ocelotl_trace *trace;
    oc_watch *watch; /* in rows, then streams of links */
    oc_time_cells cells;
    uint32_t max_values, max_links;
    bool coarse;
    bool with_attributes, only_wrong;
    const ocelotl_drawables *like; /* whose rows are those to draw; NULL: all */
    const char *at;                /* see ocelotl_drawables_options, as `places` */
    const uint32_t *places;
    bool *resources, *event_types; /* what is selected */
    uint32_t *row_of_resource;     /* the first one, or OCELOTL_NONE */
    oc_drawn_pool *pool;
    oc_walk walk; /* what is open are oc_live */
    uint32_t index;
    const oc_stream *stream; /* that is read, with its index */
    bool filtered;           /* some of it is hidden, so that its totals say nothing; */
    bool read;               /* which depends on more than values */
    bool described;          /* what is single says what it carries */
    oc_carrying carrying;
    uint32_t row;
    oc_merge *merges; /* by lane */
    size_t merge_count, merge_capacity;
    bool *busy; /* by lane: whether a state is open there */
    size_t busy_capacity;
    size_t first_free; /* no lane before it is free */
    oc_live *old;      /* what was open before a run of chunks, and may not be any more */
    size_t old_count, old_capacity;
    oc_before *before; /* totals where a run of chunks began, */
    size_t before_count, before_capacity;
    size_t before_open; /* and how many were open there */
    oc_link *links;     /* of the stream */
    size_t link_count, link_capacity;
} oc_drawing;

/* What is open, below walk.open.count. */
static inline oc_live *oc_drawing_live(const oc_drawing *drawing, size_t index)
{
    return oc_walk_open(&drawing->walk, index);
}

/* Whether a stream is selected, and has something. */
bool oc_drawing_wants(const oc_drawing *drawing, const oc_stream *stream);

/* --- Objects (drawn_objects.c) */

/* An event becomes an object of its own, or part of one. Those of a lane come in order of time. */
ocelotl_status oc_drawing_add(oc_drawing *drawing, const oc_piece *piece);

/* Goes to the merged object of a lane and cell, to add to it. */
ocelotl_status oc_drawing_merge(oc_merge **merge, oc_drawing *drawing, uint32_t lane,
                                uint32_t cell);

/* Adds to what is merged: its extent, and a value. */
void oc_merge_extend(oc_merge *merge, int64_t begin, int64_t end);
ocelotl_status oc_merge_count(oc_merge *merge, uint32_t value, uint64_t count, int64_t ticks);

/* Ends the row: gives all that is merged, in order. */
ocelotl_status oc_drawing_end_row(oc_drawing *drawing);

/* --- What single events carry (drawn_attributes.c) */

/* Gives the attributes of an event as JSON, from its begin and a record (either may be NULL). The
 * text lives until the next call; NULL for nothing, or if attributes are not wanted. */
ocelotl_status oc_drawing_describe(const char **json, oc_drawing *drawing, const oc_carried *begins,
                                   const oc_record *ends);

/* The same for a state or link whose begin may have been skipped; NULL if several began there, as
 * they cannot be distinguished. */
ocelotl_status oc_drawing_describe_live(const char **json, oc_drawing *drawing, const oc_live *live,
                                        const oc_record *ends);

/* Gives an object its own copy. */
ocelotl_status oc_drawing_attach(oc_drawing *drawing, oc_object *object, const char *json);

/* Takes them from the shortest objects of the row where together they are too long. */
void oc_drawing_bound_attributes(oc_drawing *drawing);

void oc_carrying_free(oc_carrying *carrying);

/* --- Streams: each walks through drawing->stream */

/* states, links where they begin (drawn_intervals.c) */
ocelotl_status oc_draw_intervals(oc_drawing *drawing);
ocelotl_status oc_draw_instants(oc_drawing *drawing); /* events */
ocelotl_status oc_draw_steps(oc_drawing *drawing);    /* variables */

/* --- Chunks that need not be read */

/* Begins the walk; what begins after `to` is not wanted. */
ocelotl_status oc_drawing_walk(oc_drawing *drawing, int64_t to, bool within);

/* The last chunk that begins within the cell in which chunk `chunk` begins, or before. All chunks
 * between the two lie inside the cell. */
size_t oc_drawing_last_inside(const oc_drawing *drawing, size_t chunk, uint32_t cell);

/* Whether totals may replace a chunk inside the window that is longer than a cell. */
bool oc_drawing_may_be_coarse(const oc_drawing *drawing, size_t chunk);

/* Goes to the beginning of a chunk: the reader's fold is what it was when its first record came. */
ocelotl_status oc_drawing_go_to(oc_drawing *drawing, size_t chunk);

/* Goes there and keeps the totals in drawing->before. */
ocelotl_status oc_drawing_keep_before(oc_drawing *drawing, size_t chunk);

/* --- Links (drawn_links.c) */

/* Adds a link, with resources as its ends; or a run of right ones from one of them. */
ocelotl_status oc_drawing_add_link(oc_drawing *drawing, const ocelotl_drawn_link *link);
ocelotl_status oc_drawing_add_links(oc_drawing *drawing, const ocelotl_drawn_link *link);

/* Ends a stream of links: merges them, and keeps no more than are wanted. */
ocelotl_status oc_drawing_end_links(oc_drawing *drawing);

/* Frees links, which may be NULL, with what they carry. */
void oc_drawn_links_free(ocelotl_drawn_link *links, size_t count);

/* Reads the ends without a beginning at selected resources. */
ocelotl_status oc_draw_orphans(oc_drawing *drawing);

/* Brings the links of all pools into the first one, in order. */
ocelotl_status oc_drawing_join_links(oc_drawing *drawing);

#endif

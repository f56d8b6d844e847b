/* The contents of a space-time diagram (Gantt chart) of a window, at a width in pixels. Each
 * resource and event type has a row, with its states as boxes, its events as marks or its variable
 * as steps; links run between rows. Objects too narrow to be seen are merged with their neighbours
 * into one that says what it stands for, so nothing is lost: every event that touches the window
 * (ocelotl_events_open gives the same) is an object or is counted in one, and the durations of a
 * row's objects add up to those of the row's events in the window, value by value.
 *
 * The window is cut into cells, each `narrowest` pixels wide. An event shorter than a cell is
 * narrow; the narrow ones of a row and lane that begin in one cell are one object. If a chunk of a
 * trace.db (about a thousand records, two of them a state) lies inside one cell, its running totals
 * are used instead of its events: the cost follows the cells, not the events. If the window holds
 * more than `max_events`, so are chunks of up to 20 cells, except those in which a wide state or
 * link ends: merged objects may then be as long as that, those of variables hold wide steps too,
 * and nothing else changes. Links taken by totals are counted at their source alone; none of these
 * ends before it begins. */
#ifndef OC_QUERY_DRAWABLES_H
#define OC_QUERY_DRAWABLES_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

typedef struct ocelotl_drawables_options {
    /* What is drawn; the window is cut to the trace's bounds. What filters hide keeps its lane. A
     * type with hidden events has no totals: all of its events in the window are read. */
    ocelotl_selection selection;
    const char *type;    /* the name of an event type (of all that are called so); NULL: all */
    double width;        /* of the window in pixels, 1 .. 1000000; 0: 1920 */
    double narrowest;    /* merges what is narrower than this many pixels; 0: 2 */
    uint32_t max_values; /* values that a merged object names; 0: 4 */
    uint32_t max_links;  /* links in all, UINT32_MAX: all; 0: 5000 */
    bool without_links;  /* counts links, and gives none */
    uint32_t max_rows;   /* rows, the first ones; 0: all */
    /* the most events in the window that are drawn finely, see above; UINT64_MAX: no bound; 0:
     * 10000000 */
    uint64_t max_events;

    /* `progress` is in rows, and in streams of links after them; it can cancel between the chunks
     * that the calling thread reads. Those that other threads read end at their next chunk, too.
     * The drawables are the same for any number of threads; `memory_limit` has no effect. */
    ocelotl_work work;

    /* Says what single states, events and links carry, see ocelotl_drawn_object.attributes. Reading
     * takes longer where they carry something. */
    bool with_attributes;

    bool only_wrong; /* of links those that end before they begin */

    /* Rows that these drawables, perhaps of another trace, have not are left out: a row is the same
     * by the path of its resource and by the name of its event type. NULL: all are there. */
    const struct ocelotl_drawables *like;

    /* Draws what is below each resource of this type as one row, see `room`; "all": all of it.
     * NULL: each resource has rows of its own. */
    const char *at;

    /* By resource of the trace: where its rows are among the others, each resource before those
     * below it, which follow it. Those of one place share rows, as they live one after the other.
     * NULL: the order of the hierarchy. Not with `at`. */
    const uint32_t *places;
} ocelotl_drawables_options;

typedef struct ocelotl_drawables ocelotl_drawables;

/* Makes the drawables. The trace must outlive them and belongs to the calling thread.
 * O(rows x cells x chunk) at most and O(events) at most; memory O(rows x cells + max_links). Where
 * only one end of a link is known, all ends of its type from the window's beginning on are read.
 * Errors: ARGUMENT (no such resource or type, from after to, a width out of range, more
 * than 4096 threads; what a filter can have wrong), INPUT for damage, CANCELLED. */
ocelotl_status ocelotl_drawables_compute(ocelotl_drawables **drawables, ocelotl_trace *trace,
                                         const ocelotl_drawables_options *options);
void ocelotl_drawables_free(ocelotl_drawables *drawables);

typedef struct ocelotl_drawables_info {
    int64_t from, to; /* the window, in ticks */
    /* number of cells; fewer than asked for if the window has fewer ticks */
    uint32_t cells;
    uint32_t rows_left_out; /* beyond max_rows, or not in `like` */
    uint64_t
        links_left_out; /* links that touch the window and are in no ocelotl_drawn_link: max_links
                           did not hold them (those that stand for the fewest go first) */
    uint32_t lanes;     /* of all rows together */
    bool coarse;        /* the window has more events than max_events, about */
    bool together;      /* rows of one room are drawn as one: `at` was given */

    /* What filters let pass, for captions; "" for all. It lives as long as the drawables. */
    const char *filters;

    /* Links of the window that end before they begin, given or left out: those of the rows.
     * ocelotl_causality_info counts as many if all resources are selected. */
    uint64_t links_wrong;
    /* with one end alone, or one in no row, given or left out; without those taken by totals */
    uint64_t links_outside;
} ocelotl_drawables_info;

ocelotl_drawables_info ocelotl_drawables_info_of(const ocelotl_drawables *drawables);

/* A row: the events of one type in one resource. */
typedef struct ocelotl_drawn_row {
    uint32_t resource;
    uint32_t event_type; /* OCELOTL_NONE: no events of its own, it is there for links */
    ocelotl_category category;
    const char *path; /* of the resource; the strings live as long as the drawables */
    const char *name;
    uint32_t depth;   /* of the resource in the hierarchy: 0 for those without a parent */
    uint32_t lanes;   /* at least 1 */
    uint64_t objects; /* how many */
    /* The resource in whose place it is: itself, or the first of those that share a row; NONE: of
     * all. Rows of one room and event type follow one another. */
    uint32_t room;
    const char *room_path; /* "all" for that of all */
} ocelotl_drawn_row;

/* Rows come in the order of the hierarchy: a resource, then those below it, siblings in the order
 * of the trace. Those of one resource are side by side: states, events, variables, each in the
 * order of the trace. All by index below the count; out of range gives zeros. O(1), safe for any
 * number of threads; the same for all that follows. */
uint32_t ocelotl_drawables_row_count(const ocelotl_drawables *drawables);
ocelotl_drawn_row ocelotl_drawables_row_at(const ocelotl_drawables *drawables, uint32_t row);

/* What is drawn in a row. */
typedef struct ocelotl_drawn_object {
    int64_t begin, end; /* in ticks, inside the window; equal for a single instant */
    /* states: how deep they are nested; of those that cross, the first lane that was free where
     * they begin, as seen from where the window begins. Other objects: 0 */
    uint32_t lane;
    /* of a single event; of several, the one with most time (of marks: the most frequent);
     * OCELOTL_NONE for variables and without a value */
    uint32_t value;
    /* how many events it stands for; more than 1: several that are merged. For a variable where
     * totals are used, changes at one instant count each */
    uint64_t count;
    /* states, variables: their durations in the window, added up; never less than what the shares
     * say */
    int64_t ticks;
    bool begins_before; /* a single one that began before the window, */
    bool ends_after;    /* or goes on after it */
    /* states: merged from this lane and lanes below it; how much is in which is unknown */
    bool deep;
    double low, high; /* variables: the extremes, */
    double mean;      /* and the mean over time (of ticks 0: the last value) */
    uint32_t shares;  /* merged states and events: how many values are listed, see below */
    /* single states and events, if the options ask for it: the attributes at its begin, then at its
     * end, as a JSON object. At most 512 bytes: long texts are cut, and a last member "..." counts
     * those left out. If the singles of a row carry more than 128 kB, the shortest ones have none,
     * nor do those behind the window's end have their last ones. NULL without attributes, and for a
     * narrow one whose chunk was not read; it lives as long as the drawables */
    const char *attributes;
} ocelotl_drawn_object;

/* By lane, then by begin; objects of one lane do not overlap, but for those that are deep. O(1). */
ocelotl_drawn_object ocelotl_drawables_object_at(const ocelotl_drawables *drawables, uint32_t row,
                                                 uint64_t object);

/* What part of a merged object a value is: largest first. What the max_values largest leave is in
 * ticks and count of the object alone. */
typedef struct ocelotl_drawn_share {
    uint32_t value;
    uint64_t count;
    int64_t ticks; /* 0 for events */
} ocelotl_drawn_share;

ocelotl_drawn_share ocelotl_drawables_share_at(const ocelotl_drawables *drawables, uint32_t row,
                                               uint64_t object, uint32_t share);

/* A link, or several that begin in one row and cell and end in one row and cell. Links that leave a
 * selected resource are included, and ends without a begin at selected resources. */
typedef struct ocelotl_drawn_link {
    uint32_t event_type;
    uint32_t source; /* the first row of the resource where it begins; OCELOTL_NONE: not known */
    uint32_t target; /* and where it ends; OCELOTL_NONE: not known, not selected, or several where
                        totals are used */
    uint32_t value;  /* of a single one */
    /* in ticks, of the first of them; not cut to the window; end before begin for clocks that
     * disagree; where only one end is known, both are that */
    int64_t begin, end;
    uint64_t count; /* how many */
    /* a single one, if the options ask for it: what it carries but for its key; or NULL */
    const char *attributes;
} ocelotl_drawn_link;

/* By source, begin and target. O(1). */
uint32_t ocelotl_drawables_link_count(const ocelotl_drawables *drawables);
ocelotl_drawn_link ocelotl_drawables_link_at(const ocelotl_drawables *drawables, uint32_t link);

/* A piece of a line through all: where it is from one instant to another. */
typedef struct ocelotl_drawn_piece {
    int64_t from, to;
    uint32_t resource;
} ocelotl_drawn_piece;

/* Gives them a line of copies of these pieces, in order; pieces out of the window are left out.
 * Errors: MEMORY. O(pieces). */
ocelotl_status ocelotl_drawables_set_line(ocelotl_drawables *drawables,
                                          const ocelotl_drawn_piece *pieces, size_t count);
uint32_t ocelotl_drawables_piece_count(const ocelotl_drawables *drawables);
ocelotl_drawn_piece ocelotl_drawables_piece_at(const ocelotl_drawables *drawables, uint32_t piece);

#endif

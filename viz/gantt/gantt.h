/* The space-time diagram: a row for each resource and event type, over time (Stein 1999, Pajé's
 * space-time window). What is drawn comes from engine/query as drawables; its pieces are a file
 * each and share what is here. */
#ifndef OC_VIZ_GANTT_GANTT_H
#define OC_VIZ_GANTT_GANTT_H

#include "query/drawables.h"
#include "viz/frame/frame.h"
#include "viz/frame/picture.h"

#include <ocelotl/picture.h>

/* A value in the legend. */
typedef struct oc_gantt_entry {
    const char *name;
    uint64_t weight; /* those of most come first, */
    uint32_t order;  /* of equals the first */
    uint32_t colour;
} oc_gantt_entry;

/* What two diagrams in one picture share; that of the second has the legend of both. */
typedef struct oc_gantt_shared {
    oc_gantt_entry *entries; /* of the legend */
    size_t entry_count;
    bool has_merged, has_aggregates, has_lifetimes, has_wrong; /* in any */
} oc_gantt_shared;

/* What is drawn. */
typedef struct oc_gantt_input {
    ocelotl_trace *trace;
    const ocelotl_drawables *drawables;
    oc_gantt_shared *shared; /* NULL: it is alone */
} oc_gantt_input;

/* A row of the drawables. */
typedef struct oc_gantt_row {
    ocelotl_drawn_row is;
    uint32_t first,
        count;     /* its rows of oc_row_nodes: rows of different height are several of them */
    uint32_t fold; /* constants whose rows share a place, from 1; 0: none */
} oc_gantt_row;

typedef enum oc_gantt_room {
    OC_GANTT_OWN_ROOM,
    OC_GANTT_THIN_ROOM, /* a variable that never changes */
    /* the same of many siblings: one row below all of them */
    OC_GANTT_SHARED_ROOM,
    OC_GANTT_NO_ROOM /* only links that take no time */
} oc_gantt_room;

typedef struct oc_gantt_gathered {
    uint32_t parent, row;
} oc_gantt_gathered;

/* Constants that are drawn as one thin row. */
typedef struct oc_gantt_fold {
    size_t first, count; /* of its rows: in gantt->fold_rows */
    bool gathered;
} oc_gantt_fold;

/* Rows drawn together because they are too low; or one row. */
typedef struct oc_gantt_group {
    uint32_t first, end;
    ocelotl_category shown; /* the category drawn of several rows; states if they have any */
} oc_gantt_group;

/* Counts of links, and of those drawn as arrows. */
typedef struct oc_gantt_links {
    uint64_t all, drawn;
    bool wrong;   /* an arrow ends before it begins */
    bool several; /* an arrow stands for several */
} oc_gantt_links;

/* Of a number that is carried, which colours show. */
typedef struct oc_gantt_scale {
    const char *name; /* NULL: colours show values */
    double low, high;
} oc_gantt_scale;

typedef struct oc_gantt {
    const oc_gantt_input *input;
    const ocelotl_trace *trace; /* the input's */
    const ocelotl_drawables *drawables;
    const oc_picture *picture;
    ocelotl_drawables_info info;
    oc_gantt_row *drawn; /* drawn_count */
    uint32_t drawn_count;
    oc_row_nodes rows;
    uint32_t *colours;      /* of each value of the trace */
    uint32_t *type_colours; /* of each event type, for what has no value */
    uint32_t *line_colours; /* of each event type: thin lines need more contrast than areas */
    /* of each value: ticks of states, else counts; the legend is sorted by them */
    uint64_t *weights;
    bool has_merged, has_aggregates, has_lifetimes; /* the legend explains them */
    /* of each variable's event type the ends of its scale; of others high is below low */
    double *lows, *highs;
    int scale_width;             /* pixels at the right that the ends of scales take */
    oc_gantt_room *room;         /* of each row */
    oc_gantt_gathered *gathered; /* by parent, then by row */
    size_t gathered_count;
    oc_gantt_fold *folds;
    uint32_t fold_count;
    size_t fold_capacity;
    uint32_t *fold_rows;
    size_t fold_row_count;
    bool *has_arrow; /* of each link */
    oc_gantt_links links;
    oc_gantt_scale scale;
    oc_gantt_group *groups; /* of all rows, in order: as the frame has room */
    uint32_t group_count;
    bool stacked;      /* rows of groups show the shares of several values */
    bool many_marks;   /* too many to be drawn one by one */
    double steps_from; /* steps of variables at least this wide, in pixels, have a tooltip */
    oc_frame frame;
} oc_gantt;

static inline ocelotl_drawn_object oc_gantt_object_at(const oc_gantt *gantt, uint32_t row,
                                                      uint64_t object)
{
    return ocelotl_drawables_object_at(gantt->drawables, row, object);
}

/* --- Colours by what is carried (carried.c) */

/* Finds the ends of the scale. Errors: ARGUMENT where nothing carries the number. O(objects). */
ocelotl_status oc_gantt_find_scale(oc_gantt *gantt);

/* The colour of what carries these attributes, or NULL; `colour` where values are shown. */
uint32_t oc_gantt_colour_carried(const oc_gantt *gantt, uint32_t colour, const char *attributes);
void oc_gantt_explain_carried(oc_legend *legend, const oc_gantt *gantt);

/* Whether a row shares the place of the one before it, as others of its room do. */
static inline bool oc_gantt_joins(const oc_gantt *gantt, uint32_t row)
{
    if (row == 0 || row >= gantt->drawn_count)
        return false;
    const ocelotl_drawn_row is = ocelotl_drawables_row_at(gantt->drawables, row);
    const ocelotl_drawn_row before = ocelotl_drawables_row_at(gantt->drawables, row - 1);
    return is.room == before.room && is.event_type == before.event_type &&
           is.resource != before.resource;
}

/* Lays a diagram out into an empty scene; `subject` is an oc_gantt_input. Errors: MEMORY. O(objects
 * + rows). */
ocelotl_status oc_gantt_lay_out(oc_scene *scene, const oc_picture *picture, const void *subject);

/* Adds the values that a diagram shows to those of a legend; their names live as long as the trace.
 * Errors: MEMORY. O(objects + values). */
ocelotl_status oc_gantt_add_entries(oc_gantt_shared *shared, const oc_gantt_input *input,
                                    const oc_picture *picture);

/* Finds the height, in pixels, that makes all rows easy to read; of rows alone where it is given as
 * what they have at least, else 0. Errors: MEMORY. O(objects). */
ocelotl_status oc_gantt_height(double *height, const oc_gantt_input *input);

/* Whether only variables are drawn. */
bool oc_gantt_has_variables_alone(const oc_gantt *gantt);

/* Frees what a diagram holds. */
void oc_gantt_free(oc_gantt *gantt);

/* Gathers gantt->drawn, rows and paths. */
ocelotl_status oc_gantt_find_rows(oc_gantt *gantt);

/* Whether `resource` is `above`, or below it. */
bool oc_gantt_contains(const oc_gantt *gantt, uint32_t above, uint32_t resource);

/* Whether a row takes no room between those around it. */
static inline bool oc_gantt_is_elsewhere(const oc_gantt *gantt, uint32_t row)
{
    return gantt->room[row] == OC_GANTT_SHARED_ROOM || gantt->room[row] == OC_GANTT_NO_ROOM;
}

/* Draws folds, and what they stand for. */
void oc_gantt_draw_constants(oc_scene *scene, const oc_gantt *gantt);
void oc_gantt_draw_constant_values(oc_scene *scene, const oc_gantt *gantt);

/* Writes the lines above the diagram; they leave links out until links are chosen. */
void oc_gantt_write_caption(oc_caption *caption, const oc_gantt *gantt);

/* Finds gantt->lows and highs. Errors: MEMORY. O(objects). */
ocelotl_status oc_gantt_find_scales(oc_gantt *gantt);

/* The width of the scales' ends at the right of the rows, in pixels. */
int oc_gantt_scale_width(const oc_gantt *gantt);
void oc_gantt_draw_scales(oc_scene *scene, const oc_gantt *gantt);

/* Adds an entry for each variable, with its scale if they do not share one. */
void oc_gantt_explain_variables(oc_legend *legend, const oc_gantt *gantt);

/* Appends a range, "from" it before or not: "0 to 3.4 MB"; one value if it is none. */
void oc_gantt_add_ends(oc_text *text, double low, double high, int digits, const char *unit);

/* Gives values and event types their colours, and weighs the values. */
ocelotl_status oc_gantt_find_colours(oc_gantt *gantt);

/* Where an instant is, and a row; not rounded. */
double oc_gantt_x(const oc_gantt *gantt, int64_t tick);
typedef struct oc_gantt_band {
    double top, height;
} oc_gantt_band;
oc_gantt_band oc_gantt_band_of(const oc_gantt *gantt, uint32_t row);
static inline double oc_gantt_middle(const oc_gantt *gantt, uint32_t row)
{
    const oc_gantt_band band = oc_gantt_band_of(gantt, row);
    return band.top + band.height / 2;
}

/* Where a column of time begins; that of `columns` is the window's end. */
static inline int64_t oc_gantt_border(const oc_gantt *gantt, uint32_t column, uint32_t columns)
{
    const double length = (double)gantt->info.to - (double)gantt->info.from;
    return column >= columns ? gantt->info.to
                             : gantt->info.from + (int64_t)(length * column / columns);
}

/* Pixels below which rows are grouped: rows of one event type, and of several. */
typedef struct oc_gantt_limits {
    double alike, other;
} oc_gantt_limits;

/* Groups rows lower than a limit with their neighbours, until they are high enough. Rows of one
 * parent stay together. Errors: MEMORY. O(rows). */
ocelotl_status oc_gantt_group_rows(oc_gantt_group **groups, uint32_t *count, const oc_gantt *gantt,
                                   const oc_gantt_limits *limits);
oc_gantt_band oc_gantt_group_band(const oc_gantt *gantt, const oc_gantt_group *group);

/* Whether the rows of a group are drawn as one. */
bool oc_gantt_is_together(const oc_gantt_group *group);

/* Whether a row of a group is seen. */
bool oc_gantt_shows(const oc_gantt *gantt, const oc_gantt_group *group, uint32_t row);

/* Appends which rows a group is. */
void oc_gantt_add_rows(oc_text *text, const oc_gantt *gantt, const oc_gantt_group *group);

/* Draws the marks of one row. */
void oc_gantt_draw_marks(oc_scene *scene, const oc_gantt *gantt, uint32_t row);

/* Draws all variables, and all links. */
void oc_gantt_draw_variables(oc_scene *scene, const oc_gantt *gantt);
void oc_gantt_draw_links(oc_scene *scene, const oc_gantt *gantt);

/* Draws the line through all rows, if there is one. Errors: MEMORY. O(pieces + resources). */
ocelotl_status oc_gantt_draw_line(oc_scene *scene, const oc_gantt *gantt);

/* Chooses the links that are arrows, by the places of the rows: the longest first, as long as the
 * rows stay visible. Errors: MEMORY. O(links log links + pixels of arrows). */
ocelotl_status oc_gantt_choose_links(oc_gantt *gantt);

/* Appends how many links are arrows, and why not all. */
void oc_gantt_describe_links(oc_text *text, const oc_gantt *gantt);

/* Adds an entry for each type of links with arrows. */
void oc_gantt_explain_links(oc_legend *legend, const oc_gantt *gantt);

/* Whether a row is one of a variable that changes. */
static inline bool oc_gantt_is_of_steps(const oc_gantt *gantt, uint32_t row)
{
    const ocelotl_drawn_row *is = &gantt->drawn[row].is;
    return is->event_type != OCELOTL_NONE && is->category == OCELOTL_VARIABLE &&
           gantt->drawn[row].fold == 0;
}

/* Finds gantt->steps_from, 0 for few steps. */
void oc_gantt_choose_steps(oc_gantt *gantt);

/* Appends what a variable is between two instants. */
void oc_gantt_add_mean(oc_text *text, double mean, double low, double high, const char *unit);

/* Appends the attributes of an event (JSON, may be NULL), a line each, at most ten. */
void oc_gantt_add_attributes(oc_text *text, const oc_gantt *gantt, const char *attributes);

/* Appends the lines of the program around the one that attributes name, where the picture knows the
 * folder of its sources and has that file in it. O(lines). */
void oc_gantt_add_source(oc_text *text, const oc_gantt *gantt, const char *attributes);

/* Appends for people: a value, or "(no value)"; the span of an object; the length of some ticks. */
void oc_gantt_add_value(oc_text *text, const oc_gantt *gantt, uint32_t value, uint32_t event_type);
void oc_gantt_add_span(oc_text *text, const oc_gantt *gantt, int64_t begin, int64_t end);
void oc_gantt_add_duration(oc_text *text, const oc_gantt *gantt, int64_t ticks);

/* --- The boxes of a space-time diagram, before they are drawn: states, runs of merged ones, and
 * columns of rows that are drawn together. */

typedef struct oc_gantt_shape {
    uint32_t group, value;
    /* layers are drawn one after the other; inside one, no shape overlaps another */
    uint32_t lane, layer;
    int left, right;       /* pixels */
    int seen;              /* pixels that later shapes leave visible at the left */
    uint64_t first, count; /* objects of the group's row; none where rows are drawn together */
    bool merged;           /* several states */
    int64_t begin, end;
    double opacity;
    double low, high; /* of its row, from the bottom: shares stacked; 0: all of it */
} oc_gantt_shape;

typedef struct oc_gantt_shapes {
    oc_gantt_shape *shapes; /* by layer, group, left */
    size_t count, capacity;
    int tooltips_from; /* shapes at least this wide have their own tooltip */
    bool some_without; /* other shapes have none */
} oc_gantt_shapes;

/* Finds the shapes. Zero-initialise *shapes, and free it in any case. Errors: MEMORY. O(objects log
 * objects). */
ocelotl_status oc_gantt_shapes_find(oc_gantt_shapes *shapes, const oc_gantt *gantt);
void oc_gantt_shapes_free(oc_gantt_shapes *shapes);

/* Draws the states of all rows, and rows of marks drawn together; then the names of states, above
 * all that crosses them. Errors: MEMORY. O(objects log objects). */
ocelotl_status oc_gantt_draw_states(oc_scene *scene, const oc_gantt *gantt,
                                    const oc_gantt_shapes *shapes);
void oc_gantt_draw_names(oc_scene *scene, const oc_gantt *gantt, const oc_gantt_shapes *shapes);

/* Draws what a pointer finds where shapes have no tooltip: areas of the plot that sum up what they
 * hold. Errors: MEMORY. */
ocelotl_status oc_gantt_draw_areas(oc_scene *scene, const oc_gantt *gantt);

/* --- Sums of the states or events of several rows, column by column of time. */

/* Stands for events without a value, and for those with values that are not listed. */
#define OC_GANTT_EVENTS (OCELOTL_NONE - 1)

/* A value in a column. Nested states count while they are innermost. */
typedef struct oc_gantt_sum {
    uint32_t column, value;
    double ticks;
    uint64_t count; /* of those that begin there */
} oc_gantt_sum;

/* Zero-initialised it is empty. It may be filled repeatedly from one trace. */
typedef struct oc_gantt_sums {
    oc_gantt_sum *sums; /* by column, then by time, then by count: largest first */
    size_t count, capacity;
    double ticks;        /* of a column, all rows of states together */
    oc_gantt_sum *spare; /* the rest is scratch space */
    size_t spare_capacity;
    size_t *starts; /* of columns */
    size_t start_capacity;
    size_t *slots; /* by value of the trace */
} oc_gantt_sums;

/* Sums the rows of a group of the category that it shows; with `all`, states and events. Errors:
 * MEMORY. O(n + columns), n: objects, each as often as it touches a column. */
ocelotl_status oc_gantt_sum_group(oc_gantt_sums *sums, const oc_gantt *gantt,
                                  const oc_gantt_group *group, uint32_t columns, bool all);

/* Where the sums of the column of sums[begin] end. */
size_t oc_gantt_sums_end(const oc_gantt_sums *sums, size_t begin);
void oc_gantt_sums_free(oc_gantt_sums *sums);

/* --- Means of the variables of several rows, column by column of time. */

enum { OC_GANTT_MEANS_MOST = 3 /* types of variables that are listed */ };

typedef struct oc_gantt_mean {
    double integral, ticks; /* no mean if ticks is 0 */
    double low, high;
} oc_gantt_mean;

/* Zero-initialised it is empty. It may be filled repeatedly. */
typedef struct oc_gantt_means {
    uint32_t event_types[OC_GANTT_MEANS_MOST];
    uint32_t count;       /* of types, at most OC_GANTT_MEANS_MOST */
    bool more;            /* further types were left out */
    oc_gantt_mean *means; /* by column, then by type */
    size_t capacity;
} oc_gantt_means;

/* Errors: MEMORY. O(columns + objects, each as often as it touches a column). */
ocelotl_status oc_gantt_find_means(oc_gantt_means *means, const oc_gantt *gantt,
                                   const oc_gantt_group *group, uint32_t columns);

/* Appends the means of a column, a line each. */
void oc_gantt_add_means(oc_text *text, const oc_gantt *gantt, const oc_gantt_means *means,
                        uint32_t column);
void oc_gantt_means_free(oc_gantt_means *means);

#endif

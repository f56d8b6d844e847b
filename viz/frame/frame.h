/* What stands around a plot: axes and scales, a legend, the names of rows. */
#ifndef OC_VIZ_FRAME_FRAME_H
#define OC_VIZ_FRAME_FRAME_H

#include "viz/frame/picture.h"
#include "viz/words/words.h"

/* --- Axes of time and of values: where their ticks are and what they are called */

typedef struct oc_tick {
    double position; /* along the axis, 0 .. 1 */
    double shift;    /* of the label, in pixels: it has no room in the middle of a narrow piece */
    char label[48];  /* "" where it would not fit */
} oc_tick;

#define OC_AXIS_TICKS_MOST 512

/* Too large for a stack of threads: allocate it. */
typedef struct oc_axis {
    uint32_t tick_count;
    oc_tick ticks[OC_AXIS_TICKS_MOST];
    char title[64]; /* what is counted; "" where the labels say it themselves */
} oc_axis;

/* Adds a tick, as long as there is room for more. */
void oc_axis_add(oc_axis *axis, double position, const char *label);

/* The room of an axis: its length, and how far its labels may reach beyond its ends, in pixels. */
typedef struct oc_axis_room {
    double length, before, after;
    double size; /* of the lettering */
} oc_axis_room;

/* An axis over begin .. end (seconds), in the unit of that range (oc_time_unit_of), in steps of 1,
 * 2 or 5 times a power of ten, as dense as its labels fit; of minutes 1, 2, 5, 10, 15 or 30. If the
 * window is short and far from the origin, the labels count from its beginning, and the title names
 * that. */
void oc_axis_time(oc_axis *axis, double begin, double end, const oc_axis_room *room);

/* A piece of an axis that leaves time out, in seconds. */
typedef struct oc_axis_span {
    double begin, end;
} oc_axis_span;

/* An axis of such pieces, each as long as it lasts; `piece` is room for one. */
void oc_axis_pieces(oc_axis *axis, oc_axis *piece, const oc_axis_span *spans, size_t count,
                    const oc_axis_room *room);

/* An axis that counts slices, with ticks in their middles. */
void oc_axis_slices(oc_axis *axis, uint32_t slice_count, const oc_axis_room *room);

/* An axis over values low .. high in steps of 1, 2 or 5 times a power of ten. All labels have the
 * same decimal prefix (see oc_quantity_add) and the unit's name, "" for none, of at most 16 bytes.
 * It has no ticks if low .. high is empty, or too narrow for 12 digits to separate its ends. */
void oc_axis_values(oc_axis *axis, double low, double high, const char *unit_name,
                    const oc_axis_room *room);

/* --- What is around data over time or values: the frame, its axis, rules. */

/* Height of an axis below a plot: its ticks, their labels and, if it has one, its title. */
int oc_plot_axis_height(const oc_axis *axis);

/* Draws the axis below a frame. Labels reach beyond its ends by a margin at most. */
void oc_plot_draw_axis(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_axis *axis);

/* Draws the edge of a frame, one pixel outside of it, and its paper. */
void oc_plot_draw_frame(oc_scene *scene, const oc_picture *picture, const oc_frame *frame);

/* Hatches what is outside a lifetime; nothing of less than a pixel. */
void oc_plot_hatch(oc_scene *scene, const oc_theme *theme, double x, double y, double width,
                   double height);

/* Draws where an axis of time leaves some out: a gap through the plot, and two strokes below. */
void oc_plot_draw_break(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                        double x);

/* A line one pixel wide. */
void oc_plot_rule(oc_scene *scene, double x1, double y1, double x2, double y2, uint32_t colour);

/* --- A scale of values along an edge of a plot, from 0 at the bottom */

typedef struct oc_value_scale {
    double top;        /* the value at the upper edge, > 0 */
    const char *unit;  /* after each label, "" for none */
    const char *title; /* along the scale, from bottom to top */
    bool counts;       /* values are of things: no step is less than 1 */
    bool right;
} oc_value_scale;

/* Returns the least of 1, 2 or 5 times a power of ten that is not below a number > 0. */
double oc_nice_step(double number);

/* Returns the least value, at or above `largest`, at which a scale with few ticks can end. It is a
 * whole number of steps of 1, 2 or 5 times a power of ten. 1 if `largest` is not above 0. */
double oc_value_ceiling(double largest);

/* Returns the pixels that a scale takes beside a plot of a height. */
int oc_value_scale_width(const oc_value_scale *scale, int height);

/* Draws it at its edge of a frame. */
void oc_value_scale_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                         const oc_value_scale *scale);

/* --- The legend below a picture: swatches with their names, in as many rows as they need */

/* What an entry shows, and which entries go first without room for all. */
typedef enum oc_legend_kind {
    OC_LEGEND_TYPE, /* a colour and the name of a type; the last ones become "n others" */
    OC_LEGEND_MARK, /* what else is seen in the picture; goes after shades */
    /* a colour in three opacities and what they mean; goes once one type is left, but dots go last
     */
    OC_LEGEND_SHADES
} oc_legend_kind;

typedef struct oc_legend_entry {
    oc_legend_kind kind;
    oc_rectangle look; /* fill, opacity, stroke and hatch of the swatch */
    bool muted;        /* the name in a fainter colour */
    size_t name;       /* where it is in `strings` */
    size_t tooltip;    /* the same; 0 for none */
    oc_mark mark;      /* over the swatch */
    bool dots;         /* its shades are densities of dots over the swatch */
    uint32_t rank;     /* of a type: how many were added before it */
    uint32_t group;    /* of the tree, that it stands in; OCELOTL_NONE: none */
} oc_legend_entry;

/* A zeroed one is empty. Entries are shown in the order in which they are added, types before all
 * others; those of a tree stand together. */
typedef struct oc_legend {
    oc_legend_entry *entries;
    size_t count, capacity;
    oc_text strings;
    const ocelotl_type_tree *tree; /* that its types stand in, or NULL */
    uint32_t types;
    bool failed;
} oc_legend;

/* The look of a plain swatch, and of one that has an edge and stripes, OC_COLOUR_NONE for none. */
oc_rectangle oc_legend_swatch(uint32_t fill);
oc_rectangle oc_legend_striped(const oc_theme *theme, uint32_t fill, uint32_t stripes);

/* Strings are copied. */
void oc_legend_add(oc_legend *legend, oc_legend_kind kind, oc_rectangle look, const char *name,
                   const char *tooltip, bool muted);

/* A name or a tooltip of an entry; "": none. */
const char *oc_legend_string(const oc_legend *legend, size_t offset);

/* Frees a text; one that failed makes the legend fail. */
void oc_legend_take(oc_legend *legend, oc_text *text);

/* What the shades of an entry stand for. */
typedef struct oc_legend_scale {
    double low, high; /* a colour is clear at `low` and full at `high` */
    const char *unit; /* NULL: percent; "" for none */
    const char *of;   /* behind the first, as " of the time" */
    bool more;        /* what is more is drawn so, too */
    double least;     /* opacity of anything: what is less is drawn so; 0: nothing is */
} oc_legend_scale;

/* Appends it: "full colour: 50 events or more; fainter: 30, 10 or less",
 * "shades: 100 % of the time, 60 %, 25 %". */
void oc_legend_add_shades(oc_text *text, const oc_legend_scale *scale);

/* Marks the swatch of the entry added last; its shades are densities of dots. */
void oc_legend_mark(oc_legend *legend, oc_mark mark, bool dots);

/* Puts types in the order of a tree, below the names of their groups; NULL: they stay as they are.
 * Without room for all, those that were added last go first all the same. */
void oc_legend_nest(oc_legend *legend, const ocelotl_type_tree *tree);

/* Appends the names of a group and of those around it, from outside, without those that `before`
 * is in, too; OCELOTL_NONE is in none. */
void oc_legend_add_groups(oc_text *text, const ocelotl_type_tree *tree, uint32_t group,
                          uint32_t before);

/* The group that the name of a type, or of a group, stands in; OCELOTL_NONE: none. */
uint32_t oc_legend_group(const ocelotl_type_tree *tree, const char *name);

/* Rows that the legend takes in a picture, at most 2 to 5 by its height. The legend names at most
 * twelve types. */
int oc_legend_rows(const oc_legend *legend, const oc_picture *picture);

/* Returns the height of rows of the legend, with the space above them; 0 for none. */
int oc_legend_height(int rows);

/* Draws the legend into `rows` rows at the bottom of the picture. */
void oc_legend_draw(oc_scene *scene, const oc_picture *picture, const oc_legend *legend, int rows);
void oc_legend_free(oc_legend *legend);

/* --- The columns at the left of a plot: one for each level of a hierarchy, with the names of its
 * nodes */

/* A node of a hierarchy, over neighbouring rows. */
typedef struct oc_row_node {
    const char *name;
    const char *path; /* its tooltip */
    uint32_t depth;
    uint32_t first, count; /* its rows */
    bool leaf;
} oc_row_node;

/* Neighbouring rows that are drawn as one thin row; places and heights are in plain rows. */
typedef struct oc_row_fold {
    uint32_t first, count;
    double place; /* of its upper edge */
    double height;
} oc_row_fold;

/* Nodes in the order of drawing, parents before children. The strings belong to the caller, but for
 * those kept here. Rows are of one height, but for those that are folded. */
typedef struct oc_row_nodes {
    oc_row_node *nodes;
    size_t node_count;
    uint32_t row_count;
    size_t capacity;
    oc_row_fold *folds; /* by row */
    size_t fold_count, fold_capacity;
    char **texts; /* names and paths that were made for nodes */
    size_t text_count, text_capacity;
} oc_row_nodes;

/* Adds a node; keeps of a text, as long as the nodes, what pictures show; frees both. Errors:
 * MEMORY. O(1), and O(length). */
ocelotl_status oc_row_nodes_add(oc_row_nodes *rows, const oc_row_node *node);
ocelotl_status oc_row_nodes_keep(const char **kept, oc_row_nodes *rows, const char *text,
                                 size_t length);
void oc_row_nodes_free(oc_row_nodes *rows);

/* Gives all folds their heights, once they are known; not all rows are folded. O(folds). */
void oc_row_nodes_place_folds(oc_row_nodes *rows);

/* Whether a fold has all of these rows. O(log folds). */
bool oc_rows_are_folded(const oc_row_nodes *rows, uint32_t first, uint32_t count);

/* Pixel of the edge above a row. O(log folds). */
int oc_row_y(const oc_frame *frame, const oc_row_nodes *rows, uint32_t row);

/* The height of rows before rounding, so that equal ones are all as high. O(log folds). */
double oc_rows_height(const oc_row_nodes *rows, uint32_t first, uint32_t count, int height);

typedef struct oc_level_column {
    uint32_t depth;
    int width;
    bool rotated;
} oc_level_column;

typedef struct oc_level_columns {
    oc_level_column *columns;
    size_t count;
    int width;          /* of all, with the space that follows them; 0 without any */
    bool without_whole; /* a node that has all rows is named elsewhere, if its leaf is below it */
} oc_level_columns;

/* Chooses the levels that can be named in `room` pixels, for a plot's height. An implicit root
 * (depth 0, no name) is never shown. Errors: MEMORY. O(nodes). */
ocelotl_status oc_level_columns_choose(oc_level_columns *columns, const oc_row_nodes *rows,
                                       int height, int room);

/* Draws them at the left of a frame. Errors: MEMORY. O(nodes). */
ocelotl_status oc_level_columns_draw(oc_scene *scene, const oc_picture *picture,
                                     const oc_frame *frame, const oc_row_nodes *rows,
                                     const oc_level_columns *columns);
void oc_level_columns_free(oc_level_columns *columns);

/* --- Names of some rows and the number of all, where columns do not name each row */

/* A zeroed one has none. */
typedef struct oc_row_names {
    int name_width; /* of the names with their ticks; 0: no room for any */
    int width;      /* of all; 0: columns name each row, or one row is all */
    uint32_t count; /* and what is counted: " resources" */
    const char *what;
} oc_row_names;

/* Chooses what fits into `room` pixels beside a plot of a height, with these columns. O(nodes). */
oc_row_names oc_row_names_choose(const oc_row_nodes *rows, const oc_level_columns *columns,
                                 int height, int room);

/* Draws the names at the left of a frame, as many as fit, each at its row, and the number of
 * rows. */
void oc_row_names_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_row_nodes *rows, const oc_row_names *names);

#endif

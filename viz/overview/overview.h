/* The overview: a partition, drawn by one of several views. All of them share the layout (caption,
 * hierarchy, plot, axis, legend) and what is here; a view is a file that draws the plot, and a line
 * in the table of views.c. */
#ifndef OC_VIZ_OVERVIEW_OVERVIEW_H
#define OC_VIZ_OVERVIEW_OVERVIEW_H

#include "base/map.h"
#include "look/idle.h"
#include "look/shading.h"
#include "look/steps.h"
#include "viz/colour/colour.h"
#include "viz/frame/frame.h"
#include "viz/frame/picture.h"

typedef struct oc_view oc_view;

/* The rows and slices that the plot covers: those of a node. A leaf has a row for each resource
 * that it stands for. */
typedef struct oc_visible {
    uint32_t row_first, row_count;
    uint32_t slice_first, slice_count;
    uint32_t node;
} oc_visible;

/* What the overviews of one picture share. */
typedef struct oc_shared oc_shared;

/* What is drawn. */
typedef struct oc_overview_input {
    const ocelotl_model *model;
    ocelotl_partition_info partition;
    const ocelotl_part *parts; /* partition.part_count */
    const char *const *why;    /* each is cut, for its tooltip: "" or NULL: nothing */
    const oc_view *view;
    const char *type; /* the type that a view of one type shows; NULL: the largest */
    /* the whole trace, if the model is a window of it: a temporal partition; NULL: none */
    const struct oc_overview_input *whole;
    oc_visible visible;     /* all zeros: all */
    const char *expanded;   /* the path of the node that is visible; NULL: all is */
    bool without_parts;     /* draws and says only what any partition of the model shares */
    struct oc_shown *shown; /* keeps what is drawn for a page; NULL: nothing keeps it */
    /* what several overviews in a picture share; NULL: this one is alone */
    oc_shared *shared;
} oc_overview_input;

/* Fills the input with a partition, whose parts are freed by free. Errors: MEMORY. */
ocelotl_status oc_overview_gather(oc_overview_input *input, ocelotl_part **parts,
                                  const ocelotl_partition *partition);

/* Lays an overview out into an empty scene; `subject` is an oc_overview_input. Errors: MEMORY, and
 * those of the view. O(parts x types + leaves). */
ocelotl_status oc_overview_lay_out(oc_scene *scene, const oc_picture *picture, const void *subject);

/* What is known of a type in the whole picture. */
typedef struct oc_type_summary {
    ocelotl_type type;
    double share; /* of all values */
    bool dominant;
    uint32_t colour;
} oc_type_summary;

typedef struct oc_overview {
    const oc_overview_input *input;
    const oc_picture *picture;
    ocelotl_model_info model;
    oc_visible visible;
    oc_row_nodes rows; /* the nodes of the model that are visible */
    oc_shading shading;
    oc_shade *modes;           /* of each part */
    oc_type_summary *types;    /* of each type of the model */
    uint32_t *order;           /* types by their share, the largest first */
    bool has_untraced;         /* untraced time is a type here, and is not zero */
    bool has_lifetimes;        /* a leaf begins late or ends early */
    oc_frame frame;            /* of the plot */
    int list_bottom;           /* of the list of notes */
    uint32_t type;             /* the type that a view of one type shows; OCELOTL_NONE: none */
    struct oc_overview *whole; /* of the strip above the plot; NULL: none */
    oc_steps steps;            /* of the row above the plot */
    /* this is the strip: a user cannot ask for its parts */
    bool strip;
} oc_overview;

/* Types of several overviews by name, the largest first, and the colours of all. */
struct oc_shared {
    oc_type_summary *types;
    uint32_t count;
    oc_map numbers; /* of the types by name, while they are gathered */
    oc_type_colours colours;
    bool has_untraced, has_lifetimes;
    double largest; /* value in any part, as of an overview */
};

/* The height of a picture that is a bar of parts, without a strip above it. */
#define OC_BAR_PICTURE_HEIGHT 240

struct oc_look;
struct oc_drawn_blocks;

/* A way to draw a partition. Functions that are NULL do nothing. */
struct oc_view {
    ocelotl_view is;
    /* rows are leaves: the hierarchy is at the left, and what is outside lifetimes is hatched */
    bool resources;
    bool shades;   /* opacity is a share */
    bool types;    /* the legend names the types */
    bool timeless; /* x is not time, so the picture has no axis */
    bool mixed;    /* a part shows all of its types, not the dominant one alone */
    bool texture;  /* parts may have one, of what is lost inside */
    /* Draws into overview->frame, which is final. */
    ocelotl_status (*draw)(oc_scene *scene, const oc_overview *overview);
    /* Of views of blocks: gives looks[i] to each. */
    ocelotl_status (*look)(struct oc_look *looks, const oc_overview *overview,
                           const struct oc_drawn_blocks *blocks);
    /* Of histograms: what its columns are. */
    struct oc_histogram (*columns)(const oc_overview *overview);
    /* Adds to the caption, asked again whenever the frame changes. */
    void (*write_caption)(oc_caption *caption, const oc_overview *overview);
    /* Adds to the legend what else is seen. */
    void (*write_legend)(oc_legend *legend, const oc_overview *overview);
    /* Describes a part in place of its types and their shares, a line each; briefly: in a word. */
    void (*describe_part)(oc_text *text, const oc_overview *overview, const ocelotl_part *part,
                          bool briefly);
    /* Room that the view takes for itself at the left of the plot, in pixels. */
    int (*left)(const oc_overview *overview);
    /* The same at the right. */
    int (*right)(const oc_overview *overview);
    /* The default height of a picture in pixels; 0: the common one. */
    double height;
};

/* Finds the view of a kind by its name; NULL: the first. Errors: ARGUMENT, naming them all. */
ocelotl_status oc_view_find(const oc_view **view, ocelotl_kind kind, const char *name);

/* Pixel of the edge before a slice, and above a row; both count as the model does. */
int oc_overview_x(const oc_overview *overview, double slice);
int oc_overview_y(const oc_overview *overview, uint32_t row);

/* The height of rows before rounding. */
double oc_overview_height(const oc_overview *overview, uint32_t row, uint32_t count);

/* A rectangle in whole pixels. */
typedef struct oc_box {
    int x, y, width, height;
} oc_box;

/* The place of a node's slices, cut to what is visible; its width or height may be 0. Edges are
 * rounded the same way for everything, so that neighbours neither overlap nor leave gaps. */
oc_box oc_overview_box(const oc_overview *overview, uint32_t node, uint32_t first, uint32_t last);

/* Begins an overview of an input, of which it shows what is visible, or all. */
oc_overview oc_overview_of(const oc_overview_input *input, const oc_picture *picture);

/* Finds the dominant type of every part, sums the types up and gives them colours. */
ocelotl_status oc_overview_find_modes(oc_overview *overview);

/* Adds a type to a legend; its tooltip says what its share is of, and what else there is to say of
 * a type that stands back, "" for one that does not. */
void oc_overview_explain_type(oc_legend *legend, oc_legend_kind kind,
                              const oc_type_summary *summary, const char *of, const char *but);

/* Appends a value of a type in a part: in percent, or in the unit of the metric. */
void oc_overview_add_value(oc_text *text, const oc_overview *overview, const ocelotl_part *part,
                           uint32_t type);

/* Gathers overview->rows from the model; idle ones are folded where rows are resources. Errors:
 * MEMORY. O(nodes + cells). */
ocelotl_status oc_overview_find_rows(oc_overview *overview);

/* Hatches what lies outside the lifetimes of leaves. */
void oc_overview_draw_lifetimes(oc_scene *scene, const oc_overview *overview);

/* The height of the list of notes that are seen, 0 without any; and draws them, the list above
 * list_bottom. O(notes x nodes). */
int oc_overview_notes_height(const oc_overview *overview);
void oc_overview_draw_notes(oc_scene *scene, const oc_overview *overview);

/* Appends the number of a part: its place in the partition, as in JSON. */
void oc_part_add_number(oc_text *text, size_t number);

/* Leaves times slices. */
static inline double oc_part_cells(const ocelotl_part *part)
{
    return (double)part->leaves * ((double)part->last - part->first + 1);
}

/* Appends when a part is, or without time its slices. */
void oc_part_add_span(oc_text *text, const ocelotl_model_info *model, const ocelotl_part *part,
                      bool briefly);

/* Appends what a part is, for people: a line each for where, when, its types, and what drawing it
 * as one costs. */
void oc_overview_describe_part(oc_text *text, const oc_overview *overview, size_t part);

/* Appends a line that says what the values of several parts drawn as one are, if those of a part
 * are no means. */
void oc_overview_describe_means(oc_text *text, const oc_overview *overview);

/* Appends only the types with their shares, the largest first, a line each. */
void oc_overview_describe_shares(oc_text *text, const oc_overview *overview,
                                 const ocelotl_part *part);

/* Adds the words for a partition to a caption that was begun. */
void oc_overview_write_caption(oc_caption *caption, const oc_overview *overview);

/* Adds the types, and the marks beside them. */
void oc_overview_write_legend(oc_legend *legend, const oc_overview *overview);

/* Appends the shares or values that the shades of modes stand for. */
void oc_overview_add_shades(oc_text *text, const oc_overview *overview);

/* Adds them to a legend; `what` names the shades, "" for
 * all. */
void oc_overview_explain_shades(oc_legend *legend, const oc_overview *overview,
                                const oc_rectangle *shade, const char *what);

/* Adds the parameters that the picture was made with. */
void oc_overview_add_metadata(oc_scene *scene, const oc_overview *overview);

/* Sets overview->type: the one that the user named, or the largest that is not untraced. Errors:
 * ARGUMENT. */
ocelotl_status oc_overview_find_type(oc_overview *overview);

/* The height of the strip of the whole trace, with what belongs to it; 0 without one. */
int oc_whole_strip_height(const oc_overview_input *input);

/* Checks and prepares what is above the plot; its height; draws it once the plot is placed. Errors:
 * ARGUMENT, INPUT, MEMORY, those of the view. */
ocelotl_status oc_strips_begin(oc_overview *overview);
int oc_strips_height(const oc_overview *overview);
ocelotl_status oc_strips_draw(oc_scene *scene, const oc_overview *overview);

/* Draws where time is left out of the frame. */
void oc_overview_draw_breaks(oc_scene *scene, const oc_overview *overview);

/* Frees what was gathered for an overview, its strip too. */
void oc_overview_free(oc_overview *overview);

/* The views, a file each. */
extern const oc_view oc_view_treemap;
extern const oc_view oc_view_mode;
extern const oc_view oc_view_stacked;
extern const oc_view oc_view_histogram;
extern const oc_view oc_view_temporal_partition;
extern const oc_view oc_view_partition;
extern const oc_view oc_view_amplitude;
extern const oc_view oc_view_temporal_mode;
extern const oc_view oc_view_spatial_mode;

/* --- A node and a range of time of a partition, drawn at full size. */

/* Finds what is visible and the node's path, if the options ask for an expansion; else leaves both.
 * Errors: ARGUMENT (see ocelotl_expansion_check). O(nodes). */
ocelotl_status oc_expansion_find(oc_visible *visible, const char **path, const ocelotl_model *model,
                                 const ocelotl_picture_options *options);

/* Refuses kinds that have nothing to expand. */
ocelotl_status oc_expansion_check_kind(ocelotl_kind kind, const ocelotl_picture_options *options);

/* --- The contents of an overview, kept beside its picture so that a page can look them up */

/* A rectangle of the picture: one part, or several drawn as one. */
typedef struct oc_shown_part {
    uint32_t node, leaves, first, last; /* as ocelotl_part */
    /* the part's number in its partition; of several, the first one's */
    size_t number;
    size_t parts;
    double gain, loss;
    size_t share_first, share_count; /* of the shares */
    uint32_t row;                    /* the first that it covers */
    bool cut;                        /* of several: some begin or end inside */
    double density;                  /* of its texture */
} oc_shown_part;

/* A share that is not 0. */
typedef struct oc_shown_share {
    uint32_t type;
    double share;
} oc_shown_share;

/* Zero-initialised it is empty. Items of the scene with the subject index + 1 show the part at an
 * index. */
typedef struct oc_shown {
    oc_shown_part *parts;
    size_t part_count, part_capacity;
    oc_shown_share *shares;
    size_t share_count, share_capacity;
    oc_frame frame; /* of the plot */
    oc_visible visible;
    oc_row_fold *folds; /* of the rows that are visible */
    size_t fold_count;
    oc_type_summary *types; /* of each type of the model */
    uint32_t *order;        /* types by their share, the largest first */
    uint32_t type_count;
    oc_legend legend;   /* of a bare picture, which has none */
    oc_caption caption; /* the same: all pieces in one line */
} oc_shown;

/* Adds a part of the picture, by its number in the partition; of several parts, the first number.
 * Errors: MEMORY. O(types). */
ocelotl_status oc_shown_add_part(oc_shown *shown, const ocelotl_part *part, size_t number,
                                 size_t parts, uint32_t type_count);

/* Adds what holds for a whole overview, if it is kept. Errors: MEMORY. O(types). */
ocelotl_status oc_shown_add_overview(const oc_overview *overview);
void oc_shown_free(oc_shown *shown);

#endif

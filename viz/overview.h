/* The overview: a partition drawn as mode (thesis, 6.4.3). Its pieces (caption, hierarchy, parts, legend) are a file
 * each and share what is here. */
#ifndef OC_VIZ_OVERVIEW_H
#define OC_VIZ_OVERVIEW_H

#include "viz/axis.h"
#include "viz/scene.h"

#include <ocelotl/view.h>

/* What is drawn. */
typedef struct oc_overview_input {
    const ocelotl_model *model;
    ocelotl_partition_info partition;
    const ocelotl_part *parts; /* partition.part_count */
    double width, height;
    const char *title;   /* NULL: the model's name */
    const char *command; /* NULL: none */
} oc_overview_input;

/* Lays an overview out into an empty scene. Errors: MEMORY. O(parts x types + leaves). */
ocelotl_status oc_overview_lay_out(oc_scene *scene, const oc_overview_input *input);

/* What a part looks like. */
typedef struct oc_mode {
    uint32_t type;  /* the dominant one; OCELOTL_NONE where the part holds nothing but untraced time */
    double opacity; /* its share, 0 .. 1 */
} oc_mode;

/* What is known of a type in the whole picture. */
typedef struct oc_type_summary {
    ocelotl_type type;
    double share; /* of all values */
    bool dominant;
    uint32_t colour;
} oc_type_summary;

/* The plot in whole pixels, so that edges are crisp. */
typedef struct oc_frame {
    int left, top, width, height;
} oc_frame;

typedef struct oc_overview {
    const oc_overview_input *input;
    ocelotl_model_info model;
    oc_mode *modes;         /* of each part */
    oc_type_summary *types; /* of each type of the model */
    uint32_t *order;        /* types by their share, the largest first */
    bool has_untraced;      /* untraced time is a type here, and there is some */
    oc_frame frame;
    int margin;
} oc_overview;

#define OC_SIZE_TITLE   18
#define OC_SIZE_CAPTION 12
#define OC_SIZE_LABEL   11

#define OC_COLOUR_PAPER  0xFFFFFFu
#define OC_COLOUR_INK    0x1F2328u
#define OC_COLOUR_MUTED  0x57606Au
#define OC_COLOUR_RULE   0xB8C0C8u
#define OC_COLOUR_BORDER 0xD0D6DCu
#define OC_COLOUR_NODE   0xECEFF2u
#define OC_COLOUR_HATCH  0xA8B0B8u

/* Pixel of the edge before a slice, and above a leaf. */
int oc_overview_x(const oc_overview *overview, double slice);
int oc_overview_y(const oc_overview *overview, uint32_t leaf);

/* Finds the dominant type of every part, sums the types up and gives them colours. */
ocelotl_status oc_overview_find_modes(oc_overview *overview);

/* What the shares of a part are divided by to be parts of 1. */
double oc_overview_share_unit(const oc_overview *overview, const ocelotl_part *part);

/* Draws the parts. */
void oc_overview_draw_parts(oc_scene *scene, const oc_overview *overview);

/* How many parts are smaller than a pixel of the frame. O(parts). */
size_t oc_overview_hidden_parts(const oc_overview *overview);

/* Hatches what lies outside the lifetimes of leaves; says whether there was any. */
bool oc_overview_draw_lifetimes(oc_scene *scene, const oc_overview *overview);

/* What a part is, for people: a line each for where, when, how much of what, and what drawing it as one costs. */
void oc_overview_describe_part(oc_text *text, const oc_overview *overview, size_t part);

/* The columns at the left, one a level of the hierarchy. */
typedef struct oc_level_column {
    uint32_t depth;
    int width;
    bool rotated;
} oc_level_column;

typedef struct oc_level_columns {
    oc_level_column *columns;
    size_t count;
    int width; /* of all, with the space that follows them; 0 without any */
} oc_level_columns;

/* Chooses the levels that can be named in `room` pixels, for a plot of the height of the frame. */
ocelotl_status oc_level_columns_choose(oc_level_columns *columns, const oc_overview *overview, int room);
ocelotl_status oc_level_columns_draw(oc_scene *scene, const oc_overview *overview, const oc_level_columns *columns);
void oc_level_columns_free(oc_level_columns *columns);

/* The lines under the title, `most` at most. */
#define OC_CAPTION_LINES_MOST 3
typedef struct oc_caption {
    oc_text lines[OC_CAPTION_LINES_MOST];
    int count;
} oc_caption;

/* hidden: parts that are too small to be drawn. */
void oc_caption_write(oc_caption *caption, const oc_overview *overview, size_t hidden, double width, int most);
void oc_caption_draw(oc_scene *scene, const oc_overview *overview, const oc_caption *caption);
void oc_caption_free(oc_caption *caption);

/* The parameters that the picture was made with. */
void oc_overview_add_metadata(oc_scene *scene, const oc_overview *overview);

/* Height that a legend of so many rows takes. */
int oc_legend_height(int rows);

/* Rows that the whole legend would take, `most` at most. */
int oc_legend_rows(const oc_overview *overview, bool lifetimes, double width, int most);

/* Draws the legend into `rows` rows from `top` on; what finds no place there is counted as others. */
void oc_legend_draw(oc_scene *scene, const oc_overview *overview, bool lifetimes, int top, int rows);

#endif

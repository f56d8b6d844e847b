/* A picture before it has a format: rectangles, lines, paths and text in groups, in pixels from the
 * top left. Views lay themselves out into a scene, backends draw it. */
#ifndef OC_VIZ_SCENE_SCENE_H
#define OC_VIZ_SCENE_SCENE_H

#include "base/status.h"
#include "base/text.h"

/* Colours are 0xRRGGBB. */
#define OC_COLOUR_NONE UINT32_MAX

typedef enum oc_anchor { OC_ANCHOR_START = 0, OC_ANCHOR_MIDDLE = 1, OC_ANCHOR_END = 2 } oc_anchor;

/* Lines across a rectangle: see oc_mark_lines. */
typedef enum oc_mark { OC_MARK_NONE = 0, OC_MARK_DIAGONAL, OC_MARK_CROSS } oc_mark;

typedef struct oc_rectangle {
    double x, y, width, height;
    uint32_t fill;   /* or OC_COLOUR_NONE */
    double opacity;  /* of the fill, 0 .. 1 */
    uint32_t stroke; /* of a line one pixel wide along the edges, or OC_COLOUR_NONE */
    uint32_t hatch;  /* of diagonal lines over the fill, or OC_COLOUR_NONE */
} oc_rectangle;

/* One with neither edges nor hatching. */
static inline oc_rectangle oc_rectangle_of(double x, double y, double width, double height,
                                           uint32_t fill)
{
    return (oc_rectangle){x, y, width, height, fill, 1, OC_COLOUR_NONE, OC_COLOUR_NONE};
}

typedef struct oc_segment {
    double x1, y1, x2, y2;
    uint32_t colour;
    double width;
} oc_segment;

typedef struct oc_label {
    double x, y; /* of the anchor, on the baseline */
    oc_anchor anchor;
    double size;
    bool bold;
    uint32_t colour;
    double rotation; /* degrees around the anchor, clockwise */
} oc_label;

/* A line through points; `fill` fills what it encloses. */
typedef struct oc_path {
    size_t first, count; /* of the scene's points */
    bool closed;
    uint32_t fill;   /* or OC_COLOUR_NONE */
    uint32_t stroke; /* or OC_COLOUR_NONE */
    double opacity;  /* of both, 0 .. 1 */
    double width;    /* of the stroke */
} oc_path;

typedef struct oc_point {
    double x, y;
} oc_point;

typedef struct oc_group_style {
    bool crisp; /* edges lie on pixels, without antialiasing */
    bool inert; /* lets a pointer reach what lies below */
    bool tiles; /* only rectangles, which do not overlap: their order does not matter */
} oc_group_style;

typedef enum oc_scene_item_kind {
    OC_ITEM_RECTANGLE,
    OC_ITEM_LINE,
    OC_ITEM_LABEL,
    OC_ITEM_PATH,
    OC_ITEM_GROUP, /* the items up to its OC_ITEM_GROUP_END belong to it */
    OC_ITEM_GROUP_END
} oc_scene_item_kind;

typedef struct oc_scene_item {
    oc_scene_item_kind kind;
    union {
        oc_rectangle rectangle;
        oc_segment line;
        oc_label label;
        oc_path path;
        oc_group_style group;
    } as;
    size_t text;    /* of a label; the name of a group: see oc_scene_string */
    size_t tooltip; /* of any item but OC_ITEM_GROUP_END */
    oc_mark mark;   /* of a rectangle */
    uint32_t mark_colour;
    uint32_t dot_colour; /* of the texture of a rectangle */
    double density;      /* of that, 0 .. 1; 0: it has none */
    size_t subject;      /* the number of what it shows, from 1; 0: none */
} oc_scene_item;

typedef struct oc_scene_entry {
    size_t key, value; /* see oc_scene_string */
} oc_scene_entry;

/* Zero-initialised it is empty. Once memory runs out, `failed` stays set and nothing more is added:
 * check oc_scene_status once at the end. */
typedef struct oc_scene {
    double width, height;
    double scale; /* pixels of a PNG for each pixel here */
    uint32_t background;
    size_t title; /* see oc_scene_string */
    oc_scene_item *items;
    size_t item_count, item_capacity;
    oc_point *points; /* of paths */
    size_t point_count, point_capacity;
    oc_scene_entry *entries; /* metadata */
    size_t entry_count, entry_capacity;
    oc_text strings;
    uint32_t open_groups;
    /* its number, from 1, among the pictures of an HTML page; 0: a file */
    uint32_t fragment;
    bool failed;
} oc_scene;

/* These functions copy strings. They replace invalid UTF-8 and control characters. A NULL tooltip
 * means none. */
void oc_scene_begin(oc_scene *scene, double width, double height, uint32_t background,
                    const char *title);
void oc_scene_rectangle(oc_scene *scene, const oc_rectangle *rectangle, const char *tooltip);

/* Adds a rectangle with a text as its tooltip, and takes the text; NULL: none. */
void oc_scene_explained(oc_scene *scene, const oc_rectangle *rectangle, oc_text *tooltip);

/* Frees a text; one that failed makes the scene fail. */
void oc_scene_take(oc_scene *scene, oc_text *text);

/* Marks the rectangle that was added last. */
void oc_scene_mark(oc_scene *scene, oc_mark mark, uint32_t colour);

/* Strews dots over the rectangle that was added last, as dense as 0 .. 1: see oc_dots. */
void oc_scene_texture(oc_scene *scene, double density, uint32_t colour);

/* Sets what the last item shows, so that a page can look it up. */
void oc_scene_refer(oc_scene *scene, size_t subject);
void oc_scene_line(oc_scene *scene, const oc_segment *line);
void oc_scene_label(oc_scene *scene, const oc_label *label, const char *text, const char *tooltip);

/* Adds a path through points, which are copied; `first` and `count` of the path are set here. */
void oc_scene_path(oc_scene *scene, const oc_path *path, const oc_point *points, size_t count,
                   const char *tooltip);

void oc_scene_group(oc_scene *scene, const char *name, const oc_group_style *group,
                    const char *tooltip);
void oc_scene_group_end(oc_scene *scene);

/* Keys are ASCII identifiers, so that every format can carry them as names. */
void oc_scene_metadata(oc_scene *scene, const char *key, const char *value);

/* The string at an offset that an item holds; "" for none. */
const char *oc_scene_string(const oc_scene *scene, size_t offset);

/* Errors: MEMORY if something could not be added. */
ocelotl_status oc_scene_status(const oc_scene *scene);
void oc_scene_free(oc_scene *scene);

/* --- One scene in another. */

/* Adds all of `other`, moved by x and y pixels; `prefix` precedes its metadata's keys. Failures are
 * kept, as of any item. O(items + points + strings). */
void oc_scene_append(oc_scene *scene, const oc_scene *other, double x, double y,
                     const char *prefix);

/* --- Marks: lines across a rectangle (thesis 6.4.4), the same in every format. */

#define OC_MARK_WIDTH   1
#define OC_MARK_OPACITY 0.5

/* Lines start and end in the middle of pixels. */
#define OC_MARK_INSET 0.5

/* Puts the ends of each line of a rectangle's mark into `points`, with room for two lines. Returns
 * the number of lines: 0 if they would not be seen. */
int oc_mark_lines(oc_point points[4], const oc_scene_item *item);

/* --- Texture: dots, the same in every format. A dot of the plane is in every rectangle over it
 * that is dense enough: of two neighbours the denser has all the dots that it would have if it were
 * as sparse, and more. */

#define OC_DOT_SIZE    2 /* pixels */
#define OC_DOT_OPACITY 0.6

/* The dots of an item, one after the other. */
typedef struct oc_dots {
    const oc_scene_item *item;
    long column, row; /* of the cell that is looked at next */
} oc_dots;

oc_dots oc_dots_of(const oc_scene_item *item);

/* Gives the upper left corner of the next dot; false after the last. */
bool oc_dots_next(oc_point *corner, oc_dots *dots);

/* --- Hatching is the same in every format: lines one pixel wide, OC_HATCH_STEP pixels apart, at an
 * angle in degrees clockwise from the vertical. */

#define OC_HATCH_STEP  6
#define OC_HATCH_ANGLE 45

/* --- Colours of a page that is light or dark as its reader prefers. If a picture in light and one
 * in dark differ, the scene has a number for both colours, and the page defines it in each. */

/* Zero-initialised it is empty. */
typedef struct oc_colour_pairs {
    uint32_t (*pairs)[2]; /* in light and in dark */
    size_t count, capacity;
} oc_colour_pairs;

/* Finds the colour that stands for both; of equal ones the same. Errors: MEMORY. O(pairs). */
ocelotl_status oc_colour_pair(uint32_t *colour, oc_colour_pairs *pairs, uint32_t light,
                              uint32_t dark);

/* Whether a colour stands for two, and its number then. */
bool oc_colour_is_pair(uint32_t *number, uint32_t colour);

/* Gives a light scene the colours that stand for its own and the dark scene's. If the two differ in
 * more than colours, *paired is false and nothing changes. Errors: MEMORY. O(items x pairs). */
ocelotl_status oc_scene_pair(bool *paired, oc_scene *light, const oc_scene *dark,
                             oc_colour_pairs *pairs);

/* A colour as CSS has it: "#rrggbb", "none", or the variable of a pair. */
void oc_colour_write(oc_text *text, uint32_t colour);

void oc_colour_pairs_free(oc_colour_pairs *pairs);

#endif

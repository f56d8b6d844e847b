/* The legend below a picture: swatches with their names, in as many rows as they need. */
#ifndef OC_VIZ_FRAME_LEGEND_H
#define OC_VIZ_FRAME_LEGEND_H

#include "viz/frame/picture.h"

/* What an entry shows, and which entries go first where there is no room for all. */
typedef enum oc_legend_kind {
    OC_LEGEND_TYPE, /* a colour and the name of a type; the last ones become "n others" */
    OC_LEGEND_MARK, /* what else is seen in the picture; goes last */
    /* a colour in three opacities and what they mean; goes once there is one type left */
    OC_LEGEND_SHADES
} oc_legend_kind;

typedef struct oc_legend_entry {
    oc_legend_kind kind;
    oc_rectangle look; /* fill, opacity, stroke and hatch of the swatch */
    bool muted;        /* the name in a colour that stands back */
    size_t name;       /* where it is in `strings` */
    size_t tooltip;    /* the same; 0 for none */
    oc_mark mark;      /* over the swatch */
} oc_legend_entry;

/* A zeroed one is empty. Entries are shown in the order in which they are added, types before all
 * others. */
typedef struct oc_legend {
    oc_legend_entry *entries;
    size_t count, capacity;
    oc_text strings;
    bool failed;
} oc_legend;

/* The look of a plain swatch. */
oc_rectangle oc_legend_swatch(uint32_t fill);

/* Strings are copied. */
void oc_legend_add(oc_legend *legend, oc_legend_kind kind, const oc_rectangle *look,
                   const char *name, const char *tooltip, bool muted);

/* Appends what the shades of an entry are, from the fullest on, where colours go from nothing at
 * `low` to all at `high`: "12, 7.2, 3 events"; without a unit (NULL) in percent. */
void oc_legend_add_numbers(oc_text *text, double low, double high, const char *unit);

/* Puts a mark over the swatch of the entry that was added last. */
void oc_legend_mark(oc_legend *legend, oc_mark mark);

/* Rows that the whole legend would take in `width` pixels, `most` at most; twelve types at most are
 * named. */
int oc_legend_rows(const oc_legend *legend, double width, int most);

/* Height that so many rows take, with the space above them; 0 for none. */
int oc_legend_height(int rows);

/* Draws the legend into `rows` rows at the bottom of the picture. */
void oc_legend_draw(oc_scene *scene, const oc_picture *picture, const oc_legend *legend, int rows);
void oc_legend_free(oc_legend *legend);

#endif

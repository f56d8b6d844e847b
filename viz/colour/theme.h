/* What all pictures have in common: colours of what is not data, sizes of lettering, distances. */
#ifndef OC_VIZ_COLOUR_THEME_H
#define OC_VIZ_COLOUR_THEME_H

#include <ocelotl/picture.h>

/* Colours are 0xRRGGBB; text contrasts with the paper by 4.5 at least. */
typedef struct oc_theme {
    const char *name;
    uint32_t paper;
    uint32_t ink;    /* titles and names */
    uint32_t muted;  /* captions and what is said of axes */
    uint32_t rule;   /* axes and edges of plots */
    uint32_t border; /* between parts that are too pale to end visibly */
    uint32_t node;   /* behind the names of the hierarchy */
    uint32_t hatch;  /* outside a lifetime */
    uint32_t accent; /* what is marked: the current p, a window */
} oc_theme;

/* The theme of a number of picture.h, NULL where there is none. */
const oc_theme *oc_theme_get(ocelotl_theme number);

/* Sizes of lettering, in pixels. */
#define OC_SIZE_TITLE   18
#define OC_SIZE_CAPTION 12
#define OC_SIZE_LABEL   11

#endif

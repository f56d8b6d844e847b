/* A chart of bars, one below the other. */
#ifndef OC_VIZ_BARS_H
#define OC_VIZ_BARS_H

#include <ocelotl/picture.h>

typedef struct oc_bar {
    char *name;
    char *shown;   /* its length, for people */
    double length; /* >= 0 */
} oc_bar;

/* Draws bars in their order; those that have no room are counted in the caption. `title` is used if
 * the user gave none. A width of 0 is 800, a height of 0 what all take. Errors: as those of
 * pictures. O(bars). */
ocelotl_status oc_bars_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                            const char *title, const oc_bar *bars, size_t count,
                            const ocelotl_picture_options *options);

#endif

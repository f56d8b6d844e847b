/* Pictures of partitions. */
#ifndef OCELOTL_VIEW_H
#define OCELOTL_VIEW_H

#include <ocelotl/aggregation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ocelotl_view_options {
    size_t size;          /* sizeof(ocelotl_view_options), set by the initialiser */
    double width, height; /* pixels (points in PDF), 320 .. 20000; 0: 1280 x 720 */
    const char *title;    /* NULL: the model's name */
    const char *command;  /* a command line that repeats the picture, for its metadata; NULL: none */
} ocelotl_view_options;

#define OCELOTL_VIEW_OPTIONS_INIT                      \
    {                                                  \
        sizeof(ocelotl_view_options), 0, 0, NULL, NULL \
    }

/* Draws a partition as mode (thesis 6.4.3): one rectangle a part in the colour of its dominant type, as opaque as
 * that type's share. x is time, y the hierarchy. Untraced time is background and never dominant; outside its
 * lifetime a leaf is hatched. The format follows the suffix of `path`: .svg, .png or .pdf; the file is whole or
 * absent. Every picture carries the parameters it was made with. Options may be NULL.
 * Errors: ARGUMENT (unknown suffix, size out of range), IO. O(parts x types + leaves). */
OCELOTL_API ocelotl_status ocelotl_overview_render(const char *path, const ocelotl_partition *partition,
                                                   const ocelotl_view_options *options);

/* Whether ocelotl_overview_render would take this path and these options: for programs that want to know before the
 * work that comes first. Errors: ARGUMENT as there. O(1). */
OCELOTL_API ocelotl_status ocelotl_overview_check(const char *path, const ocelotl_view_options *options);

#ifdef __cplusplus
}
#endif
#endif

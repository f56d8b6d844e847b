/* What every picture is asked for, whatever it shows, and how it comes to be a file. A view is a
 * function that lays itself out into a scene; views of a partition are in a table, see
 * viz/overview/overview.h. */
#ifndef OC_VIZ_FRAME_PICTURE_H
#define OC_VIZ_FRAME_PICTURE_H

#include "viz/colour/colour.h"
#include "viz/colour/palette.h"
#include "viz/scene/backend.h"

#include <ocelotl/trace.h>

/* A zeroed one is of no size: see oc_picture_read. */
typedef struct oc_picture {
    oc_target target;
    double width, height; /* pixels, whole */
    double dpi;           /* of a PNG: 96 makes a pixel of each */
    double smallest;      /* pixels below which a thing is not drawn on its own */
    const oc_theme *theme;
    const char *title;               /* NULL: the view's own */
    const char *command;             /* NULL: none */
    const char *area;                /* see ocelotl_picture_options */
    const ocelotl_palette *colours;  /* the user's, or NULL */
    ocelotl_palette *read_colours;   /* the same where the picture read them itself */
    const ocelotl_type_names *names; /* see `type_names` of ocelotl_picture_options */
    int margin;                      /* 0: by the size */
    uint64_t memory_failures;        /* before it: see oc_memory_failures */
} oc_picture;

/* The plot in whole pixels, so that edges are crisp. */
typedef struct oc_frame {
    int left, top, width, height;
} oc_frame;

/* Reads and checks options, and where the picture goes. Errors: ARGUMENT; of the file of colours as
 * ocelotl_palette_read. */
ocelotl_status oc_picture_read(oc_picture *picture, const oc_target *target,
                               const ocelotl_picture_options *options);
void oc_picture_free(oc_picture *picture);

/* What the colours of types follow from. */
oc_colouring oc_picture_colouring(const oc_picture *picture);

/* Lays something out into an empty scene. */
typedef ocelotl_status (*oc_lay_out)(oc_scene *scene, const oc_picture *picture,
                                     const void *subject);

/* Lays `subject` out and writes it to the target. Errors: those of the layout and of
 * oc_scene_write; MEMORY where anything done for the picture since it was read had none. */
ocelotl_status oc_picture_draw(const oc_picture *picture, oc_lay_out lay_out, const void *subject);

/* Starts the scene of a picture; `title` where the user gave none. */
void oc_picture_begin(oc_scene *scene, const oc_picture *picture, const char *title);

/* Distance of everything from the edges. */
int oc_picture_margin(const oc_picture *picture);

/* Metadata: what made the picture, and the command that repeats it; keys as oc_scene_metadata wants
 * them. An empty or NULL value is left out. */
void oc_picture_add_metadata(oc_scene *scene, const oc_picture *picture);
void oc_metadata_text(oc_scene *scene, const char *key, const char *value);
void oc_metadata_number(oc_scene *scene, const char *key, double value);
void oc_metadata_count(oc_scene *scene, const char *key, uint64_t value);

/* --- The title of a picture and the lines under it: pieces one after the other, as many lines as
 * they need. */

#define OC_CAPTION_LINES_MOST 3

/* A zeroed one is empty. */
typedef struct oc_caption {
    oc_text lines[OC_CAPTION_LINES_MOST];
    int count;
    int most;     /* lines */
    double width; /* pixels of a line */
} oc_caption;

/* Empties a caption for a picture: small pictures have fewer lines. */
void oc_caption_begin(oc_caption *caption, const oc_picture *picture);

/* Puts a piece after the others, on a line of its own where it does not fit any more; what does not
 * fit on the last line is cut. An empty piece is none. */
void oc_caption_add(oc_caption *caption, const char *piece);

/* Pixels that the title and the lines take, with the space below them. */
int oc_caption_height(const oc_caption *caption, const oc_picture *picture);

/* Draws the title of the scene and the lines. */
void oc_caption_draw(oc_scene *scene, const oc_picture *picture, const oc_caption *caption);
void oc_caption_free(oc_caption *caption);

#endif

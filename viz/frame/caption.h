/* The title of a picture and the lines under it: pieces one after the other, as many lines as they
 * need. */
#ifndef OC_VIZ_FRAME_CAPTION_H
#define OC_VIZ_FRAME_CAPTION_H

#include "viz/frame/picture.h"

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

/* Pixels from the top of the picture to where the plot may begin. */
int oc_caption_bottom(const oc_caption *caption, const oc_picture *picture);

/* Draws the title of the scene and the lines. */
void oc_caption_draw(oc_scene *scene, const oc_picture *picture, const oc_caption *caption);
void oc_caption_free(oc_caption *caption);

#endif

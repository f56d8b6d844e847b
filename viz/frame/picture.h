/* What all pictures share: their options, their layout, and how they become a file. A view is a
 * function that lays itself out into a scene; views of a partition are in a table, see
 * viz/overview/overview.h. */
#ifndef OC_VIZ_FRAME_PICTURE_H
#define OC_VIZ_FRAME_PICTURE_H

#include "viz/colour/colour.h"
#include "viz/scene/backend.h"
#include "viz/words/words.h"

#include <ocelotl/trace.h>

/* The plot in whole pixels, so that edges are crisp. */
typedef struct oc_frame {
    int left, top, width, height;
} oc_frame;

/* One of two pictures in one: see oc_halves. */
typedef struct oc_half {
    int left;      /* where its plot begins at the earliest */
    int right;     /* pixels at the right of that, at least */
    double extent; /* the share of the width that its plot takes */
    bool legend;   /* it has the legend of both */
    oc_frame plot; /* once it is laid out, */
    int scale;     /* and the pixels that are needed at the right of it */
} oc_half;

/* A zeroed one is of no size: see oc_picture_read. */
typedef struct oc_picture {
    oc_target target;
    double width, height; /* pixels, whole */
    double dpi;           /* of a PNG: 96 makes a pixel of each */
    double smallest;      /* pixels below which a thing is not drawn on its own */
    bool plain;           /* see ocelotl_picture_options */
    bool all_rows;        /* idle ones are not folded */
    bool texture;         /* blocks are as dotted as much is lost inside */
    bool bare;            /* no title, caption, legend or strip of the whole: a page has them */
    int plot_left, plot_right; /* see ocelotl_picture_options */
    const ocelotl_picture_note *notes;
    size_t note_count;
    const char *explained; /* see ocelotl_picture_options, NULL: nothing */
    const oc_theme *theme;
    const char *title;               /* NULL: the view's own */
    const char *command;             /* NULL: none */
    const char *area;                /* see ocelotl_picture_options */
    const ocelotl_palette *colours;  /* the user's, or NULL */
    ocelotl_palette *read_colours;   /* the same where the picture read them itself */
    const ocelotl_type_names *names; /* see `type_names` of ocelotl_picture_options */
    ocelotl_names shown;             /* see `show` of ocelotl_picture_options */
    ocelotl_names background;        /* see `background` there */
    const char *colour_by, *source;  /* likewise */
    const ocelotl_type_tree *tree;   /* of types, or NULL */
    bool falling;                    /* curves show what is left */
    int margin;                      /* 0: by the size */
    oc_half *half;                   /* NULL: it is a whole one */
    uint64_t memory_failures;        /* before it: see oc_memory_failures */
} oc_picture;

/* Reads and checks options and the target. Errors: ARGUMENT; of the file of colours as
 * ocelotl_palette_read. */
ocelotl_status oc_picture_read(oc_picture *picture, const oc_target *target,
                               const ocelotl_picture_options *options);
void oc_picture_free(oc_picture *picture);

/* What the colours of types depend on. */
oc_colouring oc_picture_colouring(const oc_picture *picture);

/* Lays something out into an empty scene. */
typedef ocelotl_status (*oc_lay_out)(oc_scene *scene, const oc_picture *picture,
                                     const void *subject);

/* Lays `subject` out and writes it to the target. Errors: those of the layout and of
 * oc_scene_write; MEMORY if anything done for the picture since oc_picture_read ran out of it. */
ocelotl_status oc_picture_draw(const oc_picture *picture, oc_lay_out lay_out, const void *subject);

/* Reads the options, draws as oc_picture_draw, and frees the picture. */
ocelotl_status oc_picture_make(const oc_target *target, const ocelotl_picture_options *options,
                               oc_lay_out lay_out, const void *subject);

/* Takes a width or a height of its own where the user gave none. */
void oc_picture_preset(double *length, double preset);

/* Starts the scene of a picture; `title` is used if the user gave none. */
void oc_picture_begin(oc_scene *scene, const oc_picture *picture, const char *title);

/* Distance of everything from the edges. */
int oc_picture_margin(const oc_picture *picture);

/* Metadata: what made the picture, the command that repeats it, and of what trace it is; keys as
 * oc_scene_metadata wants them. An empty or NULL value is left out. */
void oc_picture_add_metadata(oc_scene *scene, const oc_picture *picture, const char *trace,
                             const char *uid);

/* The same, with the kind of picture and the window of the trace, in ticks. */
void oc_picture_add_window(oc_scene *scene, const oc_picture *picture, const ocelotl_trace *trace,
                           const char *kind, int64_t from, int64_t to);

/* Appends such a window. */
void oc_window_add(oc_text *text, const ocelotl_trace *trace, int64_t from, int64_t to);

void oc_metadata_text(oc_scene *scene, const char *key, const char *value);
void oc_metadata_number(oc_scene *scene, const char *key, double value);
void oc_metadata_count(oc_scene *scene, const char *key, uint64_t value);

/* A label of the usual size. */
static inline oc_label oc_label_at(double x, double y, oc_anchor anchor, uint32_t colour)
{
    return (oc_label){x, y, anchor, OC_SIZE_LABEL, false, colour, 0};
}

/* Draws what fits of a text into `room` pixels. */
void oc_label_draw(oc_scene *scene, const oc_label *label, const char *text, double room,
                   const char *tooltip);

/* --- The title of a picture and the lines under it: pieces, in as many lines as they need. */

#define OC_CAPTION_LINES_MOST  3
#define OC_SENTENCE_LINES_MOST 2

/* A zeroed one is empty. */
typedef struct oc_caption {
    oc_text lines[OC_CAPTION_LINES_MOST + OC_SENTENCE_LINES_MOST];
    int count;
    int most;     /* lines */
    int whole;    /* the first ones, which take no more pieces */
    double width; /* pixels of a line; infinite: one line, with a line end between pieces */
} oc_caption;

/* Puts a sentence on lines of its own, before all pieces: on as many as it needs. The last one is
 * cut. NULL adds nothing. */
void oc_caption_add_sentence(oc_caption *caption, const char *sentence);

/* Puts a piece after the others, or on a new line if it does not fit. The last line is cut. An
 * empty piece adds nothing. */
void oc_caption_add(oc_caption *caption, const char *piece);

/* Adds a text as a piece and empties it. A text that failed makes the caption fail. */
void oc_caption_take(oc_caption *caption, oc_text *piece);

/* Adds a phrase as a piece. */
void oc_caption_add_phrase(oc_caption *caption, const char *phrase, const oc_word *words);

#define OC_CAPTION(caption, phrase, ...) \
    oc_caption_add_phrase(caption, phrase, (const oc_word[]){__VA_ARGS__})

/* Adds a window of a trace. */
void oc_caption_add_window(oc_caption *caption, const ocelotl_trace *trace, int64_t from,
                           int64_t to);

/* Adds a string, cleaned. */
void oc_caption_add_clean(oc_caption *caption, const char *string);

/* Adds the types of states that a model shows, if any. */
void oc_caption_add_states(oc_caption *caption, const ocelotl_model_info *model);

/* Adds the types that alone have their colours to a caption, where they were chosen. */
void oc_caption_add_shown(oc_caption *caption, const oc_picture *picture);

/* Draws the title of the scene and the lines. */
void oc_caption_draw(oc_scene *scene, const oc_picture *picture, const oc_caption *caption);
void oc_caption_free(oc_caption *caption);

/* --- Layout: boxes around a plot, each as large as its content needs. A box may depend on the
 * plot, which takes what the boxes leave: both are solved together. */

typedef enum oc_side { OC_ABOVE, OC_BELOW, OC_LEFT, OC_RIGHT } oc_side;

/* Finds the size of a box across its side, in pixels, for the current plot. */
typedef ocelotl_status (*oc_measure)(int *size, void *subject);

/* Adds what a picture is of to its caption, for the current plot. */
typedef void (*oc_write_caption)(oc_caption *caption, const void *subject);

typedef struct oc_layout_box {
    oc_side side;
    oc_measure measure; /* NULL: the size stays, or is that of a caption */
    int size;
    bool once;                      /* measured in the first round alone */
    oc_caption *caption;            /* NULL: none */
    oc_write_caption write_caption; /* into an empty one */
} oc_layout_box;

enum { OC_LAYOUT_BOXES_MOST = 8 };

/* A zeroed one has no boxes. */
typedef struct oc_layout {
    oc_layout_box boxes[OC_LAYOUT_BOXES_MOST];
    size_t count;
} oc_layout;

/* Adds a box whose size depends on the plot, or one whose size does not. */
void oc_layout_measure(oc_layout *layout, oc_side side, oc_measure measure);
void oc_layout_measure_once(oc_layout *layout, oc_side side, oc_measure measure);
/* Adds the box of a caption above the plot. */
void oc_layout_caption(oc_layout *layout, oc_caption *caption, oc_write_caption write);
void oc_layout_reserve(oc_layout *layout, oc_side side, int size);

/* Places the plot: measures the boxes in the order of their addition, until a whole round changes
 * no size. The first measure finds the plot empty. In the end each box fits the plot, unless it is
 * measured once. Errors: those of the boxes. */
ocelotl_status oc_layout_solve(oc_frame *plot, const oc_layout *layout, const oc_picture *picture,
                               void *subject);

#endif

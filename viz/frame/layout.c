#include "viz/frame/layout.h"

#include <math.h>

/* Contents that still drive each other on after so many rounds are left as they are. */
enum { ROUNDS_MOST = 4 };

static void add(oc_layout *layout, oc_layout_box box)
{
    if (layout->count < OC_LAYOUT_BOXES_MOST)
        layout->boxes[layout->count++] = box;
}

void oc_layout_measure(oc_layout *layout, oc_side side, oc_measure measure)
{
    add(layout, (oc_layout_box){.side = side, .measure = measure});
}

void oc_layout_measure_once(oc_layout *layout, oc_side side, oc_measure measure)
{
    add(layout, (oc_layout_box){.side = side, .measure = measure, .once = true});
}

void oc_layout_reserve(oc_layout *layout, oc_side side, int size)
{
    add(layout, (oc_layout_box){.side = side, .size = size});
}

/* The plot takes what the boxes and the margins leave. */
static void place(oc_frame *plot, const oc_layout *layout, const oc_picture *picture)
{
    const int margin = oc_picture_margin(picture);
    int taken[] = {
        [OC_ABOVE] = margin, [OC_BELOW] = margin, [OC_LEFT] = margin, [OC_RIGHT] = margin};
    for (size_t i = 0; i < layout->count; i++)
        taken[layout->boxes[i].side] += layout->boxes[i].size;
    if (taken[OC_LEFT] < layout->least_left)
        taken[OC_LEFT] = layout->least_left;
    *plot = (oc_frame){taken[OC_LEFT], taken[OC_ABOVE],
                       (int)picture->width - taken[OC_RIGHT] - taken[OC_LEFT],
                       (int)picture->height - taken[OC_ABOVE] - taken[OC_BELOW]};
    if (layout->extent > 0)
        plot->width = (int)fmax(1, round(plot->width * layout->extent));
}

/* Measures a box, and places the plot beside it. */
static ocelotl_status measure(bool *changed, oc_frame *plot, oc_layout *layout, size_t index,
                              const oc_picture *picture, void *subject)
{
    oc_layout_box *box = &layout->boxes[index];
    const int before = box->size;
    OC_TRY(box->measure(&box->size, subject));
    *changed = *changed || box->size != before;
    place(plot, layout, picture);
    return OCELOTL_OK;
}

ocelotl_status oc_layout_solve(oc_frame *plot, const oc_layout *layout, const oc_picture *picture,
                               void *subject)
{
    oc_layout now = *layout;
    bool changed = true;
    *plot = (oc_frame){0};
    for (int round = 0; round < ROUNDS_MOST && changed; round++) {
        changed = round == 0;
        for (size_t i = 0; i < now.count; i++)
            if (now.boxes[i].measure != NULL && (round == 0 || !now.boxes[i].once))
                OC_TRY(measure(&changed, plot, &now, i, picture, subject));
    }
    return OCELOTL_OK;
}

/* A partition as mode (thesis 6.4.3): a rectangle a part, in the colour of its dominant type, as
 * opaque as that type's share. */
#include "viz/overview/block_drawing.h"

static ocelotl_status give_looks(oc_look *looks, const oc_overview *overview,
                                 const oc_blocks *blocks)
{
    for (size_t i = 0; i < blocks->count; i++) {
        const ocelotl_part part = oc_block_as_part(blocks, overview, &blocks->blocks[i]);
        const oc_mode mode = oc_overview_mode_of(overview, &part);
        const bool empty = mode.type == OCELOTL_NONE;
        looks[i].fill = empty ? overview->picture->theme->paper : overview->types[mode.type].colour;
        looks[i].opacity = empty ? 0 : mode.opacity;
    }
    return OCELOTL_OK;
}

static ocelotl_status draw(oc_scene *scene, const oc_overview *overview)
{
    return oc_blocks_draw(scene, overview, give_looks);
}

static const char what[] =
    "each part in the colour of its dominant type, as opaque as that type's share";

const oc_view oc_view_mode = {.is = {"mode", what, OCELOTL_SPATIOTEMPORAL},
                              .resources = true,
                              .shades = true,
                              .types = true,
                              .draw = draw,
                              .describe = oc_blocks_write_caption,
                              .explain = oc_blocks_write_legend};

const oc_view oc_view_temporal_mode = {.is = {"mode", what, OCELOTL_TEMPORAL},
                                       .shades = true,
                                       .types = true,
                                       .draw = draw,
                                       .describe = oc_blocks_write_caption,
                                       .explain = oc_blocks_write_legend,
                                       .height = OC_BAR_PICTURE_HEIGHT};

const oc_view oc_view_spatial_mode = {.is = {"mode", what, OCELOTL_SPATIAL},
                                      .resources = true,
                                      .shades = true,
                                      .types = true,
                                      .draw = draw,
                                      .describe = oc_blocks_write_caption,
                                      .explain = oc_blocks_write_legend};

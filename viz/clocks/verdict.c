/* What all clocks together are told to be, in the caption of their picture. */
#include "viz/clocks/plot.h"

#include <inttypes.h>
#include <math.h>

static void add_clocks(oc_text *text, const ocelotl_clocks_info *info)
{
    oc_count_add(text, info->clocks);
    oc_text_add(text, info->clocks == 1 ? " clock" : " clocks");
    if (info->clock_type[0] != '\0') {
        oc_text_add(text, " of type ");
        oc_clean_add(text, info->clock_type, false);
    }
    if (info->groups > 1)
        oc_text_format(text, ", in %" PRIu32 " groups: nothing says how these differ",
                       info->groups);
}

static void add_bound(oc_text *text, const oc_clock_plot *plot, const ocelotl_clocks_info *info)
{
    if (info->windows > 1) {
        oc_text_format(text, "straight between the middles of %" PRIu32 " windows: not bounded",
                       info->windows);
    } else if (isfinite(info->bound)) {
        oc_text_add(text, "known to ");
        oc_clock_plot_add(text, plot, info->bound, 0.01);
    } else if (info->bent > 0) {
        oc_text_format(text,
                       "no clocks that run evenly explain %" PRIu32
                       " pair%s: nothing bounds them; see --drift pieces",
                       info->bent, info->bent == 1 ? "" : "s");
    }
}

/* The theorem in plain words. */
static void add_verdict(oc_text *text, const oc_clock_plot *plot, const ocelotl_clocks_info *info)
{
    if (info->still > 0) {
        oc_text_add(text, "messages contradict the order of events");
    } else if (info->transit >= 0 && isfinite(info->eps)) {
        oc_text_add(text, "order is certain for events ");
        oc_clock_plot_add(text, plot, info->eps, 0.01);
        oc_text_add(text, " apart, the least message takes ");
        oc_clock_plot_add(text, plot, info->transit, 0.01);
        oc_text_add(text, info->is_ordered ? ": every cause comes before its effect"
                                           : ": the clocks alone do not prove the order");
    }
}

static void add_messages(oc_text *text, const ocelotl_clocks_info *info)
{
    oc_count_add(text, info->wrong);
    oc_text_add(text, " of ");
    oc_count_add(text, info->messages);
    oc_text_add(text, " messages end before they begin, in these clocks' time ");
    oc_count_add(text, info->still);
}

void oc_clocks_say(oc_caption *caption, const oc_clock_plot *plot, const ocelotl_clocks_info *info)
{
    oc_text piece = {0};
    add_clocks(&piece, info);
    oc_caption_take(caption, &piece);
    add_bound(&piece, plot, info);
    oc_caption_take(caption, &piece);
    add_verdict(&piece, plot, info);
    oc_caption_take(caption, &piece);
    add_messages(&piece, info);
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
}

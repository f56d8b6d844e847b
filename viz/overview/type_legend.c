#include "viz/overview/overview.h"

#include "viz/words/lettering.h"

#include <math.h>

/* In a mixed view no type stands back. */
static bool is_listed(const oc_type_summary *summary, bool seen, const oc_view *view)
{
    return (summary->dominant || view->mixed) == seen && summary->share > 0 &&
           !summary->type.untraced;
}

static void add_type(oc_legend *legend, const oc_type_summary *summary, bool seen)
{
    const oc_rectangle look = oc_legend_swatch(summary->colour);
    oc_text tooltip = {0};
    oc_clean_add(&tooltip, summary->type.name, false);
    oc_text_add(&tooltip, ": ");
    oc_percent_add(&tooltip, summary->share);
    oc_text_add(&tooltip, seen ? " of the whole" : " of the whole, dominant nowhere");
    oc_legend_add(legend, OC_LEGEND_TYPE, &look, summary->type.name, tooltip.bytes, !seen);
    legend->failed = legend->failed || tooltip.failed;
    oc_text_free(&tooltip);
}

/* Types that dominate somewhere come first, each kind by its share. */
static void add_types(oc_legend *legend, const oc_overview *overview)
{
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < overview->model.type_count; i++) {
            const oc_type_summary *summary = &overview->types[overview->order[i]];
            if (is_listed(summary, pass == 0, overview->input->view))
                add_type(legend, summary, pass == 0);
        }
    }
}

static void add_mark(oc_legend *legend, const oc_theme *theme, const char *name, uint32_t hatch)
{
    oc_rectangle look = oc_legend_swatch(theme->paper);
    look.stroke = theme->rule;
    look.hatch = hatch;
    oc_legend_add(legend, OC_LEGEND_MARK, &look, name, NULL, false);
}

static void add_shared_types(oc_legend *legend, const oc_shared *shared, const oc_view *view)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < shared->count; i++)
            if (is_listed(&shared->types[i], pass == 0, view))
                add_type(legend, &shared->types[i], pass == 0);
}

/* Values that are no sums go from the least to the largest of their own type. */
static bool have_one_scale(const oc_overview *overview, double *low, double *high)
{
    bool found = false;
    *low = 0;
    *high = overview->largest;
    if (overview->model.additive)
        return true;
    for (uint32_t i = 0; i < overview->model.type_count; i++) {
        const oc_type_summary *summary = &overview->types[i];
        const double least = fmin(0, summary->type.low);
        if (!summary->dominant || summary->type.untraced)
            continue;
        if (found && (least < *low || least > *low || summary->type.high < *high ||
                      summary->type.high > *high))
            return false;
        *low = least;
        *high = summary->type.high;
        found = true;
    }
    return found && overview->input->shared == NULL;
}

void oc_overview_explain_shades(oc_legend *legend, const oc_overview *overview,
                                const oc_rectangle *shade, const char *what)
{
    const bool shares = !oc_overview_has_unit(overview);
    double low = 0;
    double high = 1;
    oc_text name = {0};
    oc_text_format(&name, "%sfainter: ", what);
    if (!shares && have_one_scale(overview, &low, &high)) {
        oc_legend_add_numbers(&name, low, high, overview->model.unit);
    } else {
        oc_legend_add_numbers(&name, 0, 1, NULL);
        oc_text_add(&name, !shares                    ? " of a type's largest value"
                           : overview->model.has_time ? " of the time"
                                                      : " of the values");
    }
    if (!name.failed)
        oc_legend_add(legend, OC_LEGEND_SHADES, shade, name.bytes, NULL, true);
    legend->failed = legend->failed || name.failed;
    oc_text_free(&name);
}

void oc_overview_write_legend(oc_legend *legend, const oc_overview *overview)
{
    const oc_view *view = overview->input->view;
    const oc_theme *theme = overview->picture->theme;
    const oc_shared *shared = overview->input->shared;
    if (shared != NULL && !shared->legend)
        return;
    if (view->types && shared != NULL)
        add_shared_types(legend, shared, view);
    else if (view->types)
        add_types(legend, overview);
    const bool shaded = view->shades && legend->count > 0;
    const oc_rectangle shade = shaded ? legend->entries[0].look : oc_legend_swatch(theme->muted);
    if (view->types && (overview->has_untraced || (shared != NULL && shared->has_untraced)))
        add_mark(legend, theme, "(no state)", OC_COLOUR_NONE);
    if (view->resources && (overview->has_lifetimes || (shared != NULL && shared->has_lifetimes)))
        add_mark(legend, theme, "outside lifetime", theme->hatch);
    if (view->explain != NULL)
        view->explain(legend, overview);
    if (shaded)
        oc_overview_explain_shades(legend, overview, &shade, "");
}

#include "base/memory.h"
#include "base/weighed.h"
#include "viz/overview/overview.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PALE_MOST = 3 }; /* types of the background that are named in any case */

/* Shares are rounded, so that partitions of one model agree on the order. */
static ocelotl_status order_types(oc_overview *overview)
{
    const uint32_t count = overview->model.type_count;
    oc_weighed *ranks = NULL;
    OC_TRY(oc_allocate(&ranks, count, sizeof *ranks));
    for (uint32_t type = 0; type < count; type++)
        ranks[type] = (oc_weighed){round(overview->types[type].share * 1e9), type};
    oc_sort_weighed(ranks, count);
    for (uint32_t i = 0; i < count; i++)
        overview->order[i] = (uint32_t)ranks[i].place;
    free(ranks);
    return OCELOTL_OK;
}

static void take_colours(oc_overview *overview, const oc_type_colours *colours)
{
    const oc_theme *theme = overview->picture->theme;
    const ocelotl_palette *user = overview->picture->colours;
    for (uint32_t i = 0; i < overview->model.type_count; i++) {
        oc_type_summary *summary = &overview->types[i];
        const char *name = summary->type.name;
        if (summary->type.untraced)
            summary->colour = theme->paper;
        else if (overview->shading.background[i] &&
                 (user == NULL || !oc_palette_find(&summary->colour, user, name)))
            summary->colour = oc_theme_background(theme);
        else
            summary->colour = oc_type_colours_find(colours, name);
    }
}

ocelotl_status oc_overview_find_type(oc_overview *overview)
{
    overview->type = OCELOTL_NONE;
    if (overview->input->type != NULL)
        return ocelotl_model_find_type(&overview->type, overview->input->model,
                                       overview->input->type);
    for (uint32_t i = 0; i < overview->model.type_count && overview->type == OCELOTL_NONE; i++)
        if (!overview->types[overview->order[i]].type.untraced)
            overview->type = overview->order[i];
    return OCELOTL_OK;
}

ocelotl_status oc_overview_find_modes(oc_overview *overview)
{
    const oc_overview_input *input = overview->input;
    OC_TRY(oc_allocate(&overview->modes, input->partition.part_count, sizeof *overview->modes));
    OC_TRY(oc_allocate(&overview->types, overview->model.type_count, sizeof *overview->types));
    OC_TRY(oc_allocate(&overview->order, overview->model.type_count, sizeof *overview->order));
    for (uint32_t type = 0; type < overview->model.type_count; type++)
        overview->types[type].type = ocelotl_model_type_at(input->model, type);
    const oc_shading_options options = {
        .plain = overview->picture->plain,
        .background = &overview->picture->background,
        .largest = input->shared != NULL ? input->shared->largest : 0,
    };
    OC_TRY(oc_shading_find(&overview->shading, input->model, input->parts,
                           input->partition.part_count, &options));
    for (size_t i = 0; i < input->partition.part_count; i++) {
        const ocelotl_part *part = &input->parts[i];
        overview->modes[i] = oc_shading_of(&overview->shading, input->model, part);
        for (uint32_t type = 0; type < overview->model.type_count; type++)
            overview->types[type].share += part->shares[type] * oc_part_cells(part);
        if (overview->modes[i].type != OCELOTL_NONE)
            overview->types[overview->modes[i].type].dominant = true;
    }
    double whole = 0;
    for (uint32_t type = 0; type < overview->model.type_count; type++)
        whole += overview->types[type].share;
    for (uint32_t i = 0; i < overview->model.type_count; i++) {
        oc_type_summary *summary = &overview->types[i];
        summary->share /= whole > 0 ? whole : 1;
        if (input->without_parts)
            summary->dominant = !summary->type.untraced;
        if (summary->type.untraced && summary->share > 0)
            overview->has_untraced = true;
    }
    OC_TRY(order_types(overview));
    oc_type_colours own = {0};
    if (overview->input->shared != NULL) {
        take_colours(overview, &overview->input->shared->colours);
        return OCELOTL_OK;
    }
    const oc_colouring by = oc_picture_colouring(overview->picture);
    const ocelotl_status status = oc_type_colours_of_models(&own, &overview->input->model, 1, &by);
    if (status == OCELOTL_OK)
        take_colours(overview, &own);
    oc_type_colours_free(&own);
    return status;
}

/* --- The legend of types */

void oc_overview_explain_type(oc_legend *legend, oc_legend_kind kind,
                              const oc_type_summary *summary, const char *of, const char *but)
{
    oc_text tooltip = {0};
    OC_PHRASE(&tooltip, "{}: {}{}{}", oc_word_name(summary->type.name),
              oc_word_percent(summary->share), oc_word_text(of), oc_word_text(but));
    oc_legend_add(legend, kind, oc_legend_swatch(summary->colour), summary->type.name,
                  tooltip.bytes, but[0] != '\0');
    oc_legend_take(legend, &tooltip);
}

/* Types that dominate somewhere come first, each kind by its share. What is pale is named behind
 * the others, however many these are. */
static void add_types(oc_legend *legend, const oc_overview *overview)
{
    const oc_shared *shared = overview->input->shared;
    const bool mean = shared != NULL || overview->input->partition.percentile == 0;
    const uint32_t count = shared != NULL ? shared->count : overview->model.type_count;
    uint32_t named = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) {
            const oc_type_summary *summary =
                shared != NULL ? &shared->types[i] : &overview->types[overview->order[i]];
            /* in a mixed view no type stands back */
            const bool seen = summary->dominant || overview->input->view->mixed;
            const bool pale = shared == NULL && overview->shading.background[overview->order[i]];
            if ((seen && !pale) == (pass == 0) && summary->share > 0 && !summary->type.untraced)
                oc_overview_explain_type(
                    legend, pale && named++ < PALE_MOST ? OC_LEGEND_MARK : OC_LEGEND_TYPE, summary,
                    mean ? " of the whole" : " over the parts",
                    pale   ? ", pale where nothing else is"
                    : seen ? ""
                           : ", dominant nowhere");
        }
}

/* Values that are no sums reach from the least to the largest of their type. */
static bool have_one_scale(const oc_overview *overview, double *low, double *high)
{
    bool found = false;
    *low = 0;
    *high = overview->shading.largest;
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

void oc_overview_add_shades(oc_text *text, const oc_overview *overview)
{
    const oc_shading *shading = &overview->shading;
    /* what depends on the parts is room for what a page says of them */
    const bool any = overview->input->without_parts && shading->timed && !overview->picture->plain;
    oc_legend_scale scale = {.high = 1,
                             .of = overview->model.has_time ? " of the time" : " of the values",
                             .more = shading->scaled || any,
                             .least = any ? OC_FAINTEST : shading->faintest};
    double low = 0;
    double high = 1;
    if (overview->shading.has_unit && (shading->scaled || have_one_scale(overview, &low, &high)))
        scale = (oc_legend_scale){low,
                                  shading->scaled ? oc_shading_full(shading) : high,
                                  overview->model.unit,
                                  "",
                                  scale.more,
                                  scale.least};
    else if (overview->shading.has_unit)
        scale.of = " of a type's largest value";
    else if (shading->scaled)
        scale.high = oc_shading_full(shading);
    oc_legend_add_shades(text, &scale);
}

void oc_overview_explain_shades(oc_legend *legend, const oc_overview *overview,
                                const oc_rectangle *shade, const char *what)
{
    oc_text name = {0};
    oc_text_add(&name, what);
    oc_overview_add_shades(&name, overview);
    if (!name.failed)
        oc_legend_add(legend, OC_LEGEND_SHADES, *shade, name.bytes, NULL, true);
    oc_legend_take(legend, &name);
}

void oc_overview_write_legend(oc_legend *legend, const oc_overview *overview)
{
    const oc_view *view = overview->input->view;
    const oc_theme *theme = overview->picture->theme;
    const oc_shared *shared = overview->input->shared;
    const oc_half *half = overview->picture->half;
    if (half != NULL && !half->legend)
        return;
    if (view->types)
        add_types(legend, overview);
    const bool shaded = view->shades && legend->count > 0;
    const oc_rectangle shade = shaded ? legend->entries[0].look : oc_legend_swatch(theme->muted);
    if (view->types && (overview->has_untraced || (shared != NULL && shared->has_untraced)))
        oc_legend_add(legend, OC_LEGEND_MARK,
                      oc_legend_striped(theme, theme->paper, OC_COLOUR_NONE), "(no state)", NULL,
                      false);
    if (view->resources && (overview->has_lifetimes || (shared != NULL && shared->has_lifetimes)))
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_striped(theme, theme->paper, theme->hatch),
                      "outside lifetime", NULL, false);
    if (view->write_legend != NULL)
        view->write_legend(legend, overview);
    if (shaded)
        oc_overview_explain_shades(legend, overview, &shade, "");
    oc_legend_nest(legend, overview->picture->tree);
}

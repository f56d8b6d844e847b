#include "viz/overview.h"

#include "viz/lettering.h"

#include <math.h>

enum {
    ROW_HEIGHT = 18,
    SWATCH = 11,
    SWATCH_GAP = 6,  /* between a swatch and its name */
    ENTRY_GAP = 18,  /* between entries */
    NAME_MOST = 240, /* pixels */
    TYPES_MOST = 12,
    SHADES = 3
};

/* Where the next entry goes. A scene is drawn into only where there is one: the same walk measures. */
typedef struct pen {
    oc_scene *scene;
    double left, right, x;
    int top, row;
} pen;

/* How much of the legend is shown. */
typedef struct contents {
    uint32_t types;
    bool lifetimes;
    bool shades;
} contents;

int oc_legend_height(int rows)
{
    return rows * ROW_HEIGHT;
}

/* Makes room for an entry and puts the pen at its beginning. */
static double place(pen *at, double width)
{
    if (at->x > at->left && at->x + width > at->right) {
        at->row++;
        at->x = at->left;
    }
    const double x = at->x;
    at->x += ceil(width) + ENTRY_GAP;
    return x;
}

static void draw_swatch(const pen *at, double x, uint32_t fill, double opacity, uint32_t stroke, uint32_t hatch)
{
    const int y = at->top + at->row * ROW_HEIGHT + (ROW_HEIGHT - SWATCH) / 2;
    const double inset = stroke != OC_COLOUR_NONE ? 0.5 : 0;
    const oc_rectangle box = {x + inset, y + inset, SWATCH - 2 * inset, SWATCH - 2 * inset, fill, opacity,
                              stroke,    hatch};
    oc_scene_rectangle(at->scene, &box, NULL);
}

static void draw_name(const pen *at, double x, const char *name, uint32_t colour, const char *tooltip)
{
    const double y = at->top + at->row * ROW_HEIGHT + 13;
    oc_scene_label(at->scene, &(oc_label){x, y, OC_ANCHOR_START, OC_SIZE_LABEL, false, colour, 0}, name, tooltip);
}

static double fitted_name(oc_text *fitted, const pen *at, const char *name)
{
    const double room = at->right - at->left - SWATCH - SWATCH_GAP;
    oc_lettering_fit(fitted, name, OC_SIZE_LABEL, false, room < NAME_MOST ? room : NAME_MOST);
    oc_text_add(fitted, "");
    return fitted->failed ? 0 : oc_lettering_width(fitted->bytes, OC_SIZE_LABEL, false);
}

static void add_type(pen *at, const oc_type_summary *summary)
{
    oc_text name = {0};
    const double width = fitted_name(&name, at, summary->type.name);
    const double x = place(at, SWATCH + SWATCH_GAP + width);
    if (at->scene != NULL && !name.failed) {
        oc_text tooltip = {0};
        oc_clean_add(&tooltip, summary->type.name, false);
        oc_text_add(&tooltip, ": ");
        oc_percent_add(&tooltip, summary->share);
        oc_text_add(&tooltip, summary->dominant ? " of the whole" : " of the whole, dominant nowhere");
        draw_swatch(at, x, summary->colour, 1, OC_COLOUR_NONE, OC_COLOUR_NONE);
        draw_name(at, x + SWATCH + SWATCH_GAP, name.bytes, summary->dominant ? OC_COLOUR_INK : OC_COLOUR_MUTED,
                  tooltip.bytes);
        at->scene->failed = at->scene->failed || tooltip.failed;
        oc_text_free(&tooltip);
    }
    oc_text_free(&name);
}

static void add_note(pen *at, const char *note)
{
    const double x = place(at, oc_lettering_width(note, OC_SIZE_LABEL, false));
    if (at->scene != NULL)
        draw_name(at, x, note, OC_COLOUR_MUTED, NULL);
}

static void add_swatched(pen *at, const char *name, uint32_t hatch)
{
    const double x = place(at, SWATCH + SWATCH_GAP + oc_lettering_width(name, OC_SIZE_LABEL, false));
    if (at->scene == NULL)
        return;
    draw_swatch(at, x, OC_COLOUR_PAPER, 1, OC_COLOUR_RULE, hatch);
    draw_name(at, x + SWATCH + SWATCH_GAP, name, OC_COLOUR_INK, NULL);
}

/* What opacity means, shown with the colour of the most frequent type. */
static void add_shades(pen *at, uint32_t colour)
{
    static const double opacities[SHADES] = {1, 0.6, 0.25};
    static const char note[] = "paler: smaller share";
    const double swatches = SHADES * (SWATCH + 1) - 1;
    const double x = place(at, swatches + SWATCH_GAP + oc_lettering_width(note, OC_SIZE_LABEL, false));
    if (at->scene == NULL)
        return;
    for (int i = 0; i < SHADES; i++)
        draw_swatch(at, x + i * (SWATCH + 1), colour, opacities[i], OC_COLOUR_NONE, OC_COLOUR_NONE);
    draw_name(at, x + swatches + SWATCH_GAP, note, OC_COLOUR_MUTED, NULL);
}

static bool is_listed(const oc_type_summary *summary, bool dominant)
{
    return summary->dominant == dominant && summary->share > 0 && !summary->type.untraced;
}

static uint32_t count_listed(const oc_overview *overview)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < overview->model.type_count; i++)
        count += is_listed(&overview->types[i], true) || is_listed(&overview->types[i], false);
    return count;
}

/* Types that dominate somewhere come first, each kind by its share. */
static void add_types(pen *at, const oc_overview *overview, uint32_t most)
{
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < overview->model.type_count && most > 0; i++) {
            const oc_type_summary *summary = &overview->types[overview->order[i]];
            if (is_listed(summary, pass == 0)) {
                add_type(at, summary);
                most--;
            }
        }
    }
}

static void add_others(pen *at, uint32_t count)
{
    oc_text note = {0};
    oc_count_add(&note, count);
    oc_text_add(&note, count == 1 ? " other" : " others");
    if (!note.failed)
        add_note(at, note.bytes);
    oc_text_free(&note);
}

static uint32_t first_colour(const oc_overview *overview)
{
    for (uint32_t i = 0; i < overview->model.type_count; i++)
        if (is_listed(&overview->types[overview->order[i]], true))
            return overview->types[overview->order[i]].colour;
    return OC_COLOUR_MUTED;
}

static void walk(pen *at, const oc_overview *overview, const contents *with)
{
    const uint32_t listed = count_listed(overview);
    add_types(at, overview, with->types);
    if (with->types < listed)
        add_others(at, listed - with->types);
    if (overview->has_untraced)
        add_swatched(at, "(no state)", OC_COLOUR_NONE);
    if (with->lifetimes)
        add_swatched(at, "outside lifetime", OC_COLOUR_HATCH);
    if (with->shades && listed > 0)
        add_shades(at, first_colour(overview));
}

static int rows_of(const oc_overview *overview, const contents *with, double width)
{
    pen at = {.right = width};
    walk(&at, overview, with);
    return at.x > at.left ? at.row + 1 : 0;
}

static contents whole_legend(const oc_overview *overview, bool lifetimes)
{
    const uint32_t listed = count_listed(overview);
    return (contents){listed < TYPES_MOST ? listed : TYPES_MOST, lifetimes, true};
}

int oc_legend_rows(const oc_overview *overview, bool lifetimes, double width, int most)
{
    const contents whole = whole_legend(overview, lifetimes);
    const int rows = rows_of(overview, &whole, width);
    return rows < most ? rows : most;
}

void oc_legend_draw(oc_scene *scene, const oc_overview *overview, bool lifetimes, int top, int rows)
{
    const double width = overview->input->width - 2 * overview->margin;
    contents with = whole_legend(overview, lifetimes);
    while (rows_of(overview, &with, width) > rows && with.types > 1)
        with.types--;
    if (rows_of(overview, &with, width) > rows)
        with.shades = false;
    if (rows_of(overview, &with, width) > rows)
        with.lifetimes = false;
    if (rows == 0 || rows_of(overview, &with, width) > rows)
        return;
    pen at = {.scene = scene,
              .left = overview->margin,
              .right = overview->margin + width,
              .x = overview->margin,
              .top = top};
    oc_scene_group(scene, "legend", &(oc_group){0}, NULL);
    walk(&at, overview, &with);
    oc_scene_group_end(scene);
}

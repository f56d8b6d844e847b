#include "viz/frame/frame.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAP = 12, /* above the legend */
    ROW_HEIGHT = 18,
    BASELINE = 13, /* in a row */
    SWATCH = 11,
    SWATCH_GAP = 6,  /* between a swatch and its name */
    ENTRY_GAP = 18,  /* between entries */
    GROUPS_GAP = 8,  /* behind the names of groups */
    NAME_MOST = 240, /* pixels */
    SHADES_MOST = 480,
    TYPES_MOST = 12,
    SHADES = 3,
    GROUPS_MOST = 16 /* one in another */
};

/* Between a group and one in it. */
static const char arrow[] = " \xE2\x80\xBA ";

static const double opacities[SHADES] = {1, 0.6, 0.25};

oc_rectangle oc_legend_swatch(uint32_t fill)
{
    return oc_rectangle_of(0, 0, 0, 0, fill);
}

oc_rectangle oc_legend_striped(const oc_theme *theme, uint32_t fill, uint32_t stripes)
{
    oc_rectangle look = oc_legend_swatch(fill);
    look.stroke = theme->rule;
    look.hatch = stripes;
    return look;
}

void oc_legend_take(oc_legend *legend, oc_text *text)
{
    legend->failed = legend->failed || text->failed;
    oc_text_free(text);
}

static size_t keep(oc_legend *legend, const char *string)
{
    if (string == NULL || string[0] == '\0')
        return 0;
    if (legend->strings.length == 0)
        oc_text_append(&legend->strings, "", 1); /* offset 0 is no string */
    const size_t offset = legend->strings.length;
    oc_text_add(&legend->strings, string);
    oc_text_append(&legend->strings, "", 1);
    return offset;
}

void oc_legend_add(oc_legend *legend, oc_legend_kind kind, oc_rectangle look, const char *name,
                   const char *tooltip, bool muted)
{
    oc_legend_entry entry = {.kind = kind, .look = look, .muted = muted, .group = OCELOTL_NONE};
    entry.rank = kind == OC_LEGEND_TYPE ? legend->types++ : 0;
    entry.name = keep(legend, name);
    entry.tooltip = keep(legend, tooltip);
    if (legend->failed ||
        oc_grow(&legend->entries, &legend->capacity, legend->count + 1, sizeof entry) != OCELOTL_OK)
        legend->failed = true;
    else
        legend->entries[legend->count++] = entry;
}

void oc_legend_mark(oc_legend *legend, oc_mark mark, bool dots)
{
    if (legend->failed || legend->count == 0)
        return;
    legend->entries[legend->count - 1].mark = mark;
    legend->entries[legend->count - 1].dots = dots;
}

void oc_legend_add_shades(oc_text *text, const oc_legend_scale *scale)
{
    oc_text_add(text, scale->more ? "full colour: " : "shades: ");
    for (int i = 0; i < SHADES; i++) {
        const double shade = i + 1 == SHADES && scale->least > 0 ? scale->least : opacities[i];
        const double value = scale->low + shade * (scale->high - scale->low);
        if (scale->unit == NULL)
            oc_percent_add(text, value);
        else /* a word is said once */
            oc_quantity_add(text, value, 3,
                            i == 0 || oc_unit_symbol(scale->unit)[0] != '\0' ? scale->unit : "");
        if (i == 0)
            oc_text_add(text, scale->of);
        if (i == 0 && scale->more)
            oc_text_add(text, " or more; fainter: ");
        else if (i + 1 < SHADES)
            oc_text_add(text, ", ");
        else if (scale->least > 0)
            oc_text_add(text, " or less");
    }
}

void oc_legend_free(oc_legend *legend)
{
    free(legend->entries);
    oc_text_free(&legend->strings);
    *legend = (oc_legend){0};
}

const char *oc_legend_string(const oc_legend *legend, size_t offset)
{
    return offset == 0 || legend->strings.failed ? "" : legend->strings.bytes + offset;
}

/* --- The groups of a tree */

uint32_t oc_legend_group(const ocelotl_type_tree *tree, const char *name)
{
    const uint32_t group = ocelotl_type_tree_find_group(tree, name);
    return group != OCELOTL_NONE ? ocelotl_type_tree_group_at(tree, group).parent
                                 : ocelotl_type_tree_find(NULL, tree, name);
}

static bool is_in(const ocelotl_type_tree *tree, uint32_t group, uint32_t outer)
{
    while (group != OCELOTL_NONE && group != outer)
        group = ocelotl_type_tree_group_at(tree, group).parent;
    return group == outer;
}

void oc_legend_add_groups(oc_text *text, const ocelotl_type_tree *tree, uint32_t group,
                          uint32_t before)
{
    const char *names[GROUPS_MOST];
    size_t count = 0;
    for (; group != OCELOTL_NONE && count < GROUPS_MOST && !is_in(tree, before, group); count++) {
        const ocelotl_type_group is = ocelotl_type_tree_group_at(tree, group);
        names[count] = is.name;
        group = is.parent;
    }
    while (count-- > 0) {
        oc_clean_add(text, names[count], false);
        oc_text_add(text, count > 0 ? arrow : "");
    }
}

typedef struct placed {
    oc_legend_entry entry;
    uint32_t place;
} placed;

/* What is no type stays behind the types. */
static int compare_placed(const void *left, const void *right)
{
    const placed *a = left;
    const placed *b = right;
    if ((a->entry.kind == OC_LEGEND_TYPE) != (b->entry.kind == OC_LEGEND_TYPE))
        return a->entry.kind == OC_LEGEND_TYPE ? -1 : 1;
    if (a->entry.kind == OC_LEGEND_TYPE && a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->entry.name < b->entry.name ? -1 : a->entry.name > b->entry.name;
}

void oc_legend_nest(oc_legend *legend, const ocelotl_type_tree *tree)
{
    placed *order = NULL;
    if (tree == NULL || legend->count == 0 || legend->failed || legend->strings.failed)
        return;
    legend->failed = oc_allocate(&order, legend->count, sizeof *order) != OCELOTL_OK;
    if (legend->failed)
        return;
    for (size_t i = 0; i < legend->count; i++) {
        const char *name = oc_legend_string(legend, legend->entries[i].name);
        order[i] = (placed){legend->entries[i], ocelotl_type_tree_place(tree, name)};
        order[i].entry.group = oc_legend_group(tree, name);
    }
    qsort(order, legend->count, sizeof *order, compare_placed);
    for (size_t i = 0; i < legend->count; i++)
        legend->entries[i] = order[i].entry;
    legend->tree = tree;
    free(order);
}

/* Where the next entry goes. The same walk measures and draws: it draws only with a scene. */
typedef struct pen {
    oc_scene *scene;
    const oc_theme *theme;
    double left, right, x;
    int top, row;
    uint32_t group; /* of the tree: that of the last type, OCELOTL_NONE before the first */
} pen;

/* How much of the legend is shown. */
typedef struct contents {
    size_t types;
    bool marks;
    bool shades;
    bool dots; /* the shades that are densities of dots: somebody asked for these */
} contents;

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

/* Draws the name of an entry, or in bold those of the groups that it is the first of. */
static void draw_name(const pen *at, double x, const char *name, bool muted, bool bold,
                      const char *tooltip)
{
    oc_label label = oc_label_at(x, at->top + at->row * ROW_HEIGHT + BASELINE, OC_ANCHOR_START,
                                 muted ? at->theme->muted : at->theme->ink);
    label.bold = bold;
    oc_scene_label(at->scene, &label, name, tooltip);
}

/* Writes the groups that a type is the first of, and gives the room they take. */
static double fit_groups(oc_text *fitted, pen *at, const oc_legend *legend,
                         const oc_legend_entry *entry)
{
    oc_text groups = {0};
    oc_text_add(fitted, "");
    if (legend->tree == NULL || entry->kind != OC_LEGEND_TYPE)
        return 0;
    oc_legend_add_groups(&groups, legend->tree, entry->group, at->group);
    at->group = entry->group;
    if (groups.length > 0)
        oc_lettering_fit(fitted, groups.bytes, OC_SIZE_LABEL, true,
                         fmin(NAME_MOST, (at->right - at->left) / 2));
    fitted->failed = fitted->failed || groups.failed;
    oc_text_free(&groups);
    return fitted->failed || fitted->length == 0
               ? 0
               : ceil(oc_lettering_width(fitted->bytes, OC_SIZE_LABEL, true)) + GROUPS_GAP;
}

static void add_entry(pen *at, const oc_legend *legend, const oc_legend_entry *entry)
{
    const int count = entry->kind == OC_LEGEND_SHADES ? SHADES : 1;
    const int swatches = count * (SWATCH + 1) - 1;
    const char *tooltip = entry->tooltip != 0 ? oc_legend_string(legend, entry->tooltip) : NULL;
    const double inset = entry->look.stroke != OC_COLOUR_NONE ? 0.5 : 0;
    const int above = (ROW_HEIGHT - SWATCH) / 2;
    oc_text groups = {0}, name = {0};
    const double before = fit_groups(&groups, at, legend, entry);
    const double room = at->right - at->left - (swatches + (int)before) - SWATCH_GAP;
    oc_lettering_fit(&name, oc_legend_string(legend, entry->name), OC_SIZE_LABEL, false,
                     fmin(room, count > 1 ? SHADES_MOST : NAME_MOST));
    oc_text_add(&name, "");
    const double width = name.failed ? 0 : oc_lettering_width(name.bytes, OC_SIZE_LABEL, false);
    const double begin = place(at, before + swatches + SWATCH_GAP + width);
    const double x = begin + before;
    if (at->scene != NULL && !name.failed && !groups.failed) {
        draw_name(at, begin, groups.bytes, true, true, NULL);
        for (int i = 0; i < count; i++) {
            const double shade = count > 1 ? opacities[i] : entry->look.opacity;
            oc_rectangle box = entry->look;
            box.x = x + i * (SWATCH + 1) + inset;
            box.y = at->top + at->row * ROW_HEIGHT + above + inset;
            box.width = box.height = SWATCH - 2 * inset;
            box.opacity = entry->dots ? 1 : shade;
            oc_scene_rectangle(at->scene, &box, NULL);
            oc_scene_mark(at->scene, entry->mark, at->theme->ink);
            if (entry->dots)
                oc_scene_texture(at->scene, shade, oc_ink_on(box.fill));
        }
        draw_name(at, x + swatches + SWATCH_GAP, name.bytes, entry->muted, false, tooltip);
    }
    oc_text_free(&groups);
    oc_text_free(&name);
}

static void walk(pen *at, const oc_legend *legend, const contents *with)
{
    at->group = OCELOTL_NONE;
    for (size_t i = 0; i < legend->count; i++)
        if (legend->entries[i].kind == OC_LEGEND_TYPE && legend->entries[i].rank < with->types)
            add_entry(at, legend, &legend->entries[i]);
    if (with->types < legend->types) {
        const size_t count = legend->types - with->types;
        oc_text note = {0};
        oc_text_format(&note, count == 1 ? "%zu other" : "%zu others", count);
        const char *others = note.failed ? "" : note.bytes;
        const double x = place(at, oc_lettering_width(others, OC_SIZE_LABEL, false));
        if (at->scene != NULL)
            draw_name(at, x, others, true, false, NULL);
        oc_text_free(&note);
    }
    for (size_t i = 0; i < legend->count; i++) {
        const oc_legend_kind kind = legend->entries[i].kind;
        const bool shades = legend->entries[i].dots ? with->dots : with->shades;
        if ((kind == OC_LEGEND_MARK && with->marks) || (kind == OC_LEGEND_SHADES && shades))
            add_entry(at, legend, &legend->entries[i]);
    }
}

static int rows_of(const oc_legend *legend, const contents *with, double width)
{
    pen at = {.right = width};
    walk(&at, legend, with);
    return at.x > at.left ? at.row + 1 : 0;
}

int oc_legend_rows(const oc_legend *legend, const oc_picture *picture)
{
    const double width = picture->width - 2 * oc_picture_margin(picture);
    const int most = (int)fmin(5, fmax(2, picture->height / 100));
    const contents whole = {legend->types < TYPES_MOST ? legend->types : TYPES_MOST, true, true,
                            true};
    const int rows = rows_of(legend, &whole, width);
    return rows < most ? rows : most;
}

int oc_legend_height(int rows)
{
    return rows > 0 ? GAP + rows * ROW_HEIGHT : 0;
}

void oc_legend_draw(oc_scene *scene, const oc_picture *picture, const oc_legend *legend, int rows)
{
    const int margin = oc_picture_margin(picture);
    const double width = picture->width - 2 * margin;
    contents with = {legend->types < TYPES_MOST ? legend->types : TYPES_MOST, true, true, true};
    scene->failed = scene->failed || legend->failed || legend->strings.failed;
    while (rows_of(legend, &with, width) > rows && with.types > 1)
        with.types--;
    if (rows_of(legend, &with, width) > rows)
        with.shades = false;
    if (rows_of(legend, &with, width) > rows)
        with.marks = false;
    if (rows_of(legend, &with, width) > rows)
        with.dots = false;
    if (rows == 0 || rows_of(legend, &with, width) > rows)
        return;
    pen at = {.scene = scene,
              .theme = picture->theme,
              .left = margin,
              .right = margin + width,
              .x = margin,
              .top = (int)picture->height - margin - rows * ROW_HEIGHT};
    oc_scene_group(scene, "legend", &(oc_group_style){0}, NULL);
    walk(&at, legend, &with);
    oc_scene_group_end(scene);
}

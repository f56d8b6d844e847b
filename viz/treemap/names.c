/* Names in a treemap: whole, or the part that distinguishes siblings. */
#include "viz/treemap/treemap.h"

#include "base/text.h"
#include "viz/words/words.h"

#include <string.h>

enum {
    NAMED_FROM = 22,  /* lower parts, in pixels, have no room for a name and strips */
    UPRIGHT_FROM = 21 /* the same of narrow parts */
};

/* Between the names of a chain of only children. */
#define BETWEEN_NAMES " / "

void oc_treemap_find_name(oc_text *name, const oc_overview *overview, const oc_treemap_cell *cell)
{
    const ocelotl_model *model = overview->input->model;
    uint32_t last = cell->node;
    while (cell->kind == OC_TREEMAP_PART && last + 1 < overview->model.node_count &&
           ocelotl_model_node_at(model, cell->node).leaf_count == 1 &&
           ocelotl_model_node_at(model, last + 1).parent == last)
        last++;
    oc_text_clear(name);
    for (uint32_t node = cell->above; node <= last; node++) {
        const char *next = ocelotl_model_node_at(model, node).name;
        if (name->length > 0 && next[0] != '\0')
            oc_text_add(name, BETWEEN_NAMES);
        oc_text_add(name, next);
    }
    if (name->length == 0)
        oc_text_add(name, cell->kind == OC_TREEMAP_PART ? "(whole)" : "");
}

/* Whether a name would be cut inside a number, or a range of them. */
static bool is_inside_number(const char *name, size_t from)
{
    if (oc_is_digit(name[from - 1]))
        return oc_is_digit(name[from]) || name[from] == '-';
    return from > 1 && name[from - 1] == '-' && oc_is_digit(name[from - 2]);
}

/* Names of groups are lists. */
static bool is_list(const char *name)
{
    return strstr(name, ", ") != NULL;
}

/* Fits the beginning of a list. */
static bool fit_list(oc_text *fitted, const char *name, bool bold, double room)
{
    static const char between[] = ", ";
    size_t longest = 0;
    for (const char *end = strstr(name, between); end != NULL; end = strstr(end + 1, between)) {
        oc_text_clear(fitted);
        oc_text_append(fitted, name, (size_t)(end - name));
        oc_text_add(fitted, ", \xE2\x80\xA6");
        if (fitted->failed || oc_lettering_width(fitted->bytes, OC_SIZE_LABEL, bold) > room)
            break;
        longest = (size_t)(end - name);
    }
    oc_text_clear(fitted);
    oc_text_append(fitted, name, longest);
    oc_text_add(fitted, longest > 0 ? ", \xE2\x80\xA6" : "");
    return longest > 0 && !fitted->failed;
}

/* Fits the end of a name that ends in a number, as siblings differ there. */
static bool fit_end(oc_text *fitted, const char *name, bool bold, double room)
{
    enum { LOOKED_AT = 64, LEAST = 3 };
    const size_t length = strlen(name);
    size_t from = length > LOOKED_AT ? length - LOOKED_AT : 1;
    if (length == 0 || !oc_is_digit(name[length - 1]) || is_list(name))
        return false;
    for (; from + LEAST <= length; from++) {
        if (((unsigned char)name[from] & 0xC0) == 0x80 || is_inside_number(name, from))
            continue;
        oc_text_clear(fitted);
        oc_text_add(fitted, "\xE2\x80\xA6");
        oc_clean_add(fitted, name + from, false);
        if (fitted->failed || oc_lettering_width(fitted->bytes, OC_SIZE_LABEL, bold) <= room)
            return !fitted->failed;
    }
    oc_text_clear(fitted);
    return false;
}

/* Fits a chain without its first names. */
static bool fit_chain(oc_text *fitted, const char *name, bool bold, double room)
{
    for (const char *next = strstr(name, BETWEEN_NAMES); next != NULL;
         next = strstr(next + 1, BETWEEN_NAMES)) {
        oc_text_clear(fitted);
        oc_text_add(fitted, "\xE2\x80\xA6");
        oc_clean_add(fitted, next, false);
        if (fitted->failed || oc_lettering_width(fitted->bytes, OC_SIZE_LABEL, bold) <= room)
            return !fitted->failed;
    }
    oc_text_clear(fitted);
    return false;
}

static double room_in(int width)
{
    return width - 2 * OC_TREEMAP_NAME_EDGE;
}

/* Fits the whole name between the edges of a box. */
static bool fit_whole(oc_text *fitted, const char *name, int width, bool bold)
{
    oc_text_clear(fitted);
    return oc_lettering_width(name, OC_SIZE_LABEL, bold) <= room_in(width) &&
           oc_lettering_fit(fitted, name, OC_SIZE_LABEL, bold, room_in(width));
}

/* Fits the part of a name that distinguishes siblings. */
static bool fit_telling(oc_text *fitted, const char *name, int width, bool bold)
{
    return fit_list(fitted, name, bold, room_in(width)) ||
           fit_chain(fitted, name, bold, room_in(width)) ||
           fit_end(fitted, name, bold, room_in(width));
}

bool oc_treemap_fit_name(oc_text *fitted, const char *name, int width, bool bold)
{
    return fit_whole(fitted, name, width, bold) || fit_telling(fitted, name, width, bold) ||
           (!is_list(name) && oc_lettering_fit(fitted, name, OC_SIZE_LABEL, bold, room_in(width)));
}

/* Fits the number that a name ends in, which may be enough in its frame. */
static bool fit_number(oc_text *fitted, const char *name, int width)
{
    size_t from = strlen(name);
    while (from > 0 && oc_is_digit(name[from - 1]))
        from--;
    oc_text_clear(fitted);
    if (name[from] == '\0')
        return false;
    oc_text_add(fitted, "\xE2\x80\xA6");
    oc_text_add(fitted, name + from);
    return !fitted->failed &&
           oc_lettering_width(fitted->bytes, OC_SIZE_LABEL, false) <= room_in(width);
}

bool oc_treemap_fit_part_name(oc_text *fitted, bool *upright, const char *name,
                              const oc_treemap_room *room)
{
    const bool low = room->height >= NAMED_FROM;
    const bool narrow = room->height > room->width && room->width >= UPRIGHT_FROM;
    *upright = false;
    if (low && fit_whole(fitted, name, room->width, false))
        return true;
    *upright = narrow;
    if (narrow && fit_whole(fitted, name, room->height, false))
        return true;
    *upright = false;
    if (low && fit_telling(fitted, name, room->width, false))
        return true;
    *upright = narrow;
    if (narrow && fit_telling(fitted, name, room->height, false))
        return true;
    *upright = false;
    if (room->is_alone && low && fit_number(fitted, name, room->width))
        return true;
    return room->has_header && oc_treemap_fit_name(fitted, name, room->width, false);
}

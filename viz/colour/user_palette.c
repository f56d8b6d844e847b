#include "viz/colour/palette.h"

#include "base/csv.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A name that stands for others as well. */
typedef struct pattern {
    char *name;
    uint32_t colour;
} pattern;

struct ocelotl_palette {
    oc_map rows; /* of every name, its index below */
    char **names;
    uint32_t *colours;
    uint64_t *lines;
    size_t count, name_capacity, colour_capacity, line_capacity;
    pattern *patterns;
    size_t pattern_count, pattern_capacity;
};

static int digit(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    const char lower = (char)(letter | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static bool read_digits(uint32_t *colour, const char *text)
{
    const size_t length = strlen(text);
    uint32_t result = 0;
    if (length != 3 && length != 6)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (digit(text[i]) < 0)
            return false;
        const uint32_t value = (uint32_t)digit(text[i]);
        result = length == 6 ? result << 4 | value : result << 8 | value * 0x11;
    }
    *colour = result;
    return true;
}

static bool same_letters(const char *text, const char *name)
{
    while (*name != '\0' && (*text | 0x20) == *name) {
        text++;
        name++;
    }
    return *name == '\0' && *text == '\0';
}

bool oc_colour_read(uint32_t *colour, const char *text)
{
    static const struct {
        const char *name;
        uint32_t colour;
    } names[] = {
        {"aqua", 0x00FFFF},   {"black", 0x000000},  {"blue", 0x0000FF},   {"fuchsia", 0xFF00FF},
        {"gray", 0x808080},   {"green", 0x008000},  {"grey", 0x808080},   {"lime", 0x00FF00},
        {"maroon", 0x800000}, {"navy", 0x000080},   {"olive", 0x808000},  {"orange", 0xFFA500},
        {"purple", 0x800080}, {"red", 0xFF0000},    {"silver", 0xC0C0C0}, {"teal", 0x008080},
        {"white", 0xFFFFFF},  {"yellow", 0xFFFF00},
    };
    if (text[0] == '#')
        return read_digits(colour, text + 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (same_letters(text, names[i].name)) {
            *colour = names[i].colour;
            return true;
        }
    }
    return false;
}

static ocelotl_status expect_fields(const oc_csv *csv, size_t count)
{
    if (oc_csv_field_count(csv) != count)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %zu fields, expected %zu: name,colour",
                       oc_csv_name(csv), oc_csv_line(csv), oc_csv_field_count(csv), count);
    return OCELOTL_OK;
}

static ocelotl_status read_header(oc_csv *csv)
{
    bool found = false;
    OC_TRY(oc_csv_next(csv, &found));
    if (!found)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:1: the file is empty, expected the header name,colour",
                       oc_csv_name(csv));
    OC_TRY(expect_fields(csv, 2));
    if (strcmp(oc_csv_field(csv, 0), "name") != 0 || strcmp(oc_csv_field(csv, 1), "colour") != 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": the header is %.100s,%.100s, expected name,colour",
                       oc_csv_name(csv), oc_csv_line(csv), oc_csv_field(csv, 0),
                       oc_csv_field(csv, 1));
    return OCELOTL_OK;
}

static ocelotl_status add_pattern(ocelotl_palette *palette, const char *name, uint32_t colour)
{
    OC_TRY(oc_grow(&palette->patterns, &palette->pattern_capacity, palette->pattern_count + 1,
                   sizeof *palette->patterns));
    pattern *added = &palette->patterns[palette->pattern_count];
    OC_TRY(oc_copy_text(&added->name, name));
    added->colour = colour;
    palette->pattern_count++;
    return OCELOTL_OK;
}

static ocelotl_status add_colour(ocelotl_palette *palette, const oc_csv *csv)
{
    uint32_t colour = 0;
    OC_TRY(expect_fields(csv, 2));
    const char *name = oc_csv_field(csv, 0);
    if (!oc_colour_read(&colour, oc_csv_field(csv, 1)))
        return oc_fail(
            OCELOTL_ERROR_INPUT,
            "%s:%" PRIu64
            ": the colour of \"%.100s\" is \"%.100s\", expected #rrggbb, #rgb or a basic name "
            "of CSS such as teal",
            oc_csv_name(csv), oc_csv_line(csv), name, oc_csv_field(csv, 1));
    const uint32_t before = oc_map_get(&palette->rows, name, strlen(name));
    if (before != OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": \"%.100s\" has a colour in line %" PRIu64
                       " already, expected each name once",
                       oc_csv_name(csv), oc_csv_line(csv), name, palette->lines[before]);
    if (palette->count == OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: more than 2^32 - 1 names", oc_csv_name(csv));
    OC_TRY(oc_grow(&palette->colours, &palette->colour_capacity, palette->count + 1,
                   sizeof *palette->colours));
    OC_TRY(oc_grow(&palette->lines, &palette->line_capacity, palette->count + 1,
                   sizeof *palette->lines));
    OC_TRY(oc_grow(&palette->names, &palette->name_capacity, palette->count + 1,
                   sizeof *palette->names));
    OC_TRY(oc_copy_text(&palette->names[palette->count], name));
    palette->colours[palette->count] = colour;
    palette->lines[palette->count++] = oc_csv_line(csv);
    OC_TRY(oc_map_set(&palette->rows, name, strlen(name), (uint32_t)palette->count - 1));
    return strchr(name, '*') != NULL ? add_pattern(palette, name, colour) : OCELOTL_OK;
}

static ocelotl_status read_colours(ocelotl_palette *palette, oc_csv *csv)
{
    bool found = false;
    OC_TRY(read_header(csv));
    OC_TRY(oc_csv_next(csv, &found));
    while (found) {
        OC_TRY(add_colour(palette, csv));
        OC_TRY(oc_csv_next(csv, &found));
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_palette_read(ocelotl_palette **palette, const char *path)
{
    oc_csv *csv = NULL;
    ocelotl_palette *loaded = NULL;
    OC_TRY(oc_csv_open(&csv, path));
    ocelotl_status status = oc_allocate(&loaded, 1, sizeof *loaded);
    if (status == OCELOTL_OK)
        status = read_colours(loaded, csv);
    oc_csv_free(csv);
    if (status == OCELOTL_OK)
        *palette = loaded;
    else
        ocelotl_palette_free(loaded);
    return status;
}

void ocelotl_palette_free(ocelotl_palette *palette)
{
    if (palette == NULL)
        return;
    for (size_t i = 0; i < palette->pattern_count; i++)
        free(palette->patterns[i].name);
    for (size_t i = 0; i < palette->count; i++)
        free(palette->names[i]);
    free(palette->names);
    free(palette->patterns);
    free(palette->colours);
    free(palette->lines);
    oc_map_free(&palette->rows);
    free(palette);
}

bool oc_palette_find(uint32_t *colour, const ocelotl_palette *palette, const char *name)
{
    const uint32_t row = oc_map_get(&palette->rows, name, strlen(name));
    if (row != OC_MAP_NONE) {
        *colour = palette->colours[row];
        return true;
    }
    for (size_t i = 0; i < palette->pattern_count; i++) {
        if (oc_pattern_matches(palette->patterns[i].name, name)) {
            *colour = palette->patterns[i].colour;
            return true;
        }
    }
    return false;
}

size_t ocelotl_palette_row_count(const ocelotl_palette *palette)
{
    return palette->count;
}

ocelotl_palette_row ocelotl_palette_row_at(const ocelotl_palette *palette, size_t index)
{
    if (index >= palette->count)
        return (ocelotl_palette_row){.name = ""};
    return (ocelotl_palette_row){palette->names[index], palette->colours[index],
                                 palette->lines[index]};
}

bool ocelotl_palette_row_matches(const ocelotl_palette *palette, size_t index, const char *type)
{
    return index < palette->count && oc_pattern_matches(palette->names[index], type);
}

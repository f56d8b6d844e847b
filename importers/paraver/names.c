#include "importers/paraver/reader.h"

#include "base/memory.h"
#include "base/text.h"
#include "importers/common/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the lines of a .pcf belong to. */
typedef enum section { OTHER, STATES, COLOURS, TYPES, VALUES } section;

typedef struct names_reader {
    paraver_names *names;
    oc_oddities *oddities;
    const char *path;
    oc_lines lines;
    section section;
    int level;     /* of a .row, -1: none that is known */
    uint64_t left; /* names of the level that come */
} names_reader;

void paraver_names_free(paraver_names *names)
{
    for (size_t i = 0; i < names->label_count; i++)
        free(names->labels[i].text);
    for (size_t i = 0; i < names->type_count; i++)
        free(names->types[i].name);
    for (size_t level = 0; level < PARAVER_LEVEL_COUNT; level++) {
        for (size_t i = 0; i < names->level_counts[level]; i++)
            free(names->levels[level][i]);
        free(names->levels[level]);
    }
    free(names->labels);
    free(names->types);
    free(names->blocks);
    oc_map_free(&names->label_of);
    oc_map_free(&names->type_of);
    *names = (paraver_names){0};
}

static void note(const names_reader *reader)
{
    oc_oddities_note(reader->oddities, PARAVER_NAME_LINE_UNKNOWN, reader->path,
                     reader->lines.number);
}

/* --- What is asked */

typedef struct label_key {
    int64_t number;
    uint64_t block;
} label_key;

const paraver_label *paraver_names_label(const paraver_names *names, uint32_t block, int64_t number)
{
    const label_key key = {number, block};
    const uint32_t found = oc_map_get(&names->label_of, &key, sizeof key);
    return found != OC_MAP_NONE ? &names->labels[found] : NULL;
}

const paraver_known_type *paraver_names_type(const paraver_names *names, uint64_t number)
{
    const uint32_t found = oc_map_get(&names->type_of, &number, sizeof number);
    return found != OC_MAP_NONE ? &names->types[found] : NULL;
}

const char *paraver_names_resource(const paraver_names *names, paraver_level level, size_t number)
{
    return number < names->level_counts[level] ? names->levels[level][number] : NULL;
}

/* --- Words of a line */

static char *skip_blanks(char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

/* Reads an integer and what is blank behind it. */
static bool take_number(int64_t *number, char **at)
{
    const bool negative = **at == '-';
    char *next = *at + negative;
    uint64_t value = 0;
    if (*next < '0' || *next > '9')
        return false;
    for (; *next >= '0' && *next <= '9'; next++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*next - '0'), &value))
            return false;
    if (*next != ' ' && *next != '\t' && *next != '\0')
        return false;
    *number = negative ? (int64_t)(0 - value) : (int64_t)value;
    *at = skip_blanks(next);
    return true;
}

/* --- .pcf */

static ocelotl_status find_label(paraver_label **label, paraver_names *names, uint32_t block,
                                 int64_t number)
{
    const label_key key = {number, block};
    uint32_t found = oc_map_get(&names->label_of, &key, sizeof key);
    if (found == OC_MAP_NONE) {
        found = (uint32_t)names->label_count;
        OC_TRY(oc_grow(&names->labels, &names->label_capacity, names->label_count + 1,
                       sizeof *names->labels));
        OC_TRY(oc_map_set(&names->label_of, &key, sizeof key, found));
        names->labels[names->label_count++] = (paraver_label){NULL, -1};
    }
    *label = &names->labels[found];
    return OCELOTL_OK;
}

/* The first name of a number is kept. */
static ocelotl_status read_label(names_reader *reader, uint32_t block, char *line)
{
    paraver_label *label;
    int64_t number;
    if (!take_number(&number, &line) || *line == '\0') {
        note(reader);
        return OCELOTL_OK;
    }
    OC_TRY(find_label(&label, reader->names, block, number));
    if (block > 0) {
        reader->names->blocks[block].has_values = true;
        reader->names->blocks[block].has_zero |= number == 0;
    }
    return label->text == NULL ? oc_copy_utf8(&label->text, line) : OCELOTL_OK;
}

/* "{117,195,255}" */
static bool take_colour(int32_t *colour, const char *text)
{
    *colour = 0;
    for (int i = 0; i < 3; i++) {
        int32_t part = 0;
        if (*text++ != (i == 0 ? '{' : ','))
            return false;
        while (*text == ' ')
            text++;
        if (*text < '0' || *text > '9')
            return false;
        for (; *text >= '0' && *text <= '9' && part <= 255; text++)
            part = part * 10 + (*text - '0');
        if (part > 255)
            return false;
        *colour = *colour << 8 | part;
    }
    return *text == '}';
}

static ocelotl_status read_colour(names_reader *reader, char *line)
{
    paraver_label *label;
    int64_t number;
    int32_t colour;
    if (!take_number(&number, &line) || !take_colour(&colour, line)) {
        note(reader);
        return OCELOTL_OK;
    }
    OC_TRY(find_label(&label, reader->names, 0, number));
    label->colour = colour;
    return OCELOTL_OK;
}

/* "9 50000001 MPI Point-to-point": its colours, its number, its name. */
static ocelotl_status read_type(names_reader *reader, char *line)
{
    paraver_names *names = reader->names;
    int64_t gradient;
    int64_t number;
    if (!take_number(&gradient, &line) || !take_number(&number, &line) || number < 0) {
        note(reader);
        return OCELOTL_OK;
    }
    const uint64_t key = (uint64_t)number;
    if (oc_map_get(&names->type_of, &key, sizeof key) != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&names->types, &names->type_capacity, names->type_count + 1, sizeof *names->types));
    paraver_known_type *type = &names->types[names->type_count];
    *type = (paraver_known_type){.gradient = (uint64_t)gradient,
                                 .block = (uint32_t)names->block_count - 1};
    if (*line != '\0')
        OC_TRY(oc_copy_utf8(&type->name, line));
    names->type_count++;
    return oc_map_set(&names->type_of, &key, sizeof key, (uint32_t)names->type_count - 1);
}

static ocelotl_status add_block(paraver_names *names)
{
    OC_TRY(oc_grow(&names->blocks, &names->block_capacity, names->block_count + 1,
                   sizeof *names->blocks));
    names->blocks[names->block_count++] = (paraver_block){0};
    return OCELOTL_OK;
}

/* A line that is one word in capitals begins a section. */
static ocelotl_status begin_section(names_reader *reader, const char *line)
{
    static const struct {
        const char *word;
        section section;
    } sections[] = {
        {"STATES", STATES}, {"STATES_COLOR", COLOURS}, {"EVENT_TYPE", TYPES}, {"VALUES", VALUES}};
    section found = OTHER;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (strcmp(line, sections[i].word) == 0)
            found = sections[i].section;
    if (found == VALUES && reader->section != TYPES) {
        note(reader);
        found = OTHER;
    }
    reader->section = found;
    return found == TYPES ? add_block(reader->names) : OCELOTL_OK;
}

static bool is_section(const char *line)
{
    return *line >= 'A' && *line <= 'Z' &&
           line[strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0';
}

static ocelotl_status read_pcf_line(names_reader *reader, char *line)
{
    if (is_section(line))
        return begin_section(reader, line);
    switch (*line == '\0' ? OTHER : reader->section) {
    case STATES:
        return read_label(reader, 0, line);
    case COLOURS:
        return read_colour(reader, line);
    case TYPES:
        return read_type(reader, line);
    case VALUES:
        return read_label(reader, (uint32_t)reader->names->block_count - 1, line);
    case OTHER:
        break;
    }
    return OCELOTL_OK;
}

/* --- .row */

static ocelotl_status add_resource(names_reader *reader, const char *name)
{
    paraver_names *names = reader->names;
    const size_t level = (size_t)reader->level;
    OC_TRY(oc_grow(&names->levels[level], &names->level_capacities[level],
                   names->level_counts[level] + 1, sizeof(char *)));
    OC_TRY(oc_copy_utf8(&names->levels[level][names->level_counts[level]], name));
    names->level_counts[level]++;
    return OCELOTL_OK;
}

/* "LEVEL THREAD SIZE 20" */
static bool begin_level(names_reader *reader, char *line)
{
    static const char *const levels[PARAVER_LEVEL_COUNT] = {"APPL", "TASK", "THREAD", "NODE",
                                                            "CPU"};
    int64_t size;
    if (strncmp(line, "LEVEL ", 6) != 0)
        return false;
    char *name = skip_blanks(line + 6);
    char *end = name + strcspn(name, " \t");
    char *word = skip_blanks(end);
    if (strncmp(word, "SIZE", 4) != 0)
        return false;
    char *number = skip_blanks(word + 4);
    if (!take_number(&size, &number) || size < 0)
        return false;
    *end = '\0';
    reader->level = -1;
    reader->left = (uint64_t)size;
    for (int i = 0; i < PARAVER_LEVEL_COUNT; i++)
        if (strncmp(name, levels[i], strlen(levels[i])) == 0 && reader->names->level_counts[i] == 0)
            reader->level = i;
    return true;
}

static ocelotl_status read_row_line(names_reader *reader, char *line)
{
    if (begin_level(reader, line))
        return OCELOTL_OK;
    if (*line == '\0')
        reader->left = 0;
    else if (reader->left == 0)
        note(reader);
    else {
        reader->left--;
        return reader->level >= 0 ? add_resource(reader, line) : OCELOTL_OK;
    }
    return OCELOTL_OK;
}

/* --- Files */

typedef ocelotl_status (*line_reader)(names_reader *reader, char *line);

static ocelotl_status read_lines(names_reader *reader, line_reader read)
{
    for (;;) {
        char *end;
        char *line = oc_lines_take(&end, &reader->lines);
        if (line == NULL) {
            if (reader->lines.at_end)
                return OCELOTL_OK;
            OC_TRY(oc_lines_read(&reader->lines));
            continue;
        }
        while (end > line && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
            end--;
        ocelotl_status status = oc_lines_check(&reader->lines, line, end);
        *end = '\0';
        if (status == OCELOTL_OK)
            status = read(reader, skip_blanks(line));
        if (status != OCELOTL_OK)
            OC_TRY(oc_oddities_skip(reader->oddities, status, reader->path, reader->lines.number));
    }
}

static ocelotl_status read_file(names_reader *reader, line_reader read,
                                const ocelotl_import_options *options)
{
    oc_source source = {0};
    ocelotl_import_options quiet = *options;
    quiet.work.progress = NULL; /* it counts bytes of the .prv */
    ocelotl_status status = oc_source_open_unseen(&source, reader->path, &quiet);
    reader->lines.input = source.input;
    if (status == OCELOTL_OK)
        status = read_lines(reader, read);
    if (status == OCELOTL_OK)
        status = oc_source_note(&source, reader->oddities->writer);
    status = oc_lines_end(&reader->lines, status, reader->path, reader->oddities, "names");
    if (status == OCELOTL_ERROR_LIMIT)
        status = oc_fail_within(status, "%s", reader->path);
    oc_lines_free(&reader->lines);
    oc_source_close(&source);
    return status;
}

ocelotl_status paraver_names_find(char *paths[2], const char *path)
{
    OC_TRY(oc_source_find_beside(&paths[0], path, ".prv", ".pcf"));
    return oc_source_find_beside(&paths[1], path, ".prv", ".row");
}

ocelotl_status paraver_names_read(paraver_names *names, char *const paths[2], oc_oddities *oddities,
                                  const ocelotl_import_options *options)
{
    static const line_reader readers[2] = {read_pcf_line, read_row_line};
    OC_TRY(add_block(names));
    for (size_t i = 0; i < 2; i++) {
        names_reader reader = {.names = names, .oddities = oddities, .level = -1, .path = paths[i]};
        if (paths[i] != NULL)
            OC_TRY(read_file(&reader, readers[i], options));
    }
    if (paths[0] == NULL)
        oc_oddities_note(oddities, PARAVER_NO_NAMES, "", 0);
    return OCELOTL_OK;
}

/* The colours that a name has: the user's, or those of common runtimes. */
#include "viz/colour/colour.h"

#include "base/format/csv.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- The user's colours */

/* A name with wildcards, which stands for others. */
typedef struct pattern {
    char *name;
    uint32_t colour;
} pattern;

struct ocelotl_palette {
    oc_map rows; /* from each name to its index below */
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

/* Reads #rrggbb, #rgb or a basic name of CSS, in any case. */
static bool colour_read(uint32_t *colour, const char *text)
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
    if (!colour_read(&colour, oc_csv_field(csv, 1)))
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

/* --- Colours of common runtimes */

/* Found by a search for the largest least distance to all visions: 7.3 (oc_colour_distance). */
enum {
    IDLE = 0xCFCABF,
    COMPUTE = 0x62BD85,
    TASK = 0x006958,
    SEND = 0x535DE3,
    RECEIVE = 0x008CCD,
    SEND_BEGUN = 0x72D9FF,
    RECEIVE_BEGUN = 0x00466E,
    EXCHANGE = 0x1E008A,
    WAIT = 0xD00106,
    WAIT_MANY = 0xCD7300,
    TEST = 0x890000,
    BARRIER = 0xEF29A8,
    REDUCE_ALL = 0x9F009D,
    REDUCE = 0xF888C3,
    BROADCAST = 0xADA2FF,
    ALL_TO_ALL = 0x6400CD,
    GATHER = 0x590028,
    SCATTER = 0x48005E,
    GATHER_ALL = 0xC169FF,
    READ = 0xC1AC00,
    WRITE = 0xFFC300,
    BEGIN = 0x4F3D3A,
    END = 0x7F717E,
    OVERHEAD = 0x80945D,
    SCHEDULE = 0x5B6600,
    OTHERS = 0x8C8C8C
};

/* Idling where the paper is dark. */
static const uint32_t idle_on_dark = 0x3C3A36;

typedef struct known {
    const char *pattern; /* see `plain` */
    uint32_t colour;
} known;

/* The first that matches decides. */
static const known colours[] = {
    {"idle", IDLE},
    {"idling", IDLE},
    {"sleep", IDLE},
    {"sleeping", IDLE},
    {"waiting", IDLE},
    {"inactive", IDLE},
    {"compute", COMPUTE},
    {"computing", COMPUTE},
    {"computation", COMPUTE},
    {"run", COMPUTE},
    {"running", COMPUTE},
    {"exec", COMPUTE},
    {"executing", COMPUTE},
    {"execution", COMPUTE},
    {"processing", COMPUTE},
    {"work", COMPUTE},
    {"working", COMPUTE},
    {"busy", COMPUTE},
    {"active", COMPUTE},
    {"task", TASK},
    {"taskexec*", TASK},
    {"implicittask", TASK},
    {"explicittask", TASK},
    {"parallel*", TASK},
    {"kernel", TASK},
    {"callback", TASK},
    {"isendrecv*", EXCHANGE},
    {"sendrecv*", EXCHANGE},
    {"isend", SEND_BEGUN},
    {"ibsend", SEND_BEGUN},
    {"irsend", SEND_BEGUN},
    {"issend", SEND_BEGUN},
    {"send", SEND},
    {"sending", SEND},
    {"bsend", SEND},
    {"rsend", SEND},
    {"ssend", SEND},
    {"put", SEND},
    {"pushingoutput", SEND},
    {"irecv", RECEIVE_BEGUN},
    {"imrecv", RECEIVE_BEGUN},
    {"recv", RECEIVE},
    {"mrecv", RECEIVE},
    {"receive", RECEIVE},
    {"receiving", RECEIVE},
    {"get", RECEIVE},
    {"fetchinginput", RECEIVE},
    {"wait", WAIT},
    {"waitall", WAIT_MANY},
    {"waitany", WAIT_MANY},
    {"waitsome", WAIT_MANY},
    {"taskwait*", WAIT_MANY},
    {"blocked", WAIT_MANY},
    {"lock*", WAIT_MANY},
    {"critical*", WAIT_MANY},
    {"mutex*", WAIT_MANY},
    {"test", TEST},
    {"testall", TEST},
    {"testany", TEST},
    {"testsome", TEST},
    {"probe", TEST},
    {"iprobe", TEST},
    {"progressing", TEST},
    {"barrier", BARRIER},
    {"ibarrier", BARRIER},
    {"implicitbarrier*", BARRIER},
    {"explicitbarrier*", BARRIER},
    {"winfence", BARRIER},
    {"allreduce", REDUCE_ALL},
    {"iallreduce", REDUCE_ALL},
    {"reduce", REDUCE},
    {"ireduce", REDUCE},
    {"reducescatter*", REDUCE},
    {"ireducescatter*", REDUCE},
    {"scan", REDUCE},
    {"exscan", REDUCE},
    {"reduction*", REDUCE},
    {"bcast", BROADCAST},
    {"ibcast", BROADCAST},
    {"broadcast", BROADCAST},
    {"alltoall", ALL_TO_ALL},
    {"alltoallv", ALL_TO_ALL},
    {"alltoallw", ALL_TO_ALL},
    {"ialltoall*", ALL_TO_ALL},
    {"allgather", GATHER_ALL},
    {"allgatherv", GATHER_ALL},
    {"iallgather*", GATHER_ALL},
    {"gather", GATHER},
    {"gatherv", GATHER},
    {"igather*", GATHER},
    {"scatter", SCATTER},
    {"scatterv", SCATTER},
    {"iscatter*", SCATTER},
    {"read", READ},
    {"reading", READ},
    {"fileread*", READ},
    {"fileiread*", READ},
    {"io", READ},
    {"write", WRITE},
    {"writing", WRITE},
    {"filewrite*", WRITE},
    {"fileiwrite*", WRITE},
    {"init", BEGIN},
    {"initthread", BEGIN},
    {"initialize", BEGIN},
    {"initializing", BEGIN},
    {"finalize", END},
    {"deinitializing", END},
    {"overhead", OVERHEAD},
    {"fork", OVERHEAD},
    {"join", OVERHEAD},
    {"forkjoin", OVERHEAD},
    {"scheduling", SCHEDULE},
    {"schedule", SCHEDULE},
    {"submittingtask", SCHEDULE},
    {"others", OTHERS},
};

enum { COLOUR_COUNT = sizeof colours / sizeof colours[0], PLAIN_MOST = 32 };

static char lower(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

/* Passes over the first prefix that a name has, in any case. */
static const char *without_prefix(const char *name)
{
    static const char *const prefixes[] = {"pmpi_",   "mpi_",    "smpi_",   "mpi-",
                                           "action_", "action-", "starpu_", "ompt_",
                                           "omp_",    "gomp_",   "state_",  "mpi "};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const size_t length = strlen(prefixes[i]);
        size_t same = 0;
        while (same < length && lower(name[same]) == prefixes[i][same])
            same++;
        if (same == length)
            return name + length;
    }
    return name;
}

/* Keeps the letters and digits of a name in lower case, without its prefixes. Returns false if they
 * are more than any name here has. */
static bool plain(char *letters, const char *name)
{
    for (const char *rest = without_prefix(name); rest != name; rest = without_prefix(name))
        name = rest;
    size_t length = 0;
    for (; *name != '\0'; name++) {
        if (*name == '_' || *name == '-' || *name == ' ')
            continue;
        if (length == PLAIN_MOST - 1 || *name == '*')
            return false;
        letters[length++] = lower(*name);
    }
    letters[length] = '\0';
    return true;
}

bool oc_known_colour(uint32_t *colour, const char *name, uint32_t background)
{
    char letters[PLAIN_MOST];
    if (!plain(letters, name))
        return false;
    for (size_t i = 0; i < COLOUR_COUNT; i++) {
        if (oc_pattern_matches(colours[i].pattern, letters)) {
            const bool dark = oc_ink_on(background) == 0xFFFFFF;
            *colour = dark && colours[i].colour == IDLE ? idle_on_dark : colours[i].colour;
            return true;
        }
    }
    return false;
}

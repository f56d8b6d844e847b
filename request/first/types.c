/* The types: deeply nested states, names that are numbered, and kernels by the hundred make many
 * small parts, and types that are too many to have a colour. Where that is so, what is one thing is
 * one type, and nested states count to the outermost depth that tells about as much. */
#include "request/first/first.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLICES = 60,         /* of the models that are compared: a picture has 200 */
    NUMBERED_LEAST = 3,  /* names that differ in a number: two may be two things */
    GROUPED_MOST = 1000, /* names: each is compared with each */
    DEPTHS = 4           /* that are tried: each reads every event */
};

/* The types of the trace say enough where the parts hide less, and so few states have no colour. */
static const double hidden = 0.25;
static const double colourless = 0.1;

/* What an outer depth has to tell of what all depths tell. */
static const double same = 0.95;

/* Kinds of what happens in the streams of a GPU, by pattern; what matches none is computing. */
static const struct {
    const char *pattern, *kind;
} kinds[] = {{"*nccl*", "collective"}, {"*NCCL*", "collective"}, {"*rccl*", "collective"},
             {"Memcpy*", "copy"},      {"Memset*", "copy"},      {"Copy*", "copy"},
             {"Fill*", "copy"},        {"*", "compute"}};

/* A value of a state. */
typedef struct naming {
    const char *name;
    const char *stem; /* the name without its numbers; NULL: it has none */
    uint64_t count;
    bool on_stream, elsewhere;
} naming;

typedef struct catalogue {
    oc_arena arena;
    naming *all;
    size_t count;
    oc_map places; /* of names */
    oc_map stems;  /* how many have each */
    bool nests, numbered, streams;
} catalogue;

static bool is_stream(const char *name)
{
    return strncmp(name, "stream ", 7) == 0 || strncmp(name, "Stream ", 7) == 0;
}

/* Writes a # for each number. */
static const char *find_stem(catalogue *names, const char *name)
{
    oc_text stem = {0};
    bool numbered = false;
    if (strpbrk(name, "=\n") != NULL)
        return NULL;
    while (*name != '\0') {
        const size_t digits = strspn(name, "0123456789");
        numbered = numbered || digits > 0;
        if (digits == 0 || stem.length == 0 || stem.bytes[stem.length - 1] != '#')
            oc_text_append(&stem, digits > 0 ? "#" : name, 1);
        name += digits > 0 ? digits : 1;
    }
    const char *copy =
        numbered ? oc_arena_copy_bytes(&names->arena, stem.bytes, stem.length) : NULL;
    oc_text_free(&stem);
    return copy;
}

static uint32_t get(const oc_map *map, const char *name)
{
    return oc_map_get(map, name, strlen(name));
}

static ocelotl_status add_value(catalogue *names, const ocelotl_value *value)
{
    const uint32_t known = get(&names->places, value->name);
    names->nests = names->nests || value->inclusive_ticks > value->innermost_ticks;
    if (known != OC_MAP_NONE) {
        names->all[known].count += value->count;
        return OCELOTL_OK;
    }
    naming *made = &names->all[names->count];
    *made =
        (naming){.name = value->name, .stem = find_stem(names, value->name), .count = value->count};
    return oc_map_set(&names->places, made->name, strlen(made->name), (uint32_t)names->count++);
}

/* A number that tells occurrences apart comes once in each resource; where it comes again and
 * again, it tells things apart. */
static ocelotl_status count_stems(catalogue *names, uint32_t resources)
{
    for (size_t i = 0; i < names->count; i++) {
        naming *one = &names->all[i];
        if (one->stem == NULL || one->count > resources) {
            one->stem = NULL;
            continue;
        }
        const uint32_t known = get(&names->stems, one->stem);
        const uint32_t count = known != OC_MAP_NONE ? known + 1 : 1;
        names->numbered = names->numbered || count >= NUMBERED_LEAST;
        OC_TRY(oc_map_set(&names->stems, one->stem, strlen(one->stem), count));
    }
    return OCELOTL_OK;
}

/* Lists the values of states, from the catalogue alone. */
static ocelotl_status list_names(catalogue *names, const ocelotl_trace *trace)
{
    const uint32_t resources = ocelotl_trace_resource_count(trace);
    const uint32_t values = ocelotl_trace_value_count(trace);
    OC_TRY(oc_arena_allocate(&names->all, &names->arena, values, sizeof *names->all));
    for (uint32_t v = 0; v < values; v++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, v);
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, value.event_type);
        if (type.category == OCELOTL_STATE && value.count > 0)
            OC_TRY(add_value(names, &value));
    }
    for (uint32_t i = 0; i < resources && !names->streams; i++)
        names->streams = is_stream(ocelotl_trace_resource_at(trace, i).name);
    OC_TRY(count_stems(names, resources));
    return oc_arena_status(&names->arena);
}

/* --- What happens in the streams of a GPU */

static bool is_in_stream(const ocelotl_model *model, uint32_t node)
{
    ocelotl_node at = ocelotl_model_node_at(model, node);
    while (!is_stream(at.name) && at.parent != OCELOTL_ROOT)
        at = ocelotl_model_node_at(model, at.parent);
    return is_stream(at.name);
}

static ocelotl_status look_into(catalogue *names, const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *values = NULL;
    ocelotl_status status = oc_allocate(&values, info.type_count, sizeof *values);
    for (uint32_t n = 0; n < info.node_count && status == OCELOTL_OK; n++) {
        if (!oc_is_leaf_of(model, n))
            continue;
        const bool streams = is_in_stream(model, n);
        status = ocelotl_model_values(values, model, n, 0, 0);
        for (uint32_t x = 0; x < info.type_count && status == OCELOTL_OK; x++) {
            const uint32_t found = get(&names->places, ocelotl_model_type_at(model, x).name);
            if (values[x] > 0 && found != OC_MAP_NONE)
                *(streams ? &names->all[found].on_stream : &names->all[found].elsewhere) = true;
        }
    }
    free(values);
    return status;
}

/* Finds which names streams alone have. */
static ocelotl_status find_streams(catalogue *names, const oc_choosing *choosing,
                                   const ocelotl_model_options *coarse)
{
    ocelotl_model_options options = *coarse;
    ocelotl_model *model = NULL;
    if (!names->streams)
        return OCELOTL_OK;
    options.slices = 1;
    options.cells.nesting = OCELOTL_INCLUSIVE;
    options.types.max_types = UINT32_MAX;
    options.hierarchy = (ocelotl_hierarchy_options){.bare = true};
    OC_TRY(ocelotl_model_from_trace(&model, choosing->session->trace, &options));
    const ocelotl_status status = look_into(names, model);
    ocelotl_model_free(model);
    return status;
}

static const char *kind_of(const char *name)
{
    size_t i = 0;
    while (!oc_pattern_matches(kinds[i].pattern, name))
        i++;
    return kinds[i].kind;
}

/* What a name is shown as; NULL: itself. */
static const char *group_of(const catalogue *names, const naming *one)
{
    if (one->stem != NULL && get(&names->stems, one->stem) >= NUMBERED_LEAST)
        return one->stem;
    if (one->on_stream && !one->elsewhere && strchr(one->name, '\n') == NULL)
        return kind_of(one->name);
    return NULL;
}

/* Writes a line NAME=GROUP for each name that is not shown as itself. */
static size_t write_groups(oc_text *lines, const catalogue *names)
{
    size_t count = 0;
    for (size_t i = 0; i < names->count && count < GROUPED_MOST; i++) {
        const char *group = group_of(names, &names->all[i]);
        if (group != NULL) {
            oc_text_format(lines, "\n%s=%s", names->all[i].name, group);
            count++;
        }
    }
    return count;
}

/* Gives the lines behind the first as a list with its texts, freed by free. */
static ocelotl_status list_groups(const char ***list, ocelotl_names *groups, const char *lines)
{
    const size_t length = strlen(lines);
    size_t count = 0;
    for (const char *at = lines; (at = strchr(at, '\n')) != NULL; at++)
        count++;
    OC_TRY(oc_allocate(list, count * sizeof **list + length + 1, 1));
    char *texts = memcpy(*list + count, lines, length + 1);
    for (size_t i = 0; i < count; i++) {
        texts = strchr(texts, '\n');
        *texts++ = '\0';
        (*list)[i] = texts;
    }
    *groups = (ocelotl_names){*list, count};
    return OCELOTL_OK;
}

/* Finds the outermost depth that tells about as much as all; 0: none does. */
static ocelotl_status find_depth(uint32_t *depth, const oc_choosing *choosing,
                                 ocelotl_model_options *coarse)
{
    oc_told all;
    oc_told outer;
    OC_TRY(oc_find_told(&all, choosing, coarse));
    for (uint32_t d = 1; d <= DEPTHS && *depth == 0; d++) {
        coarse->cells.nesting_depth = d;
        OC_TRY(oc_find_told(&outer, choosing, coarse));
        if (outer.told >= same * all.told)
            *depth = d;
    }
    return OCELOTL_OK;
}

static void describe(oc_text *text, uint32_t depth, const oc_told *told)
{
    oc_text_format(text, "%u %s: with each type by itself ", depth,
                   depth > 0 ? "outer states and kinds" : "kinds");
    if (told->lost > hidden)
        oc_text_format(text, "%d parts hide %s of the variation of %d slices", OC_PARTS_TAKEN_IN,
                       oc_short_percent(told->lost).text, SLICES);
    else
        oc_text_format(text, "%s of the time has no colour", oc_short_percent(told->others).text);
}

static ocelotl_status find_better(oc_text *text, catalogue *names, const oc_choosing *choosing,
                                  ocelotl_model_options *coarse, const oc_told *told)
{
    oc_text lines = {0};
    const char **list = NULL;
    uint32_t depth = 0;
    OC_TRY(find_streams(names, choosing, coarse));
    const size_t count = write_groups(&lines, names);
    oc_text_append(&lines, "", 0);
    ocelotl_status status = lines.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        status = list_groups(&list, &coarse->types.groups, lines.bytes);
    coarse->types.absent = true;
    if (status == OCELOTL_OK && names->nests)
        status = find_depth(&depth, choosing, coarse);
    if (status == OCELOTL_OK && depth + count > 0) {
        describe(text, depth, told);
        oc_text_add(text, lines.bytes);
    }
    oc_text_free(&lines);
    free(list);
    return status;
}

static ocelotl_status find_in(oc_text *text, catalogue *names, const oc_choosing *choosing,
                              ocelotl_model_options *coarse)
{
    oc_told told;
    OC_TRY(list_names(names, choosing->session->trace));
    if (!names->nests && !names->numbered && !names->streams)
        return OCELOTL_OK;
    OC_TRY(oc_find_told(&told, choosing, coarse));
    if (told.lost <= hidden && told.others <= colourless)
        return OCELOTL_OK;
    return find_better(text, names, choosing, coarse, &told);
}

/* Writes the depth and why, and a line for each name that becomes another; or nothing. */
static ocelotl_status find(oc_text *text, const oc_choosing *choosing,
                           ocelotl_model_options *coarse)
{
    catalogue names = {.all = NULL};
    const ocelotl_status status = find_in(text, &names, choosing, coarse);
    oc_map_free(&names.places);
    oc_map_free(&names.stems);
    oc_arena_free(&names.arena);
    return status;
}

/* Somebody said what types there are, or which of them. */
static bool is_given(const ocelotl_model_options *options)
{
    const ocelotl_selection *selection = &options->selection;
    return options->types.groups.count > 0 || options->types.max_types > 0 ||
           options->type_tree != NULL || options->cells.nesting_depth > 0 ||
           options->cells.nesting != OCELOTL_INNERMOST || selection->only.count > 0 ||
           selection->except.count > 0;
}

ocelotl_status oc_choose_types(oc_text *what, const oc_choosing *choosing)
{
    ocelotl_session *session = choosing->session;
    ocelotl_model_options *options = choosing->options;
    const char *metric = options->cells.metric;
    ocelotl_model_options coarse = *options;
    oc_text key = {0};
    const char *text;
    if (is_given(options) || (metric != NULL && strcmp(metric, "state-duration") != 0))
        return OCELOTL_OK;
    coarse.kind = OCELOTL_SPATIOTEMPORAL;
    coarse.slices = SLICES;
    coarse.snap = false;
    coarse.selection = (ocelotl_selection){.from = 0};
    coarse.broken = true;
    coarse.folded = (ocelotl_names){NULL, 0};
    coarse.hierarchy = (ocelotl_hierarchy_options){.by_role = options->hierarchy.by_role};
    oc_text_format(&key, "types %d %d %zu", (int)coarse.cells.untraced, coarse.hierarchy.by_role,
                   coarse.piece_count);
    for (size_t i = 0; i < coarse.state_types.count; i++)
        oc_text_format(&key, "\n%s", coarse.state_types.names[i]);
    OC_TRY(oc_find_choice(&text, &session->types, &key, choosing, &coarse, find));
    if (text[0] == '\0')
        return OCELOTL_OK;
    free(session->type_groups);
    session->type_groups = NULL;
    OC_TRY(list_groups(&session->type_groups, &options->types.groups, text));
    options->types.absent = true;
    options->cells.nesting_depth = (uint32_t)strtoul(text, NULL, 10);
    text = strchr(text, ' ') + 1;
    oc_text_append(what, text, strcspn(text, "\n"));
    return OCELOTL_OK;
}

/* The types: deeply nested states, names that are numbered, and kernels by the hundred make many
 * small parts, and types that are too many to have a colour. Where that is so, what is one thing is
 * one type, and nested states count to the outermost depth that tells about as much. */
#include "request/first/first.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"
#include "query/steps.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLICES = 60,         /* of the models that are compared: a picture has 200 */
    KERNELS_MOST = 12,   /* names of streams that a legend holds */
    GROUPED_MOST = 1000, /* names and patterns: each is compared with each name */
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

static bool is_fine(const oc_told *told)
{
    return told->lost <= hidden && told->others <= colourless;
}

/* Names of states, and who has them. */
typedef struct catalogue {
    oc_state_names names;
    bool *on_stream, *elsewhere; /* by name */
    bool streams;
} catalogue;

/* Lists the values of states, from the catalogue alone. */
static ocelotl_status list_names(catalogue *of, const ocelotl_trace *trace)
{
    const uint32_t resources = ocelotl_trace_resource_count(trace);
    oc_state_names *names = &of->names;
    OC_TRY(oc_state_names_list(names, trace));
    OC_TRY(oc_arena_allocate(&of->on_stream, &names->arena, names->count, sizeof *of->on_stream));
    OC_TRY(oc_arena_allocate(&of->elsewhere, &names->arena, names->count, sizeof *of->elsewhere));
    for (uint32_t i = 0; i < resources && !of->streams; i++)
        of->streams = oc_is_gpu_stream(ocelotl_trace_resource_at(trace, i).name);
    return OCELOTL_OK;
}

/* --- What happens in the streams of a GPU */

static bool is_in_stream(const ocelotl_model *model, uint32_t node)
{
    ocelotl_node at = ocelotl_model_node_at(model, node);
    while (!oc_is_gpu_stream(at.name) && at.parent != OCELOTL_ROOT)
        at = ocelotl_model_node_at(model, at.parent);
    return oc_is_gpu_stream(at.name);
}

static ocelotl_status look_into(catalogue *of, const ocelotl_model *model)
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
            const char *name = ocelotl_model_type_at(model, x).name;
            const uint32_t found = oc_map_get(&of->names.places, name, strlen(name));
            if (values[x] > 0 && found != OC_MAP_NONE)
                (streams ? of->on_stream : of->elsewhere)[found] = true;
        }
    }
    free(values);
    return status;
}

/* Finds which names streams alone have. */
static ocelotl_status find_streams(catalogue *of, const oc_choosing *choosing,
                                   const ocelotl_model_options *coarse)
{
    ocelotl_model_options options = *coarse;
    ocelotl_model *model = NULL;
    if (!of->streams)
        return OCELOTL_OK;
    options.slices = 1;
    options.cells.nesting = OCELOTL_INCLUSIVE;
    options.types.max_types = UINT32_MAX;
    options.hierarchy = (ocelotl_hierarchy_options){.bare = true};
    OC_TRY(ocelotl_model_from_trace(&model, choosing->session->trace, &options));
    const ocelotl_status status = look_into(of, model);
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

/* Writes a pattern for all names of a stem. False: it matches others, too. */
static bool write_pattern(oc_text *pattern, const oc_state_names *names, const char *stem)
{
    oc_text_clear(pattern);
    for (const char *at = stem; *at != '\0'; at++)
        oc_text_append(pattern, *at == '#' ? "*" : *at == '[' ? "?" : at, 1);
    oc_text_append(pattern, "", 0);
    bool alone = !pattern->failed;
    for (size_t i = 0; i < names->count && alone; i++)
        alone =
            names->all[i].stem == stem || !oc_pattern_matches(pattern->bytes, names->all[i].name);
    return alone;
}

static bool is_kernel(const catalogue *of, size_t name)
{
    return of->on_stream[name] && !of->elsewhere[name];
}

static size_t count_kernels(const catalogue *of)
{
    size_t count = 0;
    for (size_t i = 0; i < of->names.count; i++)
        count += is_kernel(of, i);
    return count;
}

/* Writes a line NAME=GROUP for each name that is not shown as itself, or for a pattern. */
static size_t write_groups(oc_text *lines, const catalogue *of)
{
    const oc_state_names *names = &of->names;
    oc_text pattern = {0};
    size_t count = 0;
    for (size_t i = names->numbered_count; i > 0 && count < GROUPED_MOST; i--) {
        const oc_state_name *one = names->numbered[i - 1];
        const char *name = one->name;
        if (is_kernel(of, (size_t)(one - names->all)))
            continue;
        if (!one->slow && write_pattern(&pattern, names, one->stem)) {
            name = pattern.bytes;
            while (i > 1 && names->numbered[i - 2]->stem == one->stem)
                i--;
        }
        oc_text_format(lines, "\n%s=%s%s", name, one->slow ? "slow " : "", one->stem);
        count++;
    }
    lines->failed = lines->failed || pattern.failed;
    oc_text_free(&pattern);
    for (size_t i = 0; i < names->count && count < GROUPED_MOST; i++)
        if (is_kernel(of, i) && strchr(names->all[i].name, '\n') == NULL) {
            oc_text_format(lines, "\n%s=%s", names->all[i].name, kind_of(names->all[i].name));
            count++;
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

static void describe(oc_text *text, uint32_t depth, const oc_told *told, size_t kernels)
{
    oc_text_format(text, "%u %slike types as one: else ", depth, depth > 0 ? "outer states, " : "");
    if (is_fine(told))
        oc_text_format(text, "streams would have %zu types", kernels);
    else if (told->lost > hidden)
        oc_text_format(text, "%d parts would hide %s of the variation of %d slices",
                       OC_PARTS_TAKEN_IN, oc_short_percent(told->lost).text, SLICES);
    else
        oc_text_format(text, "%s of the time would have no colour",
                       oc_short_percent(told->others).text);
}

static ocelotl_status find_better(oc_text *text, catalogue *of, const oc_choosing *choosing,
                                  ocelotl_model_options *coarse, const oc_told *told)
{
    oc_text lines = {0};
    const char **list = NULL;
    uint32_t depth = 0;
    OC_TRY(find_streams(of, choosing, coarse));
    const size_t kernels = count_kernels(of);
    if (is_fine(told) && kernels <= KERNELS_MOST)
        return OCELOTL_OK;
    const size_t count = write_groups(&lines, of);
    oc_text_append(&lines, "", 0);
    ocelotl_status status = lines.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        status = list_groups(&list, &coarse->types.groups, lines.bytes);
    coarse->types.absent = true;
    if (status == OCELOTL_OK && of->names.nests && !is_fine(told))
        status = find_depth(&depth, choosing, coarse);
    if (status == OCELOTL_OK && depth + count > 0) {
        describe(text, depth, told, kernels);
        oc_text_add(text, lines.bytes);
    }
    oc_text_free(&lines);
    free(list);
    return status;
}

static ocelotl_status find_in(oc_text *text, catalogue *of, const oc_choosing *choosing,
                              ocelotl_model_options *coarse)
{
    oc_told told;
    OC_TRY(list_names(of, choosing->session->trace));
    if (!of->names.nests && of->names.numbered_count == 0 && !of->streams)
        return OCELOTL_OK;
    OC_TRY(oc_find_told(&told, choosing, coarse));
    if (is_fine(&told) && !of->streams)
        return OCELOTL_OK;
    return find_better(text, of, choosing, coarse, &told);
}

/* Writes the depth and why, and a line for each name that becomes another; or nothing. */
static ocelotl_status find(oc_text *text, const oc_choosing *choosing,
                           ocelotl_model_options *coarse)
{
    catalogue of = {.streams = false};
    const ocelotl_status status = find_in(text, &of, choosing, coarse);
    oc_state_names_free(&of.names);
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

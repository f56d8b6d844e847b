/* The tree: resources that behave alike below different parents are no siblings, so that no part
 * can hold them. Where another tree of the same leaves loses far less at as many parts, it is drawn
 * in place of the trace's. */
#include "request/first/first.h"

#include "base/plain.h"

#include <string.h>

enum {
    PARENTS_LEAST = 3,    /* resources with others below them: of fewer, like ones are siblings */
    SLICES = 30,          /* of the models that are compared: a tenth of the time of a picture */
    CLUSTERED_MOST = 1000 /* resources, whose clustering takes about as long as the picture */
};

/* Shares of the loss of the whole as one part. A tree that loses no more than `poor` shows what
 * there is; otherwise the next one is worth its rows in an unknown order where it loses `worth` of
 * that at most. */
static const double poor = 0.25;
static const double worth = 0.5;

/* How a choice begins. */
static const char by_role[] = "by role";
static const char by_behaviour[] = "by behaviour";
static const char *const words[2] = {by_role, by_behaviour};

static bool is_given(const ocelotl_hierarchy_options *hierarchy)
{
    return hierarchy->file != NULL || hierarchy->by_role || hierarchy->cluster || hierarchy->bare ||
           hierarchy->drop_levels.count > 0 || hierarchy->groups.count > 0 ||
           hierarchy->reuse_rows || hierarchy->max_groups > 0 || hierarchy->like != NULL;
}

static bool has_parents(const ocelotl_trace *trace)
{
    uint32_t last = OCELOTL_ROOT;
    uint32_t parents = 0;
    for (uint32_t i = 0; i < ocelotl_trace_resource_count(trace) && parents < PARENTS_LEAST; i++) {
        const uint32_t parent = ocelotl_trace_resource_at(trace, i).parent;
        parents += parent != OCELOTL_ROOT && parent != last;
        last = parent;
    }
    return parents >= PARENTS_LEAST;
}

/* What trees are compared on: the whole trace, as its groups of like siblings are found. A single
 * variable is one for its filters. */
static ocelotl_model_options make_coarse(const oc_choosing *choosing)
{
    ocelotl_model_options options = *choosing->options;
    const ocelotl_selection shown = options.selection;
    options.kind = OCELOTL_SPATIOTEMPORAL;
    options.slices = SLICES;
    options.snap = false;
    options.selection = (ocelotl_selection){.from = 0};
    options.broken = true;
    if (options.cells.metric != NULL && (strncmp(options.cells.metric, "variable", 8) == 0 ||
                                         strcmp(options.cells.metric, "counter") == 0)) {
        options.selection.only = shown.only;
        options.selection.except = shown.except;
    }
    options.cells.nesting_depth = 0;
    options.type_tree = NULL;
    options.type_level = 0;
    options.folded = (ocelotl_names){NULL, 0};
    options.hierarchy = (ocelotl_hierarchy_options){.max_groups = 0};
    return options;
}

/* Writes why another tree is better than the trace's, or nothing. One by role comes first: its
 * names say where a row is. */
static ocelotl_status compare(oc_text *why, const oc_choosing *choosing,
                              ocelotl_model_options *options)
{
    const bool few = ocelotl_trace_resource_count(choosing->session->trace) <= CLUSTERED_MOST;
    oc_told traced;
    OC_TRY(oc_find_told(&traced, choosing, options));
    double least = traced.lost;
    for (size_t i = 0; i < (few ? 2 : 1) && least > poor; i++) {
        oc_told other;
        options->hierarchy.by_role = words[i] == by_role;
        options->hierarchy.cluster = words[i] == by_behaviour;
        OC_TRY(oc_find_told(&other, choosing, options));
        if (other.lost > worth * least)
            continue;
        least = other.lost;
        oc_text_clear(why);
        oc_text_format(why, "%s: %d parts hide %s of the variation of %d slices, ", words[i],
                       OC_PARTS_TAKEN_IN, oc_short_percent(least).text, SLICES);
        oc_text_format(why, "with the tree of the trace %s", oc_short_percent(traced.lost).text);
    }
    return OCELOTL_OK;
}

static void add_names(oc_text *key, const ocelotl_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        oc_text_format(key, "\n%s", names->names[i]);
    oc_text_add(key, "\n");
}

ocelotl_status oc_choose_tree(oc_text *what, const oc_choosing *choosing)
{
    ocelotl_session *session = choosing->session;
    ocelotl_model_options *options = choosing->options;
    ocelotl_model_options coarse = make_coarse(choosing);
    oc_text key = {0};
    const char *why;
    if (is_given(&options->hierarchy) || options->kind == OCELOTL_TEMPORAL ||
        oc_is_of_waiting(options->cells.metric) || !has_parents(session->trace))
        return OCELOTL_OK;
    /* Writes what the choice depends on. */
    const ocelotl_cell_options *cells = &coarse.cells;
    const char *const texts[] = {cells->metric, cells->attribute};
    oc_text_format(&key, "tree %d %d %d %d %u %zu", (int)cells->nesting, (int)cells->untraced,
                   cells->shift, cells->scale, coarse.types.max_types, coarse.piece_count);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        oc_text_format(&key, "\n%s", texts[i] != NULL ? texts[i] : "");
    add_names(&key, &coarse.state_types);
    add_names(&key, &coarse.types.groups);
    add_names(&key, &coarse.selection.only);
    add_names(&key, &coarse.selection.except);
    OC_TRY(oc_find_choice(&why, &session->tree, &key, choosing, &coarse, compare));
    options->hierarchy.by_role = strncmp(why, by_role, sizeof by_role - 1) == 0;
    options->hierarchy.cluster = strncmp(why, by_behaviour, sizeof by_behaviour - 1) == 0;
    oc_text_add(what, why);
    return OCELOTL_OK;
}

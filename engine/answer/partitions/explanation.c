/* Why a part is as it is, and what its siblings are meanwhile. */
#include "answer/table.h"

#include "aggregate/explanation.h"
#include "base/memory.h"
#include "base/weighed.h"

#include <stdlib.h>

enum { MOST_SIBLINGS = 40, MOST_SHARES = 4, MOST_NAMED = 4, MOST_PRINTED = 5, MOST_LISTED = 12 };

/* One difference, as a row says it. */
typedef struct term {
    ocelotl_cut_kind kind;
    const char *by, *name;
    size_t part;          /* SIZE_MAX: it is none */
    uint32_t first, last; /* OCELOTL_NONE: not of some slices alone, */
    uint32_t taken_out;   /* and not of a type that could be */
    ocelotl_difference difference;
} term;

/* What is explained, and of what. */
typedef struct subject {
    const ocelotl_explanation *explanation;
    const ocelotl_model *model;
    ocelotl_model_info info;
    double *values; /* by type, of a node */
    const char *sentences[OCELOTL_CUT_COUNT];
    size_t count, capacity;
    term *terms;
} subject;

static const char *path_of(const subject *of, uint32_t node)
{
    const char *path = ocelotl_model_node_at(of->model, node).path;
    return path[0] != '\0' ? path : "the whole";
}

static const char *type_of(const subject *of, size_t type)
{
    return ocelotl_model_type_at(of->model, (uint32_t)type).name;
}

static const char *const cut_names[OCELOTL_CUT_COUNT] = {"inside", "parent", "earlier",
                                                         "later",  "time",   "resources"};

/* --- Sentences */

static void add_place(oc_text *text, const subject *of)
{
    const ocelotl_explanation *one = of->explanation;
    const double begin = ocelotl_slice_begin(&of->info, one->first);
    const double end = ocelotl_slice_end(&of->info, one->last + 1.0);
    if (one->number != SIZE_MAX)
        oc_text_format(text, "Part %zu (", one->number);
    const char *path = ocelotl_model_node_at(of->model, one->node).path;
    oc_text_add(text,
                path[0] == '\0' && one->number == SIZE_MAX ? "The whole" : path_of(of, one->node));
    if (of->info.has_time)
        oc_text_format(text, ", %s to %s", oc_short_end(begin, end - begin).text,
                       oc_short_end(end, end - begin).text);
    else if (of->info.slice_count > 1)
        oc_text_format(text, ", slices %u to %u", one->first, one->last);
    oc_text_add(text, one->number != SIZE_MAX ? ")" : "");
}

/* What the cut spares and gives up: those that the partition has are measured against the block. */
static void add_worth(oc_text *text, const subject *of, ocelotl_cut_kind kind)
{
    const ocelotl_partition_info whole = of->explanation->info;
    const ocelotl_difference all = of->explanation->cuts[kind].all;
    const double sign = oc_is_made(kind) ? -1 : 1;
    oc_text_format(
        text, " spares %s of the loss and gives up %s of the gain",
        oc_short_percent(whole.whole_loss > 0 ? sign * all.loss / whole.whole_loss : 0).text,
        oc_short_percent(whole.whole_gain > 0 ? sign * all.gain / whole.whole_gain : 0).text);
}

static void add_cause(oc_text *text, const subject *of, ocelotl_cut_kind kind)
{
    const ocelotl_cut *cut = &of->explanation->cuts[kind];
    const size_t own = of->explanation->number;
    if (kind == OCELOTL_CUT_INSIDE)
        oc_text_format(text, "cut into %zu parts", cut->piece_count);
    else if (cut->piece_count == 2 && own != SIZE_MAX)
        oc_text_format(text, "cut from part %zu", cut->pieces[cut->pieces[0].number == own].number);
    else
        oc_text_add(text, "cut from what is");
    if (kind == OCELOTL_CUT_PARENT)
        oc_text_format(text, " beside it in %s", path_of(of, cut->node));
    else if (kind != OCELOTL_CUT_INSIDE)
        oc_text_add(text, kind == OCELOTL_CUT_EARLIER ? " before it" : " after it");
    oc_text_add(text, cut->taken_count > 0 ? " because of " : ", whatever types are left out");
    uint32_t named = 0;
    for (uint32_t type = 0; type < of->info.type_count && named < MOST_NAMED; type++)
        if (cut->taken[type]) {
            named++;
            oc_text_format(text, "%s%s",
                           named == 1                  ? ""
                           : named == cut->taken_count ? " and "
                                                       : ", ",
                           type_of(of, type));
        }
    if (named < cut->taken_count)
        oc_text_format(text, " and %u more", cut->taken_count - named);
}

static void add_made(oc_text *text, const subject *of, ocelotl_cut_kind kind)
{
    const ocelotl_cut *cut = &of->explanation->cuts[kind];
    oc_text_add(text, " is ");
    add_cause(text, of, kind);
    if (cut->taken_count > 0)
        oc_text_format(text, ": without %s one block would be as good as these %zu parts",
                       cut->taken_count == 1 ? "it" : "these", cut->piece_count);
    oc_text_add(text, ". The cut");
    add_worth(text, of, kind);
    oc_text_add(text, ".");
}

static void add_not_made(oc_text *text, const subject *of, ocelotl_cut_kind kind)
{
    const ocelotl_cut *cut = &of->explanation->cuts[kind];
    const uint32_t behind = cut->pieces[1].first;
    if (kind == OCELOTL_CUT_RESOURCES)
        oc_text_format(text, " is not cut into its %zu children: that", cut->piece_count);
    else if (of->info.has_time)
        oc_text_format(text, " is not cut at %s, the best of times: that",
                       oc_short_time(ocelotl_slice_begin(&of->info, behind)).text);
    else
        oc_text_format(text, " is not cut before slice %u, the best one: that", behind);
    add_worth(text, of, kind);
    oc_text_format(
        text, cut->all.pic >= 0 ? ", too little at p = %s." : ", which would be better at p = %s.",
        oc_digits(of->explanation->info.p).text);
}

void oc_explanation_add_cause(oc_text *text, const ocelotl_explanation *explanation)
{
    const ocelotl_model *model = ocelotl_aggregation_model(explanation->aggregation);
    const subject of = {explanation, model, .info = ocelotl_model_info_of(model)};
    const ocelotl_cut *cuts = explanation->cuts;
    ocelotl_cut_kind most = OCELOTL_CUT_INSIDE;
    for (ocelotl_cut_kind kind = OCELOTL_CUT_PARENT; oc_is_made(kind); kind++)
        if (cuts[kind].taken_count > 0 &&
            (cuts[most].taken_count == 0 || cuts[kind].all.pic > cuts[most].all.pic))
            most = kind;
    if (cuts[most].taken_count > 0)
        add_cause(text, &of, most);
}

/* --- Terms */

static ocelotl_status add_term(subject *of, oc_arena *arena, term one)
{
    OC_TRY(oc_arena_grow(&of->terms, &of->capacity, arena, of->count + 1, sizeof *of->terms));
    of->terms[of->count++] = one;
    return OCELOTL_OK;
}

static term term_of(const subject *of, ocelotl_cut_kind kind, bool is_type, size_t index)
{
    const ocelotl_cut *cut = &of->explanation->cuts[kind];
    const uint32_t none = OCELOTL_NONE;
    if (is_type)
        return (term){kind,
                      "type",
                      type_of(of, index),
                      SIZE_MAX,
                      none,
                      none,
                      oc_is_made(kind) ? cut->taken[index] : none,
                      cut->types[index]};
    const ocelotl_cut_piece *piece = &cut->pieces[index];
    return (term){kind,          "piece",      path_of(of, piece->node),
                  piece->number, piece->first, piece->last,
                  none,          piece->by};
}

/* The largest ones, whatever their sign, then what the others come to together. */
static ocelotl_status add_terms(subject *of, oc_arena *arena, ocelotl_cut_kind kind, bool is_type,
                                size_t most)
{
    const size_t count = is_type ? of->info.type_count : of->explanation->cuts[kind].piece_count;
    term others = {kind,         is_type ? "type" : "piece",
                   NULL,         SIZE_MAX,
                   OCELOTL_NONE, OCELOTL_NONE,
                   OCELOTL_NONE, {0, 0, 0}};
    size_t left = 0;
    char name[32];
    oc_weighed *ranked;
    OC_TRY(oc_arena_allocate(&ranked, arena, count, sizeof *ranked));
    for (size_t i = 0; i < count; i++)
        ranked[i] = (oc_weighed){fabs(term_of(of, kind, is_type, i).difference.pic), i};
    oc_sort_weighed(ranked, count);
    for (size_t i = 0; i < count; i++) {
        const term one = term_of(of, kind, is_type, ranked[i].place);
        if (is_type && one.difference.gain == 0 && one.difference.loss == 0)
            continue;
        if (i < most) {
            OC_TRY(add_term(of, arena, one));
            continue;
        }
        left++;
        others.difference.gain += one.difference.gain;
        others.difference.loss += one.difference.loss;
        others.difference.pic += one.difference.pic;
    }
    if (left == 0)
        return OCELOTL_OK;
    snprintf(name, sizeof name, "%zu more", left);
    others.name = oc_arena_copy(arena, name);
    return add_term(of, arena, others);
}

/* With at most so many terms by type, and by piece, of each cut. */
static ocelotl_status make_subject(subject *of, oc_arena *arena,
                                   const ocelotl_explanation *explanation, size_t most)
{
    *of = (subject){explanation, ocelotl_aggregation_model(explanation->aggregation)};
    of->info = ocelotl_model_info_of(of->model);
    OC_TRY(oc_arena_allocate(&of->values, arena, of->info.type_count, sizeof *of->values));
    for (ocelotl_cut_kind kind = 0; kind < OCELOTL_CUT_COUNT; kind++) {
        const ocelotl_cut *cut = &explanation->cuts[kind];
        if (cut->piece_count == 0)
            continue;
        oc_text text = {0};
        add_place(&text, of);
        (oc_is_made(kind) ? add_made : add_not_made)(&text, of, kind);
        const bool failed = text.failed;
        of->sentences[kind] = failed ? "" : oc_arena_copy(arena, text.bytes);
        oc_text_free(&text);
        OC_TRY(failed ? oc_fail_memory() : OCELOTL_OK);
        OC_TRY(add_term(of, arena,
                        (term){kind, "all", path_of(of, cut->node), SIZE_MAX, cut->first, cut->last,
                               OCELOTL_NONE, cut->all}));
        OC_TRY(add_terms(of, arena, kind, true, most));
        OC_TRY(add_terms(of, arena, kind, false, most));
    }
    return oc_arena_status(arena);
}

static const oc_heading headings[] = {{"cut", OC_CELL_TEXT},          {"by", OC_CELL_TEXT},
                                      {"part", OC_CELL_COUNT},        {"name", OC_CELL_TEXT},
                                      {"first", OC_CELL_INDEX},       {"last", OC_CELL_INDEX},
                                      {"gain", OC_CELL_NUMBER},       {"loss", OC_CELL_NUMBER},
                                      {"difference", OC_CELL_NUMBER}, {"taken_out", OC_CELL_FLAG}};

static ocelotl_status fill_term(oc_row *row, void *state, size_t index)
{
    const term *one = &((const subject *)state)->terms[index];
    oc_cell_text(row, cut_names[one->kind]);
    oc_cell_text(row, one->by);
    oc_cell_add(row, one->part != SIZE_MAX, one->part);
    oc_cell_text(row, one->name);
    oc_cell_add(row, one->first != OCELOTL_NONE, one->first);
    oc_cell_add(row, one->last != OCELOTL_NONE, one->last);
    oc_cell_number(row, one->difference.gain);
    oc_cell_number(row, one->difference.loss);
    oc_cell_number(row, one->difference.pic);
    oc_cell_add(row, one->taken_out != OCELOTL_NONE, one->taken_out);
    return OCELOTL_OK;
}

static oc_table table_of(subject *of)
{
    return (oc_table){headings, OC_COUNT_OF(headings), of, sizeof *of, of->count, fill_term};
}

ocelotl_status ocelotl_explanation_to_arrow(struct ArrowArrayStream *stream,
                                            ocelotl_explanation *explanation,
                                            const ocelotl_arrow_options *options)
{
    subject of;
    OC_TRY(make_subject(&of, &explanation->arena, explanation, SIZE_MAX));
    const oc_table table = table_of(&of);
    return oc_table_to_arrow(stream, &table, options);
}

/* --- Text, for people */

static ocelotl_status print_all(oc_output *out, void *state)
{
    subject *of = state;
    for (ocelotl_cut_kind kind = 0; kind < OCELOTL_CUT_COUNT; kind++)
        if (of->sentences[kind] != NULL)
            oc_output_print(out, "%s\n", of->sentences[kind]);
    oc_output_add(out, "\n");
    const oc_table table = table_of(of);
    return oc_table_print(out, &table);
}

/* --- JSON */

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void add_measures(oc_json *json, const subject *of, double gain, double loss)
{
    oc_json_number(json, "gain", gain);
    oc_json_number(json, "loss", loss);
    oc_json_number(json, "gain_percent", percent(gain, of->explanation->info.whole_gain));
    oc_json_number(json, "loss_percent", percent(loss, of->explanation->info.whole_loss));
}

static void add_cut(oc_json *json, const subject *of, ocelotl_cut_kind kind)
{
    const ocelotl_cut *cut = &of->explanation->cuts[kind];
    if (cut->piece_count == 0)
        return;
    oc_json_item(json, 0);
    oc_json_text(json, "cut", cut_names[kind]);
    oc_json_text(json, "sentence", of->sentences[kind]);
    oc_json_text(json, "node", ocelotl_model_node_at(of->model, cut->node).path);
    oc_json_count(json, "first", cut->first);
    oc_json_count(json, "last", cut->last);
    oc_json_count(json, "pieces", cut->piece_count);
    add_measures(json, of, cut->all.gain, cut->all.loss);
    oc_json_number(json, "difference", cut->all.pic);
    oc_json_list(json, "taken_out");
    for (uint32_t type = 0; type < of->info.type_count; type++)
        if (cut->taken[type])
            oc_json_text(json, NULL, type_of(of, type));
    oc_json_end_list(json);
    oc_json_end_object(json);
}

/* The largest values of a node, which are then 0. */
static void add_leading(oc_json *json, const subject *of)
{
    oc_json_list(json, "shares");
    for (uint32_t i = 0; i < MOST_SHARES; i++) {
        uint32_t best = 0;
        for (uint32_t type = 1; type < of->info.type_count; type++)
            if (of->values[type] > of->values[best])
                best = type;
        if (!(of->values[best] > 0))
            break;
        oc_json_list(json, NULL);
        oc_json_text(json, NULL, ocelotl_model_type_at(of->model, best).name);
        oc_json_number(json, NULL, of->values[best]);
        oc_json_end_list(json);
        of->values[best] = 0;
    }
    oc_json_end_list(json);
}

/* The node and those beside it, as many on both sides. */
static ocelotl_status add_siblings(oc_json *json, const subject *of)
{
    const uint32_t parent = ocelotl_model_node_at(of->model, of->explanation->node).parent;
    uint32_t count = 0;
    uint32_t own = 0;
    uint32_t place = 0;
    for (uint32_t i = 0; parent != OCELOTL_ROOT && i < of->info.node_count; i++) {
        own = i == of->explanation->node ? count : own;
        count += ocelotl_model_node_at(of->model, i).parent == parent;
    }
    const uint32_t first = own > MOST_SIBLINGS / 2 ? own - MOST_SIBLINGS / 2 : 0;
    oc_json_count(json, "sibling_count", count);
    oc_json_list(json, "siblings");
    for (uint32_t i = 0; count > 0 && i < of->info.node_count; i++) {
        if (ocelotl_model_node_at(of->model, i).parent != parent)
            continue;
        if (place++ < first || place > first + MOST_SIBLINGS)
            continue;
        OC_TRY(ocelotl_model_values(of->values, of->model, i, of->explanation->first,
                                    of->explanation->last));
        oc_json_item(json, 0);
        oc_json_text(json, "node", ocelotl_model_node_at(of->model, i).path);
        oc_json_count(json, "leaves", ocelotl_model_node_at(of->model, i).row_count);
        oc_json_flag(json, "own", i == of->explanation->node);
        add_leading(json, of);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    subject *of = state;
    const ocelotl_explanation *one = of->explanation;
    const oc_table table = table_of(of);
    OC_TRY(ocelotl_model_values(of->values, of->model, one->node, one->first, one->last));
    if (one->number != SIZE_MAX)
        oc_json_count(json, "part", one->number);
    oc_json_text(json, "node", ocelotl_model_node_at(of->model, one->node).path);
    oc_json_count(json, "first", one->first);
    oc_json_count(json, "last", one->last);
    oc_json_text(json, "unit", of->info.unit);
    oc_json_number(json, "p", one->info.p);
    oc_json_number(json, "p_raw", one->info.p_raw);
    add_measures(json, of, one->gain, one->loss);
    oc_json_list(json, "types");
    for (uint32_t type = 0; type < of->info.type_count; type++) {
        const ocelotl_type_measure measure = one->types[type];
        if (!(measure.sum > 0))
            continue;
        oc_json_item(json, 0);
        oc_json_text(json, "type", type_of(of, type));
        oc_json_number(json, "value", of->values[type]);
        add_measures(json, of, measure.gain, measure.loss);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_list(json, "cuts");
    for (ocelotl_cut_kind kind = 0; kind < OCELOTL_CUT_COUNT; kind++)
        add_cut(json, of, kind);
    oc_json_end_list(json);
    OC_TRY(oc_json_rows(json, "terms", &table, 0));
    return add_siblings(json, of);
}

ocelotl_status ocelotl_explanation_write(const ocelotl_sink *sink, ocelotl_form form,
                                         const ocelotl_explanation *explanation)
{
    oc_arena scratch = {0};
    subject of = {.count = 0};
    const size_t most = form == OCELOTL_FORM_TEXT   ? MOST_PRINTED
                        : form == OCELOTL_FORM_JSON ? MOST_LISTED
                                                    : SIZE_MAX;
    ocelotl_status status = make_subject(&of, &scratch, explanation, most);
    if (status == OCELOTL_OK)
        status =
            oc_forms_write(sink, form, &(oc_forms){&of, add_members, print_all, table_of(&of)});
    oc_arena_free(&scratch);
    return status;
}

ocelotl_status ocelotl_explanation_write_json(const ocelotl_sink *sink,
                                              const ocelotl_aggregation *aggregation,
                                              const ocelotl_partition *partition, uint32_t node,
                                              uint32_t first, uint32_t last)
{
    ocelotl_explanation *explanation;
    OC_TRY(oc_part_explain(&explanation, aggregation, partition, node, first, last));
    const ocelotl_status status = ocelotl_explanation_write(sink, OCELOTL_FORM_JSON, explanation);
    oc_explanation_free(explanation);
    return status;
}

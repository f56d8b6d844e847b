/* Why a part is as it is, and what its siblings are meanwhile. */
#include "answer/table.h"

#include "aggregate/explanation.h"
#include "base/memory.h"
#include "base/weighed.h"

#include <stdlib.h>

enum { MOST_SIBLINGS = 40, MOST_SHARES = 4, MOST_NAMED = 4, MOST_PRINTED = 5, MOST_LISTED = 12 };

/* What is explained, and of what. */
typedef struct subject {
    const ocelotl_explanation *explanation;
    const ocelotl_model *model;
    ocelotl_model_info info;
} subject;

static subject subject_of(const ocelotl_explanation *explanation)
{
    const ocelotl_model *model = ocelotl_aggregation_model(explanation->aggregation);
    return (subject){explanation, model, ocelotl_model_info_of(model)};
}

static const char *path_of(const subject *of, uint32_t node)
{
    const char *path = ocelotl_model_node_at(of->model, node).path;
    return path[0] != '\0' ? path : "the whole";
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
    oc_text_add(text, path_of(of, one->node));
    if (of->info.has_time)
        oc_text_format(text, ", %s to %s", oc_short_end(begin, end - begin).text,
                       oc_short_end(end, end - begin).text);
    else if (of->info.slice_count > 1)
        oc_text_format(text, ", slices %u to %u", one->first, one->last);
    oc_text_add(text, one->number != SIZE_MAX ? ")" : "");
}

/* The part beside it, where both are all that is compared. */
static size_t find_other(const subject *of, const ocelotl_cut *cut)
{
    const size_t own = of->explanation->number;
    if (cut->piece_count != 2 || own == SIZE_MAX)
        return SIZE_MAX;
    return cut->pieces[cut->pieces[0].number == own].number;
}

static void add_cut(oc_text *text, const subject *of, ocelotl_cut_kind kind)
{
    const ocelotl_cut *cut = &of->explanation->cuts[kind];
    const size_t other = find_other(of, cut);
    if (kind == OCELOTL_CUT_INSIDE)
        oc_text_format(text, " is cut into %zu parts", cut->piece_count);
    else if (other != SIZE_MAX)
        oc_text_format(text, " is cut from part %zu", other);
    else
        oc_text_add(text, " is cut from what is");
    if (kind == OCELOTL_CUT_PARENT)
        oc_text_format(text, " beside it in %s", path_of(of, cut->node));
    else if (kind != OCELOTL_CUT_INSIDE)
        oc_text_add(text, kind == OCELOTL_CUT_EARLIER ? " before it" : " after it");
}

static void add_taken(oc_text *text, const subject *of, const ocelotl_cut *cut)
{
    uint32_t named = 0;
    for (uint32_t type = 0; type < of->info.type_count && named < MOST_NAMED; type++) {
        if (!cut->taken[type])
            continue;
        oc_text_add(text, named == 0 ? "" : named + 1 == cut->taken_count ? " and " : ", ");
        oc_text_add(text, ocelotl_model_type_at(of->model, type).name);
        named++;
    }
    if (named < cut->taken_count)
        oc_text_format(text, " and %u more", cut->taken_count - named);
}

/* Why the pieces are better, which the partition has. */
static void add_reason(oc_text *text, const subject *of, const ocelotl_cut *cut)
{
    if (cut->taken_count == 0) {
        oc_text_add(text, ", whatever types are left out");
        return;
    }
    oc_text_add(text, " because of ");
    add_taken(text, of, cut);
    oc_text_format(text, ": without %s one block would be as good as these %zu parts",
                   cut->taken_count == 1 ? "it" : "these", cut->piece_count);
}

/* What the cut spares and gives up; of a cut that the partition has not, what it would. */
static void add_worth(oc_text *text, const subject *of, const ocelotl_cut *cut, double sign)
{
    const ocelotl_partition_info whole = of->explanation->info;
    const double loss = -sign * cut->all.loss;
    const double gain = -sign * cut->all.gain;
    oc_text_format(text, "%s of the loss and gives up ",
                   oc_short_percent(whole.whole_loss > 0 ? loss / whole.whole_loss : 0).text);
    oc_text_format(text, "%s of the gain",
                   oc_short_percent(whole.whole_gain > 0 ? gain / whole.whole_gain : 0).text);
}

static void add_sentence(oc_text *text, const subject *of, ocelotl_cut_kind kind)
{
    const ocelotl_cut *cut = &of->explanation->cuts[kind];
    add_place(text, of);
    if (oc_is_made(kind)) {
        add_cut(text, of, kind);
        add_reason(text, of, cut);
        oc_text_add(text, ". The cut spares ");
        add_worth(text, of, cut, 1);
        oc_text_add(text, ".");
        return;
    }
    oc_text_add(text, " is not cut ");
    if (kind == OCELOTL_CUT_RESOURCES)
        oc_text_format(text, "into its %zu children", cut->piece_count);
    else if (of->info.has_time)
        oc_text_format(text, "at %s",
                       oc_short_time(ocelotl_slice_begin(&of->info, cut->pieces[1].first)).text);
    else
        oc_text_format(text, "before slice %u", cut->pieces[1].first);
    oc_text_add(text,
                kind == OCELOTL_CUT_TIME ? ", the best of times: that spares " : ": that spares ");
    add_worth(text, of, cut, -1);
    oc_text_format(
        text, cut->all.pic >= 0 ? ", too little at p = %s." : ", which would be better at p = %s.",
        oc_digits(of->explanation->info.p).text);
}

/* --- Terms: a row for each difference */

typedef enum term_of { OF_ALL, OF_TYPE, OF_PIECE } term_of;

typedef struct term {
    ocelotl_cut_kind kind;
    term_of by;
    uint32_t index; /* of the type or the piece */
    size_t others;  /* 0: it is that one; else so many more, together */
    ocelotl_difference difference;
} term;

typedef struct term_list {
    subject of;
    size_t count, capacity;
    term *terms;
    double *values; /* by type, of a node */
    const char *sentences[OCELOTL_CUT_COUNT];
} term_list;

static ocelotl_status add_term(term_list *list, oc_arena *arena, term one)
{
    OC_TRY(
        oc_arena_grow(&list->terms, &list->capacity, arena, list->count + 1, sizeof *list->terms));
    list->terms[list->count++] = one;
    return OCELOTL_OK;
}

static ocelotl_difference difference_at(const ocelotl_cut *of, term_of by, size_t index)
{
    return by == OF_TYPE ? of->types[index] : of->pieces[index].by;
}

/* The largest ones, whatever their sign, then what the others come to together. */
static ocelotl_status add_terms(term_list *list, oc_arena *arena, ocelotl_cut_kind kind, term_of by,
                                size_t most)
{
    const ocelotl_cut *of = &list->of.explanation->cuts[kind];
    const size_t count = by == OF_TYPE ? list->of.explanation->type_count : of->piece_count;
    term others = {.kind = kind, .by = by};
    oc_weighed *ranked;
    OC_TRY(oc_arena_allocate(&ranked, arena, count, sizeof *ranked));
    for (size_t i = 0; i < count; i++)
        ranked[i] = (oc_weighed){fabs(difference_at(of, by, i).pic), i};
    oc_sort_weighed(ranked, count);
    for (size_t i = 0; i < count; i++) {
        const size_t place = ranked[i].place;
        const ocelotl_difference one = difference_at(of, by, place);
        if (by == OF_TYPE && one.gain == 0 && one.loss == 0)
            continue;
        if (i < most) {
            OC_TRY(add_term(list, arena, (term){kind, by, (uint32_t)place, 0, one}));
            continue;
        }
        others.others++;
        others.difference.gain += one.gain;
        others.difference.loss += one.loss;
        others.difference.pic += one.pic;
    }
    return others.others > 0 ? add_term(list, arena, others) : OCELOTL_OK;
}

static ocelotl_status make_terms(term_list *list, oc_arena *arena,
                                 const ocelotl_explanation *explanation, size_t most)
{
    *list = (term_list){.of = subject_of(explanation)};
    OC_TRY(oc_arena_allocate(&list->values, arena, list->of.info.type_count, sizeof(double)));
    for (ocelotl_cut_kind kind = 0; kind < OCELOTL_CUT_COUNT; kind++) {
        oc_text text = {0};
        if (explanation->cuts[kind].piece_count == 0)
            continue;
        add_sentence(&text, &list->of, kind);
        list->sentences[kind] = text.failed ? NULL : oc_arena_copy(arena, text.bytes);
        oc_text_free(&text);
        if (list->sentences[kind] == NULL)
            return oc_fail_memory();
        OC_TRY(add_term(list, arena, (term){kind, OF_ALL, 0, 0, explanation->cuts[kind].all}));
        OC_TRY(add_terms(list, arena, kind, OF_TYPE, most));
        OC_TRY(add_terms(list, arena, kind, OF_PIECE, most));
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
    static const char *const by[] = {"all", "type", "piece"};
    const term_list *list = state;
    const term *one = &list->terms[index];
    const ocelotl_cut *of = &list->of.explanation->cuts[one->kind];
    const bool is_type = one->by == OF_TYPE && one->others == 0;
    const bool is_piece = one->by == OF_PIECE && one->others == 0;
    ocelotl_cut_piece piece = {of->node, of->first, of->last, SIZE_MAX, {0}};
    if (is_piece)
        piece = of->pieces[one->index];
    const char *name = is_type ? ocelotl_model_type_at(list->of.model, one->index).name
                               : path_of(&list->of, piece.node);
    if (one->others > 0) {
        oc_text_format(&row->made, "%zu others", one->others);
        name = row->made.failed ? NULL : row->made.bytes;
    }
    oc_cell_text(row, cut_names[one->kind]);
    oc_cell_text(row, by[one->by]);
    oc_cell_add(row, piece.number != SIZE_MAX, piece.number);
    oc_cell_text(row, name);
    oc_cell_add(row, is_piece || one->by == OF_ALL, piece.first);
    oc_cell_add(row, is_piece || one->by == OF_ALL, piece.last);
    oc_cell_number(row, one->difference.gain);
    oc_cell_number(row, one->difference.loss);
    oc_cell_number(row, one->difference.pic);
    oc_cell_add(row, is_type && oc_is_made(one->kind), is_type && of->taken[one->index]);
    return OCELOTL_OK;
}

static oc_table table_of(term_list *list)
{
    return (oc_table){headings, OC_COUNT_OF(headings), list, sizeof *list, list->count, fill_term};
}

ocelotl_status ocelotl_explanation_to_arrow(struct ArrowArrayStream *stream,
                                            ocelotl_explanation *explanation,
                                            const ocelotl_arrow_options *options)
{
    term_list list;
    OC_TRY(make_terms(&list, &explanation->arena, explanation, SIZE_MAX));
    const oc_table table = table_of(&list);
    return oc_table_to_arrow(stream, &table, options);
}

/* --- Text, for people */

static ocelotl_status print_all(oc_output *out, void *state)
{
    term_list *list = state;
    for (ocelotl_cut_kind kind = 0; kind < OCELOTL_CUT_COUNT; kind++)
        if (list->of.explanation->cuts[kind].piece_count > 0)
            oc_output_print(out, "%s\n", list->sentences[kind]);
    oc_output_add(out, "\n");
    const oc_table table = table_of(list);
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

static void add_cut_object(oc_json *json, const term_list *list, ocelotl_cut_kind kind)
{
    const subject *of = &list->of;
    const ocelotl_cut *cut = &of->explanation->cuts[kind];
    if (cut->piece_count == 0)
        return;
    oc_json_item(json, 0);
    oc_json_text(json, "cut", cut_names[kind]);
    oc_json_text(json, "sentence", list->sentences[kind]);
    oc_json_text(json, "node", ocelotl_model_node_at(of->model, cut->node).path);
    oc_json_count(json, "first", cut->first);
    oc_json_count(json, "last", cut->last);
    oc_json_count(json, "pieces", cut->piece_count);
    add_measures(json, of, cut->all.gain, cut->all.loss);
    oc_json_number(json, "difference", cut->all.pic);
    oc_json_list(json, "taken_out");
    for (uint32_t type = 0; type < of->info.type_count; type++)
        if (cut->taken[type])
            oc_json_text(json, NULL, ocelotl_model_type_at(of->model, type).name);
    oc_json_end_list(json);
    oc_json_end_object(json);
}

/* The largest values of a node, which are then 0. */
static void add_leading(oc_json *json, const subject *of, double *values)
{
    oc_json_list(json, "shares");
    for (uint32_t i = 0; i < MOST_SHARES; i++) {
        uint32_t best = 0;
        for (uint32_t type = 1; type < of->info.type_count; type++)
            if (values[type] > values[best])
                best = type;
        if (!(values[best] > 0))
            break;
        oc_json_list(json, NULL);
        oc_json_text(json, NULL, ocelotl_model_type_at(of->model, best).name);
        oc_json_number(json, NULL, values[best]);
        oc_json_end_list(json);
        values[best] = 0;
    }
    oc_json_end_list(json);
}

/* The node and those beside it, as many on both sides. */
static ocelotl_status add_siblings(oc_json *json, const subject *of, double *values)
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
        OC_TRY(ocelotl_model_values(values, of->model, i, of->explanation->first,
                                    of->explanation->last));
        oc_json_item(json, 0);
        oc_json_text(json, "node", ocelotl_model_node_at(of->model, i).path);
        oc_json_count(json, "leaves", ocelotl_model_node_at(of->model, i).row_count);
        oc_json_flag(json, "own", i == of->explanation->node);
        add_leading(json, of, values);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    term_list *list = state;
    const subject *of = &list->of;
    const ocelotl_explanation *one = of->explanation;
    const oc_table table = table_of(list);
    double *values = list->values;
    OC_TRY(ocelotl_model_values(values, of->model, one->node, one->first, one->last));
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
        oc_json_text(json, "type", ocelotl_model_type_at(of->model, type).name);
        oc_json_number(json, "value", values[type]);
        add_measures(json, of, measure.gain, measure.loss);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_list(json, "cuts");
    for (ocelotl_cut_kind kind = 0; kind < OCELOTL_CUT_COUNT; kind++)
        add_cut_object(json, list, kind);
    oc_json_end_list(json);
    OC_TRY(oc_json_rows(json, "terms", &table, 0));
    return add_siblings(json, of, values);
}

ocelotl_status ocelotl_explanation_write(const ocelotl_sink *sink, ocelotl_form form,
                                         const ocelotl_explanation *explanation)
{
    oc_arena scratch = {0};
    term_list list = {.count = 0};
    const size_t most = form == OCELOTL_FORM_TEXT   ? MOST_PRINTED
                        : form == OCELOTL_FORM_JSON ? MOST_LISTED
                                                    : SIZE_MAX;
    ocelotl_status status = make_terms(&list, &scratch, explanation, most);
    if (status == OCELOTL_OK)
        status =
            oc_forms_write(sink, form, &(oc_forms){&list, add_members, print_all, table_of(&list)});
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

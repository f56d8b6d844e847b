/* The differences of two models. */
#include "answer/table.h"

/* The floor is chosen so that a table of changes has at most this many rows. */
enum { MAX_ROWS = 30 };

static void add_model(oc_json *json, const ocelotl_comparison *comparison, int which,
                      const char *const *names)
{
    static const char *const keys[] = {"first", "second"};
    const ocelotl_model_info info =
        ocelotl_model_info_of(ocelotl_comparison_model(comparison, which));
    const uint32_t only = ocelotl_comparison_info_of(comparison).only_count[which];
    oc_json_object(json, keys[which]);
    oc_json_text(json, "name", names != NULL ? names[which] : info.name);
    oc_json_count(json, "slices", info.slice_count);
    oc_json_count(json, "leaves", info.row_count);
    if (info.has_time) {
        oc_json_number(json, "begin", info.begin);
        oc_json_number(json, "end", info.end);
        oc_json_number(json, "duration", info.end - info.begin);
    }
    oc_json_list(json, "only");
    for (uint32_t i = 0; i < only; i++)
        oc_json_text(json, NULL, ocelotl_comparison_only_at(comparison, which, i));
    oc_json_end_list(json);
    oc_json_end_object(json);
    oc_json_line(json, 0);
}

static void add_phases(oc_json *json, const ocelotl_phases *phases)
{
    oc_json_line(json, 0);
    oc_json_list(json, "phases");
    for (size_t i = 0; i < ocelotl_phases_count(phases); i++) {
        const ocelotl_phase phase = ocelotl_phases_at(phases, i);
        if (i > 0)
            oc_json_line(json, 0);
        oc_json_object(json, NULL);
        oc_json_number(json, "first", phase.length[0]);
        oc_json_number(json, "second", phase.length[1]);
        oc_json_number(json, "change", phase.length[1] - phase.length[0]);
        oc_json_number(json, "begin_first", phase.begin[0]);
        oc_json_number(json, "begin_second", phase.begin[1]);
        oc_json_text(json, "type", phase.type);
        oc_json_number(json, "share", phase.share);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

static void add_floor(oc_json *json, const ocelotl_comparison *comparison)
{
    const ocelotl_change_floor floor = ocelotl_comparison_floor(comparison, MAX_ROWS);
    oc_json_line(json, 0);
    oc_json_object(json, "floor");
    oc_json_number(json, "change", floor.amount);
    oc_json_count(json, "above", floor.above);
    oc_json_count(json, "below", floor.below);
    oc_json_number(json, "share", floor.share);
    oc_json_end_object(json);
}

/* --- Changes */

enum { CHANGE_COLUMNS = 8, JSON_COLUMNS = 7 };

static const oc_heading headings[CHANGE_COLUMNS] = {
    {"node", OC_CELL_TEXT},     {"type", OC_CELL_TEXT},        {"first", OC_CELL_NUMBER},
    {"second", OC_CELL_NUMBER}, {"leaves", OC_CELL_INDEX},     {"change", OC_CELL_NUMBER},
    {"named", OC_CELL_FLAG},    {"proportional", OC_CELL_FLAG}};

/* A length of time is of no leaves. */
static void add_cells(oc_row *row, const ocelotl_change *change)
{
    const bool has_leaves = change->leaves > 0;
    oc_cell_text(row, change->path);
    oc_cell_text(row, change->type);
    oc_cell_number(row, change->first);
    oc_cell_number(row, change->second);
    oc_cell_add(row, has_leaves, change->leaves);
    oc_cell_number(row, change->amount);
    oc_cell_add(row, has_leaves, change->named);
}

static ocelotl_status fill_change(oc_row *row, void *state, size_t index)
{
    const ocelotl_comparison *const *comparison = state;
    const ocelotl_change change = ocelotl_comparison_change_at(*comparison, index);
    add_cells(row, &change);
    oc_cell_count(row, change.proportional);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_comparison_to_arrow(struct ArrowArrayStream *stream,
                                           const ocelotl_comparison *comparison,
                                           const ocelotl_arrow_options *options)
{
    const oc_table table = {headings,
                            CHANGE_COLUMNS,
                            &comparison,
                            sizeof(void *),
                            ocelotl_comparison_info_of(comparison).change_count,
                            fill_change};
    return oc_table_to_arrow(stream, &table, options);
}

static void add_change(oc_json *json, const ocelotl_change *change)
{
    oc_row row = {.count = 0};
    add_cells(&row, change);
    oc_json_object(json, NULL);
    oc_json_cells(json, headings, &row, 0, JSON_COLUMNS);
    oc_json_end_object(json);
}

static ocelotl_status write_as_json(const ocelotl_sink *sink, const ocelotl_comparison *comparison,
                                    const ocelotl_phases *phases, const char *const names[2])
{
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(comparison);
    oc_json json = {.out = {.sink = sink}};
    oc_json_object(&json, NULL);
    add_model(&json, comparison, 0, names);
    add_model(&json, comparison, 1, names);
    oc_json_text(&json, "unit", info.unit);
    oc_json_number(&json, "ratio", info.ratio);
    oc_json_number(&json, "apart", info.apart);
    add_phases(&json, phases);
    add_floor(&json, comparison);
    oc_json_line(&json, 0);
    oc_json_list(&json, "changes");
    for (size_t i = 0; i < info.change_count && json.out.status == OCELOTL_OK; i++) {
        const ocelotl_change change = ocelotl_comparison_change_at(comparison, i);
        if (i > 0)
            oc_json_line(&json, 0);
        add_change(&json, &change);
    }
    oc_json_end_list(&json);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

ocelotl_status ocelotl_comparison_write_named(const ocelotl_sink *sink,
                                              const ocelotl_comparison *comparison, size_t most)
{
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(comparison);
    oc_json json = {.out = {.sink = sink}};
    size_t count = 0;
    oc_json_object(&json, NULL);
    oc_json_text(&json, "unit", info.unit);
    oc_json_number(&json, "ratio", info.ratio);
    oc_json_number(&json, "apart", info.apart);
    oc_json_count(&json, "named", info.named_count);
    oc_json_list(&json, "changes");
    for (size_t i = 0; i < info.change_count && count < most; i++) {
        const ocelotl_change change = ocelotl_comparison_change_at(comparison, i);
        if (!change.named)
            continue;
        oc_json_line(&json, 0);
        add_change(&json, &change);
        count++;
    }
    oc_json_end_list(&json);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

/* --- CSV: what lasts how long in both, then the changes */

typedef struct change_rows {
    const ocelotl_comparison *comparison;
    const ocelotl_phases *phases;
    size_t lengths; /* rows before the phases: 1, 0 without time */
} change_rows;

static ocelotl_status fill_csv_row(oc_row *row, void *state, size_t index)
{
    const change_rows *of = state;
    const size_t phases = of->lengths + ocelotl_phases_count(of->phases);
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(of->comparison);
    ocelotl_change change = {.path = "", .type = ""};
    const double *lengths = info.duration;
    ocelotl_phase phase;
    oc_cell_text(row, index < of->lengths ? "duration" : index < phases ? "phase" : "change");
    if (index >= phases) {
        change = ocelotl_comparison_change_at(of->comparison, index - phases);
    } else {
        if (index >= of->lengths) {
            phase = ocelotl_phases_at(of->phases, index - of->lengths);
            lengths = phase.length;
            change.type = phase.type;
        }
        change.first = lengths[0];
        change.second = lengths[1];
        change.amount = lengths[1] - lengths[0];
    }
    add_cells(row, &change);
    return OCELOTL_OK;
}

static ocelotl_status write_as_csv(const ocelotl_sink *sink, const ocelotl_comparison *comparison,
                                   const ocelotl_phases *phases)
{
    static const oc_heading csv[] = {{"what", OC_CELL_TEXT},     {"path", OC_CELL_TEXT},
                                     {"type", OC_CELL_TEXT},     {"first", OC_CELL_NUMBER},
                                     {"second", OC_CELL_NUMBER}, {"leaves", OC_CELL_INDEX},
                                     {"change", OC_CELL_NUMBER}, {"named", OC_CELL_FLAG}};
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(comparison);
    change_rows of = {comparison, phases, info.duration[0] > 0};
    const oc_table table = {csv,
                            OC_COUNT_OF(csv),
                            &of,
                            sizeof of,
                            of.lengths + ocelotl_phases_count(phases) + info.change_count,
                            fill_csv_row};
    return oc_table_write_csv(sink, &table);
}

ocelotl_status ocelotl_comparison_write(const ocelotl_sink *sink, ocelotl_form form,
                                        const ocelotl_comparison *comparison,
                                        const ocelotl_phases *phases, const char *const names[2],
                                        bool all)
{
    return form == OCELOTL_FORM_JSON ? write_as_json(sink, comparison, phases, names)
           : form == OCELOTL_FORM_CSV
               ? write_as_csv(sink, comparison, phases)
               : oc_comparison_write_text(sink, comparison, phases, names, all);
}

/* The differences of two models. */
#include "answer/answer.h"

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

static void add_change(oc_json *json, const ocelotl_change *change)
{
    oc_json_object(json, NULL);
    oc_json_text(json, "node", change->path);
    oc_json_text(json, "type", change->type);
    oc_json_number(json, "first", change->first);
    oc_json_number(json, "second", change->second);
    oc_json_count(json, "leaves", change->leaves);
    oc_json_number(json, "change", change->amount);
    oc_json_flag(json, "named", change->named);
    oc_json_end_object(json);
}

ocelotl_status ocelotl_comparison_write_json(const ocelotl_sink *sink,
                                             const ocelotl_comparison *comparison,
                                             const ocelotl_phases *phases,
                                             const char *const names[2])
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

/* --- CSV */

/* path and type may be "", and leaves 0, of what has none; `named` is -1 there. */
static void add_row(oc_csv_table *table, const char *what, const ocelotl_change *change, int named)
{
    oc_csv_text(table, what);
    oc_csv_text(table, change->path);
    oc_csv_text(table, change->type);
    oc_csv_number(table, change->first);
    oc_csv_number(table, change->second);
    if (named >= 0)
        oc_csv_count(table, change->leaves);
    else
        oc_csv_empty(table);
    oc_csv_number(table, change->amount);
    if (named >= 0)
        oc_csv_count(table, (uint64_t)named);
    else
        oc_csv_empty(table);
    oc_csv_end_row(table);
}

/* A length of time in both. */
static void add_length(oc_csv_table *table, const char *what, const char *type,
                       const double *lengths)
{
    const ocelotl_change change = {.path = "",
                                   .type = type,
                                   .first = lengths[0],
                                   .second = lengths[1],
                                   .amount = lengths[1] - lengths[0]};
    add_row(table, what, &change, -1);
}

ocelotl_status ocelotl_comparison_write_csv(const ocelotl_sink *sink,
                                            const ocelotl_comparison *comparison,
                                            const ocelotl_phases *phases)
{
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(comparison);
    oc_csv_table table = {.out = {.sink = sink}};
    oc_csv_row(&table, "what,path,type,first,second,leaves,change,named");
    if (info.duration[0] > 0)
        add_length(&table, "duration", "", info.duration);
    for (size_t i = 0; i < ocelotl_phases_count(phases); i++) {
        const ocelotl_phase phase = ocelotl_phases_at(phases, i);
        add_length(&table, "phase", phase.type, phase.length);
    }
    for (size_t i = 0; i < info.change_count && table.out.status == OCELOTL_OK; i++) {
        const ocelotl_change change = ocelotl_comparison_change_at(comparison, i);
        add_row(&table, "change", &change, change.named);
    }
    return oc_csv_finish(&table, OCELOTL_OK);
}

/* The levels of an aggregation. */
#include "answer/answer.h"

static void add_plateau(oc_json *json, const ocelotl_level *level)
{
    if (level->plateau == 0) {
        oc_json_null(json, "plateau");
        return;
    }
    oc_json_number(json, "plateau_from", level->plateau_from);
    oc_json_number(json, "plateau_to", level->plateau_to);
    oc_json_count(json, "plateau", level->plateau);
}

static void add_level(oc_json *json, const ocelotl_level *level)
{
    oc_json_line(json, 0);
    oc_json_object(json, NULL);
    if (level->number > 0)
        oc_json_count(json, "level", level->number);
    else
        oc_json_null(json, "level");
    oc_json_number(json, "p", level->p);
    oc_json_number(json, "p_from", level->p_from);
    oc_json_number(json, "p_to", level->p_to);
    oc_json_number(json, "p_raw_from", level->p_raw_from);
    oc_json_number(json, "p_raw_to", level->p_raw_to);
    oc_json_number(json, "gain", level->gain);
    oc_json_number(json, "loss", level->loss);
    oc_json_count(json, "parts", level->parts);
    oc_json_flag(json, "auto", level->automatic);
    add_plateau(json, level);
    oc_json_end_object(json);
}

ocelotl_status ocelotl_levels_write_json(const ocelotl_sink *sink, const ocelotl_levels *levels)
{
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    oc_json json = {.out = {.sink = sink}};
    oc_json_object(&json, NULL);
    oc_json_text(&json, "kind", oc_kind_name(info.kind));
    oc_json_list(&json, "levels");
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        add_level(&json, &level);
    }
    oc_json_end_list(&json);
    oc_json_flag(&json, "complete", info.complete);
    oc_json_count(&json, "untested", info.untested);
    oc_json_number(&json, "largest_gap", info.largest_gap);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

static void add_row(oc_csv_table *table, const ocelotl_level *level)
{
    const double numbers[] = {level->p, level->p_from, level->p_to, level->p_raw_from,
                              level->p_raw_to};
    if (level->number > 0)
        oc_csv_count(table, level->number);
    else
        oc_csv_empty(table);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        oc_csv_number(table, numbers[i]);
    oc_csv_count(table, level->parts);
    oc_csv_number(table, level->gain);
    oc_csv_number(table, level->loss);
    if (level->plateau > 0) {
        oc_csv_count(table, level->plateau);
        oc_csv_number(table, level->plateau_from);
        oc_csv_number(table, level->plateau_to);
    } else {
        for (int i = 0; i < 3; i++)
            oc_csv_empty(table);
    }
    oc_csv_text(table, level->automatic ? "true" : "false");
    oc_csv_end_row(table);
}

ocelotl_status ocelotl_levels_write_csv(const ocelotl_sink *sink, const ocelotl_levels *levels)
{
    const size_t count = ocelotl_levels_info_of(levels).count;
    oc_csv_table table = {.out = {.sink = sink}};
    oc_csv_row(&table, "level,p,p_from,p_to,p_raw_from,p_raw_to,parts,gain,loss,plateau,"
                       "plateau_from,plateau_to,auto");
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        add_row(&table, &level);
    }
    return oc_csv_finish(&table, OCELOTL_OK);
}

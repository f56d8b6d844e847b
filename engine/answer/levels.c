/* The levels of an aggregation. */
#include "answer/answer.h"

#include "base/plain.h"

#include <math.h>

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

/* --- Text, for people */

static oc_digits_text percent(double part, double whole)
{
    return oc_short_percent(whole > 0 ? part / whole : 0);
}

/* An end of the range of p of a level in three digits, or as many as lie within the range: with
 * each of them the level is the best. */
static oc_digits_text end_within(double end, double other)
{
    for (int digits = 3; end > 0 && end < 1 && digits <= 15; digits++) {
        oc_digits_text text;
        const double unit = pow(10, floor(log10(end)) + 1 - digits);
        oc_plain_print(text.text, sizeof text.text, "%.*g", digits,
                       end + copysign(unit / 2, other - end));
        const double p = oc_plain_number(text.text, NULL);
        if (p > fmin(end, other) && p < fmax(end, other))
            return text;
    }
    return oc_digits(end);
}

static void print_number(oc_output *out, size_t number)
{
    if (number > 0)
        oc_output_format(out, "%5zu", number);
    else
        oc_output_format(out, "%5s", "-");
}

static void print_table(oc_output *out, const ocelotl_levels *levels,
                        const ocelotl_aggregation *aggregation)
{
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    const double gain = ocelotl_aggregation_whole_gain(aggregation);
    const double loss = ocelotl_aggregation_whole_loss(aggregation);
    bool beyond = false; /* the list */
    oc_output_format(out, "%5s %12s %14s %14s %9s %9s %9s  %s\n", "level", "p", "from", "to",
                     "parts", "gain", "loss", "plateau");
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        print_number(out, level.number);
        beyond |= level.number == 0;
        oc_output_format(out, " %12s %14s %14s %9zu %9s %9s", oc_digits(level.p).text,
                         end_within(level.p_from, level.p_to).text,
                         end_within(level.p_to, level.p_from).text, level.parts,
                         percent(level.gain, gain).text, percent(level.loss, loss).text);
        if (level.plateau > 0)
            oc_output_format(out, "  %zu", level.plateau);
        oc_output_format(out, "%s\n", level.automatic ? "  auto" : "");
    }
    oc_output_format(
        out, "p is what --p takes for the level; from and to are rounded inwards.\n"
             "A number on the right marks the level that stands for a plateau of p, the most "
             "aggregated being 1;\n"
             "auto is the level that is shown where no p is given.\n");
    if (beyond)
        oc_output_format(
            out, "A level on the left has the number that --level takes, as without --all.\n");
    if (info.complete)
        oc_output_format(out, "These are all levels.\n");
    else
        oc_output_format(
            out,
            "%zu intervals between these may hide further levels; at its own p none of those is "
            "better than the\n"
            "listed ones by more than %.2g of what the whole is worth. --all lists every level.\n",
            info.untested, info.largest_gap);
}

ocelotl_status ocelotl_levels_write_text(const ocelotl_sink *sink, const ocelotl_levels *levels,
                                         const ocelotl_aggregation *aggregation)
{
    oc_output out = {.sink = sink};
    print_table(&out, levels, aggregation);
    return oc_output_end(&out, OCELOTL_OK);
}

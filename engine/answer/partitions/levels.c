/* The levels of an aggregation. */
#include "answer/table.h"

#include "base/plain.h"

#include <math.h>

static const oc_heading headings[] = {{"level", OC_CELL_INDEX},
                                      {"p", OC_CELL_NUMBER},
                                      {"p_from", OC_CELL_NUMBER},
                                      {"p_to", OC_CELL_NUMBER},
                                      {"p_raw_from", OC_CELL_NUMBER},
                                      {"p_raw_to", OC_CELL_NUMBER},
                                      {"gain", OC_CELL_NUMBER},
                                      {"loss", OC_CELL_NUMBER},
                                      {"parts", OC_CELL_COUNT},
                                      {"plateau", OC_CELL_INDEX},
                                      {"plateau_from", OC_CELL_NUMBER},
                                      {"plateau_to", OC_CELL_NUMBER},
                                      {"auto", OC_CELL_FLAG}};

static ocelotl_status fill_level(oc_row *row, void *state, size_t index)
{
    const ocelotl_levels *const *of = state;
    const ocelotl_level level = ocelotl_levels_at(*of, index);
    const double numbers[] = {level.p,        level.p_from, level.p_to, level.p_raw_from,
                              level.p_raw_to, level.gain,   level.loss};
    const bool stands = level.plateau > 0; /* for a plateau */
    oc_cell_add(row, level.number > 0, level.number);
    for (size_t i = 0; i < OC_COUNT_OF(numbers); i++)
        oc_cell_number(row, numbers[i]);
    oc_cell_count(row, level.parts);
    oc_cell_add(row, stands, level.plateau);
    oc_cell_number(row, stands ? level.plateau_from : (double)NAN);
    oc_cell_number(row, stands ? level.plateau_to : (double)NAN);
    oc_cell_count(row, level.automatic);
    return OCELOTL_OK;
}

static oc_table make_table(const ocelotl_levels **levels)
{
    return (oc_table){headings,
                      OC_COUNT_OF(headings),
                      levels,
                      sizeof(void *),
                      ocelotl_levels_info_of(*levels).count,
                      fill_level};
}

ocelotl_status ocelotl_levels_to_arrow(struct ArrowArrayStream *stream,
                                       const ocelotl_levels *levels,
                                       const ocelotl_arrow_options *options)
{
    const oc_table table = make_table(&levels);
    return oc_table_to_arrow(stream, &table, options);
}

/* --- JSON and text */

typedef struct source {
    const ocelotl_levels *levels; /* what rows are of */
    const ocelotl_aggregation *aggregation;
} source;

static ocelotl_status add_members(oc_json *json, void *state)
{
    source *of = state;
    const ocelotl_levels_info info = ocelotl_levels_info_of(of->levels);
    const oc_table table = make_table(&of->levels);
    oc_json_text(json, "kind", oc_kind_name(info.kind));
    OC_TRY(oc_json_rows(json, "levels", &table, 0));
    oc_json_flag(json, "complete", info.complete);
    oc_json_count(json, "untested", info.untested);
    oc_json_number(json, "largest_gap", info.largest_gap);
    return OCELOTL_OK;
}

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

static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    const ocelotl_levels_info info = ocelotl_levels_info_of(of->levels);
    const double gain = ocelotl_aggregation_whole_gain(of->aggregation);
    const double loss = ocelotl_aggregation_whole_loss(of->aggregation);
    bool beyond = false; /* the list */
    oc_output_format(out, "%5s %12s %14s %14s %9s %9s %9s  %s\n", "level", "p", "from", "to",
                     "parts", "gain", "loss", "plateau");
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(of->levels, i);
        if (level.number > 0)
            oc_output_format(out, "%5zu", level.number);
        else
            oc_output_format(out, "%5s", "-");
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
        oc_output_add(out,
                      "A level on the left has the number that --level takes, as without --all.\n");
    if (info.complete)
        oc_output_format(out, "These are all levels.\n");
    else
        oc_output_format(
            out,
            "%zu intervals between these may hide further levels; at its own p none of those is "
            "better than the\n"
            "listed ones by more than %.2g of what the whole is worth. --all lists every level.\n",
            info.untested, info.largest_gap);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_levels_write(const ocelotl_sink *sink, ocelotl_form form,
                                    const ocelotl_levels *levels,
                                    const ocelotl_aggregation *aggregation)
{
    source of = {levels, aggregation};
    const oc_forms forms = {&of, add_members, print_all, make_table(&of.levels)};
    return oc_forms_write(sink, form, &forms);
}

/* Hierarchies by what they lose at the same number of parts. */
#include "aggregate/hierarchies.h"
#include "answer/table.h"

#include "base/plain.h"

static void add_point(oc_json *json, const char *key, const ocelotl_hierarchy_point *point)
{
    oc_json_object(json, key);
    oc_json_count(json, "parts", point->parts);
    oc_json_number(json, "p", point->p);
    oc_json_number(json, "gain", point->gain);
    oc_json_number(json, "loss", point->loss);
    oc_json_end_object(json);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const ocelotl_hierarchies *of = *(const ocelotl_hierarchies **)state;
    oc_json_count(json, "ranked_at", ocelotl_hierarchies_ranked_at(of));
    oc_json_list(json, "hierarchies");
    for (size_t i = 0; i < ocelotl_hierarchies_count(of); i++) {
        const ocelotl_hierarchy hierarchy = ocelotl_hierarchies_at(of, i);
        oc_json_item(json, 0);
        oc_json_count(json, "rank", hierarchy.rank);
        oc_json_text(json, "hierarchy", hierarchy.name);
        add_point(json, "ranked", &hierarchy.ranked);
        oc_json_number(json, "whole_gain", hierarchy.whole_gain);
        oc_json_number(json, "whole_loss", hierarchy.whole_loss);
        oc_json_flag(json, "complete", hierarchy.complete);
        oc_json_list(json, "points");
        for (size_t j = 0; j < hierarchy.point_count; j++) {
            const ocelotl_hierarchy_point point = ocelotl_hierarchies_point_at(of, i, j);
            add_point(json, NULL, &point);
        }
        oc_json_end_list(json);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status add_points(oc_csv_table *csv, void *state)
{
    const ocelotl_hierarchies *const *of = state;
    oc_csv_row(csv, "rank,hierarchy,parts,p,gain,loss");
    for (size_t i = 0; i < ocelotl_hierarchies_count(*of); i++) {
        const ocelotl_hierarchy hierarchy = ocelotl_hierarchies_at(*of, i);
        for (size_t j = 0; j < hierarchy.point_count; j++) {
            const ocelotl_hierarchy_point point = ocelotl_hierarchies_point_at(*of, i, j);
            oc_csv_count(csv, hierarchy.rank);
            oc_csv_text(csv, hierarchy.name);
            oc_csv_count(csv, point.parts);
            oc_csv_number(csv, point.p);
            oc_csv_number(csv, point.gain);
            oc_csv_number(csv, point.loss);
            oc_csv_end_row(csv);
        }
    }
    return OCELOTL_OK;
}

/* --- Text, for people */

static ocelotl_status print_all(oc_output *out, void *state)
{
    const ocelotl_hierarchies *of = *(const ocelotl_hierarchies **)state;
    const size_t ranked = ocelotl_hierarchies_ranked_at(of);
    size_t number;
    oc_output_format(out, "%4s", "rank");
    for (size_t i = 0; (number = ocelotl_hierarchies_number_at(of, i)) > 0; i++)
        oc_output_format(out, number == ranked ? " %8zu*" : " %9zu", number);
    oc_output_add(out, "  hierarchy\n");
    for (size_t h = 0; h < ocelotl_hierarchies_count(of); h++) {
        const ocelotl_hierarchy hierarchy = ocelotl_hierarchies_at(of, h);
        const double whole = hierarchy.whole_loss;
        oc_output_format(out, "%4zu", hierarchy.rank);
        for (size_t i = 0; (number = ocelotl_hierarchies_number_at(of, i)) > 0; i++) {
            const double loss = ocelotl_hierarchies_find(of, h, number).loss;
            oc_output_format(out, " %9s", oc_short_percent(whole > 0 ? loss / whole : 0).text);
        }
        oc_output_format(out, "  %s\n", hierarchy.name);
    }
    oc_output_add(out, "Loss as a share of the whole's, of the best partition of at most so many "
                       "parts;\n* is the number that they are ranked at.\n");
    return OCELOTL_OK;
}

ocelotl_status ocelotl_hierarchies_write(const ocelotl_sink *sink, ocelotl_form form,
                                         const ocelotl_hierarchies *hierarchies)
{
    return oc_forms_write(sink, form,
                          &(oc_forms){&hierarchies, add_members, print_all, .rows = add_points});
}

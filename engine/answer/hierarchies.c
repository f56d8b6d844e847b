/* Hierarchies by what they lose at the same number of parts. */
#include "answer/answer.h"

#include "base/plain.h"

#include <ocelotl/hierarchies.h>

static void add_point(oc_json *json, const char *key, const ocelotl_hierarchy_point *point)
{
    oc_json_object(json, key);
    oc_json_count(json, "parts", point->parts);
    oc_json_number(json, "p", point->p);
    oc_json_number(json, "gain", point->gain);
    oc_json_number(json, "loss", point->loss);
    oc_json_end_object(json);
}

static void add_hierarchy(oc_json *json, const ocelotl_hierarchies *hierarchies, size_t index)
{
    const ocelotl_hierarchy hierarchy = ocelotl_hierarchies_at(hierarchies, index);
    oc_json_line(json, 0);
    oc_json_object(json, NULL);
    oc_json_count(json, "rank", hierarchy.rank);
    oc_json_text(json, "hierarchy", hierarchy.name);
    add_point(json, "ranked", &hierarchy.ranked);
    oc_json_number(json, "whole_gain", hierarchy.whole_gain);
    oc_json_number(json, "whole_loss", hierarchy.whole_loss);
    oc_json_flag(json, "complete", hierarchy.complete);
    oc_json_list(json, "points");
    for (size_t i = 0; i < hierarchy.point_count; i++) {
        const ocelotl_hierarchy_point point = ocelotl_hierarchies_point_at(hierarchies, index, i);
        add_point(json, NULL, &point);
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
}

static ocelotl_status write_as_json(const ocelotl_sink *sink,
                                    const ocelotl_hierarchies *hierarchies)
{
    oc_json json = {.out = {.sink = sink}};
    oc_json_object(&json, NULL);
    oc_json_count(&json, "ranked_at", ocelotl_hierarchies_ranked_at(hierarchies));
    oc_json_list(&json, "hierarchies");
    for (size_t i = 0; i < ocelotl_hierarchies_count(hierarchies); i++)
        add_hierarchy(&json, hierarchies, i);
    oc_json_end_list(&json);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

static ocelotl_status write_as_csv(const ocelotl_sink *sink, const ocelotl_hierarchies *hierarchies)
{
    oc_csv_table table = {.out = {.sink = sink}};
    oc_csv_row(&table, "rank,hierarchy,parts,p,gain,loss");
    for (size_t i = 0; i < ocelotl_hierarchies_count(hierarchies); i++) {
        const ocelotl_hierarchy hierarchy = ocelotl_hierarchies_at(hierarchies, i);
        for (size_t j = 0; j < hierarchy.point_count; j++) {
            const ocelotl_hierarchy_point point = ocelotl_hierarchies_point_at(hierarchies, i, j);
            oc_csv_count(&table, hierarchy.rank);
            oc_csv_text(&table, hierarchy.name);
            oc_csv_count(&table, point.parts);
            oc_csv_number(&table, point.p);
            oc_csv_number(&table, point.gain);
            oc_csv_number(&table, point.loss);
            oc_csv_end_row(&table);
        }
    }
    return oc_csv_finish(&table, OCELOTL_OK);
}

/* --- Text, for people */

static void print_row(oc_output *out, const ocelotl_hierarchies *hierarchies, size_t index)
{
    const ocelotl_hierarchy hierarchy = ocelotl_hierarchies_at(hierarchies, index);
    oc_output_format(out, "%4zu", hierarchy.rank);
    for (size_t i = 0; ocelotl_hierarchies_number_at(hierarchies, i) > 0; i++) {
        const ocelotl_hierarchy_point point = ocelotl_hierarchies_find(
            hierarchies, index, ocelotl_hierarchies_number_at(hierarchies, i));
        const double share = hierarchy.whole_loss > 0 ? point.loss / hierarchy.whole_loss : 0;
        oc_output_format(out, " %9s", oc_short_percent(share).text);
    }
    oc_output_format(out, "  %s\n", hierarchy.name);
}

static void print_head(oc_output *out, const ocelotl_hierarchies *hierarchies)
{
    const size_t ranked = ocelotl_hierarchies_ranked_at(hierarchies);
    oc_output_format(out, "%4s", "rank");
    for (size_t i = 0; ocelotl_hierarchies_number_at(hierarchies, i) > 0; i++) {
        const size_t number = ocelotl_hierarchies_number_at(hierarchies, i);
        oc_output_format(out, number == ranked ? " %8zu*" : " %9zu", number);
    }
    oc_output_format(out, "  hierarchy\n");
}

static ocelotl_status write_as_text(const ocelotl_sink *sink,
                                    const ocelotl_hierarchies *hierarchies)
{
    oc_output out = {.sink = sink};
    print_head(&out, hierarchies);
    for (size_t i = 0; i < ocelotl_hierarchies_count(hierarchies); i++)
        print_row(&out, hierarchies, i);
    oc_output_format(&out,
                     "Loss as a share of the whole's, of the best partition of at most so many "
                     "parts;\n* is the number that they are ranked at.\n");
    return oc_output_end(&out, OCELOTL_OK);
}

ocelotl_status ocelotl_hierarchies_write(const ocelotl_sink *sink, ocelotl_form form,
                                         const ocelotl_hierarchies *hierarchies)
{
    return form == OCELOTL_FORM_JSON  ? write_as_json(sink, hierarchies)
           : form == OCELOTL_FORM_CSV ? write_as_csv(sink, hierarchies)
                                      : write_as_text(sink, hierarchies);
}

/* check: whether a run is like earlier ones, for continuous integration. */
#include "compare/check.h"
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "request/questions/question.h"

#include <stdlib.h>
#include <string.h>

/* The places that a person reads. */
enum { PLACES = 5 };

/* The first base with each other, and at last with the new run. */
typedef struct checked {
    ocelotl_pair **pairs;
    const ocelotl_comparison **comparisons;
    size_t count;
    oc_check *is;
} checked;

static ocelotl_status check(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view)
{
    return ocelotl_overview_check(oc_picture_path(path, form), request->model.kind, view);
}

static void free_found(ocelotl_answer *answer)
{
    checked *found = answer->found;
    oc_check_free(found->is);
    for (size_t i = 0; found->pairs != NULL && i < found->count; i++)
        ocelotl_pair_free(found->pairs[i]);
    free(found->pairs);
    free(found->comparisons);
    free(found);
}

static const ocelotl_comparison *comparison_of(const checked *found)
{
    return found->comparisons[found->count - 1];
}

static ocelotl_status find(ocelotl_answer *answer)
{
    const ocelotl_request *request = answer->request;
    checked *found = NULL;
    OC_TRY(oc_allocate(&found, 1, sizeof *found));
    answer->found = found;
    found->count = request->operand_count - 1;
    OC_TRY(oc_allocate(&found->pairs, found->count, sizeof(void *)));
    OC_TRY(oc_allocate(&found->comparisons, found->count, sizeof(void *)));
    for (size_t i = 0; i < found->count; i++) {
        OC_TRY(oc_session_compare(&found->pairs[i], answer->session, request, i + 1));
        found->comparisons[i] = ocelotl_pair_comparison(found->pairs[i]);
    }
    OC_TRY(oc_check_runs(&found->is, found->comparisons, found->count, request->max_loss,
                         request->max_time));
    answer->is_bad = found->is->structure_changed || found->is->time_changed;
    return OCELOTL_OK;
}

/* --- Sentences */

static const char *place_of(const char *path)
{
    return path[0] != '\0' ? path : "all resources";
}

static void add_window(oc_text *text, const oc_changed *is)
{
    const double length = is->end - is->begin;
    oc_text_format(text, "%s to %s", oc_short_end(is->begin, length).text,
                   oc_short_end(is->end, length).text);
}

static void add_change(oc_text *text, const oc_changed *is)
{
    if (isfinite(is->change))
        oc_text_format(text, " (%+.3g %%%s", 100 * is->change, is->of_run ? " of the run" : "");
    else
        oc_text_add(text, " (new");
    if (is->spread > 0)
        oc_text_format(text, ", beyond the %s that bases differ by",
                       oc_short_time(is->spread).text);
    oc_text_add(text, ")");
}

/* What changed somewhere, as a sentence. */
static void add_sentence(oc_text *text, const oc_changed *is)
{
    switch (is->kind) {
    case OC_CHANGE_STRUCTURE:
        oc_text_format(text, "%s, ", place_of(is->path));
        add_window(text, is);
        oc_text_format(text, ": %s %s of the time where it was ", is->type,
                       oc_short_percent(is->now).text);
        oc_text_format(text, "%s (%.3g %% otherwise beyond chance)",
                       oc_short_percent(is->before).text, 100 * is->change);
        return;
    case OC_CHANGE_WHOLE:
        oc_text_add(text, "the run takes ");
        break;
    case OC_CHANGE_PHASE:
        oc_text_format(text, "phase %u%s%s, ", is->phase, is->type[0] != '\0' ? ", mostly " : "",
                       is->type);
        add_window(text, is);
        oc_text_add(text, ", takes ");
        break;
    case OC_CHANGE_NODE:
        oc_text_format(text, "%s: each %s in %s", place_of(is->path), oc_short_time(is->now).text,
                       is->type);
        oc_text_format(text, " where it was %s", oc_short_time(is->before).text);
        add_change(text, is);
        return;
    }
    oc_text_add(text, oc_short_time(is->now).text);
    oc_text_format(text, " where it took %s", oc_short_time(is->before).text);
    add_change(text, is);
}

/* What there is of structure or of times: the worst beyond the limit. */
static void add_verdict(oc_text *text, const oc_check *is, bool structure)
{
    size_t i = 0;
    while (i < is->count &&
           (!is->changed[i].beyond || (is->changed[i].kind == OC_CHANGE_STRUCTURE) != structure))
        i++;
    oc_text_add(text, i < is->count ? "changed: " : "the same");
    if (i < is->count)
        add_sentence(text, &is->changed[i]);
    oc_text_format(text, ", limit %.3g %%", 100 * (structure ? is->max_loss : is->max_time));
}

/* --- Forms */

static const oc_heading headings[] = {
    {"kind", OC_CELL_TEXT},     {"node", OC_CELL_TEXT},     {"type", OC_CELL_TEXT},
    {"phase", OC_CELL_INDEX},   {"leaves", OC_CELL_COUNT},  {"begin", OC_CELL_NUMBER},
    {"end", OC_CELL_NUMBER},    {"before", OC_CELL_NUMBER}, {"now", OC_CELL_NUMBER},
    {"spread", OC_CELL_NUMBER}, {"change", OC_CELL_NUMBER}, {"moved", OC_CELL_NUMBER},
    {"beyond", OC_CELL_FLAG},   {"sentence", OC_CELL_TEXT}};

static ocelotl_status fill_row(oc_row *row, void *of, size_t index)
{
    static const char *const kinds[] = {"structure", "whole", "phase", "node"};
    const oc_check *const *check = of;
    const oc_changed *is = &(*check)->changed[index];
    oc_text_clear(&row->made);
    add_sentence(&row->made, is);
    oc_cell_text(row, kinds[is->kind]);
    oc_cell_text(row, is->path);
    oc_cell_text(row, is->type);
    oc_cell_add(row, is->phase > 0, is->phase);
    oc_cell_count(row, is->leaves);
    oc_cell_number(row, is->begin);
    oc_cell_number(row, is->end);
    oc_cell_number(row, is->before);
    oc_cell_number(row, is->now);
    oc_cell_number(row, is->spread);
    oc_cell_number(row, is->change);
    oc_cell_number(row, is->moved);
    oc_cell_count(row, is->beyond);
    oc_cell_text(row, row->made.bytes);
    return row->made.failed ? oc_fail_memory() : OCELOTL_OK;
}

static oc_table table_of(ocelotl_answer *answer)
{
    checked *found = answer->found;
    return (oc_table){headings,       OC_COUNT_OF(headings), &found->is,
                      sizeof(void *), found->is->count,      fill_row};
}

static ocelotl_status add(oc_json *json, void *of)
{
    ocelotl_answer *answer = of;
    const checked *found = answer->found;
    const oc_check *is = found->is;
    const oc_table table = table_of(answer);
    oc_json_flag(json, "passed", !answer->is_bad);
    oc_json_list(json, "bases");
    for (size_t i = 0; i < found->count; i++)
        oc_json_text(json, NULL, oc_path_as_said(answer->request->operands[i]));
    oc_json_end_list(json);
    oc_json_text(json, "new", oc_path_as_said(answer->request->operands[found->count]));
    oc_json_matched(json, comparison_of(found));
    oc_json_object(json, "structure");
    oc_json_flag(json, "changed", is->structure_changed);
    oc_json_number(json, "loss", is->loss);
    oc_json_number(json, "limit", is->max_loss);
    oc_json_end_object(json);
    oc_json_object(json, "time");
    oc_json_flag(json, "changed", is->time_changed);
    oc_json_number(json, "limit", is->max_time);
    oc_json_end_object(json);
    oc_json_line(json, 0);
    return oc_json_rows(json, "changes", &table, 1);
}

static ocelotl_status print_text(oc_output *out, oc_text *text, const char *before)
{
    const ocelotl_status status = text->failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        oc_output_print(out, "%s%s\n", before, text->bytes);
    oc_text_free(text);
    return status;
}

static ocelotl_status print(oc_output *out, void *of)
{
    const ocelotl_answer *answer = of;
    const checked *found = answer->found;
    const oc_check *is = found->is;
    const char *const *operands = answer->request->operands;
    oc_text text = {0};
    oc_output_add(out, !answer->is_bad         ? "passed: structure and times are as before\n\n"
                       : !is->time_changed     ? "failed: the structure changed\n\n"
                       : is->structure_changed ? "failed: structure and times changed\n\n"
                                               : "failed: times changed\n\n");
    for (size_t i = 0; i <= found->count; i++)
        oc_output_print(out, "%s%s\n", i < found->count ? "base       " : "new        ",
                        oc_path_as_said(operands[i]));
    oc_output_matched(out, comparison_of(found));
    add_verdict(&text, is, true);
    OC_TRY(print_text(out, &text, "structure  "));
    add_verdict(&text, is, false);
    OC_TRY(print_text(out, &text, "time       "));
    if (is->count > 0)
        oc_output_add(out, "\nwhat changed most\n");
    for (size_t i = 0; i < is->count && i < PLACES; i++) {
        oc_text_format(&text, "%zu  ", i + 1);
        add_sentence(&text, &is->changed[i]);
        OC_TRY(print_text(out, &text, ""));
    }
    return OCELOTL_OK;
}

/* --- JUnit XML: a test case for the structure, the times together, and each change beyond its
 * limit */

static ocelotl_status add_case(oc_output *out, const char *name, oc_text *message, bool failed)
{
    oc_output visible = {0};
    oc_output_add_visible(&visible, name);
    oc_output_add(out, "  <testcase classname=\"ocelotl-cli check\" name=\"");
    oc_text_add_xml(&out->text, visible.text.bytes);
    oc_text_clear(&visible.text);
    oc_output_add_visible(&visible, message->bytes);
    oc_output_add(out, failed ? "\">\n    <failure message=\"" : "\">\n    <system-out>");
    oc_text_add_xml(&out->text, visible.text.bytes);
    oc_output_add(out, failed ? "\"/>\n  </testcase>\n" : "</system-out>\n  </testcase>\n");
    const ocelotl_status status =
        message->failed || visible.text.failed ? oc_fail_memory() : visible.status;
    oc_text_free(&visible.text);
    oc_text_free(message);
    return status;
}

static ocelotl_status add_cases(oc_output *out, const oc_check *is)
{
    oc_text text = {0};
    oc_text name = {0};
    size_t beyond = 0;
    for (size_t i = 0; i < is->count; i++)
        beyond += is->changed[i].beyond && is->changed[i].kind != OC_CHANGE_STRUCTURE;
    oc_output_format(out,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuite name=\"ocelotl-cli check\" tests=\"%zu\" failures=\"%zu\">\n",
                     2 + beyond, (size_t)is->structure_changed + is->time_changed + beyond);
    add_verdict(&text, is, true);
    for (size_t i = 0, places = 0; i < is->count && places < PLACES; i++) {
        if (!is->changed[i].beyond || is->changed[i].kind != OC_CHANGE_STRUCTURE)
            continue;
        oc_text_add(&text, "; ");
        add_sentence(&text, &is->changed[i]);
        places++;
    }
    OC_TRY(add_case(out, "structure", &text, is->structure_changed));
    add_verdict(&text, is, false);
    OC_TRY(add_case(out, "times", &text, is->time_changed));
    for (size_t i = 0; i < is->count; i++) {
        const oc_changed *at = &is->changed[i];
        if (!at->beyond || at->kind == OC_CHANGE_STRUCTURE)
            continue;
        oc_text_clear(&name);
        if (at->kind == OC_CHANGE_PHASE)
            oc_text_format(&name, "phase %u", at->phase);
        else
            oc_text_format(&name, "%s%s%s",
                           at->kind == OC_CHANGE_WHOLE ? "run" : place_of(at->path),
                           at->type[0] != '\0' ? ": " : "", at->type);
        add_sentence(&text, at);
        const ocelotl_status status =
            name.failed ? oc_fail_memory() : add_case(out, name.bytes, &text, true);
        if (status != OCELOTL_OK) {
            oc_text_free(&name);
            oc_text_free(&text);
            return status;
        }
    }
    oc_text_free(&name);
    oc_output_add(out, "</testsuite>\n");
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    const checked *found = answer->found;
    const oc_forms forms = {answer, add, print, table_of(answer), NULL};
    oc_output out = {.sink = sink};
    return form == OCELOTL_FORM_XML ? oc_output_end(&out, add_cases(&out, found->is))
                                    : oc_forms_write(sink, form, &forms);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    const checked *found = answer->found;
    (void)drawn;
    return ocelotl_pair_draw(sink, format, found->pairs[found->count - 1], view);
}

static size_t sources_of(ocelotl_trace *traces[2], const ocelotl_model *models[2],
                         const ocelotl_answer *answer)
{
    const checked *found = answer->found;
    for (int i = 0; i < 2; i++) {
        traces[i] = ocelotl_pair_trace(found->pairs[found->count - 1], i);
        models[i] = comparison_of(found)->models[i];
    }
    return 2;
}

const oc_question oc_check_question = {
    .command = "check",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE | OC_FORM(XML)},
    .check = check,
    .find = find,
    .write = write,
    .draw = draw,
    .table = table_of,
    .sources = sources_of,
    .free = free_found,
};

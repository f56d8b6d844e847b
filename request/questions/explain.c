/* explain: what a trace does, and what stands out in it, in sentences. */
#include "explain/explain.h"
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "base/weighed.h"
#include "request/questions/explain.h"

#include <math.h>
#include <stdlib.h>

typedef struct explain {
    ocelotl_model *model;
    oc_explained *is;
} explain;

enum { SENTENCES = 10, DIGITS_MORE = 4 };

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    ocelotl_model_options options = answer->request->model;
    explain *found = NULL;
    OC_TRY(oc_session_selection(&options.selection, session, answer->request, OC_ENDS_HALF_OPEN));
    OC_TRY(oc_allocate(&found, 1, sizeof *found));
    options.kind = OCELOTL_SPATIOTEMPORAL;
    options.hierarchy = (ocelotl_hierarchy_options){.bare = true};
    options.cells.metric = "state-duration";
    options.types.max_types = UINT32_MAX;
    oc_session_begin_reading(&options.work, session);
    ocelotl_status status = ocelotl_model_from_trace(&found->model, session->trace, &options);
    if (status == OCELOTL_OK)
        status = oc_explain_trace(&found->is, session->trace, found->model, &options.work);
    oc_session_end(session);
    answer->found = found;
    return oc_check_found(status, false, session, answer->request);
}

static void free_found(ocelotl_answer *answer)
{
    explain *found = answer->found;
    oc_explained_free(found->is);
    ocelotl_model_free(found->model);
    free(found);
}

/* A command that shows it: an overview of what it is in, in that time. */
static ocelotl_status write_command(char **line, const ocelotl_answer *answer, const oc_finding *is)
{
    const explain *found = answer->found;
    const uint32_t parent = ocelotl_model_node_at(found->model, is->nodes[0]).parent;
    const double finest = pow(10, DIGITS_MORE - floor(log10(is->end - is->begin)));
    const char *const trace[] = {answer->session->path, "-o", "shown.svg"};
    bool siblings = parent != OCELOTL_ROOT && parent != 0;
    ocelotl_request *shown = NULL;
    oc_text from = {0};
    oc_text to = {0};
    for (uint32_t i = 1; i < is->node_count && siblings; i++)
        siblings = ocelotl_model_node_at(found->model, is->nodes[i]).parent == parent;
    oc_text_format(&from, "@%ss", oc_digits(floor(is->begin * finest) / finest).text);
    oc_text_format(&to, "@%ss", oc_digits(ceil(is->end * finest) / finest).text);
    ocelotl_status status =
        from.failed || to.failed ? oc_fail_memory() : ocelotl_request_new(&shown, "overview");
    if (status == OCELOTL_OK)
        status = ocelotl_request_set(shown, "from", from.bytes);
    if (status == OCELOTL_OK)
        status = ocelotl_request_set(shown, "to", to.bytes);
    if (status == OCELOTL_OK && siblings)
        status = ocelotl_request_set(shown, "resource",
                                     ocelotl_model_node_at(found->model, parent).path);
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(shown, OC_COUNT_OF(trace), trace);
    if (status == OCELOTL_OK)
        status = ocelotl_request_write_line(line, shown);
    ocelotl_request_free(shown);
    oc_text_free(&from);
    oc_text_free(&to);
    return status;
}

/* Which sections are said: the longest, as many as the sentences leave room for. One that is all
 * there is says nothing that the whole does not. */
static ocelotl_status choose_sections(bool **said, size_t *count, const oc_explained *is,
                                      size_t most)
{
    const size_t sections = is->section_count;
    const bool whole = sections == 1 && is->sections[0].repeats == 1;
    oc_weighed *order = NULL;
    *count = whole ? 0 : sections < most ? sections : most;
    OC_TRY(oc_allocate(said, sections, sizeof **said));
    ocelotl_status status = oc_allocate(&order, sections, sizeof *order);
    for (size_t i = 0; i < sections && status == OCELOTL_OK; i++) {
        const oc_section *section = &is->sections[i];
        order[i] = (oc_weighed){oc_section_end(is, section) - is->phases[section->first].begin, i};
    }
    if (status == OCELOTL_OK)
        oc_sort_weighed(order, sections);
    for (size_t i = 0; i < *count && status == OCELOTL_OK; i++)
        (*said)[order[i].place] = true;
    free(order);
    return status;
}

/* --- Rows */

static const oc_heading headings[] = {
    {"rank", OC_CELL_COUNT},    {"kind", OC_CELL_TEXT},
    {"text", OC_CELL_TEXT},     {"resources", OC_CELL_TEXT, .only_csv = true},
    {"leaves", OC_CELL_COUNT},  {"begin", OC_CELL_NUMBER},
    {"end", OC_CELL_NUMBER},    {"type", OC_CELL_TEXT},
    {"times", OC_CELL_COUNT},   {"here", OC_CELL_NUMBER},
    {"usual", OC_CELL_NUMBER},  {"cost", OC_CELL_NUMBER},
    {"caused", OC_CELL_NUMBER}, {"score", OC_CELL_NUMBER}};

enum { RESOURCES = 3 };

/* A list in JSON, as paths may hold any character. */
static void add_resources(oc_json *json, const char *key, const explain *found,
                          const oc_finding *one)
{
    oc_json_list(json, key);
    for (uint32_t n = 0; n < one->node_count; n++)
        oc_json_text(json, NULL, ocelotl_model_node_at(found->model, one->nodes[n]).path);
    oc_json_end_list(json);
}

/* The text and the list lie one behind the other. */
static ocelotl_status fill(oc_row *row, void *of, size_t index)
{
    static const char *const kinds[] = {"share", "duration", "noise", "presence", "step"};
    const explain *found = *(explain **)of;
    const oc_finding *one = &found->is->findings[index];
    oc_say_finding(&row->made, found->is, one);
    oc_text_append(&row->made, "", 1);
    const size_t list = row->made.length;
    oc_json json = {.out.text = row->made};
    add_resources(&json, NULL, found, one);
    row->made = json.out.text;
    oc_cell_count(row, index + 1);
    oc_cell_text(row, kinds[one->kind]);
    oc_cell_text(row, row->made.failed ? NULL : row->made.bytes);
    oc_cell_text(row, row->made.failed ? NULL : row->made.bytes + list);
    oc_cell_count(row, one->leaves);
    oc_cell_number(row, one->begin);
    oc_cell_number(row, one->end);
    oc_cell_text(row, one->type);
    oc_cell_count(row, one->times);
    oc_cell_number(row, one->here);
    oc_cell_number(row, one->usual);
    oc_cell_number(row, one->cost);
    oc_cell_number(row, one->caused);
    oc_cell_number(row, one->score);
    return row->made.failed ? oc_fail_memory() : OCELOTL_OK;
}

static oc_table table_of(ocelotl_answer *answer)
{
    const explain *found = answer->found;
    const size_t most = answer->request->most > 0 ? answer->request->most : SIZE_MAX;
    return (oc_table){headings,
                      OC_COUNT_OF(headings),
                      &answer->found,
                      sizeof answer->found,
                      found->is->finding_count < most ? found->is->finding_count : most,
                      fill};
}

/* --- Forms */

typedef struct listing {
    oc_json *json;
    const ocelotl_answer *answer;
    size_t next;
} listing;

static ocelotl_status add_finding(void *context, const oc_row *row)
{
    listing *list = context;
    const explain *found = list->answer->found;
    const oc_finding *one = &found->is->findings[list->next++];
    char *command = NULL;
    OC_TRY(write_command(&command, list->answer, one));
    oc_json_item(list->json, 1);
    oc_json_cells(list->json, headings, row, 0, RESOURCES);
    add_resources(list->json, "resources", found, one);
    oc_json_cells(list->json, headings, row, RESOURCES + 1, OC_COUNT_OF(headings));
    oc_json_text(list->json, "command", command);
    oc_json_end_object(list->json);
    free(command);
    return OCELOTL_OK;
}

static ocelotl_status add(oc_json *json, void *of)
{
    ocelotl_answer *answer = of;
    const explain *found = answer->found;
    const oc_table table = table_of(answer);
    listing list = {json, answer, 0};
    oc_text text = {0};
    oc_say_whole(&text, found->is);
    oc_json_text(json, "text", text.bytes);
    oc_json_list(json, "phases");
    for (size_t i = 0; i < found->is->section_count; i++) {
        const oc_section *section = &found->is->sections[i];
        oc_json_item(json, 1);
        oc_json_number(json, "begin", found->is->phases[section->first].begin);
        oc_json_number(json, "end", oc_section_end(found->is, section));
        oc_json_count(json, "times", section->repeats);
        oc_text_clear(&text);
        oc_say_section(&text, found->is, section);
        oc_json_text(json, "text", text.bytes);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_list(json, "findings");
    const bool failed = text.failed;
    oc_text_free(&text);
    OC_TRY(failed ? oc_fail_memory() : OCELOTL_OK);
    OC_TRY(oc_table_each(&table, &list, add_finding));
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status print_finding(oc_output *out, oc_text *text, const ocelotl_answer *answer,
                                    size_t index, bool with_command)
{
    const explain *found = answer->found;
    const oc_finding *one = &found->is->findings[index];
    char *command = NULL;
    if (with_command)
        OC_TRY(write_command(&command, answer, one));
    oc_text_clear(text);
    oc_say_finding(text, found->is, one);
    oc_output_print(out, "%zu. %s.\n", index + 1, text->bytes);
    if (with_command)
        oc_output_print(out, "   %s\n", command);
    free(command);
    return OCELOTL_OK;
}

static ocelotl_status print_sentences(oc_output *out, const ocelotl_answer *answer,
                                      size_t sentences, bool with_commands)
{
    const oc_explained *is = ((const explain *)answer->found)->is;
    const size_t left = sentences - 1;
    bool *said = NULL;
    size_t phases;
    oc_text text = {0};
    /* findings come first where there is no room for all */
    const size_t room = left > is->finding_count ? left - is->finding_count : 0;
    OC_TRY(choose_sections(&said, &phases, is, room > left / 2 ? room : left / 2));
    oc_say_whole(&text, is);
    oc_output_print(out, "%s.\n", text.bytes);
    for (size_t i = 0; i < is->section_count; i++) {
        if (!said[i])
            continue;
        oc_text_clear(&text);
        oc_say_section(&text, is, &is->sections[i]);
        oc_output_print(out, "- %s.\n", text.bytes);
    }
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < is->finding_count && i < left - phases && status == OCELOTL_OK; i++)
        status = print_finding(out, &text, answer, i, with_commands);
    free(said);
    if (status == OCELOTL_OK && text.failed)
        status = oc_fail_memory();
    oc_text_free(&text);
    return status;
}

static ocelotl_status print(oc_output *out, void *of)
{
    const ocelotl_answer *answer = of;
    const size_t most = answer->request->most;
    return print_sentences(out, answer, most > 0 ? most : SENTENCES, true);
}

static ocelotl_status add_briefly(oc_output *out, const ocelotl_answer *answer, size_t most)
{
    for (size_t sentences = SENTENCES; sentences > 0; sentences--) {
        oc_text_clear(&out->text);
        OC_TRY(print_sentences(out, answer, sentences, false));
        if (out->text.length <= most)
            return out->status;
    }
    oc_text_clear(&out->text);
    return out->status;
}

ocelotl_status oc_explain_briefly(oc_text *text, const ocelotl_answer *of, size_t most)
{
    ocelotl_answer answer = {.session = of->session, .request = of->request, .trace = of->trace};
    oc_output out = {.sink = NULL};
    ocelotl_status status = find(&answer);
    if (status == OCELOTL_OK)
        status = add_briefly(&out, &answer, most);
    if (status == OCELOTL_OK)
        oc_text_append(text, out.text.bytes, out.text.length);
    if (answer.found != NULL)
        free_found(&answer);
    oc_text_free(&out.text);
    return status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY ? OCELOTL_OK : status;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    const oc_forms forms = {.of = answer, .add = add, .print = print, .table = table_of(answer)};
    return oc_forms_write(sink, form, &forms);
}

const oc_question oc_explain_question = {
    .command = "explain",
    .answering = {.forms = OC_FORMS_TABLE},
    .keeps = OC_KEEPS_OF_OPTIONS,
    .find = find,
    .write = write,
    .free = free_found,
};

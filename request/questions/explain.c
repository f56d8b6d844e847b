/* explain: what a trace does, and what stands out in it, in sentences. */
#include "explain/explain.h"
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "base/weighed.h"
#include "request/questions/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef oc_found_explained explain;

enum { SENTENCES = 10, DIGITS_MORE = 4 };

/* What the program knows its own Markdown by. */
#define MARKDOWN_BEGINS "<!-- made by ocelotl-cli explain -->\n\n"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_selection selected;
    explain *found = NULL;
    OC_TRY(oc_session_selection(&selected, answer->session, answer->request, OC_ENDS_HALF_OPEN));
    OC_TRY(oc_allocate(&found, 1, sizeof *found));
    answer->found = found;
    return oc_check_found(oc_session_explain_selected(found, answer->session, &selected,
                                                      &answer->request->model.work),
                          false, answer->session, answer->request);
}

static void free_found(ocelotl_answer *answer)
{
    oc_found_explained_free(answer->found);
    free(answer->found);
}

/* --- What shows it, and what is said */

/* The overview that shows what services do: all instances of one, at all times. */
static ocelotl_status make_request_of_service(ocelotl_request **shown, const ocelotl_answer *answer,
                                              const oc_finding *is)
{
    const ocelotl_model *model = ((const explain *)answer->found)->model;
    const bool fails = is->kind == OC_FINDING_FAILURE;
    const char *const trace[] = {"--", answer->session->path};
    const ocelotl_node found = ocelotl_model_node_at(model, is->nodes[0]);
    ocelotl_node node = found;
    while (strcmp(node.kind, "Service") != 0 && node.parent != OCELOTL_ROOT)
        node = ocelotl_model_node_at(model, node.parent);
    if (strcmp(node.kind, "Service") != 0)
        node = found; /* it has services */
    OC_TRY(ocelotl_request_new(shown, "overview"));
    if (!fails)
        OC_TRY(ocelotl_request_set(*shown, "metric", "state-mean-duration"));
    OC_TRY(ocelotl_request_set(*shown, "slices", "60")); /* that most have some spans */
    OC_TRY(ocelotl_request_set(*shown, fails ? "only" : "except", "error"));
    OC_TRY(ocelotl_request_set(*shown, "resource", node.path));
    OC_TRY(ocelotl_request_set(*shown, "output", "shown.svg"));
    return ocelotl_request_parse(*shown, OC_COUNT_OF(trace), trace);
}

/* The overview that shows it: of what it is in, in that time. */
static ocelotl_status make_request(ocelotl_request **shown, const ocelotl_answer *answer,
                                   const oc_finding *is)
{
    if (((const explain *)answer->found)->is->spans > 0)
        return make_request_of_service(shown, answer, is);
    const ocelotl_model *model = ((const explain *)answer->found)->model;
    const uint32_t parent = ocelotl_model_node_at(model, is->nodes[0]).parent;
    const double finest = pow(10, DIGITS_MORE - floor(log10(is->end - is->begin)));
    const char *const trace[] = {"--", answer->session->path};
    bool siblings = parent != OCELOTL_ROOT && parent != 0;
    oc_text from = {0};
    oc_text to = {0};
    for (uint32_t i = 1; i < is->node_count && siblings; i++)
        siblings = ocelotl_model_node_at(model, is->nodes[i]).parent == parent;
    oc_text_format(&from, "@%ss", oc_digits(floor(is->begin * finest) / finest).text);
    oc_text_format(&to, "@%ss", oc_digits(ceil(is->end * finest) / finest).text);
    ocelotl_status status =
        from.failed || to.failed ? oc_fail_memory() : ocelotl_request_new(shown, "overview");
    if (status == OCELOTL_OK)
        status = ocelotl_request_set(*shown, "from", from.bytes);
    if (status == OCELOTL_OK)
        status = ocelotl_request_set(*shown, "to", to.bytes);
    if (status == OCELOTL_OK && siblings)
        status = ocelotl_request_set(*shown, "resource", ocelotl_model_node_at(model, parent).path);
    if (status == OCELOTL_OK)
        status = ocelotl_request_set(*shown, "output", "shown.svg");
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(*shown, OC_COUNT_OF(trace), trace);
    oc_text_free(&from);
    oc_text_free(&to);
    return status;
}

static ocelotl_status write_command(char **line, const ocelotl_answer *answer, const oc_finding *is)
{
    ocelotl_request *shown = NULL;
    ocelotl_status status = make_request(&shown, answer, is);
    if (status == OCELOTL_OK)
        status = ocelotl_request_write_line(line, shown);
    ocelotl_request_free(shown);
    return status;
}

/* Which sections are said: the longest, as many as the sentences leave room for. One that is all
 * there is says nothing that the whole does not. */
static ocelotl_status choose_sections(bool **said, size_t *count, const oc_explained *is,
                                      size_t most)
{
    const size_t sections = is->section_count;
    const bool whole = is->variables || (sections == 1 && is->sections[0].repeats == 1);
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
    static const char *const kinds[] = {"share",    "duration", "noise",
                                        "presence", "step",     "failure"};
    const explain *found = *(explain **)of;
    const oc_finding *one = &found->is->findings[index];
    oc_say_finding(&row->made, found->is, one);
    oc_text_append(&row->made, "", 1);
    const size_t list = row->made.length;
    oc_json json = {.out.text = row->made};
    add_resources(&json, NULL, found, one);
    row->made = json.out.text;
    oc_cell_count(row, index + 1);
    oc_cell_text(row, one->kind != OC_FINDING_SHARE ? kinds[one->kind]
                      : found->is->counts           ? "count"
                      : found->is->variables        ? "variable"
                                                    : kinds[one->kind]);
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
    oc_json_list(json, "devices");
    for (size_t i = 0; i < found->is->device_count; i++) {
        const oc_explained_device *device = &found->is->devices[i];
        oc_json_item(json, 1);
        oc_json_text(json, "resource", ocelotl_model_node_at(found->model, device->node).path);
        oc_json_number(json, "busy", device->busy);
        oc_json_number(json, "collective", device->collective);
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

/* How it is written: the sentences alone, with commands, or with pictures, too. */
typedef enum style { BARE, COMMANDS, MARKDOWN } style;

/* What is said: the whole, these sections, and so many findings. */
typedef struct said {
    bool *sections;
    size_t findings;
} said;

static size_t count_sentences(const ocelotl_answer *answer)
{
    return answer->request->most > 0 ? answer->request->most : SENTENCES;
}

static ocelotl_status choose(said *chosen, const oc_explained *is, size_t sentences)
{
    const size_t left = sentences - 1;
    /* findings come first where there is no room for all */
    const size_t room = left > is->finding_count ? left - is->finding_count : 0;
    size_t phases;
    OC_TRY(choose_sections(&chosen->sections, &phases, is, room > left / 2 ? room : left / 2));
    chosen->findings = is->finding_count < left - phases ? is->finding_count : left - phases;
    return OCELOTL_OK;
}

/* Prints a sentence and clears it. In Markdown, characters that mean something there do not. */
static void print_sentence(oc_output *out, oc_text *sentence, const char *before, bool marks)
{
    oc_text text = {0};
    for (const char *c = sentence->bytes; marks && c != NULL && *c != '\0'; c++) {
        oc_text_add(&text, strchr("\\`*_[]<>|~&#", *c) != NULL ? "\\" : "");
        oc_text_append(&text, c, 1);
    }
    sentence->failed = sentence->failed || text.failed;
    if (!sentence->failed)
        oc_output_print(out, "%s%s.\n", before, marks ? text.bytes : sentence->bytes);
    oc_text_free(&text);
    oc_text_clear(sentence);
}

static ocelotl_status print_finding(oc_output *out, oc_text *text, const ocelotl_answer *answer,
                                    size_t index, style as)
{
    const oc_explained *is = ((const explain *)answer->found)->is;
    const bool marks = as == MARKDOWN;
    oc_text before = {0};
    char *command = NULL;
    if (as != BARE)
        OC_TRY(write_command(&command, answer, &is->findings[index]));
    oc_output_add(out, marks ? "\n" : "");
    oc_text_format(&before, "%zu. ", index + 1);
    oc_say_finding(text, is, &is->findings[index]);
    if (!before.failed)
        print_sentence(out, text, before.bytes, marks);
    if (marks) {
        /* Beside the file that is written: "![1](<NAME-1.svg>)". */
        const size_t number = index + 1;
        const char *output = answer->request->output != NULL ? answer->request->output : "";
        const char *slash = strrchr(output, '/');
        const char *name = slash != NULL ? slash + 1 : output;
        const char *end = strrchr(name, '.');
        if (end != NULL)
            oc_text_format(text, "![%zu](<%.*s-%zu.svg>)", number, (int)(end - name), name, number);
    }
    if (text->length > 0 && !text->failed)
        oc_output_print(out, "\n   %s\n", text->bytes);
    oc_text_clear(text);
    if (as != BARE)
        oc_output_print(out, marks ? "\n       %s\n" : "   %s\n", command);
    text->failed = text->failed || before.failed;
    oc_text_free(&before);
    free(command);
    return OCELOTL_OK;
}

static ocelotl_status print_sentences(oc_output *out, const ocelotl_answer *answer,
                                      size_t sentences, style as)
{
    const oc_explained *is = ((const explain *)answer->found)->is;
    const bool marks = as == MARKDOWN;
    said chosen = {NULL, 0};
    oc_text text = {0};
    OC_TRY(choose(&chosen, is, sentences));
    oc_say_whole(&text, is);
    oc_output_add(out, marks ? MARKDOWN_BEGINS : "");
    print_sentence(out, &text, "", marks);
    oc_output_add(out, marks ? "\n" : "");
    for (size_t i = 0; i < is->section_count; i++)
        if (chosen.sections[i]) {
            oc_say_section(&text, is, &is->sections[i]);
            print_sentence(out, &text, "- ", marks);
        }
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < chosen.findings && status == OCELOTL_OK; i++)
        status = print_finding(out, &text, answer, i, as);
    free(chosen.sections);
    if (status == OCELOTL_OK && text.failed)
        status = oc_fail_memory();
    oc_text_free(&text);
    return status;
}

static ocelotl_status print(oc_output *out, void *of)
{
    return print_sentences(out, of, count_sentences(of), COMMANDS);
}

static ocelotl_status print_marked(oc_output *out, void *of)
{
    return print_sentences(out, of, count_sentences(of), MARKDOWN);
}

static ocelotl_status add_briefly(oc_output *out, const ocelotl_answer *answer, size_t most)
{
    for (size_t sentences = SENTENCES; sentences > 0; sentences--) {
        oc_text_clear(&out->text);
        OC_TRY(print_sentences(out, answer, sentences, BARE));
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
    const bool marks = form == OCELOTL_FORM_MARKDOWN;
    const oc_forms forms = {
        .of = answer, .add = add, .print = marks ? print_marked : print, .table = table_of(answer)};
    return oc_forms_write(sink, marks ? OCELOTL_FORM_TEXT : form, &forms);
}

/* --- The pictures of Markdown */

static size_t count_pictures(const ocelotl_answer *answer)
{
    said chosen = {NULL, 0};
    (void)choose(&chosen, ((const explain *)answer->found)->is, count_sentences(answer));
    free(chosen.sections);
    return chosen.findings;
}

static ocelotl_status draw_shown(const ocelotl_sink *sink, ocelotl_session *session,
                                 ocelotl_request *shown, const char *sentence)
{
    ocelotl_partition *partition = NULL;
    char *line = NULL;
    OC_TRY(ocelotl_request_write_line(&line, shown));
    shown->view.command = line;
    shown->view.explained = sentence;
    ocelotl_status status = ocelotl_session_partition(&partition, session, shown);
    if (status == OCELOTL_OK)
        status = ocelotl_session_draw_overview(sink, OCELOTL_PICTURE_SVG, session, shown, partition,
                                               &shown->view);
    ocelotl_partition_free(partition);
    free(line);
    return status;
}

static ocelotl_status draw_picture(const ocelotl_sink *sink, ocelotl_answer *answer, size_t number)
{
    const oc_explained *is = ((const explain *)answer->found)->is;
    const oc_finding *one = &is->findings[number - 1];
    ocelotl_request *shown = NULL;
    oc_text text = {0};
    oc_say_finding(&text, is, one);
    oc_text_add(&text, ".");
    ocelotl_status status = text.failed ? oc_fail_memory() : make_request(&shown, answer, one);
    if (status == OCELOTL_OK)
        status = draw_shown(sink, answer->session, shown, text.bytes);
    ocelotl_request_free(shown);
    oc_text_free(&text);
    return status;
}

const oc_question oc_explain_question = {
    .command = "explain",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORM(MARKDOWN)},
    .keeps = OC_KEEPS_OF_OPTIONS,
    .find = find,
    .write = write,
    .pictures = count_pictures,
    .picture = draw_picture,
    .free = free_found,
};

/* explain: what a trace does, and what stands out in it, in sentences. */
#include "explain/explain.h"
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "base/weighed.h"
#include "look/idle.h"
#include "request/questions/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct explain {
    ocelotl_model *model;
    oc_explained *is;
} explain;

static const double said_least = 0.05; /* waits of others, of what resources spend themselves */
static const double longer = 1.2; /* of repeated phases one that takes so much longer is named */

enum { SENTENCES = 10, NAMES_MOST = 3 };

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

/* --- Words */

static const char *name_of(const ocelotl_model *model, uint32_t node)
{
    const ocelotl_node is = ocelotl_model_node_at(model, node);
    return is.name[0] != '\0' ? is.name : "all";
}

/* The number at the end of a name, and where it begins; false for none. */
static bool read_number(const char *name, size_t *at, unsigned long *number)
{
    size_t length = strlen(name);
    *at = length;
    while (*at > 0 && name[*at - 1] >= '0' && name[*at - 1] <= '9')
        (*at)--;
    *number = *at < length && length - *at < 10 ? strtoul(name + *at, NULL, 10) : 0;
    return *at < length && length - *at < 10;
}

/* Whether names differ in their last number alone, by one each. */
static bool are_in_a_row(const ocelotl_model *model, const uint32_t *nodes, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        const char *a = name_of(model, nodes[i]);
        const char *b = name_of(model, nodes[i + 1]);
        size_t a_at;
        size_t b_at;
        unsigned long a_number;
        unsigned long b_number;
        if (!read_number(a, &a_at, &a_number) || !read_number(b, &b_at, &b_number) ||
            a_at != b_at || strncmp(a, b, a_at) != 0 || b_number != a_number + 1)
            return false;
    }
    return count > 2;
}

/* "32 of 700 ranks" */
static void add_leaves(oc_text *text, const ocelotl_model *model, uint32_t leaves)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const char *kind = NULL;
    for (uint32_t n = 0; n < info.node_count; n++) {
        const ocelotl_node node = ocelotl_model_node_at(model, n);
        if (oc_is_leaf_of(model, n) && kind != NULL && strcmp(kind, node.kind) != 0)
            kind = "";
        else if (oc_is_leaf_of(model, n))
            kind = node.kind;
    }
    if (leaves < info.leaf_count)
        oc_text_format(text, "%u of ", leaves);
    oc_text_format(text, "%u ", info.leaf_count);
    oc_text_add_kinds(text, kind != NULL ? kind : "");
}

static uint32_t parent_of(const ocelotl_model *model, uint32_t node)
{
    return ocelotl_model_node_at(model, node).parent;
}

/* Names nodes, or, where these have one name, what they are in. */
static void add_names(oc_text *text, const ocelotl_model *model, const uint32_t *nodes,
                      uint32_t count, bool parents)
{
    uint32_t named[NAMES_MOST] = {0};
    if (!parents && are_in_a_row(model, nodes, count)) {
        oc_text_format(text, "%s to %s", name_of(model, nodes[0]),
                       name_of(model, nodes[count - 1]));
        return;
    }
    for (uint32_t i = 0; i < count && i < NAMES_MOST; i++) {
        named[i] = parents ? parent_of(model, nodes[i]) : nodes[i];
        oc_text_format(text, "%s%s", i == 0 ? "" : ", ", name_of(model, named[i]));
    }
    if (count > NAMES_MOST)
        oc_text_format(text, " and %u more", count - NAMES_MOST);
}

static void add_place(oc_text *text, const ocelotl_model *model, const oc_finding *is)
{
    const char *first = name_of(model, is->nodes[0]);
    const uint32_t parent = parent_of(model, is->nodes[0]);
    bool same = is->node_count > 1;
    for (uint32_t i = 1; i < is->node_count && same; i++)
        same = strcmp(first, name_of(model, is->nodes[i])) == 0;
    if (is->nodes[0] == 0) {
        add_leaves(text, model, UINT32_MAX);
        return;
    }
    if (same) {
        oc_text_format(text, "%s of ", first);
        add_names(text, model, is->nodes, is->node_count, true);
    } else {
        add_names(text, model, is->nodes, is->node_count, false);
        if (parent != 0 && parent != OCELOTL_ROOT)
            oc_text_format(text, " of %s", name_of(model, parent));
    }
    oc_text_add(text, " (");
    add_leaves(text, model, is->leaves);
    oc_text_add(text, ")");
}

static void add_window(oc_text *text, double begin, double end)
{
    oc_text_format(text, "%s to %s", oc_short_end(begin, end - begin).text,
                   oc_short_end(end, end - begin).text);
}

/* How many times as much something is, and what it is. */
static void add_times(oc_text *text, const oc_finding *is, const char *verb, const char *as)
{
    if (is->usual > 0 && is->here > 0)
        oc_text_format(text, "%s %s times as %s (%s where %s is usual)", verb,
                       oc_short_digits(is->here / is->usual, 2).text, as,
                       oc_short_time(is->here).text, oc_short_time(is->usual).text);
    else
        oc_text_format(text, "%s %s where %s is usual", verb, oc_short_time(is->here).text,
                       oc_short_time(is->usual).text);
}

static void add_sentence(oc_text *text, const ocelotl_model *model, const oc_finding *is)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const char *type = is->type == NULL       ? ""
                       : is->is_untraced_work ? "work between states"
                                              : is->type;
    add_place(text, model, is);
    oc_text_format(text, ": %s", type);
    switch (is->kind) {
    case OC_FINDING_SHARE:
        oc_text_format(text, " %s of the time where %s is usual", oc_short_percent(is->here).text,
                       oc_short_percent(is->usual).text);
        break;
    case OC_FINDING_DURATION:
        add_times(text, is, " takes", "long");
        break;
    case OC_FINDING_NOISE:
        add_times(text, is, " varies", "much");
        break;
    case OC_FINDING_PRESENCE:
        oc_text_add(text, is->begin <= info.begin ? "begin late"
                          : is->end >= info.end   ? "end early"
                                                  : "are not there");
        break;
    case OC_FINDING_STEP:
        oc_text_format(text, " comes %s after the one before, where %s is usual",
                       oc_short_time(is->here).text, oc_short_time(is->usual).text);
        break;
    }
    oc_text_add(text, ", ");
    if (is->times > 1)
        oc_text_format(text, "%u times%s ", is->times,
                       is->begin > is->from || is->end < is->to ? ", most from" : " from");
    add_window(text, is->begin, is->end);
    if (is->caused > said_least * is->own)
        oc_text_format(text, "; others wait %s because of it", oc_short_time(is->caused).text);
}

/* A command that shows it. */
static void add_command(oc_text *text, const ocelotl_answer *answer, const oc_finding *is)
{
    const explain *found = answer->found;
    const uint32_t parent = parent_of(found->model, is->nodes[0]);
    bool siblings = parent != OCELOTL_ROOT;
    for (uint32_t i = 1; i < is->node_count && siblings; i++)
        siblings = parent_of(found->model, is->nodes[i]) == parent;
    const char *path = siblings ? ocelotl_model_node_at(found->model, parent).path : "";
    oc_text_format(text, "ocelotl-cli --from %.9gs --to %.9gs ", is->begin, is->end);
    if (path[0] != '\0')
        oc_text_format(text, "--resource '%s' ", path);
    oc_text_format(text, "%s -o shown.svg", answer->session->label);
}

static void add_types(oc_text *text, const explain *found, const oc_phase *phase)
{
    for (int k = 0; k < 2 && phase->types[k] != OCELOTL_NONE; k++)
        oc_text_format(text, "%s%s %s", k == 0 ? "" : " and ",
                       ocelotl_model_type_at(found->model, phase->types[k]).name,
                       oc_short_percent(phase->shares[k]).text);
}

static void add_whole(oc_text *text, const explain *found)
{
    const ocelotl_model_info info = ocelotl_model_info_of(found->model);
    add_leaves(text, found->model, UINT32_MAX);
    oc_text_format(text, " for %s: ", oc_short_time(info.end - info.begin).text);
    add_types(text, found, &found->is->whole);
    if (found->is->waited > 0)
        oc_text_format(text, "; they wait %s for each other",
                       oc_short_time(found->is->waited).text);
}

static const oc_phase *last_of(const explain *found, const oc_section *section)
{
    return &found->is->phases[section->first + (size_t)section->unit * section->repeats - 1];
}

static void add_section(oc_text *text, const explain *found, const oc_section *section)
{
    const oc_phase *phase = &found->is->phases[section->first];
    add_window(text, phase->begin, last_of(found, section)->end);
    oc_text_add(text, ": ");
    if (section->repeats > 1)
        oc_text_format(text, "%u times ", section->repeats);
    for (uint32_t k = 0; k < section->unit; k++) {
        oc_text_add(text, k == 0 ? "" : ", then ");
        add_types(text, found, &phase[k]);
    }
    if (section->repeats > 1)
        oc_text_format(text, ", %s each", oc_short_time(section->median).text);
    if (section->repeats > 1 && section->most > longer * section->median)
        oc_text_format(text, "; number %u takes %s", section->longest + 1,
                       oc_short_time(section->most).text);
}

/* Which sections are said: the longest, as many as the sentences leave room for. */
static ocelotl_status choose_sections(bool **said, size_t *count, const explain *found, size_t most)
{
    const size_t sections = found->is->section_count;
    oc_weighed *order = NULL;
    *count = sections < most ? sections : most;
    OC_TRY(oc_allocate(said, sections, sizeof **said));
    ocelotl_status status = oc_allocate(&order, sections, sizeof *order);
    for (size_t i = 0; i < sections && status == OCELOTL_OK; i++) {
        const oc_section *section = &found->is->sections[i];
        order[i] =
            (oc_weighed){last_of(found, section)->end - found->is->phases[section->first].begin, i};
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
    add_sentence(&row->made, found->model, one);
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
    oc_text command = {0};
    add_command(&command, list->answer, one);
    oc_json_item(list->json, 1);
    oc_json_cells(list->json, headings, row, 0, RESOURCES);
    add_resources(list->json, "resources", found, one);
    oc_json_cells(list->json, headings, row, RESOURCES + 1, OC_COUNT_OF(headings));
    oc_json_text(list->json, "command", command.failed ? "" : command.bytes);
    oc_json_end_object(list->json);
    const bool failed = command.failed;
    oc_text_free(&command);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status add(oc_json *json, void *of)
{
    ocelotl_answer *answer = of;
    const explain *found = answer->found;
    const oc_table table = table_of(answer);
    listing list = {json, answer, 0};
    oc_text text = {0};
    add_whole(&text, found);
    oc_json_text(json, "text", text.bytes);
    oc_json_list(json, "phases");
    for (size_t i = 0; i < found->is->section_count; i++) {
        const oc_section *section = &found->is->sections[i];
        oc_json_item(json, 1);
        oc_json_number(json, "begin", found->is->phases[section->first].begin);
        oc_json_number(json, "end", last_of(found, section)->end);
        oc_json_count(json, "times", section->repeats);
        oc_text_clear(&text);
        add_section(&text, found, section);
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

static ocelotl_status print(oc_output *out, void *of)
{
    ocelotl_answer *answer = of;
    const explain *found = answer->found;
    const size_t sentences = answer->request->most > 0 ? answer->request->most : SENTENCES;
    const size_t left = sentences - 1;
    bool *said = NULL;
    size_t phases;
    oc_text text = {0};
    /* findings come first where there is no room for all */
    const size_t room = left > found->is->finding_count ? left - found->is->finding_count : 0;
    OC_TRY(choose_sections(&said, &phases, found, room > left / 2 ? room : left / 2));
    add_whole(&text, found);
    oc_output_print(out, "%s.\n", text.bytes);
    for (size_t i = 0; i < found->is->section_count; i++) {
        if (!said[i])
            continue;
        oc_text_clear(&text);
        add_section(&text, found, &found->is->sections[i]);
        oc_output_print(out, "- %s.\n", text.bytes);
    }
    for (size_t i = 0; i < found->is->finding_count && i < left - phases; i++) {
        const oc_finding *one = &found->is->findings[i];
        oc_text_clear(&text);
        add_sentence(&text, found->model, one);
        oc_output_print(out, "%zu. %s.\n", i + 1, text.bytes);
        oc_text_clear(&text);
        add_command(&text, answer, one);
        oc_output_print(out, "   %s\n", text.bytes);
    }
    const bool failed = text.failed;
    free(said);
    oc_text_free(&text);
    return failed ? oc_fail_memory() : OCELOTL_OK;
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

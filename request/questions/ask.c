#include "answer/table.h"
#include "base/file/sink.h"
#include "base/memory.h"
#include "request/questions/question.h"
#include "viz/bars/bars.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_KEPT = 16 << 20 };

/* A row a command. */
static const oc_question *const questions[] = {
    &oc_brief_question,  &oc_busiest_question, &oc_causality_question,   &oc_check_question,
    &oc_clocks_question, &oc_compare_question, &oc_correct_question,     &oc_explain_question,
    &oc_gantt_question,  &oc_heap_question,    &oc_hierarchies_question, &oc_matrix_question,
    &oc_parts_question,  &oc_series_question,  &oc_sql_question,         &oc_stats_question,
    &oc_sweep_question,  &oc_treemap_question, &oc_waiting_question,
};

static const oc_question *find_question(const char *command)
{
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        if (strcmp(questions[i]->command, command) == 0)
            return questions[i];
    return NULL;
}

ocelotl_answering ocelotl_command_answering(const char *command)
{
    const oc_question *question = find_question(command);
    return question != NULL ? question->answering : (ocelotl_answering){0};
}

ocelotl_status ocelotl_answer_check(const ocelotl_request *request, ocelotl_form form,
                                    const char *path, const ocelotl_picture_options *view)
{
    const oc_question *question = find_question(request->command);
    if (question != NULL && question->check != NULL)
        return question->check(request, form, path, view);
    return ocelotl_picture_check(oc_picture_path(path, form), view);
}

/* Where a matrix has no answer, an option that it has no part for is what is wrong. */
static ocelotl_status find_trace(ocelotl_answer *answer)
{
    const ocelotl_model *none = NULL;
    ocelotl_status status = ocelotl_session_trace(&answer->trace, answer->session);
    if (status != OCELOTL_OK && answer->question->of_matrix)
        return OCELOTL_OK;
    if (status != OCELOTL_OK && answer->request->zoom_count > 0)
        status = ocelotl_session_model(&none, answer->session, answer->request);
    return status;
}

static ocelotl_status find_once(ocelotl_answer *answer)
{
    return answer->found == NULL ? answer->question->find(answer) : OCELOTL_OK;
}

/* What a kept answer is called, to be freed; NULL for a form that is not kept, and for a part,
 * which depends on more than options. */
static ocelotl_status name_kept(char **name, const ocelotl_answer *answer, ocelotl_form form)
{
    static const char *const forms[] = {"table", "csv", "json"};
    const ocelotl_request *request = answer->request;
    const oc_keeps keeps = answer->question->keeps;
    char *key = NULL;
    oc_text text = {0};
    *name = NULL;
    if (keeps == OC_KEEPS_NONE || form > OCELOTL_FORM_JSON ||
        (keeps == OC_KEEPS_OF_OPTIONS && request->zoom_count > 0))
        return OCELOTL_OK;
    if (keeps == OC_KEEPS_OF_OPTIONS)
        OC_TRY(oc_request_key(&key, request, 0, true));
    oc_text_format(&text, "%s %s%s%s%s", request->command, request->all ? "all " : "",
                   request->view.plain ? "plain " : "", forms[form], key != NULL ? key : "");
    free(key);
    return oc_text_give(name, &text);
}

static ocelotl_status find_answer(ocelotl_answer *answer)
{
    char *name = NULL;
    OC_TRY(find_trace(answer));
    OC_TRY(name_kept(&name, answer, answer->form));
    if (name != NULL)
        answer->kept = answer->question->keeps == OC_KEEPS_OF_OPTIONS
                           ? oc_answer_find(answer->session, NULL, name)
                           : oc_session_find_answer(answer->session, answer->request, name);
    free(name);
    return answer->kept == NULL ? find_once(answer) : OCELOTL_OK;
}

ocelotl_status ocelotl_answer_find(ocelotl_answer **answer, ocelotl_session *session,
                                   const ocelotl_request *request, ocelotl_form form)
{
    ocelotl_answer *made = NULL;
    const oc_question *question = find_question(request->command);
    if (question == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s gives no answer in several forms",
                       request->command);
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    *made = (ocelotl_answer){question, session, request, .form = form};
    const ocelotl_status status = find_answer(made);
    if (status == OCELOTL_OK)
        *answer = made;
    else
        ocelotl_answer_free(made);
    return status;
}

void ocelotl_answer_free(ocelotl_answer *answer)
{
    if (answer == NULL)
        return;
    if (answer->found != NULL)
        answer->question->free(answer);
    free(answer->kept);
    free(answer);
}

size_t ocelotl_answer_sources(ocelotl_trace *traces[2], const ocelotl_model *models[2],
                              const ocelotl_answer *answer)
{
    traces[0] = answer->trace;
    models[0] = NULL;
    return answer->question->sources != NULL && answer->found != NULL
               ? answer->question->sources(traces, models, answer)
               : 1;
}

bool ocelotl_answer_is_bad(const ocelotl_answer *answer)
{
    return answer->is_bad;
}

static ocelotl_status write_found(const ocelotl_sink *sink, ocelotl_form form,
                                  ocelotl_answer *answer)
{
    const oc_question *question = answer->question;
    if (question->write != NULL)
        return question->write(sink, form, answer);
    const oc_table table = question->table != NULL ? question->table(answer) : (oc_table){0};
    return question->add == NULL
               ? oc_table_write(sink, form, &table)
               : oc_forms_write(
                     sink, form,
                     &(oc_forms){answer, question->add, question->print, table, question->rows});
}

/* What is written is what is kept, unless it is too long for that. */
typedef struct keeping {
    const ocelotl_sink *sink;
    ocelotl_buffer text;
    bool too_long;
} keeping;

static ocelotl_status write_part(void *context, const void *bytes, size_t size)
{
    keeping *to = context;
    const ocelotl_sink kept = ocelotl_buffer_sink(&to->text);
    to->too_long = to->too_long || size > LONGEST_KEPT - to->text.size ||
                   oc_sink_write(&kept, bytes, size) != OCELOTL_OK;
    if (to->too_long)
        ocelotl_buffer_free(&to->text);
    return oc_sink_write(to->sink, bytes, size);
}

static ocelotl_status write_and_keep(const ocelotl_sink *sink, ocelotl_answer *answer,
                                     ocelotl_form form, const char *name)
{
    keeping to = {.sink = sink};
    const bool of_options = answer->question->keeps == OC_KEEPS_OF_OPTIONS;
    const ocelotl_sink both = {write_part, &to};
    const ocelotl_status status = write_found(&both, form, answer);
    if (status == OCELOTL_OK && !to.too_long && of_options)
        oc_answer_keep(answer->session, NULL, name, to.text.bytes, to.text.size);
    else if (status == OCELOTL_OK && !to.too_long)
        oc_session_keep_answer(answer->session, answer->request, name, to.text.bytes, to.text.size);
    ocelotl_buffer_free(&to.text);
    return status;
}

/* A bar for each row. */
typedef struct bar_rows {
    const oc_table *table;
    const oc_question *question;
    oc_bar *bars;
    size_t count;
} bar_rows;

static ocelotl_status add_bar(void *context, const oc_row *row)
{
    bar_rows *to = context;
    const oc_question *question = to->question;
    const oc_heading *headings = to->table->headings;
    oc_digits_text digits;
    oc_bar *bar = &to->bars[to->count++];
    bar->length = row->cells[question->length].is.number;
    OC_TRY(oc_copy_text(&bar->name, oc_cell_shown(&headings[question->label],
                                                  &row->cells[question->label], &digits)));
    return oc_copy_text(&bar->shown, oc_cell_shown(&headings[question->length],
                                                   &row->cells[question->length], &digits));
}

static ocelotl_status draw_bars(const ocelotl_sink *sink, ocelotl_picture_format format,
                                ocelotl_answer *answer, const ocelotl_picture_options *view)
{
    const oc_table table = answer->question->table(answer);
    bar_rows of = {&table, answer->question};
    OC_TRY(oc_allocate(&of.bars, table.count, sizeof *of.bars));
    ocelotl_status status = oc_table_each(&table, &of, add_bar);
    if (status == OCELOTL_OK)
        status = oc_bars_draw(sink, format, answer->request->command, of.bars, of.count, view);
    for (size_t i = 0; i < of.count; i++) {
        free(of.bars[i].name);
        free(of.bars[i].shown);
    }
    free(of.bars);
    return status;
}

ocelotl_status ocelotl_answer_write(const ocelotl_sink *sink, ocelotl_answer *answer,
                                    ocelotl_form form, const ocelotl_request *drawn,
                                    const ocelotl_picture_options *view)
{
    char *name = NULL;
    const unsigned written = answer->question->answering.forms & ~OC_FORM(TRACE);
    if (form > OCELOTL_FORM_MARKDOWN || (written >> form & 1) == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s has no answer in this form",
                       answer->request->command);
    if (answer->kept != NULL && form == answer->form)
        return oc_sink_write(sink, answer->kept, strlen(answer->kept));
    OC_TRY(find_once(answer));
    const oc_question *question = answer->question; /* as it was found */
    if (drawn == NULL)
        drawn = answer->request;
    const bool draws = (OC_FORMS_PICTURE >> form & 1) != 0;
    if (draws && question->draw == NULL)
        return draw_bars(sink, (ocelotl_picture_format)(form - OCELOTL_FORM_SVG), answer,
                         view != NULL ? view : &drawn->view);
    if (draws)
        return question->draw(sink, (ocelotl_picture_format)(form - OCELOTL_FORM_SVG), answer,
                              drawn, view != NULL ? view : &drawn->view);
    OC_TRY(name_kept(&name, answer, form));
    const ocelotl_status status =
        name != NULL ? write_and_keep(sink, answer, form, name) : write_found(sink, form, answer);
    free(name);
    return status;
}

size_t ocelotl_answer_picture_count(const ocelotl_answer *answer)
{
    return answer->question->pictures != NULL && answer->found != NULL
               ? answer->question->pictures(answer)
               : 0;
}

ocelotl_status ocelotl_answer_picture(const ocelotl_sink *sink, ocelotl_answer *answer,
                                      size_t number)
{
    const size_t count = ocelotl_answer_picture_count(answer);
    if (number == 0 || number > count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s has %zu pictures, and no number %zu",
                       answer->request->command, count, number);
    return answer->question->picture(sink, answer, number);
}

ocelotl_status ocelotl_answer_derive(const char *path, ocelotl_answer *answer, const char *title,
                                     bool overwrite)
{
    if (answer->question->derive == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s makes no trace", answer->request->command);
    OC_TRY(find_once(answer));
    return answer->question->derive(path, answer, title, overwrite);
}

ocelotl_status ocelotl_answer_to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                                       const ocelotl_arrow_options *options)
{
    ocelotl_status status = OCELOTL_OK;
    const oc_question *question = answer->question;
    if (question->to_arrow == NULL && question->table == NULL)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT, "%s has no rows", answer->request->command);
    if (status == OCELOTL_OK)
        status = find_once(answer);
    if (status == OCELOTL_OK && answer->question->to_arrow != NULL)
        return answer->question->to_arrow(stream, answer, options);
    if (status == OCELOTL_OK) {
        const oc_table table = question->table(answer);
        return oc_table_to_arrow(stream, &table, options);
    }
    if (options != NULL && options->release != NULL)
        options->release(options->context);
    return status;
}

ocelotl_status ocelotl_ask(const ocelotl_sink *sink, ocelotl_session *session,
                           const ocelotl_request *request, ocelotl_form form)
{
    ocelotl_answer *answer = NULL;
    OC_TRY(ocelotl_answer_find(&answer, session, request, form));
    const ocelotl_status status = ocelotl_answer_write(sink, answer, form, NULL, NULL);
    ocelotl_answer_free(answer);
    return status;
}

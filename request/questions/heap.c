/* heap: who allocates memory, what of it stays, and what was alive at an instant. */
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "quality/derive.h"
#include "query/allocations.h"
#include "request/questions/question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct heap {
    oc_heap sums;
    uint32_t count, rows[]; /* of the sums, the first of each kind */
} heap;

static const oc_heading headings[] = {
    {"by", OC_CELL_TEXT},           {"name", OC_CELL_TEXT},         {"freed_by", OC_CELL_TEXT},
    {"blocks", OC_CELL_COUNT},      {"bytes", OC_CELL_COUNT},       {"alive", OC_CELL_COUNT},
    {"alive_bytes", OC_CELL_COUNT}, {"temporary", OC_CELL_COUNT},   {"elsewhere", OC_CELL_COUNT},
    {"leaked", OC_CELL_COUNT},      {"leaked_bytes", OC_CELL_COUNT}};

static ocelotl_status fill(oc_row *row, void *of, size_t index)
{
    static const char *const words[] = {"all", "thread", "caller", "size", "pair"};
    const heap *found = *(heap **)of;
    const oc_heap_row *is = &found->sums.rows[found->rows[index]];
    const oc_allocations *names = found->sums.allocations;
    const bool is_pair = is->by == OC_HEAP_BY_PAIR;
    if (is->by == OC_HEAP_BY_SIZE && is->name != OCELOTL_NONE)
        oc_text_format(&row->made, "%" PRIu64 " to %" PRIu64, (uint64_t)1 << is->name,
                       ((uint64_t)2 << is->name) - 1);
    oc_cell_text(row, words[is->by]);
    oc_cell_text(row, is->by == OC_HEAP_ALL       ? "all"
                      : is->by == OC_HEAP_BY_SIZE ? is->name == OCELOTL_NONE ? "0" : row->made.bytes
                      : is->by == OC_HEAP_BY_CALLER ? oc_allocations_name(names, is->name)
                                                    : oc_allocations_path(names, is->name));
    oc_cell_text(row, is_pair ? oc_allocations_path(names, is->other) : NULL);
    oc_cell_count(row, is->blocks);
    oc_cell_count(row, is->bytes);
    oc_cell_add(row, !is_pair, is->alive_blocks);
    oc_cell_add(row, !is_pair, is->alive_bytes);
    oc_cell_count(row, is->temporary);
    oc_cell_add(row, !is_pair, is->elsewhere);
    oc_cell_add(row, !is_pair, is->blocks - is->freed_blocks);
    oc_cell_add(row, !is_pair, is->bytes - is->freed_bytes);
    return OCELOTL_OK;
}

static oc_table table_of(ocelotl_answer *answer)
{
    const heap *found = answer->found;
    return (oc_table){
        headings, OC_COUNT_OF(headings), &answer->found, sizeof answer->found, found->count, fill};
}

static ocelotl_status open_allocations(oc_allocations **allocations, const ocelotl_answer *answer,
                                       const ocelotl_selection *selection)
{
    ocelotl_session *session = answer->session;
    ocelotl_work work = {0};
    oc_session_begin_reading(&work, session);
    const ocelotl_status status =
        oc_allocations_open(allocations, session->trace, selection, &answer->request->allocate,
                            &answer->request->release, &work);
    oc_session_end(session);
    return status;
}

static ocelotl_status find(ocelotl_answer *answer)
{
    const char *given = answer->request->alive_at;
    const uint32_t most = answer->request->most > 0 ? answer->request->most : 10;
    const bool is_peak = given == NULL || strcmp(given, "peak") == 0;
    ocelotl_selection selection;
    ocelotl_interval until = {0};
    uint64_t bytes;
    int64_t from = 0, at = 0;
    oc_allocations *allocations = NULL;
    oc_heap sums;
    heap *found = NULL;
    if (!is_peak) {
        OC_TRY(oc_read_instant(&until.to, given, OCELOTL_FROM_BEGINNING, "alive-at"));
        until.from = until.to; /* within the trace */
        OC_TRY(oc_interval_ticks(&from, &at, &until, answer->session->trace, OC_ENDS_AROUND));
    }
    OC_TRY(oc_session_selection(&selection, answer->session, answer->request, OC_ENDS_HALF_OPEN));
    OC_TRY(open_allocations(&allocations, answer, &selection));
    OC_TRY(oc_heap_compute(&sums, allocations, is_peak ? NULL : &at));
    const ocelotl_status status =
        oc_allocate(&found, 1, sizeof *found + sums.count * sizeof found->rows[0]);
    if (status != OCELOTL_OK) {
        oc_heap_free(&sums);
        return status;
    }
    found->sums = sums;
    found->count = 0;
    for (uint32_t i = 0, of_kind = 0; i < sums.count; i++) {
        of_kind = i > 0 && sums.rows[i].by == sums.rows[i - 1].by ? of_kind + 1 : 0;
        if (of_kind < most)
            found->rows[found->count++] = i;
    }
    answer->found = found;
    const bool is_empty =
        sums.count == 0 && sums.unknown == 0 && oc_allocations_earlier(&bytes, allocations) == 0;
    return oc_check_found(OCELOTL_OK, is_empty, answer->session, answer->request);
}

/* --- Forms: the whole before the rows */

static ocelotl_status add(oc_json *json, void *of)
{
    ocelotl_answer *answer = of;
    const oc_heap *sums = &((heap *)answer->found)->sums;
    const oc_table table = table_of(answer);
    uint64_t bytes;
    oc_json_count(json, "peak_bytes", sums->peak);
    oc_json_seconds(json, "peak_time", answer->trace, sums->peak_time);
    oc_json_seconds(json, "alive_at", answer->trace, sums->time);
    oc_json_count(json, "earlier_blocks", oc_allocations_earlier(&bytes, sums->allocations));
    oc_json_count(json, "earlier_bytes", bytes);
    oc_json_count(json, "unknown_frees", sums->unknown);
    oc_json_count(json, "left_out", oc_allocations_left_out(sums->allocations));
    return oc_json_rows(json, "rows", &table, 1);
}

static ocelotl_status print(oc_output *out, void *of)
{
    ocelotl_answer *answer = of;
    const oc_heap *sums = &((heap *)answer->found)->sums;
    const uint64_t left_out = oc_allocations_left_out(sums->allocations);
    uint64_t bytes;
    const uint64_t earlier = oc_allocations_earlier(&bytes, sums->allocations);
    const oc_table table = table_of(answer);
    const double tick = oc_tick_of(answer->trace);
    oc_output_print(out, "heap       peak %" PRIu64 " bytes at %s; alive at %s:\n", sums->peak,
                    oc_long_time(tick * (double)sums->peak_time).text,
                    oc_long_time(tick * (double)sums->time).text);
    if (earlier > 0)
        oc_output_print(out,
                        "earlier    %" PRIu64 " blocks of %" PRIu64
                        " bytes are alive when the window begins, and not counted\n",
                        earlier, bytes);
    if (sums->unknown > 0)
        oc_output_print(out,
                        "unknown    %" PRIu64 " freed blocks were allocated before the trace\n",
                        sums->unknown);
    if (left_out > 0)
        oc_output_print(out, "left out   %" PRIu64 " calls say no size or no pointer\n", left_out);
    oc_output_add(out, "\n");
    return oc_table_print(out, &table);
}

static void free_found(ocelotl_answer *answer)
{
    heap *found = answer->found;
    oc_heap_free(&found->sums);
    free(found);
}

/* --- The trace with the blocks as links */

typedef struct linking {
    oc_allocations *allocations;
    ocelotl_writer *writer;
    uint32_t type, size, address, caller;
    uint32_t *values; /* by kind of call, and 1 more; 0: not declared yet */
    size_t capacity;
} linking;

static ocelotl_status begin_link(linking *to, const oc_block_change *change)
{
    char size[24], address[24];
    oc_block *block = change->block;
    const size_t count = to->capacity;
    ocelotl_attribute_value carried[] = {
        {to->size, size, (size_t)oc_plain_print(size, sizeof size, "%" PRIu64, block->size)},
        {to->address, address,
         (size_t)oc_plain_print(address, sizeof address, "0x%" PRIx64, block->address)},
        {to->caller, NULL, 0}};
    if (block->caller != OCELOTL_NONE) {
        carried[2].text = oc_allocations_name(to->allocations, block->caller);
        carried[2].length = strlen(carried[2].text);
    }
    OC_TRY(oc_grow(&to->values, &to->capacity, block->kind + 1, sizeof *to->values));
    for (size_t i = count; i < to->capacity; i++)
        to->values[i] = 0;
    uint32_t *value = &to->values[block->kind];
    if (*value == 0) {
        OC_TRY(ocelotl_writer_value(value, to->writer, to->type,
                                    oc_allocations_name(to->allocations, block->kind), -1));
        ++*value;
    }
    return ocelotl_writer_link_begin(&block->link, to->writer, change->resource, to->type,
                                     *value - 1, change->time, carried, OC_COUNT_OF(carried));
}

static ocelotl_status add_links(void *context, ocelotl_writer *writer)
{
    linking *to = context;
    oc_block_change is;
    bool found;
    uint64_t unknown = 0;
    to->writer = writer;
    OC_TRY(ocelotl_writer_event_type(&to->type, to->writer, OCELOTL_LINK, OCELOTL_ROOT,
                                     OC_ALLOCATION, -1));
    OC_TRY(ocelotl_writer_attribute(&to->size, to->writer, to->type, "size"));
    OC_TRY(ocelotl_writer_attribute(&to->address, to->writer, to->type, "address"));
    OC_TRY(ocelotl_writer_attribute(&to->caller, to->writer, to->type, "caller"));
    for (;;) {
        OC_TRY(oc_allocations_next(&found, &is, to->allocations));
        if (!found)
            break;
        if (is.block == NULL)
            unknown++;
        else if (is.comes)
            OC_TRY(begin_link(to, &is));
        else
            OC_TRY(ocelotl_writer_link_end(writer, is.block->link, is.resource, is.time, NULL, 0));
    }
    return unknown == 0
               ? OCELOTL_OK
               : ocelotl_writer_warning(
                     writer, "free of a block allocated before the trace (left out)", unknown, "");
}

static ocelotl_status derive(const char *path, ocelotl_answer *answer, const char *title,
                             bool overwrite)
{
    linking to = {0};
    ocelotl_derive_options options = {0};
    (void)title;
    const ocelotl_request *request = answer->request;
    if (request->window.from.text != NULL || request->window.to.text != NULL ||
        request->model.selection.resources.count > 0 || oc_request_hides(request))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a window or a filter is of the table, and a trace has all blocks: make "
                       "the trace, and choose in that");
    OC_TRY(open_allocations(&to.allocations, answer, &(ocelotl_selection){0}));
    if (oc_allocations_are_links(to.allocations)) {
        oc_allocations_free(to.allocations);
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has its allocations as links already",
                       ocelotl_trace_info_of(answer->trace).name);
    }
    options.derivation = "heap: blocks of memory as links";
    options.overwrite = overwrite;
    options.add = add_links;
    options.context = &to;
    const ocelotl_status status = ocelotl_trace_derive(path, answer->session->trace, &options);
    oc_allocations_free(to.allocations);
    free(to.values);
    return status;
}

const oc_question oc_heap_question = {
    .command = "heap",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORM(TRACE)},
    .find = find,
    .add = add,
    .print = print,
    .table = table_of,
    .derive = derive,
    .free = free_found,
};

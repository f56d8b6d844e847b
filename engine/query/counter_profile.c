#include "query/counter_profile.h"

#include "base/memory.h"
#include "base/options.h"
#include "store/read/growth.h"
#include "store/select/question.h"
#include "store/trace/names.h"

#include <stdlib.h>

typedef struct profiling {
    const ocelotl_trace *trace;
    oc_question question;
    oc_reader states, counter; /* of one resource after the other */
    oc_growth growth;
    uint32_t counter_type, state_type;
    bool steps;
    uint32_t *streams;    /* by resource: its states of the type; OCELOTL_NONE: none */
    uint64_t *met, moves; /* by value: the move that it was met in */
    oc_profile_row *rows; /* by value, and behind them in no state */
    oc_profile *made;
    int64_t time;
} profiling;

static ocelotl_status find_counter(profiling *p, const char *name)
{
    const char **names = NULL;
    size_t count = 0;
    OC_TRY(oc_allocate(&names, p->trace->event_type_count, sizeof *names));
    p->counter_type = OCELOTL_NONE;
    for (uint32_t e = 0; e < p->trace->event_type_count; e++) {
        if (p->trace->event_types[e].kind != OCELOTL_COUNTER)
            continue;
        names[count++] = oc_type_spelling(p->trace, e);
        if (p->counter_type == OCELOTL_NONE && oc_type_is(p->trace, e, name))
            p->counter_type = e;
    }
    const ocelotl_status status =
        p->counter_type != OCELOTL_NONE ? OCELOTL_OK
        : count == 0
            ? oc_fail(OCELOTL_ERROR_ARGUMENT,
                      "%s: has no counter \"%s\", nor any other one (import --counter, "
                      "--increment)",
                      p->trace->label, name)
            : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no counter \"%s\"; the nearest is \"%s\"",
                      p->trace->label, name, names[oc_nearest(name, names, count)]);
    free(names);
    return status;
}

/* Chooses the selected type of states with most time, and finds its streams. */
static ocelotl_status find_states(profiling *p)
{
    const ocelotl_trace *trace = p->trace;
    double *time = NULL;
    OC_TRY(oc_allocate(&p->streams, trace->resource_count, sizeof *p->streams));
    OC_TRY(oc_allocate(&time, trace->event_type_count, sizeof *time));
    p->state_type = OCELOTL_NONE;
    for (uint32_t v = 0; v < trace->value_count; v++)
        time[trace->values[v].event_type] += (double)trace->values[v].innermost_ticks;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (trace->event_types[e].category == OCELOTL_STATE &&
            oc_is_selected(p->question.event_types, e) &&
            (p->state_type == OCELOTL_NONE || time[e] > time[p->state_type]))
            p->state_type = e;
    free(time);
    for (uint32_t r = 0; r < trace->resource_count; r++)
        p->streams[r] = OCELOTL_NONE;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (trace->streams[s].role == OC_ROLE_STATES && trace->streams[s].count > 0 &&
            trace->streams[s].event_type == p->state_type)
            p->streams[trace->streams[s].resource] = s;
    return OCELOTL_OK;
}

/* Lets the counter grow up to an instant, in what has been open until then. */
static ocelotl_status move_to(profiling *p, const oc_fold *fold, int64_t time)
{
    double grown;
    double spread;
    const size_t open = fold != NULL ? fold->open.count : 0;
    OC_TRY(oc_growth_move(&grown, &spread, &p->growth, time, 0));
    p->moves++;
    oc_profile_row *row = &p->rows[p->trace->value_count];
    for (size_t i = 0; i < open; i++) {
        const uint32_t value = fold->totals[oc_fold_open(fold, i)->total].value;
        row = &p->rows[value < p->trace->value_count ? value : p->trace->value_count];
        if (value < p->trace->value_count && p->met[value] != p->moves)
            row->inclusive += grown;
        if (value < p->trace->value_count)
            p->met[value] = p->moves;
    }
    if (open == 0)
        row->inclusive += grown;
    oc_profile_row *const both[] = {row, &p->made->all};
    for (size_t i = 0; i < 2; i++) {
        both[i]->grown += grown;
        both[i]->spread += spread;
        both[i]->ticks += time - p->time;
    }
    p->time = time;
    return OCELOTL_OK;
}

static void add_call(profiling *p, uint32_t value)
{
    if (value < p->trace->value_count)
        p->rows[value].calls++;
}

/* What is open where the window begins is called, too. */
static void add_open(profiling *p, const oc_fold *fold)
{
    for (size_t i = 0; i < fold->open.count; i++)
        add_call(p, fold->totals[oc_fold_open(fold, i)->total].value);
}

/* Follows the states of a stream through the window. */
static ocelotl_status follow(profiling *p, uint32_t stream)
{
    const oc_window *window = &p->question.window;
    oc_fold *fold = &p->states.fold;
    bool begun = false;
    OC_TRY(oc_reader_select(&p->states, stream));
    for (size_t chunk = oc_reader_chunk_at(&p->states, window->from);
         chunk < p->states.chunk_count && p->states.chunks[chunk].begin <= window->to; chunk++) {
        OC_TRY(oc_reader_read(&p->states, chunk, true));
        for (size_t i = 0; i < p->states.records.count; i++) {
            const oc_record *record = &p->states.records.records[i];
            if (record->time > window->to)
                break;
            if (!begun && record->time >= window->from)
                add_open(p, fold);
            begun = begun || record->time >= window->from;
            if (begun && record->time > p->time)
                OC_TRY(move_to(p, fold, record->time));
            if (begun && !record->ends)
                add_call(p, record->value);
            OC_TRY(oc_fail_in_trace(p->trace, oc_fold_apply(fold, &p->states.records, record)));
        }
    }
    if (!begun)
        add_open(p, fold);
    return move_to(p, fold, window->to);
}

static ocelotl_status add_resource(profiling *p, uint32_t stream)
{
    const uint32_t resource = p->trace->streams[stream].resource;
    double grown;
    double spread;
    OC_TRY(oc_growth_begin(&p->growth, &p->counter, stream, p->steps));
    OC_TRY(oc_growth_move(&grown, &spread, &p->growth, p->question.window.from, 0));
    p->time = p->question.window.from;
    return p->streams[resource] != OCELOTL_NONE ? follow(p, p->streams[resource])
                                                : move_to(p, NULL, p->question.window.to);
}

static int compare_rows(const void *left, const void *right)
{
    const oc_profile_row *a = left;
    const oc_profile_row *b = right;
    if (a->grown != b->grown)
        return a->grown < b->grown ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

static ocelotl_status add_up(profiling *p)
{
    const uint32_t values = p->trace->value_count;
    oc_profile *made = p->made;
    OC_TRY(oc_allocate(&p->met, values, sizeof *p->met));
    OC_TRY(oc_allocate(&p->rows, (size_t)values + 1, sizeof *p->rows));
    made->rows = p->rows;
    for (uint32_t s = 0; s < p->trace->stream_count; s++)
        if (p->trace->streams[s].role == OC_ROLE_VARIABLE && p->trace->streams[s].count > 0 &&
            p->trace->streams[s].event_type == p->counter_type &&
            oc_is_selected(p->question.resources, p->trace->streams[s].resource))
            OC_TRY(add_resource(p, s));
    made->all.inclusive = made->all.grown;
    for (uint32_t v = 0; v <= values; v++) {
        p->rows[v].value = v < values ? v : OCELOTL_NONE;
        made->all.calls += p->rows[v].calls;
        if ((p->rows[v].calls > 0 || p->rows[v].ticks > 0) &&
            (v == values || oc_filter_shows(&p->question.filter, p->state_type, v)))
            made->rows[made->count++] = p->rows[v];
    }
    qsort(made->rows, made->count, sizeof *made->rows, compare_rows);
    made->unit = p->trace->event_types[p->counter_type].unit;
    return OCELOTL_OK;
}

ocelotl_status oc_profile_compute(oc_profile *profile, ocelotl_trace *trace, const char *counter,
                                  bool steps, const ocelotl_selection *selection, const char *type,
                                  const ocelotl_work *work)
{
    *profile = (oc_profile){.all = {.value = OCELOTL_NONE}};
    profiling p = {.trace = trace, .steps = steps, .made = profile};
    oc_watch watch = {.work = *work};
    p.states.connection = p.counter.connection = oc_connection_of(trace);
    p.states.watch = p.counter.watch = &watch;
    p.states.asks = p.counter.asks = true;
    ocelotl_status status = find_counter(&p, counter);
    if (status == OCELOTL_OK)
        status = oc_question_make(&p.question, trace, selection, type, work);
    if (status == OCELOTL_OK)
        status = find_states(&p);
    if (status == OCELOTL_OK)
        status = add_up(&p);
    oc_reader_free(&p.states);
    oc_reader_free(&p.counter);
    oc_question_free(&p.question);
    free(p.streams);
    free(p.met);
    return status;
}

void oc_profile_free(oc_profile *profile)
{
    free(profile->rows);
    *profile = (oc_profile){0};
}

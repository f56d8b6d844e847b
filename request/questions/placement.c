/* stats --placement: where the bytes of each region are at an instant, as `top` would list it. */
#include "answer/table.h"
#include "base/arena.h"
#include "base/memory.h"
#include "request/questions/question.h"

#include <ocelotl/query.h>

#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = (OC_COLUMNS_MOST - 4) / 2 };

typedef struct region {
    const char *process, *name;
    double size, resident, bytes[NODES_MOST];
} region;

/* Zero-initialised but for the arena, in which it is, it is empty. */
typedef struct placement {
    oc_arena arena;
    oc_heading headings[OC_COLUMNS_MOST];
    uint32_t types[NODES_MOST], nodes; /* event types of variables in bytes */
    region *regions;                   /* the first is the sum of all */
    size_t count, capacity;
} placement;

/* Variables of bytes are what is on a node. */
static ocelotl_status find_nodes(placement *to, const ocelotl_trace *trace)
{
    static const oc_heading first[] = {{"process", OC_CELL_TEXT},
                                       {"region", OC_CELL_TEXT},
                                       {"resident", OC_CELL_NUMBER, .unit = "bytes"},
                                       {"virtual", OC_CELL_NUMBER, .unit = "bytes"}};
    memcpy(to->headings, first, sizeof first);
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, e);
        oc_text share = {0};
        if (type.category != OCELOTL_VARIABLE || strcmp(type.unit, "bytes") != 0)
            continue;
        if (to->nodes == NODES_MOST)
            return oc_fail(OCELOTL_ERROR_LIMIT,
                           "%s: has more than %d variables in bytes, expected one a node",
                           ocelotl_trace_info_of(trace).name, NODES_MOST);
        oc_heading *heading = &to->headings[OC_COUNT_OF(first) + 2 * to->nodes];
        heading[0] = (oc_heading){type.name, OC_CELL_NUMBER, .unit = "bytes"};
        oc_text_format(&share, "%s share", type.name);
        heading[1] = (oc_heading){oc_arena_copy(&to->arena, share.failed ? "" : share.bytes),
                                  OC_CELL_NUMBER, .unit = "share"};
        oc_text_free(&share);
        to->types[to->nodes++] = e;
    }
    if (to->nodes == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: has no variable in bytes, expected one for each node, as numa_maps has",
                       ocelotl_trace_info_of(trace).name);
    return oc_arena_status(&to->arena);
}

/* Names a region by itself and what is around it, and its process by what is around that. */
static void name_region(region *is, placement *to, const ocelotl_trace *trace, uint32_t resource)
{
    const ocelotl_resource self = ocelotl_trace_resource_at(trace, resource);
    const ocelotl_resource around = ocelotl_trace_resource_at(trace, self.parent);
    oc_text name = {0};
    oc_text_format(&name, "%s%s%s", around.name, around.name[0] != '\0' ? "/" : "", self.name);
    *is = (region){.process = ocelotl_trace_resource_at(trace, around.parent).name,
                   .name = oc_arena_copy(&to->arena, name.failed ? self.name : name.bytes),
                   .size = NAN};
    oc_text_free(&name);
}

/* Adds what an event that lasts over the instant says of its region. */
static ocelotl_status add_event(placement *to, uint32_t *numbers, const ocelotl_event *event,
                                const ocelotl_trace *trace)
{
    static const char key[] = "\"size_kB\":";
    const char *size = event->attributes != NULL ? strstr(event->attributes, key) : NULL;
    uint32_t node = 0;
    while (node < to->nodes && to->types[node] != event->event_type)
        node++;
    if (node == to->nodes && (event->category != OCELOTL_STATE || size == NULL))
        return OCELOTL_OK;
    uint32_t *number = &numbers[event->resource];
    if (*number == 0) {
        OC_TRY(oc_grow(&to->regions, &to->capacity, to->count + 1, sizeof *to->regions));
        name_region(&to->regions[to->count], to, trace, event->resource);
        *number = (uint32_t)to->count++;
    }
    region *rows[] = {&to->regions[*number], &to->regions[0]};
    for (size_t i = 0; i < OC_COUNT_OF(rows); i++) {
        if (node == to->nodes) {
            rows[i]->size = (isnan(rows[i]->size) ? 0 : rows[i]->size) +
                            1024 * oc_plain_number(size + strlen(key), NULL);
            continue;
        }
        rows[i]->resident += event->number;
        rows[i]->bytes[node] += event->number;
    }
    return oc_arena_status(&to->arena);
}

static ocelotl_status read_events(placement *to, ocelotl_events *events, int64_t at,
                                  const ocelotl_trace *trace)
{
    uint32_t *numbers = NULL;
    const bool is_last = at == ocelotl_trace_info_of(trace).end;
    ocelotl_event event;
    bool found = true;
    OC_TRY(oc_arena_allocate(&numbers, &to->arena, ocelotl_trace_resource_count(trace) + 1,
                             sizeof *numbers));
    OC_TRY(oc_grow(&to->regions, &to->capacity, 1, sizeof *to->regions));
    to->regions[to->count++] = (region){.process = "", .name = "total", .size = NAN};
    while (found) {
        OC_TRY(ocelotl_events_next(&found, &event, events));
        if (found && event.begin <= at && (event.end > at || (is_last && event.end == at)))
            OC_TRY(add_event(to, numbers, &event, trace));
    }
    return OCELOTL_OK;
}

/* The largest first. */
static int compare_regions(const void *a, const void *b)
{
    const region *first = a, *second = b;
    const int order = (first->resident < second->resident) - (first->resident > second->resident);
    return order != 0 ? order : strcmp(first->name, second->name);
}

static ocelotl_status find(ocelotl_answer *answer)
{
    placement *to = NULL;
    int64_t from, at;
    ocelotl_interval until = {0};
    ocelotl_session *session = answer->session;
    ocelotl_events *events = NULL;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    OC_TRY(oc_arena_make(&to, sizeof *to));
    answer->found = to;
    OC_TRY(oc_read_instant(&until.to, answer->request->placement, OCELOTL_FROM_BEGINNING,
                           "placement"));
    until.from = until.to;
    OC_TRY(oc_interval_ticks(&from, &at, &until, session->trace, OC_ENDS_AROUND));
    OC_TRY(find_nodes(to, session->trace));
    OC_TRY(oc_session_selection(&options.selection, session, answer->request, OC_ENDS_AROUND));
    options.selection.from = at;
    options.selection.to = at + (at < INT64_MAX);
    oc_session_begin_reading(&options.work, session);
    ocelotl_status status = ocelotl_events_open(&events, session->trace, &options);
    if (status == OCELOTL_OK)
        status = read_events(to, events, at, session->trace);
    ocelotl_events_free(events);
    oc_session_end(session);
    if (status == OCELOTL_OK)
        qsort(to->regions + 1, to->count - 1, sizeof *to->regions, compare_regions);
    return status;
}

static ocelotl_status fill(oc_row *row, void *of, size_t index)
{
    const placement *is = *(placement **)of;
    const region *one = &is->regions[index];
    oc_cell_text(row, one->process);
    oc_cell_text(row, one->name);
    oc_cell_number(row, one->resident);
    oc_cell_number(row, one->size);
    for (uint32_t node = 0; node < is->nodes; node++) {
        oc_cell_number(row, one->bytes[node]);
        oc_cell_number(row, one->resident > 0 ? one->bytes[node] / one->resident : NAN);
    }
    return OCELOTL_OK;
}

static oc_table table_of(ocelotl_answer *answer)
{
    const placement *is = answer->found;
    return (oc_table){is->headings,         4 + 2 * is->nodes, &answer->found,
                      sizeof answer->found, is->count,         fill};
}

static void free_found(ocelotl_answer *answer)
{
    placement *is = answer->found;
    free(is->regions);
    oc_arena_free(&is->arena);
}

const oc_question oc_placement_question = {
    .command = "stats",
    .answering = {.forms = OC_FORMS_TABLE},
    .find = find,
    .table = table_of,
    .free = free_found,
};

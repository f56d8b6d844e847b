#include "answer/ties.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What links are alike by. */
typedef struct link_key {
    int64_t begin, end;
    uint32_t type, source, target, value;
    uint64_t number; /* of several alike */
} link_key;

static const uint64_t most_ties = 4000000;

static void make_key(link_key *key, const ocelotl_event *link)
{
    memset(key, 0, sizeof *key);
    key->begin = link->begin;
    key->end = link->end;
    key->type = link->event_type;
    key->source = link->source;
    key->target = link->target;
    key->value = link->value;
}

/* --- Reading */

/* Counts one more of its like: *number is how many there were. */
static ocelotl_status count_alike(uint64_t *number, oc_map *counts, const link_key *key)
{
    const uint32_t before = oc_map_get(counts, key, sizeof *key);
    *number = before == OC_MAP_NONE ? 0 : before;
    return oc_map_set(counts, key, sizeof *key, (uint32_t)*number + 1);
}

static ocelotl_status keep(oc_ties *arrivals, oc_map *counts, const ocelotl_event *link,
                           uint32_t place)
{
    link_key key;
    if (arrivals->count == most_ties) {
        arrivals->left_out++;
        return OCELOTL_OK;
    }
    arrivals->count++;
    make_key(&key, link);
    OC_TRY(count_alike(&key.number, counts, &key));
    return oc_map_set(&arrivals->places, &key, sizeof key, place);
}

static ocelotl_status read_all(oc_ties *arrivals, oc_map *counts, ocelotl_events *events)
{
    ocelotl_event last = {.resource = OCELOTL_NONE};
    ocelotl_event link;
    bool kept = true;
    uint32_t place = 0;
    for (;;) {
        bool found = false;
        OC_TRY(ocelotl_events_next(&found, &link, events));
        if (!found)
            return OCELOTL_OK;
        const bool same = link.resource == last.resource && link.event_type == last.event_type;
        if (same && link.end == last.end) {
            if (!kept)
                OC_TRY(keep(arrivals, counts, &last, place++));
            OC_TRY(keep(arrivals, counts, &link, place++));
            kept = true;
        } else
            kept = false;
        last = link;
    }
}

ocelotl_status oc_ties_read(oc_ties *arrivals, ocelotl_trace *trace,
                            const ocelotl_selection *selection)
{
    ocelotl_events *events = NULL;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    oc_map counts = {0};
    options.selection = *selection;
    options.selection.resources = (ocelotl_names){0};
    options.selection.only_resources = (ocelotl_names){0};
    options.selection.except_resources = (ocelotl_names){0};
    options.selection.where = (ocelotl_names){0};
    options.arrivals = true;
    options.without_attributes = true;
    OC_TRY(ocelotl_events_open(&events, trace, &options));
    const ocelotl_status status = read_all(arrivals, &counts, events);
    oc_map_free(&counts);
    ocelotl_events_free(events);
    return status;
}

ocelotl_status oc_ties_find(oc_tie *arrival, oc_ties *arrivals, const ocelotl_event *link)
{
    link_key key;
    *arrival = (oc_tie){0};
    if (arrivals->count == 0)
        return OCELOTL_OK;
    make_key(&key, link);
    if (oc_map_get(&arrivals->places, &key, sizeof key) == OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(count_alike(&key.number, &arrivals->counts, &key));
    const uint32_t place = oc_map_get(&arrivals->places, &key, sizeof key);
    if (place != OC_MAP_NONE)
        *arrival = (oc_tie){link->target + 1, link->event_type, place};
    return OCELOTL_OK;
}

void oc_ties_free(oc_ties *arrivals)
{
    oc_map_free(&arrivals->places);
    oc_map_free(&arrivals->counts);
}

/* --- Lines of one instant */

ocelotl_status oc_waiting_lines_add(oc_waiting_lines *waiting, uint32_t rank, oc_tie arrival,
                                    const char *bytes, size_t length)
{
    OC_TRY(
        oc_grow(&waiting->lines, &waiting->capacity, waiting->count + 1, sizeof *waiting->lines));
    oc_waiting_line *added = &waiting->lines[waiting->count];
    *added = (oc_waiting_line){
        .rank = rank, .arrival = arrival, .begin = waiting->text.length, .length = length};
    if (waiting->count > 0 && added[-1].rank == rank) {
        added[-1].rank_next = waiting->count + 1;
        added->before = 1;
    }
    oc_text_append(&waiting->text, bytes, length);
    waiting->count++;
    return waiting->text.failed ? oc_fail_memory() : OCELOTL_OK;
}

typedef struct arriving {
    oc_tie arrival;
    size_t line;
} arriving;

static int compare_arrivals(const void *a, const void *b)
{
    const arriving *one = a;
    const arriving *other = b;
    if (one->arrival.target != other->arrival.target)
        return one->arrival.target < other->arrival.target ? -1 : 1;
    if (one->arrival.type != other->arrival.type)
        return one->arrival.type < other->arrival.type ? -1 : 1;
    if (one->arrival.place != other->arrival.place)
        return one->arrival.place < other->arrival.place ? -1 : 1;
    return one->line < other->line ? -1 : one->line > other->line;
}

/* Lines that arrive somewhere wait for those that arrive there before. */
static ocelotl_status chain_arrivals(oc_waiting_lines *waiting)
{
    arriving *all = NULL;
    size_t count = 0;
    OC_TRY(oc_allocate(&all, waiting->count, sizeof *all));
    for (size_t i = 0; i < waiting->count; i++)
        if (waiting->lines[i].arrival.target > 0)
            all[count++] = (arriving){waiting->lines[i].arrival, i};
    qsort(all, count, sizeof *all, compare_arrivals);
    for (size_t i = 1; i < count; i++)
        if (all[i].arrival.target == all[i - 1].arrival.target &&
            all[i].arrival.type == all[i - 1].arrival.type) {
            waiting->lines[all[i - 1].line].next = all[i].line + 1;
            waiting->lines[all[i].line].before++;
        }
    free(all);
    return OCELOTL_OK;
}

/* Writes a line and all that waited for nothing else. */
static void write_from(oc_waiting_lines *waiting, oc_output *out, size_t *ready, size_t first)
{
    size_t count = 0;
    ready[count++] = first;
    while (count > 0) {
        oc_waiting_line *line = &waiting->lines[ready[--count]];
        line->is_written = true;
        const size_t behind[] = {line->next, line->rank_next};
        oc_output_append(out, waiting->text.bytes + line->begin, line->length);
        for (size_t i = 0; i < 2; i++)
            if (behind[i] > 0 && --waiting->lines[behind[i] - 1].before == 0)
                ready[count++] = behind[i] - 1;
    }
}

ocelotl_status oc_waiting_lines_write(oc_waiting_lines *waiting, oc_output *out)
{
    size_t *ready = NULL;
    if (waiting->count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&ready, waiting->count, sizeof *ready));
    const ocelotl_status status = chain_arrivals(waiting);
    for (size_t i = 0; i < waiting->count && status == OCELOTL_OK; i++)
        if (waiting->lines[i].before == 0 && !waiting->lines[i].is_written)
            write_from(waiting, out, ready, i);
    /* Of links that are alike in all that is known, orders may contradict each other. */
    for (size_t i = 0; i < waiting->count && status == OCELOTL_OK; i++)
        if (!waiting->lines[i].is_written)
            oc_output_append(out, waiting->text.bytes + waiting->lines[i].begin,
                             waiting->lines[i].length);
    free(ready);
    oc_text_clear(&waiting->text);
    waiting->count = 0;
    return status;
}

void oc_waiting_lines_free(oc_waiting_lines *waiting)
{
    oc_text_free(&waiting->text);
    free(waiting->lines);
}

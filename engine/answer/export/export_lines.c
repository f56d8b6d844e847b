#include "answer/export/export.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What links are alike by; without gaps, as it is the key of maps. */
typedef struct link_key {
    int64_t begin, end;
    uint32_t type, source, target, value;
    uint64_t number; /* of several alike */
} link_key;

/* Where a link stands among those that arrive with it. */
typedef struct tie {
    uint64_t group; /* the target + 1, and the type; 0: no other link arrives with it */
    uint64_t place;
} tie;

/* A line that waits: it comes behind those of its rank before it, and behind those that arrive
 * before it. */
typedef struct waiting_line {
    uint32_t rank;
    tie arrival;
    size_t begin, length;   /* in `text` */
    size_t rank_next, next; /* the lines behind it, + 1; 0: none */
    uint32_t before;        /* how many lines it waits for */
    bool is_written;
} waiting_line;

struct oc_export_lines {
    oc_ordering *ordering; /* where links are tied, a line's tie is behind it */
    oc_map places;         /* by link, and the how many-th it is of its like */
    oc_map counts;         /* by link, how many of its like have been asked for */
    uint64_t count, left_out;
    oc_text text; /* of the lines of one instant that wait */
    waiting_line *waiting;
    size_t waiting_count, waiting_capacity;
};

/* --- The order in which links arrive */

static link_key key_of(const ocelotl_event *link)
{
    return (link_key){link->begin, link->end, link->event_type, link->source, link->target,
                      link->value, 0};
}

/* Numbers one more of its like. */
static ocelotl_status number_alike(link_key *key, oc_map *counts)
{
    const uint32_t before = oc_map_get(counts, key, sizeof *key);
    const uint32_t number = before == OC_MAP_NONE ? 0 : before;
    const ocelotl_status status = oc_map_set(counts, key, sizeof *key, number + 1);
    key->number = number;
    return status;
}

/* Only those count that arrive with others: with the last one, or with the next. */
static ocelotl_status read_ties(oc_export_lines *lines, oc_map *counts, ocelotl_events *events)
{
    static const uint64_t most_ties = 4000000;
    ocelotl_event both[2] = {{.resource = OCELOTL_NONE}};
    bool kept = true;
    uint32_t place = 0;
    for (;;) {
        bool found = false;
        OC_TRY(ocelotl_events_next(&found, &both[1], events));
        if (!found)
            return OCELOTL_OK;
        const bool tied = both[1].resource == both[0].resource && both[1].end == both[0].end &&
                          both[1].event_type == both[0].event_type;
        for (int i = kept ? 1 : 0; i < 2 && tied; i++) {
            link_key key = key_of(&both[i]);
            const uint32_t number = place++;
            if (lines->count == most_ties) {
                lines->left_out++;
                continue;
            }
            lines->count++;
            OC_TRY(number_alike(&key, counts));
            OC_TRY(oc_map_set(&lines->places, &key, sizeof key, number));
        }
        kept = tied;
        both[0] = both[1];
    }
}

ocelotl_status oc_export_lines_open(oc_export_lines **lines, ocelotl_trace *trace,
                                    const ocelotl_selection *selection)
{
    ocelotl_events *events = NULL;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    oc_map counts = {0};
    OC_TRY(oc_allocate(lines, 1, sizeof **lines));
    OC_TRY(oc_ordering_open(&(*lines)->ordering, OC_EXPORT_MEMORY));
    if (selection == NULL || !oc_has_events(trace, OCELOTL_LINK))
        return OCELOTL_OK;
    options.selection = *selection;
    options.selection.resources = (ocelotl_names){0};
    options.selection.only_resources = (ocelotl_names){0};
    options.selection.except_resources = (ocelotl_names){0};
    options.selection.where = (ocelotl_names){0};
    options.arrivals = true;
    options.without_attributes = true;
    OC_TRY(ocelotl_events_open(&events, trace, &options));
    const ocelotl_status status = read_ties(*lines, &counts, events);
    oc_map_free(&counts);
    ocelotl_events_free(events);
    return status;
}

void oc_export_lines_free(oc_export_lines *lines)
{
    if (lines == NULL)
        return;
    oc_ordering_free(lines->ordering);
    oc_map_free(&lines->places);
    oc_map_free(&lines->counts);
    oc_text_free(&lines->text);
    free(lines->waiting);
    free(lines);
}

ocelotl_status oc_export_lines_add(oc_export_lines *lines, const oc_order *order, oc_text *line,
                                   const ocelotl_event *arrives)
{
    tie arrival = {0};
    if (arrives != NULL && lines->count > 0) {
        link_key key = key_of(arrives);
        if (oc_map_get(&lines->places, &key, sizeof key) != OC_MAP_NONE) {
            OC_TRY(number_alike(&key, &lines->counts));
            const uint32_t place = oc_map_get(&lines->places, &key, sizeof key);
            if (place != OC_MAP_NONE)
                arrival = (tie){((uint64_t)arrives->target + 1) << 32 | arrives->event_type, place};
        }
    }
    if (lines->count > 0)
        oc_text_append(line, (const char *)&arrival, sizeof arrival);
    return line->failed ? oc_fail_memory()
                        : oc_ordering_add(lines->ordering, order, line->bytes, line->length);
}

/* --- Lines of one instant, which wait for each other from the first link on that arrives with
 * others */

static int compare_arrivals(const void *a, const void *b)
{
    const waiting_line *one = *(waiting_line *const *)a;
    const waiting_line *other = *(waiting_line *const *)b;
    if (one->arrival.group != other->arrival.group)
        return one->arrival.group < other->arrival.group ? -1 : 1;
    if (one->arrival.place != other->arrival.place)
        return one->arrival.place < other->arrival.place ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* Lines that arrive somewhere wait for those that arrive there before. */
static ocelotl_status chain_arrivals(oc_export_lines *lines)
{
    waiting_line **all = NULL;
    size_t count = 0;
    const size_t size = sizeof(void *);
    OC_TRY(oc_allocate(&all, lines->waiting_count, size));
    for (size_t i = 0; i < lines->waiting_count; i++)
        if (lines->waiting[i].arrival.group > 0)
            all[count++] = &lines->waiting[i];
    qsort(all, count, size, compare_arrivals);
    for (size_t i = 1; i < count; i++)
        if (all[i]->arrival.group == all[i - 1]->arrival.group) {
            all[i - 1]->next = (size_t)(all[i] - lines->waiting) + 1;
            all[i]->before++;
        }
    free(all);
    return OCELOTL_OK;
}

/* Writes a line, then all that waited for nothing else; forgets them. O(n log n). */
static ocelotl_status write_waiting(oc_export_lines *lines, oc_output *out)
{
    size_t *ready = NULL;
    if (lines->waiting_count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&ready, lines->waiting_count, sizeof *ready));
    const ocelotl_status status = chain_arrivals(lines);
    /* Of links that are alike in all that is known, orders may contradict each other: those that
     * wait for each other are left, and come in the end. */
    for (int left = 0; left < 2 && status == OCELOTL_OK; left++)
        for (size_t i = 0; i < lines->waiting_count; i++) {
            const waiting_line *first = &lines->waiting[i];
            size_t count = !first->is_written && (left == 1 || first->before == 0);
            ready[0] = i;
            while (count > 0) {
                waiting_line *line = &lines->waiting[ready[--count]];
                const size_t behind[] = {line->next, line->rank_next};
                line->is_written = true;
                oc_output_append(out, lines->text.bytes + line->begin, line->length);
                for (size_t k = 0; k < 2 && left == 0; k++)
                    if (behind[k] > 0 && --lines->waiting[behind[k] - 1].before == 0)
                        ready[count++] = behind[k] - 1;
            }
        }
    free(ready);
    oc_text_clear(&lines->text);
    lines->waiting_count = 0;
    return status;
}

ocelotl_status oc_export_lines_write(uint64_t *left_out, oc_export_lines *lines, oc_output *out)
{
    oc_order order = {0};
    const char *bytes = NULL;
    size_t length = 0;
    *left_out = lines->left_out;
    OC_TRY(oc_ordering_finish(lines->ordering));
    do {
        const int64_t time = order.time;
        tie arrival = {0};
        OC_TRY(oc_ordering_next(&order, &bytes, &length, lines->ordering));
        if (bytes == NULL || order.time != time || order.rank == OC_EXPORT_LAST_RANK)
            OC_TRY(write_waiting(lines, out));
        if (bytes == NULL)
            break;
        if (lines->count > 0) {
            length -= sizeof arrival;
            memcpy(&arrival, bytes + length, sizeof arrival);
        }
        if (order.rank == OC_EXPORT_LAST_RANK ||
            (lines->waiting_count == 0 && arrival.group == 0)) {
            oc_output_append(out, bytes, length);
            continue;
        }
        OC_TRY(oc_grow(&lines->waiting, &lines->waiting_capacity, lines->waiting_count + 1,
                       sizeof *lines->waiting));
        waiting_line *added = &lines->waiting[lines->waiting_count];
        *added = (waiting_line){
            .rank = order.rank, .arrival = arrival, .begin = lines->text.length, .length = length};
        if (lines->waiting_count > 0 && added[-1].rank == order.rank) { /* ranks never fall */
            added[-1].rank_next = lines->waiting_count + 1;
            added->before = 1;
        }
        oc_text_append(&lines->text, bytes, length);
        lines->waiting_count++;
        if (lines->text.failed)
            return oc_fail_memory();
    } while (out->status == OCELOTL_OK);
    return OCELOTL_OK;
}

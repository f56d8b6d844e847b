/* States of one instant are written by depth. At each depth those without length come first: what
 * lasts is around all that is deeper and begins with it. */
#include "importers/csv/sheet.h"

#include "base/memory.h"
#include "importers/ingest/packed.h"

#include <stdlib.h>
#include <string.h>

/* Nobody nests as deep as that: what begins at one instant is then not held any longer. */
enum { MOST_WAITING = 1 << 16 };

typedef struct writing {
    csv_nested *nested;
    ocelotl_writer *writer;
    uint32_t stream, resource, row, type;
} writing;

/* The open state that ends first: of equals the innermost. */
static size_t first_to_end(const csv_nested *nested)
{
    size_t first = nested->open_count - 1;
    for (size_t i = first; nested->tangled && i-- > 0;)
        if (nested->open[i] < nested->open[first])
            first = i;
    return first;
}

static ocelotl_status end_state(const writing *to, size_t place)
{
    csv_nested *nested = to->nested;
    const int64_t end = nested->open[place];
    const size_t inside = nested->open_count - 1 - place;
    OC_TRY(inside == 0 ? ocelotl_writer_stream_pop(to->writer, to->stream, end, NULL, 0)
                       : ocelotl_writer_pop(to->writer, to->resource, to->type, (uint32_t)inside,
                                            end, NULL, 0));
    memmove(&nested->open[place], &nested->open[place + 1], inside * sizeof *nested->open);
    nested->open_count--;
    nested->tangled = nested->tangled && nested->open_count > 0;
    return OCELOTL_OK;
}

/* Ends what ends before a time, or at it inside which nothing of a depth can be. */
static ocelotl_status end_until(const writing *to, int64_t time, uint32_t depth)
{
    csv_nested *nested = to->nested;
    while (nested->open_count > 0) {
        const size_t first = first_to_end(nested);
        const int64_t end = nested->open[first];
        if (end > time || (end == time && nested->open_count <= depth))
            break;
        OC_TRY(end_state(to, first));
    }
    return OCELOTL_OK;
}

static ocelotl_status place(const writing *to, const oc_sorted *state)
{
    csv_nested *nested = to->nested;
    OC_TRY(end_until(to, state->time, state->order));
    const size_t depth = nested->open_count;
    if (depth != state->order)
        oc_oddities_note(nested->oddities, nested->odd_depth, "", 0);
    OC_TRY(oc_grow(&nested->open, &nested->open_capacity, depth + 1, sizeof *nested->open));
    OC_TRY(ocelotl_writer_stream_push(to->writer, to->stream, state->value, state->time,
                                      state->attributes, state->attribute_count));
    nested->tangled = nested->tangled || (depth > 0 && nested->open[depth - 1] < state->end);
    nested->open[nested->open_count++] = state->end;
    return OCELOTL_OK;
}

static ocelotl_status keep_waiting(csv_nested *nested, const oc_sorted *state)
{
    char *copy = NULL;
    const uint32_t size = oc_packed_size(state);
    if (size == 0)
        return oc_fail(OCELOTL_ERROR_LIMIT, "attributes of more than 1 GiB");
    OC_TRY(oc_grow(&nested->waiting, &nested->waiting_capacity, nested->waiting_count + 1,
                   sizeof *nested->waiting));
    OC_TRY(oc_allocate(&copy, size, 1));
    oc_packed_write((oc_packed *)(void *)copy, state, size);
    nested->waiting[nested->waiting_count++] = copy;
    return OCELOTL_OK;
}

/* Writes those of the states that wait whose depth is less; all of them for UINT32_MAX. */
static ocelotl_status place_waiting(const writing *to, uint32_t depth)
{
    csv_nested *nested = to->nested;
    while (nested->waiting_first < nested->waiting_count) {
        oc_packed *packed = nested->waiting[nested->waiting_first];
        oc_sorted state = {0};
        if (packed->order >= depth && depth != UINT32_MAX)
            return OCELOTL_OK;
        OC_TRY(oc_grow(&nested->room, &nested->room_capacity, (size_t)packed->attribute_count + 1,
                       sizeof *nested->room));
        oc_packed_read(&state, nested->room, packed);
        OC_TRY(place(to, &state));
        free(packed);
        nested->waiting_first++;
    }
    nested->waiting_first = nested->waiting_count = 0;
    return OCELOTL_OK;
}

static int64_t waiting_time(const csv_nested *nested)
{
    return ((const oc_packed *)nested->waiting[nested->waiting_count - 1])->time;
}

static ocelotl_status take(const writing *to, const oc_sorted *state)
{
    csv_nested *nested = to->nested;
    if (nested->waiting_count > 0 && waiting_time(nested) != state->time)
        OC_TRY(place_waiting(to, UINT32_MAX));
    if (nested->waiting_count - nested->waiting_first >= MOST_WAITING)
        OC_TRY(place_waiting(to, UINT32_MAX));
    if (state->end > state->time)
        return keep_waiting(nested, state);
    OC_TRY(place_waiting(to, state->order));
    return place(to, state);
}

static ocelotl_status end_series(const writing *to)
{
    OC_TRY(place_waiting(to, UINT32_MAX));
    return end_until(to, INT64_MAX, 0);
}

ocelotl_status csv_nested_write(csv_nested *nested, const oc_ingest *ingest)
{
    writing to = {.nested = nested, .writer = ingest->writer, .row = OCELOTL_NONE};
    const oc_sorted *state;
    OC_TRY(oc_sorting_finish(nested->sorting));
    for (;;) {
        OC_TRY(oc_sorting_next(&state, nested->sorting));
        if (state == NULL || state->stream != to.row || state->type != to.type) {
            OC_TRY(end_series(&to));
            if (state == NULL)
                return OCELOTL_OK;
            to.row = state->stream;
            to.type = state->type;
            to.resource = ingest->rows[to.row].resource;
            OC_TRY(ocelotl_writer_stream(&to.stream, to.writer, to.resource, to.type,
                                         OCELOTL_ROLE_STATES));
        }
        OC_TRY(take(&to, state));
    }
}

void csv_nested_free(csv_nested *nested)
{
    for (size_t i = nested->waiting_first; i < nested->waiting_count; i++)
        free(nested->waiting[i]);
    oc_sorting_free(nested->sorting);
    free(nested->open);
    free(nested->waiting);
    free(nested->room);
}

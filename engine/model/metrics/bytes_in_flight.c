/* The metric "link-bytes-in-flight": how many bytes are under way, as the mean over each slice. No
 * running total tells what is carried by the links that are open, so every link up to the window's
 * end is read. */
#include "model/metrics/filtered_counts.h"
#include "model/metrics/leaf_blocks.h"
#include "model/metrics/metrics.h"
#include "store/read/walk.h"
#include "store/trace/names.h"

#include <math.h>

/* A link that is under way. */
typedef struct carried_link {
    oc_open_event event;
    double bytes;
} carried_link;

/* What is under way of a stream. */
typedef struct carrying {
    oc_filling *filling;
    oc_leaf_rows rows;
    uint32_t event_type, attribute;
    oc_walk walk;
    double bytes; /* of all that is open */
    int64_t time;
} carrying;

static ocelotl_status fail(const carrying *c, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s", c->filling->trace->path,
                   what);
}

/* What a link carries that begins. */
static ocelotl_status find_bytes(double *bytes, const carrying *c, const oc_records *records,
                                 const oc_record *record)
{
    *bytes = oc_record_number(records, record, c->attribute);
    if (*bytes >= 0 && isfinite(*bytes))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: \"%s\" of links of type \"%s\" is negative or too large, expected bytes",
                   c->filling->trace->label,
                   oc_catalogue_attribute(c->filling->catalogue, c->event_type, c->attribute),
                   oc_type_spelling(c->filling->trace, c->event_type));
}

/* Time passes for what is under way. */
static ocelotl_status pass(carrying *c, uint32_t type, int64_t time)
{
    const oc_instant *boundaries = c->filling->boundaries;
    const int64_t before = c->time;
    double *row;
    c->time = time;
    if (before >= time || time <= boundaries[0].ticks ||
        before >= boundaries[c->filling->slicing->slices].ticks || !(c->bytes > 0))
        return OCELOTL_OK;
    OC_TRY(oc_leaf_rows_get(&row, &c->rows, type));
    return oc_filling_add_time(row, c->filling, before, time, c->bytes);
}

static ocelotl_status take(carrying *c, const oc_record *record)
{
    double bytes = 0;
    if (!record->ends)
        OC_TRY(find_bytes(&bytes, c, &c->walk.reader.records, record));
    OC_TRY(oc_walk_take(&c->walk, record));
    if (!record->ends) {
        carried_link *link = oc_walk_open(&c->walk, c->walk.open.count - 1);
        link->bytes = bytes;
        c->bytes += bytes;
        return OCELOTL_OK;
    }
    c->bytes -= ((const carried_link *)c->walk.ended)->bytes;
    /* What rounding has left is not under way. */
    if (c->walk.open.count == 0)
        c->bytes = 0;
    return OCELOTL_OK;
}

static ocelotl_status read_stream(carrying *c, uint32_t stream, uint32_t type)
{
    const oc_record *record;
    c->bytes = 0;
    c->time = INT64_MIN;
    OC_TRY(oc_walk_begin(&c->walk, stream, INT64_MIN));
    OC_TRY(oc_walk_peek(&record, &c->walk));
    while (record != NULL) {
        OC_TRY(pass(c, type, record->time));
        OC_TRY(take(c, record));
        OC_TRY(oc_walk_peek(&record, &c->walk));
    }
    return pass(c, type, oc_filling_end(c->filling));
}

static ocelotl_status carry_stream(carrying *c, uint32_t stream)
{
    c->event_type = c->filling->trace->streams[stream].event_type;
    c->attribute = oc_filling_bytes(c->filling, c->event_type);
    const uint32_t type = oc_filling_type(c->filling, c->event_type, OCELOTL_NONE);
    if (c->attribute == OCELOTL_NONE || type == OCELOTL_NONE)
        return OCELOTL_OK;
    if (oc_conditions_concern(c->filling->conditions, c->event_type))
        return oc_count_departures(&c->rows, c->filling, stream, OC_COUNT_BYTES_IN_FLIGHT);
    return read_stream(c, stream, type);
}

static ocelotl_status carry_leaf(carrying *c, uint32_t leaf)
{
    oc_filling *filling = c->filling;
    const uint32_t resource = filling->tree->resources[leaf];
    oc_leaf_rows_clear(&c->rows);
    for (uint32_t i = filling->streams->first[resource]; i < filling->streams->first[resource + 1];
         i++)
        OC_TRY(carry_stream(c, filling->streams->list[i]));
    for (uint32_t type = 0; type < filling->model->type_count; type++) {
        const double *row = oc_leaf_rows_find(&c->rows, type);
        for (uint32_t slice = 0; row != NULL && slice < filling->slicing->slices; slice++)
            if (!isfinite(row[slice]))
                return fail(c, "more bytes than can be added up");
        if (row != NULL)
            OC_TRY(oc_cells_add(&filling->sums, leaf, type, row, filling->slicing->slices, false));
    }
    return OCELOTL_OK;
}

static ocelotl_status carry_leaves(oc_filling *filling, uint32_t first, uint32_t end,
                                   const void *context)
{
    (void)context;
    carrying c = {
        .filling = filling,
        .rows = {.slices = filling->slicing->slices, .type_count = filling->model->type_count},
        .walk = {.reader = {.connection = filling->connection},
                 .item_size = sizeof(carried_link),
                 .to = oc_filling_end(filling),
                 .within = true}};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t leaf = first; leaf < end && status == OCELOTL_OK; leaf++)
        status = carry_leaf(&c, leaf);
    oc_leaf_rows_free(&c.rows);
    oc_walk_free(&c.walk);
    return status;
}

ocelotl_status oc_fill_bytes_in_flight(oc_filling *filling)
{
    OC_TRY(oc_filling_check_bytes(filling));
    return oc_fill_leaves(filling, carry_leaves, NULL);
}

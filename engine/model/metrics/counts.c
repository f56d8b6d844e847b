/* Metrics of how many: events and links (thesis 5.2.1), links under way, and what they carry. */
#include "model/metrics/metrics.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/metrics/filling.h"
#include "store/read/walk.h"
#include "store/trace/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is counted of a leaf, stream by stream. */
typedef struct counting {
    oc_filling *filling;
    oc_leaf_rows rows; /* doubles */
    uint32_t event_type;
    int64_t life_end;            /* of the resource */
    uint32_t attribute;          /* whose sum is taken, OCELOTL_NONE: that of nothing */
    const oc_arrivals *arrivals; /* the arrivals that have to meet conditions */
    oc_totals_reader *states;    /* NULL: not needed so far */
    double *before;              /* of each total, at the last boundary */
    size_t before_count, before_capacity;
    oc_open_sum *open; /* of each total, links under way */
    size_t open_capacity;
    oc_found_slice found;
} counting;

static ocelotl_status fail_totals(const oc_filling *filling)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible running totals",
                   filling->trace->path);
}

/* Totals that are new were 0 before. */
static ocelotl_status make_room(counting *c, size_t count)
{
    OC_TRY(oc_grow(&c->before, &c->before_capacity, count, sizeof *c->before));
    while (c->before_count < count)
        c->before[c->before_count++] = 0;
    return OCELOTL_OK;
}

/* Adds the increase since the last boundary. */
static ocelotl_status add_more(counting *c, size_t total, uint32_t type, double now,
                               uint32_t boundary)
{
    const double more = now - c->before[total];
    c->before[total] = now;
    if (!isfinite(more))
        return fail_totals(c->filling);
    if (boundary == 0 || type == OCELOTL_NONE || !(more > 0))
        return boundary > 0 && more < 0 ? fail_totals(c->filling) : OCELOTL_OK;
    double *row;
    OC_TRY(oc_leaf_rows_get(&row, &c->rows, type));
    row[boundary - 1] += more;
    return OCELOTL_OK;
}

static ocelotl_status take_states(void *context, const oc_group_total *totals, size_t count,
                                  uint32_t boundary)
{
    counting *c = context;
    OC_TRY(make_room(c, count));
    for (size_t i = 0; i < count; i++)
        OC_TRY(add_more(c, i, totals[i].group, (double)totals[i].begun, boundary));
    return OCELOTL_OK;
}

static ocelotl_status take_counts(void *context, const oc_fold *fold, uint32_t boundary)
{
    counting *c = context;
    OC_TRY(make_room(c, fold->total_count));
    for (size_t i = 0; i < fold->total_count; i++)
        OC_TRY(add_more(c, i, oc_filling_type(c->filling, c->event_type, fold->totals[i].value),
                        (double)fold->totals[i].count, boundary));
    return OCELOTL_OK;
}

/* Takes the time in flight as a share of the slice. A boundary lies `rest` after its tick, and what
 * is open at the tick stays open until then. A link without an arrival is in flight until its
 * source ends. */
static ocelotl_status take_flight(void *context, const oc_fold *fold, uint32_t boundary)
{
    counting *c = context;
    const oc_slicing *slicing = c->filling->slicing;
    const oc_instant now = c->filling->boundaries[boundary];
    const double rest = now.ticks < c->life_end ? (double)now.rest : 0;
    OC_TRY(make_room(c, fold->total_count));
    OC_TRY(oc_grow(&c->open, &c->open_capacity, fold->total_count, sizeof *c->open));
    oc_fold_sum_open(c->open, fold);
    for (size_t i = 0; i < fold->total_count; i++) {
        const int64_t inclusive = (int64_t)((uint64_t)fold->totals[i].closed + c->open[i].ticks);
        const double units = (double)inclusive * slicing->slices + rest * (double)c->open[i].count;
        OC_TRY(add_more(c, i, oc_filling_type(c->filling, c->event_type, fold->totals[i].value),
                        units / (double)slicing->length, boundary));
    }
    return OCELOTL_OK;
}

static ocelotl_status take_bytes(void *context, const oc_fold *fold, uint32_t boundary)
{
    counting *c = context;
    double sum = 0;
    for (size_t i = 0; i < fold->sum_count; i++)
        if (fold->sums[i].attribute == c->attribute)
            sum = fold->sums[i].sum;
    OC_TRY(make_room(c, 1));
    if (boundary > 0 && sum < c->before[0])
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: \"%s\" of links of type \"%s\" is negative, expected bytes",
                       c->filling->trace->label,
                       oc_catalogue_attribute(c->filling->catalogue, c->event_type, c->attribute),
                       oc_type_spelling(c->filling->trace, c->event_type));
    return add_more(c, 0, oc_filling_type(c->filling, c->event_type, OCELOTL_NONE), sum, boundary);
}

static ocelotl_status count_state(counting *c, const oc_ended_state *state,
                                  const oc_state_detail *detail)
{
    const oc_filling *filling = c->filling;
    const uint32_t type = oc_filling_type(filling, c->event_type, state->value);
    if (type == OCELOTL_NONE || !oc_filling_passes(filling, state, detail))
        return OCELOTL_OK;
    const uint32_t slice = oc_filling_slice_next(&c->found, filling, state->begin);
    if (slice == OCELOTL_NONE)
        return OCELOTL_OK;
    double *row;
    OC_TRY(oc_leaf_rows_get(&row, &c->rows, type));
    row[slice]++;
    return OCELOTL_OK;
}

/* How many states of a length that passes begin in each slice: known when they end. */
static ocelotl_status scan_states(counting *c, uint32_t stream)
{
    const oc_scanned_states *found;
    oc_state_scan scan = oc_filling_scan(c->filling);
    scan.without_pieces = true;
    ocelotl_status status = oc_state_scan_begin(&scan, stream);
    while (status == OCELOTL_OK && (status = oc_state_scan_next(&found, &scan)) == OCELOTL_OK &&
           found->count > 0)
        for (size_t i = 0; i < found->count && status == OCELOTL_OK; i++)
            status = count_state(c, &found->states[i], found->detail);
    oc_state_scan_free(&scan);
    return status;
}

typedef ocelotl_status (*count_stream)(counting *c, uint32_t stream);

/* Returns whether conditions concern the stream's events: running totals cannot answer then. */
static bool is_filtered(const counting *c)
{
    return oc_conditions_concern(c->filling->conditions, c->event_type);
}

static ocelotl_status count_one_by_one(counting *c, uint32_t stream, oc_role role)
{
    if (role == OC_ROLE_LINKS_OUT)
        return oc_count_departures(&c->rows, c->filling, stream, OC_COUNT_LINKS);
    if (role == OC_ROLE_LINKS_IN)
        return oc_count_arrivals(&c->rows, c->filling, stream, c->arrivals, OC_COUNT_LINKS);
    return oc_count_records(&c->rows, c->filling, stream);
}

static ocelotl_status count_totals(counting *c, uint32_t stream)
{
    const oc_role role = c->filling->trace->streams[stream].role;
    if (role == OC_ROLE_STATES && oc_filling_reads_states(c->filling, c->event_type))
        return scan_states(c, stream);
    if (is_filtered(c))
        return count_one_by_one(c, stream, role);
    if (role == OC_ROLE_STATES)
        return oc_visit_states(&c->states, c->filling, stream, OC_BY_WINDOW, take_states, c);
    return oc_visit_boundaries(c->filling, stream, OC_BY_WINDOW, take_counts, c);
}

static ocelotl_status count_flight(counting *c, uint32_t stream)
{
    if (is_filtered(c))
        return oc_count_departures(&c->rows, c->filling, stream, OC_COUNT_FLIGHT);
    return oc_visit_boundaries(c->filling, stream, OC_BY_LIFE, take_flight, c);
}

static ocelotl_status count_leaf(counting *c, uint32_t leaf, count_stream count)
{
    const oc_filling *filling = c->filling;
    const uint32_t resource = filling->tree->resources[leaf];
    oc_leaf_rows_clear(&c->rows);
    c->life_end = filling->trace->resources[resource].end;
    for (uint32_t i = filling->streams->first[resource]; i < filling->streams->first[resource + 1];
         i++) {
        const uint32_t stream = filling->streams->list[i];
        c->event_type = filling->trace->streams[stream].event_type;
        c->before_count = 0;
        OC_TRY(count(c, stream));
    }
    for (uint32_t type = 0; type < filling->model->type_count; type++) {
        const double *row = oc_leaf_rows_find(&c->rows, type);
        if (row != NULL)
            OC_TRY(
                oc_cells_add(&c->filling->sums, leaf, type, row, filling->slicing->slices, false));
    }
    return OCELOTL_OK;
}

/* What all threads do. */
typedef struct count_work {
    count_stream count;
    oc_arrivals arrivals;
} count_work;

static ocelotl_status count_leaves(oc_filling *filling, uint32_t first, uint32_t end,
                                   const void *context)
{
    const count_work *work = context;
    counting c = {
        .filling = filling,
        .rows = {.slices = filling->slicing->slices, .type_count = filling->model->type_count},
        .attribute = OCELOTL_NONE,
        .arrivals = &work->arrivals};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t leaf = first; leaf < end && status == OCELOTL_OK; leaf++)
        status = count_leaf(&c, leaf, work->count);
    oc_leaf_rows_free(&c.rows);
    oc_totals_free(c.states);
    free(c.before);
    free(c.open);
    return status;
}

static ocelotl_status count_all(oc_filling *filling, count_stream count, oc_counted counted)
{
    count_work work = {.count = count};
    ocelotl_status status = OCELOTL_OK;
    if ((filling->metric->roles >> OC_ROLE_LINKS_IN & 1) != 0 &&
        (filling->conditions->count > 0 || counted == OC_COUNT_FLIGHT ||
         counted == OC_COUNT_BYTES_IN_FLIGHT))
        status = oc_arrivals_find(&work.arrivals, filling, counted);
    if (status == OCELOTL_OK)
        status = oc_fill_leaves(filling, count_leaves, &work);
    oc_arrivals_free(&work.arrivals);
    return status;
}

ocelotl_status oc_fill_counts(oc_filling *filling)
{
    return count_all(filling, count_totals, OC_COUNT_LINKS);
}

ocelotl_status oc_fill_flight(oc_filling *filling)
{
    return count_all(filling, count_flight, OC_COUNT_FLIGHT);
}

/* --- Under way, by receiver: where a link begins is known only there */

static ocelotl_status count_flight_received(counting *c, uint32_t stream)
{
    return oc_count_arrivals(&c->rows, c->filling, stream, c->arrivals, OC_COUNT_FLIGHT);
}

static ocelotl_status count_bytes_in_flight_received(counting *c, uint32_t stream)
{
    return oc_count_arrivals(&c->rows, c->filling, stream, c->arrivals, OC_COUNT_BYTES_IN_FLIGHT);
}

ocelotl_status oc_fill_flight_received(oc_filling *filling)
{
    return count_all(filling, count_flight_received, OC_COUNT_FLIGHT);
}

ocelotl_status oc_fill_bytes_in_flight_received(oc_filling *filling)
{
    OC_TRY(oc_filling_check_bytes(filling));
    return count_all(filling, count_bytes_in_flight_received, OC_COUNT_BYTES_IN_FLIGHT);
}

/* --- Bytes */

static ocelotl_status count_bytes(counting *c, uint32_t stream)
{
    const bool arrives = c->filling->trace->streams[stream].role == OC_ROLE_LINKS_IN;
    c->attribute = oc_filling_bytes(c->filling, c->event_type);
    if (c->attribute == OCELOTL_NONE)
        return OCELOTL_OK;
    if (is_filtered(c))
        return arrives
                   ? oc_count_arrivals(&c->rows, c->filling, stream, c->arrivals, OC_COUNT_BYTES)
                   : oc_count_departures(&c->rows, c->filling, stream, OC_COUNT_BYTES);
    return oc_visit_boundaries(c->filling, stream, OC_BY_WINDOW, take_bytes, c);
}

ocelotl_status oc_fill_bytes(oc_filling *filling)
{
    OC_TRY(oc_filling_check_bytes(filling));
    return count_all(filling, count_bytes, OC_COUNT_BYTES);
}

/* --- The metric "link-bytes-in-flight": how many bytes are in flight, as the mean over each slice.
 * Running totals do not hold the bytes of open links, so every link up to the window's end is
 * read. */

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

/* Finds the bytes of a link that begins. */
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

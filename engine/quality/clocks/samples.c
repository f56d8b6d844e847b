/* Exchanges of messages that were made to compare clocks, and offsets that somebody found, from
 * tables. An exchange is two messages: the question and the answer. An offset at a time, known to a
 * deviation, is as two messages that took twice as long. */
#include "quality/clocks/clocks.h"

#include "base/format/csv.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SENT, RECEIVED, RETURNED, BACK, TIME, OFFSET, DEVIATION, NUMBERS };

static const char *const columns[NUMBERS] = {"sent", "received", "returned", "back",
                                             "time", "offset",   "deviation"};

typedef struct reading {
    ocelotl_clocks *clocks;
    oc_csv *csv;
    uint32_t reference;            /* where a row names none */
    size_t clock_at, reference_at; /* columns, SIZE_MAX: none */
    size_t at[NUMBERS];
    const char **paths; /* of all clocks */
    oc_map clock_of;    /* by path */
    int64_t *last;      /* by clock: when its last sample was taken */
    bool *has;          /* and whether it has one */
} reading;

static ocelotl_status fail(const reading *r, const char *what, const char *text,
                           const char *expected)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s \"%s\", expected %s",
                   oc_csv_name(r->csv), oc_csv_line(r->csv), what, text, expected);
}

/* --- Header */

static size_t find_column(const reading *r, const char *name)
{
    for (size_t f = 0; f < oc_csv_field_count(r->csv); f++)
        if (oc_same_letters(oc_csv_field(r->csv, f), name))
            return f;
    return SIZE_MAX;
}

static bool has_columns(const reading *r, int first, int last)
{
    for (int n = first; n <= last; n++)
        if (r->at[n] == SIZE_MAX)
            return false;
    return r->clock_at != SIZE_MAX;
}

static ocelotl_status read_header(reading *r)
{
    bool found;
    OC_TRY(oc_csv_next(r->csv, &found));
    if (found) {
        r->clock_at = find_column(r, "clock");
        r->reference_at = find_column(r, "reference");
        for (int n = 0; n < NUMBERS; n++)
            r->at[n] = find_column(r, columns[n]);
    }
    if (found && (has_columns(r, SENT, BACK) || has_columns(r, TIME, OFFSET)))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s:1: is no table of samples, expected the header "
                   "clock,sent,received,returned,back or clock,time,offset,deviation",
                   oc_csv_name(r->csv));
}

/* --- Fields */

static const char *field(const reading *r, size_t column)
{
    return column < oc_csv_field_count(r->csv) ? oc_csv_field(r->csv, column) : "";
}

static ocelotl_status read_clock(uint32_t *clock, const reading *r, size_t column)
{
    const char *path = field(r, column);
    const uint32_t count = r->clocks->network.count;
    *clock = oc_map_get(&r->clock_of, path, strlen(path));
    if (*clock != OC_MAP_NONE)
        return OCELOTL_OK;
    const size_t nearest = oc_nearest(path, r->paths, count);
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s:%" PRIu64 ": \"%s\" has no clock, expected one of %u, the nearest is \"%s\"",
                   oc_csv_name(r->csv), oc_csv_line(r->csv), path, count,
                   nearest < count ? r->paths[nearest] : "");
}

/* A time in ticks: the nearest, and those around it, as tables may be finer than ticks. */
typedef struct moment {
    int64_t near, least, most;
} moment;

/* What is no further from a tick than digits are lost is that tick. */
static moment take_ticks(int64_t whole, double part)
{
    static const double lost = 1e-3;
    const double near = round(part);
    const bool exact = fabs(part - near) < lost;
    return (moment){whole + (int64_t)near, whole + (int64_t)(exact ? near : floor(part)),
                    whole + (int64_t)(exact ? near : ceil(part))};
}

/* Seconds as ticks. Whole ones are taken apart: of 10^9 of them a double has no nanoseconds. */
static ocelotl_status read_time(moment *time, const reading *r, int number)
{
    const char *text = field(r, r->at[number]);
    const ocelotl_trace_info *info = &r->clocks->trace->info;
    char *end = NULL;
    char *point = NULL;
    const double value = oc_plain_number(text, &end);
    const double whole = trunc(value);
    const double second = (double)info->tick_denominator / (double)info->tick_numerator;
    if (end == text || *end != '\0' || !(fabs(value * second) < 0x1p62))
        return fail(r, columns[number], text, "seconds");
    point = strchr(text, '.');
    double part = (value - whole) * second;
    if (point != NULL && strpbrk(text, "eExX") == NULL)
        part = copysign(oc_plain_number(point, NULL), text[strspn(text, " ")] == '-' ? -1 : 1) *
               second;
    *time =
        info->tick_denominator % info->tick_numerator == 0
            ? take_ticks((int64_t)whole * (int64_t)(info->tick_denominator / info->tick_numerator),
                         part)
            : take_ticks(0, value * second);
    return OCELOTL_OK;
}

/* --- Rows */

static ocelotl_status add(const reading *r, uint32_t source, int64_t sent, uint32_t target,
                          int64_t received)
{
    uint32_t pairing;
    oc_network *network = &r->clocks->network;
    OC_TRY(oc_network_pair(&pairing, network, source < target ? source : target,
                           source < target ? target : source));
    return oc_network_add(network, pairing, source, sent, target, received);
}

/* In each file rows of a clock stand in order. */
static ocelotl_status check_order(const reading *r, uint32_t clock, int64_t time, int column)
{
    if (r->has[clock] && time < r->last[clock]) {
        oc_text what = {0};
        oc_text_format(&what, "samples of a clock are not in order of time: %s is",
                       columns[column]);
        const ocelotl_status status = what.failed ? oc_fail_memory()
                                                  : fail(r, what.bytes, field(r, r->at[column]),
                                                         "no less than in its row before");
        oc_text_free(&what);
        return status;
    }
    r->has[clock] = true;
    r->last[clock] = time;
    return OCELOTL_OK;
}

/* What is known stays within what the table says: none is sent later, or comes sooner. */
static ocelotl_status read_exchange(const reading *r, uint32_t clock, uint32_t reference)
{
    moment times[NUMBERS];
    for (int n = SENT; n <= BACK; n++)
        OC_TRY(read_time(&times[n], r, n));
    if (times[BACK].near < times[SENT].near)
        return fail(r, "the answer is back before the question was sent: back is",
                    field(r, r->at[BACK]), "a later time");
    if (times[RETURNED].near < times[RECEIVED].near)
        return fail(r, "the answer leaves before the question came: returned is",
                    field(r, r->at[RETURNED]), "a later time");
    OC_TRY(check_order(r, clock, times[SENT].near, SENT));
    OC_TRY(add(r, reference, times[SENT].least, clock, times[RECEIVED].most));
    return add(r, clock, times[RETURNED].least, reference, times[BACK].most);
}

static ocelotl_status read_offset(const reading *r, uint32_t clock, uint32_t reference)
{
    moment times[NUMBERS] = {{0}};
    int64_t first;
    int64_t last;
    for (int n = TIME; n <= DEVIATION; n++)
        if (r->at[n] != SIZE_MAX)
            OC_TRY(read_time(&times[n], r, n));
    const int64_t time = times[TIME].near;
    const moment *offset = &times[OFFSET];
    const int64_t deviation = times[DEVIATION].most;
    if (times[DEVIATION].near < 0)
        return fail(r, "the deviation is", field(r, r->at[DEVIATION]), "0 or more");
    OC_TRY(check_order(r, clock, time, TIME));
    if (__builtin_add_overflow(time, offset->least, &first) ||
        __builtin_sub_overflow(first, deviation, &first) ||
        __builtin_add_overflow(time, offset->most, &last) ||
        __builtin_add_overflow(last, deviation, &last))
        return fail(r, "the offset is", field(r, r->at[OFFSET]),
                    "less than 2^63 ticks with its time and deviation");
    OC_TRY(add(r, reference, first, clock, time));
    return add(r, clock, time, reference, last);
}

static ocelotl_status read_row(const reading *r)
{
    uint32_t clock;
    uint32_t reference = r->reference;
    oc_network *network = &r->clocks->network;
    OC_TRY(read_clock(&clock, r, r->clock_at));
    if (r->reference_at != SIZE_MAX && field(r, r->reference_at)[0] != '\0')
        OC_TRY(read_clock(&reference, r, r->reference_at));
    if (clock == reference)
        return fail(r, "a clock is compared with itself:", r->paths[clock], "another one");
    OC_TRY(has_columns(r, SENT, BACK) ? read_exchange(r, clock, reference)
                                      : read_offset(r, clock, reference));
    uint32_t pairing;
    OC_TRY(oc_network_pair(&pairing, network, clock < reference ? clock : reference,
                           clock < reference ? reference : clock));
    network->pairings[pairing].samples++;
    r->clocks->info.samples++;
    return OCELOTL_OK;
}

static ocelotl_status read_file(reading *r, const char *file)
{
    bool found = true;
    const uint64_t before = r->clocks->info.samples;
    for (uint32_t c = 0; c < r->clocks->network.count; c++)
        r->has[c] = false;
    OC_TRY(oc_csv_open(&r->csv, file));
    OC_TRY(read_header(r));
    for (;;) {
        OC_TRY(oc_csv_next(r->csv, &found));
        if (!found)
            break;
        OC_TRY(read_row(r));
    }
    if (r->clocks->info.samples > before)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: has no samples, expected rows below its header",
                   oc_csv_name(r->csv));
}

/* --- All of them */

static ocelotl_status list_clocks(reading *r)
{
    const uint32_t count = r->clocks->network.count;
    OC_TRY(oc_allocate(&r->paths, count, sizeof *r->paths));
    OC_TRY(oc_allocate(&r->last, count, sizeof *r->last));
    OC_TRY(oc_allocate(&r->has, count, sizeof *r->has));
    for (uint32_t c = 0; c < count; c++) {
        r->paths[c] = oc_clocks_path(r->clocks, c);
        OC_TRY(oc_map_set(&r->clock_of, r->paths[c], strlen(r->paths[c]), c));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_clocks_sample(ocelotl_clocks *clocks, const ocelotl_names *files,
                                uint32_t reference)
{
    reading r = {.clocks = clocks, .reference = reference != OCELOTL_NONE ? reference : 0};
    ocelotl_status status = clocks->network.count > 0 ? list_clocks(&r) : OCELOTL_OK;
    for (size_t f = 0; f < files->count && status == OCELOTL_OK; f++) {
        status = read_file(&r, files->names[f]);
        oc_csv_free(r.csv);
        r.csv = NULL;
    }
    oc_map_free(&r.clock_of);
    free(r.paths);
    free(r.last);
    free(r.has);
    return status;
}

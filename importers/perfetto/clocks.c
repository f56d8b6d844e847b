/* Times of several clocks on that of the trace, by snapshots of some of them at once. */
#include "base/memory.h"
#include "importers/perfetto/reader.h"

enum { REALTIME = 1, FIRST_OF_SEQUENCE = 64, BEHIND_OF_SEQUENCE = 128, MOST = 64 };

static ocelotl_status find_clock(uint32_t *clock, perfetto_reader *reader, uint64_t id)
{
    const bool is_own = id >= FIRST_OF_SEQUENCE && id < BEHIND_OF_SEQUENCE;
    OC_TRY(perfetto_number(clock, reader, OF_CLOCK, is_own ? reader->sequence_number + 1 : 0, id,
                           reader->clock_count));
    if (*clock != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&reader->clocks, &reader->clock_capacity, reader->clock_count + 1,
                   sizeof *reader->clocks));
    *clock = (uint32_t)reader->clock_count;
    reader->clocks[reader->clock_count++] = (perfetto_clock){.unit = 1};
    return OCELOTL_OK;
}

static ocelotl_status check(bool fits)
{
    return fits ? OCELOTL_OK
                : oc_fail(OCELOTL_ERROR_INPUT,
                          "a time has more than 62 bits of nanoseconds, expected less");
}

static ocelotl_status scale(int64_t *time, uint64_t stamp, uint64_t unit)
{
    return check(stamp <= INT64_MAX / 2 && oc_multiply_time(time, (int64_t)stamp, unit) &&
                 *time <= INT64_MAX / 2);
}

/* What is added to a time of a clock: what was true at the last snapshot before it, or the first.
 * False where the clock is in none. */
static bool find_shift(int64_t *shift, perfetto_clock *clock, int64_t time)
{
    const perfetto_reading *readings = clock->readings;
    while (clock->at + 1 < clock->reading_count && readings[clock->at + 1].time <= time)
        clock->at++;
    while (clock->at > 0 && readings[clock->at].time > time)
        clock->at--;
    *shift = clock->reading_count > 0 ? readings[clock->at].shift : 0;
    return clock->reading_count > 0;
}

/* Where the trace's clock is not among those of a snapshot, another is that was once beside it. */
ocelotl_status perfetto_take_snapshot(perfetto_reader *reader, oc_bytes_reader snapshot)
{
    static const unsigned char numbers[] = {1, 2, 3, 4, 0};
    enum { ID, STAMP, IS_INCREMENTAL, UNIT, FIELDS };
    oc_field field, of[FIELDS];
    uint32_t clocks[MOST];
    int64_t times[MOST], shift = 0;
    size_t count = 0;
    bool is_known = false;
    for (oc_bytes_reader all = snapshot; oc_field_next(&field, &all);)
        if (field.number == 2 && field.value > 0)
            reader->trace_clock = field.value;
    while (count < MOST && oc_field_next(&field, &snapshot)) {
        if (field.number != 1)
            continue;
        OC_TRY(oc_fields_read(of, numbers, oc_field_message(&field), "clock"));
        OC_TRY(find_clock(&clocks[count], reader, of[ID].value));
        perfetto_clock *clock = &reader->clocks[clocks[count]];
        clock->unit = of[UNIT].value > 0 ? of[UNIT].value : 1;
        clock->is_incremental = of[IS_INCREMENTAL].value != 0;
        OC_TRY(scale(&times[count], of[STAMP].value, clock->unit));
        clock->last = times[count];
        if (of[ID].value == reader->trace_clock) {
            is_known = true;
            shift = times[count];
        } else if (!is_known && find_shift(&shift, clock, times[count])) {
            is_known = true;
            OC_TRY(check(oc_add_times(&shift, shift, times[count])));
        }
        count++;
    }
    for (size_t i = 0; is_known && i < count; i++) {
        perfetto_clock *clock = &reader->clocks[clocks[i]];
        OC_TRY(oc_grow(&clock->readings, &clock->reading_capacity, clock->reading_count + 1,
                       sizeof *clock->readings));
        perfetto_reading *reading = &clock->readings[clock->reading_count];
        reading->time = times[i];
        OC_TRY(check(oc_add_times(&reading->shift, shift, -times[i])));
        clock->reading_count++;
    }
    return oc_fields_check(&snapshot, "clock_snapshot");
}

ocelotl_status perfetto_time(int64_t *time, perfetto_reader *reader, uint64_t id, uint64_t stamp)
{
    uint32_t number;
    int64_t shift = 0;
    if (id == reader->trace_clock) {
        OC_TRY(scale(time, stamp, 1));
    } else {
        OC_TRY(find_clock(&number, reader, id));
        perfetto_clock *clock = &reader->clocks[number];
        OC_TRY(scale(time, stamp, clock->unit));
        OC_TRY(
            scale(time, (uint64_t)*time + (clock->is_incremental ? (uint64_t)clock->last : 0), 1));
        clock->last = *time;
        if (!find_shift(&shift, clock, *time))
            oc_ingest_note(&reader->ingest, PERFETTO_CLOCK_UNKNOWN);
        OC_TRY(check(oc_add_times(time, *time, shift)));
    }
    reader->last = *time > reader->last ? *time : reader->last;
    return OCELOTL_OK;
}

ocelotl_status perfetto_origin(bool *is_known, int64_t *origin, perfetto_reader *reader)
{
    uint32_t real;
    OC_TRY(find_clock(&real, reader, REALTIME));
    *is_known = find_shift(origin, &reader->clocks[real], 0);
    *origin = *origin > INT64_MIN ? -*origin : INT64_MAX;
    return OCELOTL_OK;
}

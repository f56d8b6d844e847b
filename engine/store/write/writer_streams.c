/* Events on their way into streams: by resource and type, or by a stream that is looked up once. */
#include "store/write/writer.h"

#include <inttypes.h>
#include <math.h>

_Static_assert((int)OCELOTL_ROLE_EVENTS == OC_ROLE_EVENTS, "the roles are those of the file");
_Static_assert((int)OCELOTL_ROLE_STATES == OC_ROLE_STATES, "the roles are those of the file");
_Static_assert((int)OCELOTL_ROLE_VARIABLE == OC_ROLE_VARIABLE, "the roles are those of the file");
_Static_assert((int)OCELOTL_ROLE_LINKS_OUT == OC_ROLE_LINKS_OUT, "the roles are those of the file");
_Static_assert((int)OCELOTL_ROLE_LINKS_IN == OC_ROLE_LINKS_IN, "the roles are those of the file");

static const ocelotl_category categories[] = {
    [OCELOTL_ROLE_EVENTS] = OCELOTL_EVENT,      [OCELOTL_ROLE_STATES] = OCELOTL_STATE,
    [OCELOTL_ROLE_VARIABLE] = OCELOTL_VARIABLE, [OCELOTL_ROLE_LINKS_OUT] = OCELOTL_LINK,
    [OCELOTL_ROLE_LINKS_IN] = OCELOTL_LINK,
};

ocelotl_status ocelotl_writer_stream(uint32_t *stream, ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, ocelotl_role role)
{
    if (role > OCELOTL_ROLE_LINKS_IN)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a stream has the role %d, expected 0 to 4",
                       (int)role);
    OC_TRY(oc_writer_check_event(writer, resource, event_type, categories[role], OCELOTL_NONE,
                                 &oc_no_attributes));
    return oc_writer_find_stream(stream, writer, resource, event_type, (oc_role)role);
}

uint32_t ocelotl_writer_known_stream(const ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, ocelotl_role role)
{
    return oc_writer_known_stream(writer, resource, event_type, (oc_role)role);
}

uint32_t ocelotl_writer_stream_count(const ocelotl_writer *writer)
{
    return (uint32_t)writer->stream_count;
}

uint32_t ocelotl_writer_stream_open_states(const ocelotl_writer *writer, uint32_t stream)
{
    return stream < writer->stream_count && writer->streams[stream].role == OC_ROLE_STATES
               ? writer->streams[stream].open_count
               : 0;
}

void ocelotl_writer_expect(const ocelotl_writer *writer, uint32_t later, uint32_t soon)
{
    if (later < writer->stream_count) {
        __builtin_prefetch(&writer->streams[later]);
        __builtin_prefetch(&writer->streams[later].is_over);
    }
    if (soon < writer->stream_count) {
        const oc_packing *packing = &writer->streams[soon].packing;
        if (packing->bytes != NULL) /* nothing may be added to NULL, not even 0 */
            __builtin_prefetch(packing->bytes + packing->length);
    }
}

/* Whether a state's begin or end is in order, and nothing has to be known of it but its time. */
static inline bool is_plain(const ocelotl_writer *writer, const oc_writer_stream *stream,
                            int64_t time)
{
    int64_t length;
    int64_t sum;
    const int64_t end = time > writer->end ? time : writer->end;
    return stream->count > 0 && time >= stream->packing.end && !stream->is_over &&
           stream->exact == NULL && !writer->broken &&
           !__builtin_sub_overflow(end, writer->begin, &length) &&
           !__builtin_mul_overflow(length, (int64_t)(stream->count + 1), &sum);
}

/* Adds most records: states that begin without attributes, and innermost states that end. */
static inline ocelotl_status add_state(ocelotl_writer *writer, uint32_t index, int64_t time,
                                       uint64_t code)
{
    oc_writer_stream *stream = &writer->streams[index];
    const uint32_t allocated = stream->packing.capacity;
    const ocelotl_status status = oc_packing_add_state(&stream->packing, time, code);
    if (status != OCELOTL_OK) {
        writer->broken = true;
        return status;
    }
    writer->open_bytes += stream->packing.capacity - allocated;
    stream->count++;
    if (code == OC_CODE_END)
        stream->open_count--;
    else
        stream->open_count++;
    if (time > writer->end)
        writer->end = time;
    return OCELOTL_OK;
}

/* Adds a plain record. Half a record cannot be taken back here either. */
static inline ocelotl_status add_plain(ocelotl_writer *writer, uint32_t stream, int64_t time,
                                       uint64_t code)
{
    OC_TRY(add_state(writer, stream, time, code));
    const ocelotl_status status = oc_writer_after_record(writer, stream);
    writer->broken = writer->broken || status != OCELOTL_OK;
    return status;
}

static inline ocelotl_status push(ocelotl_writer *writer, uint32_t stream, uint32_t value,
                                  int64_t time, const oc_writer_attributes *attributes)
{
    const oc_writer_stream *known = &writer->streams[stream];
    if (known->role == OC_ROLE_STATES && attributes->count == 0 && is_plain(writer, known, time)) {
        OC_TRY(add_plain(writer, stream, time, (uint64_t)value + 1 + OC_CODE_BEGIN));
        writer->event_types[writer->streams[stream].event_type].count++;
        return OCELOTL_OK;
    }
    OC_TRY(
        oc_writer_append(writer, stream, &(oc_record){.time = time, .value = value}, attributes));
    writer->event_types[writer->streams[stream].event_type].count++;
    return OCELOTL_OK;
}

static inline ocelotl_status pop(ocelotl_writer *writer, uint32_t stream, uint32_t depth,
                                 int64_t time, const oc_writer_attributes *attributes)
{
    if (depth == 0 && attributes->count == 0 && is_plain(writer, &writer->streams[stream], time))
        return add_plain(writer, stream, time, OC_CODE_END);
    return oc_writer_append(writer, stream,
                            &(oc_record){.time = time, .ends = true, .depth = depth}, attributes);
}

static ocelotl_status check_value(double value)
{
    return fabs(value) <= OCELOTL_LARGEST_VALUE
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "value is %g, expected a finite number up to %g",
                         value, OCELOTL_LARGEST_VALUE);
}

static ocelotl_status append_step(ocelotl_writer *writer, uint32_t index, int64_t time,
                                  double value, const oc_writer_attributes *attributes)
{
    OC_TRY(check_value(value));
    const oc_writer_stream *stream = &writer->streams[index];
    const bool is_step = stream->count == 0 || stream->packing.end != time;
    OC_TRY(oc_writer_append(writer, index,
                            &(oc_record){.time = time, .value = OCELOTL_NONE, .number = value},
                            attributes));
    writer->event_types[writer->streams[index].event_type].count += is_step;
    return OCELOTL_OK;
}

/* --- Counters */

static const char wraps[] = "counters that wrapped (go on counting)";
static const char resets[] = "counters that were reset (go on counting)";
static const char negatives[] = "increments below 0 (add nothing)";

static void add_increment(oc_writer_counted *counted, const char **oddity, double value)
{
    *oddity = value < 0 ? negatives : NULL;
    counted->sum += value > 0 ? value : 0;
}

/* A register of w bits that falls by more than half of its range has run through its end. */
static void accumulate(oc_writer_counted *counted, const char **oddity, double value)
{
    static const double ranges[] = {0x1p32, 0x1p40, 0x1p48, 0x1p64};
    size_t width = 0;
    while (width + 1 < sizeof ranges / sizeof ranges[0] && counted->largest >= ranges[width])
        width++;
    const double fall = counted->last - value;
    const bool wrapped = counted->largest < ranges[width] && fall > ranges[width] / 2;
    *oddity = fall <= 0 ? NULL : wrapped ? wraps : resets;
    if (fall > 0)
        counted->offset = wrapped ? counted->offset + ranges[width] : counted->sum;
    const double sum = counted->offset + value;
    counted->sum = sum > counted->sum ? sum : counted->sum;
    counted->last = value;
    counted->largest = value > counted->largest ? value : counted->largest;
}

static ocelotl_status warn_of_step(ocelotl_writer *writer, const oc_writer_stream *stream,
                                   int64_t time, const char *oddity)
{
    oc_text detail = {0};
    oc_text_format(
        &detail, "the first is \"%s\" of \"%s\" at %.9g s",
        writer->event_types[stream->event_type].name, writer->resources[stream->resource].name,
        (double)time * (double)writer->tick_numerator / (double)writer->tick_denominator);
    const ocelotl_status status =
        detail.failed ? oc_fail_memory() : oc_writer_warn(writer, oddity, 1, detail.bytes, true);
    oc_text_free(&detail);
    return status;
}

/* Adds the sum that a counter has grown to. */
static ocelotl_status add_count(ocelotl_writer *writer, uint32_t index, int64_t time, double value,
                                const oc_writer_attributes *attributes)
{
    const oc_writer_stream *stream = &writer->streams[index];
    const oc_writer_resource *resource = &writer->resources[stream->resource];
    const bool increments = writer->event_types[stream->event_type].kind == OCELOTL_INCREMENT;
    oc_writer_counted counted = {.last = value, .largest = value, .sum = increments ? 0 : value};
    const char *oddity = NULL;
    if (stream->counted != NULL)
        counted = *stream->counted;
    else if (increments && resource->begin < time)
        OC_TRY(append_step(writer, index, resource->begin, 0, &oc_no_attributes));
    if (increments)
        add_increment(&counted, &oddity, value);
    else
        accumulate(&counted, &oddity, value);
    if (!(fabs(counted.sum) <= OCELOTL_LARGEST_VALUE))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the counter \"%s\" of \"%s\" adds up to %g, expected up to %g",
                       writer->event_types[stream->event_type].name, resource->name, counted.sum,
                       OCELOTL_LARGEST_VALUE);
    OC_TRY(append_step(writer, index, time, counted.sum, attributes));
    oc_writer_stream *counting = &writer->streams[index];
    if (counting->counted == NULL)
        OC_TRY(oc_arena_allocate(&counting->counted, &writer->arena, 1, sizeof counted));
    *counting->counted = counted;
    return oddity != NULL ? warn_of_step(writer, counting, time, oddity) : OCELOTL_OK;
}

static inline ocelotl_status add_step(ocelotl_writer *writer, uint32_t index, int64_t time,
                                      double value, const oc_writer_attributes *attributes)
{
    return writer->event_types[writer->streams[index].event_type].kind == OCELOTL_LEVEL
               ? append_step(writer, index, time, value, attributes)
               : add_count(writer, index, time, value, attributes);
}

ocelotl_status ocelotl_writer_push(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                   uint32_t value, int64_t time,
                                   const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t stream;
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(oc_writer_check_event(writer, resource, event_type, OCELOTL_STATE, value, &carried));
    if (value == OCELOTL_NONE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a state without a value");
    OC_TRY(oc_writer_find_stream(&stream, writer, resource, event_type, OC_ROLE_STATES));
    return push(writer, stream, value, time, &carried);
}

ocelotl_status ocelotl_writer_pop(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                  uint32_t depth, int64_t time,
                                  const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t stream;
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(
        oc_writer_check_event(writer, resource, event_type, OCELOTL_STATE, OCELOTL_NONE, &carried));
    stream = oc_writer_known_stream(writer, resource, event_type, OC_ROLE_STATES);
    const uint32_t open = stream == OCELOTL_NONE ? 0 : writer->streams[stream].open_count;
    if (depth >= open)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" has %" PRIu32 " open states, expected more than %" PRIu32,
                       writer->resources[resource].name, open, depth);
    return pop(writer, stream, depth, time, &carried);
}

uint32_t ocelotl_writer_open_states(const ocelotl_writer *writer, uint32_t resource,
                                    uint32_t event_type)
{
    const uint32_t stream = oc_writer_known_stream(writer, resource, event_type, OC_ROLE_STATES);
    return stream == OCELOTL_NONE ? 0 : writer->streams[stream].open_count;
}

ocelotl_status ocelotl_writer_event(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                    uint32_t value, int64_t time,
                                    const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t stream;
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(oc_writer_check_event(writer, resource, event_type, OCELOTL_EVENT, value, &carried));
    OC_TRY(oc_writer_find_stream(&stream, writer, resource, event_type, OC_ROLE_EVENTS));
    return push(writer, stream, value, time, &carried);
}

ocelotl_status ocelotl_writer_variable(ocelotl_writer *writer, uint32_t resource,
                                       uint32_t event_type, int64_t time, double value,
                                       const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t stream;
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(oc_writer_check_event(writer, resource, event_type, OCELOTL_VARIABLE, OCELOTL_NONE,
                                 &carried));
    OC_TRY(check_value(value));
    OC_TRY(oc_writer_find_stream(&stream, writer, resource, event_type, OC_ROLE_VARIABLE));
    return add_step(writer, stream, time, value, &carried);
}

static ocelotl_status fail_stream(const ocelotl_writer *writer, uint32_t stream)
{
    OC_TRY(oc_writer_check(writer));
    if (stream >= writer->stream_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "stream %" PRIu32 " has not been made", stream);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "stream %" PRIu32 " of \"%s\" has another role, expected one for what is given",
                   stream, writer->event_types[writer->streams[stream].event_type].name);
}

static inline ocelotl_status check_stream(const ocelotl_writer *writer, uint32_t stream,
                                          oc_role role)
{
    return stream < writer->stream_count && writer->streams[stream].role == role &&
                   !writer->finished && !writer->broken
               ? OCELOTL_OK
               : fail_stream(writer, stream);
}

/* Whether a stream has a role, and may have a value and attributes. */
static inline ocelotl_status check(const ocelotl_writer *writer, uint32_t stream, oc_role role,
                                   uint32_t value, const oc_writer_attributes *attributes)
{
    OC_TRY(check_stream(writer, stream, role));
    const uint32_t event_type = writer->streams[stream].event_type;
    if (value != OCELOTL_NONE &&
        (value >= writer->value_count || writer->values[value].event_type != event_type))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "value %" PRIu32 " is not one of \"%s\"", value,
                       writer->event_types[event_type].name);
    return attributes->count == 0
               ? OCELOTL_OK
               : oc_writer_check_attributes(&writer->event_types[event_type], attributes);
}

ocelotl_status ocelotl_writer_stream_push(ocelotl_writer *writer, uint32_t stream, uint32_t value,
                                          int64_t time, const ocelotl_attribute_value *attributes,
                                          size_t count)
{
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(check(writer, stream, OC_ROLE_STATES, value, &carried));
    if (value == OCELOTL_NONE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a state without a value");
    return push(writer, stream, value, time, &carried);
}

ocelotl_status ocelotl_writer_stream_pop(ocelotl_writer *writer, uint32_t stream, int64_t time,
                                         const ocelotl_attribute_value *attributes, size_t count)
{
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(check(writer, stream, OC_ROLE_STATES, OCELOTL_NONE, &carried));
    if (writer->streams[stream].open_count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" has no open state, expected one to end",
                       writer->resources[writer->streams[stream].resource].name);
    return pop(writer, stream, 0, time, &carried);
}

ocelotl_status ocelotl_writer_stream_event(ocelotl_writer *writer, uint32_t stream, uint32_t value,
                                           int64_t time, const ocelotl_attribute_value *attributes,
                                           size_t count)
{
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(check(writer, stream, OC_ROLE_EVENTS, value, &carried));
    return push(writer, stream, value, time, &carried);
}

ocelotl_status ocelotl_writer_stream_variable(ocelotl_writer *writer, uint32_t stream, int64_t time,
                                              double value,
                                              const ocelotl_attribute_value *attributes,
                                              size_t count)
{
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(check(writer, stream, OC_ROLE_VARIABLE, OCELOTL_NONE, &carried));
    return add_step(writer, stream, time, value, &carried);
}

ocelotl_status ocelotl_writer_stream_link_begin(uint64_t *link, ocelotl_writer *writer,
                                                uint32_t stream, uint32_t value, int64_t time,
                                                const ocelotl_attribute_value *attributes,
                                                size_t count)
{
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(check(writer, stream, OC_ROLE_LINKS_OUT, value, &carried));
    return oc_writer_link_begin(link, writer, stream, value, time, &carried);
}

ocelotl_status ocelotl_writer_stream_link_end(ocelotl_writer *writer, uint64_t link,
                                              uint32_t stream, int64_t end,
                                              const ocelotl_attribute_value *attributes,
                                              size_t count)
{
    const oc_writer_attributes carried = {attributes, count};
    const uint64_t source = link >> OC_LINK_BITS;
    OC_TRY(check(writer, stream, OC_ROLE_LINKS_IN, OCELOTL_NONE, &carried));
    if (source < writer->stream_count &&
        writer->streams[source].event_type != writer->streams[stream].event_type)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a link of \"%s\" ends in a stream of \"%s\"",
                       writer->event_types[writer->streams[source].event_type].name,
                       writer->event_types[writer->streams[stream].event_type].name);
    return oc_writer_link_end(writer, link, stream, end, &carried);
}

/* Counts the links of a type that end before they begin, from what chunks record about
 * themselves. */
#include "base/memory.h"
#include "quality/causality.h"
#include "store/read/reader.h"

static ocelotl_status count_stream(uint64_t *count, oc_reader *reader, uint32_t stream)
{
    OC_TRY(oc_reader_select(reader, stream));
    for (size_t c = 0; c < reader->chunk_count; c++) {
        double low, high;
        OC_TRY(oc_reader_extremes(&low, &high, reader, c));
        if (low >= 0 || low > high)
            continue;
        OC_TRY(oc_reader_read(reader, c, true));
        /* links without a begin that are noted late have a negative duration, too */
        for (size_t i = 0; i < reader->records.count; i++)
            *count += reader->records.records[i].partner != OCELOTL_NONE &&
                      reader->records.records[i].duration < 0;
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_trace_count_tachyons(uint64_t *count, ocelotl_trace *trace,
                                            uint32_t event_type)
{
    oc_reader reader = {.connection = oc_connection_of(trace)};
    uint64_t found = 0;
    ocelotl_status status = OCELOTL_OK;
    if (event_type >= trace->event_type_count ||
        trace->event_types[event_type].category != OCELOTL_LINK)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: event type %u is not one of links",
                       trace->label, event_type);
    for (uint32_t s = 0; s < trace->stream_count && status == OCELOTL_OK; s++)
        if (trace->streams[s].event_type == event_type &&
            trace->streams[s].role == OC_ROLE_LINKS_IN)
            status = count_stream(&found, &reader, s);
    oc_reader_free(&reader);
    OC_TRY(oc_fail_in_trace(trace, status));
    *count = found;
    return OCELOTL_OK;
}

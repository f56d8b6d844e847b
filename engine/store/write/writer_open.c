/* Ends what is still open when its resource ends, or the trace. */
#include "store/write/writer.h"

ocelotl_status oc_writer_close_states(ocelotl_writer *writer, uint32_t index, int64_t time)
{
    while (writer->streams[index].role == OC_ROLE_STATES && writer->streams[index].open_count > 0)
        OC_TRY(oc_writer_append(writer, index, &(oc_record){.time = time, .ends = true},
                                &oc_no_attributes));
    return OCELOTL_OK;
}

/* A link that never ends has no known time in flight: its end is where it began, with nobody at it.
 */
ocelotl_status oc_writer_close_links(ocelotl_writer *writer, uint32_t index, int64_t time)
{
    const uint32_t event_type = writer->streams[index].event_type;
    while (writer->streams[index].role == OC_ROLE_LINKS_OUT &&
           writer->streams[index].open_count > 0) {
        const oc_writer_stream *stream = &writer->streams[index];
        const int64_t begin = stream->open[oc_writer_open_end(stream) - 1].begin;
        OC_TRY(oc_writer_append(
            writer, index,
            &(oc_record){
                .time = time, .ends = true, .partner = OCELOTL_NONE, .duration = begin - time},
            &oc_no_attributes));
        writer->event_types[event_type].unmatched++;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_writer_close_stream(ocelotl_writer *writer, uint32_t index)
{
    oc_writer_stream *stream = &writer->streams[index];
    const oc_writer_resource *resource = &writer->resources[stream->resource];
    const int64_t end = resource->ended ? resource->end : writer->end;
    /* One whose only event was refused. */
    if (stream->count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_writer_close_states(writer, index, end));
    OC_TRY(oc_writer_close_links(writer, index, end));
    stream->end = end;
    return oc_writer_flush(writer, index);
}

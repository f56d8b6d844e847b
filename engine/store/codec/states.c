#include "store/codec/states.h"

/* Passes over numbers: each has one byte below 0x80, its last. */
static void skip_numbers(oc_bytes_reader *reader, size_t count)
{
    const uint64_t high_bits = 0x8080808080808080u;
    const uint64_t ones = high_bits >> 7;
    while (count > 8 && reader->end - reader->next >= 8) {
        uint64_t eight;
        memcpy(&eight, reader->next, sizeof eight);
        count -= (size_t)((((~eight & high_bits) >> 7) * ones) >> 56);
        reader->next += 8;
    }
    for (; count > 0 && reader->next < reader->end; reader->next++)
        count -= *reader->next < 0x80;
    reader->failed = reader->failed || count > 0;
}

ocelotl_status oc_states_begin(oc_states_at *at, const oc_blob_opener *columns, uint64_t unit)
{
    oc_bytes_reader bytes = oc_bytes_read(columns->columns, columns->length);
    *at = (oc_states_at){.end = bytes.end, .unit = unit, .count = oc_bytes_count(&bytes)};
    at->times = bytes.next;
    skip_numbers(&bytes, at->count);
    at->codes = bytes.next;
    skip_numbers(&bytes, at->count);
    at->depths = bytes.next;
    if (at->count == 0 || bytes.failed)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: no records");
    return oc_states_read_time(at)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: time goes back");
}

bool oc_states_read_depth(uint64_t *depth, oc_states_at *at)
{
    oc_bytes_reader bytes = {at->depths, at->end, false};
    *depth = oc_bytes_unsigned(&bytes);
    at->depths = bytes.next;
    return !bytes.failed;
}

/* An archive of a machine whose bytes have the other order gives the same trace. No such machine is
 * at hand: the bytes of an archive are turned around. */
#include "test_otf2_archive.h"

#include <ocelotl/trace.h>

enum { BIG = '#', HEAD = 18, TIME = 5, END_OF_CHUNK = 2 };

static void turn(char *bytes, size_t size)
{
    for (size_t i = 0; i < size / 2; i++) {
        const char first = bytes[i];
        bytes[i] = bytes[size - 1 - i];
        bytes[size - 1 - i] = first;
    }
}

/* Numbers below 256 are one byte in records, so that only times and the head are turned. */
static void turn_records(const made *of, const char *name, bool has_times)
{
    size_t length;
    const char *path = made_path(of, name);
    char *bytes = temporary_read(&length, path);
    bytes[1] = BIG;
    turn(bytes + 2, 8);
    turn(bytes + 10, 8);
    for (size_t at = HEAD; at < length && (unsigned char)bytes[at] > END_OF_CHUNK;) {
        const bool is_time = has_times && bytes[at] == TIME;
        if (is_time)
            turn(bytes + at + 1, 8);
        CHECK((unsigned char)bytes[at + 1] < 255 || is_time);
        at += is_time ? 9 : 2 + (size_t)(unsigned char)bytes[at + 1];
    }
    temporary_write(path, bytes, length);
    free(bytes);
}

/* Sizes and counts, three texts, the number of properties, an id. */
static void turn_anchor(const made *of)
{
    static const size_t numbers[] = {12, 20, 30, 38};
    size_t length;
    const char *path = made_path(of, "run.otf2");
    char *bytes = temporary_read(&length, path);
    size_t at = 46;
    bytes[1] = BIG;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        turn(bytes + numbers[i], 8);
    for (size_t i = 0; i < 3; i++)
        at += strlen(bytes + at) + 1;
    turn(bytes + at, 4);
    turn(bytes + at + 4, 8);
    temporary_write(path, bytes, length);
    free(bytes);
}

static void write_rank(OTF2_EvtWriter *to, uint32_t rank)
{
    for (uint64_t i = 0; i < 100; i++) {
        const OTF2_TimeStamp time = ((uint64_t)1 << 40) + 1000 * i;
        OTF2_EvtWriter_Enter(to, NULL, time, 1 + rank);
        if (rank == 0)
            OTF2_EvtWriter_MpiSend(to, NULL, time + 10, 1, 0, (uint32_t)i, 200);
        else
            OTF2_EvtWriter_MpiRecv(to, NULL, time + 20, 0, 0, (uint32_t)i, 200);
        OTF2_EvtWriter_Leave(to, NULL, time + 500, 1 + rank);
    }
}

static void import(char uid[64], const char *path)
{
    CHECK_OK(ocelotl_import(temporary_path("run.db"), path, NULL));
    ocelotl_trace *trace = must_open(temporary_path("run.db"));
    CHECK(ocelotl_trace_event_type_at(trace, 0).count == 200);
    snprintf(uid, 64, "%s", ocelotl_trace_info_of(trace).uid);
    ocelotl_trace_free(trace);
    CHECK(unlink(temporary_path("run.db")) == 0);
}

int main(void)
{
    made of;
    char little[64], big[64];
    temporary_begin();
    made_locations[1] = 9;
    made_far_region = 200;
    made_open(&of, "archive");
    write_rank(of.events[0], 0);
    write_rank(of.events[1], 1);
    made_close(&of, false);
    import(little, of.folder);
    turn_anchor(&of);
    turn_records(&of, "run.def", false);
    turn_records(&of, "run/7.evt", true);
    turn_records(&of, "run/9.evt", true);
    turn_records(&of, "run/3.evt", true);
    turn_records(&of, "run/7.def", false);
    turn_records(&of, "run/9.def", false);
    turn_records(&of, "run/3.def", false);
    import(big, of.folder);
    CHECK_TEXT(big, little);
    import(big, made_path(&of, "run.otf2"));
    CHECK_TEXT(big, little);
    made_remove(of.folder);
    return 0;
}

/* Traces of Perfetto: packets, each of a sequence that has a state of its own.
 * docs/formats/perfetto.md says what becomes of each. */
#include "base/file/compression.h"
#include "base/memory.h"
#include "importers/perfetto/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOOTTIME = 6, NEEDS_STATE = 2, LARGEST = 256 << 20 };

static const char no_event[] = "holds no event, expected some";

static const char *const oddity_names[] = {
    [PERFETTO_CLOCK_UNKNOWN - OC_COMMON_ODDITIES] =
        "time of a clock that no snapshot relates to the trace's (taken as it is)",
    [PERFETTO_NAME_UNKNOWN - OC_COMMON_ODDITIES] =
        "number of a name that was not sent (without a name)",
    [PERFETTO_TRACK_UNKNOWN - OC_COMMON_ODDITIES] =
        "track that is used before it is described (named by its number, until it is)",
    [PERFETTO_TRACK_CIRCLE - OC_COMMON_ODDITIES] = "track that is inside itself (left where it is)",
    [PERFETTO_MANY_ATTRIBUTES - OC_COMMON_ODDITIES] =
        "argument of an event behind 128 others (left out)",
    [PERFETTO_EVENTS_LOST - OC_COMMON_ODDITIES] = "place where events of the kernel were lost",
    [PERFETTO_SWITCH_MISSED - OC_COMMON_ODDITIES] =
        "thread that ran without a switch to it (running from then on)",
};

/* Contents of packets by their field, and why they are left out. */
static const struct {
    uint32_t number;
    const char *name, *why;
} contents[] = {
    {1, "ftrace_events", NULL},
    {2, "process_tree", NULL},
    {5, "chrome_events", "it is of an older format"},
    {6, "clock_snapshot", NULL},
    {7, "sys_stats", "it is of the whole machine"},
    {9, "process_stats", "it is of memory"},
    {11, "track_event", NULL},
    {33, "trace_config", "it says how the trace was made"},
    {34, "ftrace_stats", "it says how the trace was made"},
    {35, "trace_stats", "it says how the trace was made"},
    {36, "synchronization_marker", "it says nothing"},
    {37, "profile_packet", "samples have no duration"},
    {39, "android_log", "it is a log"},
    {43, "process_descriptor", NULL},
    {44, "thread_descriptor", NULL},
    {45, "system_info", "it says how the trace was made"},
    {47, "packages_list", "it says how the trace was made"},
    {50, "compressed_packets", NULL},
    {51, "chrome_metadata", "it says how the trace was made"},
    {54, "streaming_profile_packet", "samples have no duration"},
    {60, "track_descriptor", NULL},
    {66, "perf_sample", "samples have no duration"},
    {69, "service_event", "it says how the trace was made"},
    {89, "trace_uuid", "it says how the trace was made"},
    {133, "zstd_compressed_packets", NULL},
};

/* --- The state of sequences */

static ocelotl_status take_defaults(perfetto_reader *reader, oc_bytes_reader message)
{
    oc_field field, of;
    perfetto_sequence *sequence = reader->sequence;
    sequence->clock = 0;
    sequence->has_track = false;
    memset(sequence->extra, 0, sizeof sequence->extra);
    while (oc_field_next(&field, &message)) {
        size_t counts[2] = {0};
        if (field.number == 58)
            sequence->clock = (uint32_t)field.value;
        oc_bytes_reader events = oc_field_message(&field);
        while (field.number == 11 && oc_field_next(&of, &events)) {
            const bool is_double = of.number == 45;
            uint64_t *extra = sequence->extra[is_double];
            if (of.number == 11) {
                sequence->track = of.value;
                sequence->has_track = true;
            }
            for (size_t at = 0; (of.number == 31 || is_double) &&
                                counts[is_double] < PERFETTO_EXTRA &&
                                oc_field_numbers(&extra[counts[is_double]], &at, &of, false);)
                counts[is_double]++;
        }
        OC_TRY(oc_fields_check(&events, "track_event_defaults"));
    }
    return oc_fields_check(&message, "trace_packet_defaults");
}

static ocelotl_status find_sequence(perfetto_reader *reader, uint64_t id)
{
    uint32_t number;
    OC_TRY(perfetto_number(&number, reader, OF_SEQUENCE, 0, id, reader->sequence_count));
    if (number == OC_MAP_NONE) {
        OC_TRY(oc_grow(&reader->sequences, &reader->sequence_capacity, reader->sequence_count + 1,
                       sizeof *reader->sequences));
        number = (uint32_t)reader->sequence_count++;
        reader->sequences[number] = (perfetto_sequence){.state = 1, .is_lost = true};
    }
    reader->sequence = &reader->sequences[number];
    reader->sequence_number = number;
    return OCELOTL_OK;
}

/* --- Packets */

static ocelotl_status read_packets(perfetto_reader *reader, oc_bytes_reader all);

static ocelotl_status inflate_packets(perfetto_reader *reader, const oc_field *field)
{
    if (reader->inflated.length > 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "compressed packets inside such, expected plain ones");
    ocelotl_status status =
        oc_decode_bytes(&reader->inflated, field->bytes, field->length, LARGEST);
    if (status == OCELOTL_OK)
        status =
            read_packets(reader, oc_bytes_read(reader->inflated.bytes, reader->inflated.length));
    oc_text_clear(&reader->inflated);
    return status;
}

static ocelotl_status take_content(perfetto_reader *reader, const perfetto_packet *packet)
{
    const oc_field *content = &packet->content;
    const oc_bytes_reader message = oc_field_message(content);
    int64_t process;
    switch (content->number) {
    case 1:
        return perfetto_take_ftrace(reader, message);
    case 2:
        return perfetto_take_tree(reader, message);
    case 6:
        return perfetto_take_snapshot(reader, message);
    case 11:
        return perfetto_take_event(reader, packet);
    case 43:
        return perfetto_take_process(&process, reader, message);
    case 44:
        reader->sequence->has_thread = true;
        return perfetto_take_thread(&reader->sequence->thread, &reader->sequence->reference, reader,
                                    message);
    case 50:
    case 133:
        return inflate_packets(reader, content);
    case 60:
        return perfetto_take_descriptor(reader, message);
    default:
        return OCELOTL_OK;
    }
}

/* Counts a packet that is no event: those count themselves. */
static ocelotl_status count_content(perfetto_reader *reader, uint32_t number)
{
    char name[32];
    size_t i = 0;
    if (number == 1 || number == 11)
        return OCELOTL_OK;
    while (i < sizeof contents / sizeof *contents && contents[i].number != number)
        i++;
    if (i < sizeof contents / sizeof *contents)
        return perfetto_count(reader, 0, number, contents[i].name,
                              contents[i].why != NULL ? OCELOTL_FATE_LEFT_OUT
                                                      : OCELOTL_FATE_DEFINITION,
                              contents[i].why);
    snprintf(name, sizeof name, "packet %u", number);
    return perfetto_count(reader, 0, number, name, OCELOTL_FATE_LEFT_OUT,
                          "it is of a kind that is not known");
}

/* The content is the field that nothing else is known of. */
static ocelotl_status read_packet(perfetto_packet *packet, oc_bytes_reader message)
{
    oc_field field;
    *packet = (perfetto_packet){0};
    while (oc_field_next(&field, &message)) {
        static const unsigned char places[] = {
            [3] = 1 + PERFETTO_SENDER,    [8] = 1 + PERFETTO_TIME,    [10] = 1 + PERFETTO_SEQUENCE,
            [12] = 1 + PERFETTO_INTERNED, [13] = 1 + PERFETTO_FLAGS,  [41] = 1 + PERFETTO_CLEARED,
            [42] = 1 + PERFETTO_DROPPED,  [58] = 1 + PERFETTO_CLOCK,  [59] = 1 + PERFETTO_DEFAULTS,
            [79] = 1 + PERFETTO_SENDER,   [87] = 1 + PERFETTO_SENDER, [98] = 1 + PERFETTO_SENDER};
        const unsigned place = field.number < sizeof places ? places[field.number] : 0;
        *(place == 0 ? &packet->content : &packet->of[place - 1]) = field;
    }
    return oc_fields_check(&message, "packet");
}

static ocelotl_status take_packet(perfetto_reader *reader, oc_bytes_reader message)
{
    perfetto_packet packet;
    const oc_field *of = packet.of;
    OC_TRY(read_packet(&packet, message));
    OC_TRY(find_sequence(reader, of[PERFETTO_SEQUENCE].value));
    perfetto_sequence *sequence = reader->sequence;
    const uint64_t flags = of[PERFETTO_FLAGS].value;
    sequence->is_lost = sequence->is_lost || of[PERFETTO_DROPPED].value != 0;
    if (of[PERFETTO_CLEARED].value != 0 || (flags & 1) != 0)
        *sequence = (perfetto_sequence){.state = sequence->state + 1,
                                        .thread = sequence->thread,
                                        .has_thread = sequence->has_thread,
                                        .reference = sequence->reference};
    if (sequence->is_lost && (flags & NEEDS_STATE) != 0)
        return oc_ingest_count(&reader->ingest, "packet without its state", OCELOTL_FATE_LEFT_OUT,
                               "what it refers to was lost");
    if (of[PERFETTO_DEFAULTS].number != 0)
        OC_TRY(take_defaults(reader, oc_field_message(&of[PERFETTO_DEFAULTS])));
    if (of[PERFETTO_INTERNED].number != 0)
        OC_TRY(perfetto_keep_names(reader, oc_field_message(&of[PERFETTO_INTERNED])));
    packet.clock = of[PERFETTO_CLOCK].number != 0 ? of[PERFETTO_CLOCK].value
                   : sequence->clock != 0         ? sequence->clock
                                                  : reader->trace_clock;
    if (packet.content.number == 0)
        return perfetto_count(reader, 0, 0, "packet of names", OCELOTL_FATE_DEFINITION, NULL);
    OC_TRY(take_content(reader, &packet));
    return count_content(reader, packet.content.number);
}

/* Takes a packet; a broken one is an error with its place, or skipped. */
static ocelotl_status take(perfetto_reader *reader, oc_bytes_reader packet)
{
    oc_ingest *ingest = &reader->ingest;
    ingest->line = oc_place_in_line(++reader->packets, reader->fields.offset);
    if (reader->packets % 1024 == 0)
        OC_TRY(oc_ingest_report(ingest, reader->fields.input));
    const ocelotl_status status = take_packet(reader, packet);
    const bool is_inside = reader->inflated.length > 0 && !ingest->oddities.lenient;
    return status == OCELOTL_OK || is_inside
               ? status
               : oc_oddities_skip(&ingest->oddities, status, ingest->path, ingest->line);
}

static ocelotl_status read_packets(perfetto_reader *reader, oc_bytes_reader all)
{
    oc_field field;
    while (oc_field_next(&field, &all))
        if (field.number == 1)
            OC_TRY(take(reader, oc_field_message(&field)));
    return oc_fields_check(&all, "compressed packet");
}

static ocelotl_status read_all(perfetto_reader *reader)
{
    oc_field field;
    for (;;) {
        OC_TRY(oc_fields_next(&field, &reader->fields));
        if (field.number == 0)
            return OCELOTL_OK;
        if (field.number != 1 || !field.is_bytes)
            continue;
        OC_TRY(oc_fields_take(&field, &reader->fields));
        OC_TRY(take(reader, oc_field_message(&field)));
    }
}

static void forget_file(perfetto_reader *reader)
{
    for (size_t i = 0; i < reader->clock_count; i++)
        free(reader->clocks[i].readings);
    oc_map_free(&reader->numbers);
    reader->numbers = (oc_map){0};
    memset(reader->recent, 0, sizeof reader->recent);
    memset(reader->cpu_rows, 0, sizeof reader->cpu_rows);
    reader->sequence_count = reader->name_count = reader->clock_count = reader->thread_count =
        reader->track_count = 0;
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    perfetto_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    oc_aligned *file = &ingest->files[ingest->file];
    forget_file(reader);
    oc_fields_free(&reader->fields);
    reader->fields = (oc_fields){.input = source->input};
    reader->packets = 0;
    reader->last = INT64_MIN;
    reader->trace_clock = BOOTTIME;
    memset(reader->running, 0, sizeof reader->running);
    ingest->rows[ingest->file_row].type_name = "File";
    OC_TRY(oc_fields_end(&reader->fields, read_all(reader), &ingest->oddities, "trace"));
    OC_TRY(perfetto_origin(&file->has_clock, &file->origin, reader));
    OC_TRY(perfetto_schedule(reader));
    return perfetto_end_tracks(reader);
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    perfetto_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = ingest->names_ends = true;
    ingest->seen = perfetto_link;
    OC_TRY(oc_ingest_open(ingest, import, "perfetto", oddity_names, PERFETTO_ODDITY_END));
    return oc_sorting_open(&reader->flows, import->target, OC_SORTING_MEMORY / 8, true);
}

static void free_all(void *decoder)
{
    perfetto_reader *reader = decoder;
    forget_file(reader);
    oc_fields_free(&reader->fields);
    oc_text_free(&reader->inflated);
    oc_text_free(&reader->name);
    oc_text_free(&reader->category);
    oc_sorting_free(reader->flows);
    oc_sorting_free(reader->scheduled);
    oc_scheduler_free(&reader->scheduler);
    free(reader->sequences);
    free(reader->names);
    free(reader->clocks);
    free(reader->threads);
    free(reader->tracks);
}

static ocelotl_status import_perfetto(const oc_import *import)
{
    static const oc_ingest_decoder how = {.size = sizeof(perfetto_reader),
                                          .open = open,
                                          .read = read_file,
                                          .free = free_all,
                                          .empty = no_event};
    return oc_ingest_import(&how, import);
}

/* By its first packets: fields of the number 1, which hold fields that only packets have. The first
 * may be compressed ones that are more than is known of the file. */
static int recognises_perfetto(const oc_source *source)
{
    oc_field field, of;
    oc_bytes_reader all = oc_bytes_read(source->head.bytes, source->head.length);
    oc_bytes_reader first = all;
    int packets = 0, signs = 0;
    for (; packets < 16 && oc_field_next(&field, &all); packets++) {
        oc_bytes_reader packet = oc_field_message(&field);
        if (field.number != 1 || !field.is_bytes)
            return OC_NO;
        while (oc_field_next(&of, &packet))
            signs += of.is_bytes ? of.number == 6 || of.number == 11 || of.number == 33 ||
                                       of.number == 36 || of.number == 50 || of.number == 60
                                 : of.number == 3 || of.number == 8 || of.number == 10;
        if (packet.failed)
            return OC_NO;
    }
    if (packets > 0)
        return signs >= packets ? OC_SURE / 2 : OC_NO;
    const uint64_t tag = oc_bytes_unsigned(&first);
    (void)oc_bytes_unsigned(&first);
    const uint64_t compressed = oc_bytes_unsigned(&first);
    return !first.failed && tag == 10 && (compressed == 402 || compressed == 1066) ? OC_SURE / 2
                                                                                   : OC_NO;
}

const oc_importer oc_perfetto_importer = {
    .format = {.name = "perfetto",
               .description = "Traces of Perfetto (.pftrace, .perfetto-trace, plain or compressed)",
               .suffixes = (const char *const[]){".pftrace", ".perfetto-trace", NULL}},
    .takes_several = true,
    .has_clock = true,
    .recognises = recognises_perfetto,
    .import = import_perfetto,
};

#define _GNU_SOURCE
#include "importers/ctf/stream.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAGIC = (int)0xC1FC1FC1,
    LOOK = 4096,           /* bytes in which a head should be */
    MOST_WINDOW = 32 << 20 /* bytes of an event, or of a head */
};

const char *ctf_stream_path(const ctf_stream *stream)
{
    return stream->files[stream->file].path;
}

/* --- The window of the file */

/* Fills the window from a byte of the file on. A file is opened for that alone: there may be more
 * streams than files can be open. */
static ocelotl_status fill_window(ctf_stream *stream, uint64_t from)
{
    struct stat about;
    stream->window_begin = stream->window_end = from;
    if (stream->window_room > stream->window_capacity)
        OC_TRY(oc_grow(&stream->window, &stream->window_capacity, stream->window_room, 1));
    const int file = open(ctf_stream_path(stream), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0 || fstat(file, &about) != 0) {
        const int reason = errno;
        if (file >= 0)
            close(file);
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot be opened: %s", ctf_stream_path(stream),
                       strerror(reason));
    }
    stream->file_size = about.st_size > 0 ? (uint64_t)about.st_size : 0;
    size_t length = 0;
    ssize_t got = 1;
    ocelotl_status status = OCELOTL_OK;
    while (length < stream->window_room && got != 0 && status == OCELOTL_OK) {
        got = pread(file, stream->window + length, stream->window_room - length,
                    (off_t)(stream->window_begin + length));
        if (got > 0)
            length += (size_t)got;
        else if (got < 0 && errno != EINTR)
            status = oc_fail(OCELOTL_ERROR_IO, "%s: cannot be read: %s", ctf_stream_path(stream),
                             strerror(errno));
    }
    if (status == OCELOTL_OK)
        stream->window_end = stream->window_begin + length;
    close(file);
    return status;
}

/* Sets the decoder on a bit of the packet. */
static void point_decoder(ctf_stream *stream, uint64_t at, uint64_t content)
{
    ctf_decoder *decoder = &stream->decoder;
    const uint64_t begin = stream->packet.begin;
    const uint64_t there = (stream->window_end - begin) * 8;
    decoder->bytes = stream->window;
    decoder->first = stream->window_begin - begin;
    decoder->at = at;
    decoder->end = content < there ? content : there;
}

/* Reads on in the file, from a bit of the packet; *grown is false at the end of the content. */
static ocelotl_status see_more(bool *grown, ctf_stream *stream, uint64_t at, uint64_t content)
{
    const uint64_t byte = stream->packet.begin + at / 8;
    const uint64_t end = stream->packet.begin + (content + 7) / 8;
    *grown = stream->window_end < end && stream->window_end < stream->file_size;
    if (!*grown)
        return OCELOTL_OK;
    if (byte == stream->window_begin) {
        if (stream->window_room >= MOST_WINDOW)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%" PRIu64 ": something of more than %d MiB, expected less",
                           ctf_stream_path(stream), byte, MOST_WINDOW >> 20);
        stream->window_room *= 2;
    }
    OC_TRY(fill_window(stream, byte));
    *grown = stream->window_end > byte;
    point_decoder(stream, at, content);
    return OCELOTL_OK;
}

/* --- Heads of packets */

static ocelotl_status fail_packet(const ctf_stream *stream, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", ctf_stream_path(stream),
                   stream->packet.begin, what);
}

/* What a field of the head said; *number stays where none did. */
static bool get(uint64_t *number, const ctf_stream *stream, ctf_meaning meaning)
{
    if ((stream->decoder.has_meant & 1u << meaning) == 0)
        return false;
    *number = stream->decoder.meant[meaning];
    return true;
}

/* A packet of CTF 2 may say by whose metadata it is read. */
static ocelotl_status check_uuid(const ctf_stream *stream)
{
    enum { DIGITS = 32 };
    const ctf_description *description = stream->description;
    const ctf_layout *header = description->packet_header;
    const char *uuid = description->uuid;
    for (size_t i = 0; header != NULL && i < header->field_count; i++) {
        const ctf_value *value = &stream->values[i];
        if ((header->fields[i].meanings & 1u << CTF_IS_UUID) != 0 && uuid != NULL &&
            strlen(uuid) == DIGITS && value->length == DIGITS + 2 &&
            memcmp(stream->decoder.text.bytes + value->begin + 2, uuid, DIGITS) != 0)
            return fail_packet(stream, "a packet of other metadata, expected its UUID");
    }
    return OCELOTL_OK;
}

static ocelotl_status check_header(ctf_stream *stream)
{
    uint64_t number = 0;
    const ctf_description *description = stream->description;
    const ctf_stream_class *of = NULL;
    if (get(&number, stream, CTF_IS_MAGIC) && (uint32_t)number != (uint32_t)MAGIC)
        return fail_packet(stream, "no packet begins here, expected its magic number 0xC1FC1FC1");
    OC_TRY(check_uuid(stream));
    number = 0;
    const bool says = get(&number, stream, CTF_IS_STREAM);
    for (size_t i = 0; i < description->stream_count && of == NULL; i++)
        if (description->streams[i].id == number || (!says && description->stream_count == 1))
            of = &description->streams[i];
    if (of == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": a packet of stream %" PRIu64
                       ", expected one that the metadata describes",
                       ctf_stream_path(stream), stream->packet.begin, number);
    if (stream->of != NULL && stream->of != of)
        return fail_packet(stream, "a packet of another stream, expected one of the file's first");
    stream->of = of;
    stream->has_instance = get(&stream->instance, stream, CTF_IS_INSTANCE);
    return OCELOTL_OK;
}

/* The bits that the file has from the packet's begin on. */
static uint64_t left_bits(const ctf_stream *stream)
{
    return (stream->file_size - stream->packet.begin) * 8;
}

/* Decodes a structure of the head, with more of the file where it is needed. */
static ocelotl_status decode_head(ctf_stream *stream, const ctf_layout *structure,
                                  ctf_value *values)
{
    bool grown = true;
    const uint64_t at = stream->decoder.at;
    const uint64_t time = stream->decoder.time;
    while (!ctf_decode(&stream->decoder, structure, values)) {
        /* All bytes must be there again, also those before. */
        if (stream->decoder.wrong != NULL)
            return fail_packet(stream, stream->decoder.wrong);
        OC_TRY(see_more(&grown, stream, 0, left_bits(stream)));
        if (!grown)
            return fail_packet(stream, "the file ends in the head of a packet, expected all of it");
        stream->decoder.at = at;
        stream->decoder.time = time;
        oc_text_clear(&stream->decoder.text);
    }
    return OCELOTL_OK;
}

static ocelotl_status size_packet(ctf_stream *stream)
{
    ctf_packet *packet = &stream->packet;
    const uint64_t left = left_bits(stream) / 8;
    uint64_t size = left * 8;
    const bool has_size = get(&size, stream, CTF_IS_SIZE);
    packet->content = size;
    if (get(&packet->content, stream, CTF_IS_CONTENT) && !has_size)
        size = (packet->content + 7) / 8 * 8;
    if (size % 8 != 0 || packet->content > size || packet->content < stream->decoder.at)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": a packet of %" PRIu64 " bits with a content of %" PRIu64
                       ", expected a content from %" PRIu64 " that fits in whole bytes",
                       ctf_stream_path(stream), packet->begin, size, packet->content,
                       stream->decoder.at);
    packet->size = size / 8;
    packet->is_cut = packet->size > left;
    if (packet->content > left * 8)
        packet->content = left * 8;
    return OCELOTL_OK;
}

/* Keeps the texts of a packet, wherever the window moves. */
static ocelotl_status keep_texts(ctf_stream *stream)
{
    const ctf_layout *context = stream->of->packet_context;
    oc_text *parts = &stream->packet_parts;
    oc_text_clear(parts);
    if (stream->decoder.text.failed)
        return oc_fail_memory();
    if (stream->decoder.text.length > 0)
        oc_text_append(parts, stream->decoder.text.bytes, stream->decoder.text.length);
    for (size_t i = 0; context != NULL && i < context->field_count; i++) {
        ctf_value *value = &stream->values[i];
        if (value->bytes == NULL)
            continue;
        value->begin = parts->length;
        oc_text_append(parts, value->bytes, value->length);
        oc_text_append(parts, "", 1);
        value->bytes = NULL;
    }
    return parts->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Values of the packet stand first, those of its events behind them. */
static ocelotl_status read_head(ctf_stream *stream)
{
    const ctf_description *description = stream->description;
    const ctf_layout *header = description->packet_header;
    ctf_value *values = stream->values;
    point_decoder(stream, 0, left_bits(stream));
    stream->decoder.wrong = NULL;
    stream->decoder.has_meant = 0;
    if (description->is_new) /* in CTF 1.8 it goes on from the packet before */
        stream->decoder.time = 0;
    oc_text_clear(&stream->decoder.text);
    OC_TRY(decode_head(stream, header, values));
    OC_TRY(check_header(stream));
    OC_TRY(decode_head(stream, stream->of->packet_context, values));
    OC_TRY(size_packet(stream));
    ctf_packet *packet = &stream->packet;
    packet->has_times =
        get(&packet->from, stream, CTF_IS_BEGIN) && get(&packet->until, stream, CTF_IS_END);
    packet->has_discarded = get(&packet->discarded, stream, CTF_IS_DISCARDED);
    if (packet->has_times && packet->until < packet->from) /* the tracer died in it */
        packet->until = packet->from;
    for (size_t i = 0; i < description->packet_slot_count; i++) /* for all its events */
        stream->kept[i] = stream->decoder.slots[description->packet_slots[i] - 1];
    return keep_texts(stream);
}

/* --- Opening */

ocelotl_status ctf_stream_look(ctf_stream *stream, const ctf_description *description,
                               uint64_t *slots, const char *path)
{
    stream->description = description;
    stream->decoder.slots = slots;
    OC_TRY(oc_grow(&stream->files, &stream->file_capacity, 1, sizeof(*stream->files)));
    stream->files[0] = (ctf_file){0};
    OC_TRY(oc_copy_text(&stream->files[0].path, path));
    stream->file_count = 1;
    const ctf_layout *head = description->packet_header;
    const size_t header = head != NULL ? head->field_count : 0;
    const size_t members = description->most_members > header ? description->most_members : header;
    OC_TRY(oc_allocate(&stream->values, members, sizeof(*stream->values)));
    OC_TRY(oc_allocate(&stream->kept, description->packet_slot_count, sizeof(*stream->kept)));
    stream->window_room = LOOK;
    OC_TRY(fill_window(stream, 0));
    OC_TRY(read_head(stream));
    stream->files[0].begin = stream->packet.has_times ? stream->packet.from : 0;
    stream->clock = stream->of->clock != 0 ? &description->clocks[stream->of->clock - 1] : NULL;
    free(stream->window);
    stream->window = NULL;
    stream->window_capacity = 0;
    return OCELOTL_OK;
}

ocelotl_status ctf_stream_begin(ctf_stream *stream, size_t room)
{
    stream->window_room = room;
    stream->file = 0;
    stream->packet = (ctf_packet){0};
    stream->decoder.time = 0;
    return fill_window(stream, 0);
}

/* --- The next packet */

/* Goes on to the next packet; behind the last one, to the next file. */
static ocelotl_status go_on(ctf_stream *stream)
{
    stream->in_packet = false;
    stream->packet.begin += stream->packet.size;
    stream->packet.size = 0;
    if (stream->packet.begin < stream->file_size) {
        const uint64_t begin = stream->packet.begin;
        return begin >= stream->window_begin && begin < stream->window_end
                   ? OCELOTL_OK
                   : fill_window(stream, begin);
    }
    stream->ended = ++stream->file >= stream->file_count;
    stream->packet.begin = 0;
    return stream->ended ? OCELOTL_OK : fill_window(stream, 0);
}

/* Opens a packet; *has_gap says whether events were discarded since the one before, as counted in
 * its end. */
static ocelotl_status open_packet(bool *has_gap, ctf_stream *stream)
{
    const ctf_packet *packet = &stream->packet;
    const uint64_t before = stream->has_packet ? stream->last_discarded : 0;
    OC_TRY(read_head(stream));
    *has_gap = packet->has_discarded && packet->has_times && packet->discarded != before;
    if (*has_gap)
        stream->next =
            (ctf_record){.time = stream->has_last_until ? stream->last_until : packet->from,
                         .until = packet->until,
                         .is_counted = stream->has_packet,
                         .count = packet->discarded - before,
                         .offset = packet->begin};
    stream->in_packet = true;
    stream->has_packet = true;
    stream->packet_count++;
    if (packet->has_discarded)
        stream->last_discarded = packet->discarded;
    stream->has_last_until = packet->has_times;
    stream->last_until = packet->until;
    return OCELOTL_OK;
}

/* --- Events */

static ocelotl_status fail_event(const ctf_stream *stream, uint64_t at, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", ctf_stream_path(stream),
                   stream->packet.begin + at / 8, what);
}

static size_t count_members(const ctf_layout *structure)
{
    return structure != NULL ? structure->field_count : 0;
}

/* Decodes one event; *status explains failures that more bits would not cure. */
static bool decode_event(ocelotl_status *status, ctf_stream *stream, uint64_t at)
{
    ctf_decoder *decoder = &stream->decoder;
    const ctf_stream_class *of = stream->of;
    ctf_value *values = stream->values + count_members(of->packet_context);
    oc_text_clear(&decoder->text);
    decoder->meant[CTF_IS_EVENT] = 0;
    if (!ctf_decode(decoder, of->event_header, NULL))
        return false;
    const uint64_t id = decoder->meant[CTF_IS_EVENT];
    ctf_event_class *event = ctf_find_event(stream->description, of, id);
    if (event == NULL) {
        *status = oc_fail(OCELOTL_ERROR_INPUT,
                          "%s:%" PRIu64 ": an event of id %" PRIu64
                          ", expected one that the metadata describes",
                          ctf_stream_path(stream), stream->packet.begin + at / 8, id);
        return false;
    }
    stream->next.of = event;
    stream->next.sections[CTF_COMMON] = values;
    if (!ctf_decode(decoder, of->event_context, values))
        return false;
    values += count_members(of->event_context);
    stream->next.sections[CTF_SPECIFIC] = values;
    if (!ctf_decode(decoder, event->context, values))
        return false;
    values += count_members(event->context);
    stream->next.sections[CTF_PAYLOAD] = values;
    return ctf_decode(decoder, event->payload, values);
}

/* Decodes the event at the decoder's place, with more of the file where it is needed. */
static ocelotl_status take_event(ctf_stream *stream)
{
    bool grown = true;
    ocelotl_status status = OCELOTL_OK;
    ctf_decoder *decoder = &stream->decoder;
    const uint64_t at = decoder->at;
    const uint64_t time = decoder->time;
    const ctf_description *description = stream->description;
    for (size_t i = 0; i < description->packet_slot_count; i++)
        decoder->slots[description->packet_slots[i] - 1] = stream->kept[i];
    while (!decode_event(&status, stream, at)) {
        OC_TRY(status);
        if (decoder->wrong != NULL)
            return fail_event(stream, at, decoder->wrong);
        OC_TRY(see_more(&grown, stream, at, stream->packet.content));
        if (!grown)
            return fail_event(stream, at,
                              stream->packet.is_cut
                                  ? "the file ends in a packet, expected all of it"
                                  : "a packet ends in an event, expected all of "
                                    "it");
        decoder->time = time;
        decoder->at = at;
    }
    if (decoder->text.failed)
        return oc_fail_memory();
    if (decoder->at == at)
        return fail_event(stream, at, "an event of no bits, expected some");
    stream->next.time = decoder->time;
    stream->next.offset = stream->packet.begin + at / 8;
    stream->next.sections[CTF_PACKET] = stream->values;
    stream->next.parts = &decoder->text;
    stream->next.packet_parts = &stream->packet_parts;
    return OCELOTL_OK;
}

static ocelotl_status lose(ctf_stream *stream, const ctf_loss *loss, ocelotl_status status)
{
    if (status != OCELOTL_ERROR_INPUT)
        return status;
    OC_TRY(loss->lose(loss->context));
    if (!stream->in_packet) /* where the next one would be is not known */
        stream->packet.size = stream->file_size - stream->packet.begin;
    return go_on(stream);
}

ocelotl_status ctf_stream_next(ctf_stream *stream, const ctf_loss *loss)
{
    while (!stream->ended) {
        bool has_gap = false;
        ocelotl_status status;
        if (!stream->in_packet) {
            if (stream->packet.begin >= stream->file_size) {
                OC_TRY(go_on(stream));
                continue;
            }
            status = open_packet(&has_gap, stream);
            if (status == OCELOTL_OK && has_gap)
                return OCELOTL_OK;
        } else if (stream->decoder.at >= stream->packet.content) {
            /* The content ends; of what was cut off the rest is lost. */
            if (!stream->packet.is_cut) {
                OC_TRY(go_on(stream));
                continue;
            }
            status = fail_packet(stream, "the file ends in a packet, expected all of it");
        } else {
            point_decoder(stream, stream->decoder.at, stream->packet.content);
            status = take_event(stream);
            if (status == OCELOTL_OK)
                return OCELOTL_OK;
        }
        if (status != OCELOTL_OK)
            OC_TRY(lose(stream, loss, status));
    }
    return OCELOTL_OK;
}

void ctf_stream_free(ctf_stream *stream)
{
    for (size_t i = 0; i < stream->file_count; i++)
        free(stream->files[i].path);
    free(stream->files);
    free(stream->window);
    free(stream->values);
    free(stream->kept);
    oc_text_free(&stream->decoder.text);
    oc_text_free(&stream->packet_parts);
}

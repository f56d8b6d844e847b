/* Reads the metadata of a trace: its text, which stands in its file as it is or in packets, and by
 * its version what it describes. */
#include "importers/ctf/description.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    MAGIC = 0x75D11D57,
    HEAD = 37,       /* bytes before the text of a packet */
    CONTENT_AT = 24, /* sizes in bits */
    SIZE_AT = 28,
    COMPRESSION_AT = 32, /* compression, encryption, checksum: a byte each */
    MOST = 256 << 20,    /* bytes: no metadata has more */
    BLOCK = 1 << 16
};

static ocelotl_status read_file(oc_text *bytes, const char *path)
{
    static const size_t block = BLOCK;
    char part[BLOCK];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    size_t length;
    while ((length = fread(part, 1, block, file)) > 0 && bytes->length <= MOST)
        oc_text_append(bytes, part, length);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot be read", path);
    if (bytes->failed)
        return oc_fail_memory();
    if (bytes->length > MOST)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: is of more than %d MiB, expected metadata", path,
                       MOST >> 20);
    return OCELOTL_OK;
}

static uint32_t number_at(const char *bytes, bool is_big)
{
    const unsigned char *at = (const unsigned char *)bytes;
    uint32_t number = 0;
    for (size_t i = 0; i < 4; i++)
        number |= (uint32_t)at[i] << 8 * (is_big ? 3 - i : i);
    return number;
}

static ocelotl_status take_packets(oc_text *text, const char *path, const oc_text *bytes,
                                   bool is_big)
{
    for (size_t at = 0; at < bytes->length;) {
        const char *head = bytes->bytes + at;
        const size_t left = bytes->length - at;
        if (left < HEAD || number_at(head, is_big) != MAGIC)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%zu: no packet of metadata begins here, expected one as before",
                           path, at);
        const size_t content = number_at(head + CONTENT_AT, is_big) / 8;
        const size_t size = number_at(head + SIZE_AT, is_big) / 8;
        if (head[COMPRESSION_AT] != 0 || head[COMPRESSION_AT + 1] != 0)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%zu: the packet is compressed or encrypted, expected plain metadata",
                           path, at);
        if (content < HEAD || content > size || size > left)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%zu: a packet of %zu bytes with a content of %zu, expected at most "
                           "the %zu that the file has",
                           path, at, size, content, left);
        oc_text_append(text, head + HEAD, content - HEAD);
        at += size;
    }
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Takes the text, which may be the bytes as they are. */
static ocelotl_status take_text(oc_text *text, const char *path, oc_text *bytes)
{
    const size_t length = bytes->length;
    if (length == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected the metadata of a CTF trace",
                       path);
    for (int is_big = 0; is_big < 2 && length >= HEAD; is_big++)
        if (number_at(bytes->bytes, is_big != 0) == MAGIC)
            return take_packets(text, path, bytes, is_big != 0);
    if (memchr(bytes->bytes, '\0', length) != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is not text, expected the metadata of a CTF trace",
                       path);
    *text = *bytes;
    *bytes = (oc_text){0};
    return OCELOTL_OK;
}

static ocelotl_status read(ctf_description *description, oc_text *text, oc_text *bytes)
{
    OC_TRY(read_file(bytes, description->path));
    OC_TRY(take_text(text, description->path, bytes));
    const int first = text->length > 0 ? text->bytes[0] : 0;
    description->is_new = first == 0x1E || first == '{';
    if (description->is_new)
        ctf_parse_fragments(description, text);
    else
        ctf_parse_tsdl(description, text);
    ctf_link(description);
    return description->status != OCELOTL_OK ? description->status
                                             : oc_arena_status(&description->arena);
}

ocelotl_status ctf_description_read(ctf_description *description, const char *folder)
{
    oc_text text = {0};
    oc_text bytes = {0};
    oc_text path = {0};
    oc_text_format(&path, "%s/metadata", folder);
    description->path = path.bytes;
    const ocelotl_status status = path.failed ? oc_fail_memory() : read(description, &text, &bytes);
    description->path = NULL;
    oc_text_free(&text);
    oc_text_free(&bytes);
    oc_text_free(&path);
    return status;
}

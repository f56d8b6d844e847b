/* The command that a picture keeps, read as what it is: text that anybody may have written. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "request/options/words.h"
#include "request/pictures/snapshot.h"

#include <ocelotl/snapshot.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_PICTURE = 1 << 30 };

/* --- SVG and HTML */

/* Adds the text between `begin` and `end`, behind `before`, in a file that ends with a zero byte;
 * false: it has none. */
static bool add_between(oc_text *command, const oc_text *file, const char *before,
                        const char *begin, const char *end)
{
    static const char *const entities[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
    enum { ENTITIES = sizeof entities / sizeof entities[0] };
    const char *last = file->bytes + file->length;
    const char *from = memmem(file->bytes, file->length, before, strlen(before));
    if (from != NULL)
        from = memmem(from, (size_t)(last - from), begin, strlen(begin));
    if (from == NULL)
        return false;
    from += strlen(begin);
    const char *to = memmem(from, (size_t)(last - from), end, strlen(end));
    while (to != NULL && from < to) {
        size_t known = 0;
        while (known < ENTITIES &&
               strncmp(from, entities[known][0], strlen(entities[known][0])) != 0)
            known++;
        oc_text_append(command, known < ENTITIES ? entities[known][1] : from, 1);
        from += known < ENTITIES ? strlen(entities[known][0]) : 1;
    }
    return to != NULL;
}

/* The page of a report has no metadata but what is to be read. */
static bool add_from_text(oc_text *command, const oc_text *file)
{
    return add_between(command, file, "\"urn:ocelotl:parameters\"", "<command>", "</command>") ||
           add_between(command, file, "<code id=\"command\"", ">", "</code>") ||
           add_between(command, file, "<h3>Command</h3>", "<code>", "</code>");
}

/* --- PNG (its specification, 11.3.3) */

/* Of a chunk: a key and a text, with flags and two more texts between them in the newer kind. What
 * is compressed is never written. */
static bool add_from_chunk(oc_text *command, const char *type, const char *text, const char *end)
{
    static const char key[] = "command";
    const bool plain = memcmp(type, "tEXt", 4) == 0;
    if ((!plain && memcmp(type, "iTXt", 4) != 0) || (size_t)(end - text) < sizeof key + 2 ||
        memcmp(text, key, sizeof key) != 0)
        return false;
    text += sizeof key;
    if (!plain && text[0] != 0)
        return false;
    text += plain ? 0 : 2;
    for (int skipped = 0; !plain && skipped < 2; skipped++) {
        const char *zero = memchr(text, '\0', (size_t)(end - text));
        if (zero == NULL)
            return false;
        text = zero + 1;
    }
    oc_text_append(command, text, (size_t)(end - text));
    return true;
}

static bool add_from_png(oc_text *command, const oc_text *file)
{
    enum { SIGNATURE = 8, AROUND = 12 };
    for (size_t at = SIGNATURE; file->length - at >= AROUND;) {
        const unsigned char *size = (const unsigned char *)file->bytes + at;
        const char *chunk = file->bytes + at + 8;
        const size_t length =
            (size_t)size[0] << 24 | (size_t)size[1] << 16 | (size_t)size[2] << 8 | size[3];
        if (length > file->length - at - AROUND)
            return false;
        if (add_from_chunk(command, chunk - 4, chunk, chunk + length))
            return true;
        at += length + AROUND;
    }
    return false;
}

/* --- PDF (its specification, 7.3.4) */

/* The value of a hexadecimal digit; 16 for another letter. */
static uint32_t read_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return (uint32_t)(digit - '0');
    const char small = (char)(digit | 0x20);
    return small >= 'a' && small <= 'f' ? (uint32_t)(small - 'a' + 10) : 16;
}

/* UTF-16 in hexadecimal digits, up to what is none. */
static void add_hex(oc_text *text, const char *digits, const char *end)
{
    uint32_t high = 0;
    for (; end - digits >= 4; digits += 4) {
        uint32_t unit = 0;
        for (int k = 0; k < 4; k++) {
            const uint32_t digit = read_digit(digits[k]);
            if (digit == 16)
                return;
            unit = unit << 4 | digit;
        }
        const bool pair = unit >= 0xDC00 && unit < 0xE000 && high != 0;
        const bool first = unit >= 0xD800 && unit < 0xDC00;
        if (!first && unit != 0xFEFF && unit != 0)
            oc_text_add_code_point(text, pair ? 0x10000 + ((high - 0xD800) << 10 | (unit - 0xDC00))
                                              : unit);
        high = first ? unit : 0;
    }
}

/* ASCII in parentheses, with a backslash before what is one of them. */
static void add_ascii(oc_text *text, const char *bytes, const char *end)
{
    for (; bytes < end && *bytes != ')'; bytes++) {
        bytes += *bytes == '\\' && bytes + 1 < end;
        oc_text_append(text, bytes, 1);
    }
}

static bool add_from_pdf(oc_text *command, const oc_text *file)
{
    static const char key[] = "/Keywords";
    static const char name[] = "; command=";
    oc_text keywords = {0};
    const char *end = file->bytes + file->length;
    const char *at = memmem(file->bytes, file->length, key, strlen(key));
    if (at == NULL)
        return false;
    for (at += strlen(key); at < end && (*at == ' ' || *at == '\n' || *at == '\r'); at++)
        ;
    if (at == end || (*at != '<' && *at != '('))
        return false;
    (*at == '<' ? add_hex : add_ascii)(&keywords, at + 1, end);
    oc_text_append(&keywords, "", 0);
    const char *found = !keywords.failed ? strstr(keywords.bytes, name) : NULL;
    if (found != NULL)
        oc_text_add(command, found + strlen(name));
    command->failed = command->failed || keywords.failed;
    oc_text_free(&keywords);
    return found != NULL;
}

/* --- Files */

/* Reads a file, as much of it as a picture may have, with a zero byte behind it. */
static ocelotl_status read_file(oc_text *bytes, const char *path)
{
    struct stat found;
    char buffer[1 << 14];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    const bool regular = fstat(fileno(file), &found) == 0 && S_ISREG(found.st_mode);
    for (size_t got = 1; regular && got > 0 && !bytes->failed && bytes->length < LARGEST_PICTURE;) {
        got = fread(buffer, 1, sizeof buffer, file);
        oc_text_append(bytes, buffer, got);
    }
    oc_text_append(bytes, "", 0);
    fclose(file);
    if (!regular)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is no file, expected a picture", path);
    return bytes->failed ? oc_fail_memory() : OCELOTL_OK;
}

static bool begins(const oc_text *file, const char *with, size_t length)
{
    return file->length > length && memcmp(file->bytes, with, length) == 0;
}

/* Of a snapshot that is a zip it is the command of its picture. */
static ocelotl_status add_command(oc_text *command, bool *found, const oc_text *file,
                                  const char *path)
{
    ocelotl_buffer picture = {NULL, 0, 0};
    if (begins(file, "PK\3\4", 4)) {
        const ocelotl_status status =
            oc_snapshot_unzip(&picture, file->bytes, file->length, "overview.svg");
        if (status != OCELOTL_OK)
            return oc_fail(status, "%s: %s", path, ocelotl_error_message());
        *found = add_from_text(command, &(oc_text){.bytes = picture.bytes, .length = picture.size});
        ocelotl_buffer_free(&picture);
    } else if (begins(file, "\x89PNG\r\n\x1a\n", 8)) {
        *found = add_from_png(command, file);
    } else if (begins(file, "%PDF-", 5)) {
        *found = add_from_pdf(command, file);
    } else {
        *found = add_from_text(command, file);
    }
    oc_text_append(command, "", 0);
    return command->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status read_command(oc_text *command, const char *path)
{
    oc_text file = {0};
    bool found = false;
    ocelotl_status status = read_file(&file, path);
    if (status == OCELOTL_OK)
        status = add_command(command, &found, &file, path);
    oc_text_free(&file);
    return status != OCELOTL_OK || found
               ? status
               : oc_fail(OCELOTL_ERROR_INPUT,
                         "%s: has no command to repeat, expected a picture that ocelotl-cli drew",
                         path);
}

ocelotl_status oc_picture_command(oc_text *command, const char *path)
{
    struct stat found;
    oc_text picture = {0};
    if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode))
        return read_command(command, path);
    oc_text_format(&picture, "%s/overview.svg", path);
    ocelotl_status status = OCELOTL_OK;
    if (picture.failed)
        status = oc_fail_memory();
    else if (access(picture.bytes, F_OK) == 0)
        status = read_command(command, picture.bytes);
    else
        status =
            oc_fail(OCELOTL_ERROR_INPUT,
                    "%s: is a folder without overview.svg, expected a picture or a snapshot", path);
    oc_text_free(&picture);
    return status;
}

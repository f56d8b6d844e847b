/* The metadata of pictures, read as what they are: text that anybody may have written. */
#define _GNU_SOURCE
#include "picture_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_PICTURE = 1 << 30 };

/* A piece of a file. */
typedef struct piece {
    const char *bytes;
    size_t length;
} piece;

/* --- SVG and HTML */

static const char *const entities[][2] = {
    {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};

static char *unescape(const char *text, size_t length)
{
    char *plain = malloc(length + 1);
    size_t end = 0;
    for (size_t i = 0; plain != NULL && i < length;) {
        size_t known = 0;
        while (known < 5 && strncmp(text + i, entities[known][0], strlen(entities[known][0])) != 0)
            known++;
        const char *from = known < 5 ? entities[known][1] : text + i;
        plain[end++] = *from;
        i += known < 5 ? strlen(entities[known][0]) : 1;
    }
    if (plain != NULL)
        plain[end] = '\0';
    return plain;
}

/* What is between two texts behind a third; NULL, without a message, where there is none; the same
 * for the others. */
static char *find_between(const piece *file, const char *before, const char *begin, const char *end)
{
    const char *last = file->bytes + file->length;
    const char *from = memmem(file->bytes, file->length, before, strlen(before));
    if (from != NULL)
        from = memmem(from, (size_t)(last - from), begin, strlen(begin));
    if (from == NULL)
        return NULL;
    from += strlen(begin);
    const char *to = memmem(from, (size_t)(last - from), end, strlen(end));
    return to != NULL ? unescape(from, (size_t)(to - from)) : NULL;
}

/* The page of a report has no metadata but what is to be read. */
static char *from_text(const piece *file)
{
    char *command = find_between(file, "\"urn:ocelotl:parameters\"", "<command>", "</command>");
    return command != NULL ? command : find_between(file, "<h3>Command</h3>", "<code>", "</code>");
}

/* --- PNG (its specification, 11.3.3) */

static size_t read_length(const unsigned char *bytes)
{
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* What is behind so many zero bytes. */
static piece skip_zeros(piece text, int count)
{
    for (; count > 0; count--) {
        const char *zero = memchr(text.bytes, '\0', text.length);
        if (zero == NULL)
            return (piece){NULL, 0};
        text.length -= (size_t)(zero + 1 - text.bytes);
        text.bytes = zero + 1;
    }
    return text;
}

static char *from_chunk(const char *type, piece text)
{
    static const char key[] = "command";
    const bool plain = memcmp(type, "tEXt", 4) == 0;
    if ((!plain && memcmp(type, "iTXt", 4) != 0) || text.length < sizeof key + 2 ||
        memcmp(text.bytes, key, sizeof key) != 0)
        return NULL;
    text.bytes += sizeof key;
    text.length -= sizeof key;
    if (!plain && text.bytes[0] != 0) /* compressed, which is never written */
        return NULL;
    if (!plain)
        text = skip_zeros((piece){text.bytes + 2, text.length - 2}, 2);
    return text.bytes != NULL ? strndup(text.bytes, text.length) : NULL;
}

static char *from_png(const piece *file)
{
    enum { SIGNATURE = 8, AROUND = 12 };
    for (size_t at = SIGNATURE; file->length - at >= AROUND;) {
        const size_t length = read_length((const unsigned char *)file->bytes + at);
        if (length > file->length - at - AROUND)
            return NULL;
        char *command = from_chunk(file->bytes + at + 4, (piece){file->bytes + at + 8, length});
        if (command != NULL)
            return command;
        at += length + AROUND;
    }
    return NULL;
}

/* --- PDF (its specification, 7.3.4) */

static int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    const char small = (char)(digit | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

static void add_code_point(char *text, size_t *end, uint32_t code)
{
    if (code >= 0x10000)
        text[(*end)++] = (char)(0xF0 | code >> 18);
    if (code >= 0x10000)
        text[(*end)++] = (char)(0x80 | (code >> 12 & 0x3F));
    else if (code >= 0x800)
        text[(*end)++] = (char)(0xE0 | code >> 12);
    if (code >= 0x800)
        text[(*end)++] = (char)(0x80 | (code >> 6 & 0x3F));
    else if (code >= 0x80)
        text[(*end)++] = (char)(0xC0 | code >> 6);
    text[(*end)++] = (char)(code < 0x80 ? code : (0x80 | (code & 0x3F)));
}

/* UTF-16 as digits: four are a unit, two of which may be one character. */
static char *from_hex(const char *digits, size_t length)
{
    char *text = malloc(length + 1);
    size_t end = 0;
    uint32_t high = 0;
    for (size_t i = 0; text != NULL && i + 4 <= length; i += 4) {
        uint32_t unit = 0;
        for (size_t k = 0; k < 4; k++) {
            const int digit = hex_digit(digits[i + k]);
            if (digit < 0) {
                text[end] = '\0';
                return text;
            }
            unit = unit << 4 | (uint32_t)digit;
        }
        const bool pair = unit >= 0xDC00 && unit < 0xE000 && high != 0;
        if (unit >= 0xD800 && unit < 0xDC00)
            high = unit;
        else if (unit != 0xFEFF && unit != 0)
            add_code_point(text, &end,
                           pair ? 0x10000 + ((high - 0xD800) << 10 | (unit - 0xDC00)) : unit);
        if (unit < 0xD800 || unit >= 0xDC00)
            high = 0;
    }
    if (text != NULL)
        text[end] = '\0';
    return text;
}

/* ASCII in parentheses, with a backslash before what is one of them. */
static char *from_parentheses(const char *bytes, size_t length)
{
    char *text = malloc(length + 1);
    size_t end = 0;
    for (size_t i = 0; text != NULL && i < length && bytes[i] != ')'; i++) {
        i += bytes[i] == '\\' && i + 1 < length;
        text[end++] = bytes[i];
    }
    if (text != NULL)
        text[end] = '\0';
    return text;
}

static char *from_pdf(const piece *file)
{
    static const char key[] = "/Keywords";
    static const char name[] = "; command=";
    const char *end = file->bytes + file->length;
    const char *at = memmem(file->bytes, file->length, key, strlen(key));
    if (at == NULL)
        return NULL;
    for (at += strlen(key); at < end && (*at == ' ' || *at == '\n' || *at == '\r'); at++)
        ;
    if (at == end || (*at != '<' && *at != '('))
        return NULL;
    const size_t rest = (size_t)(end - at - 1);
    char *keywords = *at == '<' ? from_hex(at + 1, rest) : from_parentheses(at + 1, rest);
    const char *found = keywords != NULL ? strstr(keywords, name) : NULL;
    char *command = found != NULL ? strdup(found + strlen(name)) : NULL;
    free(keywords);
    return command;
}

/* --- Files */

static int read_file(char **bytes, size_t *length, const char *path)
{
    struct stat found;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &found) != 0 || !S_ISREG(found.st_mode)) {
        const int reason = file == NULL ? errno : 0;
        if (file != NULL)
            fclose(file);
        return reason != 0 ? cli_wrong("%s: cannot open: %s", path, strerror(reason))
                           : cli_wrong("%s: is no file, expected a picture", path);
    }
    const size_t size = found.st_size < LARGEST_PICTURE ? (size_t)found.st_size : LARGEST_PICTURE;
    *bytes = malloc(size + 1);
    if (*bytes != NULL) {
        *length = fread(*bytes, 1, size, file);
        (*bytes)[*length] = '\0';
    }
    fclose(file);
    return *bytes != NULL ? CLI_DONE : cli_memory();
}

static char *find_command(const piece *file)
{
    if (file->length > 8 && memcmp(file->bytes, "\x89PNG\r\n\x1a\n", 8) == 0)
        return from_png(file);
    if (file->length > 5 && memcmp(file->bytes, "%PDF-", 5) == 0)
        return from_pdf(file);
    return from_text(file);
}

int cli_picture_command(char **command, const char *path)
{
    char *bytes = NULL;
    size_t length = 0;
    const int code = read_file(&bytes, &length, path);
    if (code != CLI_DONE || bytes == NULL)
        return code;
    errno = 0;
    *command = find_command(&(piece){bytes, length});
    const bool without_memory = *command == NULL && errno == ENOMEM;
    free(bytes);
    if (*command != NULL)
        return CLI_DONE;
    return without_memory
               ? cli_memory()
               : cli_wrong("%s: has no command to repeat, expected a picture that ocelotl-cli drew",
                           path);
}

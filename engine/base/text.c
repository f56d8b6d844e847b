#include "base/text.h"

#include "base/memory.h"
#include "base/plain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(oc_text *text, size_t extra)
{
    if (!text->failed && text->length + extra >= text->capacity &&
        oc_grow(&text->bytes, &text->capacity, text->length + extra + 1, 1) != OCELOTL_OK)
        text->failed = true;
    return !text->failed;
}

void oc_text_append(oc_text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    if (length > 0)
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void oc_text_add(oc_text *text, const char *string)
{
    oc_text_append(text, string, strlen(string));
}

void oc_text_vformat(oc_text *text, const char *format, va_list arguments)
{
    enum { OFTEN_ENOUGH = 64 };
    va_list again;
    if (!reserve(text, OFTEN_ENOUGH))
        return;
    va_copy(again, arguments);
    const size_t room = text->capacity - text->length;
    const int length = oc_plain_vprint(text->bytes + text->length, room, format, arguments);
    if (length >= 0 && reserve(text, (size_t)length)) {
        if ((size_t)length >= room)
            oc_plain_vprint(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    } else {
        text->bytes[text->length] = '\0';
    }
    va_end(again);
}

void oc_text_format(oc_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    oc_text_vformat(text, format, arguments);
    va_end(arguments);
}

void oc_text_add_xml(oc_text *text, const char *string)
{
    while (*string != '\0') {
        const size_t plain = strcspn(string, "<>&\"'");
        oc_text_append(text, string, plain);
        string += plain;
        if (*string == '\0')
            return;
        oc_text_add(text, *string == '<'   ? "&lt;"
                          : *string == '>' ? "&gt;"
                          : *string == '&' ? "&amp;"
                          : *string == '"' ? "&quot;"
                                           : "&#39;");
        string++;
    }
}

void oc_text_clear(oc_text *text)
{
    text->length = 0;
    if (text->bytes != NULL)
        text->bytes[0] = '\0';
}

void oc_text_free(oc_text *text)
{
    free(text->bytes);
    *text = (oc_text){0};
}

ocelotl_status oc_text_give(char **to, oc_text *text)
{
    if (text->failed) {
        oc_text_free(text);
        return oc_fail_memory();
    }
    *to = text->bytes;
    return OCELOTL_OK;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t oc_count_characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += !is_continuation(*text);
    return count;
}

size_t oc_utf8_length(const char *bytes, size_t available)
{
    if (available == 0)
        return 0;
    const unsigned char first = (unsigned char)bytes[0];
    if (first < 0x80)
        return 1;
    const size_t length = first >= 0xC2 && first < 0xE0   ? 2
                          : first >= 0xE0 && first < 0xF0 ? 3
                          : first >= 0xF0 && first < 0xF5 ? 4
                                                          : 0;
    if (length == 0 || length > available)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (!is_continuation(bytes[i]))
            return 0;
    const unsigned char second = (unsigned char)bytes[1];
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second >= 0xA0;
    const bool beyond = first == 0xF4 && second >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

uint32_t oc_code_point(const char *bytes, size_t length)
{
    const unsigned char first = (unsigned char)bytes[0];
    uint32_t code = length == 1 ? first : first & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)bytes[i] & 0x3Fu);
    return code;
}

void oc_text_add_code_point(oc_text *text, uint32_t code)
{
    char bytes[4];
    size_t length = 0;
    if (code < 0x80) {
        bytes[length++] = (char)code;
    } else if (code < 0x800) {
        bytes[length++] = (char)(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        bytes[length++] = (char)(0xE0 | code >> 12);
        bytes[length++] = (char)(0x80 | (code >> 6 & 0x3F));
    } else {
        bytes[length++] = (char)(0xF0 | code >> 18);
        bytes[length++] = (char)(0x80 | (code >> 12 & 0x3F));
        bytes[length++] = (char)(0x80 | (code >> 6 & 0x3F));
    }
    if (code >= 0x80)
        bytes[length++] = (char)(0x80 | (code & 0x3F));
    oc_text_append(text, bytes, length);
}

bool oc_is_hidden(uint32_t code)
{
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool direction =
        code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E);
    const bool separator = code == 0x2028 || code == 0x2029;
    const bool without_width = code == 0x200B || (code >= 0x2060 && code <= 0x206F) ||
                               code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB);
    return control || direction || separator || without_width;
}

void oc_text_add_utf8(oc_text *text, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t step = oc_utf8_length(bytes + i, length - i);
        if (step > 0)
            oc_text_append(text, bytes + i, step);
        else
            oc_text_add(text, "\xEF\xBF\xBD");
        i += step > 0 ? step : 1;
    }
    oc_text_append(text, "", 0);
}

ocelotl_status oc_copy_utf8(char **copy, const char *name)
{
    oc_text text = {0};
    oc_text_add_utf8(&text, name, strlen(name));
    return oc_text_give(copy, &text);
}

const char *oc_arena_copy_utf8(oc_arena *arena, const char *name)
{
    oc_text text = {0};
    oc_text_add_utf8(&text, name, strlen(name));
    arena->failed = arena->failed || text.failed;
    const char *copy = oc_arena_copy_bytes(arena, text.bytes, text.length);
    oc_text_free(&text);
    return copy;
}

static bool ends_in(const char *word, size_t length, const char *end)
{
    return length >= strlen(end) && strcmp(word + length - strlen(end), end) == 0;
}

void oc_text_add_kinds(oc_text *text, const char *kind, uint64_t count)
{
    enum { KIND_MOST = 16 };
    char word[KIND_MOST + 1];
    size_t length = 0;
    /* importers call so what has no kind in a trace */
    bool good = kind[0] != '\0' && strlen(kind) <= KIND_MOST && strcmp(kind, "Group") != 0;
    for (; good && kind[length] != '\0'; length++) {
        const char letter = kind[length];
        const bool large = letter >= 'A' && letter <= 'Z';
        good = large || (letter >= 'a' && letter <= 'z') || letter == '_' || letter == ' ';
        word[length] = letter;
        if (letter == '_')
            word[length] = ' ';
        if (large)
            word[length] = "abcdefghijklmnopqrstuvwxyz"[letter - 'A'];
    }
    word[length] = '\0';
    if (!good)
        oc_text_add(text, count == 1 ? "resource" : "resources");
    else if (count == 1)
        oc_text_add(text, word);
    else if (ends_in(word, length, "s") || ends_in(word, length, "x") ||
             ends_in(word, length, "ch") || ends_in(word, length, "sh"))
        oc_text_format(text, "%ses", word);
    else if (ends_in(word, length, "ty") || ends_in(word, length, "ry"))
        oc_text_format(text, "%.*sies", (int)length - 1, word);
    else
        oc_text_format(text, "%ss", word);
}

bool oc_text_is_number(double *number, const char *text, size_t length)
{
    char digits[OC_LONGEST_NUMBER];
    char *end;
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (strspn(digits, "0123456789+-.eE") != length)
        return false;
    *number = oc_plain_number(digits, &end);
    return end == digits + length && isfinite(*number);
}

void oc_text_add_path_step(oc_text *text, const char *name)
{
    for (; *name != '\0'; name++) {
        if (*name == '/')
            oc_text_add(text, "%2F");
        else if (*name == '%')
            oc_text_add(text, "%25");
        else
            oc_text_append(text, name, 1);
    }
    oc_text_append(text, "", 0);
}

void oc_text_add_step_name(oc_text *text, const char *step, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool slash = length - i >= 3 && strncmp(step + i, "%2F", 3) == 0;
        const bool percent = length - i >= 3 && strncmp(step + i, "%25", 3) == 0;
        oc_text_append(text, slash ? "/" : percent ? "%" : step + i, 1);
        i += slash || percent ? 2 : 0;
    }
    oc_text_append(text, "", 0);
}

/* --- Numbers as bytes: variable-length integers, least significant group first */

void oc_bytes_add_unsigned(oc_text *bytes, uint64_t number)
{
    enum { LONGEST = 10 };
    if (!reserve(bytes, LONGEST))
        return;
    char *next = bytes->bytes + bytes->length;
    while (number >= 0x80) {
        *next++ = (char)(unsigned char)(number | 0x80);
        number >>= 7;
    }
    *next++ = (char)(unsigned char)number;
    *next = '\0';
    bytes->length = (size_t)(next - bytes->bytes);
}

/* Zigzag: small numbers of either sign are short. */
void oc_bytes_add_signed(oc_text *bytes, int64_t number)
{
    const uint64_t twice = (uint64_t)number << 1;
    oc_bytes_add_unsigned(bytes, number < 0 ? ~twice : twice);
}

void oc_bytes_add_word(oc_text *bytes, uint64_t number, size_t size)
{
    char block[sizeof number];
    for (size_t i = 0; i < size; i++)
        block[i] = (char)(unsigned char)(number >> (8 * i));
    oc_text_append(bytes, block, size);
}

void oc_bytes_add_double(oc_text *bytes, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    oc_bytes_add_word(bytes, bits, sizeof bits);
}

size_t oc_print_unsigned(char *text, uint64_t number)
{
    char digits[OC_WHOLE_SIZE];
    size_t count = 0, length = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        text[length++] = digits[--count];
    text[length] = '\0';
    return length;
}

size_t oc_print_signed(char *text, int64_t number)
{
    if (number >= 0)
        return oc_print_unsigned(text, (uint64_t)number);
    text[0] = '-';
    return 1 + oc_print_unsigned(text + 1, 0 - (uint64_t)number);
}

static uint64_t fail(oc_bytes_reader *reader)
{
    reader->failed = true;
    reader->next = reader->end;
    return 0;
}

uint64_t oc_bytes_unsigned_long(oc_bytes_reader *reader)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (reader->next == reader->end)
            return fail(reader);
        const unsigned char byte = *reader->next++;
        if (shift == 63 && byte > 1)
            return fail(reader);
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return number;
    }
    return fail(reader);
}

int64_t oc_bytes_signed(oc_bytes_reader *reader)
{
    const uint64_t twice = oc_bytes_unsigned(reader);
    const uint64_t bits = (twice >> 1) ^ (0 - (twice & 1));
    int64_t number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

double oc_bytes_double(oc_bytes_reader *reader)
{
    if (reader->end - reader->next < 8)
        return (double)fail(reader);
    uint64_t bits = 0;
    for (unsigned i = 0; i < 8; i++)
        bits |= (uint64_t)*reader->next++ << (8 * i);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

size_t oc_bytes_count(oc_bytes_reader *reader)
{
    const uint64_t count = oc_bytes_unsigned(reader);
    return count <= (uint64_t)(reader->end - reader->next) ? (size_t)count : (size_t)fail(reader);
}

uint32_t oc_bytes_index(oc_bytes_reader *reader)
{
    const uint64_t index = oc_bytes_unsigned(reader);
    return index <= UINT32_MAX ? (uint32_t)index : (uint32_t)fail(reader);
}

const char *oc_bytes_block(oc_bytes_reader *reader, size_t length)
{
    if (length > (size_t)(reader->end - reader->next)) {
        fail(reader);
        return NULL;
    }
    const char *block = (const char *)reader->next;
    reader->next += length;
    return block;
}

/* Reads a number. Up to 15 digits and powers of ten up to 22 are exact doubles, so their quotient
 * is rounded once, as by strtod. */
bool oc_bytes_are_number(double *number, const char *text, size_t length)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t i = length > 0 && text[0] == '-' ? 1 : 0;
    const bool negative = i == 1;
    uint64_t mantissa = 0;
    size_t digits = 0;
    size_t behind_point = 0;
    bool point = false;
    if (length == 0 || length >= OC_LONGEST_NUMBER)
        return false;
    for (; i < length; i++) {
        const unsigned digit = (unsigned)((unsigned char)text[i] - '0');
        if (digit <= 9) {
            mantissa = mantissa * 10 + digit; /* of too many digits it is of no use */
            digits++;
            behind_point += point;
        } else if (text[i] == '.' && !point) {
            point = true;
        } else if (text[i] == '_') {
            return false;
        } else {
            return oc_text_is_number(number, text, length);
        }
    }
    if (digits == 0 || digits > 15)
        return oc_text_is_number(number, text, length);
    const double magnitude = (double)mantissa / powers[behind_point];
    *number = negative ? -magnitude : magnitude;
    return true;
}

#include "base/bytes.h"

#include <string.h>

void oc_bytes_add_unsigned(oc_text *bytes, uint64_t number)
{
    char groups[10];
    size_t count = 0;
    while (number >= 0x80) {
        groups[count++] = (char)(unsigned char)(number | 0x80);
        number >>= 7;
    }
    groups[count++] = (char)(unsigned char)number;
    oc_text_append(bytes, groups, count);
}

/* Zigzag: small numbers of either sign are short. */
void oc_bytes_add_signed(oc_text *bytes, int64_t number)
{
    const uint64_t twice = (uint64_t)number << 1;
    oc_bytes_add_unsigned(bytes, number < 0 ? ~twice : twice);
}

void oc_bytes_add_double(oc_text *bytes, double number)
{
    uint64_t bits;
    char block[8];
    memcpy(&bits, &number, sizeof bits);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (char)(unsigned char)(bits >> (8 * i));
    oc_text_append(bytes, block, sizeof block);
}

oc_bytes_reader oc_bytes_read(const void *bytes, size_t length)
{
    const unsigned char *first = bytes;
    return (oc_bytes_reader){first, first != NULL ? first + length : NULL, false};
}

static uint64_t fail(oc_bytes_reader *reader)
{
    reader->failed = true;
    reader->next = reader->end;
    return 0;
}

uint64_t oc_bytes_unsigned(oc_bytes_reader *reader)
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

/* Up to 15 digits and powers of ten up to 22 are doubles, and so their quotient is rounded once, as
 * strtod does. */
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

#define _GNU_SOURCE
#include "importers/ctf/decode.h"

#include "base/plain.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
    MOST_EMPTY = 1 << 20, /* elements of arrays in a structure */
    MOST_TEXT = 64 << 20  /* bytes: the writer takes no more in one event */
};

/* --- Bits */

/* Of 64 bits, and of a variable length (0), all. */
static uint64_t mask_of(uint32_t size)
{
    return size - 1 < 63 ? ((uint64_t)1 << size) - 1 : UINT64_MAX;
}

static const unsigned char *byte_at(const ctf_decoder *decoder, uint64_t bit)
{
    return decoder->bytes + (bit / 8 - decoder->first);
}

/* Whole bytes from a byte on. */
static uint64_t read_bytes(const unsigned char *from, uint32_t count, bool is_big)
{
    uint64_t number = 0;
    if (!is_big && count == 4) {
        uint32_t half;
        memcpy(&half, from, sizeof half);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return half;
#else
        return __builtin_bswap32(half);
#endif
    }
    if (!is_big && count == 8) {
        memcpy(&number, from, sizeof number);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return number;
#else
        return __builtin_bswap64(number);
#endif
    }
    for (uint32_t i = 0; i < count; i++)
        number |= (uint64_t)from[i] << 8 * (is_big ? count - 1 - i : i);
    return number;
}

static bool align(ctf_decoder *decoder, const ctf_layout *layout)
{
    const uint64_t mask = layout->alignment - 1;
    decoder->at = (decoder->at + mask) & ~mask;
    return decoder->at <= decoder->end;
}

/* A number in groups of 7 bits, the lowest first; a byte's highest bit says that more follow. */
static bool read_variable(ctf_decoder *decoder, const ctf_layout *layout, uint64_t *number)
{
    uint32_t shift = 0;
    unsigned char byte = 0x80;
    if (!align(decoder, layout))
        return false;
    for (*number = 0; (byte & 0x80) != 0; shift += 7) {
        if (decoder->end - decoder->at < 8)
            return false;
        byte = *byte_at(decoder, decoder->at);
        const uint64_t bits = byte & 0x7F;
        decoder->at += 8;
        *number |= shift < 64 ? bits << shift : 0;
        const uint64_t filled = layout->is_signed && *number >> 63 != 0 ? 0x3F : 0;
        if (shift > 63 || (shift == 63 && bits >> 1 != filled)) {
            decoder->wrong = "a number of a variable length has more than 64 bits, expected fewer";
            return false;
        }
    }
    decoder->width = shift < 64 ? shift : 64;
    if (layout->is_signed && shift < 64 && (byte & 0x40) != 0)
        *number |= ~mask_of(shift);
    return true;
}

static uint64_t reverse_bits(uint64_t number, uint32_t size)
{
    uint64_t reversed = 0;
    for (uint32_t i = 0; i < size; i++)
        reversed |= (number >> i & 1) << (size - 1 - i);
    return reversed;
}

static bool read_number(ctf_decoder *decoder, const ctf_layout *layout, uint64_t *number)
{
    const uint32_t size = layout->size;
    if (layout->coding == CTF_LEB128)
        return read_variable(decoder, layout, number);
    if (!align(decoder, layout) || decoder->end - decoder->at < size)
        return false;
    const unsigned char *from = byte_at(decoder, decoder->at);
    const bool is_big = layout->order == CTF_BIG;
    const uint32_t shift = (uint32_t)(decoder->at % 8);
    if (shift == 0 && size % 8 == 0) {
        *number = read_bytes(from, size / 8, is_big);
    } else { /* little-endian bits count from the least of a byte, big-endian from the most */
        wide bits = 0;
        if (shift != 0 && decoder->order != layout->order) {
            decoder->wrong = "numbers of different byte orders in one byte, expected one order";
            return false;
        }
        decoder->order = layout->order;
        const uint32_t count = (shift + size + 7) / 8;
        for (uint32_t i = 0; i < count; i++)
            bits |= (wide)from[i] << 8 * (is_big ? count - 1 - i : i);
        *number = (uint64_t)(bits >> (is_big ? count * 8 - shift - size : shift)) & mask_of(size);
    }
    decoder->at += size;
    if (layout->coding == CTF_REVERSED)
        *number = reverse_bits(*number, size);
    if (layout->is_signed && size - 1 < 63 && (*number >> (size - 1) & 1) != 0)
        *number |= ~mask_of(size);
    return true;
}

/* --- Text of values */

void ctf_add_unsigned(oc_text *text, uint64_t number)
{
    char digits[OC_WHOLE_SIZE];
    oc_text_append(text, digits, oc_print_unsigned(digits, number));
}

void ctf_add_signed(oc_text *text, int64_t number)
{
    char digits[OC_WHOLE_SIZE];
    oc_text_append(text, digits, oc_print_signed(digits, number));
}

static void add_hexadecimal(oc_text *text, uint64_t number)
{
    char digits[24];
    size_t place = sizeof digits;
    do {
        digits[--place] = "0123456789abcdef"[number % 16];
        number /= 16;
    } while (number > 0);
    digits[--place] = 'x';
    digits[--place] = '0';
    oc_text_append(text, digits + place, sizeof digits - place);
}

static bool is_within(uint64_t number, int64_t low, int64_t high, bool is_signed)
{
    return is_signed ? (int64_t)number >= low && (int64_t)number <= high
                     : number >= (uint64_t)low && number <= (uint64_t)high;
}

/* The names of bits that are set, of those in some flag; false where none is. */
static bool add_flags(oc_text *text, const ctf_layout *layout, uint64_t number)
{
    bool is_set = false;
    const char *last = "";
    for (size_t i = 0; i < layout->label_count; i++) {
        const ctf_label *label = &layout->labels[i];
        const uint64_t low = (uint64_t)label->low;
        if (low > 63 || strcmp(label->name, last) == 0)
            continue;
        const uint32_t count = label->high > 63 ? 64 : (uint32_t)(label->high - label->low) + 1;
        if ((number >> low & mask_of(count)) == 0)
            continue;
        oc_text_add(text, is_set ? "|" : "");
        oc_text_add(text, label->name);
        last = label->name;
        is_set = true;
    }
    return is_set;
}

static void add_number(oc_text *text, const ctf_layout *layout, uint64_t number)
{
    if (layout->has_flags && add_flags(text, layout, number))
        return;
    const char *label = NULL; /* the first that has the number */
    for (size_t i = 0; layout->is_enumeration && label == NULL && i < layout->label_count; i++)
        if (is_within(number, layout->labels[i].low, layout->labels[i].high, layout->is_signed))
            label = layout->labels[i].name;
    if (label != NULL)
        oc_text_add(text, label);
    else if (layout->is_hexadecimal)
        add_hexadecimal(text, number & mask_of(layout->size));
    else if (layout->is_signed)
        ctf_add_signed(text, (int64_t)number);
    else
        ctf_add_unsigned(text, number);
}

/* --- Values
 *
 * Each is decoded to a value, to a text, or to nothing where both are NULL. */

static bool decode_any(ctf_decoder *decoder, const ctf_layout *layout, ctf_value *value,
                       oc_text *text);

/* A clock of few bits: as often round as it must be to go on. */
static void update_clock(ctf_decoder *decoder, uint32_t size, uint64_t number)
{
    const uint64_t mask = mask_of(size);
    const uint64_t before = decoder->time;
    if (size == 64) {
        decoder->time = number;
        return;
    }
    decoder->time = (before & ~mask) | number;
    if (decoder->time < before)
        decoder->time += mask + 1;
}

static bool decode_field(ctf_decoder *decoder, const ctf_field *field, ctf_value *value,
                         oc_text *text)
{
    const ctf_layout *layout = field->layout;
    uint64_t number;
    if (layout->kind != CTF_INTEGER)
        return decode_any(decoder, layout, value, text);
    if (!read_number(decoder, layout, &number))
        return false;
    if (layout->clock != 0 && (field->meanings & 1u << CTF_IS_END) == 0)
        update_clock(decoder, layout->size != 0 ? layout->size : decoder->width,
                     number & mask_of(layout->size));
    if (field->slot != 0)
        decoder->slots[field->slot - 1] = number;
    for (uint32_t left = field->meanings; left != 0; left &= left - 1) {
        decoder->meant[__builtin_ctz(left)] = number & mask_of(layout->size);
        decoder->has_meant |= left & -left;
    }
    if (value != NULL) {
        *value = (ctf_value){.layout = layout, .number = number};
    } else if (text != NULL) {
        add_number(text, layout, number);
    }
    return true;
}

/* A number of IEEE 754's binary16: a sign, 5 bits of an exponent, 10 of a fraction. */
static double half_of(uint32_t bits)
{
    const uint32_t exponent = bits >> 10 & 0x1F;
    const double fraction = (double)(bits & 0x3FF) / 1024;
    const double sign = (bits >> 15 & 1) != 0 ? -1 : 1;
    if (exponent == 0x1F)
        return fraction == 0 ? sign * (double)INFINITY : (double)NAN;
    return exponent == 0 ? sign * ldexp(fraction, -14)
                         : sign * ldexp(1 + fraction, (int)exponent - 15);
}

static bool decode_real(ctf_decoder *decoder, const ctf_layout *layout, ctf_value *value,
                        oc_text *text)
{
    uint64_t bits;
    double real;
    if (!read_number(decoder, layout, &bits))
        return false;
    if (layout->size == 16) {
        real = half_of((uint32_t)bits);
    } else if (layout->size == 32) {
        const uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, sizeof single);
        real = (double)single;
    } else {
        memcpy(&real, &bits, sizeof real);
    }
    if (value != NULL) {
        *value = (ctf_value){.layout = layout, .real = real};
    } else if (text != NULL) {
        oc_text_add(text, oc_digits(real).text);
    }
    return true;
}

static bool decode_string(ctf_decoder *decoder, const ctf_layout *layout, ctf_value *value,
                          oc_text *text)
{
    if (!align(decoder, layout))
        return false;
    const char *bytes = (const char *)byte_at(decoder, decoder->at);
    const size_t most = (size_t)((decoder->end - decoder->at) / 8);
    const char *end = most > 0 ? memchr(bytes, '\0', most) : NULL;
    if (end == NULL)
        return false;
    if (value != NULL) {
        *value = (ctf_value){.layout = layout, .bytes = bytes, .length = (size_t)(end - bytes)};
    } else if (text != NULL) {
        oc_text_append(text, bytes, (size_t)(end - bytes));
    }
    decoder->at += ((uint64_t)(end - bytes) + 1) * 8;
    return true;
}

/* Arrays of characters are texts, up to the first 0: it stands behind the copy of them. */
static bool decode_characters(ctf_decoder *decoder, const ctf_layout *layout, uint64_t length,
                              ctf_value *value, oc_text *text)
{
    if ((decoder->end - decoder->at) / 8 < length)
        return false;
    const char *bytes = length > 0 ? (const char *)byte_at(decoder, decoder->at) : "";
    const size_t shown = strnlen(bytes, (size_t)length);
    if (value != NULL) {
        *value = (ctf_value){.layout = layout, .begin = decoder->text.length, .length = shown};
        oc_text_append(&decoder->text, bytes, shown);
        oc_text_append(&decoder->text, "", 1);
    } else if (text != NULL) {
        oc_text_append(text, bytes, shown);
    }
    decoder->at += length * 8;
    return true;
}

static uint32_t unit_at(const unsigned char *bytes, uint32_t size, bool is_big)
{
    return (uint32_t)read_bytes(bytes, size, is_big);
}

/* Text in units of two or four bytes, up to a unit of 0. What is no character becomes U+FFFD. */
static void add_units(oc_text *text, const unsigned char *bytes, size_t length, uint32_t size,
                      bool is_big)
{
    for (size_t i = 0; i + size <= length; i += size) {
        uint32_t code = unit_at(bytes + i, size, is_big);
        if (code == 0)
            return;
        if (size == 2 && code >= 0xD800 && code < 0xDC00 && i + 4 <= length) {
            const uint32_t low = unit_at(bytes + i + 2, size, is_big);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i += 2;
            }
        }
        const bool is_character = code < 0x110000 && (code < 0xD800 || code >= 0xE000);
        oc_text_add_code_point(text, is_character ? code : 0xFFFD);
    }
}

static void add_bytes(oc_text *text, const unsigned char *bytes, size_t length)
{
    oc_text_add(text, length > 0 ? "0x" : "");
    for (size_t i = 0; i < length; i++) {
        const char digits[2] = {"0123456789abcdef"[bytes[i] >> 4],
                                "0123456789abcdef"[bytes[i] & 15]};
        oc_text_append(text, digits, sizeof digits);
    }
}

/* What is text once it is another: of other encodings, or bytes. */
static bool decode_units(ctf_decoder *decoder, const ctf_layout *layout, uint64_t length,
                         ctf_value *value, oc_text *text)
{
    const bool is_big = layout->text == CTF_UTF16_BIG || layout->text == CTF_UTF32_BIG;
    const uint32_t size = layout->text >= CTF_BYTES ? 1 : layout->text >= CTF_UTF32_LITTLE ? 4 : 2;
    const uint64_t there = (decoder->end - decoder->at) / 8;
    const unsigned char *bytes = there > 0 ? byte_at(decoder, decoder->at) : NULL;
    if (layout->kind == CTF_STRING) { /* up to its end, with it */
        for (length = size; length <= there; length += size)
            if (unit_at(bytes + length - size, size, is_big) == 0)
                break;
    }
    if (length > there)
        return false;
    if (length % size != 0) {
        decoder->wrong = "a string ends within a character, expected whole ones";
        return false;
    }
    oc_text *into = value != NULL ? &decoder->text : text;
    if (value != NULL)
        *value = (ctf_value){.layout = layout, .begin = decoder->text.length};
    if (into != NULL && layout->text == CTF_BYTES)
        add_bytes(into, bytes, (size_t)length);
    else if (into != NULL)
        add_units(into, bytes, (size_t)length, size, is_big);
    if (value != NULL) {
        value->length = decoder->text.length - value->begin;
        oc_text_append(&decoder->text, "", 1);
    }
    decoder->at += length * 8;
    return true;
}

static bool decode_array(ctf_decoder *decoder, const ctf_layout *layout, oc_text *text,
                         uint64_t length)
{
    /* Structures and what is optional may take no bits. */
    if (layout->element->kind < CTF_STRUCTURE && length > decoder->end - decoder->at)
        return false;
    if (text != NULL)
        oc_text_append(text, "[", 1);
    for (uint64_t i = 0; i < length; i++) {
        const ctf_field element = {.layout = layout->element};
        const uint64_t before = decoder->at;
        if (text != NULL && i > 0)
            oc_text_append(text, ", ", 2);
        if (!decode_field(decoder, &element, NULL, text))
            return false;
        /* What takes no bits could go on without an end in arrays of arrays, and the names of
         * members are longer than their bits. */
        if (decoder->at == before && ++decoder->empty > MOST_EMPTY)
            decoder->wrong = "arrays of too many elements without bits, expected fewer";
        else if (text != NULL && text->length > MOST_TEXT)
            decoder->wrong = "an array of more than 64 MiB of text, expected less";
        if (decoder->wrong != NULL)
            return false;
    }
    if (text != NULL)
        oc_text_append(text, "]", 1);
    return true;
}

static bool decode_structure(ctf_decoder *decoder, const ctf_layout *layout, oc_text *text)
{
    if (text != NULL)
        oc_text_append(text, "{", 1);
    for (size_t i = 0; i < layout->field_count; i++) {
        const ctf_field *field = &layout->fields[i];
        if (text != NULL) {
            oc_text_add(text, i > 0 ? ", " : "");
            oc_text_add(text, field->shown);
            oc_text_append(text, ": ", 2);
        }
        if (!decode_field(decoder, field, NULL, text))
            return false;
    }
    if (text != NULL)
        oc_text_append(text, "}", 1);
    return true;
}

/* The option that the tag chooses. */
static bool decode_variant(ctf_decoder *decoder, const ctf_layout *layout, ctf_value *value,
                           oc_text *text)
{
    const uint64_t tag = decoder->slots[layout->slot - 1];
    for (size_t i = 0; i < layout->choice_count; i++) {
        const ctf_choice *choice = &layout->choices[i];
        if (is_within(tag, choice->low, choice->high, layout->tag_is_signed))
            return decode_field(decoder, &layout->fields[choice->option], value, text);
    }
    if (!layout->is_optional)
        decoder->wrong = "a tag chooses no option, expected one that does";
    else if (value != NULL)
        *value = (ctf_value){0};
    else if (text != NULL)
        oc_text_add(text, "none");
    return layout->is_optional;
}

static bool decode_any(ctf_decoder *decoder, const ctf_layout *layout, ctf_value *value,
                       oc_text *text)
{
    if (layout->kind == CTF_REAL)
        return decode_real(decoder, layout, value, text);
    if (layout->kind == CTF_STRING && layout->text == CTF_UTF8)
        return decode_string(decoder, layout, value, text);
    if (layout->kind == CTF_VARIANT)
        return decode_variant(decoder, layout, value, text);
    if (!align(decoder, layout))
        return false;
    const uint64_t length =
        layout->kind == CTF_SEQUENCE ? decoder->slots[layout->slot - 1] : layout->length;
    if (layout->text == CTF_UTF8)
        return decode_characters(decoder, layout, length, value, text);
    if (layout->text != CTF_NO_TEXT)
        return decode_units(decoder, layout, length, value, text);
    if (value != NULL) {
        *value = (ctf_value){.layout = layout, .begin = decoder->text.length};
        text = &decoder->text;
    }
    const bool done = layout->kind == CTF_STRUCTURE ? decode_structure(decoder, layout, text)
                                                    : decode_array(decoder, layout, text, length);
    if (value != NULL)
        value->length = decoder->text.length - value->begin;
    return done;
}

bool ctf_decode(ctf_decoder *decoder, const ctf_layout *structure, ctf_value *values)
{
    decoder->empty = 0;
    if (structure == NULL)
        return true;
    if (!align(decoder, structure))
        return false;
    for (size_t i = 0; i < structure->field_count; i++)
        if (!decode_field(decoder, &structure->fields[i], values != NULL ? &values[i] : NULL, NULL))
            return false;
    return true;
}

/* --- Questions */

const char *ctf_value_string(const ctf_value *value, const oc_text *parts)
{
    if (value->layout == NULL)
        return NULL;
    if (value->layout->kind == CTF_STRING && value->bytes != NULL)
        return value->bytes;
    const bool is_one = value->layout->text != CTF_NO_TEXT && value->layout->text != CTF_BYTES;
    return is_one && parts->bytes != NULL ? parts->bytes + value->begin : NULL;
}

bool ctf_value_number(int64_t *number, const ctf_value *value)
{
    if (value->layout == NULL || value->layout->kind != CTF_INTEGER)
        return false;
    *number = (int64_t)value->number;
    return true;
}

void ctf_value_add(oc_text *text, const ctf_value *value, const oc_text *parts)
{
    if (value->layout->kind == CTF_INTEGER)
        add_number(text, value->layout, value->number);
    else if (value->layout->kind == CTF_REAL)
        oc_text_add(text, oc_digits(value->real).text);
    else if (value->bytes != NULL)
        oc_text_append(text, value->bytes, value->length);
    else if (parts->bytes != NULL)
        oc_text_append(text, parts->bytes + value->begin, value->length);
}

#include "importers/common/protobuf.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How a value is written: the last three bits of its tag. */
enum { VARIABLE = 0, EIGHT = 1, BYTES = 2, FOUR = 5 };

enum { LONGEST = 256 << 20, BLOCK = 1 << 18, LONGEST_HEAD = 20 };

static uint64_t take_fixed(oc_bytes_reader *message, size_t size)
{
    uint64_t value = 0;
    const char *bytes = oc_bytes_block(message, size);
    for (size_t i = 0; bytes != NULL && i < size; i++)
        value |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    return value;
}

/* Reads a tag, and a number or how many bytes follow. */
static bool read_head(oc_field *field, oc_bytes_reader *message)
{
    const uint64_t tag = oc_bytes_unsigned(message);
    const unsigned kind = tag & 7;
    *field = (oc_field){.number = (uint32_t)(tag >> 3), .is_bytes = kind == BYTES, .bytes = ""};
    if (kind == VARIABLE)
        field->value = oc_bytes_unsigned(message);
    else if (kind == BYTES)
        field->length = oc_bytes_unsigned(message);
    else if (kind == EIGHT || kind == FOUR)
        field->value = take_fixed(message, kind == EIGHT ? 8 : 4);
    else
        message->failed = true;
    message->failed = message->failed || field->number == 0 || tag > UINT32_MAX;
    return !message->failed;
}

bool oc_field_next(oc_field *field, oc_bytes_reader *message)
{
    if (message->failed || message->next == message->end || !read_head(field, message))
        return false;
    if (field->length > 0)
        field->bytes = oc_bytes_block(message, field->length);
    return !message->failed;
}

ocelotl_status oc_fields_read(oc_field *fields, const unsigned char *numbers,
                              oc_bytes_reader message, const char *what)
{
    oc_field field;
    for (size_t i = 0; numbers[i] != 0; i++)
        fields[i] = (oc_field){.bytes = ""};
    while (oc_field_next(&field, &message)) {
        const unsigned char *place =
            field.number < 256
                ? (const unsigned char *)strchr((const char *)numbers, (int)field.number)
                : NULL;
        if (place != NULL)
            fields[place - numbers] = field;
    }
    return oc_fields_check(&message, what);
}

ocelotl_status oc_fields_check(const oc_bytes_reader *message, const char *what)
{
    return message->failed ? oc_fail(OCELOTL_ERROR_INPUT,
                                     "the %s is broken, expected fields that end with it", what)
                           : OCELOTL_OK;
}

bool oc_field_numbers(uint64_t *number, size_t *at, const oc_field *field, bool is_fixed)
{
    if (!field->is_bytes) {
        *number = field->value;
        return (*at)++ == 0;
    }
    oc_bytes_reader rest = oc_bytes_read(field->bytes + *at, field->length - *at);
    if (rest.next == rest.end)
        return false;
    *number = is_fixed ? take_fixed(&rest, 8) : oc_bytes_unsigned(&rest);
    *at = field->length - (size_t)(rest.end - rest.next);
    return !rest.failed;
}

/* --- Files */

static ocelotl_status fail_at(const oc_fields *fields, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: byte %" PRIu64 ": %s", oc_input_name(fields->input),
                   fields->offset, what);
}

/* Reads on until some bytes are there, or the file ends. */
static ocelotl_status fill(oc_fields *fields, size_t wanted)
{
    size_t step = 1;
    if (fields->end - fields->begin >= wanted || fields->at_end)
        return OCELOTL_OK;
    if (fields->begin > 0)
        memmove(fields->bytes, fields->bytes + fields->begin, fields->end - fields->begin);
    fields->end -= fields->begin;
    fields->begin = 0;
    while (fields->end < wanted && step > 0) {
        /* as it comes: a length may be any number */
        OC_TRY(oc_grow(&fields->bytes, &fields->capacity, fields->end + BLOCK, 1));
        OC_TRY(oc_input_read(fields->input, fields->bytes + fields->end,
                             fields->capacity - fields->end, &step));
        fields->end += step;
    }
    fields->at_end = step == 0;
    return OCELOTL_OK;
}

static void pass(oc_fields *fields, size_t length)
{
    fields->begin += length;
    fields->offset += length;
}

static ocelotl_status skip_rest(oc_fields *fields)
{
    while (fields->left > 0) {
        OC_TRY(fill(fields, 1));
        const size_t there = fields->end - fields->begin;
        const size_t step = fields->left < there ? (size_t)fields->left : there;
        if (step == 0)
            return fail_at(fields, "the file ends inside a field, expected the rest of it");
        pass(fields, step);
        fields->left -= step;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_fields_next(oc_field *field, oc_fields *fields)
{
    OC_TRY(skip_rest(fields));
    const uint64_t end = fields->depth > 0 ? fields->ends[fields->depth - 1] : UINT64_MAX;
    OC_TRY(fill(fields, LONGEST_HEAD));
    size_t there = fields->end - fields->begin;
    *field = (oc_field){.bytes = ""};
    if (fields->offset == end || (there == 0 && fields->depth == 0)) {
        fields->depth -= fields->depth > 0;
        return OCELOTL_OK;
    }
    there = end - fields->offset < there ? (size_t)(end - fields->offset) : there;
    oc_bytes_reader head = oc_bytes_read(fields->bytes + fields->begin, there);
    if (!read_head(field, &head))
        return fail_at(fields, there < LONGEST_HEAD
                                   ? "a field is broken or cut, expected its number and value"
                                   : "a field is broken, expected its number and value");
    const size_t length = there - (size_t)(head.end - head.next);
    if (field->length > end - fields->offset - length)
        return fail_at(fields, "a field is longer than the message that holds it, expected less");
    pass(fields, length);
    fields->left = field->length;
    return OCELOTL_OK;
}

ocelotl_status oc_fields_block(oc_field *field, oc_fields *fields)
{
    enum { SIZE = 4 };
    OC_TRY(skip_rest(fields));
    OC_TRY(fill(fields, SIZE));
    const size_t there = fields->end - fields->begin;
    *field = (oc_field){.number = there > 0, .is_bytes = true, .bytes = ""};
    if (there == 0)
        return OCELOTL_OK;
    if (there < SIZE)
        return fail_at(fields, "the file ends inside a length, expected the rest of it");
    for (size_t i = 0; i < SIZE; i++)
        field->length = field->length << 8 | (unsigned char)fields->bytes[fields->begin + i];
    pass(fields, SIZE);
    fields->left = field->length;
    return OCELOTL_OK;
}

ocelotl_status oc_fields_take(oc_field *field, oc_fields *fields)
{
    if (field->length > LONGEST)
        return fail_at(fields, "a field is longer than 256 MiB, expected less");
    OC_TRY(fill(fields, field->length));
    if (fields->end - fields->begin < field->length)
        return fail_at(fields, "the file ends inside a field, expected the rest of it");
    field->bytes = field->length > 0 ? fields->bytes + fields->begin : "";
    pass(fields, field->length);
    fields->left = 0;
    return OCELOTL_OK;
}

ocelotl_status oc_fields_enter(oc_fields *fields)
{
    if (fields->depth == OC_FIELDS_DEPTH)
        return fail_at(fields, "messages are too deep inside each other, expected fewer");
    fields->ends[fields->depth++] = fields->offset + fields->left;
    fields->left = 0;
    return OCELOTL_OK;
}

ocelotl_status oc_fields_end(const oc_fields *fields, ocelotl_status status, oc_oddities *oddities,
                             const char *what)
{
    const char *loss = oc_input_loss(fields->input);
    if ((status != OCELOTL_OK && (status != OCELOTL_ERROR_INPUT || !oddities->lenient)) ||
        (status == OCELOTL_OK && loss == NULL))
        return status;
    if (loss != NULL)
        (void)fail_at(fields, loss);
    return oc_oddities_lose_rest(oddities, what);
}

void oc_fields_free(oc_fields *fields)
{
    free(fields->bytes);
}

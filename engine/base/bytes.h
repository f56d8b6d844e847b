/* Numbers as bytes: variable-length integers, least significant group first, with every read
 * checked. */
#ifndef OC_BASE_BYTES_H
#define OC_BASE_BYTES_H

#include "base/text.h"

/* Appends to a text, whose bytes are then no string. */
void oc_bytes_add_unsigned(oc_text *bytes, uint64_t number);
void oc_bytes_add_signed(oc_text *bytes, int64_t number);
void oc_bytes_add_double(oc_text *bytes, double number);

/* Reads onwards from a block of bytes. Once a read goes beyond the end or meets an impossible
 * number, `failed` stays set and reads give 0: check it once at the end. */
typedef struct oc_bytes_reader {
    const unsigned char *next;
    const unsigned char *end;
    bool failed;
} oc_bytes_reader;

oc_bytes_reader oc_bytes_read(const void *bytes, size_t length);
uint64_t oc_bytes_unsigned(oc_bytes_reader *reader);
int64_t oc_bytes_signed(oc_bytes_reader *reader);
double oc_bytes_double(oc_bytes_reader *reader);

/* An unsigned number that counts things of at least one byte each that are still to come: at most
 * what is left. */
size_t oc_bytes_count(oc_bytes_reader *reader);

/* An unsigned number that fits 32 bits. */
uint32_t oc_bytes_index(oc_bytes_reader *reader);

/* The next `length` bytes, NULL (and failed) where they are not there. */
const char *oc_bytes_block(oc_bytes_reader *reader, size_t length);

/* What oc_text_is_number says, quickly for what is plain decimal. */
bool oc_bytes_are_number(double *number, const char *text, size_t length);

/* a + b, a * b for times; false where the result does not fit. */
static inline bool oc_add_times(int64_t *sum, int64_t a, int64_t b)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool oc_multiply_time(int64_t *product, int64_t time, uint64_t factor)
{
    return factor <= INT64_MAX && !__builtin_mul_overflow(time, (int64_t)factor, product);
}

#endif

/* The wire format of protocol buffers: fields, each with a number and a value. In memory they are
 * read from an oc_bytes_reader (base/text.h); those of a file one at a time, whatever its size.
 * Nothing is known of what a message should hold: numbers of other fields are passed over. */
#ifndef OC_IMPORTERS_COMMON_PROTOBUF_H
#define OC_IMPORTERS_COMMON_PROTOBUF_H

#include "base/file/input.h"
#include "importers/common/oddities.h"

#include <string.h>

/* A field: a number, or bytes, which are a text, a message or a list of numbers. */
typedef struct oc_field {
    uint32_t number;   /* 0: there is no further one */
    bool is_bytes;     /* else `value` is what it says, and there are no bytes: */
    uint64_t value;    /* of fixed ones the bits, */
    const char *bytes; /* never NULL */
    size_t length;
} oc_field;

/* Reads the next field of a message in memory; false at its end, or where it is broken:
 * message->failed. */
bool oc_field_next(oc_field *field, oc_bytes_reader *message);

/* Reads the fields of a message whose numbers are in a list, which ends with 0: the last of each
 * into its place; those that are not there have the number 0. Errors: INPUT for a broken one;
 * `what`
 * ("packet") it is. */
ocelotl_status oc_fields_read(oc_field *fields, const unsigned char *numbers,
                              oc_bytes_reader message, const char *what);

/* INPUT where a message was found to be broken; what ("packet") it is. */
ocelotl_status oc_fields_check(const oc_bytes_reader *message, const char *what);

static inline oc_bytes_reader oc_field_message(const oc_field *field)
{
    return oc_bytes_read(field->bytes, field->length);
}

/* The number of a field as a double, which has 64 bits. */
static inline double oc_field_double(const oc_field *field)
{
    double number;
    memcpy(&number, &field->value, sizeof number);
    return number;
}

/* Goes through the numbers of a repeated field, packed or not: the next one, from *at on, which is
 * 0 first. False behind the last. Those of fixed size are 64 bits. */
bool oc_field_numbers(uint64_t *number, size_t *at, const oc_field *field, bool is_fixed);

/* Messages inside each other that are entered. */
enum { OC_FIELDS_DEPTH = 4 };

/* The fields of a file. Zero-initialised but for the input it is at the beginning. */
typedef struct oc_fields {
    oc_input *input;
    char *bytes; /* what is read and not yet passed is from `begin` to `end` */
    size_t capacity, begin, end;
    uint64_t offset;                /* of `begin` in the file */
    uint64_t left;                  /* bytes of the last field, which was not taken */
    uint64_t ends[OC_FIELDS_DEPTH]; /* where the messages end that were entered */
    size_t depth;
    bool at_end;
} oc_fields;

/* Reads the number of the next field of the message at hand, which is the file, or was entered; 0
 * behind its last one, which leaves it. Of bytes the length is known: they are taken, or entered as
 * a message, or passed over by the next call. Errors: INPUT for what is no field, or is cut, with
 * the file's name and the byte before it; those of the input. */
ocelotl_status oc_fields_next(oc_field *field, oc_fields *fields);

/* The same in a file of messages, each behind its length in four bytes, the highest first: the next
 * one, with the number 1. */
ocelotl_status oc_fields_block(oc_field *field, oc_fields *fields);

/* Reads a field's bytes; they live until the next call. Errors: INPUT for more than 256 MiB. */
ocelotl_status oc_fields_take(oc_field *field, oc_fields *fields);

/* Enters a field: what follows are the fields of its message. Errors: INPUT for one that is deeper
 * than any format is. */
ocelotl_status oc_fields_enter(oc_fields *fields);

/* Ends the reading of a file, with its status: where the import is lenient, what ("trace") lacks
 * its rest if it is cut or broken. */
ocelotl_status oc_fields_end(const oc_fields *fields, ocelotl_status status, oc_oddities *oddities,
                             const char *what);

void oc_fields_free(oc_fields *fields);

#endif

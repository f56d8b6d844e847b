/* Fields of CTF, decoded from the bits of a packet. */
#ifndef OC_IMPORTERS_CTF_DECODE_H
#define OC_IMPORTERS_CTF_DECODE_H

#include "importers/ctf/description.h"

/* The value of a member: a number, or bytes; of what is optional and absent all is 0. */
typedef struct ctf_value {
    const ctf_layout *layout; /* NULL: it has none */
    uint64_t number;          /* of integers; of signed ones its bits */
    double real;
    const char
        *bytes; /* of strings; NULL: of what has parts, as text in the decoder's at `begin` */
    size_t begin, length;
} ctf_value;

/* What is decoded: bits of a packet from `at`. `bytes` are those of the packet from its byte
 * `first` on. */
typedef struct ctf_decoder {
    const unsigned char *bytes;
    uint64_t first; /* in bytes */
    uint64_t at, end;
    uint64_t *slots;              /* of the description */
    oc_text text;                 /* of what has parts, until it is cleared */
    uint64_t meant[CTF_MEANINGS]; /* what fields said, */
    uint32_t has_meant;           /* a bit for each that did */
    uint64_t time;                /* of the clock */
    uint32_t width;               /* in bits, of the last number of a variable length */
    ctf_order order;              /* of the last number that did not end a byte */
    const char *wrong;            /* what no bits more would mend, NULL: nothing */
    size_t empty;                 /* elements of arrays that took no bits */
} ctf_decoder;

/* Decodes the members of a structure (NULL: it has none) to values (NULL: they are passed over).
 * False where the bits end within it, or where `wrong` is set. */
bool ctf_decode(ctf_decoder *decoder, const ctf_layout *structure, ctf_value *values);

/* The number of a value that is one; *number is not set where it is not. */
bool ctf_value_number(int64_t *number, const ctf_value *value);

/* The text of a value that is one, else NULL; it lives until more is decoded. */
const char *ctf_value_string(const ctf_value *value, const oc_text *parts);

/* Appends a value: numbers in decimal digits, or hexadecimal ones (0x) where the trace prefers
 * them; an enumeration by its label; [1, 2] for arrays, {a: 1, b: 2} for structures. */
void ctf_value_add(oc_text *text, const ctf_value *value, const oc_text *parts);

/* Append a number in decimal digits. */
void ctf_add_unsigned(oc_text *text, uint64_t number);
void ctf_add_signed(oc_text *text, int64_t number);

#endif

/* Fields of events: as numbers, and as the texts that attributes are. */
#ifndef OC_IMPORTERS_CTF_FIELDS_H
#define OC_IMPORTERS_CTF_FIELDS_H

#include "base/text.h"

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

/* The number of a field that is one; *number is not set where it is not. */
bool ctf_field_number(int64_t *number, const bt_field *field);

/* The text of a field that is one, else NULL. */
const char *ctf_field_string(const bt_field *field);

/* Appends a field: numbers in decimal digits, or hexadecimal ones (0x) where the trace prefers
 * them; an enumeration by its label; [1, 2] for arrays, {a: 1, b: 2} for structures. */
void ctf_field_add(oc_text *text, const bt_field *field);

/* Append a number in decimal digits. */
void ctf_field_add_unsigned(oc_text *text, uint64_t number);
void ctf_field_add_signed(oc_text *text, int64_t number);

#endif

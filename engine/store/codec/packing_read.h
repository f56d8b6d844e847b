/* Reads the bytes of an oc_packing back. They are the writer's own and need no check. */
#ifndef OC_STORE_CODEC_PACKING_READ_H
#define OC_STORE_CODEC_PACKING_READ_H

#include "store/codec/record.h"

#include <string.h>

static inline const unsigned char *oc_packing_unsigned(uint64_t *number, const unsigned char *from)
{
    unsigned shift = 0;
    for (*number = *from & 0x7F; *from++ >= 0x80;)
        *number |= (uint64_t)(*from & 0x7F) << (shift += 7);
    return from;
}

static inline const unsigned char *oc_packing_signed(int64_t *number, const unsigned char *from)
{
    uint64_t twice;
    from = oc_packing_unsigned(&twice, from);
    *number = (int64_t)(twice >> 1 ^ (0 - (twice & 1)));
    return from;
}

/* An optional index. */
static inline const unsigned char *oc_packing_index(uint32_t *index, const unsigned char *from)
{
    uint64_t number;
    from = oc_packing_unsigned(&number, from);
    *index = (uint32_t)number - 1;
    return from;
}

static inline const unsigned char *oc_packing_double(double *number, const unsigned char *from)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 8; i++)
        bits |= (uint64_t)*from++ << (8 * i);
    memcpy(number, &bits, sizeof bits);
    return from;
}

/* A record but for its attributes; `before` is the time of the one before it. Gives the place of
 * the number of its attributes, which follow. */
static inline const unsigned char *oc_packing_record(oc_record *record, const unsigned char *from,
                                                     oc_role role, int64_t before)
{
    const bool is_interval = role == OC_ROLE_STATES || role == OC_ROLE_LINKS_OUT;
    int64_t step;
    uint64_t code;
    *record = (oc_record){.value = OCELOTL_NONE};
    from = oc_packing_signed(&step, from);
    record->time = (int64_t)((uint64_t)before + (uint64_t)step);
    if (role == OC_ROLE_VARIABLE)
        return oc_packing_double(&record->number, from);
    from = oc_packing_unsigned(&code, from);
    record->ends = is_interval && code < OC_CODE_BEGIN;
    if (!record->ends)
        record->value = (uint32_t)(code - (is_interval ? OC_CODE_BEGIN : 0)) - 1;
    if (record->ends && code == OC_CODE_END_DEEPER) {
        from = oc_packing_index(&record->depth, from);
        record->depth++;
    }
    if (oc_record_has_partner(record, role)) {
        from = oc_packing_index(&record->partner, from);
        from = oc_packing_signed(&record->duration, from);
    }
    return from;
}

static inline const unsigned char *oc_packing_attribute(ocelotl_attribute_value *attribute,
                                                        const unsigned char *from)
{
    uint64_t number;
    uint64_t length;
    from = oc_packing_unsigned(&number, from);
    from = oc_packing_unsigned(&length, from);
    *attribute = (ocelotl_attribute_value){(uint32_t)number, (const char *)from, (size_t)length};
    return from + length;
}

#endif

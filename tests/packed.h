/* Records as a writer packs them, for tests that unpack them again. */
#ifndef OC_TESTS_PACKED_H
#define OC_TESTS_PACKED_H

#include "base/memory.h"
#include "store/codec/packing.h"

#include <stdlib.h>

/* Packs records into a blob, compressed where that makes it smaller. */
static inline ocelotl_status pack_records(oc_text *blob, const oc_records *records, oc_role role)
{
    oc_packing packing = {0};
    oc_columns_maker maker = {0};
    oc_text joined = {0};
    oc_blob_packer packer = {0};
    ocelotl_attribute_value *attributes = NULL;
    ocelotl_status status = oc_allocate(&attributes, records->attribute_count, sizeof *attributes);
    for (size_t i = 0; i < records->count && status == OCELOTL_OK; i++) {
        const oc_record *record = &records->records[i];
        for (uint32_t a = 0; a < record->attribute_count; a++)
            attributes[a] = oc_record_attribute_at(records, record, a);
        status = oc_packing_add(&packing, role, record, attributes, record->attribute_count);
    }
    if (status == OCELOTL_OK)
        status =
            oc_columns_make(&joined, &maker, packing.bytes, packing.length, packing.count, role);
    if (status == OCELOTL_OK)
        status = oc_blob_pack(blob, &joined, &packer);
    free(attributes);
    oc_blob_packer_free(&packer);
    oc_packing_free(&packing);
    oc_columns_maker_free(&maker);
    oc_text_free(&joined);
    return status;
}

#endif

/* Names that several have. */
#include "model/core/model.h"

#include <inttypes.h>

ocelotl_status oc_number_twin(oc_text *name, const oc_map *taken, oc_map *numbers)
{
    const size_t length = name->length;
    if (name->failed)
        return oc_fail_memory();
    if (oc_map_get(taken, name->bytes, length) == OC_MAP_NONE)
        return OCELOTL_OK;
    const uint32_t last = oc_map_get(numbers, name->bytes, length);
    uint32_t number = last == OC_MAP_NONE ? 1 : last;
    do {
        name->length = length;
        oc_text_format(name, "#%" PRIu32, ++number);
    } while (!name->failed && oc_map_get(taken, name->bytes, name->length) != OC_MAP_NONE);
    return name->failed ? oc_fail_memory() : oc_map_set(numbers, name->bytes, length, number);
}

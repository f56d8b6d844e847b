#include "aggregate/vector/vector.h"

#define QUOTE(text)           #text
#define NAME_OF(instructions) QUOTE(instructions)

const oc_vector OC_VECTOR(oc_vector) = {
    NAME_OF(OC_INSTRUCTIONS),  OC_VECTOR(oc_cut),   OC_VECTOR(oc_lose), OC_VECTOR(oc_weigh),
    OC_VECTOR(oc_join_slices), OC_VECTOR(oc_value), OC_VECTOR(oc_find),
};

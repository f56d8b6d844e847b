/* What a verification is inside. */
#ifndef OC_STORE_VERIFY_VERIFICATION_H
#define OC_STORE_VERIFY_VERIFICATION_H

#include "store/trace/catalogue.h"
#include "store/verify/survey.h"

#include <ocelotl/verify.h>

typedef struct oc_damage {
    char *text;
    ocelotl_damage damage; /* its strings are in `text` and in the catalogue */
} oc_damage;

struct ocelotl_verification {
    char *path;
    ocelotl_trace *trace; /* NULL where its tables are damaged */
    oc_catalogue catalogue;
    oc_survey survey;
    oc_chunk_place *places; /* of the stream looked at last */
    size_t place_capacity;
    oc_damage *damages;
    size_t damage_count, damage_capacity;
};

#endif

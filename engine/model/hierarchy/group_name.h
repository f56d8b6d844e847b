/* What a group of like siblings is called. */
#ifndef OC_MODEL_HIERARCHY_GROUP_NAME_H
#define OC_MODEL_HIERARCHY_GROUP_NAME_H

#include "base/text.h"

/* One of the resources that a group holds. */
typedef struct oc_group_member {
    const char *name;
    const char *kind; /* its resource type, NULL or "": none */
} oc_group_member;

/* Names of a group have at most so many characters. */
#define OC_GROUP_NAME_MOST 28

/* Writes the name of a group of `count` (>= 1) members into an empty text. It lists all of them
 * where that is short, with numbers in ranges ("rank-1, 4-7"), else how many they are and the first
 * ("12 hosts: 16, 20-24, .."). O(count), and O(count log count) where numbers do not ascend.
 * Errors: MEMORY. */
ocelotl_status oc_group_name(oc_text *name, const oc_group_member *members, uint32_t count);

#endif

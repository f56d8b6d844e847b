/* An element of a list of trace events: an object with the members that the format knows, and
 * others. */
#ifndef OC_IMPORTERS_CHROME_ELEMENT_H
#define OC_IMPORTERS_CHROME_ELEMENT_H

#include "base/format/json_scan.h"

/* The members that mean something; the order is that of their names in element.c. */
typedef enum chrome_key {
    CHROME_NAME,
    CHROME_CATEGORY,
    CHROME_PHASE,
    CHROME_TIME,
    CHROME_DURATION,
    CHROME_PROCESS,
    CHROME_THREAD,
    CHROME_ID,
    CHROME_ID2,
    CHROME_SCOPE,
    CHROME_BIND_ID,
    CHROME_BINDING_POINT,
    CHROME_FLOW_IN,
    CHROME_FLOW_OUT,
    CHROME_INSTANT_SCOPE,
    CHROME_ARGUMENTS,
    CHROME_KEYS
} chrome_key;

typedef struct chrome_member {
    oc_json_item key, value;
} chrome_member;

typedef struct chrome_members {
    chrome_member *all;
    size_t count, capacity;
} chrome_members;

/* Zero-initialised it is empty; it may be filled again and again. */
typedef struct chrome_element {
    oc_json_item keys[CHROME_KEYS];
    chrome_members arguments; /* of "args", where that is an object */
    chrome_members others;
    ocelotl_status status; /* MEMORY: nothing is known */
    bool has_members;
} chrome_element;

/* Scans an object, at its bracket, into a chrome_element. */
oc_json_scan chrome_element_scan(void *element, oc_json_cursor *cursor);

/* The value of a member by name; its bytes are NULL if it is absent. */
oc_json_item chrome_members_find(const chrome_members *members, const char *name);

void chrome_element_free(chrome_element *element);

#endif

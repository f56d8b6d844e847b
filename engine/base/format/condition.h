/* Conditions "NAME OP VALUE", with one of = != < <= > >=: numbers are compared as such, texts by =
 * and != as globs. */
#ifndef OC_BASE_FORMAT_CONDITION_H
#define OC_BASE_FORMAT_CONDITION_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum oc_comparison {
    OC_EQUAL,
    OC_UNEQUAL,
    OC_LESS,
    OC_AT_MOST,
    OC_MORE,
    OC_AT_LEAST,
} oc_comparison;

/* Zero-initialised it is none. */
typedef struct oc_condition {
    char *name;       /* with the text in one block */
    const char *text; /* what it is compared with, */
    double number;    /* and as a number, if it is one */
    bool is_number, orders_texts;
    oc_comparison comparison;
} oc_condition;

/* Reads a condition; with `orders_texts` a text may be compared by < and the like, letter by
 * letter. Errors: ARGUMENT for what is no condition. */
ocelotl_status oc_condition_read(oc_condition *condition, const char *text, bool orders_texts);
void oc_condition_free(oc_condition *condition);

/* Whether a value meets it. Errors: MEMORY. */
ocelotl_status oc_condition_decide(bool *met, const oc_condition *condition, const char *text,
                                   size_t length);

#endif

/* The metric that divides two variables: "A / B", or so many times that, "1000 * A / B". */
#ifndef OC_MODEL_METRICS_FORMULA_H
#define OC_MODEL_METRICS_FORMULA_H

#include "base/text.h"
#include "store/trace/trace.h"

typedef struct oc_formula {
    double factor;
    uint32_t numerator, denominator; /* event types */
} oc_formula;

/* Whether the name of a metric is one: no other has a slash. */
bool oc_is_formula(const char *name);

/* Reads [number *] NAME / NAME, a name in double quotes where it has blanks or operators. Errors:
 * ARGUMENT for anything else, and for names of no variable, with the nearest one, or of several. */
ocelotl_status oc_formula_read(oc_formula *formula, const ocelotl_trace *trace, const char *text);

/* Adds its unit: that of one by that of the other, that of a level times s where one alone
 * is of a level; none where both are the same, or not known. */
void oc_formula_add_unit(oc_text *unit, const oc_formula *formula, const ocelotl_trace *trace);

#endif

/* The steps of a program that a model names, as pictures show them (docs/first.md). */
#ifndef OC_LOOK_STEPS_H
#define OC_LOOK_STEPS_H

#include "base/text.h"

#include <stddef.h>

typedef struct oc_step_span {
    const char *name;
    double begin, end; /* in seconds */
} oc_step_span;

typedef struct oc_steps {
    const char *name;   /* of all, as "step #" */
    oc_step_span *list; /* in the order of their begins; by free, with all names */
    size_t count;
    double least, median, most; /* how long they last */
    size_t slowest;             /* the one that is marked; count: none */
} oc_steps;

/* Reads `steps` of ocelotl_model_info, where it has any. O(n log n). Errors: INPUT where they are
 * damaged, MEMORY. */
ocelotl_status oc_steps_read(oc_steps *steps, const char *lines);

/* Whether a step is marked: the slowest, where it stands out, and those that are nearly as slow. */
bool oc_step_is_slow(const oc_steps *steps, size_t step);

/* Appends what tells the name of a step from others: from its first digit to its last. */
void oc_step_add_number(oc_text *text, const oc_step_span *step);

/* Appends how many there are, and how long they take. */
void oc_steps_describe(oc_text *text, const oc_steps *steps);

#endif

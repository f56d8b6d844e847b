/* Rows in which nothing happens, and the states that say so (docs/first.md). */
#ifndef OC_LOOK_IDLE_H
#define OC_LOOK_IDLE_H

#include <ocelotl/model.h>

#include <stdbool.h>

/* Whether nothing is below a node. O(1). */
bool oc_is_leaf_of(const ocelotl_model *model, uint32_t node);

/* Flags the idle rows of a model, and counts them. A row is idle if its activity is less than a
 * thousandth of that of all rows, and less than a tenth of that of a mean row. Activity is time in
 * states that are not called idle, or events. No row of variables or of a matrix is idle. `idle`
 * has room for row_count flags. Errors: MEMORY. O(nodes + cells + leaves x types). */
ocelotl_status oc_idle_find(bool *idle, uint32_t *count, const ocelotl_model *model);

/* Adds a line to the choices of a model that says how many rows are idle, where any is. Errors:
 * MEMORY. */
ocelotl_status oc_idle_note(ocelotl_model *model);

#endif

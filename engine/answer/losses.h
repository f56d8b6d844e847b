/* What a format cannot say, counted. */
#ifndef OC_ANSWER_LOSSES_H
#define OC_ANSWER_LOSSES_H

#include <ocelotl/export.h>

/* Counts more of a kind; `what` lasts for ever. */
static inline void oc_lose(ocelotl_losses *losses, const char *what, uint64_t count)
{
    size_t i = 0;
    while (i < losses->count && losses->losses[i].what != what)
        i++;
    if (count == 0 || i == OCELOTL_MOST_LOSSES)
        return;
    if (i == losses->count)
        losses->losses[losses->count++] = (ocelotl_loss){what, 0};
    losses->losses[i].count += count;
}

#endif

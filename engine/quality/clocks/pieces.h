/* Clocks that run unevenly: how far each is off the straight one that was found, window by window.
 */
#ifndef OC_QUALITY_CLOCKS_PIECES_H
#define OC_QUALITY_CLOCKS_PIECES_H

#include "quality/clocks/clocks.h"

/* Moves the functions of clocks, straight between the middles of windows of the reference's time:
 * so many, or 0 for as many, up to 64, as messages tell apart. Memory O((pairs + clocks) x
 * windows). Errors: ARGUMENT where no window joins the clocks; LIMIT. */
ocelotl_status oc_clocks_bend(ocelotl_clocks *clocks, uint32_t pieces);

#endif

/* Instants and durations as a person writes them, and the intervals --from .. --to that they make.
 */
#ifndef OC_REQUEST_INSTANTS_H
#define OC_REQUEST_INSTANTS_H

#include "base/status.h"

#include <ocelotl/request.h>

/* Reads "1.5s", "200ms", "3us", "2min", "1h", "40%" or plain seconds, with a prefix or not; the
 * instant keeps both texts. */
ocelotl_status oc_read_instant(ocelotl_instant *instant, const char *text,
                               ocelotl_instant_base base, const char *option);

/* Reads a length of time, as above, but no percentage and no prefix, >= 0, in seconds. */
ocelotl_status oc_read_duration(double *seconds, const char *text, const char *option);

/* Refuses an interval that surely ends before it begins. */
ocelotl_status oc_check_interval(const ocelotl_interval *interval);

#endif

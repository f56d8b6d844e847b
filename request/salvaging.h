/* Reading around what is damaged of a trace.db. */
#ifndef OC_REQUEST_SALVAGING_H
#define OC_REQUEST_SALVAGING_H

#include "request/session.h"

/* Opens a trace.db, or what is left of it, which it says; the session's database is then a
 * temporary file. */
ocelotl_status oc_open_salvaged(ocelotl_session *session, const char *file);

#endif

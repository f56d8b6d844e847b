/* What in the trace answers to a text. */
#include "routes.h"

#include <ocelotl/answer.h>

void server_answer_search(server_asking *with)
{
    enum { MOST_FOUND = 200 };
    const char *text = server_asking_get(with, "q");
    server_out *out = &with->out;
    ocelotl_trace *trace = NULL;
    ocelotl_search *search = NULL;
    if (server_hold(out, ocelotl_session_trace(&trace, with->session)) &&
        server_hold(out, ocelotl_search_open(&search, trace, text != NULL ? text : "", MOST_FOUND)))
        server_hold(out, ocelotl_search_write_json(&out->sink, search, with->route->most));
    ocelotl_search_free(search);
}

/* What in the trace answers to a text. */
#include "panels.h"

#include <ocelotl/answer.h>

ocelotl_status server_answer_search(server_asking *with)
{
    enum { MOST_FOUND = 200 };
    const char *text = server_asking_get(with, "q");
    ocelotl_trace *trace = NULL;
    ocelotl_search *search = NULL;
    ocelotl_status status = ocelotl_session_trace(&trace, with->room->options.session);
    if (status == OCELOTL_OK)
        status = ocelotl_search_open(&search, trace, text != NULL ? text : "", MOST_FOUND);
    if (status == OCELOTL_OK)
        status = ocelotl_search_write_json(&with->out.sink, search, with->route->most);
    ocelotl_search_free(search);
    return status;
}

/* Tables: events of what is chosen, page by page, and parts; both as files of CSV as well. */
#include "routes.h"

#include <ocelotl/answer.h>
#include <ocelotl/export.h>

enum { PAGE_ROWS = 1000 };

/* Writes the rows behind those that the page has. */
static void put_page(server_asking *with, ocelotl_events *events, const ocelotl_trace *trace)
{
    server_out *out = &with->out;
    uint64_t after = 0;
    bool more = false;
    if (!server_asking_count(&after, with, "after", 0, UINT64_MAX / 2))
        return;
    server_put_command(with, ",\"after\":");
    server_put_number(out, "", (double)after);
    server_put(out, ",\"events\":");
    server_hold(out, ocelotl_events_write_page(&more, &out->sink, events, trace, after, PAGE_ROWS));
    server_put(out, more ? ",\"more\":true}\n" : ",\"more\":false}\n");
}

void server_answer_events(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    server_out *out = &with->out;
    ocelotl_losses losses;
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    ocelotl_selection selection = {0};
    const ocelotl_selection *whole = request->type == NULL ? &selection : NULL;
    if (server_hold(out, ocelotl_session_trace(&trace, with->session)) &&
        server_hold(out, ocelotl_session_events(&events, &selection, with->session, request))) {
        if (with->route->form == OCELOTL_FORM_CSV)
            server_hold(out, ocelotl_events_write_csv(&out->sink, events, trace, whole, &losses));
        else
            put_page(with, events, trace);
    }
    ocelotl_events_free(events);
}

void server_answer_parts(server_asking *with)
{
    const ocelotl_parts_order order = (ocelotl_parts_order)with->state.request->sort;
    const ocelotl_partition *partition = server_find_partition(with);
    const bool csv = with->route->form == OCELOTL_FORM_CSV;
    server_out *out = &with->out;
    if (partition == NULL)
        return;
    if (!csv)
        server_put_command(with, ",\"list\":");
    server_hold(out, ocelotl_parts_write(&out->sink, csv ? OCELOTL_FORM_CSV : OCELOTL_FORM_JSON,
                                         partition, order));
    server_put(out, csv ? "" : "}\n");
}

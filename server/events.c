/* Tables: events of what is chosen, page by page, and parts; both as files of CSV as well. */
#include "panels.h"

#include <ocelotl/answer.h>
#include <ocelotl/export.h>

enum { PAGE_ROWS = 1000 };

static ocelotl_status open_events(ocelotl_events **events, ocelotl_selection *selection,
                                  ocelotl_trace **trace, const server_asking *with)
{
    ocelotl_session *session = with->room->options.session;
    const ocelotl_status status = ocelotl_session_trace(trace, session);
    return status == OCELOTL_OK
               ? ocelotl_session_events(events, selection, session, with->state.request)
               : status;
}

static ocelotl_status write_page(server_asking *with, ocelotl_events *events,
                                 const ocelotl_trace *trace)
{
    uint64_t after = 0;
    bool more = false;
    ocelotl_status status = server_asking_count(&after, with, "after", 0, UINT64_MAX / 2);
    if (status != OCELOTL_OK)
        return status;
    server_put_command(with);
    server_put_number(&with->out, ",\"after\":", (double)after);
    server_put(&with->out, ",\"events\":");
    status = ocelotl_events_write_page(&more, &with->out.sink, events, trace, after, PAGE_ROWS);
    server_put(&with->out, more ? ",\"more\":true}\n" : ",\"more\":false}\n");
    return status;
}

ocelotl_status server_answer_events(server_asking *with)
{
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    ocelotl_selection selection = {0};
    ocelotl_status status = open_events(&events, &selection, &trace, with);
    if (status == OCELOTL_OK)
        status = write_page(with, events, trace);
    ocelotl_events_free(events);
    return status;
}

ocelotl_status server_answer_events_csv(server_asking *with)
{
    ocelotl_losses losses;
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    ocelotl_selection selection = {0};
    const ocelotl_selection *whole = with->state.request->type == NULL ? &selection : NULL;
    ocelotl_status status = open_events(&events, &selection, &trace, with);
    if (status == OCELOTL_OK)
        status = ocelotl_events_write_csv(&with->out.sink, events, trace, whole, &losses);
    ocelotl_events_free(events);
    return status;
}

static ocelotl_status write_parts(server_asking *with, const ocelotl_partition *partition, bool csv)
{
    const ocelotl_parts_order order = (ocelotl_parts_order)with->state.request->sort;
    if (csv)
        return ocelotl_parts_write(&with->out.sink, OCELOTL_FORM_CSV, partition, order);
    server_put_command(with);
    server_put(&with->out, ",\"list\":");
    const ocelotl_status status =
        ocelotl_parts_write(&with->out.sink, OCELOTL_FORM_JSON, partition, order);
    server_put(&with->out, "}\n");
    return status;
}

static ocelotl_status answer_parts(server_asking *with, bool csv)
{
    const ocelotl_partition *partition = NULL;
    const ocelotl_status status = server_kept_find(
        &partition, &with->room->kept, with->room->options.session, with->state.request);
    return status == OCELOTL_OK ? write_parts(with, partition, csv) : status;
}

ocelotl_status server_answer_parts(server_asking *with)
{
    return answer_parts(with, false);
}

ocelotl_status server_answer_parts_csv(server_asking *with)
{
    return answer_parts(with, true);
}

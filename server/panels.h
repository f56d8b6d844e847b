/* What the panels of the page ask, a function an address. */
#ifndef SERVER_PANELS_H
#define SERVER_PANELS_H

#include "asking.h"

ocelotl_status server_answer_search(server_asking *with);
ocelotl_status server_answer_part(server_asking *with);
ocelotl_status server_answer_events(server_asking *with);
ocelotl_status server_answer_events_csv(server_asking *with);
ocelotl_status server_answer_parts(server_asking *with);
ocelotl_status server_answer_parts_csv(server_asking *with);
ocelotl_status server_answer_sql(server_asking *with);
ocelotl_status server_answer_notes(server_asking *with);
ocelotl_status server_answer_asked(server_asking *with);
ocelotl_status server_answer_series(server_asking *with);
ocelotl_status server_answer_durations(server_asking *with);
ocelotl_status server_answer_treemap(server_asking *with);
ocelotl_status server_answer_compare(server_asking *with);

#endif

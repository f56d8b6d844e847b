/* Pictures that take more of a session than one answer. Errors: those of what they ask of the
 * session, and of the functions that draw. */
#ifndef OC_REQUEST_RENDERING_H
#define OC_REQUEST_RENDERING_H

#include "compare/compare.h"

#include <ocelotl/picture.h>
#include <ocelotl/session.h>

/* Draws the curves of the levels, with the request's p marked. */
ocelotl_status oc_session_draw_levels(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      ocelotl_session *session, const ocelotl_request *request,
                                      const ocelotl_levels *levels,
                                      const ocelotl_picture_options *view);

/* Draws derived series of the session's trace over time, as variables of a Gantt chart. */
ocelotl_status oc_session_draw_series(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      ocelotl_session *session, ocelotl_series *series,
                                      const ocelotl_picture_options *view);

/* Draws the events of two traces, the session's and the second operand of the request, one above
 * the other: the rows that both have. */
ocelotl_status oc_session_draw_gantts(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      ocelotl_session *first, const ocelotl_request *request,
                                      const ocelotl_picture_options *view);

/* What differs; it lives as long as the pair. */
const ocelotl_comparison *ocelotl_pair_comparison(const ocelotl_pair *pair);

/* The trace (0: the first, 1: the second), NULL for a matrix. */
ocelotl_trace *ocelotl_pair_trace(const ocelotl_pair *pair, int which);

/* Whether what differs between two traces is drawn, and not both. */
bool oc_is_difference(const ocelotl_picture_options *view);

#endif

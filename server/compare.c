/* Two traces, or two windows of one: both pictures or their difference, and what changes most. */
#include "panels.h"

#include <ocelotl/answer.h>

#include <string.h>

enum { MOST_CHANGES = 500 };

static ocelotl_status draw(ocelotl_buffer *picture, const server_asking *with, ocelotl_pair *pair)
{
    const ocelotl_sink sink = ocelotl_buffer_sink(picture);
    const char *view = with->view.view;
    return view != NULL && strcmp(view, "difference") == 0
               ? ocelotl_pair_write_difference(&sink, OCELOTL_PICTURE_SVG, pair, &with->view)
               : ocelotl_pair_write(&sink, OCELOTL_PICTURE_SVG, pair, &with->view);
}

static ocelotl_status write_pair(const server_asking *with, ocelotl_pair *pair)
{
    ocelotl_buffer picture = {NULL, 0, 0};
    ocelotl_status status = draw(&picture, with, pair);
    if (status == OCELOTL_OK)
        status = server_put_command(with);
    if (status == OCELOTL_OK)
        status = server_put(with, ",\"answer\":");
    if (status == OCELOTL_OK)
        status = ocelotl_comparison_write_named(&with->sink, ocelotl_pair_comparison(pair),
                                                MOST_CHANGES);
    if (status == OCELOTL_OK)
        status = server_put_text(with, ",\"picture\":", picture.bytes);
    ocelotl_buffer_free(&picture);
    return status == OCELOTL_OK ? server_put(with, "}\n") : status;
}

ocelotl_status server_answer_compare(server_asking *with)
{
    ocelotl_pair *pair = NULL;
    ocelotl_status status =
        ocelotl_session_compare(&pair, with->room->options.session, with->state.request);
    if (status == OCELOTL_OK)
        status = write_pair(with, pair);
    ocelotl_pair_free(pair);
    return status;
}

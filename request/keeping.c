/* Models and measures that outlive the place they have in a session: they are counted. */
#include "base/memory.h"
#include "request/session.h"

#include <stdatomic.h>
#include <stdlib.h>

struct ocelotl_measured {
    atomic_uint users; /* the session is one, until it forgets them */
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
};

void ocelotl_measured_free(ocelotl_measured *measured)
{
    if (measured == NULL ||
        atomic_fetch_sub_explicit(&measured->users, 1, memory_order_acq_rel) > 1)
        return;
    ocelotl_aggregation_free(measured->aggregation);
    ocelotl_model_free(measured->model);
    free(measured);
}

const ocelotl_aggregation *ocelotl_measured_aggregation(const ocelotl_measured *measured)
{
    return measured->aggregation;
}

ocelotl_status oc_view_keep(ocelotl_measured **measured, oc_view *view)
{
    ocelotl_measured *made = view->kept;
    if (made == NULL) {
        OC_TRY(oc_allocate(&made, 1, sizeof *made));
        atomic_init(&made->users, 1);
        made->model = view->model;
        made->aggregation = view->aggregation;
        view->kept = made;
    }
    atomic_fetch_add_explicit(&made->users, 1, memory_order_relaxed);
    *measured = made;
    return OCELOTL_OK;
}

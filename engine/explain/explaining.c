#include "explain/explaining.h"

#include <math.h>
#include <string.h>

bool oc_explains_lane(const char *name)
{
    return name[0] == '~' && name[1] != '\0' && name[1 + strspn(name + 1, "0123456789")] == '\0';
}

bool oc_explains_untraced(const oc_explaining *x, uint32_t table)
{
    return ocelotl_model_type_at(x->model, x->types[table]).untraced;
}

const char *oc_explained_type(const oc_explaining *x, uint32_t table)
{
    return ocelotl_model_type_at(x->model, x->types[table]).name;
}

bool oc_explains_work(const oc_explaining *x, uint32_t table)
{
    if (!oc_explains_untraced(x, table))
        return oc_waiting_is_work(oc_explained_type(x, table));
    for (uint32_t t = 0; t < x->info.type_count; t++) {
        const ocelotl_type type = ocelotl_model_type_at(x->model, t);
        if (!type.untraced && oc_waiting_is_work(type.name))
            return false;
    }
    return true;
}

double oc_explained_tick(const oc_explaining *x)
{
    return (x->info.end - x->info.begin) / ((double)x->info.to - (double)x->info.from);
}

int64_t oc_explained_ticks(const oc_explaining *x, double seconds)
{
    return x->info.from + (int64_t)((seconds - x->info.begin) / oc_explained_tick(x));
}

double oc_explained_seconds(const oc_explaining *x, int64_t ticks)
{
    return ocelotl_trace_seconds(x->trace, ticks);
}

ocelotl_status oc_finding_add(oc_explaining *x, const oc_finding *one)
{
    OC_TRY(oc_arena_grow(&x->found, &x->found_capacity, x->arena, x->found_count + 1,
                         sizeof *x->found));
    oc_finding *added = &x->found[x->found_count++];
    *added = *one;
    added->own = added->dearest = one->cost;
    if (one->end <= one->begin) /* calls inside each other do not end as they begin */
        added->end = fmin(one->begin + fmax(one->here, oc_explained_tick(x)), x->info.end);
    added->from = added->begin;
    added->to = added->end;
    added->lasts = added->end - added->begin;
    added->times = 1;
    return OCELOTL_OK;
}

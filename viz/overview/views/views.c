#include "viz/overview/overview.h"

#include "base/nearest.h"

#include <string.h>

/* The first of each kind is drawn where none is asked for. */
static const oc_view *const views[] = {
    &oc_view_mode,          &oc_view_partition, &oc_view_amplitude,
    &oc_view_stacked,       &oc_view_histogram, &oc_view_temporal_partition,
    &oc_view_temporal_mode, &oc_view_treemap,   &oc_view_spatial_mode,
};
#define VIEW_COUNT (sizeof views / sizeof views[0])

size_t ocelotl_view_count(void)
{
    return VIEW_COUNT;
}

ocelotl_view ocelotl_view_at(size_t index)
{
    const ocelotl_view none = {"", "", OCELOTL_SPATIOTEMPORAL};
    return index < VIEW_COUNT ? views[index]->is : none;
}

static const char *name_of_kind(ocelotl_kind kind)
{
    return kind == OCELOTL_TEMPORAL  ? "temporal"
           : kind == OCELOTL_SPATIAL ? "spatial"
                                     : "spatiotemporal";
}

/* The view that is most like a name, where it is one of another kind. */
static const oc_view *nearest_elsewhere(ocelotl_kind kind, const char *name)
{
    const char *names[VIEW_COUNT];
    for (size_t i = 0; i < VIEW_COUNT; i++)
        names[i] = views[i]->is.name;
    const size_t nearest = oc_nearest(name, names, VIEW_COUNT);
    return nearest < VIEW_COUNT && views[nearest]->is.kind != kind ? views[nearest] : NULL;
}

static ocelotl_status fail_unknown(ocelotl_kind kind, const char *name)
{
    const oc_view *other = nearest_elsewhere(kind, name);
    oc_text known = {0};
    for (size_t i = 0; i < VIEW_COUNT; i++)
        if (views[i]->is.kind == kind)
            oc_text_format(&known, "%s%s", known.length > 0 ? ", " : "", views[i]->is.name);
    if (other != NULL)
        oc_text_format(&known, "; %s is of a %s one", other->is.name, name_of_kind(other->is.kind));
    const ocelotl_status status =
        known.failed ? oc_fail_memory()
                     : oc_fail(OCELOTL_ERROR_ARGUMENT,
                               "a %s partition has no view \"%s\", expected one of %s",
                               name_of_kind(kind), name, known.bytes);
    oc_text_free(&known);
    return status;
}

ocelotl_status oc_view_find(const oc_view **view, ocelotl_kind kind, const char *name)
{
    for (size_t i = 0; i < VIEW_COUNT; i++) {
        if (views[i]->is.kind == kind && (name == NULL || strcmp(views[i]->is.name, name) == 0)) {
            *view = views[i];
            return OCELOTL_OK;
        }
    }
    return fail_unknown(kind, name != NULL ? name : "");
}

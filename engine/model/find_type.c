#include "model/model.h"

#include "base/memory.h"
#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status fail_unknown(const ocelotl_model *model, const char *name)
{
    const uint32_t count = model->type_count;
    const char **names = NULL;
    OC_TRY(oc_allocate(&names, count, sizeof *names));
    for (uint32_t type = 0; type < count; type++)
        names[type] = model->types[type].name;
    const size_t nearest = oc_nearest(name, names, count);
    const ocelotl_status status =
        nearest == count ? oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no type \"%s\"", model->name, name)
                         : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no type \"%s\"; the nearest is \"%s\"",
                                   model->name, name, names[nearest]);
    free(names);
    return status;
}

ocelotl_status ocelotl_model_find_type(uint32_t *type, const ocelotl_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->type_count; i++) {
        if (strcmp(model->types[i].name, name) == 0) {
            *type = i;
            return OCELOTL_OK;
        }
    }
    return fail_unknown(model, name);
}

#include "model/core/model.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

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
        nearest == count
            ? oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no type \"%s\"", model->name, name)
            : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no type \"%s\"; the nearest is \"%s\"",
                      model->name, name, names[nearest]);
    free(names);
    return status;
}

static bool is_called(const oc_model_type *type, const char *name)
{
    return type->spelling.full != NULL && oc_spelling_is(&type->spelling, name);
}

static ocelotl_status fail_ambiguous(const ocelotl_model *model, const char *name)
{
    oc_text names = {0};
    for (uint32_t i = 0; i < model->type_count; i++)
        if (is_called(&model->types[i], name))
            oc_text_format(&names, "%s\"%s\"", names.length > 0 ? " or " : "",
                           model->types[i].name);
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has several types called \"%s\", expected %s",
                model->name, name, names.failed ? "one of them" : names.bytes);
    oc_text_free(&names);
    return status;
}

/* The name that a picture shows comes first, then all that a type of a trace can be called. */
ocelotl_status ocelotl_model_find_type(uint32_t *type, const ocelotl_model *model, const char *name)
{
    uint32_t found = OCELOTL_NONE;
    for (uint32_t i = 0; i < model->type_count; i++) {
        if (strcmp(model->types[i].name, name) == 0) {
            *type = i;
            return OCELOTL_OK;
        }
    }
    for (uint32_t i = 0; i < model->type_count; i++) {
        if (!is_called(&model->types[i], name))
            continue;
        if (found != OCELOTL_NONE)
            return fail_ambiguous(model, name);
        found = i;
    }
    if (found == OCELOTL_NONE)
        return fail_unknown(model, name);
    *type = found;
    return OCELOTL_OK;
}

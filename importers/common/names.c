#include "importers/common/names.h"

#include "base/memory.h"

#include <stdlib.h>

void oc_names_free(oc_names *names)
{
    for (size_t i = 0; i < names->group_count; i++)
        free(names->groups[i].ids);
    free(names->groups);
    oc_map_free(&names->group_of);
    oc_map_free(&names->taken);
    oc_text_free(&names->key);
}

static ocelotl_status find_group(uint32_t *group, oc_names *names, const oc_name *name)
{
    const uint32_t where[3] = {(uint32_t)name->kind, name->place, name->other};
    oc_text *key = &names->key;
    oc_text_clear(key);
    oc_text_append(key, (const char *)where, sizeof where);
    oc_text_append(key, name->text, name->length);
    if (key->failed)
        return oc_fail_memory();
    *group = oc_map_get(&names->group_of, key->bytes, key->length);
    if (*group != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&names->groups, &names->group_capacity, names->group_count + 1,
                   sizeof *names->groups));
    *group = (uint32_t)names->group_count;
    OC_TRY(oc_map_set(&names->group_of, key->bytes, key->length, *group));
    names->groups[names->group_count++] = (oc_namesakes){0};
    return OCELOTL_OK;
}

/* Another one of the group is the file's. */
static ocelotl_status take_one(uint32_t *before, oc_names *names)
{
    const uint32_t key[2] = {names->last, names->file};
    const uint32_t taken = oc_map_get(&names->taken, key, sizeof key);
    *before = taken == OC_MAP_NONE ? 0 : taken;
    return oc_map_set(&names->taken, key, sizeof key, *before + 1);
}

ocelotl_status oc_names_take(uint32_t *id, oc_names *names, uint32_t file, const oc_name *name)
{
    uint32_t place;
    OC_TRY(find_group(&names->last, names, name));
    names->file = file;
    OC_TRY(take_one(&place, names));
    const oc_namesakes *group = &names->groups[names->last];
    *id = place < group->count ? group->ids[place] : OC_MAP_NONE;
    return OCELOTL_OK;
}

ocelotl_status oc_names_add(oc_names *names, uint32_t id)
{
    oc_namesakes *group = &names->groups[names->last];
    OC_TRY(oc_grow(&group->ids, &group->capacity, group->count + 1, sizeof *group->ids));
    group->ids[group->count++] = id;
    return OCELOTL_OK;
}

#include "importers/otf2/call_paths.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 32 };

static const uint32_t beyond = UINT32_MAX - 1; /* a region that stands for all */

static ocelotl_status add(otf2_call_paths *paths, uint32_t parent, const char *name)
{
    OC_TRY(oc_grow(&paths->paths, &paths->capacity, paths->count + 1, sizeof *paths->paths));
    const bool nested = parent != OCELOTL_NONE;
    otf2_call_path path = {.level = nested ? paths->paths[parent].level + 1 : 1,
                           .value = OCELOTL_NONE};
    oc_text text = {0};
    if (nested)
        oc_text_format(&text, "%s > ", paths->paths[parent].name);
    oc_text_add(&text, name);
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_copy_text(&path.name, text.bytes);
    oc_text_free(&text);
    if (status == OCELOTL_OK)
        paths->paths[paths->count++] = path;
    return status;
}

ocelotl_status otf2_call_paths_find(uint32_t *path, otf2_call_paths *paths, uint32_t parent,
                                    uint32_t region, const char *name)
{
    const uint32_t level = parent != OCELOTL_NONE ? paths->paths[parent].level : 0;
    if (level > MOST_LEVELS) {
        *path = parent;
        return OCELOTL_OK;
    }
    const uint32_t key[2] = {parent, level == MOST_LEVELS ? beyond : region};
    *path = oc_map_get(&paths->index_of, (const char *)key, sizeof key);
    if (*path != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(add(paths, parent, level == MOST_LEVELS ? ".." : name));
    *path = (uint32_t)paths->count - 1;
    return oc_map_set(&paths->index_of, (const char *)key, sizeof key, *path);
}

void otf2_call_paths_free(otf2_call_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->paths[i].name);
    free(paths->paths);
    oc_map_free(&paths->index_of);
    *paths = (otf2_call_paths){0};
}

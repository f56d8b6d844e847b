#include "importers/common/kinds.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status add_kind(oc_kinds *kinds, const oc_text *key, ocelotl_fate fate,
                               const char *why)
{
    OC_TRY(oc_grow(&kinds->kinds, &kinds->capacity, kinds->count + 1, sizeof *kinds->kinds));
    oc_kind *made = &kinds->kinds[kinds->count];
    *made = (oc_kind){.fate = fate};
    ocelotl_status status = oc_copy_text(&made->name, key->bytes + 1);
    if (status == OCELOTL_OK && why != NULL)
        status = oc_copy_text(&made->why, why);
    if (status == OCELOTL_OK)
        status = oc_map_set(&kinds->index_of, key->bytes, key->length, (uint32_t)kinds->count);
    if (status != OCELOTL_OK) {
        free(made->name);
        free(made->why);
        return status;
    }
    kinds->count++;
    return OCELOTL_OK;
}

/* The key is a byte for the fate, and the name. */
ocelotl_status oc_kinds_find(uint32_t *index, oc_kinds *kinds, const char *name, size_t length,
                             ocelotl_fate fate, const char *why)
{
    oc_text key = {0};
    oc_text_format(&key, "%d", (int)fate);
    oc_text_append(&key, name, length);
    ocelotl_status status = key.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK) {
        *index = oc_map_get(&kinds->index_of, key.bytes, key.length);
        if (*index == OC_MAP_NONE) {
            *index = (uint32_t)kinds->count;
            status = add_kind(kinds, &key, fate, why);
        }
    }
    oc_text_free(&key);
    return status;
}

ocelotl_status oc_kinds_count(oc_kinds *kinds, const char *name, ocelotl_fate fate, uint64_t count,
                              const char *why)
{
    uint32_t index = kinds->recent;
    if (index >= kinds->count || kinds->kinds[index].fate != fate ||
        strcmp(kinds->kinds[index].name, name) != 0)
        OC_TRY(oc_kinds_find(&index, kinds, name, strlen(name), fate, why));
    kinds->kinds[index].count += count;
    kinds->recent = index;
    return OCELOTL_OK;
}

ocelotl_status oc_kinds_leave_out(oc_kinds *kinds, uint32_t index, const char *why)
{
    uint32_t left_out = 0;
    const char *name = kinds->kinds[index].name;
    OC_TRY(oc_kinds_find(&left_out, kinds, name, strlen(name), OCELOTL_FATE_LEFT_OUT, why));
    kinds->kinds[index].count--;
    kinds->kinds[left_out].count++;
    return OCELOTL_OK;
}

ocelotl_status oc_kinds_finish(const oc_kinds *kinds, ocelotl_writer *writer)
{
    for (size_t i = 0; i < kinds->count; i++) {
        const oc_kind *kind = &kinds->kinds[i];
        if (kind->count > 0)
            OC_TRY(
                ocelotl_writer_source_kind(writer, kind->name, kind->fate, kind->count, kind->why));
    }
    return OCELOTL_OK;
}

void oc_kinds_free(oc_kinds *kinds)
{
    for (size_t i = 0; i < kinds->count; i++) {
        free(kinds->kinds[i].name);
        free(kinds->kinds[i].why);
    }
    free(kinds->kinds);
    oc_map_free(&kinds->index_of);
    *kinds = (oc_kinds){0};
}

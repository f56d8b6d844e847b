#include "importers/ingest/merged.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>

static ocelotl_status add_place(uint32_t *place, oc_merged *merged, const oc_merged_key *key)
{
    OC_TRY(oc_grow(&merged->places, &merged->capacity, merged->count + 1, sizeof *merged->places));
    oc_merged_place *added = &merged->places[merged->count];
    *added = (oc_merged_place){.file = merged->file, .last = INT64_MIN, .end = INT64_MIN};
    OC_TRY(ocelotl_writer_resource(&added->resource, merged->writer, key->type, key->parent,
                                   key->name, key->begin));
    *place = (uint32_t)merged->count++;
    return OCELOTL_OK;
}

static ocelotl_status find(uint32_t *place, bool *is_new, oc_merged *merged,
                           const oc_merged_key *key, const oc_text *text)
{
    *place = oc_map_get(&merged->number_of, text->bytes, text->length);
    *is_new = *place == OC_MAP_NONE || merged->places[*place].file == merged->file;
    if (!*is_new) {
        merged->places[*place].file = merged->file;
        return OCELOTL_OK;
    }
    OC_TRY(add_place(place, merged, key));
    return oc_map_set(&merged->number_of, text->bytes, text->length, *place);
}

ocelotl_status oc_merged_find(uint32_t *place, bool *is_new, oc_merged *merged,
                              const oc_merged_key *key)
{
    oc_text text = {0};
    oc_text_format(&text, "%u\t%u\t%s", key->type, key->parent, key->name);
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : find(place, is_new, merged, key, &text);
    oc_text_free(&text);
    return status;
}

static ocelotl_status find_lane_type(uint32_t *type, oc_merged *merged, uint32_t row_type)
{
    *type = oc_map_get(&merged->number_of, &row_type, sizeof row_type);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_type(type, merged->writer, row_type, "Lane"));
    return oc_map_set(&merged->number_of, &row_type, sizeof row_type, *type);
}

static ocelotl_status add_lane(uint32_t *lane, oc_merged *merged, uint32_t row, uint32_t row_type,
                               int64_t begin)
{
    uint32_t type;
    oc_text name = {0};
    OC_TRY(find_lane_type(&type, merged, row_type));
    oc_text_format(&name, "~%s", merged->name);
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : ocelotl_writer_resource(lane, merged->writer, type, row, name.bytes, begin);
    oc_text_free(&name);
    return status;
}

ocelotl_status oc_merged_lane(uint32_t *lane, oc_merged *merged, uint32_t row, uint32_t row_type,
                              int64_t begin)
{
    const uint32_t key[2] = {row, merged->file};
    *lane = oc_map_get(&merged->number_of, key, sizeof key);
    if (*lane != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(add_lane(lane, merged, row, row_type, begin));
    return oc_map_set(&merged->number_of, key, sizeof key, *lane);
}

void oc_merged_free(oc_merged *merged)
{
    oc_map_free(&merged->number_of);
    free(merged->places);
}

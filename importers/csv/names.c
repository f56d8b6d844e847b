/* The names of a sheet: resources, their types, and the types of events in them. */
#include "base/memory.h"
#include "importers/csv/sheet.h"

#include <string.h>

/* Names of a sheet's own, beside those of the ingest. */
typedef enum name_kind { RESOURCE, RESOURCE_TYPE, PLACE, EVENT_TYPE, ID } name_kind;

uint32_t csv_sheet_find(csv_sheet *sheet, csv_field key)
{
    return oc_ingest_own(&sheet->ingest, RESOURCE, sheet->scope, 0, key.text, key.length);
}

ocelotl_status csv_sheet_rename(csv_sheet *sheet, csv_field key, uint32_t resource)
{
    return oc_ingest_own_set(&sheet->ingest, RESOURCE, sheet->scope, key.text, key.length,
                             resource);
}

ocelotl_status csv_sheet_add_resource(uint32_t *resource, csv_sheet *sheet, csv_field key,
                                      csv_field name, uint32_t parent)
{
    csv_resource added = {.type = OCELOTL_NONE, .place = OCELOTL_NONE};
    oc_ingest *ingest = &sheet->ingest;
    parent = parent == OCELOTL_NONE ? sheet->top : parent;
    OC_TRY(oc_grow(&sheet->resources, &sheet->resource_capacity, ingest->row_count + 1,
                   sizeof *sheet->resources));
    OC_TRY(csv_sheet_rename(sheet, key, (uint32_t)ingest->row_count));
    OC_TRY(oc_ingest_row_add(resource, ingest, parent, OCELOTL_ROOT, name.text, name.length));
    ingest->rows[*resource].order = sheet->turns++;
    added.path_hash = oc_hash(name.text, name.length);
    if (parent != OCELOTL_NONE) {
        const csv_resource *around = &sheet->resources[parent];
        added.depth = around->depth + 1;
        added.path_hash = oc_hash_mixed(&(oc_hash_key){1, 3}, added.path_hash, around->path_hash);
    }
    sheet->resources[*resource] = added;
    return OCELOTL_OK;
}

ocelotl_status csv_sheet_resource_type(uint32_t *type, csv_sheet *sheet, csv_field name)
{
    oc_ingest *ingest = &sheet->ingest;
    *type = oc_ingest_own(ingest, RESOURCE_TYPE, 0, 0, name.text, name.length);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    *type = (uint32_t)sheet->type_count;
    OC_TRY(oc_ingest_own_keep(ingest, *type));
    OC_TRY(
        oc_grow(&sheet->types, &sheet->type_capacity, sheet->type_count + 1, sizeof *sheet->types));
    sheet->types[sheet->type_count++] =
        (csv_resource_type){.name = oc_arena_copy_bytes(&ingest->arena, name.text, name.length)};
    return oc_arena_status(&ingest->arena);
}

bool csv_sheet_is_lane(const csv_sheet *sheet, uint32_t resource)
{
    const oc_ingest_row *row = &sheet->ingest.rows[resource];
    const uint32_t type = sheet->resources[resource].type;
    return type != OCELOTL_NONE && row->parent != OCELOTL_NONE && row->id[0] == '~' &&
           strcmp(sheet->types[type].name, "Lane") == 0;
}

/* Finds a type inside a place. */
static ocelotl_status find_place(uint32_t *place, csv_sheet *sheet, uint32_t around, uint32_t type)
{
    *place = oc_ingest_own(&sheet->ingest, PLACE, around, type, "", 0);
    if (*place != OC_MAP_NONE)
        return OCELOTL_OK;
    *place = sheet->place_count++;
    return oc_ingest_own_keep(&sheet->ingest, *place);
}

/* Whether resources of a type have one place, whatever is around them: those of no known type, and
 * those of a type that is met first where the types around are not known. */
static bool is_by_name(const csv_sheet *sheet, csv_resource_type *type, bool known)
{
    type->is_by_name =
        type->is_met ? type->is_by_name
                     : !known || !sheet->has_places || strcmp(type->name, CSV_UNKNOWN_TYPE) == 0;
    type->is_met = true;
    return type->is_by_name;
}

/* The place follows from the types of the resource and of those around it whose places are not
 * known. What is said later of the types around a resource changes nothing. */
ocelotl_status csv_sheet_place(uint32_t *place, csv_sheet *sheet, uint32_t resource)
{
    static const csv_field unknown = {CSV_UNKNOWN_TYPE, sizeof CSV_UNKNOWN_TYPE - 1};
    size_t length = 0;
    bool known = true; /* the types of all but the resource itself */
    uint32_t unsaid;
    *place = sheet->resources[resource].place;
    if (*place != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(csv_sheet_resource_type(&unsaid, sheet, unknown));
    for (uint32_t one = resource; one != OCELOTL_NONE; one = sheet->ingest.rows[one].parent) {
        *place = sheet->resources[one].place;
        if (*place != OCELOTL_NONE)
            break;
        known = known && (one == resource || sheet->resources[one].type != OCELOTL_NONE);
        OC_TRY(oc_grow(&sheet->chain, &sheet->chain_capacity, length + 1, sizeof *sheet->chain));
        sheet->chain[length++] = one;
    }
    const uint32_t own = sheet->resources[resource].type;
    if (is_by_name(sheet, &sheet->types[own != OCELOTL_NONE ? own : unsaid], known)) {
        length = 1;
        *place = OCELOTL_NONE;
    }
    while (length-- > 0) {
        csv_resource *one = &sheet->resources[sheet->chain[length]];
        OC_TRY(find_place(place, sheet, *place, one->type != OCELOTL_NONE ? one->type : unsaid));
        one->place = *place;
    }
    return OCELOTL_OK;
}

/* A type that is met at several depths belongs to the outermost, in whatever order rows stand. */
ocelotl_status csv_sheet_type(uint32_t *type, csv_sheet *sheet, ocelotl_category category,
                              csv_field name, uint32_t place, uint32_t resource)
{
    oc_ingest *ingest = &sheet->ingest;
    *type = oc_ingest_own(ingest, EVENT_TYPE, category, place, name.text, name.length);
    if (*type == OC_MAP_NONE) {
        OC_TRY(oc_ingest_late_type(type, ingest, category, resource, name.text, name.length));
        return oc_ingest_own_keep(ingest, *type);
    }
    uint32_t *row = &ingest->types[*type].row;
    if (resource != OCELOTL_NONE && *row != OCELOTL_NONE &&
        sheet->resources[resource].depth < sheet->resources[*row].depth)
        *row = resource;
    return OCELOTL_OK;
}

ocelotl_status csv_sheet_id(uint32_t *number, csv_sheet *sheet, csv_field id)
{
    *number = 0;
    if (id.length == 0)
        return OCELOTL_OK;
    *number = oc_ingest_own(&sheet->ingest, ID, sheet->scope, 0, id.text, id.length);
    if (*number != OC_MAP_NONE)
        return OCELOTL_OK;
    *number = ++sheet->id_count;
    return oc_ingest_own_keep(&sheet->ingest, *number);
}

ocelotl_status csv_sheet_attribute(csv_sheet *sheet, uint32_t type, csv_field name, csv_field text)
{
    uint32_t attribute;
    OC_TRY(oc_ingest_attribute(&attribute, &sheet->ingest, type, name.text, name.length));
    OC_TRY(oc_grow(&sheet->attributes, &sheet->attribute_capacity, sheet->attribute_count + 1,
                   sizeof *sheet->attributes));
    sheet->attributes[sheet->attribute_count++] =
        (ocelotl_attribute_value){attribute, text.text, text.length};
    return OCELOTL_OK;
}

/* The names of a sheet: resources, types, values, attributes. */
#include "base/memory.h"
#include "importers/csv/sheet.h"

#include <string.h>

typedef enum name_kind { RESOURCE, RESOURCE_TYPE, PLACE, EVENT_TYPE, VALUE } name_kind;

static ocelotl_status copy_field(char **copy, csv_field field)
{
    OC_TRY(oc_allocate(copy, field.length + 1, 1));
    memcpy(*copy, field.text, field.length);
    (*copy)[field.length] = '\0';
    return OCELOTL_OK;
}

/* Looks a name up; the key of it is then in the scratch. */
static uint32_t look_up(csv_sheet *sheet, name_kind kind, uint32_t place, uint32_t other,
                        csv_field name)
{
    const uint32_t head[3] = {kind, place, other};
    oc_text_clear(&sheet->key);
    oc_text_append(&sheet->key, (const char *)head, sizeof head);
    oc_text_append(&sheet->key, name.text, name.length);
    return sheet->key.failed ? OC_MAP_NONE
                             : oc_map_get(&sheet->numbers, sheet->key.bytes, sheet->key.length);
}

/* Gives what was looked up last a number. */
static ocelotl_status give(csv_sheet *sheet, size_t number)
{
    if (sheet->key.failed)
        return oc_fail_memory();
    if (number >= OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_LIMIT, "more names than a trace can have");
    return oc_map_set(&sheet->numbers, sheet->key.bytes, sheet->key.length, (uint32_t)number);
}

uint32_t csv_sheet_find(csv_sheet *sheet, csv_field key)
{
    return look_up(sheet, RESOURCE, sheet->scope, 0, key);
}

ocelotl_status csv_sheet_add_resource(uint32_t *resource, csv_sheet *sheet, csv_field key,
                                      csv_field name, uint32_t parent)
{
    OC_TRY(oc_grow(&sheet->resources, &sheet->resource_capacity, sheet->resource_count + 1,
                   sizeof *sheet->resources));
    csv_sheet_find(sheet, key);
    OC_TRY(give(sheet, sheet->resource_count));
    csv_resource *added = &sheet->resources[sheet->resource_count];
    *added = (csv_resource){.parent = parent == OCELOTL_NONE ? sheet->top : parent,
                            .type = OCELOTL_NONE,
                            .place = OCELOTL_NONE,
                            .turn = sheet->turns++};
    added->path_hash = oc_hash(name.text, name.length);
    if (added->parent != OCELOTL_NONE) {
        const csv_resource *around = &sheet->resources[added->parent];
        added->depth = around->depth + 1;
        added->path_hash = oc_hash_mixed(&(oc_hash_key){1, 3}, added->path_hash, around->path_hash);
    }
    OC_TRY(copy_field(&added->name, name));
    *resource = (uint32_t)sheet->resource_count++;
    return OCELOTL_OK;
}

ocelotl_status csv_sheet_rename(csv_sheet *sheet, csv_field key, uint32_t resource)
{
    csv_sheet_find(sheet, key);
    return give(sheet, resource);
}

ocelotl_status csv_sheet_resource_type(uint32_t *type, csv_sheet *sheet, csv_field name)
{
    *type = look_up(sheet, RESOURCE_TYPE, 0, 0, name);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&sheet->resource_types, &sheet->resource_type_capacity,
                   sheet->resource_type_count + 1, sizeof *sheet->resource_types));
    OC_TRY(give(sheet, sheet->resource_type_count));
    sheet->resource_types[sheet->resource_type_count] = (csv_resource_type){0};
    OC_TRY(copy_field(&sheet->resource_types[sheet->resource_type_count].name, name));
    *type = (uint32_t)sheet->resource_type_count++;
    return OCELOTL_OK;
}

bool csv_sheet_is_lane(const csv_sheet *sheet, const csv_resource *resource)
{
    return resource->type != OCELOTL_NONE && resource->parent != OCELOTL_NONE &&
           resource->name[0] == '~' &&
           strcmp(sheet->resource_types[resource->type].name, "Lane") == 0;
}

/* Finds a type inside a place. */
static ocelotl_status find_place(uint32_t *place, csv_sheet *sheet, uint32_t around, uint32_t type)
{
    const csv_field nothing = {"", 0};
    *place = look_up(sheet, PLACE, around, type, nothing);
    if (*place != OC_MAP_NONE)
        return OCELOTL_OK;
    *place = sheet->place_count;
    OC_TRY(give(sheet, sheet->place_count));
    sheet->place_count++;
    return OCELOTL_OK;
}

/* Fills the chain with a resource and those around it whose places are not known; *around is the
 * place of the next one. *known: the types of all but the resource itself are. */
static ocelotl_status find_chain(size_t *length, uint32_t *around, bool *known, csv_sheet *sheet,
                                 uint32_t resource)
{
    *length = 0;
    *around = OCELOTL_NONE;
    *known = true;
    for (uint32_t one = resource; one != OCELOTL_NONE; one = sheet->resources[one].parent) {
        *around = sheet->resources[one].place;
        if (*around != OCELOTL_NONE)
            break;
        *known = *known && (one == resource || sheet->resources[one].type != OCELOTL_NONE);
        OC_TRY(oc_grow(&sheet->chain, &sheet->chain_capacity, *length + 1, sizeof *sheet->chain));
        sheet->chain[(*length)++] = one;
    }
    return OCELOTL_OK;
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

/* What is said later of the types around a resource changes nothing. */
ocelotl_status csv_sheet_place(uint32_t *place, csv_sheet *sheet, uint32_t resource)
{
    static const csv_field unknown = {CSV_UNKNOWN_TYPE, sizeof CSV_UNKNOWN_TYPE - 1};
    size_t length;
    bool known;
    uint32_t unsaid;
    *place = sheet->resources[resource].place;
    if (*place != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(csv_sheet_resource_type(&unsaid, sheet, unknown));
    OC_TRY(find_chain(&length, place, &known, sheet, resource));
    const uint32_t own = sheet->resources[resource].type;
    if (is_by_name(sheet, &sheet->resource_types[own != OCELOTL_NONE ? own : unsaid], known)) {
        sheet->chain[0] = resource;
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
static void take_outermost(const csv_sheet *sheet, csv_type *type, uint32_t resource)
{
    const csv_resource *all = sheet->resources;
    if (resource != OCELOTL_NONE && type->resource != OCELOTL_NONE &&
        all[resource].depth < all[type->resource].depth)
        type->resource = resource;
}

ocelotl_status csv_sheet_type(uint32_t *type, csv_sheet *sheet, ocelotl_category category,
                              csv_field name, uint32_t place, uint32_t resource)
{
    *type = look_up(sheet, EVENT_TYPE, category, place, name);
    if (*type != OC_MAP_NONE) {
        take_outermost(sheet, &sheet->types[*type], resource);
        return OCELOTL_OK;
    }
    OC_TRY(
        oc_grow(&sheet->types, &sheet->type_capacity, sheet->type_count + 1, sizeof *sheet->types));
    OC_TRY(give(sheet, sheet->type_count));
    csv_type *added = &sheet->types[sheet->type_count];
    *added = (csv_type){.category = category, .resource = resource};
    OC_TRY(copy_field(&added->name, name));
    *type = (uint32_t)sheet->type_count++;
    return OCELOTL_OK;
}

ocelotl_status csv_sheet_value(uint32_t *value, csv_sheet *sheet, uint32_t type, csv_field name)
{
    *value = look_up(sheet, VALUE, type, 0, name);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&sheet->values, &sheet->value_capacity, sheet->value_count + 1,
                   sizeof *sheet->values));
    OC_TRY(give(sheet, sheet->value_count));
    csv_value *added = &sheet->values[sheet->value_count];
    added->type = type;
    OC_TRY(copy_field(&added->name, name));
    *value = (uint32_t)sheet->value_count++;
    return OCELOTL_OK;
}

ocelotl_status csv_sheet_attribute(uint32_t *attribute, csv_sheet *sheet, uint32_t type_number,
                                   csv_field name)
{
    csv_type *type = &sheet->types[type_number];
    *attribute = oc_map_get(&type->attribute_of, name.text, name.length);
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&type->attributes, &type->attribute_capacity, type->attribute_count + 1,
                   sizeof *type->attributes));
    OC_TRY(
        oc_map_set(&type->attribute_of, name.text, name.length, (uint32_t)type->attribute_count));
    OC_TRY(copy_field(&type->attributes[type->attribute_count], name));
    *attribute = (uint32_t)type->attribute_count++;
    return OCELOTL_OK;
}

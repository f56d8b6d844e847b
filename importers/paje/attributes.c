#include "importers/paje/reader.h"

static ocelotl_status find_attribute(uint32_t *attribute, paje_reader *reader, uint32_t type,
                                     paje_definition_field *field)
{
    paje_names *names = &reader->simulation.names;
    if (field->known_type != type + 1) {
        OC_TRY(paje_names_known_attribute(&field->attribute, names, type, field->name));
        if (field->attribute == OC_MAP_NONE) {
            OC_TRY(paje_pipeline_settle(&reader->pipeline, false));
            OC_TRY(paje_names_find_attribute(&field->attribute, names, type, field->name));
        }
        field->known_type = type + 1;
    }
    *attribute = field->attribute;
    return OCELOTL_OK;
}

ocelotl_status paje_read_attributes(paje_event *event, paje_reader *reader)
{
    paje_definition *definition = reader->definition;
    const bool link = event->kind == PAJE_START_LINK || event->kind == PAJE_END_LINK;
    size_t count = 0;
    if (!definition->has_extra && !link)
        return OCELOTL_OK;
    ocelotl_attribute_value *attributes =
        paje_window_attributes(&reader->pipeline.window, definition->extra_count + link);
    for (size_t i = 0; i < definition->field_count; i++) {
        paje_definition_field *field = &definition->fields[i];
        if (field->meaning != PAJE_EXTRA && !(link && field->meaning == PAJE_KEY))
            continue;
        ocelotl_attribute_value *attribute = &attributes[count++];
        OC_TRY(find_attribute(&attribute->attribute, reader, event->type, field));
        attribute->text = reader->fields[i].text;
        attribute->length = reader->fields[i].length;
        if (field->meaning == PAJE_KEY) {
            const ocelotl_attribute_value key = *attribute;
            *attribute = attributes[0];
            attributes[0] = key;
        }
    }
    if (link)
        event->key_hash = oc_hash_keyed(&reader->simulation.links.hash_key, attributes[0].text,
                                        attributes[0].length);
    event->attributes = attributes;
    event->attribute_count = (uint8_t)count;
    return count > PAJE_FEW_ATTRIBUTES ? paje_event_own(event) : OCELOTL_OK;
}

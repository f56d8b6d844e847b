#include "query/events/attributes.h"

#include "base/json.h"

#include <string.h>

static ocelotl_status add(ocelotl_events *events, const ocelotl_event *event,
                          const ocelotl_attribute_value *value, bool *has_key)
{
    const char *name =
        oc_catalogue_attribute(events->catalogue, event->event_type, value->attribute);
    if (name == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "damaged chunk of events: an attribute that there is not");
    if (event->category == OCELOTL_LINK && !*has_key && strcmp(name, "Key") == 0) {
        *has_key = true;
        oc_text_add_utf8(&events->key, value->text, value->length);
        return OCELOTL_OK;
    }
    oc_text_add(&events->attributes, events->attributes.length == 0 ? "{" : ",");
    oc_json_append_string(&events->attributes, name, strlen(name));
    oc_text_add(&events->attributes, ":");
    if (oc_json_is_number(value->text, value->length))
        oc_text_append(&events->attributes, value->text, value->length);
    else
        oc_json_append_string(&events->attributes, value->text, value->length);
    return OCELOTL_OK;
}

static ocelotl_status add_record(ocelotl_events *events, const ocelotl_event *event,
                                 const oc_record *record, bool *has_key)
{
    const oc_records *records = &events->reader.records;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const oc_record_attribute *attribute = &records->attributes[record->attribute_first + i];
        const ocelotl_attribute_value value = {
            attribute->attribute,
            attribute->length > 0 ? records->text.bytes + attribute->text : "", attribute->length};
        OC_TRY(add(events, event, &value, has_key));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_events_describe(ocelotl_event *event, ocelotl_events *events,
                                  const oc_carried *carried, const oc_record *record)
{
    bool has_key = false;
    oc_text_clear(&events->key);
    oc_text_clear(&events->attributes);
    for (size_t i = 0; carried != NULL && i < carried->count; i++)
        OC_TRY(add(events, event, &carried->values[i], &has_key));
    if (record != NULL)
        OC_TRY(add_record(events, event, record, &has_key));
    if (events->attributes.length > 0)
        oc_text_add(&events->attributes, "}");
    if (events->key.failed || events->attributes.failed)
        return oc_fail_memory();
    event->key = has_key ? events->key.bytes : NULL;
    event->attributes = events->attributes.length > 0 ? events->attributes.bytes : NULL;
    return OCELOTL_OK;
}

#include "query/events/attributes.h"

#include <string.h>

static size_t skip_digits(const char *text, size_t length, size_t from)
{
    while (from < length && text[from] >= '0' && text[from] <= '9')
        from++;
    return from;
}

/* Whether a text is a number as JSON writes them: then it is one, digit for digit. */
static bool is_json_number(const char *text, size_t length)
{
    size_t at = length > 0 && text[0] == '-' ? 1 : 0;
    const size_t whole = at;
    at = skip_digits(text, length, at);
    if (at == whole || (text[whole] == '0' && at > whole + 1))
        return false;
    if (at < length && text[at] == '.') {
        const size_t point = at + 1;
        at = skip_digits(text, length, point);
        if (at == point)
            return false;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < length && (text[at] == '+' || text[at] == '-');
        const size_t exponent = at;
        at = skip_digits(text, length, exponent);
        if (at == exponent)
            return false;
    }
    return at == length;
}

static void add_string(oc_text *json, const char *text, size_t length)
{
    oc_text_add(json, "\"");
    for (size_t i = 0; i < length;) {
        const size_t step = oc_utf8_length(text + i, length - i);
        const unsigned char byte = (unsigned char)text[i];
        const uint32_t code = step > 0 ? oc_code_point(text + i, step) : 0;
        if (step == 0)
            oc_text_add(json, "\xEF\xBF\xBD");
        else if (byte == '"' || byte == '\\')
            oc_text_format(json, "\\%c", byte);
        else if (oc_is_hidden(code))
            oc_text_format(json, "\\u%04x", (unsigned)code);
        else
            oc_text_append(json, text + i, step);
        i += step > 0 ? step : 1;
    }
    oc_text_add(json, "\"");
}

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
    add_string(&events->attributes, name, strlen(name));
    oc_text_add(&events->attributes, ":");
    if (is_json_number(value->text, value->length))
        oc_text_append(&events->attributes, value->text, value->length);
    else
        add_string(&events->attributes, value->text, value->length);
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

#include "importers/csv/table.h"

#include "base/format/json_scan.h"
#include "base/memory.h"

#include <stdlib.h>

static ocelotl_status add(csv_object *object, const oc_json_item *name, const oc_json_item *value)
{
    if (value->kind == 'a' && oc_json_is(value, "null"))
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&object->members, &object->capacity, object->count + 1, sizeof *object->members));
    csv_member *added = &object->members[object->count++];
    added->name = object->texts.length;
    oc_json_decode_item(&object->texts, name);
    added->text = object->texts.length;
    added->name_length = added->text - added->name;
    oc_json_decode_item(&object->texts, value);
    added->length = object->texts.length - added->text;
    return object->texts.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* The scanner reads zeros behind the text, which is therefore copied. */
ocelotl_status csv_object_read(csv_object *object, csv_field text)
{
    static const char margin[OC_JSON_MARGIN] = "";
    oc_text *source = &object->source;
    object->count = 0;
    oc_text_clear(&object->texts);
    oc_text_clear(source);
    if (text.length == 0)
        return OCELOTL_OK;
    oc_text_append(source, text.text, text.length);
    oc_text_append(source, margin, sizeof margin);
    if (source->failed)
        return oc_fail_memory();
    oc_json_item whole = {0};
    oc_json_cursor cursor = {source->bytes, source->bytes + text.length, "{"};
    oc_json_skip_blanks(&cursor);
    oc_json_scan found = OC_JSON_BROKEN;
    if (*cursor.next == '{')
        found = oc_json_scan_value(&whole, &cursor);
    if (found == OC_JSON_CUT)
        cursor.expected = *cursor.next == '"' ? "a closing quote" : "}";
    oc_json_skip_blanks(&cursor);
    if (found == OC_JSON_FOUND && cursor.next < cursor.end) {
        found = OC_JSON_BROKEN;
        cursor.expected = "nothing behind }";
    }
    if (found != OC_JSON_FOUND)
        return oc_fail(OCELOTL_ERROR_INPUT, "is no flat object of JSON, expected %s",
                       cursor.expected);
    cursor = (oc_json_cursor){whole.bytes + 1, whole.bytes + whole.length, NULL};
    for (oc_json_item name, value; oc_json_next(&name, &value, &cursor);)
        OC_TRY(add(object, &name, &value));
    return OCELOTL_OK;
}

void csv_object_free(csv_object *object)
{
    oc_text_free(&object->source);
    oc_text_free(&object->texts);
    free(object->members);
}
